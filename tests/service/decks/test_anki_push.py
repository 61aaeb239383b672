"""Clips pushed into a running Anki: AnkiConnect over a real collection."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.service.libraries import both_every_day
from tests.vocabulary.anki_collections import Collection
from tests.vocabulary.fake_anki_connect import FakeAnkiConnect, running_anki
from tests.voices.programs import Programs
from tests.voices.programs import programs as programs
from tui.config import Settings
from tui.deck.note_type import MODEL_ID
from tui.errors import ProviderError
from tui.records.clips import FocusWord, NewClip
from tui.records.exports import MergeReport
from tui.records.vocabulary import RunningAnki
from tui.service.local import LocalService
from tui.service.protocol import Service

pytestmark = pytest.mark.exhaustive

ZUG = NewClip(
    "Der Zug fährt ab.", translation="The train leaves.", focus=FocusWord("Zug", language="de"), tags=("zug",)
)


@pytest.fixture
def anki(tmp_path: Path) -> Any:
    place = tmp_path / "Anki 2" / "User 1"
    place.mkdir(parents=True)
    with running_anki(place / "collection.anki2") as anki:
        yield anki


async def pushed(service: Service, anki: FakeAnkiConnect, **how: Any) -> MergeReport:
    report = await service.deck.push(RunningAnki(anki.address), **how)
    assert report.merge is not None
    return report.merge


def notes(anki: FakeAnkiConnect) -> list[dict[str, Any]]:
    """Fields and tags of all notes, in the order of their numbers."""
    found: list[dict[str, Any]] = []

    def read(collection: Collection) -> None:
        for number in sorted(collection.col.find_notes("")):
            note = collection.col.get_note(number)
            found.append({**dict(note.items()), "tags": sorted(note.tags), "type": note.mid})

    anki.do(read)
    return found


def edit(anki: FakeAnkiConnect, at: int, *tags: str, **values: str) -> None:
    def change(collection: Collection) -> None:
        note = collection.col.get_note(sorted(collection.col.find_notes(""))[at])
        for name, value in values.items():
            note[name] = value
        note.tags += tags
        collection.col.update_note(note)

    anki.do(change)


@both_every_day
async def test_pushes_and_files_never_double_a_note_and_keep_what_was_edited(
    service: Service, anki: FakeAnkiConnect, tmp_path: Path
) -> None:
    clips = [await service.clips.add(replace(ZUG, sentence=f"Zug {at}")) for at in range(3)]
    planned = await pushed(service, anki, dry_run=True)
    assert (planned.added, notes(anki)) == (3, [])
    first = await pushed(service, anki)
    assert (first.added, first.updated, first.same, first.not_taken) == (3, 0, 0, 0)
    assert [note["type"] for note in notes(anki)] == [MODEL_ID] * 3

    edit(anki, 0, "leech", Notes="mine", Translation="mine")
    for clip in clips[:2]:
        now = await service.clips.get(clip.id)
        await service.clips.edit(clip.id, replace(now.contents(), translation="changed"))
    second = await pushed(service, anki)
    assert (second.added, second.updated, second.same, second.not_taken) == (0, 1, 2, 0)
    assert [(each.clip_id, each.word, each.conflicts) for each in second.kept] == [
        (clips[0].id, "Zug", ("Translation",))  # the word, without the marks of its language
    ]
    assert [note["Translation"] for note in notes(anki)] == ["mine", "changed", "The train leaves."]
    assert notes(anki)[0]["Notes"] == "mine"
    assert notes(anki)[0]["tags"] == ["leech", "zug"]

    file = tmp_path / "plain.apkg"
    await service.deck.export(file)
    anki.do(lambda collection: anki.reply(collection, _request("importPackage", path=str(file))))
    third = await pushed(service, anki)
    assert (third.added, third.updated, third.same, third.conflict_count) == (0, 0, 3, 0)
    assert len(notes(anki)) == 3
    assert not list((tmp_path / "Anki 2" / "User 1").glob(".lode-tmp-*"))


async def test_a_voice_that_came_later_is_pushed_and_goes_again(
    service: Service, anki: FakeAnkiConnect, programs: Programs
) -> None:
    clip = await service.clips.add(ZUG)
    await pushed(service, anki)
    job = await service.media.speak()
    assert job is not None
    async for _ in service.jobs.follow([job.id]):
        pass
    now = await service.clips.get(clip.id)
    assert (now.updated_at, (await pushed(service, anki)).updated) == (clip.updated_at, 1)
    (note,) = notes(anki)
    assert (note["SentenceAudio"], "spoken by a machine" in note["MiscInfo"]) == (f"[sound:lode-{now.audio}.mp3]", True)
    await service.media.unspeak()
    assert (await pushed(service, anki)).updated == 1
    (note,) = notes(anki)
    assert (note["SentenceAudio"], "spoken by a machine" in note["MiscInfo"]) == ("", False)


async def test_a_mark_of_anki_s_stays_on_a_note_that_is_updated(service: Service, anki: FakeAnkiConnect) -> None:
    clip = await service.clips.add(ZUG)
    await pushed(service, anki)
    edit(anki, 0, "leech", "marked")
    await service.clips.edit(clip.id, replace(ZUG, translation="changed"))
    assert (await pushed(service, anki)).updated == 1
    assert notes(anki)[0]["tags"] == ["leech", "marked", "zug"]


async def test_a_note_type_with_a_field_of_the_learner_s_is_pushed_into(
    service: Service, anki: FakeAnkiConnect
) -> None:
    clip = await service.clips.add(ZUG)
    await pushed(service, anki)

    def add_field(collection: Collection) -> None:
        models = collection.col.models
        model = models.get(MODEL_ID)
        models.add_field(model, models.new_field("Hint"))
        models.update_dict(model)

    anki.do(add_field)
    edit(anki, 0, Hint="mine")
    await service.clips.edit(clip.id, replace(ZUG, translation="changed"))
    await service.clips.add(replace(ZUG, sentence="Noch ein Zug"))
    report = await pushed(service, anki)
    assert (report.added, report.updated, report.note_types, report.not_taken) == (1, 1, ("Lode",), 0)
    first, second = notes(anki)
    assert (first["Hint"], first["Translation"], first["type"], second["type"]) == ("mine", "changed", *[MODEL_ID] * 2)


async def test_notes_of_deleted_clips_are_told_and_removed_only_when_asked_and_come_back(
    service: Service, anki: FakeAnkiConnect, tmp_path: Path
) -> None:
    _, gone, edited = [await service.clips.add(replace(ZUG, sentence=f"Zug {at}")) for at in range(3)]
    await pushed(service, anki)
    other = LocalService(Settings(home=tmp_path / "other", config_path=tmp_path / "config.toml"))
    await other.clips.add(replace(ZUG, sentence="of another library"))
    await pushed(other, anki)
    await other.close()
    edit(anki, 2, Notes="mine", Translation="mine")
    await service.clips.delete(gone.id)
    await service.clips.delete(edited.id)
    for report in (await pushed(service, anki, dry_run=True, remove_deleted=True), await pushed(service, anki)):
        assert (report.deleted_count, report.removed) == (2, 0)
        assert [(each.clip_id, each.word, each.edited) for each in report.deleted] == [
            (gone.id, "Zug", False),
            (edited.id, "Zug", True),
        ]
    assert len(notes(anki)) == 4
    merged = await service.deck.export(tmp_path / "merged.apkg", merge_with=collection_of(tmp_path))
    assert merged.merge is not None
    assert merged.merge.deleted_count == 2

    report = await pushed(service, anki, remove_deleted=True)
    assert (report.deleted_count, report.removed, report.same) == (2, 2, 1)
    first, stranger = [note["Sentence"] for note in notes(anki)]
    assert "</b> 0" in first
    assert "of another library" in stranger
    await service.undo()
    report = await pushed(service, anki, remove_deleted=True)
    assert (report.added, report.deleted_count, report.not_taken) == (1, 0, 0)
    assert [("</b> 2" in note["Sentence"]) for note in notes(anki)] == [False, True, False]


def collection_of(tmp_path: Path) -> Path:
    return tmp_path / "Anki 2" / "User 1" / "collection.anki2"


async def test_an_anki_whose_collection_is_elsewhere_is_left_alone(
    service: Service, anki: FakeAnkiConnect, tmp_path: Path
) -> None:
    await service.clips.add(ZUG)
    await pushed(service, anki)
    here = tmp_path / "Anki 2" / "User 1" / "collection.anki2"
    away = here.with_name("away")
    shutil.copytree(here.parent, away, ignore=lambda place, names: [name for name in names if name == "away"])
    edit(anki, 0, Translation="mine")
    anki.do(lambda collection: collection.col.db.execute("update notes set mod = mod + 9"))

    media = str(away / "collection.media")
    anki.do(lambda collection: setattr(collection.col.media, "dir", lambda: media))
    with pytest.raises(ProviderError) as told:
        await pushed(service, anki)
    assert told.value.code == "collection_out_of_reach"
    media = str(tmp_path / "nowhere" / "collection.media")
    with pytest.raises(ProviderError) as told:
        await pushed(service, anki)
    assert told.value.code == "collection_out_of_reach"
    assert "--from" in told.value.hint
    with pytest.raises(ProviderError) as told:
        await service.deck.push(RunningAnki("http://anki.example.org:8765"))
    assert told.value.code == "collection_out_of_reach"
    assert notes(anki)[0]["Translation"] == "mine"


async def test_an_anki_that_does_not_let_lode_in_says_so(service: Service, anki: FakeAnkiConnect) -> None:
    anki.permission = "denied"
    with pytest.raises(ProviderError) as told:
        await pushed(service, anki)
    assert told.value.code == "anki_refused"
    anki.permission, anki.key = "granted", "secret"
    with pytest.raises(ProviderError) as told:
        await pushed(service, anki)
    assert told.value.code == "key_refused"


def _request(action: str, **params: Any) -> dict[str, Any]:
    return {"action": action, "version": 6, "params": params}
