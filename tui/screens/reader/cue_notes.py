"""Notes at the cues of one transcript, as the reader has them; and the dialog in which one is written."""

from collections.abc import Mapping
from functools import partial

from tui.records.transcripts import MAX_CUE_NOTE
from tui.screens.dialogs.fields_prompt import FieldsPrompt, PromptField
from tui.screens.dialogs.questions import ask_until_taken
from tui.screens.messages import LibraryChanged
from tui.screens.section import SectionScreen
from tui.service.protocol.records import Transcripts

_FIELDS = (PromptField("text", "Note", "what you want to remember of this sentence", MAX_CUE_NOTE),)
_HINT = "enter keeps it · nothing takes it away · F3 $EDITOR · esc back"


class CueNotes:
    """Notes of a transcript by their cues, as they were read last."""

    def __init__(self) -> None:
        self._texts: dict[int, str] = {}

    @property
    def cues(self) -> frozenset[int]:
        return frozenset(self._texts)

    def clear(self) -> None:
        """Forget all: another transcript is shown."""
        self._texts.clear()

    async def read(self, transcripts: Transcripts, transcript_id: str) -> None:
        """Read the notes anew. Raises ``LodeError``."""
        self._texts = {note.cue_index: note.text for note in await transcripts.notes(transcript_id)}

    def within(self, first: int, last: int) -> str:
        """The notes from one cue to another, each on a line; "" for none."""
        return "\n".join(self._texts[cue] for cue in range(first, last + 1) if cue in self._texts)

    def place(self, first: int, last: int) -> int:
        """Cue at which a sentence has its note, or gets one."""
        return next((cue for cue in range(first, last + 1) if cue in self._texts), first)

    async def write(self, screen: SectionScreen, transcript_id: str, cue: int) -> None:
        """Ask for the note at a cue, until it can be kept or the dialog is closed."""
        transcripts = screen.service.transcripts

        async def keep(typed: Mapping[str, str]) -> bool:
            note = await transcripts.note(transcript_id, cue, typed["text"])
            screen.say("the note is kept" if note.text else "there is no note here any more")
            screen.post_message(LibraryChanged("note"))
            return True

        prompt = partial(FieldsPrompt, "A note on this sentence", _FIELDS, hint=_HINT)
        await ask_until_taken(screen.app, prompt, {"text": self._texts.get(cue, "")}, keep)
