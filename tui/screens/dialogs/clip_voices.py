"""Voices of clips in the app: clips without a sound are spoken; where all have one, it is asked what is to happen."""

from __future__ import annotations

from collections.abc import Sequence

from tui.errors import LodeError, in_two_lines
from tui.records.exports import ClipSelection
from tui.records.jobs import Job
from tui.screens.dialogs.questions import Choice
from tui.screens.messages import LibraryChanged
from tui.screens.section import SectionScreen
from tui.text.display import count_of


async def speak_clips(screen: SectionScreen, ids: Sequence[str]) -> None:
    """Have the clips spoken by the voices of the settings, or take away those that they have."""
    selection, media = ClipSelection(ids=tuple(ids)), screen.service.media
    try:
        job = await media.speak(selection)
        if job is None:
            match await _asked(screen, len(ids)):
                case "v":
                    job = await media.speak(selection, again=True)
                case "x":
                    count = await media.unspeak(selection)
                    screen.notify(f"{count_of(count, 'clip')} without the machine's voice", markup=False)
                    screen.post_message(LibraryChanged("clip"))
                    return
                case _:
                    return
        _tell(screen, job)
    except LodeError as error:
        screen.notify(in_two_lines(error), severity="error", markup=False)


async def _asked(screen: SectionScreen, clips: int) -> str:
    question = "It has a sound already." if clips == 1 else "All of them have a sound already."
    options = (("v", "Speak again"), ("x", "No voice"), ("esc", "Leave it"))
    return await screen.app.push_screen_wait(Choice(question, options, ("What was recorded stays in any case.",)))


def _tell(screen: SectionScreen, job: Job | None) -> None:
    if job is None:
        screen.notify("what was recorded stays", markup=False)
        return
    screen.post_message(LibraryChanged("job", jobs=(job,)))
