"""Reader of Advanced SubStation Alpha (.ass) and its ancestor (.ssa): Dialogue lines, without their markup.

The columns are those of the section's Format line. Comments, drawings (``\\p1``), override tags and sections of any
other kind are passed over. Karaoke effects, which a script makes an event a syllable of, stand as the line they were
made of; readings behind its syllables, ``{\\k20}漢|かん``, are ruby. Sources: the ASS file format specification of
Aegisub and libass; Aegisub's manual, "Karaoke Templater reference" and "Furigana karaoke".
"""

import re
from collections.abc import Iterable, Iterator

from tui.importing.readers.cue_text import OVERRIDE, count_milliseconds, make_timed_cues, mark_reading, tidy
from tui.records.transcripts import Cue

_TIME = re.compile(r"[ \t]*([0-9]{1,9}):([0-9]{1,2}):([0-9]{1,2})(?:[.,:]([0-9]{1,9}))?[ \t]*\Z")
_SECTION = re.compile(r"\[([^\]\n]{1,80})\]\s*\Z")
_HEAD = re.compile(r"^[ \t]*\[(?:Script Info|V4\+? Styles|Events)\][ \t]*$", re.IGNORECASE | re.MULTILINE)
_SSA = re.compile(r"^[ \t]*(?:\[V4 Styles\]|ScriptType:[ \t]*v4\.00[ \t]*$)", re.IGNORECASE | re.MULTILINE)
_DRAWING = re.compile(r"\\p([0-9]{1,3})(?![0-9])")
_HEAD_CHARACTERS = 4096
_COLUMNS = "layer, start, end, style, name, marginl, marginr, marginv, effect, text"
_NEEDED = ("start", "end", "text")


def is_ass(text: str) -> bool:
    """Whether the text begins with a section of either format, or has one and events."""
    head = _HEAD.search(text[:_HEAD_CHARACTERS])
    return head is not None and (not text[: head.start()].strip() or "\nDialogue:" in text)


def is_ssa(text: str) -> bool:
    """Whether this is version 4, of which ASS is the successor ("4+")."""
    return is_ass(text) and _SSA.search(text[:_HEAD_CHARACTERS]) is not None


def read_ass(lines: Iterable[str]) -> Iterator[Cue]:
    """The cues with text in file order, which need not be that of their times."""
    return make_timed_cues(_events(lines))


def _events(lines: Iterable[str]) -> Iterator[tuple[int, int, str, str | None]]:
    section = ""
    has_karaoke = False
    columns = _columns(_COLUMNS)
    for line in lines:
        if header := _SECTION.match(line.strip()):
            section = header.group(1).lower()
        elif section == "events":
            kind, _, rest = line.partition(":")
            match kind.strip().lower():
                case "format":
                    given = _columns(rest)
                    columns = given if all(name in given for name in _NEEDED) else columns
                case "dialogue" | "comment" as name:
                    values = rest.split(",", len(columns) - 1)
                    event = dict(zip(columns, values, strict=True)) if len(values) == len(columns) else {}
                    effect = event.get("effect", "").strip().lower()
                    is_line = name == "comment" and effect == "karaoke"
                    has_karaoke = has_karaoke or is_line
                    is_shown = name == "dialogue" and not (has_karaoke and effect == "fx")
                    if is_line or is_shown:
                        yield from _read_event(event)


def _columns(line: str) -> list[str]:
    return ["name" if name == "actor" else name for name in (part.strip().lower() for part in line.split(","))]


def _read_event(event: dict[str, str]) -> Iterator[tuple[int, int, str, str | None]]:
    """Start, end, text and speaker; nothing of a line that is too short or whose times cannot be read."""
    start, end = _TIME.match(event.get("start", "")), _TIME.match(event.get("end", ""))
    if start is not None and end is not None:
        speaker = " ".join(tidy(event.get("name", "")).split()) or None
        yield count_milliseconds(*start.groups()), count_milliseconds(*end.groups()), _plain(event["text"]), speaker


def _plain(raw: str) -> str:
    """Readable part of an event's text: no override blocks, no drawings, ``\\N`` and ``\\n`` as line feeds."""
    pieces: list[str] = []
    is_drawing = is_sung = False
    at = 0
    for block in OVERRIDE.finditer(raw):
        if not block.group().endswith("}"):  # never closed: shown as it is
            break
        if not is_drawing:
            pieces.append(_syllable(raw[at : block.start()], is_sung))
        at = block.end()
        is_sung = is_sung or "\\k" in block.group().lower()
        if scales := _DRAWING.findall(block.group()):
            is_drawing = int(scales[-1]) > 0
    if not is_drawing:
        pieces.append(_syllable(raw[at:], is_sung))
    text = "".join(pieces).replace("\\N", "\n").replace("\\n", "\n").replace("\\h", " ")
    return tidy(text)


def _syllable(text: str, is_sung: bool) -> str:
    """A syllable of karaoke, whose reading may stand behind a bar; ``<`` and ``!`` in front of it say where it goes."""
    if not is_sung or "|" not in text:
        return text
    base, _, reading = text.partition("|")
    return "" if base.strip() in ("#", "＃") else mark_reading(base, reading.lstrip("<!"))
