"""Export formats: a row each, and a writer in a file of its own that makes text of one cue after the other."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from itertools import count
from pathlib import PurePath

from tui.errors import InvalidInput
from tui.exporting.format_names import format_named, format_of_ending
from tui.exporting.json_cues import JSON_TAIL, json_cue, json_head
from tui.exporting.plain_text import text_line
from tui.exporting.srt import srt_cue
from tui.exporting.vtt import vtt_cue, vtt_head
from tui.records.transcripts import Cue, Sentence, Transcript
from tui.text.sanitize import one_line

_LONGEST_TITLE = 120


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
        ExportFormat("srt", "application/x-subrip", srt_cue, needs_times=True),
        ExportFormat("vtt", "text/vtt", vtt_cue, head=vtt_head, needs_times=True),
        ExportFormat("txt", "text/plain", text_line, text_line),
        ExportFormat("json", "application/json", json_cue, head=json_head, tail=JSON_TAIL),
    )
}
"""By name, which is the ending too."""


def export_format(name: str) -> ExportFormat:
    """The format of this name. Raises ``InvalidInput`` (``unknown_format``)."""
    return format_named(EXPORT_FORMATS, name)


def format_of_path(path: str | PurePath) -> ExportFormat:
    """The format that the ending of a path stands for. Raises ``InvalidInput`` (``unknown_format``)."""
    return format_of_ending(EXPORT_FORMATS, path, otherwise=", or name a format")


def check_times(transcript: Transcript, wanted: ExportFormat) -> None:
    """Check that the transcript can be written in this format. Raises ``InvalidInput`` (``no_times``)."""
    if wanted.needs_times and transcript.duration_ms is None:
        raise InvalidInput(
            f'"{one_line(transcript.title)}" is a text without times, which {wanted.ending} cannot do without',
            hint="export it as txt or json",
            code="no_times",
            field="format",
        )


def default_format(transcript: Transcript) -> ExportFormat:
    """The format in which most want it: a subtitle where it has times, else a text."""
    return EXPORT_FORMATS["txt" if transcript.duration_ms is None else "srt"]


def file_name(transcript: Transcript, wanted: ExportFormat, taken: Collection[str] = ()) -> str:
    """A name for the file, ``Der letzte Zug.de.srt``: players and Lode tell the language by it.

    Beside names that are ``taken`` by others, it is ``Der letzte Zug (2).de.srt``.
    """
    title = "".join(" " if char in '/\\:*?"<>|' else char for char in one_line(transcript.title))
    stem = " ".join(title.split())[:_LONGEST_TITLE].strip(" .") or "transcript"
    names = (
        ".".join((*filter(None, (stem + (f" ({number})" if number > 1 else ""), transcript.language)), wanted.name))
        for number in count(1)
    )
    return next(each for each in names if each not in taken)
