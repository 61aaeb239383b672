"""Times, lines and speaker of a cue, for the formats that write them."""

from __future__ import annotations

from collections.abc import Callable

from tui.records.transcripts import Cue, Sentence
from tui.text.sanitize import one_line, without_controls

_SUNG = "♪"


def lines_of(text: str) -> list[str]:
    """The lines of a cue's text that have something in them: a blank one would end it in most formats."""
    return [line for each in without_controls(text).split("\n") if (line := each.strip())]


def speaker_of(cue: Cue | Sentence) -> str:
    """The speaker's name in one line; "" where the cue has none."""
    return one_line(cue.speaker or "")


def with_sounds(cue: Cue, lines: list[str], escaped: Callable[[str], str] = str) -> list[str]:
    """The lines with the sounds as subtitles for the deaf have them: on lines of their own, and notes around a song."""
    if _SUNG in cue.sounds:
        lines = [f"{_SUNG} {line} {_SUNG}" for line in lines]
    return [*(f"[{escaped(one_line(sound))}]" for sound in cue.sounds if sound != _SUNG), *lines]


def start_and_end(cue: Cue, point: str) -> tuple[str, str]:
    """Start and end as ``00:01:02,345``, with that decimal point; an end that nothing tells is the start."""
    start = cue.start_ms or 0
    return _time(start, point), _time(start if cue.end_ms is None else cue.end_ms, point)


def _time(moment: int, point: str) -> str:
    seconds, milliseconds = divmod(max(0, moment), 1000)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:02}:{minutes:02}:{seconds:02}{point}{milliseconds:03}"
