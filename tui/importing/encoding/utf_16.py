"""UTF-16 detection without a byte order mark: by the places of NULs, or by Chinese, Japanese and Thai text."""

from __future__ import annotations

import codecs

_SAMPLE = 8192
_SPACELESS = ("ja", "zh-Hans", "zh-Hant", "ko", "th")
"""Languages of texts in which only line ends have NULs in UTF-16, if they have any."""
_LEAST_FIT, _LEAST_WORDS = 0.9, 0.4


def unmarked_utf_16(data: bytes) -> str | None:
    """Find the codec of UTF-16 without a mark, None where the bytes are none."""
    return _by_nuls(data[:_SAMPLE]) or _by_text(data)


def _by_nuls(sample: bytes) -> str | None:
    """Find the byte order by NULs: Latin letters, digits and line ends have one, always on the same side."""
    pairs = len(sample) // 2
    even, odd = sample[0 : 2 * pairs : 2].count(0), sample[1 : 2 * pairs : 2].count(0)
    enough = max(2, pairs // 50)
    if odd >= enough and even * 20 <= odd:
        return "utf-16-le"
    if even >= enough and odd * 20 <= even:
        return "utf-16-be"
    return None


def _by_text(data: bytes) -> str | None:
    if len(data) % 2 or len(data) < 8:
        return None
    from tui.importing.encoding.plausibility import Reading

    for codec in ("utf-16-le", "utf-16-be"):
        try:
            text = codecs.getincrementaldecoder(codec)("strict").decode(data[:_SAMPLE])
        except UnicodeDecodeError:
            continue
        reading = Reading(text)
        reads = reading.best(_SPACELESS)
        if not reading.has_garbage and reads.fit >= _LEAST_FIT and reads.words >= _LEAST_WORDS:
            return codec
    return None
