"""Forms of corrected and translated lines, for a model to fill in, and what they say."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from tui.correcting.answers import AnsweredLine

_Number: TypeAlias = Annotated[int | str, Meta(description="the number of the line")]
"""Without a strict schema models write numbers as texts, too."""
_Original: TypeAlias = Annotated[str, Meta(description="the text of the line exactly as it was given")]


class CorrectedLine(Struct, frozen=True, kw_only=True, rename={"text": "corrected"}):
    """A line that changes."""

    number: _Number
    original: _Original
    text: Annotated[str, Meta(description="the whole line, corrected")]


class TranslatedLine(Struct, frozen=True, kw_only=True, rename={"text": "translation"}):
    """A line and its translation."""

    number: _Number
    original: _Original
    text: Annotated[str, Meta(description="the translation of the line")]


class CorrectionForm(Struct, frozen=True, kw_only=True):
    """Form of a correction. Its list has to be there: else an answer that was cut would say that all is right."""

    lines: Annotated[list[CorrectedLine], Meta(description="the lines that change; empty if all are right")]


class TranslationForm(Struct, frozen=True, kw_only=True):
    """Form of a translation."""

    lines: Annotated[list[TranslatedLine], Meta(description="every line, in order")]


def read_lines(form: CorrectionForm | TranslationForm) -> tuple[AnsweredLine, ...]:
    """Read the lines that a model has filled in; a number that is none becomes 0, which no line has."""
    return tuple(AnsweredLine(_read_number(line.number), line.original, line.text) for line in form.lines)


def _read_number(given: int | str) -> int:
    written = str(given).strip().rstrip(".:")
    return int(written) if written.isascii() and written.isdecimal() and len(written) <= 9 else 0
