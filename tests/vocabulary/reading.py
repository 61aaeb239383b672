"""Files of words read in tests."""

from __future__ import annotations

from pathlib import Path

from tui.records.vocabulary import VocabularyChoice, VocabularyOffer, VocabularyWord
from tui.vocabulary.formats import open_vocabulary


def words_of(path: Path, choice: VocabularyChoice | None = None) -> list[VocabularyWord]:
    with open_vocabulary(path, path.parent) as file:
        return list(file.words(choice or VocabularyChoice(), lambda share: None))


def states_of(path: Path, choice: VocabularyChoice | None = None) -> dict[str, str | None]:
    return {word.text: word.state for word in words_of(path, choice)}


def offer_of(path: Path) -> VocabularyOffer:
    with open_vocabulary(path, path.parent) as file:
        return file.offer()
