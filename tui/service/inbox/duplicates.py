"""Doubles: whether there is a card of a word already, in any of its forms, here or in the Anki that runs."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tui.errors import InvalidInput
from tui.inbox.fields import find_role, make_clip, read_word
from tui.inbox.languages import find_language
from tui.inbox.notes import SentNote, read_note
from tui.records.clips import NewClip
from tui.service.inbox.note_fields import put_in_order
from tui.text.sanitize import is_blank

if TYPE_CHECKING:
    from tui.service.inbox.anki_words import AnkiWords
    from tui.service.library import Library
    from tui.service.words.word_forms import WordForms

DUPLICATE = "cannot create note because it is a duplicate"
EMPTY = "cannot create note because it is empty"
"""Both in AnkiConnect's own words, by which clients tell them from other errors."""


class Doubles:
    """The words of a profile's clips and of the Anki that runs."""

    def __init__(self, library: Library, word_forms: WordForms, anki_words: AnkiWords) -> None:
        self._library = library
        self._word_forms = word_forms
        self._anki_words = anki_words

    async def find_reasons(
        self, notes: Sequence[Any], known: Mapping[str, Sequence[str]], learned: Sequence[str]
    ) -> list[str]:
        """Find the reason why each of the notes cannot be added, "" where it can; they have their first field only.

        ``known`` are the note types, ``learned`` the languages of the profile.
        """
        reasons, words, languages, clips = await asyncio.to_thread(_read_asked, notes, known, learned)
        for place, clip in clips.items():
            if await self._has_double(clip):
                reasons[place] = DUPLICATE
        there = await self.find_known(languages)
        for place, word in words.items():
            reasons[place] = DUPLICATE if word in there else ""
        return reasons

    async def is_duplicate(
        self, note: SentNote, fields: Mapping[str, str], clip: NewClip, language: str | None
    ) -> bool:
        """Whether a client that wants no duplicates sends one: its word is there in another sentence.

        A note of the same sentence is none, as it joins the clip that there is; nor is another word of a sentence.
        """
        first = next(iter(fields), "")
        if note.allows_duplicate or find_role(first) != "word" or not (word := read_word(fields)):
            return False
        return not await self._has_double(clip) and bool(await self.find_known({word: language}))

    async def find_known(self, words: Mapping[str, str | None]) -> set[str]:
        """Those of the words, each with its language, that there are cards of."""
        if not words:
            return set()
        for language in {each for each in words.values() if each is not None}:
            if await asyncio.to_thread(self._word_forms.needs_preparing, language):
                self._word_forms.prepare_soon(language)  # which takes seconds: until then a word is what was sent
        forms = await asyncio.to_thread(lambda: {word: self.list_forms(word, words[word]) for word in words})
        every = {form for each in forms.values() for form in each}
        profile = self._library.profile
        here = await self._library.run(lambda store: store.inbox.known_words(profile, every))
        left = [form for word in words if not here.intersection(forms[word]) for form in forms[word]]
        there = await self._anki_words.find_known(left) if left else set[str]()
        return {word for word in words if not (here | there).isdisjoint(forms[word])}

    def list_forms(self, word: str, language: str | None) -> tuple[str, ...]:
        """A word and its dictionary form, as far as that is known. Blocks."""
        lemma = self._word_forms.form_of(word, language).lemma
        return (word, lemma) if lemma and lemma != word else (word,)

    async def _has_double(self, clip: NewClip) -> bool:
        return await self._library.run(lambda store: store.inbox.has_double(self._library.profile, clip))


def _read_asked(
    notes: Sequence[Any], known: Mapping[str, Sequence[str]], learned: Sequence[str]
) -> tuple[list[str], dict[int, str], dict[str, str | None], dict[int, NewClip]]:
    """Read the notes of a question: why each cannot be one at all, the words that they are of, by their places, the
    languages of these words, and the clips of those that have no word. Blocks.
    """
    reasons, words, languages, clips = list[str](), dict[int, str](), dict[str, str | None](), dict[int, NewClip]()
    for place, given in enumerate(notes):
        try:
            note = read_note(given)
        except InvalidInput as error:
            reasons.append(error.message)
            continue
        fields = put_in_order(note.fields, known.get(note.note_type, ()))
        clip = make_clip(fields).clip
        reasons.append(EMPTY if is_blank(clip.sentence) else "")
        if note.allows_duplicate or reasons[-1]:
            continue
        if word := read_word(fields):
            words[place] = word
            if word not in languages:
                languages[word] = find_language(note.deck, "", word, learned)
        else:
            clips[place] = clip
    return reasons, words, languages, clips
