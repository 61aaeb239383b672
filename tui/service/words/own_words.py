"""Own words of a profile: what is saved has been checked, and every change can be undone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tui.errors import InvalidInput
from tui.language.tags import base_language
from tui.records.library import Deletion
from tui.records.own_words import MAX_LEMMA, MAX_MEANING, MAX_NOTE, MAX_PHRASE, MAX_PHRASES, OwnPhrase, OwnWord
from tui.service.library import Library
from tui.service.settings import check_tag
from tui.service.words.word_forms import WordForms
from tui.text.sanitize import one_line

if TYPE_CHECKING:
    from tui.store import Store


class LocalOwnWords:
    def __init__(self, library: Library, word_forms: WordForms) -> None:
        self._library = library
        self._word_forms = word_forms

    async def all(self, *, language: str | None = None) -> tuple[OwnWord, ...]:
        wanted = base_language(language) or None
        return await self._library.run(lambda store: store.own_words.all(self._library.profile, wanted))

    async def get(self, language: str, lemma: str) -> OwnWord | None:
        base, key = _place(language, lemma)
        return await self._library.run(lambda store: store.own_words.get(self._library.profile, base, key))

    async def save(self, word: OwnWord) -> OwnWord:
        from tui.dictionaries.own_words import list_search_keys

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

        def saved(store: Store) -> OwnWord:
            by = list_search_keys(checked, lambda text: self._word_forms.form_of(text, language).lemma)
            store.own_words.save(self._library.profile, key, checked, sorted(by))
            return checked

        return await self._library.change(saved)

    async def delete(self, language: str, lemma: str) -> Deletion:
        base, key = _place(language, lemma)
        return await self._library.change(lambda store: store.own_words.delete(self._library.profile, base, key))


def _place(language: str, lemma: str) -> tuple[str, str]:
    from tui.language.words import fold

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
