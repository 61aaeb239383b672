"""Counts of transcripts' words: how many are new, how many known, and the sentences with just one new word."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from tui.records.word_states import WordState
from tui.records.words import WordCounts
from tui.service.library import Library
from tui.service.words.word_forms import WordForms

if TYPE_CHECKING:
    from tui.store import Store
    from tui.store.known_words.transcript_words import CutTranscript


class TranscriptCounter:
    """Counts words by transcript; cuts those of a transcript when it is first asked for, in a thread, one at a time."""

    def __init__(self, library: Library, word_forms: WordForms) -> None:
        self._library = library
        self._word_forms = word_forms
        self._cutting = asyncio.Lock()

    async def counts(self, transcript_ids: Sequence[str]) -> Mapping[str, WordCounts]:
        """The counts by the ids of the transcripts."""
        profile, known = self._library.profile, await self.known_states()
        wanted = await self.cut(transcript_ids)
        return await self._library.run(lambda store: store.transcript_words.counts(profile, wanted, known))

    async def known_states(self) -> tuple[WordState, ...]:
        """The states that count as known in this profile."""
        return (await self._library.run(lambda store: store.settings.get(self._library.profile))).known_states

    async def cut(self, transcript_ids: Sequence[str]) -> list[CutTranscript]:
        """Have the words of these transcripts cut into sentences, and kept, where they are not yet.

        Takes a tenth of a second for a film, once; whoever is cancelled keeps what is done.
        """
        profile = self._library.profile
        wanted = await self._library.run(lambda store: store.transcript_words.wanted(profile, transcript_ids))
        has_lemmas: dict[str | None, bool] = {}
        for transcript in wanted:
            language = transcript.language
            if transcript.cut_by == "forms" and not _is_segmented(language):
                continue
            if transcript.cut_by == "segmenter" and _is_segmented(language):
                continue
            if language not in has_lemmas:
                has_lemmas[language] = await self._has_lemmas(language)
            if transcript.cut_by != "" or has_lemmas[language]:
                await self._cut(transcript, has_lemmas=has_lemmas[language])
        return wanted

    async def _has_lemmas(self, language: str | None) -> bool:
        """Whether the lemmas of the language's forms are known, as far as they ever can be; waits for those to come."""
        if language is None:
            return True
        await self._word_forms.prepare(language)
        if self._word_forms.needs_preparing(language):
            return False

        def read(store: Store) -> bool:
            return not store.words.unlemmatised(language, 1)

        # One that has no list never gets lemmas.
        return not self._word_forms.has_list(language) or await self._library.run(read)

    async def _cut(self, transcript: CutTranscript, *, has_lemmas: bool) -> None:
        from tui.language.cue_sentences import find_sentence_forms

        def cut(store: Store, check: Callable[[], None]) -> None:
            if store.transcript_words.is_as(transcript):
                forms = find_sentence_forms(store.transcript_words.cues(transcript.seq), transcript.language, check)
                store.transcript_words.save(transcript, forms, has_lemmas=has_lemmas)

        # A long text is opened, left and opened again while it is being cut, and counted by a list besides: once is
        # enough, and more at once would take the time of the event loop.
        async with self._cutting:
            await self._library.database.run_long(cut)


def _is_segmented(language: str | None) -> bool:
    from tui.language.segmentation import is_segmented

    return is_segmented(language)
