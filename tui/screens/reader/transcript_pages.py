"""Pages of a transcript for the reader: its cues with their translations, their words, and what is known of these."""

from __future__ import annotations

from contextlib import suppress

from tui.errors import LodeError
from tui.language.segmenters.table import can_be_cut
from tui.records.pages import Page
from tui.records.transcripts import Cue, Transcript
from tui.records.words import CueStates
from tui.service.protocol.records import Transcripts
from tui.service.protocol.words import CueWords, KnownWords
from tui.text.sanitize import one_line
from tui.widgets.table.rows import PAGE, Pages
from tui.widgets.transcript.cue_pages import FetchWords


class TranscriptPages:
    """Pages of one transcript; what its translation track says is kept as long as this."""

    def __init__(self, transcripts: Transcripts, known_words: KnownWords, transcript: Transcript) -> None:
        self._transcripts = transcripts
        self._known_words = known_words
        self._transcript = transcript
        self._translations: Pages[str] = Pages()

    async def cues(self, offset: int, limit: int) -> Page[Cue]:
        page = await self._transcripts.cues(self._transcript.id, offset=offset, limit=limit)
        if self._transcript.translation_id is not None:
            with suppress(LodeError):  # what is read without its translation is read all the same
                said = await self._transcripts.translations(self._transcript.id, offset=offset, limit=limit)
                self._translations.put(offset // PAGE, said, page.total)
        return page

    @property
    def words(self) -> FetchWords | None:
        """Reads the words of cues, None where no segmenter may cut their language."""
        return self._words if can_be_cut(self._transcript.language) else None

    async def _words(self, offset: int, limit: int) -> tuple[CueWords, ...]:
        try:
            return await self._transcripts.words(self._transcript.id, offset=offset, limit=limit)
        except LodeError:
            return ()  # an older server has none, and the cues are read all the same

    async def states(self, offset: int, limit: int) -> tuple[CueStates, ...]:
        """States of the words of cues; raises ``LodeError``."""
        return await self._known_words.of_cues(self._transcript.id, offset=offset, limit=limit)

    def translation(self, cue: Cue) -> str:
        """Translation of a cue, "" where the track says nothing."""
        return self._translations.record(cue.index) or ""

    def translation_of(self, first: int, last: int) -> str:
        """Translation of the cues from one to another in one line, each thing said once."""
        said = map(self._translations.record, range(first, last + 1))
        return one_line("\n".join(dict.fromkeys(filter(None, said))))
