"""Reader of SAMI (.smi), as tolerant as players are: tags that nobody closes, any case, attributes without quotes.

Source: "Understanding SAMI 1.0" (Microsoft). A cue lasts to the next SYNC, which often has no text but ``&nbsp;``. Of a
SYNC's paragraphs those of the first class with text are kept: other classes are translations of the same words, which
are left out. Syncs of the same time in a row are one. Text is HTML: line ends are spaces, and ``<br>`` breaks lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain, pairwise

from tui.importing.readers.cue_text import LAST_CUE_MS, CueLines, make_timed_cues, tidy, unescape_text
from tui.records.transcripts import Cue

_HEAD = re.compile(r"\s{0,1000}<(?:sami|sync)\b", re.IGNORECASE)
_AT_SYNC = re.compile(r"(?=<sync\b)", re.IGNORECASE)
_SYNC = re.compile(
    r"<sync\s[^<>]{0,1000}?start\s{0,10}=\s{0,10}[\"']?\s{0,10}([0-9]{1,12})[^<>]{0,1000}>?", re.IGNORECASE
)
_PARAGRAPH = re.compile(r"<p(?:\s([^<>]{0,1000}))?>", re.IGNORECASE)
_CLASS = re.compile(r"class\s{0,10}=\s{0,10}[\"']?([\w-]{1,80})", re.IGNORECASE)
_STYLE = re.compile(r"\.([\w-]{1,80})\s{0,1000}\{([^{}]{0,2000})\}")
_LANGUAGE = re.compile(r"\blang\s{0,10}:\s{0,10}([A-Za-z0-9-]{2,35})", re.IGNORECASE)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_BREAK = re.compile(r"<br(?:\s[^<>]{0,1000})?/?>", re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z][^<>]{0,1000}>")
_HEAD_CHARACTERS = 50_000


def is_sami(text: str) -> bool:
    """Whether the text begins as SAMI does, or with a cue of it where the header is missing."""
    return _HEAD.match(text) is not None


def read_sami(lines: Iterable[str]) -> Iterator[Cue]:
    """The cues with text in file order, which need not be that of their times; raises ``CueTooLong``."""
    return make_timed_cues((start, end, _plain(raw), None) for start, end, raw in _spans(lines))


def find_style_language(text: str) -> str | None:
    """The language that the header's style tells of the first class that is used."""
    head = text[:_HEAD_CHARACTERS]
    languages = {
        style[1].lower(): told[1] for style in _STYLE.finditer(head) if (told := _LANGUAGE.search(style[2])) is not None
    }
    used = (_CLASS.search(paragraph[1] or "") for paragraph in _PARAGRAPH.finditer(head))
    return next((languages[name[1].lower()] for name in used if name and name[1].lower() in languages), None)


def _spans(lines: Iterable[str]) -> Iterator[tuple[int, int, str]]:
    """Start, end and raw text of each sync; where the next one is earlier, the end is as unknown as the last one's."""
    for (start, raw), (following, _) in pairwise(chain(_syncs(lines), ((-1, ""),))):
        yield start, following if following > start else start + LAST_CUE_MS, raw


def _syncs(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """The time and the raw text of each sync; one whose time cannot be read is left out."""
    start: int | None = None
    kept = CueLines()
    for block in _blocks(lines):
        sync = _SYNC.match(block)
        if sync is None:
            continue
        if start is not None and start != int(sync[1]):
            yield start, "\n".join(kept)
            kept = CueLines()
        start = int(sync[1])
        kept.append(block[sync.end() :])
    if start is not None:
        yield start, "\n".join(kept)


def _blocks(lines: Iterable[str]) -> Iterator[str]:
    """Each sync's tag with all up to the next one; the header is left out."""
    kept: CueLines | None = None
    for line in lines:
        rest, *syncs = _AT_SYNC.split(line)
        if kept is not None:
            kept.append(rest)
        for sync in syncs:
            if kept is not None:
                yield "\n".join(kept)
            kept = CueLines()
            kept.append(sync)
    if kept is not None:
        yield "\n".join(kept)


def _plain(raw: str) -> str:
    """The text of the first class that has some."""
    raw = _COMMENT.sub("", raw)
    kept: list[str] = []
    kept_class: str | None = None
    starts = [(None, 0, 0), *((found[1], found.start(), found.end()) for found in _PARAGRAPH.finditer(raw))]
    for (attributes, _, at), (_, end, _) in pairwise((*starts, (None, len(raw), 0))):
        found = _CLASS.search(attributes or "")
        name = found[1].lower() if found else ""
        if kept_class in (None, name) and (text := _without_tags(raw[at:end])):
            kept_class = name
            kept.append(text)
    return "\n".join(kept)


def _without_tags(raw: str) -> str:
    return tidy(unescape_text(_TAG.sub("", _BREAK.sub("\n", " ".join(raw.split())))))
