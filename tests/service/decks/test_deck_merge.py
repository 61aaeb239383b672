"""Clips merged with the notes of a real Anki collection: what was edited there stays, what changed here arrives."""

import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from tests.deck.conftest import Anki, Imported, anki_lang
from tests.service.libraries import near_and_far
from tui.config import Settings
from tui.deck.note_type import FIELDS, MODEL_ID
from tui.errors import ImportRefused
from tui.records.clips import Clip, FocusWord, NewClip
from tui.records.exports import KeptNote, MergeReport
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

    async def write_merged(self, file: Path | None = None, *, dry_run: bool = False) -> MergeReport:
        """Export a deck merged with the collection, or with a file."""
        source = file or self.anki.path
        report = await self.service.deck.export(self.place / "merged.apkg", merge_with=source, dry_run=dry_run)
        assert report.merge is not None
        return report.merge

    async def merged(self) -> tuple[MergeReport, Imported]:
        """Export a deck merged with the collection, and import it."""
        return await self.write_merged(), self.anki.take(self.place / "merged.apkg")

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


@near_and_far
async def test_each_side_keeps_what_it_changed(learner: Learner) -> None:
    there, here, both, neither = [await learner.clip() for _ in range(4)]
    report, imported = await learner.merged()
    assert (report.added, imported) == (4, Imported(new=4))

    learner.edit_in_anki(there, Translation="The train departs.")
    await learner.edit(here, translation="The train goes.")
    learner.edit_in_anki(both, Translation="Mine", Notes="noted in Anki")
    await learner.edit(both, translation="Changed here", sentence="Der Zug fährt jetzt ab.")
    report, imported = await learner.merged()

    assert (report.added, report.updated, report.same) == (0, 2, 2)
    assert imported == Imported(updated=2)
    assert learner.note(there)["Translation"] == "The train departs."
    assert learner.note(here)["Translation"] == "The train goes."
    assert learner.note(both)["Translation"] == "Mine"
    assert learner.note(both)["Notes"] == "noted in Anki"
    assert learner.note(both)["Sentence"] == "Der <b>Zug</b> fährt jetzt ab."
    assert set(report.kept) == {
        KeptNote(there.id, "Zug", ("Translation",)),
        KeptNote(both.id, "Zug", ("Translation",), ("Translation",)),
    }
    assert (report.kept_count, report.conflict_count) == (2, 1)
    assert learner.note(neither)["Translation"] == "The train leaves."

    again, imported = await learner.merged()
    assert (again.updated, again.conflict_count, imported) == (0, 1, Imported())
    again, _ = await learner.merged()
    assert again.conflict_count == 0, "once Anki has the rest of it, a conflict has been told"


async def test_a_file_that_was_never_imported_hides_no_edit_and_no_change(learner: Learner) -> None:
    clip = await learner.clip()
    await learner.plain()
    await learner.edit(clip, translation="second", tags=("zug", "neu"))
    await learner.service.deck.export(learner.place / "lost.apkg")
    report, _ = await learner.merged()
    assert report.updated == 1
    assert learner.note(clip)["Translation"] == "second"
    assert sorted(learner.note(clip).tags) == ["neu", "zug"]

    await learner.edit(clip, translation="third")
    await learner.service.deck.export(learner.place / "lost.apkg")
    learner.edit_in_anki(clip, Translation="mine")
    report, _ = await learner.merged()
    assert learner.note(clip)["Translation"] == "mine"
    assert report.conflict_count == 1


async def test_tags_of_both_sides_are_kept_and_a_field_is_only_emptied_that_lode_filled(learner: Learner) -> None:
    clip = await learner.clip(replace(ZUG, tags=("zug", "alt", "bahn"), note="ask Anna"))
    await learner.merged()
    await learner.merged()
    theirs = {"Picture": '<img src="zug.jpg">', "SentenceAudio": "[sound:zug.mp3]"}
    learner.edit_in_anki(clip, tags=["zug", "alt", "meins"], **theirs)
    await learner.edit(clip, tags=("zug", "bahn", "neu"), note="", translation="changed")
    await learner.merged()
    note = learner.note(clip)
    assert sorted(note.tags) == ["meins", "neu", "zug"], "removed ones go"
    assert {name: note[name] for name in theirs} == theirs
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
    assert report.by_time == 2
    assert learner.note(edited)["Translation"] == "mine"
    assert learner.note(changed)["Translation"] == "changed"


def add_field(models: Any, model: Any) -> None:
    models.add_field(model, models.new_field("Hint"))


def change_all(models: Any, model: Any) -> None:
    """Add, rename, move and remove a field, add a kind of card, and change the look."""
    add_field(models, model)
    translation = model["flds"][FIELDS.index("Translation")]
    models.remove_field(model, model["flds"][FIELDS.index("MiscInfo")])
    models.rename_field(model, translation, "Bedeutung")
    models.reposition_field(model, translation, 1)
    template = models.new_template("Recall")
    template["qfmt"] = "{{#Picture}}{{Picture}}{{/Picture}}{{Bedeutung}}"
    template["afmt"] = "{{FrontSide}}{{Sentence}}"
    models.add_template(model, template)
    model["css"] += "/* mine */"


async def test_a_note_type_that_the_learner_changed_goes_on_being_updated(learner: Learner) -> None:
    old = await learner.clip()
    await learner.merged()
    learner.change_type(change_all)
    css = learner.anki.col.models.get(MODEL_ID)["css"]
    assert css.endswith("/* mine */")
    await learner.edit(old, translation="The train goes.")
    new = await learner.clip(replace(ZUG, translation="Another"))
    report, imported = await learner.merged()
    assert report.note_types == ("Lode",)
    assert imported == Imported(new=1, updated=1)
    names = [each.name for each in learner.anki.col.models.all_names_and_ids()]
    assert [name for name in names if name.startswith("Lode")] == ["Lode"]
    assert (learner.note(old)["Bedeutung"], learner.note(new)["Bedeutung"]) == ("The train goes.", "Another")
    assert learner.anki.col.models.get(MODEL_ID)["css"] == css
    assert [len(learner.note(each).cards()) for each in (old, new)] == [2, 2]
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
        report = await learner.write_merged(package, dry_run=True)
        assert (report.updated, report.kept_count) == (1, 0)
    assert not (learner.place / "merged.apkg").exists()


async def test_a_note_with_another_number_of_fields_than_its_type_is_no_trouble(learner: Learner) -> None:
    clip = await learner.clip()
    await learner.plain()
    for fields in (0, 1, 500):
        learner.anki.col.db.execute("update notes set flds = ?", "\x1f".join(["x"] * fields))
        await learner.edit(clip, translation=f"changed {fields}")
        assert (await learner.write_merged()).added == 0


async def test_a_file_that_is_no_collection_is_refused_and_nothing_is_written(learner: Learner) -> None:
    await learner.clip()
    broken = learner.place / "broken.anki2"
    data = learner.anki.path.read_bytes()
    for spoilt in (data[:100] + bytes(len(data) - 100), b"PK\x03\x04", b"{}", None):
        broken.unlink() if spoilt is None else broken.write_bytes(spoilt)
        with pytest.raises(ImportRefused):
            await learner.write_merged(broken)
    assert not (learner.place / "merged.apkg").exists()
