"""Reader of SAMI (.smi), as tolerant as players are: tags that nobody closes, any case, attributes without quotes.

Source: "Understanding SAMI 1.0" (Microsoft). A cue lasts to the next SYNC, which often has no text but ``&nbsp;``. Of a
SYNC's paragraphs those of the first class with text are kept: other classes are translations of the same words, which
are left out. Syncs of the same time in a row are one. Text is HTML: line ends are spaces, and ``<br>`` breaks lines.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

from tui.importing.readers import cue_text
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
    pieces = (piece for line in lines for piece in _AT_SYNC.split(line))
    blocks = cue_text.gather_blocks(pieces, lambda piece: ((), piece) if _AT_SYNC.match(piece) else None)
    # A sync whose time cannot be read is left out.
    syncs = ((int(sync[1]), block[sync.end() :]) for _, block in blocks if (sync := _SYNC.match(block)))
    spans = cue_text.end_at_next(cue_text.join_same_starts(syncs))
    return cue_text.make_timed_cues((start, end, _plain(raw), None) for start, end, raw in spans)


def find_style_language(text: str) -> str | None:
    """The language that the header's style tells of the first class that is used."""
    head = text[:_HEAD_CHARACTERS]
    languages = {
        style[1].lower(): told[1] for style in _STYLE.finditer(head) if (told := _LANGUAGE.search(style[2])) is not None
    }
    used = (_CLASS.search(paragraph[1] or "") for paragraph in _PARAGRAPH.finditer(head))
    return next((languages[name[1].lower()] for name in used if name and name[1].lower() in languages), None)


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
    return cue_text.tidy(cue_text.unescape_text(_TAG.sub("", _BREAK.sub("\n", " ".join(raw.split())))))
