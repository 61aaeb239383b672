"""Export formats: a row each, with a writer that makes text of one cue after the other, and what an export is asked."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count
from pathlib import PurePath
from typing import TypeVar

from tui.errors import InvalidInput
from tui.exporting.cue_writers import (
    JSON_TAIL,
    write_json_cue,
    write_json_head,
    write_srt_cue,
    write_text_line,
    write_vtt_cue,
    write_vtt_head,
)
from tui.records.transcripts import Cue, Sentence, Transcript
from tui.text.sanitize import one_line

_MAX_TITLE_LENGTH = 120


@dataclass(frozen=True, slots=True)
class ExportFormat:
    """One export format: what is written for a transcript's beginning, for each cue ("" for nothing), and at the end.

    Where there is a ``sentence``, that is written for each whole sentence of a subtitle, which cuts them as the screen
    is full. ``needs_times`` tells that a transcript without times cannot be written in it.
    """

    name: str
    media_type: str
    cue: Callable[[Cue], str]
    sentence: Callable[[Sentence], str] | None = None
    head: Callable[[Transcript], str] = lambda transcript: ""
    tail: str = ""
    needs_times: bool = False

    @property
    def ending(self) -> str:
        return f".{self.name}"


EXPORT_FORMATS = {
    each.name: each
    for each in (
        ExportFormat("srt", "application/x-subrip", write_srt_cue, needs_times=True),
        ExportFormat("vtt", "text/vtt", write_vtt_cue, head=write_vtt_head, needs_times=True),
        ExportFormat("txt", "text/plain", write_text_line, write_text_line),
        ExportFormat("json", "application/json", write_json_cue, head=write_json_head, tail=JSON_TAIL),
    )
}
"""By name, which is the ending too."""


def find_export_format(name: str) -> ExportFormat:
    """The format of this name. Raises ``InvalidInput`` (``unknown_format``)."""
    return find_format(EXPORT_FORMATS, name)


def find_format_of_path(path: str | PurePath) -> ExportFormat:
    """The format that the ending of a path stands for. Raises ``InvalidInput`` (``unknown_format``)."""
    return find_format_by_ending(EXPORT_FORMATS, path, otherwise=", or name a format")


def check_times(transcript: Transcript, wanted: ExportFormat) -> None:
    """Check that the transcript can be written in this format. Raises ``InvalidInput`` (``no_times``)."""
    if wanted.needs_times and transcript.duration_ms is None:
        raise InvalidInput(
            f'"{one_line(transcript.title)}" is a text without times, which {wanted.ending} cannot do without',
            hint="export it as txt or json",
            code="no_times",
            field="format",
        )


def choose_default_format(transcript: Transcript) -> ExportFormat:
    """The format in which most want it: a subtitle where it has times, else a text."""
    return EXPORT_FORMATS["txt" if transcript.duration_ms is None else "srt"]


def make_file_name(transcript: Transcript, wanted: ExportFormat, taken: Collection[str] = ()) -> str:
    """A name for the file, ``Der letzte Zug.de.srt``: players and Lode tell the language by it.

    Beside names that are ``taken`` by others, it is ``Der letzte Zug (2).de.srt``.
    """
    title = "".join(" " if char in '/\\:*?"<>|' else char for char in one_line(transcript.title))
    stem = " ".join(title.split())[:_MAX_TITLE_LENGTH].strip(" .") or "transcript"
    names = (
        ".".join((*filter(None, (stem + (f" ({number})" if number > 1 else ""), transcript.language)), wanted.name))
        for number in count(1)
    )
    return next(each for each in names if each not in taken)


F = TypeVar("F")


def list_endings(formats: Mapping[str, object]) -> str:
    """The endings as a list in a sentence: ".srt, .vtt or .txt"."""
    *first, last = (f".{name}" for name in formats)
    return f"{', '.join(first)} or {last}"


def find_format(formats: Mapping[str, F], name: str) -> F:
    """The format of this name. Raises ``InvalidInput`` (``unknown_format``)."""
    known = formats.get(name.lower())
    if known is None:
        raise InvalidInput(
            f"there is no format {one_line(name)[:40]!r} to export to",
            hint=f"there are {', '.join(formats)}",
            code="unknown_format",
            field="format",
        )
    return known


def find_format_by_ending(formats: Mapping[str, F], path: str | PurePath, *, otherwise: str = "") -> F:
    """The format that the ending of a path stands for; ``otherwise`` is what else can be done where it has none.

    Raises ``InvalidInput`` (``unknown_format``).
    """
    ending = PurePath(path).suffix.removeprefix(".")
    if not ending:
        raise InvalidInput(
            f"{one_line(str(path))} has no ending that says in which format to write",
            hint=f"end it in one of {', '.join(f'.{name}' for name in formats)}{otherwise}",
            code="unknown_format",
            field="format",
        )
    return find_format(formats, ending)


def read_moment(text: str, *, field: str) -> datetime:
    """The moment, in UTC, that a date or a date with a time means (ISO 8601), of local time where it has no offset.

    A date alone is its beginning. Raises ``InvalidInput`` for ``field``.
    """
    try:
        return datetime.fromisoformat(text.strip()).astimezone(UTC)
    except (ValueError, OverflowError, OSError) as error:
        raise InvalidInput(
            f"{one_line(text)[:40]!r} is no date",
            hint="a date is 2026-11-01, a moment 2026-11-01T18:30, both in your local time",
            code="invalid_date",
            field=field,
        ) from error
