"""No template can make a rendering slow or large, whatever it says: what it may cost is counted and measured."""

from __future__ import annotations

import random
import time

import pytest

from tui.errors import TemplateError
from tui.prompts import MAX_TEMPLATE, NAMES, PromptValues, rendering
from tui.prompts.evaluation import MAX_OUTPUT, Evaluation, OutOfBounds
from tui.prompts.rendering import check, render, render_lenient
from tui.prompts.template_filters import FILTERS, MAX_TEXT
from tui.prompts.template_language import parse

_CPU_SECONDS = 0.5
"""What no rendering may take; the dearest that is known takes a twentieth of it."""

_TEXT_FILTERS = ("upper", "title", "trim", "reverse", "truncate", "e", "tojson", "default('x', true)", "capitalize")
LONG = PromptValues("Wort " * 4_000, "a" * 98 + "b", "a" * 30_000, "ΐ" * 10_000, "'\n" * 20_000)
GREEDY = {
    "nested loops": ("{% for a in sentence %}" * 4 + "{% endfor %}" * 4, "steps"),
    "one long loop": ("{% for a in context %}{% endfor %}", "steps"),
    "long output": ("{% for a in sentence %}{{ sentence }}{% endfor %}", "comes out too long"),
    "growing text": ("{% set a = sentence %}" + "{% set a = a ~ a %}" * 60, "text is too long"),
    "growing by +": ("{% set a = sentence %}" + "{% set a = a + a %}" * 60, "text is too long"),
    "growing by replace": ("{% set a = context %}" + "{% set a = a | replace('a', 'aaaa') %}" * 9, "too long"),
    "growing by join": ("{% set a = [context, context] | join(context) %}" * 9, "steps"),
    "growing by joining": ("{% set a = context %}{% set a = [a, a, a, a] | join(a) | replace('a', a) %}", "steps"),
    "growing by indent": ("{{ source | indent(100000) }}", "too long"),
    "growing by indent twice": ("{{ 'a\\n' | indent(10000000000) }}", "too long"),
    "growing by escaping": ("{% set a = source %}" + "{% set a = a | e | e %}" * 9, "steps"),
    "growing number": ("{% set a = 9999999 %}" + "{% set a = a * a %}" * 60, "number is too large"),
    "growing quotient": ("{{ 1e15 / 1e-15 }}", "number is too large"),
    "power": ("{{ 10 ** 10 }}", "no powers"),
    "repetition": ("{{ 'a' * 10 }}", "for numbers"),
    "rounding": ("{{ 5 | round(-10000000000) }}", "cannot be rounded"),
    "lists in lists": ("{% set a = [1] %}" + "{% set a = [a, a] %}" * 60 + "{{ a == a }}", "list in it"),
    "long lists compared": (
        f"{{% for a in context %}}{{{{ [{'context,' * 300}] == [{'context,' * 300}] }}}}{{% endfor %}}",
        "steps",
    ),
    "searching": ("{% for a in context %}{% if focus in context %}{% endif %}{% endfor %}", "steps"),
    "replacing": ("{% for a in context %}{% set b = context | replace(new='', old=focus) %}{% endfor %}", "steps"),
    "trimming": ("{% for a in context %}{% set b = context | trim(focus) %}{% endfor %}", "steps"),
    "words": ("{% for a in context %}{% set b = sentence | split %}{% endfor %}", "steps"),
    "brackets": ("{{ " + "(" * 20_000 + "1" + ")" * 20_000 + " }}", "nested too deeply"),
    "lists": ("{{ " + "[" * 150 + "]" * 150 + " }}", "nested too deeply"),
    "ifs": ("{% if 1 %}" * 500, "nested too deeply"),
    "signs": ("{{ " + "-" * 1_400 + "1 }}", "nested too deeply"),
    "nots": ("{{ " + "not " * 1_400 + "1 }}", "nested too deeply"),
    "conditions": ("{{ " + "1 if 1 else " * 300 + "1 }}", "nested too deeply"),
    "filters in a row": ("{{ focus" + " | upper" * 600 + " }}", "nested too deeply"),
    "sums": ("{{ 1" + " + 1" * 600 + " }}", "nested too deeply"),
    "tags": ("{{ focus }}" * 4_000, "too many tags"),
    "comments": ("{##}" * 16_000, "too many tags"),
    "a long number": ("{{ " + "1" * 60_000 + " }}", "number is too large"),
    "a long text": ("a" * (MAX_TEMPLATE + 1), "the template is too long"),
}


@pytest.fixture(autouse=True)
def no_text_is_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    value_of = Evaluation.value

    def watched(run: Evaluation, node: object) -> object:
        value = value_of(run, node)
        assert not isinstance(value, str) or len(value) <= MAX_TEXT
        return value

    monkeypatch.setattr(Evaluation, "value", watched)


def cost_of(template: str, values: PromptValues) -> float:
    """Seconds of this thread: those of other programs do not count."""
    parse.cache_clear()
    begun = time.thread_time()
    render_lenient(template, values)
    return time.thread_time() - begun


def test_no_template_holds_anything_up() -> None:
    for name, (template, said) in GREEDY.items():
        with pytest.raises(TemplateError) as refused:
            render(template, LONG)
        assert said in refused.value.message, name
        assert refused.value.hint
        assert len(refused.value.message) < 300
        text, error = render_lenient(template, LONG)
        assert error is not None, name
        assert len(text) <= MAX_OUTPUT + len(template)
        assert cost_of(template, LONG) < _CPU_SECONDS, name


def test_what_is_long_but_harmless_is_rendered() -> None:
    values = PromptValues("x" * 10_000, "y" * 10_000, "Zeile\n" * 400)
    numbered = "{{ loop.index }}: {{ line | replace('e', 'a') }}"
    lines = f"{{% for line in context | splitlines if line %}}{numbered}\n{{% endfor %}}"
    assert render("{{ sentence | trim | upper }}" + lines, values).endswith("400: Zaila\n")
    assert render("{ {{ sentence }}" + "prose " * 8_000, values)
    check("word " * 13_000)
    check("{% if context and focus %}Around {{ focus | upper }}: {{ context }}{% endif %}\n" * 70)


def test_values_that_are_too_long_together_are_refused_and_the_cache_is_bounded() -> None:
    with pytest.raises(TemplateError, match="too long"):
        render("{{ focus }}", PromptValues("a" * 200_000, context="b" * 100_000))
    for number in range(50):
        render(f"{number} {{{{ focus }}}}", LONG)
    assert parse.cache_info().currsize <= 16


@pytest.mark.exhaustive
def test_whatever_is_put_together_ends_within_its_budget() -> None:
    chance = random.Random(0)
    dearest = 0.0
    for _ in range(50):
        template = _template(chance)
        values = chance.choice((LONG, PromptValues("Er fährt ab.", "fährt"), PromptValues("")))
        run = Evaluation(rendering._texts(values))
        try:
            run.run(parse(template).body)
            assert run.steps_left >= 0
        except OutOfBounds as error:
            assert error.line
        except TemplateError as error:
            assert error.hint
        assert sum(map(len, run.pieces)) <= MAX_OUTPUT + MAX_TEXT
        dearest = max(dearest, cost_of(template, values))
    assert dearest < _CPU_SECONDS


_WRAPPED = (
    *("({0} ~ {1})", "({0} + {1})", "({0} and {1})", "({0} or {1})", "{0}[::-1]", "({0} | replace({1}, 'aé\\n'))"),
    *(f"({{0}} | {each} | join({{1}}))" for each in ("split", "splitlines", "list")),
    *("({0} if {1} in {0} else {1})", "({0} if {0} is lower else {1})", "({0} if {1} < {0} else {1})"),
    *(f"({{0}} | {each})" for each in (*_TEXT_FILTERS, *(f"{name} | string" for name in FILTERS))),
    *("({0} * {1})", "[{0}, {1}]", "(not {0})"),
)


def _template(chance: random.Random) -> str:
    """Nested tags around wrapped expressions, most of which are texts and can be rendered."""

    def expression() -> str:
        said = chance.choice((*NAMES, "a"))
        for _ in range(chance.randrange(4)):
            said = chance.choice(_WRAPPED).format(said, chance.choice((*NAMES, "a", "'x'", said)))
        return said

    parts, open_tags = ["{% set a = sentence %}"], list[str]()
    for _ in range(chance.randrange(4, 40)):
        match chance.choice(("for", "if", "set", "end", "say")):
            case "for" | "if" as tag:
                parts.append(f"{{% {'for b in' if tag == 'for' else 'if'} {expression()} %}}")
                open_tags.append(tag)
            case "set":
                parts.append(f"{{% set a = {expression()} %}}")
            case "end" if open_tags:
                parts.append(f"{{% end{open_tags.pop()} %}}\n")
            case _:
                parts.append(f"x {{{{ {expression()} }}}}\n")
    return "".join(parts + [f"{{% end{tag} %}}" for tag in reversed(open_tags)])
