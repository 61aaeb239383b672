"""Clips merged with the notes of a real Anki collection: what was edited there stays, what changed here arrives."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from tests.deck.conftest import Anki, Imported, anki_lang
from tests.service.libraries import both_every_day
from tui.config import Settings
from tui.deck.note_type import FIELDS, MODEL_ID
from tui.errors import ImportRefused
from tui.records.clips import Clip, FocusWord, NewClip
from tui.records.exports import ExportReport, KeptNote
from tui.service.protocol import Service

ZUG = NewClip("Der Zug fährt ab.", translation="The train leaves.", focus=FocusWord("Zug"), tags=("zug",))


@dataclass
class Learner:
    """A library with clips, and the Anki that its decks are imported into."""

    service: Service
    anki: Anki
    place: Path

    async def clip(self, contents: NewClip = ZUG) -> Clip:
        return await self.service.clips.add(contents)

    async def edit(self, clip: Clip, **changes: Any) -> None:
        now = await self.service.clips.get(clip.id)
        await self.service.clips.edit(clip.id, replace(now.contents(), **changes))

    async def plain(self) -> Imported:
        """Export a plain deck and import it."""
        await self.service.deck.export(self.place / "plain.apkg")
        return self.anki.take(self.place / "plain.apkg")

    async def merged(self) -> tuple[ExportReport, Imported]:
        """Export a deck merged with the collection, and import it."""
        path = self.place / "merged.apkg"
        report = await self.service.deck.export(path, merge_with=self.anki.path)
        return report, self.anki.take(path)

    def note(self, clip: Clip) -> Any:
        (number,) = self.anki.col.db.list("select id from notes where guid = ?", f"lode-{clip.id}")
        return self.anki.col.get_note(number)

    def edit_in_anki(self, clip: Clip, tags: list[str] | None = None, **values: str) -> None:
        note = self.note(clip)
        for name, value in values.items():
            note[name] = value
        if tags is not None:
            note.tags = tags
        self.anki.col.update_note(note)

    def change_type(self, change: Callable[[Any, Any], None]) -> None:
        models = self.anki.col.models
        model = models.get(MODEL_ID)
        change(models, model)
        models.update_dict(model)


@pytest.fixture
async def learner(service: Service, tmp_path: Path) -> AsyncIterator[Learner]:
    anki_lang.set_lang("en_US")
    anki = Anki(tmp_path / "collection.anki2")
    yield Learner(service, anki, tmp_path)
    anki.col.close()


@both_every_day
async def test_each_side_keeps_what_it_changed(learner: Learner) -> None:
    there, here, both, neither = [await learner.clip() for _ in range(4)]
    report, imported = await learner.merged()
    assert report.merge is not None
    assert (report.merge.added, imported) == (4, Imported(new=4))

    learner.edit_in_anki(there, Translation="The train departs.")
    await learner.edit(here, translation="The train goes.")
    learner.edit_in_anki(both, Translation="Mine", Notes="noted in Anki")
    await learner.edit(both, translation="Changed here", sentence="Der Zug fährt jetzt ab.")
    report, imported = await learner.merged()

    assert report.merge is not None
    assert (report.merge.added, report.merge.updated, report.merge.same) == (0, 2, 2)
    assert imported == Imported(updated=2)
    assert learner.note(there)["Translation"] == "The train departs."
    assert learner.note(here)["Translation"] == "The train goes."
    assert learner.note(both)["Translation"] == "Mine"
    assert learner.note(both)["Notes"] == "noted in Anki"
    assert learner.note(both)["Sentence"] == "Der <b>Zug</b> fährt jetzt ab."
    assert set(report.merge.kept) == {
        KeptNote(there.id, "Zug", ("Translation",)),
        KeptNote(both.id, "Zug", ("Translation",), ("Translation",)),
    }
    assert (report.merge.kept_count, report.merge.conflict_count) == (2, 1)
    assert learner.note(neither)["Translation"] == "The train leaves."

    again, imported = await learner.merged()
    assert again.merge is not None
    assert (again.merge.updated, again.merge.conflict_count, imported) == (0, 1, Imported())
    again, _ = await learner.merged()
    assert again.merge is not None
    assert again.merge.conflict_count == 0, "once Anki has the rest of it, a conflict has been told"


@pytest.mark.exhaustive
async def test_ten_thousand_notes_come_once_and_of_these_only_what_was_changed(learner: Learner) -> None:
    clips = [await learner.clip(replace(ZUG, translation=f"The train leaves {number}.")) for number in range(10_000)]
    report, imported = await learner.merged()
    assert (imported, report.size_bytes < 4_000_000) == (Imported(new=10_000), True)
    for clip in clips[::1_000]:
        await learner.edit(clip, translation="The train goes.")
    for clip in clips[1::1_000]:
        learner.edit_in_anki(clip, Translation="Mine")
    report, imported = await learner.merged()
    assert report.merge is not None
    assert (report.merge.updated, report.merge.same, imported) == (10, 9_990, Imported(updated=10))
    assert learner.anki.col.note_count() == 10_000
    assert [learner.note(clip)["Translation"] for clip in clips[:2]] == ["The train goes.", "Mine"]
    assert (await learner.plain()).new == 0


async def test_a_file_that_was_never_imported_hides_no_edit_and_no_change(learner: Learner) -> None:
    clip = await learner.clip()
    await learner.plain()
    await learner.edit(clip, translation="second", tags=("zug", "neu"))
    await learner.service.deck.export(learner.place / "lost.apkg")
    report, _ = await learner.merged()
    assert report.merge is not None
    assert report.merge.updated == 1
    assert learner.note(clip)["Translation"] == "second"
    assert sorted(learner.note(clip).tags) == ["neu", "zug"]

    await learner.edit(clip, translation="third")
    await learner.service.deck.export(learner.place / "lost.apkg")
    learner.edit_in_anki(clip, Translation="mine")
    report, _ = await learner.merged()
    assert report.merge is not None
    assert learner.note(clip)["Translation"] == "mine"
    assert report.merge.conflict_count == 1


async def test_tags_of_both_sides_are_kept_and_removed_ones_go(learner: Learner) -> None:
    clip = await learner.clip(replace(ZUG, tags=("zug", "alt", "bahn")))
    await learner.merged()
    await learner.merged()
    learner.edit_in_anki(clip, tags=["zug", "alt", "meins"])
    await learner.edit(clip, tags=("zug", "bahn", "neu"))
    await learner.merged()
    assert sorted(learner.note(clip).tags) == ["meins", "neu", "zug"]


async def test_a_field_that_lode_never_fills_is_never_emptied_and_one_that_it_filled_is(learner: Learner) -> None:
    clip = await learner.clip(replace(ZUG, note="ask Anna"))
    await learner.merged()
    learner.edit_in_anki(clip, Picture='<img src="zug.jpg">', SentenceAudio="[sound:zug.mp3]")
    await learner.edit(clip, note="", translation="changed")
    await learner.merged()
    note = learner.note(clip)
    assert (note["Picture"], note["SentenceAudio"]) == ('<img src="zug.jpg">', "[sound:zug.mp3]")
    assert (note["Notes"], note["Translation"]) == ("", "changed")


async def test_notes_of_an_older_lode_are_decided_by_their_times(learner: Learner, settings: Settings) -> None:
    edited, changed = await learner.clip(), await learner.clip()
    await learner.plain()
    with closing(sqlite3.connect(settings.home / "lode.db")) as library, library:
        library.execute("DELETE FROM sent_notes")
    learner.edit_in_anki(edited, Translation="mine")
    learner.anki.col.db.execute("update notes set mod = mod + 60 where guid = ?", f"lode-{edited.id}")
    learner.anki.col.db.execute("update notes set mod = mod - 60 where guid = ?", f"lode-{changed.id}")
    await learner.edit(changed, translation="changed")
    report, _ = await learner.merged()
    assert report.merge is not None
    assert report.merge.by_time == 2
    assert learner.note(edited)["Translation"] == "mine"
    assert learner.note(changed)["Translation"] == "changed"


def add_field(models: Any, model: Any) -> None:
    models.add_field(model, models.new_field("Hint"))


def rename_field(models: Any, model: Any) -> None:
    models.rename_field(model, model["flds"][FIELDS.index("Translation")], "Bedeutung")


def reorder_fields(models: Any, model: Any) -> None:
    models.reposition_field(model, model["flds"][FIELDS.index("Translation")], 1)


def remove_field(models: Any, model: Any) -> None:
    models.remove_field(model, model["flds"][FIELDS.index("MiscInfo")])


def add_card(models: Any, model: Any) -> None:
    template = models.new_template("Recall")
    template["qfmt"], template["afmt"] = (
        "{{#Picture}}{{Picture}}{{/Picture}}{{Translation}}",
        "{{FrontSide}}{{Sentence}}",
    )
    models.add_template(model, template)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(change, marks=() if change is rename_field else pytest.mark.exhaustive)
        for change in (add_field, rename_field, reorder_fields, remove_field, add_card)
    ],
)
async def test_a_note_type_that_the_learner_changed_goes_on_being_updated(
    learner: Learner, change: Callable[[Any, Any], None]
) -> None:
    old = await learner.clip()
    await learner.merged()
    learner.change_type(change)
    css = learner.anki.col.models.get(MODEL_ID)["css"] + "/* mine */"
    learner.change_type(lambda models, model: model.update(css=css))
    await learner.edit(old, translation="The train goes.")
    new = await learner.clip(replace(ZUG, translation="Another"))
    report, imported = await learner.merged()

    assert report.merge is not None
    assert report.merge.note_types == ("Lode",)
    assert imported == Imported(new=1, updated=1)
    assert [each.name for each in learner.anki.col.models.all_names_and_ids() if each.name.startswith("Lode")] == [
        "Lode"
    ]
    name = "Bedeutung" if change is rename_field else "Translation"
    assert (learner.note(old)[name], learner.note(new)[name]) == ("The train goes.", "Another")
    assert learner.anki.col.models.get(MODEL_ID)["css"] == css
    assert [len(learner.note(each).cards()) for each in (old, new)] == [2 if change is add_card else 1] * 2
    assert learner.anki.col.get_empty_cards().notes == []
    problems, is_sound = learner.anki.col.fix_integrity()
    assert is_sound, problems
    assert (await learner.merged())[1] == Imported()


async def test_notes_under_a_second_note_type_of_an_older_import_are_updated_where_they_are(learner: Learner) -> None:
    old = await learner.clip()
    await learner.plain()
    learner.change_type(add_field)
    new = await learner.clip(replace(ZUG, translation="Another"))
    await learner.plain()
    assert learner.note(new).mid != learner.note(old).mid == MODEL_ID
    for clip in (old, new):
        await learner.edit(clip, translation="changed")
    _, imported = await learner.merged()
    assert imported == Imported(updated=2)
    assert [learner.note(clip)["Translation"] for clip in (old, new)] == ["changed"] * 2
    assert learner.note(new).mid != MODEL_ID
    assert (await learner.merged())[1] == Imported()


async def test_of_two_notes_with_one_guid_that_is_merged_which_anki_updates(learner: Learner) -> None:
    clip = await learner.clip()
    await learner.plain()
    other = learner.anki.col.new_note(learner.anki.col.models.get(MODEL_ID))
    other.fields[:] = learner.note(clip).fields
    learner.anki.col.add_note(other, 1)
    learner.anki.col.db.execute("update notes set guid = ?", f"lode-{clip.id}")
    await learner.edit(clip, translation="changed")
    _, imported = await learner.merged()
    assert imported == Imported(updated=1)
    assert learner.anki.col.get_note(other.id)["Translation"] == "changed"
    assert (await learner.merged())[1] == Imported()


async def test_what_anki_exports_is_merged_as_its_collection_is(learner: Learner) -> None:
    from anki.collection import ExportAnkiPackageOptions

    clip = await learner.clip()
    await learner.plain()
    learner.edit_in_anki(clip, Notes="mine")
    await learner.edit(clip, translation="changed")
    for legacy in (True, False):
        package = learner.place / f"exported-{legacy}.apkg"
        options = ExportAnkiPackageOptions(with_scheduling=True, with_media=False, legacy=legacy)
        learner.anki.col.export_anki_package(out_path=str(package), options=options, limit=None)
        report = await learner.service.deck.export(learner.place / "merged.apkg", merge_with=package, dry_run=True)
        assert report.merge is not None
        assert (report.merge.updated, report.merge.kept_count) == (1, 0)
    assert not report.written


@pytest.mark.parametrize("fields", [0, 1, 500])
async def test_a_note_with_another_number_of_fields_than_its_type_is_no_trouble(learner: Learner, fields: int) -> None:
    clip = await learner.clip()
    await learner.plain()
    learner.anki.col.db.execute("update notes set flds = ?", "\x1f".join(["x"] * fields))
    await learner.edit(clip, translation="changed")
    report = await learner.service.deck.export(learner.place / "merged.apkg", merge_with=learner.anki.path)
    assert report.merge is not None
    assert report.merge.added == 0


def damage(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[100:] = bytes(len(data) - 100)
    path.write_bytes(data)


@pytest.mark.parametrize(
    "spoil", [damage, lambda path: path.write_bytes(b"PK\x03\x04"), lambda path: path.write_text("{}"), Path.unlink]
)
async def test_a_file_that_is_no_collection_is_refused_and_nothing_is_written(
    learner: Learner, spoil: Callable[[Path], object]
) -> None:
    await learner.clip()
    broken = learner.place / "broken.anki2"
    broken.write_bytes(learner.anki.path.read_bytes())
    spoil(broken)
    with pytest.raises(ImportRefused):
        await learner.service.deck.export(learner.place / "merged.apkg", merge_with=broken)
    assert not (learner.place / "merged.apkg").exists()
