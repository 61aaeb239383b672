"""Cues of what was heard: sentences of a length that can be read, with the times of words where they are known.

Times come from the words that the model gives, else from its segments, else from the spans in which somebody speaks,
over which the letters of a text are spread evenly.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from unicodedata import category, east_asian_width

from tui.language.scripts import is_spaceless, seam
from tui.language.sentence_ends import find_sentence_spans
from tui.records.media import Span
from tui.records.transcripts import Cue, CueDoubt, WordTime
from tui.transcribing.heard import Heard, Segment, find_repeated, is_loop

MAX_LINE, MAX_LINES = 42, 2
"""Cells of a line and lines of a cue, as subtitles have them everywhere."""
MAX_MS = 7_000
_PAUSE_MS = 1_500
"""A silence after which a sentence that goes on is another cue."""
_LINGER_MS = 300
"""How long a cue stays after its last word, where the next one leaves room."""
_LEAST_MS = 700
_LATE_MS = 400
"""How late a model may hear the first word behind a silence."""
_LEAST_SPEECH = 0.2
"""Share of a cue in which somebody has to speak; below that it was invented."""
_BREAKS = ",;:–—…，、；："
_STOPS = ".!?…。！？"
_NEVER_FIRST = "、。，．！？」』）］〉》ーっッゃゅょャュョぁぃぅぇぉァィゥェォ々ๆฯะาำ"
_NEVER_LAST = "「『（［〈《เแโใไເແໂໃໄ"
"""Signs that no line of a script without spaces begins or ends with; those of Thai and Lao are half a syllable."""
_REACH, _NEAR = 200, 12
"""Characters around the middle in which a text is split, and around a pause in which what is said before it ends."""


@dataclass(frozen=True, slots=True)
class _Timed:
    """Times of a part of a text: its code points ``start`` to ``end``; ``is_word`` where the model has told them."""

    start: int
    end: int
    start_ms: int
    end_ms: int
    is_word: bool


def make_cues(heard: Heard, piece: Span, speech: Sequence[Span] | None, language: str | None) -> list[Cue]:
    """Make the cues of a piece; times, also those of ``speech``, are of the recording, and indexes count from 0.

    ``speech`` are the spans in which somebody speaks, None where nobody has looked.
    """
    text, places = _lay_out(heard)
    if not text:
        return []
    times = _Times(list(_find_times(text, places, piece, speech)), frozenset(begin for begin, _ in places))
    parts = [
        part
        for start, end in find_sentence_spans(text, language)
        for paused in _split_at_pauses(text, start, end, times)
        for part in _split(text, *paused, times)
    ]
    cues: list[Cue] = []
    for start, end in parts:
        before = (cues[-1].end_ms or 0) if cues else 0
        cues.append(_begin_with_speech(_make_cue(text, start, end, times), speech or (), before))
    return _mark_doubts(_give_room(cues, piece), speech)


def count_doubts(cues: Sequence[Cue]) -> int:
    return sum(each.doubt is not None for each in cues)


def _lay_out(heard: Heard) -> tuple[str, list[tuple[int, Segment]]]:
    """The text of a piece, and its segments with their places in it."""
    text, places = "", list[tuple[int, Segment]]()
    for segment in heard.segments:
        if text:
            text += seam(text, segment.text)
        places.append((len(text), segment))
        text += segment.text
    return text, places


def _find_times(
    text: str, places: Sequence[tuple[int, Segment]], piece: Span, speech: Sequence[Span] | None
) -> Iterator[_Timed]:
    """The times of the parts of a text, in order; segments without times are said between their neighbours."""
    runs = [list(run) for _, run in groupby(places, key=lambda place: place[1].start_ms is None)]
    since = piece.start_ms
    for at, run in enumerate(runs):
        (begin, first), (last_begin, last) = run[0], run[-1]
        if first.start_ms is None:
            following = runs[at + 1][0][1].start_ms if at + 1 < len(runs) else None
            until = piece.end_ms if following is None else piece.start_ms + following
            yield from _spread(text, begin, last_begin + len(last.text), _clip(speech or [piece], since, until))
        else:
            for place in run:
                yield from _time_segment(*place, piece.start_ms)
            since = piece.start_ms + (last.end_ms or 0)


def _time_segment(begin: int, segment: Segment, moved: int) -> list[_Timed]:
    words = list(_place_words(segment, begin, moved))
    start, end = moved + (segment.start_ms or 0), moved + (segment.end_ms or 0)
    return words or [_Timed(begin, begin + len(segment.text), start, end, is_word=False)]


def _clip(spans: Sequence[Span], since: int, until: int) -> list[Span]:
    """Clip spans to the time between two moments; all of it where no span lies there."""
    clipped = [Span(max(each.start_ms, since), min(each.end_ms, until)) for each in spans]
    return [each for each in clipped if each.start_ms < each.end_ms] or [Span(since, max(since, until))]


def _spread(text: str, begin: int, end: int, spans: Sequence[Span]) -> Iterator[_Timed]:
    """Spread a part of a text, of which no times are known, over the spans in which it is said."""
    total, said, at = sum(each.end_ms - each.start_ms for each in spans), 0, begin
    for span in spans[:-1]:
        said += span.end_ms - span.start_ms
        place = _find_pause(text, begin + round((end - begin) * said / total), at, end)
        if at < place:
            yield _Timed(at, place, span.start_ms, span.end_ms, is_word=False)
        at = place
    if at < end:
        yield _Timed(at, end, spans[-1].start_ms, spans[-1].end_ms, is_word=False)


def _find_pause(text: str, near: int, since: int, until: int) -> int:
    """The place at which somebody pauses who has come about so far: the end of a sentence, a sign, or a space."""
    places = [at for at in range(max(since + 1, near - _NEAR), min(until, near + _NEAR)) if _may_break(text, at)]

    def costs(at: int) -> float:
        sign = text[max(0, at - 2) : at].rstrip()[-1:]
        return abs(at - near) - _NEAR * (sign in _STOPS) - _NEAR / 2 * (sign in _BREAKS)

    return min(places, key=costs, default=min(max(near, since), until))


def _place_words(segment: Segment, begin: int, moved: int) -> Iterator[_Timed]:
    """The words of a segment at their places in the text, which go on with the signs behind them."""
    at = 0
    for word in segment.words:
        said = word.text.strip()
        if said and (found := segment.text.find(said, at)) >= 0:
            at = found + len(said)
            yield _Timed(begin + found, begin + at, moved + word.start_ms, moved + word.end_ms, is_word=True)


class _Times:
    """Times of any part of a text, from those that are known."""

    def __init__(self, timed: Sequence[_Timed], begins: Set[int]) -> None:
        """``begins`` are the places at which the model has begun anew."""
        self._timed = timed
        self._starts, self._ends = [each.start for each in timed], [each.end for each in timed]
        self._borders = {*begins, *self._starts}

    def of(self, start: int, end: int) -> tuple[int, int]:
        """Start and end of a part, in milliseconds."""
        first, behind = self._places(start, end)
        if first >= behind:
            moment = self._timed[first - 1].end_ms if first else self._timed[0].start_ms
            return moment, moment
        begin_ms = self._moment(self._timed[first], start)
        return begin_ms, max(self._moment(self._timed[behind - 1], end), begin_ms)

    def is_border(self, at: int) -> bool:
        """Whether the model has heard what begins here as something of its own."""
        return at in self._borders

    def within(self, start: int, end: int) -> Sequence[_Timed]:
        """Find the timed parts of the text that a part overlaps."""
        return self._timed[slice(*self._places(start, end))]

    def _places(self, start: int, end: int) -> tuple[int, int]:
        return bisect_right(self._ends, start), bisect_left(self._starts, end)

    @staticmethod
    def _moment(timed: _Timed, at: int) -> int:
        share = (min(max(at, timed.start), timed.end) - timed.start) / (timed.end - timed.start)
        return round(timed.start_ms + share * (timed.end_ms - timed.start_ms))


def _split_at_pauses(text: str, start: int, end: int, times: _Times) -> Iterator[tuple[int, int]]:
    inside = times.within(start, end)
    for one, other in pairwise(inside):
        if other.start_ms - one.end_ms > _PAUSE_MS and one.is_word and other.is_word:
            yield _strip(text, start, other.start)
            start = other.start
    yield _strip(text, start, end)


def _split(text: str, start: int, end: int, times: _Times) -> Iterator[tuple[int, int]]:
    """Split what is too long for a cue: at a sign, else at a pause, else at a word, near the middle."""
    begin_ms, end_ms = times.of(start, end)
    part = text[start:end]
    lines = 1 if is_spaceless(part) else MAX_LINES
    is_wide = _measure_width(part) > MAX_LINE * lines or not all(map(_is_line, break_line(part).split("\n")))
    if not is_wide and end_ms - begin_ms <= MAX_MS:
        yield start, end
        return
    places = _find_places(text, start, end, times, anywhere=is_wide)
    if not places:
        yield start, end
        return
    middle, half = (start + end) / 2, (end - start) / 2

    def costs(at: int) -> float:
        pause = times.of(at, end)[0] - times.of(start, at)[1]
        sign = text[max(start, at - 2) : at].rstrip()[-1:]
        wins = 0.5 * (sign in _BREAKS) + 0.4 * min(1.0, max(0, pause) / 500)
        return abs(at - middle) / half - wins

    at = min(places, key=costs)
    yield from _split(text, *_strip(text, start, at), times)
    yield from _split(text, *_strip(text, at, end), times)


def _is_line(text: str) -> bool:
    return _measure_width(text) <= MAX_LINE


def _find_places(text: str, start: int, end: int, times: _Times, *, anywhere: bool) -> list[int]:
    """The places near the middle of a part at which a cue may end.

    In a script without spaces that is between what the model has heard as one, or else, where it has to end
    ``anywhere``, between any two characters.
    """
    middle, reach = (start + end) // 2, _REACH
    while True:
        near = range(max(start + 1, middle - reach), min(end, middle + reach + 1))
        places = [at for at in near if _may_break(text, at) or (times.is_border(at) and _may_part(text, at))]
        if places := places or [at for at in near if anywhere and _may_part(text, at)]:
            return places
        if middle - reach <= start:
            return []
        reach *= 4


def _measure_width(text: str) -> int:
    """The width of a text in the cells of a line: those of Chinese and Japanese are two each."""
    return len(text) if text.isascii() else sum(1 + (east_asian_width(sign) in "WF") for sign in text)


def _may_break(text: str, at: int) -> bool:
    """Whether a cue may end before this place: at a space or, without any, between characters of such a script."""
    if text[at].isspace():
        return False
    if text[at - 1].isspace():
        return True
    return text[at - 1] in _BREAKS and is_spaceless(text[at])


def _may_part(text: str, at: int) -> bool:
    """Whether these are two characters of a script without spaces that may stand on different lines."""
    left, right = text[at - 1], text[at]
    if not is_spaceless(left) or not is_spaceless(right) or left in _NEVER_LAST or right in _NEVER_FIRST:
        return False
    return not category(right).startswith("M")


def _strip(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def _make_cue(text: str, start: int, end: int, times: _Times) -> Cue:
    begin_ms, end_ms = times.of(start, end)
    words = tuple(
        WordTime(max(each.start, start) - start, min(each.end, end) - start, each.start_ms, each.end_ms)
        for each in times.within(start, end)
        if each.is_word
    )
    return Cue(0, begin_ms, max(end_ms, begin_ms + 1), break_line(text[start:end]), words=words)


def _begin_with_speech(cue: Cue, speech: Sequence[Span], before: int) -> Cue:
    """Let a cue begin with what is said behind a silence: models hear the first word there early or late.

    ``before`` is the end of the cue before it.
    """
    start, end = cue.start_ms or 0, cue.end_ms or 0
    at = bisect_right(speech, start, key=lambda span: span.end_ms)
    if at == len(speech):
        return cue
    begin = speech[at].start_ms
    if not (start < begin < end or before <= begin < start <= begin + _LATE_MS):
        return cue
    words = [replace(each, start_ms=max(begin, each.start_ms), end_ms=max(begin, each.end_ms)) for each in cue.words]
    if words and begin < start:
        words[0] = replace(words[0], start_ms=begin)
    return replace(cue, start_ms=begin, words=tuple(words))


def break_line(text: str) -> str:
    """Put a line break into a text of more than one line: at the space that makes both as long as each other."""
    if _measure_width(text) <= MAX_LINE:
        return text
    spaces = [at for at, sign in enumerate(text) if sign == " "]
    if not spaces:
        return text

    def costs(at: int) -> float:
        longer = max(_measure_width(text[:at]), _measure_width(text[at + 1 :]))
        return longer - 6 * (text[at - 1] in _BREAKS) + MAX_LINE * (longer > MAX_LINE)

    at = min(spaces, key=costs)
    return f"{text[:at]}\n{text[at + 1 :]}"


def _give_room(cues: Sequence[Cue], piece: Span) -> list[Cue]:
    """Order the times of cues that follow each other, and let each stay a moment where there is room."""
    found: list[Cue] = []
    for at, cue in enumerate(cues):
        start, end = cue.start_ms or 0, cue.end_ms or 0
        if found:
            start = max(start, found[-1].start_ms or 0)
        following = cues[at + 1].start_ms if at + 1 < len(cues) else piece.end_ms
        room = max(end, following if following is not None else end)
        end = max(end, min(room, max(end + _LINGER_MS, start + _LEAST_MS)), start + 1)
        found.append(replace(cue, index=at, start_ms=start, end_ms=end))
    return found


def _mark_doubts(cues: Sequence[Cue], speech: Sequence[Span] | None) -> list[Cue]:
    repeated = find_repeated([each.text for each in cues])
    return [replace(cue, doubt=_find_doubt(cue, speech, is_repeated=at in repeated)) for at, cue in enumerate(cues)]


def _find_doubt(cue: Cue, speech: Sequence[Span] | None, *, is_repeated: bool) -> CueDoubt | None:
    if is_repeated or is_loop(cue.text):
        return "loop"
    if speech is None:
        return None
    start, end = cue.start_ms or 0, cue.end_ms or 0
    spoken = sum(max(0, min(end, each.end_ms) - max(start, each.start_ms)) for each in speech)
    return "silence" if spoken < _LEAST_SPEECH * (end - start) else None
