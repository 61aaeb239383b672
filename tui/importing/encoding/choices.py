"""Readings of a file: some of its lines in each encoding that it may be in, to choose from by eye."""

from __future__ import annotations

from collections.abc import Sequence

from tui.importing.encoding.decode import find_marked_codec
from tui.importing.encoding.detection import OFFERED, Candidate, detect, strip_markup
from tui.importing.encoding.legacy_encodings import list_usual_encodings
from tui.importing.encoding.mojibake import find_mending_codec
from tui.importing.encoding.text_lines import take_first_part
from tui.records.files import EncodingReading
from tui.text.display import encoding_name

_LINES = 6
_MAX_LENGTH = 200
"""Maximum characters of a line."""
_FALLBACK = ("cp1252", "cp1250", "cp1251")
_SAMPLE = 8192


def read_in_encodings(data: bytes, tag: str | None) -> tuple[EncodingReading, ...]:
    """Read a file in the encodings that it is likeliest to be in, the likeliest first, at most three.

    All readings have the same lines of it: those that tell them apart. ``tag`` is the language it is said to be in.
    """
    data = take_first_part(data)
    found = detect(data, tag)
    is_shifted = data.isascii() and bool(found.near)  # ASCII that stands for other characters
    codec = find_marked_codec(data) or ("utf-8" if _decodes(data, "utf-8") and not is_shifted else None)
    if codec is not None:
        return _of_unicode(data, codec)
    near = {each.codec: each for each in (*found.near, *found.ranked) if _decodes(data, each.codec)}
    samples = {codec: each.sample for codec, each in near.items()}
    for codec in (*(list_usual_encodings(tag) if tag else ()), *_FALLBACK):
        if not samples and not data.isascii() and _decodes(data, codec):
            samples[codec] = data[:_SAMPLE].decode(codec, "ignore")
    distinct = {text: codec for codec, text in reversed(samples.items())}
    codecs = [codec for codec, text in samples.items() if distinct[text] == codec][:OFFERED]
    lines = choose_telling_lines([samples[codec] for codec in codecs], _LINES)
    return tuple(
        EncodingReading(encoding_name(codec), _language(near.get(codec)), shown)
        for codec, shown in zip(codecs, lines, strict=True)
    )


def _of_unicode(data: bytes, codec: str) -> tuple[EncodingReading, ...]:
    """Readings of UTF-8 and UTF-16: one, and in front of it that of a text that was stored in a wrong encoding."""
    text = data.decode(codec, "ignore").removeprefix("\ufeff")
    mending = find_mending_codec(text)
    found = {mending: data.decode(mending), codec: text} if mending is not None else {codec: text}
    lines = choose_telling_lines(list(found.values()), _LINES)
    return tuple(EncodingReading(encoding_name(each), None, shown) for each, shown in zip(found, lines, strict=True))


def choose_telling_lines(texts: Sequence[str], most: int) -> list[tuple[str, ...]]:
    """Choose the lines that differ most from text to text, the same ones in each, in their order."""
    split = [text.split("\n") for text in texts]
    if len({len(lines) for lines in split}) != 1:
        return [_first_lines(text, most) for text in texts]
    rows = [tuple(strip_markup(line)[:_MAX_LENGTH] for line in row) for row in zip(*split, strict=True)]
    wanted = [number for number, row in enumerate(rows) if not all(map(str.isascii, row))]
    wanted = wanted or [number for number, row in enumerate(rows) if any(map(str.isalpha, row[0]))]
    wanted.sort(key=lambda number: -len(set(rows[number])))
    chosen = sorted(wanted[:most])
    return [tuple(rows[number][text] for number in chosen) for text in range(len(texts))]


def _first_lines(text: str, most: int = _LINES) -> tuple[str, ...]:
    lines = (strip_markup(line)[:_MAX_LENGTH] for line in text.split("\n"))
    return tuple([line for line in lines if any(map(str.isalpha, line))][:most])


def _language(candidate: Candidate | None) -> str | None:
    """The language that a reading makes sense in; None where hardly a word says so."""
    reads = None if candidate is None else candidate.plausibility
    return (reads.language or None) if reads is not None and reads.words >= 0.3 else None


def _decodes(data: bytes, codec: str) -> bool:
    try:
        data.decode(codec)
    except ValueError:
        return False
    return True
