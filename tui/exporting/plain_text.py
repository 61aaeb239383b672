"""Writer of plain text (.txt): a line for each sentence, with who says it in front where subtitles tell."""

from __future__ import annotations

from tui.exporting.cue_parts import lines_of, speaker_of
from tui.language.joining import join_lines
from tui.records import Cue, Sentence


def text_line(spoken: Cue | Sentence) -> str:
    """A sentence, or a cue of a text that is one, in a line; "" where there is nothing in it."""
    line = join_lines(lines_of(spoken.text))
    speaker = speaker_of(spoken)
    return f"{speaker}: {line}\n" if speaker and line else f"{line}\n" if line else ""
