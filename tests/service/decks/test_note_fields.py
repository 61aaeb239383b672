"""Notes of the learner's own note type: copies of Lapis's and Kiku's field lists in a real Anki collection."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.deck.conftest import Anki, Imported, anki_lang
from tests.service.decks.conftest import edit, import_package, notes, pushed
from tests.vocabulary.anki_collections import Collection
from tests.vocabulary.fake_anki_connect import FakeAnkiConnect
from tui.deck.note_fields import PRESETS, NoteFields, write_note_fields
from tui.deck.note_type import VALUES
from tui.errors import DeckError, InvalidInput
from tui.records.clips import FocusWord, NewClip
from tui.records.settings import ProfileSettings
from tui.records.vocabulary import RunningAnki
from tui.service.protocol import Service

pytestmark = pytest.mark.exhaustive

ZUG = NewClip(
    "Der Zug fährt ab.",
    translation="The train leaves.",
    explanation="A **sentence**.",
    focus=FocusWord("Zug", meanings=("train",)),
    tags=("zug",),
)
HOME_MADE = NoteFields("Meine Karten", {"Wort": "Expression", "Satz": "Sentence", "Sinn": "Translation"})


async def use(service: Service, fields: NoteFields) -> None:
    await service.settings.save(ProfileSettings(note_fields=write_note_fields(fields)))


def make_type(anki: FakeAnkiConnect, fields: NoteFields, *more: str) -> None:
    anki.do(lambda collection: collection.note_type(fields.note_type, *fields.fields, *more))


async def test_known_types_are_merged(
    service: Service, anki: FakeAnkiConnect, collection: Path, tmp_path: Path
) -> None:
    fields = PRESETS["lapis"]
    make_type(anki, fields)
    await use(service, fields)
    clip = await service.clips.add(ZUG)
    assert (await pushed(service, anki, dry_run=True)).added == 1
    first = await pushed(service, anki)
    assert (first.added, first.not_taken, first.note_types) == (1, 0, (fields.note_type,))
    (note,) = notes(anki)
    assert (note["type"], note["tags"], note["Hint"]) == (fields.note_type, ["zug"], "")
    assert (note["Sentence"], note["MainDefinition"]) == ("Der <b>Zug</b> fährt ab.", "train")
    assert "<strong>sentence</strong>" in note["Glossary"]

    edit(anki, 0, MainDefinition="mine", Hint="mine too")
    await service.clips.edit(clip.id, replace(ZUG, sentence="Der Zug hält.", focus=FocusWord("Zug", meanings=("t",))))
    second = await pushed(service, anki)
    assert (second.added, second.updated, second.not_taken) == (0, 1, 0)
    assert (second.kept[0].fields, second.kept[0].conflicts) == (("MainDefinition",), ("MainDefinition",))
    (note,) = notes(anki)
    assert (note["Sentence"], note["MainDefinition"], note["Hint"]) == ("Der <b>Zug</b> hält.", "mine", "mine too")

    path = tmp_path / "file.apkg"
    await service.clips.add(replace(ZUG, sentence="Noch ein Zug."))
    await service.deck.export(path, merge_with=collection)
    import_package(anki, path)
    third = await pushed(service, anki)
    assert (third.added, third.updated, third.same) == (0, 0, 2)
    assert [each["type"] for each in notes(anki)] == [fields.note_type] * 2


async def test_lapis_gets_furigana_and_new_notes_their_kind_s_marks(service: Service, anki: FakeAnkiConnect) -> None:
    fields = PRESETS["lapis"]
    make_type(anki, fields)
    await use(service, replace(fields, fields={**fields.fields, "ExpressionFurigana": "", "Hint": "=x <b>"}))
    focus = FocusWord("食べた", reading="たべた", frequency=12, language="ja")
    clip = await service.clips.add(NewClip("昨日食べた。", focus=focus))
    await service.clips.add(NewClip("昨日のこと。"))
    await pushed(service, anki)
    word, sentence = notes(anki)
    kinds = ("IsWordAndSentenceCard", "IsSentenceCard", "IsClickCard", "IsAudioCard")
    assert [word[kind] for kind in kinds] == ["x", "", "", ""]
    assert [sentence[kind] for kind in kinds] == ["", "x", "", ""]
    assert (word["ExpressionFurigana"], word["Frequency"], word["Hint"]) == ("", "", "x &lt;b&gt;")

    edit(anki, 0, IsWordAndSentenceCard="", IsClickCard="x", Hint="")
    await use(service, fields)
    assert (await pushed(service, anki)).updated == 1
    word, _ = notes(anki)
    assert word["ExpressionFurigana"] == '<span lang="ja" dir="ltr">食[た]べた</span>'
    assert [word[kind] for kind in (*kinds, "Hint")] == ["", "", "x", "", ""], "its texts are for new notes only"
    await service.clips.edit(clip.id, NewClip("昨日食べた。", focus=replace(focus, reading="たべる")))
    assert (await pushed(service, anki)).updated == 1
    assert notes(anki)[0]["ExpressionFurigana"] == ""


async def test_cards_of_lode_s_own_type_stay_and_later_fields_fill(service: Service, anki: FakeAnkiConnect) -> None:
    await service.clips.add(ZUG)
    await pushed(service, anki)
    make_type(anki, HOME_MADE, "Tipp")
    await use(service, replace(HOME_MADE, fields={"Wort": "Expression", "Satz": "Sentence"}))
    await service.clips.add(replace(ZUG, sentence="Noch ein Zug."))
    assert (await pushed(service, anki)).added == 1
    assert [each["type"] for each in notes(anki)] == ["Lode", "Meine Karten"]
    assert notes(anki)[1]["Sinn"] == ""
    await use(service, HOME_MADE)
    assert (await pushed(service, anki)).updated == 1
    assert notes(anki)[1]["Sinn"] == "The train leaves."
    await service.settings.save(ProfileSettings())
    assert (await pushed(service, anki)).same == 2


async def test_a_package_takes_the_note_type_out_of_a_deck(service: Service, tmp_path: Path) -> None:
    anki_lang.set_lang("en_US")
    there = Collection(tmp_path / "there.anki2")
    there.note_type("Meine Karten", *HOME_MADE.fields)
    there.note("sample", note_type="Meine Karten")
    given = there.package(tmp_path / "given.apkg")
    there.close()
    await use(service, HOME_MADE)
    await service.clips.add(ZUG)
    out = tmp_path / "out.apkg"
    with pytest.raises(DeckError) as told:
        await service.deck.export(out)
    assert told.value.code == "note_type_needed"
    assert "--from" in told.value.hint
    assert not out.exists()
    report = await service.deck.export(out, merge_with=given)
    assert report.merge is not None and report.merge.added == 1
    anki = Anki(tmp_path / "collection.anki2")
    try:
        assert anki.take(given) == Imported(new=1)
        design = anki.col.models.by_name("Meine Karten")
        assert anki.take(out) == Imported(new=1)
        assert anki.take(out) == Imported(duplicate=1)
        after = anki.col.models.by_name("Meine Karten")
        assert [each["name"] for each in anki.col.models.all() if "Karten" in each["name"]] == ["Meine Karten"]
        assert (after["tmpls"], after["css"]) == (design["tmpls"], design["css"])
        (number,) = anki.col.find_notes("Wort:*Zug*")
        note = anki.col.get_note(number)
        assert (note["Satz"], note["Sinn"]) == ("Der <b>Zug</b> fährt ab.", "The train leaves.")
        assert len(note.cards()) == 1
        assert anki.col.get_empty_cards().notes == []
    finally:
        anki.col.close()


async def test_what_the_note_type_lacks_is_named_first(
    service: Service, anki: FakeAnkiConnect, collection: Path
) -> None:
    async def refusal(fields: NoteFields) -> str:
        await use(service, fields)
        with pytest.raises(DeckError) as told:
            await pushed(service, anki)
        return told.value.code

    await service.clips.add(ZUG)
    misspelt = replace(HOME_MADE, fields={**HOME_MADE.fields, "Satz": "", "Sentense": "Sentence"})
    assert await refusal(misspelt) == "no_note_type"
    found = await service.deck.check_fields(RunningAnki(anki.address))
    assert (found.usable, found.fields, "Basic" in found.closest_types) == (False, (), True)

    anki.do(lambda collection: collection.note_type("Meine Karten", "Nummer", "Wort", "Sentence", "Sinn"))
    assert await refusal(misspelt) == "unknown_note_fields"
    for source in (RunningAnki(anki.address), collection):
        found = await service.deck.check_fields(source)
        assert [(each.name, each.closest) for each in found.unknown] == [("Sentense", "Sentence")]
        assert (found.usable, found.empty) == (False, ("Nummer", "Sentence"))
    assert await refusal(replace(HOME_MADE, fields={"Wort": "Expression"})) == "first_note_field_empty"
    assert await refusal(NoteFields("Cloze", {"Text": "Sentence"})) == "cloze_note_type"
    assert notes(anki) == []


async def test_fields_that_cannot_be_are_refused_and_the_ones_before_stay(service: Service) -> None:
    await use(service, HOME_MADE)
    for text, why in (
        ("note_type =", "no TOML"),
        ("[fields]\nA = 'Sentence'", "needs the name"),
        ("note_type = 'A'", "at least one field"),
        ("note_type = 'A'\n[fields]\nA = 'Sentense'", "did you mean Sentence"),
        ("note_type = 'A'\n[fields]\nA = ['Sentence']", "in quotation marks"),
        ("note_type = 'A'\ndeck = 'B'\n[fields]\nA = 'Sentence'", "there is no 'deck'"),
        ('note_type = "A\\u001b[31m"\n[fields]\nA = "Sentence"', "no name that Anki has"),
        ("note_type = 'Lode'\n[fields]\nExpression = 'Sentence'", "stay as they are"),
    ):
        with pytest.raises(InvalidInput, match=why) as told:
            await service.settings.save(ProfileSettings(note_fields=text))
        assert (told.value.code, told.value.field) == ("invalid_note_fields", "note_fields")
    assert (await service.settings.get()).note_fields == write_note_fields(HOME_MADE)


def test_presets_fill_fields_that_there_are() -> None:
    for preset in PRESETS.values():
        assert set(preset.fields.values()) <= {*VALUES, ""}
        assert preset.is_own


async def test_tables_have_its_fields_as_columns_and_the_text_import_names_it(service: Service, tmp_path: Path) -> None:
    await use(service, HOME_MADE)
    clip = await service.clips.add(replace(ZUG, translation="=1+1\nand <b>"))
    table, text = tmp_path / "clips.tsv", tmp_path / "clips.txt"
    await service.deck.export(table)
    header, row = table.read_text("utf-8").split("\n", 1)
    assert header.split("\t") == ["id", "Wort", "Satz", "Sinn", "tags"]
    assert row == f'{clip.id}\tZug\tDer Zug fährt ab.\t"\'=1+1\nand <b>"\tzug\n'
    await service.deck.export(text)
    lines = text.read_text("utf-8").split("\n")
    assert "#notetype:Meine Karten" in lines
    assert "#columns:Guid\tWort\tSatz\tSinn\tTags" in lines
    assert lines[-2].split("\t")[1:3] == ["Zug", "Der <b>Zug</b> fährt ab."]
