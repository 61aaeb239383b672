"""Words of the library: their lemmas, their counts, other sentences with them, and what the profile writes of them."""

import asyncio
from dataclasses import replace

from tui.dictionaries.focus_word import find_other_word, list_pitches, list_pronunciations
from tui.dictionaries.own_words import list_search_keys
from tui.errors import InvalidInput
from tui.language.segmentation import words
from tui.language.tags import base_language
from tui.language.word import fold
from tui.records.clips import ConcordanceLine, FocusWord
from tui.records.deletion import Deletion
from tui.records.dictionaries import LookUp
from tui.records.own_words import MAX_LEMMA, MAX_MEANING, MAX_NOTE, MAX_PHRASE, MAX_PHRASES, OwnPhrase, OwnWord
from tui.records.word_states import FROM_ANKI
from tui.records.word_summary import WordSummary
from tui.service.library import Library
from tui.service.settings import check_tag
from tui.service.words.dictionaries import LookUps
from tui.service.words.word_forms import WordForms
from tui.store import Store
from tui.text.sanitize import one_line

_CANDIDATES = 200
"""Number of sentences that the closest ones are chosen from."""


class LocalWords:
    other_word = staticmethod(find_other_word)

    def __init__(self, library: Library, word_forms: WordForms, look_ups: LookUps) -> None:
        self._library = library
        self._word_forms = word_forms
        self.look_up = look_ups.look_up
        self.needs_preparing = word_forms.needs_preparing
        self.prepare = word_forms.prepare

    async def summary(self, word: str, *, language: str | None, sentence: str = "") -> WordSummary:
        if language is not None:
            self._word_forms.prepare_soon(language)
        focus, found = await self.look_up(word, language, sentence)
        total, per_transcript = await self._occurrences(word, language)
        profile = self._library.profile
        named = focus.lemma or word
        reading = next((each.entry.reading for each in found.entries if each.entry.term == named), "")
        base, key, focus = base_language(language), fold(named, language), replace(focus, frequency=total)
        return await self._library.run(
            lambda store: WordSummary(
                focus,
                total,
                per_transcript,
                store.clips.count_with(profile, named),
                store.answers.count_with(profile, named),
                list_pronunciations(found, named, reading),
                list_pitches(found, named, reading),
                store.own_words.get(profile, base, key) if base else None,
                store.word_states.is_from(FROM_ANKI, profile, base, named),
                find_other_word(focus, found),
            )
        )

    async def known(self, word: str, language: str | None, sentence: str = "") -> tuple[FocusWord, LookUp]:
        focus, found = await self.look_up(word, language, sentence)
        return replace(focus, frequency=await self.occurrences(word, language)), found

    async def occurrences(self, word: str, language: str | None) -> int:
        return (await self._occurrences(word, language))[0]

    async def concordance(
        self, word: str, *, language: str | None, limit: int = 20, exclude_sentence: str = ""
    ) -> tuple[ConcordanceLine, ...]:
        forms = await self._forms(word, language)

        def closest(store: Store) -> tuple[ConcordanceLine, ...]:
            profile, most = self._library.profile, max(limit, _CANDIDATES)
            lines = store.words.concordance(profile, language, forms, most, exclude_sentence)
            return tuple(_closest(lines, exclude_sentence, language)[:limit])

        return await self._library.run(closest)

    async def _forms(self, word: str, language: str | None) -> tuple[str, ...]:
        """The forms in the library that share the word's lemma, the word's own among them."""
        own = fold(word, language)
        lemma = (await asyncio.to_thread(self._word_forms.form_of, word, language)).lemma
        if lemma is None or language is None:
            return (own,)
        known = await self._library.run(lambda store: store.words.forms_of(language, lemma))
        return tuple(dict.fromkeys((own, fold(lemma, language), *known)))

    async def _occurrences(self, word: str, language: str | None) -> tuple[int, tuple[int, ...]]:
        forms = await self._forms(word, language)
        return await self._library.run(lambda store: store.words.occurrences(self._library.profile, language, forms))


def _closest(lines: tuple[ConcordanceLine, ...], sentence: str, language: str | None) -> list[ConcordanceLine]:
    """Sort sentences: those that share more words with this one first, then the shorter ones; repeated ones once."""

    def forms(text: str) -> set[str]:
        return {fold(word.text, language) for word in words(text, language)}

    here = forms(sentence)
    once = {one_line(line.text): line for line in reversed(lines)}
    return sorted(once.values(), key=lambda line: (-len(here & forms(line.text)) if here else 0, len(line.text)))


class LocalOwnWords:
    def __init__(self, library: Library, word_forms: WordForms) -> None:
        self._library = library
        self._word_forms = word_forms

    async def all(self, *, language: str | None = None, lemma: str | None = None) -> tuple[OwnWord, ...]:
        if lemma is not None:
            found = await self.get(language or "", lemma)
            return () if found is None else (found,)
        wanted = base_language(language) or None
        return await self._library.run(lambda store: store.own_words.all(self._library.profile, wanted))

    async def get(self, language: str, lemma: str) -> OwnWord | None:
        base, key = _place(language, lemma)
        return await self._library.run(lambda store: store.own_words.get(self._library.profile, base, key))

    async def save(self, word: OwnWord) -> OwnWord:
        language, key = _place(word.language, word.lemma)
        checked = OwnWord(
            language,
            _checked("lemma", word.lemma, MAX_LEMMA),
            _checked("meaning", word.meaning, MAX_MEANING),
            _checked("note", word.note, MAX_NOTE),
            _phrases(word.phrases),
        )
        if not checked.says_something:
            raise InvalidInput(
                "nothing is written of the word", hint="give a meaning, a note or a phrase", field="meaning"
            )

        def save(store: Store) -> OwnWord:
            by = list_search_keys(checked, lambda text: self._word_forms.form_of(text, language).lemma)
            store.own_words.save(self._library.profile, key, checked, sorted(by))
            return checked

        return await self._library.change(save)

    async def delete(self, language: str, lemma: str) -> Deletion:
        base, key = _place(language, lemma)
        return await self._library.change(lambda store: store.own_words.delete(self._library.profile, base, key))


def _place(language: str, lemma: str) -> tuple[str, str]:
    tag = check_tag(language)
    key = fold(one_line(lemma).strip(), tag)
    if not key:
        raise InvalidInput("there is no word", hint="name it in its dictionary form", field="lemma")
    return base_language(tag), key


def _phrases(given: tuple[OwnPhrase, ...]) -> tuple[OwnPhrase, ...]:
    if len(given) > MAX_PHRASES:
        raise InvalidInput(f"a word has at most {MAX_PHRASES} phrases", hint="leave some out", field="phrases")
    checked = (
        OwnPhrase(_checked("phrases", each.text, MAX_PHRASE), _checked("phrases", each.meaning, MAX_MEANING))
        for each in given
    )
    return tuple({each.text: each for each in checked if each.text}.values())


def _checked(field: str, text: str, most: int) -> str:
    text = one_line(text).strip()
    if len(text) > most:
        raise InvalidInput(f"at most {most} characters fit there", hint="shorten it", field=field)
    return text
