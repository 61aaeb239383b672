"""A file as a transcript: which format it has, whatever its name says, in which language, and its cues."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from tui.errors import ImportRefused
from tui.importing.cue_order import gathered
from tui.importing.encoding.decode import decode
from tui.importing.file_name import FileName, read_file_name
from tui.importing.readers.ass import is_ass, read_ass, variant
from tui.importing.readers.cue_text import CueTooLong
from tui.importing.readers.plain_text import read_plain_text
from tui.importing.readers.srt import has_times, read_srt
from tui.importing.readers.text_lines import Lines, first_part
from tui.importing.readers.vtt import header_language, is_vtt, read_vtt
from tui.language.detection import guess_language
from tui.language.tags import normalise
from tui.records import Cue, FileKind
from tui.text.sanitize import one_line

MAX_BYTES = 64_000_000
"""The largest file that is read; the subtitles of a day's film are a hundred times smaller."""

_NOT_READ = {
    ".sub": "a MicroDVD or VobSub subtitle",
    ".idx": "a VobSub subtitle",
    ".sup": "a Blu-ray subtitle",
    ".smi": "a SAMI subtitle",
    ".ttml": "a TTML subtitle",
    ".dfxp": "a TTML subtitle",
    ".xml": "an XML file",
    ".html": "a web page",
    ".htm": "a web page",
    ".json": "a JSON file",
}
_MARKUP = re.compile(r"\s*<(?:!doctype html|html|head|body)\b", re.IGNORECASE)
_FRAMES = re.compile(r"^\{\d{1,9}\}\{\d{1,9}\}", re.MULTILINE)
_ENOUGH_FOR_A_GUESS = 50_000
_LINES_LOOKED_AT = 2000
_TEXT_HINT = "rename it to .txt to import it as plain text"


@dataclass(frozen=True, slots=True)
class ParsedFile:
    """``cues`` are in the order of their start, indexed from 0; ``encoding`` is Python's name of the codec.

    Many cues are kept in a temporary file, from which they are read as often as they are asked for.
    ``format`` is srt, vtt, ass, ssa or txt; ``language`` a BCP 47 tag, None where nothing tells it; ``duration_ms`` the
    end of the last cue, None without times.
    """

    kind: FileKind
    format: str
    language: str | None
    encoding: str
    title: str
    cues: Sequence[Cue]
    duration_ms: int | None


def parse(
    name: str,
    data: bytes,
    *,
    language: str | None = None,
    encoding: str | None = None,
    force: bool = False,
    report: Callable[[float], None] | None = None,
) -> ParsedFile:
    """Read the bytes of the file called ``name``; blocks for as long as that takes.

    ``language`` and ``encoding`` win over what the file says; ``force`` takes the encoding also where the text would be
    gibberish. ``report`` is told how far the work is, from 0 to 1; what
    it raises ends the work. Raises ``ImportRefused``, naming file, reason and next step, for all that gives no cue.
    """
    shown = one_line(name) or "the file"
    tag = _given_language(language)
    if not data:
        raise ImportRefused(f"{shown} is empty", hint="check that it was downloaded whole")
    if len(data) > MAX_BYTES:
        raise too_large(shown)
    told = read_file_name(name)
    beginning, codec = decode(
        first_part(data), encoding=encoding, name=shown, language=tag or told.language, force=force
    )
    lines = Lines(data, codec, name=shown, report=report)
    beginning = beginning.lstrip("\n")
    if beginning.isspace() and not any(map(str.strip, lines)):
        raise ImportRefused(f"{shown} holds nothing but white space", hint="check that it was downloaded whole")
    form = _format(beginning, told, shown)
    tag = tag or told.language or (_header_tag(beginning) if form == "vtt" else None)
    if form == "txt":
        tag = tag or guess_language(beginning)
        cues = gathered(read_plain_text(lines, tag))
    else:
        try:
            cues = gathered(_read(form, lines))
        except CueTooLong as error:
            raise ImportRefused(f"{shown} has a cue of more than 1 MB of text", hint=_TEXT_HINT) from error
        tag = tag or guess_language(_sample(cues))
    if not cues:
        raise _no_cue(beginning, form, shown)
    duration = max((cue.end_ms for cue in cues if cue.end_ms is not None), default=None)
    return ParsedFile("text" if form == "txt" else "subtitle", form, tag, codec, told.title, cues, duration)


def too_large(shown: str) -> ImportRefused:
    """The refusal of a file of more bytes than that."""
    return ImportRefused(
        f"{shown} has more than {MAX_BYTES / 1e6:g} MB, the most that a subtitle or text file may have",
        hint="check that it is the file you meant, or split it",
    )


def _given_language(language: str | None) -> str | None:
    if language is None or not language.strip():
        return None
    tag = normalise(language)
    if tag is None:
        raise ImportRefused(
            f"{one_line(language)[:40]!r} is no language tag", hint="use one such as de, pt-BR, zh-Hans or yue"
        )
    return tag


def _format(text: str, told: FileName, shown: str) -> str:
    """What the content is; the name decides only where the content does not."""
    if is_vtt(text):
        return "vtt"
    if is_ass(text):
        return variant(text)
    if told.ending in (".srt", ".vtt", ".ass", ".ssa"):
        return "vtt" if told.ending == ".vtt" else "srt"
    if _looks_timed(text):
        return "srt"
    if told.ending in _NOT_READ or _MARKUP.match(text):
        raise ImportRefused(
            f"{shown} is {_NOT_READ.get(told.ending, 'a web page')}, which Lode does not read",
            hint="convert it to .srt, .vtt or .ass, or its text to .txt",
        )
    return "txt"


def _looks_timed(text: str) -> bool:
    """Whether so many lines are times that this must be a subtitle."""
    lines = [line for line in text.split("\n", _LINES_LOOKED_AT)[:_LINES_LOOKED_AT] if line.strip()]
    times = sum(has_times(line) for line in lines)
    return times > 0 and times * 8 >= len(lines)


def _read(form: str, lines: Lines) -> Iterator[Cue]:
    match form:
        case "vtt":
            return read_vtt(lines)
        case "ass" | "ssa":
            return read_ass(lines)
        case _:
            return read_srt(lines)


def _header_tag(text: str) -> str | None:
    language = header_language(text)
    return normalise(language) if language else None


def _sample(cues: Sequence[Cue]) -> str:
    pieces: list[str] = []
    size = 0
    for cue in cues:
        pieces.append(cue.text)
        size += len(cue.text)
        if size > _ENOUGH_FOR_A_GUESS:
            break
    return "\n".join(pieces)


def _no_cue(text: str, form: str, shown: str) -> ImportRefused:
    """Why nothing was found."""
    if _MARKUP.match(text):
        return ImportRefused(f"{shown} has no subtitle cue: it is a web page", hint="download the subtitle itself")
    if _FRAMES.search(text):
        return ImportRefused(
            f"{shown} has no subtitle cue: it is a MicroDVD subtitle, which counts frames", hint="convert it to .srt"
        )
    if form == "txt":
        return ImportRefused(f"{shown} has no text", hint="check that it is the file you meant")
    if form in ("ass", "ssa"):
        reason = "no Dialogue line in it has times and text"
    elif any(has_times(line) for line in text.split("\n")):
        reason = "there are times in it, but no text"
    else:
        reason = "no line in it has times such as 00:00:01,000 --> 00:00:02,000"
        return ImportRefused(f"{shown} has no subtitle cue: {reason}", hint=_TEXT_HINT)
    return ImportRefused(f"{shown} has no subtitle cue: {reason}", hint="check that it is the file you meant")
