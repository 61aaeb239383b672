"""The deck as the service writes it, and the decks within it in a real Anki collection."""

from __future__ import annotations

import asyncio
import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.deck.conftest import Anki, Imported, anki_lang
from tests.service.libraries import near_and_far
from tests.service.steps import story
from tui.errors import DeckError, InvalidInput
from tui.records.clip_selection import ClipSelection
from tui.records.clips import FocusWord, NewClip
from tui.records.pages import to_json
from tui.records.settings import DeckPer, ProfileSettings
from tui.service.protocol import Service


@near_and_far
async def test_an_export_that_was_refused_does_not_count_as_one(service: Service, tmp_path: Path) -> None:
    await service.clips.add(NewClip("Der Zug fährt ab."))
    diary = tmp_path / "diary.apkg"
    diary.write_text("dear diary")
    planned = await service.deck.export(diary, dry_run=True)
    with pytest.raises(DeckError) as caught:
        await service.deck.export(diary)
    assert caught.value.code == "not_a_deck"
    assert diary.read_text() == "dear diary"
    assert await service.deck.export(diary, dry_run=True) == planned
    written = await service.deck.export(diary, overwrite=True)
    assert (written.new, written.written) == (1, True)
    assert (await service.deck.export(diary)).same == 1


async def test_a_file_that_is_the_deck_already_is_left_as_it_is(service: Service, tmp_path: Path) -> None:
    clip = await service.clips.add(NewClip("Der Zug fährt ab."))
    deck = tmp_path / "lode.apkg"
    first = await service.deck.export(deck)
    os.utime(deck, (1, 1))
    again = await service.deck.export(deck)
    assert deck.stat().st_mtime == 1
    assert again == replace(first, new=0, same=1)
    for change in (
        lambda: service.clips.edit(clip.id, NewClip("Der Zug kommt an.")),
        lambda: service.clips.add(NewClip("Er fährt.")),
        lambda: service.clips.delete(clip.id),
        lambda: asyncio.to_thread(deck.write_bytes, deck.read_bytes() + b"\0"),
        lambda: asyncio.to_thread(deck.unlink),
    ):
        await change()
        await service.deck.export(deck)
        assert deck.stat().st_mtime > 1
        os.utime(deck, (1, 1))


async def test_what_is_selected_is_exported_and_only_that_counts(service: Service, tmp_path: Path) -> None:
    first = await service.clips.add(NewClip("Der Zug fährt ab.", tags=("verb",)))
    await service.clips.add(NewClip("Er wartet."))
    deck = tmp_path / "lode.apkg"
    report = await service.deck.export(deck, selection=ClipSelection(tag="VERB", q="zug", since="2020-01-01"))
    assert (report.new, report.changed, report.same, report.written) == (1, 0, 0, True)
    assert [clip.exported for clip in (await service.clips.page()).items] == ["never", "same"]
    marked = ClipSelection(ids=(first.id[:8],))
    assert (await service.deck.export(deck, selection=marked, dry_run=True)).same == 1
    assert (await service.deck.export(deck, selection=ClipSelection(only_new=True))).new == 1
    nothing = await service.deck.export(tmp_path / "no.apkg", selection=ClipSelection(only_new=True))
    assert (nothing.clips, nothing.written, (tmp_path / "no.apkg").exists()) == (0, False, False)
    assert (await service.deck.export(deck)).same == 2
    await service.clips.edit(first.id, NewClip("Der Zug kommt an."))
    assert (await service.deck.export(deck, selection=ClipSelection(only_new=True))).changed == 1


@near_and_far
async def test_what_is_no_deck_is_written_and_does_not_count_as_exported(service: Service, tmp_path: Path) -> None:
    clip = await service.clips.add(NewClip("Der Zug fährt ab.", source="Zwei"))
    await service.clips.add(NewClip("Er wartet.", source="Eins"))
    for name in ("csv", "tsv", "jsonl", "md", "txt"):
        report = await service.deck.export(tmp_path / f"clips.{name}", selection=ClipSelection(q="er"))
        assert (report.clips, report.format) == (1, name)
        assert report.size_bytes == (tmp_path / f"clips.{name}").stat().st_size
    assert {each.exported for each in (await service.clips.page()).items} == {"never"}
    lines = tmp_path / "all.jsonl"
    await service.deck.export(lines)
    newest, oldest = (await service.clips.page()).items
    assert [json.loads(line) for line in lines.read_text().splitlines()] == [to_json(oldest), to_json(newest)]
    await service.deck.export(tmp_path / "all.MD")
    text = (tmp_path / "all.MD").read_text()
    assert text.index("# Eins") < text.index("# Zwei")
    with pytest.raises(InvalidInput) as caught:
        await service.deck.export(lines)
    assert caught.value.code == "target_exists"
    await service.clips.delete(clip.id)
    await service.deck.export(lines, overwrite=True)
    assert len(lines.read_text().splitlines()) == 1
    with pytest.raises(InvalidInput) as caught:
        await service.deck.export(tmp_path / "clips.pdf")
    assert caught.value.code == "unknown_format"
    assert not (tmp_path / "clips.pdf").exists()


async def test_clips_of_a_transcript_have_its_language_on_their_cards(service: Service, tmp_path: Path) -> None:
    transcript = await story(service, tmp_path)
    clip = await service.clips.add(NewClip("Der Zug.", transcript.id))
    await service.clips.add(NewClip("Der Zug.", transcript.id, focus=FocusWord("Zug")))
    await service.clips.add(NewClip("Ohne Text."))
    assert (clip.language, (await service.clips.get(clip.id)).language) == ("de", "de")
    text, deck = tmp_path / "lode.txt", tmp_path / "lode.apkg"
    await service.deck.export(deck)
    await service.deck.export(text)
    assert text.read_text("utf-8").count('<span lang=""de"" dir=""ltr"">') == 4
    os.utime(deck, (1, 1))
    await service.transcripts.edit(transcript.id, language="nl")
    await service.deck.export(text, overwrite=True)
    assert text.read_text("utf-8").count('<span lang=""nl"" dir=""ltr"">') == 4
    await service.deck.export(deck)
    assert deck.stat().st_mtime > 1
    assert (await service.clips.get(clip.id)).updated_at == clip.updated_at


CLIPS = (
    NewClip("Der Zug.", focus=FocusWord("Zug", language="de"), tags=("verb::strong", "film")),
    NewClip("The train.", focus=FocusWord("train", language="en-GB")),
    NewClip("A train.", focus=FocusWord("train", language="en"), tags=('a "b" c',)),
    NewClip("?"),
)


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
    for clip in CLIPS:
        await service.clips.add(clip)
    await service.settings.save(ProfileSettings(deck_per=per))
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
