"""Writer of plain text (.txt): what is said, a line for each cue and each speaker in it, with who says it in front.

The lines of a cue, which are as long as a screen has room, are joined.
"""

from __future__ import annotations

from tui.exporting.cue_parts import lines_of, speaker_of
from tui.language.joining import join_lines
from tui.records import Cue

_DASHES = ("-", "–", "—", "‐")


def text_cue(cue: Cue) -> str:
    spoken: list[list[str]] = []
    for line in lines_of(cue.text):
        if spoken and not line.startswith(_DASHES):
            spoken[-1].append(line)
        else:
            spoken.append([line])
    lines = [join_lines(each) for each in spoken]
    if lines and (speaker := speaker_of(cue)):
        lines[0] = f"{speaker}: {lines[0]}"
    return "".join(f"{line}\n" for line in lines)
