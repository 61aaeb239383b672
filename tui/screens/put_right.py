"""Putting a transcript right: its words, which a model proposes, its times, or both."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tui.screens.corrections import correct
from tui.screens.dialogs.questions import Choice
from tui.screens.retiming import retime_against, retime_by_sound
from tui.text.cells import cut
from tui.text.sanitize import one_line

if TYPE_CHECKING:
    from tui.screens.section import SectionScreen

_WAYS = (("w", "Words"), ("f", "By its film"), ("t", "By a track"), ("b", "Both"))
_ABOUT = (
    "Words: a model proposes corrections, which you review.",
    "Times: by its film, or by a track whose times are right.",
    "Both: the words, and the times by its film.",
)
_TITLE_CELLS = 40


async def put_right(screen: SectionScreen, transcript_id: str) -> None:
    """Put the words or the times of a transcript right, or both, as is chosen; a text without times has words only."""
    with screen.typed_kept():
        transcript = await screen.service.transcripts.get(transcript_id)
    if transcript.duration_ms is None:
        await correct(screen, transcript.id)
        return
    question = f"Put {cut(one_line(transcript.title), _TITLE_CELLS, inside=True)} right"
    match await screen.app.push_screen_wait(Choice(question, _WAYS, _ABOUT)):
        case "w":
            await correct(screen, transcript.id)
        case "f":
            await retime_by_sound(screen, transcript.id)
        case "t":
            await retime_against(screen, transcript.id)
        case "b":
            if await correct(screen, transcript.id):
                await retime_by_sound(screen, transcript.id)
