"""Counts of transcripts' words: how many are new, how many known, and the sentences with just one new word.

The words of cues with their states too, and places of new ones: the next, and the next in a sentence where nothing else
is unknown.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter

from tui.language.cue_sentences import find_sentence_forms
from tui.language.segmentation import is_segmented
from tui.language.word_form import find_text_forms
from tui.records.word_states import WordState
from tui.records.words import CueStates, WordCounts, WordPlace
from tui.service.library import Library
from tui.service.words.word_forms import WordForms
from tui.store import Store
from tui.store.known_words.new_words import SentencePlace
from tui.store.known_words.transcript_words import CutTranscript
from tui.text.sanitize import laid_out

BEYOND_CUE = 2**31
"""Offset behind all of a cue."""
_AT_ONCE = 20
_MAX_CUES = 13
"""Cues that the last sentence may have, and one more."""


class TranscriptCounter:
    """Counts words by transcript; cuts those of a transcript when it is first asked for, in a thread, one at a time."""

    def __init__(self, library: Library, word_forms: WordForms) -> None:
        self._library = library
        self._word_forms = word_forms
        self._cutting = asyncio.Lock()
        self._keys: dict[str, tuple[Mapping[int, WordCounts], Mapping[int, float]]] = {}
        """Numbers that each column was sorted by, with the counts that it is of."""

    async def counts(self, transcript_ids: Sequence[str]) -> Mapping[str, WordCounts]:
        """The counts by the ids of the transcripts."""
        profile, known = self._library.profile, await self.known_states()
        wanted = await self.cut(transcript_ids)
        return await self._library.run(lambda store: store.transcript_words.counts(profile, wanted, known))

    async def keys(self, transcript_ids: Sequence[str], column: str) -> Mapping[int, float]:
        """Give the numbers that all transcripts are sorted by for a column of counts, by their rows; cut these first.

        Those without words have nothing.
        """
        profile, known = self._library.profile, await self.known_states()
        await self.cut(transcript_ids)
        counts = await self._library.run(lambda store: store.transcript_words.every(profile, known))
        kept = self._keys.get(column)
        if kept is None or kept[0] is not counts:
            get = attrgetter("share_known" if column == "known" else column)
            kept = self._keys[column] = counts, {seq: get(each) for seq, each in counts.items() if each.words}
        return kept[1]

    async def known_states(self) -> tuple[WordState, ...]:
        """The states that count as known in this profile."""
        return (await self._library.settings()).known_states

    async def states(self, transcript_id: str, offset: int, limit: int) -> tuple[CueStates, ...]:
        """The words of so many cues from an offset on with their states; as ``protocol.KnownWords.of_cues`` says."""
        profile = self._library.profile
        transcript = await self._library.run(lambda store: store.transcripts.get(profile, transcript_id))
        page = await self._library.run(lambda store: store.transcripts.cues(profile, transcript.id, offset, limit))
        language = transcript.language
        # Not in a thread of the database's: the first call may load a dictionary.
        forms = await asyncio.to_thread(lambda: [find_text_forms(laid_out(cue.text), language) for cue in page.items])
        words = await self._library.run(lambda store: store.word_states.resolve(profile, language, forms))
        return tuple(CueStates(cue.index, each) for cue, each in zip(page.items, words, strict=True))

    async def next_place(self, transcript_id: str, behind: tuple[int, int], *, one_new: bool) -> WordPlace | None:
        """The first new word behind a cue and an offset in it; ``one_new``: where all else in its sentence is known."""
        known = await self.known_states()
        (transcript,) = await self.cut((transcript_id,))
        place = behind

        def read(store: Store) -> list[SentencePlace]:
            profile = self._library.profile
            return store.new_words.sentences_from(profile, transcript, known, place, _AT_ONCE, one_new=one_new)

        while sentences := await self._library.run(read):
            for sentence in sentences:
                end = _MAX_CUES if sentence.end_cue is None else sentence.end_cue - sentence.cue + 1
                if found := _first_new(await self.states(transcript.id, sentence.cue, end), sentence, behind):
                    return found
            if len(sentences) < _AT_ONCE or sentences[-1].end_cue is None:
                return None
            place = sentences[-1].end_cue, sentences[-1].end_offset
        return None

    async def cut(self, transcript_ids: Sequence[str]) -> list[CutTranscript]:
        """Have the words of these transcripts cut into sentences, and kept, where they are not yet.

        Takes a tenth of a second for a film, once; whoever is cancelled keeps what is done.
        """
        profile = self._library.profile
        wanted = await self._library.run(lambda store: store.transcript_words.wanted(profile, transcript_ids))
        has_lemmas: dict[str | None, bool] = {}
        for transcript in wanted:
            language = transcript.language
            if transcript.cut_by == ("segmenter" if is_segmented(language) else "forms"):
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

        # One that has no list never gets lemmas.
        return not self._word_forms.has_list(language) or not await self._library.run(
            lambda store: store.words.unlemmatised(language, 1)
        )

    async def _cut(self, transcript: CutTranscript, *, has_lemmas: bool) -> None:
        def cut(store: Store, check: Callable[[], None]) -> None:
            if store.transcript_words.is_as(transcript):
                revision = store.transcript_words.revision(transcript.seq)
                cues = store.transcript_words.cues(transcript.seq)
                forms = find_sentence_forms(cues, transcript.language, check)
                store.transcript_words.save(transcript, forms, cues, revision, has_lemmas=has_lemmas)

        # A long text is opened, left and opened again while it is being cut, and counted by a list besides: once is
        # enough, and more at once would take the time of the event loop.
        async with self._cutting:
            await self._library.database.run_long(cut)


def _first_new(cues: Sequence[CueStates], sentence: SentencePlace, behind: tuple[int, int]) -> WordPlace | None:
    end = None if sentence.end_cue is None else (sentence.end_cue, sentence.end_offset)
    for cue in cues:
        for word in cue.words:
            at = cue.index, word.start
            if word.state == "new" and at > behind and at >= (sentence.cue, sentence.offset) and (not end or at < end):
                return WordPlace(cue.index, word.start, word.end)
    return None
