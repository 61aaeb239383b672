"""Encoding detection for bytes that are not UTF-8, and a check of the encoding that was named.

Candidates are the encodings usual for the language, those that charset-normalizer finds, and all others that files are
found in; each decodes a sample strictly and is judged by how the text reads. Never certain: a few words of German are
the same in five encodings, and one name in Cyrillic letters reads as well in another.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tui.importing.encoding.legacy_encodings import (
    USUAL_ENCODINGS,
    all_encodings,
    is_usual,
    languages_of,
    containing,
    usual_encodings,
)
from tui.importing.encoding.plausibility import Plausibility, Reading
from tui.text.display import encoding_name
from tui.text.sanitize import one_line

_SAMPLE_BYTES = 4000
_LOOKED_AT_ONCE = 65_536
_SHIFTS = {"iso2022_jp": b"\x1b$", "iso2022_kr": b"\x0e"}
"""Encodings in ASCII bytes alone → what must be there for them to say anything."""
_READS = 0.8
"""Minimum fit of a text that reads; what is below is not offered."""
_EXPECTED, _UNUSUAL = 0.15, 0.1
_SECONDED = 0.1
R5 = True
"""Score for a codec that is usual for the file's language and against one that is unusual for the text's."""
_DOUBTFUL = 0.35
"""Farthest behind the best score that another codec may be and still be offered."""
_OFFERED = 3
_FEWEST = 4
"""Minimum characters beyond ASCII that say anything against an encoding that was named."""
_CLEARLY_BETTER = 0.6
_SHOWN = 40
"""Maximum characters of a line that are shown."""
_MARKUP = re.compile(r"<[^<>]{1,300}>|\{[^{}]{1,300}\}|^Dialogue:(?:[^,]{0,100},){9}|\\[Nnh]")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A codec that decodes the whole file; ``line`` is the first line with letters beyond ASCII as it would read.

    ``letters`` is how many such letters the sample has, ``characters`` how many characters beyond ASCII of any kind.
    """

    codec: str
    plausibility: Plausibility
    line: str
    score: float
    letters: int = 0
    characters: int = 0
    is_seconded: bool = False
    sample: str = ""

    @property
    def name(self) -> str:
        return encoding_name(self.codec)


def readings(data, tag):
    global KEEP
    KEEP = None
    c = fitting_encodings(data, tag)
    return c, KEEP
KEEP = None

def fitting_encodings(data: bytes, tag: str | None) -> tuple[Candidate, ...]:
    """Find the codecs that the bytes read well in, the best first: one where nothing comes near it, else up to three.

    Codecs that make the same text of the file are named once, by the most usual of them. ``tag`` is the language that
    the file is said to be in.
    """
    sample = _telling(data)
    if not sample or b"\x00" in data:
        return ()
    if (unicode := _utf_8(data)) is not None:
        return (unicode,)
    tag = tag or language_of_ascii(data)
    usual = usual_encodings(tag) if tag else ()
    second = second_opinion(sample)
    seconded = None if second is None else _decoded(sample, second)
    found: dict[str, Candidate] = {}
    for codec in dict.fromkeys((*usual, *all_encodings(), *filter(None, (second,)))):
        text = _decoded(sample, codec)
        if text is None or text.isascii() or text in found:
            continue
        reading = Reading(text)
        if reading.soundness < _READS:
            continue
        plausibility = reading.best(languages_of(codec))
        if plausibility.fit >= _READS:
            score = plausibility.score + _leaning(codec, plausibility.language, usual)
            found[text] = Candidate(codec, plausibility, sample_line(text), score, reading.letters, reading.characters, text == seconded, text)
    ranked = sorted(found.values(), key=lambda candidate: -(candidate.score + _SECONDED * candidate.is_seconded))
    global KEEP
    KEEP = next((c for c in ranked if c.is_seconded), None)
    return tuple(_near_the_best(data, ranked, tag))


def contradiction(data: bytes, text: str, codec: str, tag: str | None) -> tuple[Candidate, ...] | None:
    """Find the codecs that make more sense of the bytes than a named one does, which made ``text`` of them.

    None where nothing speaks against the codec; empty where it cannot be right and nothing else is.
    """
    if codec.startswith("utf-8"):  # bytes that fit are hardly ever anything else
        return None
    reading = Reading("\n".join(_lines_to_judge(text)))
    if reading.characters < _FEWEST:
        return None
    is_unicode = codec.startswith("utf-")
    given = reading.best(USUAL_ENCODINGS if is_unicode else languages_of(codec))
    if given.fit >= 0.95 and given.words >= 0.5 and not reading.has_garbage:
        return None
    if (unicode := _plain_unicode(data)) is not None:
        return (unicode,)
    score = given.score + _leaning(codec, given.language, usual_encodings(tag) if tag else ())
    better = [each for each in fitting_encodings(data, tag) if data.decode(each.codec) != text]
    least = 0.0 if reading.has_garbage else _CLEARLY_BETTER
    clearly = tuple(each for each in better if each.score - score >= least and _is_clear(each, given))
    if clearly:
        return clearly
    return tuple(better) if reading.soundness < 0.5 and not is_unicode else None


def _is_clear(other: Candidate, given: Plausibility) -> bool:
    """Whether the other really reads, and not only by a few letters or words that chance has made common ones."""
    return other.plausibility.fit >= 0.9 and (other.plausibility.words >= 0.4 or given.fit < 0.5)


def suggestion(candidates: Sequence[Candidate]) -> str:
    """The sentence that offers encodings: how the text would read, and what to type; "" for none."""
    if not candidates:
        return ""
    if len(candidates) == 1:
        (only,) = candidates
        return f"it reads well as {only.name}{_quoted(only.line)}; add it with --encoding {only.name}"
    *others, last = (f"{each.name}{_quoted(each.line)}" for each in candidates)
    return f"it may be {', '.join(others)} or {last}; add it with --encoding {candidates[0].name}, or another of them"


def _quoted(line: str) -> str:
    return f': "{line}"' if line else ""


def sample_line(text: str) -> str:
    """The first line with letters beyond ASCII, without markup, cut to a few words."""
    for line in text.split("\n"):
        shown = one_line(_MARKUP.sub(" ", line))
        if any(char > "\x7f" and char.isalpha() for char in shown):
            return shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN].rsplit(' ', 1)[0].rstrip()} …"
    return ""


def language_of_ascii(data: bytes) -> str | None:
    from tui.language.detection import guess_language
    return guess_language(data[:_LOOKED_AT_ONCE].decode("ascii", "replace").replace("\ufffd", " "))


def _telling(data: bytes) -> bytes:
    """The first lines with bytes beyond ASCII: nothing else tells encodings apart. The last may end within a letter."""
    kept: list[bytes] = []
    size = at = 0
    while at < len(data) and size < _SAMPLE_BYTES:
        end = data.find(b"\n", at + _LOOKED_AT_ONCE) + 1 or len(data)
        piece = data[at:end]
        at = end
        if piece.isascii() and not any(shift in piece for shift in _SHIFTS.values()):
            continue
        for line in piece.replace(b"\r", b"\n").split(b"\n"):
            if not line.isascii() or any(shift in line for shift in _SHIFTS.values()):
                kept.append(line[:_SAMPLE_BYTES])
                size += len(line)
                if size >= _SAMPLE_BYTES:
                    break
    return b"\n".join(kept)


def _lines_to_judge(text: str) -> Iterator[str]:
    size = 0
    for match in re.finditer(r"[^\r\n]+", text):
        line = match.group()
        if not line.isascii() or not line.isprintable():
            yield line[:_SAMPLE_BYTES]
            size += len(line)
            if size >= _SAMPLE_BYTES:
                return


def _decoded(sample: bytes, codec: str) -> str | None:
    """The text, None where the bytes do not fit."""
    if (shift := _SHIFTS.get(codec)) is not None and shift not in sample:
        return None
    try:
        return codecs.getincrementaldecoder(codec)("strict").decode(sample)
    except ValueError:
        return None


def second_opinion(sample: bytes) -> str | None:
    """The codec that chardet takes the bytes to be in, by its statistics of pairs of letters; None for none."""
    import chardet

    found = chardet.detect(sample, compat_names=False)["encoding"]
    return None if found is None else containing(codecs.lookup(found).name)


def _leaning(codec: str, language: str, usual: Sequence[str]) -> float:
    """The score of a codec beside how the text reads: whether it is usual."""
    expected = _EXPECTED if codec in usual else 0.0
    return expected - (0.0 if is_usual(codec, language) else _UNUSUAL)


def _near_the_best(data: bytes, ranked: Sequence[Candidate], tag: str | None) -> list[Candidate]:
    """The first few that decode the whole file and are not far behind the first of them."""
    near: list[Candidate] = []
    texts: set[str] = set()
    for candidate in ranked:
        if near and (candidate.score < near[0].score - _DOUBTFUL or _is_worse(candidate, near[0], tag)):
            continue
        try:
            text = data.decode(candidate.codec)
        except ValueError:
            continue
        if text not in texts:
            texts.add(text)
            near.append(candidate)
            if len(near) == _OFFERED:
                break
    return near


def _is_worse(other: Candidate, best: Candidate, tag: str | None) -> bool:
    """Whether the other has faults, or signs where the best has letters, and nothing speaks for it."""
    if _letters(other.sample) == _letters(best.sample) and is_usual(best.codec, best.plausibility.language) and not is_usual(other.codec, other.plausibility.language):
        return True
    if R5 and best.is_seconded and tag and best.plausibility.language == tag.split("-")[0] != other.plausibility.language and is_usual(best.codec, best.plausibility.language):
        return True
    is_faultless = best.plausibility.fit == 1.0 and other.plausibility.words <= best.plausibility.words
    return is_faultless and (other.plausibility.fit < 1.0 or other.letters < best.letters)


def _letters(text: str) -> str:
    return "".join(filter(str.isalpha, text))


def _plain_unicode(data: bytes) -> Candidate | None:
    """UTF-8, of ASCII alone too: for bytes that another codec makes other characters of."""
    if data.isascii() and b"\x00" not in data and b"\x1b" not in data:
        return Candidate("utf-8", Plausibility("", 1.0, 1.0), "", 2.0)
    return _utf_8(data)


def _utf_8(data: bytes) -> Candidate | None:
    """UTF-8, where the bytes are that and not only ASCII: they hardly ever are by chance."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    if text.isascii() or "\x00" in text or "\x1b" in text:
        return None
    return Candidate("utf-8", Plausibility("", 1.0, 1.0), sample_line(text), 2.0)
