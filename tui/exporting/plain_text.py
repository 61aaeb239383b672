"""Writer of plain text (.txt): a line for each sentence, with who says it in front where subtitles tell.

Behind a heading, which ends in no full stop, there is a blank line: without it nobody could tell where it ends.
"""

from __future__ import annotations

from tui.exporting.cue_parts import lines_of, speaker_of
from tui.language.joining import join_lines
from tui.language.sentences.sentence_ends import ends_with_stop
from tui.records.transcripts import Cue, Sentence


def text_line(spoken: Cue | Sentence) -> str:
    """A sentence, or a cue of a text that is one, in a line; "" where there is nothing in it."""
    lines = lines_of(spoken.text)
    if not lines:
        return ""
    line = join_lines(lines) if len(lines) > 1 else lines[0]
    if speaker := speaker_of(spoken):
        line = f"{speaker}: {line}"
    is_heading = spoken.start_ms is None and not ends_with_stop(line)
    return f"{line}\n\n" if is_heading else f"{line}\n"
