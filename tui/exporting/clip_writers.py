"""Writers of clips: tables (.csv, .tsv), Markdown notes (.md) and JSON Lines (.jsonl)."""

import csv
import io
import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from urllib.parse import quote

from tui.language.focus import find_focus_spans, split_at_focus
from tui.records.clips import Clip, FocusWord
from tui.records.pages import to_json
from tui.text.clip_fields import CLIP_FIELDS, shown, spoken_by
from tui.text.display import clock
from tui.text.escapes import guard_formula, literal, literal_part
from tui.text.sanitize import one_line, without_controls

# Writers of tables: comma-separated values (.csv, RFC 4180) and tab-separated ones (.tsv), with a header.
#
# A cell that a spreadsheet would take for a formula gets an apostrophe in front (``tui.text.escapes``). It is
# put before "-heit" and "+ 1" as well: these are formulas to a spreadsheet, which would show an error or another
# number, and behind the apostrophe they read as they were written. Numbers of Lode's own are left alone. Whoever needs
# every character as it is takes .jsonl.
#
# .csv is for spreadsheets: it begins with a byte order mark, without which Excel reads UTF-8 as the old code page of
# the system. pandas and LibreOffice pass over it, Python does with ``encoding="utf-8-sig"``. .tsv is for programs and
# has none.

_SHOWN = {field.name for field in CLIP_FIELDS}
_OF_FOCUS = tuple(field.name for field in fields(FocusWord) if field.name not in ("surface", "meanings"))
_OF_CLIP = tuple(field.name for field in fields(Clip) if field.name not in {*_SHOWN, *_OF_FOCUS, "id"})
COLUMNS = ("id", *(field.name for field in CLIP_FIELDS), *_OF_FOCUS, *_OF_CLIP)
"""Names in the header: the clip's id, its fields as people see them, what more is known of the word and of the clip."""


@dataclass(frozen=True, slots=True)
class Columns:
    """Columns of a table: their names, and the way from a clip to their values."""

    names: Sequence[str]
    values: Callable[[Clip], Iterable[object]]


def write_csv(clips: Iterable[Clip], columns: Columns | None = None) -> Iterator[str]:
    yield "\ufeff"
    yield from _rows(clips, columns or _ALL, ",", "\r\n")


def write_tsv(clips: Iterable[Clip], columns: Columns | None = None) -> Iterator[str]:
    return _rows(clips, columns or _ALL, "\t", "\n")


def _rows(clips: Iterable[Clip], columns: Columns, delimiter: str, line_end: str) -> Iterator[str]:
    line = io.StringIO()
    writer = csv.writer(line, delimiter=delimiter, lineterminator=line_end)
    writer.writerow(map(write_cell, columns.names))
    for clip in clips:
        yield line.getvalue()
        line.seek(0)
        line.truncate()
        writer.writerow(map(write_cell, columns.values(clip)))
    yield line.getvalue()


def _values(clip: Clip) -> Iterator[object]:
    yield clip.id
    for field in CLIP_FIELDS:
        yield field.text(clip)
    for name in _OF_FOCUS:
        yield clip.language if name == "language" else clip.focus and getattr(clip.focus, name)
    for name in _OF_CLIP:
        yield getattr(clip, name)


_ALL = Columns(COLUMNS, _values)


def write_cell(value: object) -> object:
    """The value as a cell: None is an empty one."""
    if not isinstance(value, str):
        return value
    return guard_formula(without_controls(value))


# Writer of Markdown (.md): notes to read, below a heading for each transcript in the order of its cues.
#
# An explanation is Markdown of a model's and stands in a quotation, which nothing in it can end: so its headings are no
# sections of the file. HTML, images and links to anything but the web and mail addresses are shown and do nothing.

_NO_SOURCE = "Other clips"
_ACTIVE = re.compile(
    r"""
      \\.                                                 # escaped already
    | <                                                   # a tag, a comment, an address
    | !(?=\[)                                             # an image
    | \](?=\((?!(?:https?://|mailto:)))                   # a link to elsewhere
    | \](?=:)                                             # an address that a link's name stands for
    """,
    re.VERBOSE | re.IGNORECASE,
)


def write_markdown_notes(clips: Iterable[Clip]) -> Iterator[str]:
    """Yield the notes of clips that come ordered by their sources."""
    last: tuple[str, str | None] | None = None
    for clip in clips:
        origin = clip.source, clip.transcript_id
        if origin != last:
            yield f"# {literal(clip.source) or _NO_SOURCE}\n\n"
            last = origin
        yield _note(clip)


def _note(clip: Clip) -> str:
    blocks = [f"## {_sentence(clip)}"]
    if word := _word(clip):
        blocks.append(word)
    texts = [
        f"- {field.label}: {literal(text)}"
        for field, text in shown(clip, "gloss", "context", "body", "origin")
        if not field.is_markdown and field.name != "source"
    ]
    if time := clock(clip.start_ms):
        texts.append(f"- Time: {time}")
    if texts:
        blocks.append("\n".join(texts))
    if clip.picture:
        blocks.append(f"![]({quote(clip.picture)})")
    if clip.audio:
        blocks.append(" ".join(filter(None, (f"[♪]({quote(clip.audio)})", literal(spoken_by(clip))))))
    blocks += [quote_markdown(text) for field, text in shown(clip, "body") if field.is_markdown]
    return "\n\n".join(blocks) + "\n\n"


def _sentence(clip: Clip) -> str:
    """The sentence in one line with its focus in bold."""
    sentence = one_line(clip.sentence)
    spans = find_focus_spans(sentence, clip.focus.surface) if clip.focus is not None else ()
    pieces = split_at_focus(sentence, spans)
    return "".join(_bold(text) if is_focus else literal_part(text) for text, is_focus in pieces)


def _word(clip: Clip) -> str:
    if clip.focus is None:
        return ""
    focus = clip.focus
    about = filter(None, (focus.reading, focus.part_of_speech, focus.grammar, "; ".join(focus.meanings)))
    return " · ".join((_bold(one_line(focus.lemma or focus.surface)), *map(literal, about)))


def _bold(text: str) -> str:
    """The text in bold: asterisks count only where no punctuation stands inside them (CommonMark 6.2)."""
    if not text:
        return ""
    if any(unicodedata.category(edge)[0] in "PSZ" for edge in (text[0], text[-1])):
        return f"<b>{literal(text)}</b>"
    return f"**{literal(text)}**"


def quote_markdown(markdown: str) -> str:
    """Foreign Markdown as a quotation in which nothing acts."""
    inert = _ACTIVE.sub(_escaped, without_controls(markdown).strip())
    return "\n".join(f"> {line}".rstrip() for line in inert.split("\n"))


def _escaped(found: re.Match[str]) -> str:
    text = found[0]
    return text if text.startswith("\\") else f"\\{text}"


def write_json_lines(clips: Iterable[Clip]) -> Iterator[str]:
    for clip in clips:
        yield json.dumps(to_json(clip), ensure_ascii=False, separators=(",", ":")) + "\n"
