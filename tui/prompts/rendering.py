"""Render prompts from templates, in this process and at once: no template can take more than milliseconds.

A template can be as long as 64 Ki characters and 1 500 signs and words in tags, its values together 256 Ki characters,
its result 64 Ki characters; see ``evaluation`` for what happens in between. Every function raises ``TemplateError``
whose message begins with the place ("line 3, column 33: …") where that is known.
"""

from __future__ import annotations

import re
from dataclasses import asdict

from tui.errors import TemplateError
from tui.prompts import PromptValues
from tui.prompts.evaluation import MAX_OUTPUT, MAX_STEPS, Evaluation, OutOfBounds
from tui.prompts.template_filters import MAX_TEXT
from tui.prompts.template_language import MAX_TOKENS, TokenBudget, normalise_lines, parse, parse_within
from tui.text.sanitize import whole_characters

_MAX_HIDDEN = 8
_MARK = re.compile("\x00(\\d+)\x00")
_SAMPLES = (
    PromptValues(
        *("Hoffentlich fährt er noch ab.", "fährt", "Das ist der letzte Zug.", "German", "Der letzte Zug"),
        *("Spanish", "B1", "1. abfahren (verbo): salir, partir"),
    ),
    PromptValues("Hoffentlich fährt er noch ab."),
)
"""Values that a template is checked with: all of them, and nothing but the sentence and the usual settings."""


def render(template: str, values: PromptValues) -> str:
    """The prompt; an unknown name anywhere in the template is an error, on branches that are not taken too."""
    evaluation = Evaluation(_texts(values))
    evaluation.run(parse(template).body)
    return whole_characters("".join(evaluation.pieces))


def check(template: str) -> None:
    """Raises ``TemplateError`` unless the template renders, both with every value and with the sentence alone."""
    for values in _SAMPLES:
        render(template, values)


def render_lenient(template: str, values: PromptValues) -> tuple[str, TemplateError | None]:
    """Render as much of a template as can be shown, and give its first error; never raises one.

    Unknown names stand as ``{{ name }}``, lines that make no sense or fail as they are. The text is "" where the
    error has no line, where hiding lines does not help, and where it comes out too long.
    """
    try:
        return render(template, values), None
    except TemplateError as error:
        is_shown = error.line and not isinstance(error, OutOfBounds)
        return whole_characters(_shown(template, values)) if is_shown else "", error


def _shown(template: str, values: PromptValues) -> str:
    """The template with unknown names and with the lines as written that cannot be rendered; "" if that is not enough.

    A line that is not rendered is held open by its number between two characters that nothing else has.
    """
    texts = {name: value.replace("\x00", "") for name, value in _texts(values).items()}
    lines = normalise_lines(template.replace("\x00", "")).split("\n")
    shown = list(lines)
    tokens, steps = TokenBudget(2 * MAX_TOKENS), MAX_STEPS
    for _ in range(_MAX_HIDDEN + 1):
        evaluation = Evaluation(texts, steps)
        try:
            evaluation.run(parse_within("\n".join(shown), tokens, names_matter=False).body)
        except OutOfBounds:
            break
        except TemplateError as error:
            steps = evaluation.steps_left
            row = error.line - 1
            while row >= 0 and _MARK.fullmatch(shown[row]):
                shown[row] = lines[row]  # what is wrong began above
                row -= 1
            if row < 0 or tokens.left < 0:
                break
            shown[row] = f"\x00{row}\x00"
        else:
            text = "".join(evaluation.pieces)
            hidden = [lines[int(mark[1])] for mark in _MARK.finditer(text)]  # which may be many more, of a loop
            is_too_long = len(text) + sum(map(len, hidden)) > MAX_OUTPUT
            return "" if is_too_long else _MARK.sub(lambda mark: lines[int(mark[1])], text)
    return ""


def _texts(values: PromptValues) -> dict[str, str]:
    texts = asdict(values)
    if sum(map(len, texts.values())) > MAX_TEXT:
        raise TemplateError("the values of the template are too long", hint="shorten them")
    return texts
