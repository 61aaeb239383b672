"""Writer of SubRip (.srt): UTF-8 without a mark and with line feeds, which every player of today reads.

SubRip has no escapes and no fields. A text that would be read as a tag or as a time line is parted by an empty pair of
tags, which players hide as our reader does. Speakers and sounds stand in brackets, as in subtitles for the deaf, from
which an import takes them back into their fields; "[Name]:" is the one form that no sound and no sentence has. Readings
are left out.
"""

from __future__ import annotations

import re

from tui.exporting.cue_parts import lines_of, speaker_of, start_and_end, with_sounds
from tui.records.transcripts import Cue

_TAG = re.compile(r"<(?=/?(?:i|b|u|s|font)(?:[ \t/=][^<>]*)?>)", re.IGNORECASE)
_BRACE = re.compile(r"\{(?=\\|/?[ibus]\}|[yY]:[ibus,])")
_TIMES = re.compile(r"[0-9]+ ?:.*(?:-->|--&gt;|->|,)")
_NOTHING = "<i></i>"
_NO_BRACE = "{i}"
"""Hidden as SubRip's own way of writing a tag, by who hides braces at all."""


def srt_cue(cue: Cue) -> str:
    lines = [_literally(line) for line in lines_of(cue.text)]
    if not lines:
        return ""
    if speaker := speaker_of(cue):
        lines[0] = f"[{_literally(speaker)}]: {lines[0]}"
    start, end = start_and_end(cue, ",")
    return "\n".join((str(cue.index + 1), f"{start} --> {end}", *with_sounds(cue, lines), "", ""))


def _literally(line: str) -> str:
    """The line so that nothing of it is markup."""
    if "<" in line:
        line = _TAG.sub(f"<{_NOTHING}", line)
    if "{" in line:
        line = _BRACE.sub("{" + _NO_BRACE, line)
    return _NOTHING + line if _TIMES.match(line) else line
