"""Prompts: what a template may say, and that no template can hold anything up."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from tui.errors import TemplateError
from tui.prompts import defaults
from tui.prompts.rendering import PromptRenderer, PromptValues

VALUES = PromptValues("Hoffentlich fährt er ab.", "fährt", "Der letzte Zug.", "German", "Zug")
THERE_ARE = "there are sentence, focus, context, language, source"


# One worker serves all these tests, as it serves a whole session of the app; those that harm it see it replaced.
pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def renderer() -> AsyncIterator[PromptRenderer]:
    renderer = PromptRenderer()
    yield renderer
    await renderer.close()


async def refusal(renderer: PromptRenderer, template: str) -> TemplateError:
    with pytest.raises(TemplateError) as error:
        await renderer.render(template, VALUES)
    return error.value


async def test_the_five_values_are_there(renderer: PromptRenderer) -> None:
    template = "{{ sentence }}|{{ focus }}|{{ context }}|{{ language }}|{{ source }}"
    assert await renderer.render(template, VALUES) == "Hoffentlich fährt er ab.|fährt|Der letzte Zug.|German|Zug"
    assert await renderer.render("{{ focus.upper() }} {{ focus|length }}", VALUES) == "FÄHRT 5"
    assert (
        await renderer.render("{% for w in sentence.split() %}{{ loop.index }}{{ w[0] }} {% endfor %}", VALUES)
        == "1H 2f 3e 4a "
    )


async def test_values_are_texts_and_never_templates(renderer: PromptRenderer) -> None:
    hostile = PromptValues("{{ 7*7 }} {% for x in y %} <b>", "\ud83d", "\x00")
    assert await renderer.render("{{ sentence }}", hostile) == "{{ 7*7 }} {% for x in y %} <b>"
    assert await renderer.render("{{ focus }}", hostile) == "\ufffd"


@pytest.mark.parametrize(
    ("template", "line", "column", "message", "hint"),
    [
        ("{{ contxt }}", 1, 4, 'no value "contxt"', THERE_ARE),
        ("a\nb\n{% if context %}Around it: {{ contxt }}{% endif %}", 3, 31, 'no value "contxt"', THERE_ARE),
        ("{% if false %}{{ nowhere }}{% endif %}", 1, 18, 'no value "nowhere"', THERE_ARE),
        ("食べる {{ sentence }} 👍 {{nö}}", 1, 24, 'no value "nö"', THERE_ARE),
        ("{% for w in sentence %}{{ w }}{% endfor %}{{ w }}", 1, 46, 'no value "w"', THERE_ARE),
        ("{%- if focus -%}  \n\n   {{- nope -}} {% endif %}", 3, 8, 'no value "nope"', THERE_ARE),
        ("{# c\n#}{% raw %}{{ x }}\n{% endraw %}{{ y }}", 3, 16, 'no value "y"', THERE_ARE),
        ("a\r\nb\r\n{{ y }}", 3, 4, 'no value "y"', THERE_ARE),
        ("{{ focus ~ 'contxt' ~ contxt }}", 1, 23, 'no value "contxt"', THERE_ARE),
        ("{{ 'a'.replace(focus, contxt) }}", 1, 23, 'no value "contxt"', THERE_ARE),
        ("{{ range(3) }}", 1, 4, 'no value "range"', THERE_ARE),
        ("{{ self }}", 1, 4, 'no value "self"', THERE_ARE),
        ("{{ second }}{{ first }}", 1, 4, 'no value "second"', THERE_ARE),
        ("x\n {{ sentence | frob }}", 2, 16, 'no filter "frob"', "trim"),
        ("{% if x %}{% endif %}\n{{ focus | frob }}", 1, 7, 'no value "x"', THERE_ARE),
        ("{{ sentence is not frob }}", 1, 20, 'no test "frob"', "defined"),
        ("ab {% include 'x' %}", 1, 7, "a prompt cannot read other templates", "text"),
        ("ab {% extends 'x' %}", 1, 7, "a prompt cannot read other templates", "text"),
        ("{{ focus }}\n{{ sentence.foo }}", 2, 13, "a text has no attribute 'foo'", "texts"),
        ("{{ sentence['foo'] }}", 1, 14, "a text has no attribute 'foo'", "texts"),
        ("{{ focus }}\n {{ 1 / 0 }}", 2, 2, "division by zero", ""),
        ("{{ focus focus }}", 1, 10, "expected '}}', got 'focus'", ""),
        ("{% if focus focus %}{% endif %}", 1, 13, "expected '%}', got 'focus'", ""),
        ("{{ focus", 1, 4, "unexpected end of template", ""),
        ("a\n{{ ! }}", 2, 4, "unexpected '!'", ""),
        ("{{ (focus }}", 1, 11, "unexpected '}'", ""),
        ("a\n {% if focus %}{% if context %}b{% endif %}\nc", 2, 2, "the block 'if' is never closed", "endif"),
        ("{% endif %}", 1, 4, "unknown tag 'endif'", ""),
        ("a {# b", 1, 3, "missing end of comment tag", ""),
        ("{{ sentence.__class__ }}", 1, 1, "__class__", "five texts"),
    ],
)
async def test_an_error_says_where_and_what_there_is(
    renderer: PromptRenderer, template: str, line: int, column: int, message: str, hint: str
) -> None:
    error = await refusal(renderer, template)
    assert (error.line, error.column) == (line, column), error.message
    assert error.message.startswith(f"line {line}, column {column}: ")
    assert message in error.message
    assert hint in error.hint


ENDLESS = {
    "range": "{% for i in range(10**9) %}{% endfor %}",
    "nested loops": "{% for a in sentence*900 %}" * 3 + "{% endfor %}" * 3,
    "long output": "{% for a in sentence*900 %}{{ sentence }}{% endfor %}",
    "long text": "{{ 'a' * 10**10 }}",
    "long list": "{{ [1] * 10**10 }}",
    "long format": "{{ '%10000000000d' % 1 }}",
    "long str.format": "{{ '{:>10000000000}'.format(1) }}",
    "wide": "{{ 'a'|center(10**10) }}",
    "power": "{{ 10**(10**10) }}",
    "powers": "{{ ((10**3000)**2) * ((10**3000)**2) }}",
    "growing": "{% set a = [sentence] %}" + "{% set a = a + a %}" * 60 + "{{ a }}",
    "growing text": "{% set a = sentence %}" + "{% set a = a ~ a %}" * 60 + "{{ a }}",
    "recursive macro": "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
    "recursive loop": "{% for a in [[]] recursive %}{{ loop([[]]) }}{% endfor %}",
    "nested brackets": "{{ " + "(" * 20_000 + "1" + ")" * 20_000 + " }}",
    "nested lists": "{{ " + "[" * 150 + "]" * 150 + "|string }}" + "{% if 1 %}" * 500,
    "many operators": "{{ " + "-" * 50_000 + "1 }}",
    "batch": "{{ sentence|batch(10**9, 'x')|list }}",
    "indent": "{{ 'a\n'|indent(10**10) }}",
    "too long a template": "a" * 70_000,
}


@pytest.mark.exhaustive
@pytest.mark.parametrize("template", ENDLESS.values(), ids=ENDLESS)
async def test_no_template_holds_anything_up(renderer: PromptRenderer, template: str) -> None:
    await renderer.warm()
    begun = time.monotonic()
    error = await refusal(renderer, template)
    assert time.monotonic() - begun < 2.5  # one second, and what a busy machine adds
    assert error.hint and len(error.message) < 300
    assert await renderer.render("{{ focus }}", VALUES) == "fährt"
    text, lenient_error = await renderer.render_lenient(template, VALUES)
    assert lenient_error is not None
    assert len(text) <= 100_000


async def test_a_template_that_runs_too_long_says_so(renderer: PromptRenderer) -> None:
    error = await refusal(renderer, ENDLESS["nested loops"])
    assert "takes longer than 1 s" in error.message
    assert (error.line, error.column) == (0, 0)


async def test_a_preview_shows_what_can_be_shown_and_the_error(renderer: PromptRenderer) -> None:
    text, error = await renderer.render_lenient("one {{ focus }}\ntwo {{ contxt }}\nthree {{ focus }}", VALUES)
    assert text == "one fährt\ntwo {{ contxt }}\nthree fährt"
    assert error is not None and (error.line, error.column) == (2, 8)
    assert await renderer.render_lenient("{{ focus }}", VALUES) == ("fährt", None)


async def test_checking_finds_what_only_shows_when_values_are_missing(renderer: PromptRenderer) -> None:
    await renderer.check(defaults.BREAKDOWN_PROMPT)
    await renderer.check(defaults.EXPLANATION_PROMPT)
    with pytest.raises(TemplateError):
        await renderer.check("{% if not context %}{{ sentence.foo }}{% endif %}")
    with pytest.raises(TemplateError):
        await renderer.check("{% if context %}{{ sentence.foo }}{% endif %}")


async def test_the_built_in_prompts_read_well_with_and_without_everything(renderer: PromptRenderer) -> None:
    full = await renderer.render(defaults.BREAKDOWN_PROMPT, VALUES)
    assert full.startswith(
        'Explain "fährt" in this sentence (German) to a learner.\n\n<sentence>Hoffentlich fährt er ab.</sentence>'
    )
    assert "<context>Der letzte Zug.</context>" in full
    bare = await renderer.render(defaults.EXPLANATION_PROMPT, PromptValues("Bestimmt."))
    assert bare.startswith("Explain this sentence to a learner.\n\n<sentence>Bestimmt.</sentence>\n\nGive")


async def test_renderings_at_once_each_get_their_own_answer(renderer: PromptRenderer) -> None:
    renderings = [renderer.render(f"{{{{ focus }}}} {number}", VALUES) for number in range(50)]
    assert await asyncio.gather(*renderings) == [f"fährt {number}" for number in range(50)]


async def test_closing_a_renderer_that_never_rendered_starts_nothing() -> None:
    await PromptRenderer().close()


async def test_the_working_directory_cannot_slip_in_other_modules(
    renderer: PromptRenderer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "jinja2.py").write_text("raise SystemExit(3)")
    (tmp_path / "tui").mkdir()
    (tmp_path / "tui" / "__init__.py").write_text("raise SystemExit(3)")
    monkeypatch.chdir(tmp_path)
    assert await renderer.render("{{ focus }}", VALUES) == "fährt"
