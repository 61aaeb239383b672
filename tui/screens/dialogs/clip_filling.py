"""Filling of clips in the app, with meanings or with voices: a look at what comes, and then it is kept."""

from collections.abc import Sequence

from tui.records.clips import FilledClip
from tui.records.exports import ClipSelection
from tui.screens.clip_keeping import taken_back
from tui.screens.dialogs.questions import Choice, Confirm
from tui.screens.messages import LibraryChanged
from tui.screens.section import SectionScreen
from tui.text.clip_fields import told_filled
from tui.text.display import count_of, without_meaning
from tui.text.sanitize import one_line


async def fill_clips(screen: SectionScreen, ids: Sequence[str]) -> None:
    """Show what clips would get, and fill them once that is wanted."""
    selection, clips = ClipSelection(ids=tuple(ids)), screen.service.clips
    with screen.typed_kept():
        planned = await clips.fill(selection, dry_run=True)
    lacks = without_meaning(planned.without_meaning, planned.looked_at) if planned.without_meaning else ""
    if not planned.filled:
        screen.say(f"nothing to fill{f': {lacks}, and no dictionary has one' if lacks else ''}")
        return
    question = f"Fill {count_of(len(planned.filled), 'clip')} with what dictionaries say?"
    details = [*map(_line, planned.filled), *([f"{lacks} then."] if lacks else [])]
    if await screen.app.push_screen_wait(Confirm(question, details, yes="Fill", no="Not now")):
        report = await clips.fill(selection)
        told = (f"{count_of(len(report.filled), 'clip')} filled", taken_back(screen))
        screen.say(" · ".join(filter(None, told)))
        screen.post_message(LibraryChanged("clip"))


def _line(filled: FilledClip) -> str:
    clip = filled.clip
    word = clip.focus.surface if clip.focus is not None else clip.sentence
    return f"{one_line(word)} → {told_filled(filled)}"


async def speak_clips(screen: SectionScreen, ids: Sequence[str]) -> None:
    """Have the clips spoken by the voices of the settings, or take away those that they have."""
    selection, media = ClipSelection(ids=tuple(ids)), screen.service.media
    job = await media.speak(selection)
    if job is None:
        question = "It has a sound already." if len(ids) == 1 else "All of them have a sound already."
        options = (("v", "Speak again"), ("x", "No voice"), ("esc", "Leave it"))
        details = ("What was recorded stays in any case.",)
        answer = await screen.app.push_screen_wait(Choice(question, options, details))
        if answer == "x":
            count = await media.unspeak(selection)
            screen.say(f"{count_of(count, 'clip')} without the machine's voice")
            screen.post_message(LibraryChanged("clip"))
        if answer != "v":
            return
        job = await media.speak(selection, again=True)
    if job is None:
        screen.say("what was recorded stays")
    else:
        screen.post_message(LibraryChanged("job", jobs=(job,)))
