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


@pytest.mark.parametrize(("template", "said"), GREEDY.values(), ids=GREEDY)
def test_no_template_holds_anything_up(template: str, said: str) -> None:
    with pytest.raises(TemplateError) as refused:
        render(template, LONG)
    assert said in refused.value.message
    assert refused.value.hint
    assert len(refused.value.message) < 300
    text, error = render_lenient(template, LONG)
    assert error is not None
    assert len(text) <= MAX_OUTPUT + len(template)
    assert cost_of(template, LONG) < _CPU_SECONDS


def test_what_is_long_but_harmless_is_rendered() -> None:
    values = PromptValues("x" * 10_000, "y" * 10_000, "Zeile\n" * 400)
    lines = (
        "{% for line in context | splitlines if line %}{{ loop.index }}: {{ line | replace('e', 'a') }}\n{% endfor %}"
    )
    assert render("{{ sentence | trim | upper }}" + lines, values).endswith("400: Zaila\n")
    assert render("{ {{ sentence }}" + "prose " * 8_000, values)
    check("word " * 13_000)
    check("{% if context and focus %}Around {{ focus | upper }}: {{ context }}{% endif %}\n" * 70)


def test_values_that_are_too_long_together_are_refused() -> None:
    with pytest.raises(TemplateError, match="too long"):
        render("{{ focus }}", PromptValues("a" * 200_000, context="b" * 100_000))


def test_the_cache_is_bounded() -> None:
    for number in range(200):
        render(f"{number} {{{{ focus }}}}", LONG)
    assert parse.cache_info().currsize <= 16


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", range(10))
def test_whatever_is_put_together_ends_within_its_budget(seed: int) -> None:
    chance = random.Random(seed)
    dearest = 0.0
    for _ in range(40):
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


def _template(chance: random.Random) -> str:
    """Nested tags over nested expressions, most of which are texts and can be rendered."""
    parts: list[str] = []

    def expression(depth: int) -> str:
        if depth <= 0 or chance.random() < 0.2:
            return chance.choice((*NAMES, "a", "'x'", "'aé\\n'", "'loop'"))
        one, other = expression(depth - 1), expression(depth - 1)
        if chance.random() < 0.02:
            return chance.choice((f"({one} * {other})", f"({one} < {other})", f"[{one}, {other}]", f"(not {one})"))
        return chance.choice(
            (
                f"({one} ~ {other})",
                f"({one} + {other})",
                f"({one} {chance.choice(('and', 'or'))} {other})",
                f"({one} | {chance.choice(_TEXT_FILTERS)})",
                f"({one} | replace({other}, {expression(0)}))",
                f"({one} | {chance.choice(('split', 'list', 'splitlines'))} | join({other}))",
                f"({one} | {chance.choice(list(FILTERS))} | string)",
                f"({one} if {other} {chance.choice(('==', '!=', '<', 'in', 'not in'))} {one} else {expression(0)})",
                f"({one} if {other} is {chance.choice(('lower', 'string', 'none', 'odd'))} else {other})",
                f"{one}[{chance.choice((':9', '::2', '1:', '::-1'))}]",
            )
        )

    def block(depth: int) -> None:
        for _ in range(chance.randint(1, 3)):
            match chance.randint(0, 4) if depth else 0:
                case 1:
                    parts.append(f"{{% for {chance.choice('abc')} in {expression(2)} %}}")
                    block(depth - 1)
                    parts.append("{% endfor %}")
                case 2:
                    parts.append(f"{{% if {expression(2)} %}}")
                    block(depth - 1)
                    parts.append("{% else %}")
                    block(depth - 1)
                    parts.append("{% endif %}\n")
                case 3:
                    parts.append(f"{{% set a = {expression(3)} %}}")
                case _:
                    parts.append(f"x {{{{ {expression(3)} }}}}\n")

    parts.append("{% set a = sentence %}")
    block(4)
    return "".join(parts)
