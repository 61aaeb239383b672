"""Bookmarks at the cues of one transcript, as the reader has them; one is set and taken away with the same key."""

from tui.records.transcripts import Bookmark
from tui.screens.messages import LibraryChanged
from tui.screens.section import SectionScreen
from tui.service.protocol.records import Bookmarks
from tui.widgets.chrome.key_line import shown_key


class CueBookmarks:
    """Bookmarks of a transcript by their cues, as they were read last."""

    def __init__(self) -> None:
        self._bookmarks: dict[int, Bookmark] = {}

    @property
    def cues(self) -> frozenset[int]:
        return frozenset(self._bookmarks)

    def clear(self) -> None:
        """Forget all: another transcript is shown."""
        self._bookmarks.clear()

    async def read(self, bookmarks: Bookmarks, transcript_id: str) -> None:
        """Read the bookmarks anew. Raises ``LodeError``."""
        self._bookmarks = {each.cue_index: each for each in await bookmarks.of(transcript_id)}

    async def toggle(self, screen: SectionScreen, transcript_id: str, first: int, last: int) -> None:
        """Take the bookmark away that a sentence has, from one cue to another, or set one. Raises ``LodeError``."""
        bookmarks = screen.service.bookmarks
        await self.read(bookmarks, transcript_id)
        here = next((each for cue, each in self._bookmarks.items() if first <= cue <= last), None)
        if here is None:
            await bookmarks.put(transcript_id, first)
            screen.say(f"a bookmark is set · {shown_key(screen, 'bookmarks')} lists them")
        else:
            await bookmarks.delete(here.id)
            screen.say(f"the bookmark is gone · {shown_key(screen, 'undo')} brings it back")
        screen.post_message(LibraryChanged("bookmark"))
