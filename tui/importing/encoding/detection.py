"""Encoding detection for bytes that are not UTF-8, and a check of the encoding that was named.

Candidates are the encodings usual for the language, the one that chardet takes the bytes to be in, and all others that
files are found in; each decodes a sample strictly and is judged by how the text reads. Often there are several: a few
words of German are the same in five encodings, and one name in Cyrillic letters reads as well in another.
"""

import codecs
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tui.importing.encoding import legacy_encodings, try_decode
from tui.importing.encoding.legacy_encodings import USUAL_ENCODINGS, is_usual, list_languages_of, list_usual_encodings
from tui.importing.encoding.plausibility import Plausibility, Reading
from tui.language.scripts import script_pattern
from tui.language.tags import base_language
from tui.text.display import encoding_name
from tui.text.sanitize import one_line

_SAMPLE_BYTES = 4000
_LOOKED_AT_ONCE = 65_536
_SHIFTS = {"iso2022_jp": b"\x1b$", "iso2022_kr": b"\x0e", "hz": b"~{"}
"""Encodings in ASCII bytes alone → what must be there for them to say anything."""
_READS = 0.8
"""Minimum fit of a text that reads; what is below is not offered."""
_EXPECTED, _UNUSUAL = 0.15, 0.1
"""Score for a codec that is usual for the file's language and against one that is unusual for the text's."""
_SECONDED = 0.1
"""Bonus of chardet's reading, in the order alone: the others stay as near to it as they are."""
_DOUBTFUL = 0.35
"""Farthest behind the best score that another codec may be and still be offered."""
OFFERED = 3
"""Maximum number of encodings that are offered."""
_FEWEST = 4
"""Minimum characters beyond ASCII that say anything against an encoding that was named."""
_CLEARLY_BETTER = 0.6
_SHOWN = 40
"""Maximum characters of a line that are shown."""
_MARKUP = re.compile(r"<[^<>]{1,300}>|\{[^{}]{1,300}\}|^Dialogue:(?:[^,]{0,100},){9}|\\[Nnh]")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A codec that decodes the whole file; ``sample`` are its lines with characters beyond ASCII as they would read.

    ``letters`` is how many letters beyond ASCII the sample has, ``characters`` how many characters of any kind;
    ``is_seconded`` whether chardet reads the sample just so.
    """

    codec: str
    plausibility: Plausibility
    sample: str
    score: float
    letters: int = 0
    characters: int = 0
    is_seconded: bool = False

    @property
    def name(self) -> str:
        return encoding_name(self.codec)


@dataclass(frozen=True, slots=True)
class Detection:
    """Codecs that a file may be in, the best first; ``near`` are those to choose from.

    ``near`` is one where nothing comes near it, else up to three that decode the whole file.
    """

    ranked: tuple[Candidate, ...]
    near: tuple[Candidate, ...]
    language: str | None
    """Tag of the language that the file is said to be in, or that its words in ASCII letters are of."""


def detect(data: bytes, tag: str | None) -> Detection:
    """Judge every codec by the file's first lines with bytes beyond ASCII.

    ``tag`` is the language that the file is said to be in; else that of its words in ASCII letters helps, if any.
    """
    tag = tag or _language_of_ascii(data)
    ranked = _ranked(data, list_usual_encodings(tag) if tag else ())
    return Detection(ranked, _near_the_best(data, ranked, tag), tag)


def _ranked(data: bytes, usual: Sequence[str]) -> tuple[Candidate, ...]:
    """The codecs in which they read, the best first; those that make the same text of them once, by the most usual."""
    sample = take_telling_lines(data)
    if not sample or b"\x00" in data:
        return ()
    if (unicode := _utf_8(data)) is not None:
        return (unicode,)
    second = _second_opinion(sample)
    seconded = _decode(sample, second) if second is not None else None
    found: dict[str, Candidate] = {}
    for codec in dict.fromkeys((*usual, *legacy_encodings.list_all_encodings(), *filter(None, (second,)))):
        text = _decode(sample, codec)
        if text is None or text.isascii() or text in found:
            continue
        reading = Reading(text)
        if reading.soundness < _READS:
            continue
        plausibility = reading.best(list_languages_of(codec))
        if plausibility.fit >= _READS:
            score = plausibility.score + _leaning(codec, plausibility.language, usual)
            counts = reading.letters, reading.characters
            found[text] = Candidate(codec, plausibility, text, score, *counts, is_seconded=text == seconded)
    best = max((each.score, each.letters) for each in found.values()) if found else (0.0, 0)
    return tuple(sorted(found.values(), key=lambda each: -each.score - _raised(each, *best)))


def find_contradiction(data: bytes, text: str, codec: str, tag: str | None) -> tuple[Candidate, ...] | None:
    """Find the codecs that make more sense of the bytes than a named one does, which made ``text`` of them.

    None where nothing speaks against the codec; empty where it cannot be right and nothing else is.
    """
    if codec.startswith("utf-8"):  # bytes that fit are hardly ever anything else
        return None
    reading = Reading("\n".join(_lines_to_judge(text)))
    if reading.characters < _FEWEST:
        return None
    is_unicode = codec.startswith("utf-")
    given = reading.best(USUAL_ENCODINGS if is_unicode else list_languages_of(codec))
    if given.fit >= 0.95 and given.words >= 0.5 and not reading.has_garbage:
        return None
    if (unicode := _plain_unicode(data)) is not None:
        return (unicode,)
    score = given.score + _leaning(codec, given.language, list_usual_encodings(tag) if tag else ())
    better = [each for each in detect(data, tag).near if data.decode(each.codec) != text]
    least = 0.0 if reading.has_garbage else _CLEARLY_BETTER
    clearly = tuple(each for each in better if each.score - score >= least and _is_clear(each, given))
    if clearly:
        return clearly
    return tuple(better) if reading.soundness < 0.5 and not is_unicode else None


def _is_clear(other: Candidate, given: Plausibility) -> bool:
    """Whether the other really reads, and not only by a few letters or words that chance has made common ones."""
    return other.plausibility.fit >= 0.9 and (other.plausibility.words >= 0.4 or given.fit < 0.5)


def suggest_encodings(candidates: Sequence[Candidate]) -> str:
    """The sentence that offers encodings: how a line that tells them apart reads, and what to type; "" for none."""
    if not candidates:
        return ""
    if len(candidates) == 1:
        (only,) = candidates
        return (
            f"it reads well as {only.name}{_quoted(find_sample_line(only.sample))}; add it with --encoding {only.name}"
        )
    lines = find_telling_line([each.sample for each in candidates])
    *others, last = (f"{each.name}{_quoted(line)}" for each, line in zip(candidates, lines, strict=True))
    return f"it may be {', '.join(others)} or {last}; add it with --encoding {candidates[0].name}, or another of them"


def _quoted(line: str) -> str:
    return f': "{line}"' if line else ""


def find_telling_line(texts: Sequence[str]) -> list[str]:
    """The first line that reads differently in most of the texts, in each of them, cut to a few words."""
    split = [text.split("\n") for text in texts]
    if len({len(lines) for lines in split}) != 1:
        return [find_sample_line(text) for text in texts]
    rows = [[strip_markup(line) for line in row] for row in zip(*split, strict=True)]
    row = max(rows, key=lambda each: len(set(each)), default=[""] * len(texts))
    start = min(_first_difference(row[0], other) for other in row[1:]) if len(set(row)) > 1 else 0
    begin = 0 if start < _SHOWN // 2 else row[0].rfind(" ", 0, start) + 1
    return [_cut(line, begin) for line in row]


def _first_difference(one: str, other: str) -> int:
    return next((place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0)


def _cut(line: str, begin: int = 0) -> str:
    shown = f"… {line[begin:]}" if begin else line
    return shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN].rsplit(' ', 1)[0].rstrip()} …"


def strip_markup(line: str) -> str:
    """The line without markup."""
    return one_line(_MARKUP.sub(" ", line))


def find_sample_line(text: str) -> str:
    """The first line with letters beyond ASCII, without markup, cut to a few words."""
    for line in text.split("\n"):
        shown = strip_markup(line)
        if any(char > "\x7f" and char.isalpha() for char in shown):
            return _cut(shown)
    return ""


def take_telling_lines(data: bytes) -> bytes:
    """The first lines with bytes beyond ASCII: nothing else tells encodings apart. The last may end within a letter."""
    kept: list[bytes] = []
    size = at = 0
    while at < len(data) and size < _SAMPLE_BYTES:
        end = data.find(b"\n", at + _LOOKED_AT_ONCE) + 1 or len(data)
        piece = data[at:end]
        at = end
        for line in piece.replace(b"\r", b"\n").split(b"\n") if _says_something(piece) else ():
            if size < _SAMPLE_BYTES and _says_something(line):
                kept.append(line[:_SAMPLE_BYTES])
                size += len(line)
    return b"\n".join(kept)


def _says_something(data: bytes) -> bool:
    """Whether there are bytes that do not mean the same in every encoding."""
    return not data.isascii() or any(shift in data for shift in _SHIFTS.values())


def _lines_to_judge(text: str) -> Iterator[str]:
    size = 0
    for match in re.finditer(r"[^\r\n]+", text):
        line = match.group()
        if not line.isascii() or not line.isprintable():
            yield line[:_SAMPLE_BYTES]
            size += len(line)
            if size >= _SAMPLE_BYTES:
                return


def _decode(sample: bytes, codec: str) -> str | None:
    """The text, None where the bytes do not fit."""
    if (shift := _SHIFTS.get(codec)) is not None and shift not in sample:
        return None
    try:
        return codecs.getincrementaldecoder(codec)("strict").decode(sample)
    except ValueError:
        return None


def _second_opinion(sample: bytes) -> str | None:
    """The codec that chardet takes the bytes to be in, by its statistics of pairs of letters; None for none."""
    import chardet

    found = chardet.detect(sample, compat_names=False)["encoding"]
    return None if found is None else legacy_encodings.find_containing(codecs.lookup(found).name)


def _raised(candidate: Candidate, best_score: float, letters: int) -> float:
    """Bonus of chardet's reading; none where it only has signs for the letters of one that is as good.

    Without that, a Russian text would begin with a dash in mac-cyrillic wherever it begins with a C in windows-1251.
    """
    is_lesser = candidate.score <= best_score and candidate.letters < letters
    return _SECONDED if candidate.is_seconded and not is_lesser else 0.0


def _language_of_ascii(data: bytes) -> str | None:
    """The language of the words in ASCII letters, which are the same in every encoding; None where they are few."""
    from tui.language.detection import guess_language

    return guess_language(re.sub(rb"[\x80-\xff]+", b" ", data[:_LOOKED_AT_ONCE]).decode("ascii"))


def _leaning(codec: str, language: str, usual: Sequence[str]) -> float:
    """The score of a codec beside how the text reads: whether it is usual."""
    expected = _EXPECTED if codec in usual else 0.0
    return expected - (0.0 if is_usual(codec, language) else _UNUSUAL)


def _near_the_best(data: bytes, ranked: Sequence[Candidate], tag: str | None) -> tuple[Candidate, ...]:
    """The first few that decode the whole file and are not far behind the first of them."""
    near: list[Candidate] = []
    texts: set[str] = set()
    for candidate in ranked:
        if near and (candidate.score < near[0].score - _DOUBTFUL or _is_worse(candidate, near[0], tag)):
            continue
        text = try_decode(data, candidate.codec)
        if text is not None and text not in texts:
            texts.add(text)
            near.append(candidate)
            if len(near) == OFFERED:
                break
    return tuple(near)


def _is_worse(other: Candidate, best: Candidate, tag: str | None) -> bool:
    """Whether the other has faults, signs where the best has letters, or other signs, and nothing speaks for it."""
    language = best.plausibility.language
    if is_usual(best.codec, language):
        is_told = best.is_seconded and tag is not None and base_language(tag) == language
        if is_told and other.plausibility.language != language:
            return True
        if _letters(other.sample) == _letters(best.sample) and not is_usual(other.codec, other.plausibility.language):
            return True
    is_faultless = best.plausibility.fit == 1.0 and other.plausibility.words <= best.plausibility.words
    return is_faultless and (other.plausibility.fit < 1.0 or other.letters < best.letters)


def _letters(text: str) -> str:
    return "".join(filter(str.isalpha, text))


def _plain_unicode(data: bytes) -> Candidate | None:
    """UTF-8, of ASCII alone too: for bytes that another codec makes other characters of."""
    if data.isascii() and not any(sign in data for sign in (b"\x00", b"\x1b", _SHIFTS["hz"])):
        return Candidate("utf-8", Plausibility("", 1.0, 1.0), "", 2.0)
    return _utf_8(data)


def _utf_8(data: bytes) -> Candidate | None:
    """UTF-8, where the bytes are that and not only ASCII: they hardly ever are by chance."""
    text = try_decode(data, "utf-8")
    if text is None or text.isascii() or "\x00" in text or "\x1b" in text:
        return None
    return Candidate("utf-8", Plausibility("", 1.0, 1.0), text, 2.0)


# Certainty of a detected encoding: whether a file may be read in it without a question.
#
# Measured with excerpts of one line and more in seventy languages and every encoding that holds them: where one codec
# alone makes sense of the text, and chardet reads it just so, hardly any is wrong, however short it is.

_FIT, _WORDS = 0.9, 0.3
"""Minimum fit and share of common words of a text that chardet reads the same; with that fit, a reading of chardet's
speaks against another."""
_FEW, _WORDS_OF_FEW = 4, 0.4
"""With fewer characters beyond ASCII they have to be Latin letters, in a text with that share of common words of the
language that its other words are of."""
_FIT_ALONE, _WORDS_ALONE, _BYTES_ALONE = 0.95, 0.4, 20
"""Minimum fit, share of common words, and bytes of characters beyond ASCII, of a text that chardet cannot read."""
_LATIN = script_pattern("Latin")
_TYPOGRAPHIC = frozenset("’‘“”…–—")
_INNER_APOSTROPHE = re.compile(r"(?<=\w)’(?=\w)")
_CONTRACTION = re.compile(
    r"\b(?:(?:it|that|there|he|she|what|who|let|here|where|how|when)’s|i’m|(?:i|you|we|they)’(?:ve|ll|d|re)"
    r"|(?:do|does|did|wo|would|ca|could|is|are|was|were|has|have|had|should|must|ai)n’t)\b",
    re.IGNORECASE,
)
"""English words that have an apostrophe, in which no letter of another encoding makes sense."""


def find_certain_encoding(data: bytes, tag: str | None) -> str | None:
    """Find the one codec that the bytes read well in, where nothing comes near it and there is enough to tell by.

    ``tag`` is the language that the file is said to be in.
    """
    found = detect(data, tag)
    if len(found.near) != 1 or is_damaged_utf_8(data):
        return None
    (only,) = found.near
    seconded = (each for each in found.ranked if each.is_seconded)
    is_contested = any(each.plausibility.fit >= _FIT and each.letters >= only.letters for each in seconded)
    is_certain = (
        _has_contractions(only)
        or (only.is_seconded and _is_enough(only, found.language))
        or (not is_contested and _speaks_for_itself(only))
    )
    return only.codec if is_certain else None


def is_damaged_utf_8(data: bytes) -> bool:
    """Whether most of what is beyond ASCII is UTF-8: it is that with a few bytes lost, not another encoding."""
    sample = take_telling_lines(data).decode("utf-8", "replace")
    beyond = sum(char > "\x7f" for char in sample)
    return beyond > 2 * sample.count("\ufffd")


def _is_enough(only: Candidate, told: str | None) -> bool:
    reads = only.plausibility
    if only.characters >= _FEW:
        return reads.fit >= _FIT and reads.words >= _WORDS
    if base_language(told) != base_language(reads.language):
        return False
    is_latin = all(_LATIN.match(char) for char in only.sample if char > "\x7f" and char.isalpha())
    is_apostrophe = _INNER_APOSTROPHE.search(only.sample) is not None  # or the í of "Luís"
    return is_latin and not is_apostrophe and reads.fit >= _FIT and reads.words >= _WORDS_OF_FEW


def _speaks_for_itself(only: Candidate) -> bool:
    reads = only.plausibility
    beyond = "".join(char for char in only.sample if char > "\x7f").encode(only.codec, "ignore")
    return reads.fit >= _FIT_ALONE and reads.words >= _WORDS_ALONE and len(beyond) >= _BYTES_ALONE


def _has_contractions(only: Candidate) -> bool:
    """Whether nothing beyond ASCII is there but the quotes and dashes of an English text, some in "don’t" or "it’s"."""
    beyond = {char for char in only.sample if char > "\x7f"}
    return beyond <= _TYPOGRAPHIC and _CONTRACTION.search(only.sample) is not None
