"""Retiming of a transcript from the app: by the sound of its film, by another track, by what is said now.

Each says what it did, and how that is undone; ``LodeError`` is left to the screen.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tui.records.retiming import LEAST_DRIFT_MS
from tui.screens.messages import LibraryChanged
from tui.text.retimings import describe_retiming
from tui.widgets.chrome.key_line import shown_key

if TYPE_CHECKING:
    from tui.records.retiming import RetimingPlan
    from tui.records.transcripts import Cue
    from tui.screens.section import SectionScreen

RETIMING_COMMANDS = (
    ("Retime by the sound of its film", "all lines earlier or later, as they are said there", "retime_by_sound"),
    ("Retime by another track", "all lines as in a subtitle of this film that is in time", "retime_against"),
)
"""Commands of the palette on a transcript."""


async def retime_by_sound(screen: SectionScreen, transcript_id: str) -> None:
    """Retime a transcript by the sound of its film, which takes some seconds."""
    service = screen.service
    job = await service.retiming.by_sound(transcript_id)
    screen.say("listening to parts of the film …")
    screen.post_message(LibraryChanged("job", jobs=(job,)))
    async for each in service.jobs.follow([job.id]):
        if each.state == "succeeded":
            screen.say(each.message + _undoes(screen))


async def retime_against(screen: SectionScreen, transcript_id: str) -> bool:
    """Let people choose a track of the same film, and retime a transcript by it; whether that was done."""
    from tui.screens.transcript_edit import TrackChoice

    service = screen.service
    with screen.typed_kept():
        transcript = await service.transcripts.get(transcript_id)
    choice = TrackChoice(
        service, transcript, f'In time with "{transcript.title}"', "enter takes its times · esc leaves"
    )
    if not (chosen := await screen.app.push_screen_wait(choice)):
        return False
    _tell(screen, await service.retiming.against(transcript.id, chosen))
    screen.post_message(LibraryChanged("transcript", "cue"))
    return True


@dataclass(frozen=True, slots=True)
class SaidCue:
    """A cue of a transcript, and the moment of its film at which it was said."""

    transcript_id: str
    index: int
    at_ms: int


async def retime_to_said(
    screen: SectionScreen, transcript_id: str, cue: Cue, at_ms: int, before: SaidCue | None
) -> SaidCue:
    """Retime a transcript so that a cue is said now, and the one ``before`` when it was; gives this cue for the next.

    A cue that is too near the one before gives an offset alone.
    """
    by_hand = screen.service.retiming.by_hand
    if before is None or before.transcript_id != transcript_id or abs(at_ms - before.at_ms) < LEAST_DRIFT_MS:
        plan = await by_hand(transcript_id, cue.index, at_ms)
        _tell(screen, plan, f" · once more, {LEAST_DRIFT_MS // 60_000} minutes on, finds a drift")
    else:
        plan = await by_hand(transcript_id, before.index, before.at_ms, other_index=cue.index, other_at_ms=at_ms)
        _tell(screen, plan)
    return SaidCue(transcript_id, cue.index, at_ms)


def _tell(screen: SectionScreen, plan: RetimingPlan, more: str = "") -> None:
    screen.say(f"{describe_retiming(plan)}{more}{_undoes(screen)}")


def _undoes(screen: SectionScreen) -> str:
    return f" · {key} undoes it" if (key := shown_key(screen, "undo")) else ""
