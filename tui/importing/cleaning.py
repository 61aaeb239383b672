"""Cleaning of a subtitle's cues: repeated, broken and labelled cues become what is spoken, one cue for each line of it.

A step changes a cue, or the cues in the order of their times, and says of each why (``REASONS``). The cues of the file
are kept beside what they became, and the file's bytes are kept whole, so that every step can be seen and taken back.
Stored transcripts are never cleaned again, whatever is learned here.
"""

import re
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, pairwise
from typing import TypeAlias

from tui.importing.cue_list import MAX_ORIGINALS, CleanedCue, make_cue_list, make_original_list
from tui.importing.readers.cue_text import LAST_CUE_MS, mark_reading, unmark_readings
from tui.importing.sounds import take_out_sounds, take_out_speakers
from tui.language.scripts import RANGES
from tui.records.files import FileKind
from tui.records.transcripts import Cue, OriginalCue

Report: TypeAlias = Callable[[float], None] | None
"""Callback with the progress, from 0 to 1; what it raises ends the work."""
_REPORTED_CUES = 500


def clean_cues(
    cues: Sequence[Cue], kind: FileKind, *, language: str | None = None, as_is: bool = False, report: Report = None
) -> tuple[Sequence[Cue], Sequence[OriginalCue]]:
    """Clean the cues of a subtitle or text; gives what became of them and the cues of the file that were changed.

    ``language`` is the tag of theirs, None where nothing tells it: sounds are known by their words. In a text only
    readings are looked for: brackets and dashes are the author's. ``as_is``: only times that can't be are mended. Both
    are read from a temporary file where there are many.
    """
    stream: Iterator[CleanedCue] = mend_times(map(CleanedCue, _with_progress(cues, report)))
    steps: list[Callable[[CleanedCue], None]] = [] if as_is else [take_out_readings]
    if kind == "subtitle" and not as_is:
        stream = join_frames(merge_rolling(stream) if is_rolling(cues) else stream)
        steps += [break_lines, partial(take_out_sounds, language=language), take_out_speakers]
    kept, originals = make_cue_list(), make_original_list()
    for cue in stream:
        for step in steps:
            step(cue)
        index = len(kept)
        for original in cue.originals_as(index):
            originals.append(original)
        if cue.cue.text:
            kept.append(cue.cue if cue.cue.index == index else replace(cue.cue, index=index))
    return kept.values(), originals.values()


def _with_progress(cues: Sequence[Cue], report: Report) -> Iterator[Cue]:
    for number, cue in enumerate(cues):
        if report is not None and number % _REPORTED_CUES == 0:
            report(number / len(cues))
        yield cue
    if report is not None:
        report(1.0)


def mend_times(cues: Iterator[CleanedCue]) -> Iterator[CleanedCue]:
    """Show a cue whose end is not after its start until the next begins, for some seconds at most."""
    for cue, following in pairwise(chain(cues, (None,))):
        assert cue is not None  # only the last, which is the first of no pair
        start, end = cue.cue.start_ms, cue.cue.end_ms
        if start is not None and end is not None and end <= start:
            latest, next_start = start + LAST_CUE_MS, (following and following.cue.start_ms) or 0
            cue.change("times", end_ms=min(latest, next_start) if next_start > start else latest)
        yield cue


# Cleaning step: captions that roll up, as YouTube's automatic ones do, become one cue for each line that is spoken.
#
# Such a caption shows the line before once more above the new one, and between two of them holds the last line for
# about ten milliseconds. Only exactly the same lines are taken for a repetition, and only in a file that is made so:
# elsewhere who says "No." twice has said it twice.

_CONTIGUOUS_MS = 50
"""Longest time between two captions that roll: in it the screen is not seen empty."""
_LOOKED_AT = 400
"""Number of cues at the beginning that show how a file is made."""
_SHARE = 0.2
"""Least share of its cues that show something new below what the cue before has shown, in a file that rolls."""
_FEWEST = 3


def is_rolling(cues: Sequence[Cue]) -> bool:
    """Whether these are captions that roll up."""
    first = [cues[number] for number in range(min(len(cues), _LOOKED_AT))]
    rolled = sum(
        _follows(before, cue) and 0 < _shown_before(before, cue) <= cue.text.count("\n")
        for before, cue in pairwise(first)
    )
    return rolled >= _FEWEST and rolled >= _SHARE * len(first)


def merge_rolling(cues: Iterator[CleanedCue]) -> Iterator[CleanedCue]:
    """Leave out of each caption the lines that the one before has shown; one that shows nothing else is merged."""
    kept: CleanedCue | None = None
    before: Cue | None = None
    for cue in cues:
        shown = cue.cue
        repeated = _shown_before(before, shown) if before is not None and _follows(before, shown) else 0
        before = shown
        lines = shown.text.split("\n")
        if kept is not None and len(kept.originals) < MAX_ORIGINALS and repeated == len(lines):
            kept.absorb(cue, "rolling")
            continue
        if kept is not None:
            yield kept
        kept = cue
        if 0 < repeated < len(lines):
            cue.change("rolling", text="\n".join(lines[repeated:]), ruby=())
    if kept is not None:
        yield kept


def _follows(before: Cue, cue: Cue) -> bool:
    if before.end_ms is None or cue.start_ms is None:
        return False
    return abs(cue.start_ms - before.end_ms) <= _CONTIGUOUS_MS


def _shown_before(before: Cue, cue: Cue) -> int:
    """Count the lines at the beginning of a cue that are the last of the one before."""
    last, lines = before.text.split("\n"), cue.text.split("\n")
    return next((n for n in range(min(len(last), len(lines)), 0, -1) if lines[:n] == last[-n:]), 0)


_FRAME_MS = 200
"""Longest cue of text that moves; nobody could read one that is shown no longer."""
_GAP_MS = 60
"""Longest time between two frames: a film has 24 a second or more."""
_MAX_WAITING = 500


def join_frames(cues: Iterator[CleanedCue]) -> Iterator[CleanedCue]:
    """Join cues with the same text that are shown at once, or one right after the other for a frame each."""
    waiting: deque[CleanedCue] = deque()
    by_text: dict[str, CleanedCue] = {}
    for cue in cues:
        start = cue.cue.start_ms
        if start is None:
            yield cue
            continue
        while waiting and (len(waiting) > _MAX_WAITING or (waiting[0].cue.end_ms or 0) + _GAP_MS < start):
            done = waiting.popleft()
            if by_text.get(done.cue.text) is done:
                del by_text[done.cue.text]
            yield done
        same = by_text.get(cue.cue.text)
        if same is not None and len(same.originals) < MAX_ORIGINALS and (reason := _reason(same, cue)):
            same.absorb(cue, reason)
        else:
            by_text[cue.cue.text] = cue
            waiting.append(cue)
    yield from waiting


def _reason(shown: CleanedCue, cue: CleanedCue) -> str:
    """The reason to join two cues with the same text, "" where there is none."""
    start, end = cue.cue.start_ms or 0, cue.cue.end_ms or 0
    if (shown.cue.start_ms, shown.cue.end_ms) == (start, end):
        return "duplicate"
    last = shown.originals[-1]
    is_frame = end - start <= _FRAME_MS and (last.end_ms or 0) - (last.start_ms or 0) <= _FRAME_MS
    return "frames" if is_frame and start <= (shown.cue.end_ms or 0) + _GAP_MS else ""


# Cleaning step: readings in brackets behind Chinese characters, 漢字(かんじ), become the cue's ruby.
#
# Only kana behind such characters are a reading; whatever else stands in brackets is text.

_BRACKETS = (("(", ")"), ("（", "）"), ("[", "]"), ("［", "］"), ("【", "】"), ("《", "》"), ("≪", "≫"))
_READING = re.compile(
    "|".join(
        rf"([{RANGES['Han']}]{{1,20}}){re.escape(opening)}([{RANGES['Hiragana']}{RANGES['Katakana']}]{{1,40}})"
        rf"{re.escape(closing)}"
        for opening, closing in _BRACKETS
    )
)
_SIGNS = re.compile("[" + re.escape("".join(opening for opening, _ in _BRACKETS)) + "]")


def take_out_readings(cue: CleanedCue) -> None:
    text = cue.cue.text
    if not cue.cue.ruby and not text.isascii() and _SIGNS.search(text):
        plain, ruby = unmark_readings(_READING.sub(lambda found: mark_reading(*filter(None, found.groups())), text))
        if ruby:
            cue.change("ruby", text=plain, ruby=ruby)


_BAR = re.compile(r"(?<=[^\s|])\|(?=[^\s|])")


def break_lines(cue: CleanedCue) -> None:
    if "|" in cue.cue.text and not cue.cue.ruby and _BAR.search(cue.cue.text):
        cue.change("lines", text=_BAR.sub("\n", cue.cue.text))
