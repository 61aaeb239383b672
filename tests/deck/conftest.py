"""A real Anki collection to import into."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.deck.clips import write_clips
from tui.deck.apkg import USUAL
from tui.records.clips import Clip
from tui.records.settings import SavedSettings

anki_lang = pytest.importorskip("anki.lang", reason="the anki package is not installed")


@dataclass(frozen=True, slots=True)
class Imported:
    """Numbers of notes that an import into Anki added, updated and left as they were."""

    new: int = 0
    updated: int = 0
    duplicate: int = 0
    conflicting: int = 0


class Anki:
    """One collection, with Anki's own default options for importing."""

    def __init__(self, path: Path) -> None:
        from anki.collection import Collection

        self.path = path
        self.col: Any = Collection(str(path))
        self._package = path.with_suffix(".apkg")

    def take(self, package: Path) -> Imported:
        from anki.collection import ImportAnkiPackageOptions, ImportAnkiPackageRequest

        request = ImportAnkiPackageRequest(package_path=str(package), options=ImportAnkiPackageOptions())
        log = self.col.import_anki_package(request).log
        return Imported(len(log.new), len(log.updated), len(log.duplicate), len(log.conflicting))

    def take_clips(self, *clips: Clip, name: str = "Lode", settings: SavedSettings = USUAL) -> Imported:
        """Import a deck of these clips."""
        write_clips(self._package, name, clips, settings=settings)
        return self.take(self._package)

    def notes(self) -> list[Any]:
        """In the order of the deck's new cards."""
        cards = sorted((self.col.get_card(card) for card in self.col.find_cards("")), key=lambda card: card.due)
        return [card.note() for card in cards]

    def sides(self) -> list[tuple[str, str]]:
        """Question and answer of each card as Anki renders them, style sheet left out."""
        cards = sorted((self.col.get_card(card) for card in self.col.find_cards("")), key=lambda card: card.due)
        return [(_body(card.question()), _body(card.answer())) for card in cards]


def _body(html: str) -> str:
    return html.partition("</style>")[2]


@pytest.fixture
def anki(tmp_path: Path) -> Iterator[Anki]:
    anki_lang.set_lang("en_US")
    collection = Anki(tmp_path / "collection.anki2")
    yield collection
    collection.col.close()
