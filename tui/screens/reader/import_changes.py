"""Dialog of what the import changed in a transcript, cue by cue; the one that is chosen is gone to."""

from collections.abc import Iterator

from rich.cells import cell_len
from textual import work
from textual.content import Content

from tui.errors import LodeError, in_one_line
from tui.records.pages import Page
from tui.records.transcripts import OriginalCue
from tui.screens.dialogs.list_choice import ListChoice
from tui.service.protocol.records import Transcripts
from tui.text.cells import fit
from tui.text.display import clock, count_of, number
from tui.text.sanitize import one_line
from tui.widgets.chrome.themes import MUTED

_LISTED = 5000
"""Changes that are read at most; a film has fewer cues."""


class ImportChanges(ListChoice[OriginalCue]):
    """Dialog whose answer is one of the cues that the import changed, as it stood in the file; None after esc."""

    WIDTH = 100

    def __init__(self, transcripts: Transcripts, transcript_id: str) -> None:
        super().__init__(
            "What the import changed",
            placeholder="type to narrow the list: a word, dropped, merged, sound …",
            hint="reading what was changed …",
        )
        self._transcripts = transcripts
        self._transcript_id = transcript_id
        self._changes: Page[OriginalCue] = Page((), 0, 0)

    @work(exclusive=True, group="changes", exit_on_error=False)
    async def read(self) -> None:
        try:
            self._changes = await self._transcripts.changes(self._transcript_id, limit=_LISTED)
        except LodeError as error:
            self.say(in_one_line(error), error=True)
            return
        self.refresh_list()
        total, listed = self._changes.total, len(self._changes.items)
        first = f", the first {number(listed)} of them here" if listed < total else ""
        self.set_hint(
            f"{count_of(total, 'cue')} of the file changed{first} · enter goes there · esc back"
            if total
            else "nothing: the cues are those of the file · esc back"
        )

    def listed(self, typed: str) -> Iterator[tuple[OriginalCue, Content]]:
        low = typed.casefold()
        texts = ((each, " ".join((each.change, *each.reasons, one_line(each.text)))) for each in self._changes.items)
        found = [each for each, text in texts if low in text.casefold()]
        last = max((cell_len(clock(each.start_ms)) for each in found), default=0)
        return ((each, _entry(each, last)) for each in found)


def _entry(cue: OriginalCue, width: int) -> Content:
    """When it was shown, what was done and why, and how it stood in the file."""
    done = f"{cue.change} ({', '.join(cue.reasons)})"
    return Content.styled(f"{clock(cue.start_ms):>{width}}  {fit(done, 25)} ", MUTED) + Content(one_line(cue.text))
