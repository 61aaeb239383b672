"""Move of what is marked in a list to another profile: which one, a look at what goes along, then the move."""

from collections.abc import Sequence
from typing import Any, Protocol

from tui.records.library import Moved
from tui.screens.clip_keeping import taken_back
from tui.screens.dialogs.profiles import ProfileChoice
from tui.screens.dialogs.questions import Confirm
from tui.screens.messages import LibraryChanged
from tui.screens.section import SectionScreen
from tui.text.display import count_of
from tui.widgets.chrome.key_line import shown_key


class MovableRecords(Protocol):
    async def move(self, *record_ids: str, to: str, dry_run: bool = False) -> Moved: ...


async def move_records(screen: SectionScreen, records: Any, ids: Sequence[str], noun: str) -> bool:
    """Ask for a profile, and move there; False where nothing was moved."""
    movable: MovableRecords = records
    hint = "enter moves there · another name makes a new one · esc stays"
    what = count_of(len(ids), noun)
    to = await screen.app.push_screen_wait(ProfileChoice(screen.service, title=f"Move {what} to", hint=hint))
    if to is None:
        return False
    if to == screen.service.profile:
        screen.say(f"{'it is' if len(ids) == 1 else 'they are'} in this profile")
        return False
    with screen.typed_kept():
        planned = await movable.move(*ids, to=to, dry_run=True)
    if not await screen.app.push_screen_wait(
        Confirm(
            f"Move {what} to the profile {to}?",
            _details(planned, noun, shown_key(screen, "undo")),
            yes="Move",
            no="Not now",
        )
    ):
        return False
    moved = await movable.move(*ids, to=to)
    told = f"{count_of(moved.count, noun)} moved to {to}"
    screen.say(" · ".join(filter(None, (told, taken_back(screen)))))
    screen.post_message(LibraryChanged("file", "transcript", "clip", "job", "word", "cue"))
    return True


def _details(planned: Moved, noun: str, undo: str) -> list[str]:
    """Lines that say what goes along, and what stays."""
    counts = {"file": planned.files, "transcript": planned.transcripts, "clip": planned.clips}
    along = [count_of(count, each) for each, count in counts.items() if each != noun and count]
    goes, them = ("It goes", "it") if planned.count == 1 else ("They go", "them")
    lines = [f"{goes} with {' and '.join(along)}."] if along else []
    if planned.clips:
        lines.append("To the decks of that profile the clips are new; what Anki has of them is known again.")
    lines.append("What you know of words, and the history of answers, stay here.")
    return [*lines, *([f"{undo} brings {them} back."] if undo else [])]
