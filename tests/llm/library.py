"""A library of a few words, for the lexicon."""

from __future__ import annotations

from dataclasses import replace

from tui.dictionaries.focus_word import find_other_word, make_focus_word
from tui.errors import StoreError
from tui.language.word_form import WordForm
from tui.records.clips import ConcordanceLine, FocusWord
from tui.records.dictionaries import FoundEntry, LookUp


class FewWords:
    """Knows what it is given; ``unprepared`` languages take one ``prepare``, ``broken`` fails like a lost disk."""

    def __init__(
        self,
        lemmas: dict[str, str] | None = None,
        counts: dict[str, int] | None = None,
        lines: tuple[ConcordanceLine, ...] = (),
        *,
        readings: dict[str, str] | None = None,
        others: dict[str, int] | None = None,
        entries: dict[str, tuple[FoundEntry, ...]] | None = None,
        unprepared: tuple[str, ...] = (),
        broken: bool = False,
    ) -> None:
        self.lemmas = lemmas or {}
        self.readings = readings or {}
        self.others = others or {}
        self.entries = entries or {}
        self.counts = counts or {}
        self.lines = lines
        self.unprepared = set(unprepared)
        self.broken = broken

    async def known(self, word: str, language: str | None, sentence: str = "") -> tuple[FocusWord, LookUp]:
        self._check()
        found = LookUp(word, self.entries.get(word, ()), other=self.others.get(word, 0))
        lemma = None if language in self.unprepared else self.lemmas.get(word)
        form = WordForm(lemma, self.readings.get(word))
        return replace(make_focus_word(word, language, form, found), frequency=self.counts.get(word, 0)), found

    def other_word(self, focus: FocusWord, found: LookUp) -> FocusWord | None:
        return find_other_word(focus, found)

    async def occurrences(self, word: str, language: str | None) -> int:
        self._check()
        return self.counts.get(word, 0)

    async def concordance(
        self, word: str, *, language: str | None, limit: int = 20, exclude_sentence: str = ""
    ) -> tuple[ConcordanceLine, ...]:
        self._check()
        return tuple(line for line in self.lines if line.text != exclude_sentence)[:limit]

    def needs_preparing(self, language: str | None) -> bool:
        return language in self.unprepared

    async def prepare(self, language: str) -> None:
        self.unprepared.discard(language)

    def _check(self) -> None:
        if self.broken:
            raise StoreError("the library cannot be read")


def line(text: str, word: str, title: str = "Der letzte Zug", start_ms: int | None = 61_500) -> ConcordanceLine:
    start = text.index(word)
    return ConcordanceLine(text, start, start + len(word), title, "t1", 0, start_ms)
