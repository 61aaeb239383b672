"""Editing of cues by hand: what becomes of a cue's text, times, words and readings; nothing of this is stored here.

Times of words and readings stay as far as their words still stand in the text. Whoever edits a cue has heard it, so no
doubt is left of it. A part that is cut off is said in the time of its words, else in its share of the letters.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from tui.errors import InvalidInput
from tui.records.transcripts import Cue, Ruby, WordTime

_MOST_COMPARED = 1_000_000
"""Product of the lengths of two texts up to which what they have in common is looked for letter by letter."""


def change_text(cue: Cue, text: str) -> Cue:
    """The cue with another text."""
    if text == cue.text:
        return replace(cue, doubt=None)
    find = _finder(cue.text, text)
    words = tuple(
        replace(word, start=place, end=place + word.end - word.start)
        for word in cue.words
        if (place := find(word.start, word.end)) is not None
    )
    ruby = tuple(
        replace(each, start=place, end=place + each.end - each.start)
        for each in cue.ruby
        if (place := find(each.start, each.end)) is not None
    )
    return replace(cue, text=text, words=words, ruby=ruby, doubt=None)


def change_times(cue: Cue, start_ms: int, end_ms: int) -> Cue:
    """The cue at another time: its words move along where its length stays, else they are said when they were."""
    if cue.start_ms is None or cue.end_ms is None:
        return cue
    moved = start_ms - cue.start_ms
    if end_ms - cue.end_ms == moved:
        return replace(move_cue(cue, moved), doubt=None)
    words = tuple(
        replace(word, start_ms=max(word.start_ms, start_ms), end_ms=min(word.end_ms, end_ms))
        for word in cue.words
        if word.start_ms < end_ms and word.end_ms > start_ms
    )
    return replace(cue, start_ms=start_ms, end_ms=end_ms, words=words, doubt=None)


def move_cue(cue: Cue, ms: int) -> Cue:
    """The cue so many milliseconds later."""
    if cue.start_ms is None or cue.end_ms is None:
        return cue
    words = tuple(replace(word, start_ms=word.start_ms + ms, end_ms=word.end_ms + ms) for word in cue.words)
    return replace(cue, start_ms=cue.start_ms + ms, end_ms=cue.end_ms + ms, words=words)


def split_cue(cue: Cue, at: int) -> tuple[Cue, Cue]:
    """The cue as two, the second from a code point of its text on; raises ``InvalidInput`` where one would be empty."""
    left, right = cue.text[:at].rstrip(), cue.text[at:].lstrip()
    if at <= 0 or not left or not right:
        said = "there is nothing to split off there"
        raise InvalidInput(said, hint="name a place inside of the text", code="nothing_to_split", field="at")
    begin = len(cue.text) - len(right)
    first = replace(cue, text=left, doubt=None, words=_words_within(cue, 0, len(left)), ruby=_ruby(cue, 0, len(left)))
    second = replace(
        cue,
        index=cue.index + 1,
        text=right,
        sounds=(),
        doubt=None,
        words=_words_within(cue, begin, len(cue.text)),
        ruby=_ruby(cue, begin, len(cue.text)),
    )
    if cue.start_ms is None or cue.end_ms is None:
        return first, second
    ends, begins = _times_at(cue, first, second, cue.start_ms, cue.end_ms)
    return replace(first, end_ms=ends), replace(second, start_ms=begins)


def _times_at(cue: Cue, first: Cue, second: Cue, start_ms: int, end_ms: int) -> tuple[int, int]:
    """When the first part of a cue ends, and the second begins."""
    last = first.words[-1].end_ms if first.words else None
    following = second.words[0].start_ms if second.words else None
    known = [each for each in (last, following) if each is not None and start_ms < each < end_ms]
    if len(known) == 2 and known[0] <= known[1]:
        return known[0], known[1]
    letters, before = (sum(map(str.isalnum, text)) for text in (first.text + second.text, first.text))
    share = before / letters if letters else len(first.text) / len(cue.text)
    cut = known[0] if len(known) == 1 else start_ms + round((end_ms - start_ms) * share)
    if end_ms - start_ms < 2:
        return end_ms, start_ms  # too short to be shared out
    cut = max(start_ms + 1, min(cut, end_ms - 1))
    return cut, cut


def merge_cues(first: Cue, second: Cue) -> Cue:
    """Two cues that follow each other as one, on a line each; a speaker of one of them speaks all of it."""
    begin = len(first.text) + 1
    ends = [each.end_ms for each in (first, second) if each.end_ms is not None]
    return replace(
        first,
        text=f"{first.text}\n{second.text}",
        start_ms=second.start_ms if first.start_ms is None else first.start_ms,
        end_ms=max(ends, default=None),
        speaker=first.speaker or second.speaker,
        ruby=(*first.ruby, *_move_ruby(second.ruby, begin)),
        sounds=(*first.sounds, *second.sounds),
        words=(*first.words, *_move_words(second.words, begin)),
        doubt=None,
    )


def _words_within(cue: Cue, begin: int, end: int) -> tuple[WordTime, ...]:
    return tuple(_move_words((word for word in cue.words if begin <= word.start and word.end <= end), -begin))


def _ruby(cue: Cue, begin: int, end: int) -> tuple[Ruby, ...]:
    return tuple(_move_ruby((each for each in cue.ruby if begin <= each.start and each.end <= end), -begin))


def _move_words(words: Iterable[WordTime], by: int) -> Iterator[WordTime]:
    return (replace(word, start=word.start + by, end=word.end + by) for word in words)


def _move_ruby(ruby: Iterable[Ruby], by: int) -> Iterator[Ruby]:
    return (replace(each, start=each.start + by, end=each.end + by) for each in ruby)


def _finder(old: str, new: str) -> Callable[[int, int], int | None]:
    """Function that finds where a word of the old text begins in the new one, None where it does not stand there."""
    from difflib import SequenceMatcher

    ahead = _count_same(old, new)
    behind = _count_same(old[ahead:][::-1], new[ahead:][::-1])
    blocks = [(0, 0, ahead), (len(old) - behind, len(new) - behind, behind)]
    middle, its_middle = old[ahead : len(old) - behind], new[ahead : len(new) - behind]
    if len(middle) * len(its_middle) <= _MOST_COMPARED:
        found = SequenceMatcher(None, middle, its_middle, autojunk=False).get_matching_blocks()
        blocks += [(ahead + block.a, ahead + block.b, block.size) for block in found]

    def find(start: int, end: int) -> int | None:
        for here, there, size in blocks:
            # A word may go on from what both begin with into what comes next: that is not whole in one block.
            if here <= start and end <= here + size:
                place = there + start - here
                if all(
                    _is_inside(old, mine) or not _is_inside(new, its)
                    for mine, its in ((start, place), (end, place + end - start))
                ):
                    return place
        return None

    return find


def _count_same(one: str, other: str) -> int:
    """How many characters both begin with."""
    shorter = min(len(one), len(other))
    return next((place for place in range(shorter) if one[place] != other[place]), shorter)


def _is_inside(text: str, place: int) -> bool:
    """Whether a place is inside of a word: letters on both of its sides."""
    return 0 < place < len(text) and text[place - 1].isalnum() and text[place].isalnum()
