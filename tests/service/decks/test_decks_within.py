"""Decks within the deck, for each language or tag, in a real Anki collection."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.deck.conftest import Anki, Imported, anki_lang
from tests.vocabulary.fake_anki_connect import running_anki
from tui.records.clips import FocusWord, NewClip
from tui.records.settings import DeckPer, ProfileSettings
from tui.records.vocabulary import RunningAnki
from tui.service.protocol import Service

CLIPS = (
    NewClip("Der Zug.", focus=FocusWord("Zug", language="de"), tags=("verb::strong", "film")),
    NewClip("The train.", focus=FocusWord("train", language="en-GB")),
    NewClip("A train.", focus=FocusWord("train", language="en"), tags=('a "b" c',)),
    NewClip("?"),
)


@pytest.fixture
async def service(service: Service) -> Service:
    for clip in CLIPS:
        await service.clips.add(clip)
    return service


def decks(col: Any) -> list[str]:
    """The deck of each card, in the order of the cards."""
    return [col.decks.name(each) for each in col.db.list("select did from cards order by id")]


@pytest.mark.parametrize(
    ("per", "expected"),
    [
        ("language", ["Lode::German", "Lode::English", "Lode::English", "Lode"]),
        ("tag", ["Lode::verb::strong", "Lode", "Lode::a_b_c", "Lode"]),
    ],
)
async def test_new_cards_come_into_them_and_those_that_were_moved_stay_where_they_are(
    service: Service, tmp_path: Path, per: DeckPer, expected: list[str]
) -> None:
    anki_lang.set_lang("en_US")
    await service.settings.save(replace(ProfileSettings(), deck_per=per))
    path = tmp_path / "deck.apkg"
    await service.deck.export(path)
    before = path.read_bytes()
    await service.deck.export(path)
    assert path.read_bytes() == before
    place = tmp_path / "Anki"
    place.mkdir()
    anki = Anki(place / "collection.anki2")
    assert anki.take(path) == Imported(new=4)
    assert decks(anki.col) == expected
    moved = anki.col.decks.id("Mine")
    anki.col.set_deck([min(anki.col.find_cards(""))], moved)

    first = (await service.clips.page()).items[-1]
    await service.clips.edit(first.id, replace(first.contents(), translation="The train.", tags=("other",)))
    await service.deck.export(path, merge_with=anki.path)
    assert anki.take(path) == Imported(updated=1)
    assert decks(anki.col) == ["Mine", *expected[1:]]
    anki.col.close()

    await service.clips.edit(first.id, replace(first.contents(), translation="changed"))
    await service.clips.add(CLIPS[0])
    with running_anki(place / "collection.anki2") as running:
        report = await service.deck.push(RunningAnki(running.address))
        assert report.merge is not None
        assert (report.merge.added, report.merge.updated) == (1, 1)
        seen: list[str] = []
        running.do(lambda collection: seen.extend(decks(collection.col)))
        assert seen == ["Mine", *expected[1:], expected[0]]
