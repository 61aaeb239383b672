"""Readings of a file: some of its lines in each encoding that it may be in, to choose from by eye."""

from collections.abc import Sequence

from tui.importing.encoding import try_decode
from tui.importing.encoding.decode import find_marked_codec, take_first_part
from tui.importing.encoding.detection import OFFERED, Candidate, detect, strip_markup
from tui.importing.encoding.legacy_encodings import list_usual_encodings
from tui.importing.encoding.mojibake import find_mending_codec
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
    codec = find_marked_codec(data)
    if codec is not None or (not is_shifted and try_decode(data, "utf-8") is not None):
        return _of_unicode(data, codec or "utf-8")
    candidates = (*found.near, *found.ranked)
    near = {each.codec: each for each in candidates if try_decode(data, each.codec) is not None}
    samples = {codec: each.sample for codec, each in near.items()}
    for codec in (*(list_usual_encodings(tag) if tag else ()), *_FALLBACK):
        if not samples and not data.isascii() and try_decode(data, codec) is not None:
            samples[codec] = data[:_SAMPLE].decode(codec, "ignore")
    distinct = {text: codec for codec, text in reversed(samples.items())}
    codecs = [codec for codec, text in samples.items() if distinct[text] == codec][:OFFERED]
    lines = _choose_telling_lines([samples[codec] for codec in codecs])
    return tuple(
        EncodingReading(encoding_name(codec), _language(near.get(codec)), shown)
        for codec, shown in zip(codecs, lines, strict=True)
    )


def _of_unicode(data: bytes, codec: str) -> tuple[EncodingReading, ...]:
    """Readings of UTF-8 and UTF-16: one, and in front of it that of a text that was stored in a wrong encoding."""
    text = data.decode(codec, "ignore").removeprefix("\ufeff")
    mending = find_mending_codec(text)
    found = {mending: data.decode(mending), codec: text} if mending is not None else {codec: text}
    lines = _choose_telling_lines(list(found.values()))
    return tuple(EncodingReading(encoding_name(each), None, shown) for each, shown in zip(found, lines, strict=True))


def _choose_telling_lines(texts: Sequence[str]) -> list[tuple[str, ...]]:
    """Choose the lines that differ most from text to text, the same ones in each, in their order."""
    split = [[strip_markup(line)[:_MAX_LENGTH] for line in text.split("\n")] for text in texts]
    if len({len(lines) for lines in split}) != 1:
        return [tuple([line for line in lines if any(map(str.isalpha, line))][:_LINES]) for lines in split]
    rows = list(zip(*split, strict=True))
    wanted = [number for number, row in enumerate(rows) if not all(map(str.isascii, row))]
    wanted = wanted or [number for number, row in enumerate(rows) if any(map(str.isalpha, row[0]))]
    wanted.sort(key=lambda number: -len(set(rows[number])))
    chosen = sorted(wanted[:_LINES])
    return [tuple(rows[number][text] for number in chosen) for text in range(len(texts))]


def _language(candidate: Candidate | None) -> str | None:
    """The language that a reading makes sense in; None where hardly a word says so."""
    reads = None if candidate is None else candidate.plausibility
    return (reads.language or None) if reads is not None and reads.words >= 0.3 else None
