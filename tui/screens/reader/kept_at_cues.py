"""Clips, notes and bookmarks at the cues of one transcript, as the reader has them; two of them are made here."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from functools import partial

from tui.errors import LodeError
from tui.records.transcripts import MAX_CUE_NOTE
from tui.screens.dialogs.fields_prompt import FieldsPrompt, PromptField
from tui.screens.dialogs.questions import ask_until_taken
from tui.screens.messages import LibraryChanged
from tui.screens.reader.batch_marks import BatchMarks
from tui.screens.section import SectionScreen
from tui.service.protocol import Service
from tui.widgets.chrome.key_line import shown_key
from tui.widgets.transcript.cue_lines import CueSigns

_FIELDS = (PromptField("text", "Note", "what you want to remember of this sentence", MAX_CUE_NOTE),)
_HINT = "enter keeps it · nothing takes it away · F3 $EDITOR · esc back"


class KeptAtCues:
    """Clips, notes and bookmarks of a transcript by their cues, as they were read last."""

    def __init__(self) -> None:
        self.signs = CueSigns()
        self.batch = BatchMarks()
        self._notes: dict[int, str] = {}

    async def read(self, service: Service, transcript_id: str) -> None:
        """Read all of them anew. Raises ``LodeError``."""
        clips, notes, bookmarks = await asyncio.gather(
            service.clips.cues_of(transcript_id),
            service.transcripts.notes(transcript_id),
            service.bookmarks.of(transcript_id),
        )
        with suppress(LodeError):  # an older server knows no marks
            await self.batch.read(service, transcript_id)
        self._notes = {note.cue_index: note.text for note in notes}
        marked = frozenset(each.cue_index for each in bookmarks)
        self.signs = CueSigns(frozenset(clips), marked, frozenset(self._notes), self.batch.spans)

    def notes_within(self, first: int, last: int) -> str:
        """The notes from one cue to another, each on a line; "" for none."""
        return "\n".join(self._notes[cue] for cue in range(first, last + 1) if cue in self._notes)

    async def write_note(self, screen: SectionScreen, transcript_id: str, first: int, last: int) -> None:
        """Ask for the note of a sentence, from one cue to another, until it can be kept or the dialog is closed."""
        transcripts = screen.service.transcripts
        cue = next((cue for cue in range(first, last + 1) if cue in self._notes), first)

        async def keep(typed: Mapping[str, str]) -> bool:
            note = await transcripts.note(transcript_id, cue, typed["text"])
            screen.say("the note is kept" if note.text else "there is no note here any more")
            screen.post_message(LibraryChanged("note"))
            return True

        prompt = partial(FieldsPrompt, "A note on this sentence", _FIELDS, hint=_HINT)
        await ask_until_taken(screen.app, prompt, {"text": self._notes.get(cue, "")}, keep)


async def toggle_bookmark(screen: SectionScreen, transcript_id: str, first: int, last: int) -> None:
    """Take the bookmark away that a sentence has, from one cue to another, or set one. Raises ``LodeError``."""
    bookmarks = screen.service.bookmarks
    here = next((each for each in await bookmarks.of(transcript_id) if first <= each.cue_index <= last), None)
    if here is None:
        await bookmarks.put(transcript_id, first)
        screen.say(f"a bookmark is set · {shown_key(screen, 'bookmarks')} lists them")
    else:
        await bookmarks.delete(here.id)
        screen.say(f"the bookmark is gone · {shown_key(screen, 'undo')} brings it back")
    screen.post_message(LibraryChanged("bookmark"))
