"""A running Anki, what it has, and pushes into it."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest

from tests.vocabulary.anki_collections import Collection
from tests.vocabulary.fake_anki_connect import FakeAnkiConnect, running_anki
from tui.records.exports import MergeReport
from tui.records.vocabulary import RunningAnki
from tui.service.protocol import Service

T = TypeVar("T")


@pytest.fixture
def collection(tmp_path: Path) -> Path:
    """The file of the running Anki's collection."""
    place = tmp_path / "Anki 2" / "User 1"
    place.mkdir(parents=True)
    return place / "collection.anki2"


@pytest.fixture
def anki(collection: Path) -> Iterator[FakeAnkiConnect]:
    with running_anki(collection) as anki:
        yield anki


async def pushed(service: Service, anki: FakeAnkiConnect, **how: Any) -> MergeReport:
    report = await service.deck.push(RunningAnki(anki.address), **how)
    assert report.merge is not None
    return report.merge


def look(anki: FakeAnkiConnect, at: Callable[[Collection], T]) -> T:
    """What a function finds in the collection, in the thread that has it."""
    found: list[T] = []
    anki.do(lambda collection: found.append(at(collection)))
    return found[0]


def import_package(anki: FakeAnkiConnect, path: Path) -> None:
    request = {"action": "importPackage", "version": 6, "params": {"path": str(path)}}
    anki.do(lambda collection: anki.reply(collection, request))


def notes(anki: FakeAnkiConnect) -> list[dict[str, Any]]:
    """Fields, tags and note type of all notes, in the order of their numbers."""

    def read(collection: Collection) -> list[dict[str, Any]]:
        found = [collection.col.get_note(number) for number in sorted(collection.col.find_notes(""))]
        return [
            {**dict(note.items()), "tags": sorted(note.tags), "mid": note.mid, "type": note.note_type()["name"]}
            for note in found
        ]

    return look(anki, read)


def edit(anki: FakeAnkiConnect, at: int, *tags: str, **values: str) -> None:
    """Edit a note, as its learner does."""

    def change(collection: Collection) -> None:
        note = collection.col.get_note(sorted(collection.col.find_notes(""))[at])
        for name, value in values.items():
            note[name] = value
        note.tags += tags
        collection.col.update_note(note)

    anki.do(change)
