"""Prompts: what a template may say, which names it uses, and what is said of one that cannot be."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import product

import pytest

from tui.errors import TemplateError
from tui.prompts import PromptValues, defaults
from tui.prompts.rendering import check, render
from tui.prompts.template_filters import FILTERS, TESTS
from tui.prompts.template_language import parse

VALUES = PromptValues("Hoffentlich fährt er ab.", "fährt", "Der letzte Zug.\nEr fährt.", "German", "Zug")
THERE_ARE = "there are sentence, focus, context, language, source, explain_in, level, dictionary"


def refusal(template: str) -> TemplateError:
    with pytest.raises(TemplateError) as error:
        render(template, VALUES)
    return error.value


HARMLESS = (
    ("{{ sentence }}|{{ focus }}|{{ language }}|{{ source }}", "Hoffentlich fährt er ab.|fährt|German|Zug"),
    ("{% if context and not false %}a{% elif focus %}b{% else %}c{% endif %}", "a"),
    ("{% if focus == 'x' %}a{% elif focus in sentence %}b{% else %}c{% endif %}", "b"),
    ("{{ 'yes' if focus | length > 3 else 'no' }} {{ 'x' if false }}", "yes "),
    ("{{ focus | upper ~ '!' }} {{ 'a' + 'b' }} {{ (2 + 3 * 4 - 1) // 2 }} {{ 7 % 4 }} {{ -1 }}", "FÄHRT! ab 6 3 -1"),
    (
        "{% for line in context | splitlines %}{{ loop.index }}. {{ line }}\n{% endfor %}",
        "1. Der letzte Zug.\n2. Er fährt.\n",
    ),
    ("{% for w in sentence | split if w != 'er' %}{{ w[0] }}{{ '' if loop.last else ', ' }}{% endfor %}", "H, f, a"),
    ("{% for a in '' %}x{% else %}none{% endfor %}{% for l in focus %}{{ l }}-{% endfor %}", "nonef-ä-h-r-t-"),
    ("{% set a = focus %}{% for x in [1, 2] %}{% set a = x %}{{ a }}{% endfor %}{{ a }}", "12fährt"),
    ("{% for a in 'xy' %}{% for b in 'uv' %}{{ loop.index }}{% endfor %}{{ loop.first }}{% endfor %}", "12True12False"),
    ("{{ sentence[:4] }} {{ focus[-1] }} {{ (sentence | split)[1] }} {{ sentence | first }}", "Hoff t fährt H"),
    ("{{ '' | default('none', true) }} {{ focus | default('none') }} {{ none }}", "none fährt None"),
    ("{{ sentence | truncate(14) }} {{ ' a ' | trim }} {{ 'ab-cd ef' | title }}", "Hoffentlich... a Ab-Cd Ef"),
    ("{{ ['a', 1] | join(', ') }} {{ 'aba' | replace('a', 'c') }} {{ 'a\nb' | indent(2) }}", "a, 1 cbc a\n  b"),
    ('{{ "a\\"b" | tojson }} {{ "<" | e }} {{ "3" | int + 1 }} {{ 2.55 | round(1) }}', '"a\\"b" &lt; 4 2.5'),
    (
        "{{ 3 is odd }} {{ focus is string }} {{ focus is not defined }} {{ 4 is divisibleby 2 }}",
        "True True False True",
    ),
    (
        "{{ '' | default(default_value='a', boolean=true) }}{{ 'xbx' | trim(chars='x') }}{{ [1, 2] | join(d='-') }}"
        "{{ 2.345 | round(precision=1) }}{{ 'ab' | replace(new='c', old='a') }}"
        "{{ 'abcdef' | truncate(length=3, leeway=0) }}",
        "ab1-22.3cb...",
    ),
    ("{# note #}{% raw %}{{ x }}{% endraw %}\n  {%- if focus -%}  \n a {%- endif +%} b", "{{ x }}a b"),
    ("a\r\nb\n", "a\nb"),
)


def test_what_harmless_templates_use_works_as_in_jinja2() -> None:
    for template, prompt in HARMLESS:
        assert render(template, VALUES) == prompt


def test_values_are_texts_and_never_templates() -> None:
    hostile = PromptValues("{{ 7*7 }} {% for x in y %} <b>", "\ud83d", "\x00")
    assert render("{{ sentence }}", hostile) == "{{ 7*7 }} {% for x in y %} <b>"
    assert render("{{ focus }}", hostile) == "\ufffd"


WRONG = (
    ("{{ contxt }}", 1, 4, 'no value "contxt"', THERE_ARE),
    ("{% if false %}{{ nowhere }}{% endif %}", 1, 18, 'no value "nowhere"', THERE_ARE),
    ("食べる {{ sentence }} 👍 {{nö}}", 1, 24, 'no value "nö"', THERE_ARE),
    ("{% for w in sentence %}{{ w }}{% endfor %}{{ w }}", 1, 46, 'no value "w"', THERE_ARE),
    ("{% if focus %}{% set a = 1 %}{% endif %}{{ a }}", 1, 44, 'no value "a"', THERE_ARE),
    ("{%- if focus -%}  \n\n   {{- nope -}} {% endif %}", 3, 8, 'no value "nope"', THERE_ARE),
    ("{# c\n#}{% raw %}{{ x }}\n{% endraw %}{{ y }}", 3, 16, 'no value "y"', THERE_ARE),
    ("a\r\nb\r\n{{ y }}", 3, 4, 'no value "y"', THERE_ARE),
    ("{{ focus ~ 'contxt' ~ contxt }}", 1, 23, 'no value "contxt"', THERE_ARE),
    ("{{ range(3) }}", 1, 4, 'no value "range"', THERE_ARE),
    ("{{ loop.index }}", 1, 4, 'no value "loop"', THERE_ARE),
    ("x\n {{ sentence | frob }}", 2, 16, 'no filter "frob"', "trim"),
    ("{% if x %}{% endif %}\n{{ focus | frob }}", 1, 7, 'no value "x"', THERE_ARE),
    ("{{ sentence is not frob }}", 1, 13, 'no test "frob"', "defined"),
    ("ab {% include 'x' %}", 1, 7, "no tag 'include'", "write the text itself"),
    ("{% macro a() %}{% endmacro %}", 1, 4, "no tag 'macro'", "{% set name = … %}"),
    ("{% filter upper %}a{% endfilter %}", 1, 4, "no tag 'filter'", "{{ sentence | upper }}"),
    ("{% with a = 1 %}{% endwith %}", 1, 4, "no tag 'with'", "{% set name = … %}"),
    ("{% block a %}{% endblock %}", 1, 4, "no tag 'block'", "write the text itself"),
    ("{% set a %}x{% endset %}", 1, 4, "one name can be set", "{% set name = … %}"),
    ("{% set a, b = focus %}", 1, 4, "one name can be set", "{% set name = … %}"),
    ("{% set loop = focus %}", 1, 4, "not loop", "{% set name = … %}"),
    ("{% for a, b in [focus] %}{% endfor %}", 1, 4, "a loop has one name", "{% for name in … %}"),
    ("{% for a in focus recursive %}{% endfor %}", 1, 4, "recursive", "{% for name in … %}"),
    ("{% for a in focus %}{{ loop }}{% endfor %}", 1, 24, "loop is no value", "loop.index"),
    ("{% for a in focus %}{{ loop.cycle }}{% endfor %}", 1, 29, "no value 'loop.cycle'", "loop.last"),
    ("{{ focus.upper() }}", 1, 10, "a prompt cannot call 'upper'", "as a filter: {{ … | upper }}"),
    ("{{ focus.strip() }}", 1, 10, "a prompt cannot call 'strip'", "as a filter: {{ … | trim }}"),
    ("{{ sentence.foo() }}", 1, 13, "a prompt cannot call 'foo'", "filters change them"),
    ("{{ focus() }}", 1, 9, "a prompt cannot call anything", "{{ sentence | upper }}"),
    ("{{ focus }}\n{{ sentence.foo }}", 2, 13, "a text has no attribute 'foo'", "texts"),
    ("{{ sentence.__class__ }}", 1, 13, "a text has no attribute '__class__'", "texts"),
    ("{{ sentence|attr('x') }}", 1, 13, 'no filter "attr"', "replace"),
    ("{{ focus | replace(*focus) }}", 1, 12, "arguments are written one by one", "star"),
    ("{{ {'a': 1} }}", 1, 4, "this cannot be in a prompt", "lists"),
    ("{{ 2 ** 3 }}", 1, 4, "a prompt has no powers", "number"),
    ("{{ [[1]] }}", 1, 4, "a list cannot have a list in it", "one list"),
    ("{{ [1] }}", 1, 4, "a list is no text; join it", ""),
    ("{{ sentence * 3 }}", 1, 4, "* is for numbers", "~"),
    ("{{ '%s' % focus }}", 1, 4, "% is for numbers", "~"),
    ("{{ focus }}\n {{ 1 / 0 }}", 2, 5, "division by zero", ""),
    ("{{ focus > 3 }}", 1, 4, "cannot be worked out", ""),
    ("{{ focus | truncate('x') }}", 1, 12, "cannot be worked out", ""),
    ("{{ focus[99] }}", 1, 9, "out of range", ""),
    ("{{ focus focus }}", 1, 10, "expected '}}', got 'focus'", ""),
    ("{{ focus", 1, 4, "unexpected end of template, expected '}}'", ""),
    ("a\n{{ ! }}", 2, 4, "unexpected char '!'", ""),
    ("{{ (focus }}", 1, 11, "unexpected '}'", ""),
    ("a\n {% if focus %}{% if context %}b{% endif %}\nc", 2, 5, "the block 'if' is never closed", "endif"),
    ("{% endif %}", 1, 4, "'endif' belongs to no open block", "remove it"),
    ("{% for a in focus %}{% endif %}", 1, 24, "'endif' belongs to no open block", "{% endfor %} first"),
    ("b\na {# b", 2, 3, "missing end of comment tag", ""),
    ("a {% raw %} b\n", 1, 3, "missing end of raw directive", ""),
)


def test_an_error_says_where_and_what_there_is() -> None:
    for template, line, column, message, hint in WRONG:
        error = refusal(template)
        assert (error.line, error.column) == (line, column), (template, error.message)
        assert error.message.startswith(f"line {line}, column {column}: ")
        assert message in error.message, template
        assert error.hint
        assert hint in error.hint, template


NAMES = {
    "Please focus on grammar: {{ sentence }}": {"sentence"},
    "{# focus #}{% raw %}{{ focus }}{% endraw %}{{ 'focus' ~ sentence }}": {"sentence"},
    "{% if focus %}{{ sentence | replace(context, '') }}{% endif %}": {"focus", "sentence", "context"},
    "{% for word in source | split if word in language %}{% endfor %}": {"source", "language", "word"},
    defaults.EXPLANATION_PROMPT: {"sentence", "context", "language", "source", "level"},
}


def test_the_names_a_template_uses_are_those_in_its_tags() -> None:
    assert {template: parse(template).names for template in NAMES} == NAMES


def test_checking_finds_what_only_shows_when_values_are_missing() -> None:
    check(defaults.BREAKDOWN_PROMPT)
    check(defaults.EXPLANATION_PROMPT)
    for branch in ("{% if not context %}", "{% if context %}"):
        with pytest.raises(TemplateError):
            check(branch + "{{ 1 / 0 }}{% endif %}")


def test_the_built_in_prompts_read_well_with_and_without_everything() -> None:
    full = render(defaults.BREAKDOWN_PROMPT, VALUES)
    assert full.startswith(
        'Explain "fährt" in this sentence (German) to a learner.\n\n<sentence>Hoffentlich fährt er ab.</sentence>'
    )
    assert "<context>Der letzte Zug.\nEr fährt.</context>" in full
    bare = render(defaults.EXPLANATION_PROMPT, PromptValues("Bestimmt."))
    assert bare.startswith("Explain this sentence to a learner.\n\n<sentence>Bestimmt.</sentence>\n\nGive")


VALUES_OF_ALL_KINDS = ("focus", "''", "5", "-1.5", "none", "true", "[]", "['b', 1, none]", "1e300 * 0")


def test_no_filter_and_no_test_breaks_on_any_value_or_argument() -> None:
    arguments = ("", *(f"({each})" for each in VALUES_OF_ALL_KINDS), "(1, 2)", "('', '')", "('a', 'b', 1)", "(x=1)")
    filters = [f"{{{{ [%s | {name}%s] | length }}}}" for name in FILTERS]
    tests = [f"{{{{ %s is {name}%s }}}}" for name in TESTS if name.isalpha()]
    pairs = list(product(VALUES_OF_ALL_KINDS, arguments))
    for template in (*filters, *tests):
        for value, given in random.Random(template).sample(pairs, 40):
            try:
                assert isinstance(render(template % (value, given), VALUES), str)
            except TemplateError as error:
                assert error.line == 1
                assert error.hint


def test_the_settings_of_a_profile_are_values_too_unless_a_template_set_them_before() -> None:
    mine = replace(VALUES, explain_in="Spanish", level="B1")
    assert render("{{ explain_in }}{% if level %} {{ level }}{% endif %}", mine) == "Spanish B1"
    assert render("{{ explain_in }}{% if level %} {{ level }}{% endif %}", VALUES) == "English"
    assert "to a learner at level B1.\n" in render(defaults.BREAKDOWN_PROMPT, mine)
    assert "to a learner.\n" in render(defaults.EXPLANATION_PROMPT, VALUES)
    assert render("{% set level = 'easy' %}{{ level }}", mine) == "easy"
