"""Export formats: a row each, with a writer that makes text of one cue after the other, and what an export is asked."""

import json
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from html import escape
from itertools import count
from pathlib import PurePath
from typing import TypeVar

from tui.errors import InvalidInput
from tui.language.scripts import join_lines
from tui.language.sentence_ends import ends_with_stop
from tui.records.pages import to_json
from tui.records.transcripts import Cue, CueNote, Sentence, Transcript
from tui.text.sanitize import one_line, without_controls

# Writer of SubRip (.srt): UTF-8 without a mark and with line feeds, which every player of today reads.
#
# SubRip has no escapes and no fields. A text that would be read as a tag or as a time line is parted by an empty pair
# of tags, which players hide as our reader does. Speakers and sounds stand in brackets, as in subtitles for the deaf,
# from which an import takes them back into their fields; "[Name]:" is the one form that no sound and no sentence has.
# Readings are left out.

_SRT_TAG = re.compile(r"<(?=/?(?:i|b|u|s|font)(?:[ \t/=][^<>]*)?>)", re.IGNORECASE)
_BRACE = re.compile(r"\{(?=\\|/?[ibus]\}|[yY]:[ibus,])")
_SRT_TIMES = re.compile(r"[0-9]+ ?:.*(?:-->|--&gt;|->|,)")
_NOTHING = "<i></i>"
_NO_BRACE = "{i}"
"""Hidden as SubRip's own way of writing a tag, by who hides braces at all."""


def write_srt_cue(cue: Cue) -> str:
    lines = [_literally(line) for line in _split_lines(cue.text)]
    if lines and (speaker := _name_speaker(cue)):
        lines[0] = f"[{_literally(speaker)}]: {lines[0]}"
    return f"{cue.index + 1}\n{_write_block(cue, lines, ',')}" if lines else ""


def _literally(line: str) -> str:
    """The line so that nothing of it is markup."""
    if "<" in line:
        line = _SRT_TAG.sub(f"<{_NOTHING}", line)
    if "{" in line:
        line = _BRACE.sub("{" + _NO_BRACE, line)
    return _NOTHING + line if _SRT_TIMES.match(line) else line


# Writer of WebVTT (.vtt), after www.w3.org/TR/webvtt1: text escaped, speakers as voices, readings as ruby.
#
# Sounds, for which it has no tag, stand in brackets as in SubRip.


def write_vtt_head(transcript: Transcript) -> str:
    """The signature; the language stands behind it as YouTube writes it, which players pass over."""
    language = one_line(transcript.language or "")
    return f"WEBVTT\nLanguage: {language}\n\n" if language else "WEBVTT\n\n"


def write_vtt_cue(cue: Cue) -> str:
    lines = _split_lines(_marked_up(cue))
    if lines and (speaker := _name_speaker(cue)):
        lines[0] = f"<v {_escaped(speaker)}>{lines[0]}"
    return _write_block(cue, lines, ".", _escaped) if lines else ""


def _marked_up(cue: Cue) -> str:
    """The text, escaped, with its readings as ruby."""
    pieces: list[str] = []
    at = 0
    for ruby in sorted(cue.ruby, key=lambda each: each.start):
        if at <= ruby.start < ruby.end <= len(cue.text):
            base = _escaped(cue.text[ruby.start : ruby.end])
            reading = _escaped(one_line(ruby.text))
            pieces += (_escaped(cue.text[at : ruby.start]), f"<ruby>{base}<rt>{reading}</rt></ruby>")
            at = ruby.end
    return "".join((*pieces, _escaped(cue.text[at:])))


def _escaped(text: str) -> str:
    return escape(text, quote=False)


# Writer of plain text (.txt): a line for each sentence, with who says it in front where subtitles tell.
#
# Behind a heading, which ends in no full stop, there is a blank line: without it nobody could tell where it ends.


def write_text_line(spoken: Cue | Sentence) -> str:
    """A sentence, or a cue of a text that is one, in a line; "" where there is nothing in it."""
    lines = _split_lines(spoken.text)
    if not lines:
        return ""
    line = join_lines(lines) if len(lines) > 1 else lines[0]
    if speaker := _name_speaker(spoken):
        line = f"{speaker}: {line}"
    is_heading = spoken.start_ms is None and not ends_with_stop(line)
    return f"{line}\n\n" if is_heading else f"{line}\n"


def write_json_head(transcript: Transcript) -> str:
    return _write_value(to_json(transcript)).removesuffix("}") + ',"cues":['


def write_json_cue(cue: Cue) -> str:
    return ("," if cue.index else "") + "\n" + _write_value(to_json(cue))


def write_json_notes(notes: Sequence[CueNote]) -> str:
    """The notes behind the cues, where there are some."""
    return '\n],"notes":[' + ",".join(f"\n{_write_value(to_json(note))}" for note in notes) if notes else ""


JSON_TAIL = "\n]}\n"


def _write_value(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


_SUNG = "♪"


def _split_lines(text: str) -> list[str]:
    """The lines of a cue's text that have something in them: a blank one would end it in most formats."""
    return [line for each in without_controls(text).split("\n") if (line := each.strip())]


def _name_speaker(cue: Cue | Sentence) -> str:
    """The speaker's name in one line; "" where the cue has none."""
    return one_line(cue.speaker or "")


def _write_block(cue: Cue, lines: list[str], point: str, escaped: Callable[[str], str] = str) -> str:
    """Times and lines of a cue; an end that nothing tells is the start.

    Sounds stand as subtitles for the deaf have them: on lines of their own, and notes around a song.
    """
    start = cue.start_ms or 0
    end = start if cue.end_ms is None else cue.end_ms
    if _SUNG in cue.sounds:
        lines = [f"{_SUNG} {line} {_SUNG}" for line in lines]
    sounds = (f"[{escaped(one_line(sound))}]" for sound in cue.sounds if sound != _SUNG)
    return "\n".join((f"{_time(start, point)} --> {_time(end, point)}", *sounds, *lines, "", ""))


def _time(moment: int, point: str) -> str:
    seconds, milliseconds = divmod(max(0, moment), 1000)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:02}:{minutes:02}:{seconds:02}{point}{milliseconds:03}"


_MAX_TITLE_LENGTH = 120


@dataclass(frozen=True, slots=True)
class ExportFormat:
    """One export format: what is written for a transcript's beginning, for each cue ("" for nothing), and at the end:
    for its notes, then the ``tail``.

    Where there is a ``sentence``, that is written for each whole sentence of a subtitle, which cuts them as the screen
    is full. ``needs_times`` tells that a transcript without times cannot be written in it.
    """

    name: str
    media_type: str
    cue: Callable[[Cue], str]
    sentence: Callable[[Sentence], str] | None = None
    head: Callable[[Transcript], str] = lambda transcript: ""
    notes: Callable[[Sequence[CueNote]], str] = lambda notes: ""
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
        ExportFormat(
            "json", "application/json", write_json_cue, head=write_json_head, notes=write_json_notes, tail=JSON_TAIL
        ),
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
