"""Sentences across cues: subtitles cut a sentence in two where the screen is full, and put two in one cue.

Whether a sentence goes on in the next cue is decided for each two neighbours by themselves, so that the reader, which
has a few cues around the focus, and a listing of the whole transcript find the same sentences:

- It does not behind a pause, at another speaker, at a dash of dialogue, beside sounds and songs, or where a title ends.
- Behind a full stop it does where that is an abbreviation's ("Dr."); "I was going…" goes on in "…to tell you" and in
  what begins with a small letter, and so does "“Stop!”".
- Without one it does where the next cue begins with a small letter or dots, or where a comma or a word stands before it
  that ends no sentence ("of", "und"). A capital begins a sentence otherwise, as a stop that somebody forgot is commoner
  than a name there; German has so many capitals that only a word which often begins sentences does.
- In scripts without capitals it depends on the transcript: where some cues end in a full stop and others do not, those
  go on; where nearly all do, or none, a cue without is whole.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from tui.language.scripts import join_lines
from tui.language.sentence_ends import CLOSERS, OPENERS, ends_with_stop, find_sentence_spans, strip_span
from tui.language.tags import base_language
from tui.language.word_form import FormKey, TextForm, find_text_forms
from tui.language.word_lists import list_words
from tui.records.transcripts import Cue

MAX_CUES = 12
"""Maximum cues of a sentence: one that would have more, or more characters than ``MAX_LENGTH``, is left in its cues."""
MAX_LENGTH = 400
SAMPLE = 100
"""Number of cues, from the first one on, that tell whether a transcript writes its full stops."""

_PAUSE_MS = 3000
_TAIL, _HEAD = 60, 80
"""Characters on either side of the end of a cue that tell whether a sentence ends there."""
_AT_ONCE = 4 * MAX_CUES
"""Cues that are cut together."""
_LEAST_PERIODS = 0.2
_MAX_ENDED = 0.85
"""Shares of the cues that end in a full stop, and in any stop, in a transcript that cuts its sentences."""
_PERIOD_END = re.compile(r"(?<![.…])[.\u3002\uff61\uff0e\u0964\u06d4\u0589\u1362\u104b\u17d4][\"'”’»」』)）]*\Z")
_HARD_STOP = re.compile(r"[!?！？؟‼⁇⁈⁉‽]\Z")
_LETTER_STOP = re.compile(r"(?:^|[^\s.]\s)[^\W\d_]\.\Z")
"""One letter and a full stop at the end of a cue: "the model A.", as few names are cut behind an initial."""
_ELLIPSIS_END = re.compile(r"(?:…|\.\.+)[\"'”’»]*\Z")
_ELLIPSIS_START = re.compile(r"[\"'“‘«]*(?:…|\.\.+)\s*")
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff]")
_COMMA = re.compile(r"[,،、，;；:：·]\Z")
_DASH_END = re.compile(r"(?:[—–]|--|\s-)\Z")
_DASH_LINE = re.compile(r"^[-–—―]+\s*(?=[^\s\-–—―])", re.MULTILINE)
_MAYBE_ABBREVIATED = re.compile(r"(?:^|[^\w.])[^\W\d_]{0,6}\.\Z|\d\.\Z|\.[^\s.]+\.\Z|\W\.\Z")
"""A short word, a number or parts of a word before a full stop; behind a long word it ends a sentence."""
_LAST_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]*)?\Z")
_FIRST_WORD = re.compile(r"[^\W\d_]+")
_SOUND = re.compile(r"[\[(（【].*[\])）】]\Z|.*[♪♫♬].*\Z", re.DOTALL)


@dataclass(frozen=True, slots=True)
class CuePart:
    """The part ``text[start:end]`` of the cue with this index."""

    cue: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class CueSentence:
    """A sentence, the parts of the cues that it stands in, and their time, which begins and ends with those cues."""

    text: str
    parts: tuple[CuePart, ...]
    start_ms: int | None
    end_ms: int | None
    speaker: str | None = None
    is_whole: bool = True
    """Whether it is not a part of one that has too many cues or characters."""

    @property
    def first(self) -> int:
        return self.parts[0].cue

    @property
    def last(self) -> int:
        return self.parts[-1].cue


def cuts_sentences(cues: Sequence[Cue]) -> bool:
    """Whether a transcript writes full stops and yet ends cues without, as its first cues (``SAMPLE``) tell."""
    periods = sum(_PERIOD_END.search(cue.text) is not None for cue in cues)
    ended = sum(ends_with_stop(cue.text) for cue in cues)
    return periods >= _LEAST_PERIODS * len(cues) and ended <= _MAX_ENDED * len(cues)


def find_sentence_at(
    cues: Sequence[Cue], index: int, place: int, language: str | None, *, cutting: bool
) -> CueSentence | None:
    """The sentence at the character ``place`` of the cue with this index; ``cutting`` is what ``cuts_sentences`` says.

    ``cues`` are neighbours: ``MAX_CUES`` on either side of that one are enough. None where that cue has no text.
    """
    found = [each for each in each_sentence(cues, language, cutting=cutting) if each.first <= index <= each.last]
    behind = (each for each in found if any(part.cue == index and part.end > place for part in each.parts))
    return next(behind, found[-1] if found else None)


def each_sentence(
    cues: Iterable[Cue], language: str | None, *, cutting: bool, begin: int = 0, is_whole: bool = True
) -> Iterator[CueSentence]:
    """Iterate over the sentences of neighbouring cues; every character but white space is in one of them.

    They begin at the character ``begin`` of the first cue, with a part of a sentence unless that ``is_whole``. As few
    cues are held as a sentence may have, and a few more.
    """
    run = _Run(language, begin, is_too_long=not is_whole)
    for cue in cues:
        if run.cues and not goes_on(run.cues[-1], cue, language, cutting=cutting):
            yield from run.cut()
            run = _Run(language)
        elif len(run.cues) >= _AT_ONCE:
            yield from run.cut(but_last=True)
        run.cues.append(cue)
    yield from run.cut()


def goes_on(left: Cue, right: Cue, language: str | None, *, cutting: bool) -> bool:
    """Whether the sentence at the end of a cue goes on in the next one."""
    before, after = left.text.strip(), right.text.strip()
    if not before or not after or _is_parted(left, right) or _SOUND.match(before) or _SOUND.match(after):
        return False
    is_title = before.isupper() and len(before) > 3 and not after.isupper() and not ends_with_stop(before)
    if _is_dialogue(after) or is_title:
        return False
    first = after.lstrip(OPENERS + " \n….")[:1]
    if ends_with_stop(before, language):
        return _goes_on_behind_stop(before, after, language, is_small=first.islower())
    if first.islower() or (_ELLIPSIS_START.match(after) and not _RIGHT_TO_LEFT.match(first)):
        return True  # in Arabic and Hebrew the dots in front are often those of the end, where a program swapped them
    if _DASH_END.search(before):
        return False  # interrupted
    if _COMMA.search(before):
        return True
    if first.lower() == first.upper() and not first.isdecimal():
        return cutting and left.end_ms is not None
    return _is_unfinished(before, after, language)


def _goes_on_behind_stop(before: str, after: str, language: str | None, *, is_small: bool) -> bool:
    if _ELLIPSIS_END.search(before):
        return is_small or not _ends_between(before, after, language)
    if _HARD_STOP.search(before) or _LETTER_STOP.search(before):
        return False
    if before[-1] in CLOSERS:
        return is_small
    if not _MAYBE_ABBREVIATED.search(before):
        return False
    place = next((place for place, character in enumerate(after) if character.isalnum()), 0)
    return not _ends_between(before, after[:place] + after[place:].capitalize(), language)


def _is_unfinished(before: str, after: str, language: str | None) -> bool:
    """Whether the words where two cues meet tell that a sentence goes on, though a capital follows."""
    base = base_language(language)
    last, first = _LAST_WORD.search(before), _FIRST_WORD.search(after)
    if last is None or first is None:
        return False
    if last.group().lower().replace("’", "'") in list_words("unfinished", base, "sentence_words"):
        return True
    if base == "de":
        return first.group().lower() not in list_words("openings", base, "sentence_words") and not before.isupper()
    return base == "en" and first.group() == "I"


def _is_parted(left: Cue, right: Cue) -> bool:
    """Whether a pause or another speaker parts two cues, or whether they are shown at once."""
    if right.speaker is not None and right.speaker != left.speaker:
        return True
    if left.end_ms is None or right.start_ms is None:
        return False
    return right.start_ms - left.end_ms > _PAUSE_MS or right.start_ms <= (left.start_ms or 0)


def _is_dialogue(text: str) -> bool:
    """Whether a text begins with the dash of another speaker; in "– sagte er" it is the same one's."""
    dash = _DASH_LINE.match(text)
    return dash is not None and not text[dash.end() : dash.end() + 1].islower()


def _ends_between(before: str, after: str, language: str | None) -> bool:
    """Whether a sentence ends where the one text ends and the other begins."""
    tail = before[-_TAIL:]
    spans = find_sentence_spans(f"{tail}\n{after[:_HEAD]}", language)
    return any(start > len(tail) >= end for (_, end), (start, _) in pairwise(spans))


class _Run:
    """Cues whose sentences go on from one to the next, and how far they have been cut."""

    def __init__(self, language: str | None, begin: int = 0, *, is_too_long: bool = False) -> None:
        self.cues: list[Cue] = []
        self._language = language
        self._begin = begin
        """Offset in the first cue from which it has not been cut yet."""
        self._is_too_long = is_too_long
        """Whether the sentence there is the rest of one that is left in its cues."""

    def cut(self, *, but_last: bool = False) -> Iterator[CueSentence]:
        """Iterate over the sentences; ``but_last`` keeps the last one, with its cues: it may go on."""
        found = list(self._sentences())
        last = found.pop() if but_last and found else None
        for parts in found:
            yield from self._limited(parts)
            self._is_too_long = False
        if last is None:
            return
        if self._is_too_long or _is_too_long(last):
            self._is_too_long = True
            yield from self._limited(last[:-1])
            last = last[-1:]
        # The texts of the cues are as they were: their parts are offsets in them.
        self.cues = [cue for cue in self.cues if cue.index >= last[0].cue]
        self._begin = last[0].start

    def _limited(self, parts: tuple[CuePart, ...]) -> Iterator[CueSentence]:
        is_whole = not self._is_too_long and not _is_too_long(parts)
        texts = {cue.index: cue for cue in self.cues}
        for each in [parts] if is_whole else [(part,) for part in parts]:
            cues = [texts[part.cue] for part in each]
            text = _joined([cue.text[part.start : part.end] for cue, part in zip(cues, each, strict=True)])
            latest = max((cue.end_ms for cue in cues if cue.end_ms is not None), default=None)
            yield CueSentence(text, each, cues[0].start_ms, latest, cues[0].speaker, is_whole)

    def _sentences(self) -> Iterator[tuple[CuePart, ...]]:
        """The sentences as parts of cues, without the white space at the ends of each."""
        text = "\n".join(cue.text for cue in self.cues)
        starts = [0, *accumulate(len(cue.text) + 1 for cue in self.cues)]
        dashes = (dash.start() for dash in _DASH_LINE.finditer(text, self._begin))
        edges = sorted({self._begin, *(dash for dash in dashes if _is_dialogue(text[dash:])), len(text)})
        number = 0
        for low, high in pairwise(edges):
            for start, end in find_sentence_spans(text[low:high], self._language):
                parts = []
                while number < len(self.cues):
                    cue, place = self.cues[number], low - starts[number]
                    last = min(len(cue.text), place + end)
                    part = CuePart(cue.index, *strip_span(cue.text, max(0, place + start), last))
                    if part.start < part.end:
                        parts.append(part)
                    if last < len(cue.text) or number + 1 == len(self.cues):
                        break
                    number += 1
                if parts:
                    yield tuple(parts)


def _is_too_long(parts: Sequence[CuePart]) -> bool:
    return len(parts) > MAX_CUES or sum(part.end - part.start for part in parts) > MAX_LENGTH


def _joined(texts: Sequence[str]) -> str:
    """The parts of a sentence on one line; the dots of "I was going…" and "…to tell you" stand once."""
    lines: list[str] = []
    for text in texts:
        if lines and _ELLIPSIS_END.search(lines[-1]):
            text = _ELLIPSIS_START.sub("", text, count=1) or text
        lines += text.splitlines()
    return join_lines(lines)


@dataclass(frozen=True, slots=True)
class SentenceForms:
    """Forms of words by sentences: each different form once, and the sentences as places among these.

    A sentence is the cue and the offset (code points) where it begins, and the places of its forms, from 0 on. Nothing
    of it but the different forms is looked at by Python's collector of garbage, which would stop all threads for half
    a second with an object for every word of a long book.
    """

    different: tuple[TextForm, ...]
    sentences: Sequence[tuple[int, int, tuple[int, ...]]]


def find_sentence_forms(
    cues: Sequence[Cue], language: str | None, check: Callable[[], None] = lambda: None
) -> SentenceForms:
    """Cut cues into those of their sentences that have words. Takes about 50 µs a cue, more where a segmenter cuts.

    ``check`` is called for each sentence, to end this by raising.
    """
    rest: dict[int, list[TextForm]] = {}
    read = _reading(cues, language, rest)
    different: dict[FormKey, tuple[int, TextForm]] = {}
    sentences: list[tuple[int, int, tuple[int, ...]]] = []
    for sentence in each_sentence(read, language, cutting=cuts_sentences(cues[:SAMPLE])):
        check()
        forms = _of(sentence, rest)
        if places := tuple([different.setdefault(form.key, (len(different), form))[0] for form in forms]):
            sentences.append((sentence.first, sentence.parts[0].start, places))
    return SentenceForms(tuple(form for _, form in different.values()), sentences)


def _reading(cues: Iterable[Cue], language: str | None, rest: dict[int, list[TextForm]]) -> Iterator[Cue]:
    """Pass the cues on, and put their words into ``rest``, the first one last."""
    for cue in cues:
        rest[cue.index] = list(reversed(find_text_forms(cue.text, language)))
        yield cue


def _of(sentence: CueSentence, rest: dict[int, list[TextForm]]) -> Iterator[TextForm]:
    """Take the words of a sentence out of those that are left of its cues."""
    for part in sentence.parts:
        left = rest[part.cue]
        while left and left[-1].start < part.end:
            yield left.pop()
