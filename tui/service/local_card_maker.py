"""Card maker of this library: drafts clips of words, and asks about them, for the jobs that break many down."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tui.events import BreakdownEvents
    from tui.llm.protocol import Provider
    from tui.records.clips import NewClip
    from tui.records.transcripts import Cue
    from tui.records.words import TextPlace
    from tui.service.clips import LocalClips
    from tui.service.llm.local_llm import LocalLlm
    from tui.service.requests import BreakdownRequest, ExplainRequest
    from tui.service.transcripts import LocalTranscripts
    from tui.service.words.known_words import LocalKnownWords
    from tui.service.words.next_words import Film


class LocalCardMaker:
    """Maker of the cards of a profile of this library, as ``CardMaker`` says."""

    def __init__(
        self, llm: LocalLlm, known_words: LocalKnownWords, clips: LocalClips, transcripts: LocalTranscripts
    ) -> None:
        self._llm = llm
        self._known_words = known_words
        self._clips = clips
        self._transcripts = transcripts
        self._films: dict[str, Film] = {}

    def find_provider(self, selector: str) -> Provider:
        return self._llm.known_providers.resolve(selector)[0]

    def answers_itself(self, provider: Provider) -> bool:
        return provider is self._llm.known_providers.lexicon

    async def read_cues(self, transcript_id: str, first: int, count: int) -> Sequence[Cue]:
        return (await self._transcripts.cues(transcript_id, offset=first, limit=count)).items

    async def draft(self, place: TextPlace, word: str) -> NewClip:
        return await self._clips.with_reading(await self._known_words.next.draft(place, self._films, word))

    def ask(self, request: BreakdownRequest | ExplainRequest, adapt: Callable[[Provider], Provider]) -> BreakdownEvents:
        return self._llm.ask_in_batch(request, adapt)
