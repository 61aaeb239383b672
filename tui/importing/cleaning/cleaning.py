"""Cleaning of a subtitle's cues: repeated, broken and labelled cues become what is spoken, one cue for each line of it.

A step is a generator in a file of its own that gets the cues in the order of their times and says of each that it
changes why (``REASONS``). The cues of the file are kept beside what they became, and the file's bytes are kept whole,
so that every step can be seen and taken back. Stored transcripts are never cleaned again, whatever is learned here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from tui.importing.cleaning.cleaned_cue import CleanedCue
from tui.importing.cleaning.lines import break_lines
from tui.importing.cleaning.rolling import is_rolling, merge_rolling
from tui.importing.cleaning.ruby import take_out_readings
from tui.importing.cleaning.sounds import take_out_sounds
from tui.importing.cleaning.speakers import take_out_speakers
from tui.importing.cleaning.times import mend_times
from tui.importing.cleaning.typesetting import join_frames
from tui.importing.cue_list import cue_list, original_list
from tui.records.files import FileKind
from tui.records.transcripts import Cue, OriginalCue

_REPORTED_CUES = 500


def cleaned(
    cues: Sequence[Cue],
    kind: FileKind,
    *,
    language: str | None = None,
    as_is: bool = False,
    report: Callable[[float], None] | None = None,
) -> tuple[Sequence[Cue], Sequence[OriginalCue]]:
    """Clean the cues of a subtitle or text; gives what became of them and the cues of the file that were changed.

    ``language`` is the tag of theirs, None where nothing tells it: sounds are known by their words. In a text only
    readings are looked for: brackets and dashes are the author's. ``as_is``: only times that can't be are mended. Both
    are read from a temporary file where there are many. ``report`` gets the progress, from 0 to 1; what it raises ends
    the work.
    """
    stream: Iterator[CleanedCue] = mend_times(map(CleanedCue, _with_progress(cues, report)))
    if not as_is:
        if kind == "subtitle":
            stream = join_frames(merge_rolling(stream) if is_rolling(cues) else stream)
        stream = take_out_readings(stream)
        if kind == "subtitle":
            stream = take_out_speakers(take_out_sounds(break_lines(stream), language))
    kept, originals = cue_list(), original_list()
    for cue in stream:
        index = len(kept)
        for original in cue.originals_as(index):
            originals.append(original)
        if cue.cue.text:
            kept.append(cue.cue if cue.cue.index == index else replace(cue.cue, index=index))
    return kept.values(), originals.values()


def _with_progress(cues: Sequence[Cue], report: Callable[[float], None] | None) -> Iterator[Cue]:
    for number, cue in enumerate(cues):
        if report is not None and number % _REPORTED_CUES == 0:
            report(number / len(cues))
        yield cue
    if report is not None:
        report(1.0)
