"""``lode export``, ``push`` and ``deck fields``: decks and lists of clips, Anki's notes, and the note type."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from tests.cli.conftest import Lode
from tests.vocabulary.anki_collections import Collection
from tests.vocabulary.fake_anki_connect import running_anki
from tui.deck.note_fields import PRESETS, parse_note_fields
from tui.deck.note_type import FIELDS
from tui.records.clips import FocusWord, NewClip
from tui.store import Store

ZUG = NewClip("Der Zug fährt ab.", translation="The train leaves.", focus=FocusWord("Zug\x1b[31m"))


def test_standard_output_gets_clips_in_every_format_that_is_a_text(lode: Lode, store: Store, tmp_path: Path) -> None:
    store.clips.add("default", ZUG)
    store.clips.add("default", NewClip("Wir fahren mit.", tags=("verb",)))
    for form in ("csv", "tsv", "jsonl", "md", "txt"):
        target = tmp_path / f"clips.{form}"
        assert lode("export", str(target)).code == 0
        assert lode("export", "-", "--format", form).out == target.read_bytes().decode(), form
    (only,) = lode("export", "-", "--format", "jsonl", "--tag", "verb").events()
    assert only["sentence"] == "Wir fahren mit."
    none = lode("export", "-", "--format", "csv", "--tag", "none")
    assert (none.code, none.out, none.err) == (0, "", "no clip matches that: there is nothing to export\n")
    for args in (("-",), ("x.csv", "--format", "csv"), ("-", "--format", "csv", "--dry-run")):
        lode("export", *args).check_refused("standard output", code=2)


def test_the_deck_is_written_and_told(lode: Lode, store: Store, tmp_path: Path) -> None:
    for number in range(3):
        store.clips.add("default", NewClip(f"Satz {number}."))
    target = tmp_path / "german deck.apkg"
    dry = lode("export", str(target), "--dry-run")
    assert dry.out == "Lode: 3 notes, 3 new, 0 changed, 0 the same · nothing written\n"
    assert not target.exists()
    target.write_text("dear diary")
    refused = lode("export", str(target))
    assert (refused.code, refused.out, refused.err) == (
        *(1, "", f"error: {target} exists and is no Anki deck\nhint: name another file, or replace it with --force\n"),
    )
    assert target.read_text() == "dear diary"
    done = lode("export", str(target), "--force")
    assert done.code == 0, done.err
    assert done.out.startswith(f"Lode: 3 notes, 3 new, 0 changed, 0 the same · {target} (")
    assert zipfile.is_zipfile(target)
    again = lode("export", str(target), "--json").json()
    assert (again["new"], again["changed"], again["same"], again["written"]) == (0, 0, 3, True)
    named = lode("export", str(tmp_path / "NAMED.APKG"), "--deck", "Deutsch::Lesen", "--json").json()
    assert (named["deck"], named["format"]) == ("Deutsch::Lesen", "apkg")
    directory = lode("export", str(tmp_path))
    directory.check_refused(f"{tmp_path} is a directory\nhint: name a file in it: {tmp_path / 'lode.apkg'}\n", code=2)
    lode("export", str(tmp_path / "no" / "deck.apkg")).check_refused()


def test_clips_are_chosen_and_the_ending_says_the_format(lode: Lode, store: Store, tmp_path: Path) -> None:
    tags = ((), ("verb",), ("verb",))
    ids = [store.clips.add("default", NewClip(f"Satz {at}", tags=each)).id for at, each in enumerate(tags)]
    deck, table = tmp_path / "lode.apkg", tmp_path / "lode.csv"
    part = lode("export", str(deck), "--tag", "verb", "--since", "2020-01-01", "--search", "satz", ids[1], ids[2])
    assert part.out.startswith("Lode: 2 notes, 2 new")
    assert [clip["exported"] for clip in lode("clips", "list", "--json").json()] == ["same", "same", "never"]
    assert lode("export", str(deck), "--only-new").out.startswith("Lode: 1 note, 1 new")
    nothing = lode("export", str(deck), "--only-new")
    assert (nothing.code, nothing.err) == (0, "no clip matches that: there is nothing to export\n")
    assert lode("export", str(table), ids[0]).out.startswith(f"1 clip · {table} (")
    lode("export", str(table)).check_refused("--force")
    assert lode("export", str(tmp_path / "lode.pdf")).err.endswith("hint: there are apkg, csv, tsv, jsonl, md, txt\n")
    assert "hint: a date is 2026-11-01" in lode("export", str(deck), "--since", "soon").err


@pytest.mark.exhaustive
def test_a_deck_is_merged_with_what_anki_has(
    lode: Lode, store: Store, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clip = store.clips.add("default", ZUG)
    collection, plain = tmp_path / "collection.anki2", tmp_path / "plain.apkg"
    lode("export", str(plain))
    with running_anki(collection) as anki:
        anki.do(
            lambda each: anki.reply(each, {"action": "importPackage", "version": 6, "params": {"path": str(plain)}})
        )

        def edit(each: Collection) -> None:
            note = each.col.get_note(each.col.find_notes("")[0])
            note["Notes"] = note["Translation"] = "mine"
            each.col.update_note(note)

        anki.do(edit)
        merged = lode("export", str(tmp_path / "merged.apkg"), "--from", str(collection))
        assert merged.code == 0
        assert merged.out.startswith("Lode: 0 new, 0 updated, 1 the same, 1 note with edits of Anki's kept")
        assert f"{clip.id} Zug: edited in Anki, stays: Translation" in merged.err
        pushed = lode("push", "--anki", anki.address, "--json").json()
        assert (pushed["merge"]["same"], pushed["merge"]["kept"][0]["fields"]) == (1, ["Translation"])
        assert lode("push", "--anki", anki.address, "--dry-run").out.endswith("nothing written\n")
        lode("clips", "delete", clip.id)
        told = lode("push", "--anki", anki.address).err
        assert f"{clip.id} Zug: deleted here, edited in Anki\n" in told
        assert "lode push --remove-deleted removes them" in told
        removed = lode("push", "--anki", anki.address, "--remove-deleted")
        assert "1 note whose clip was deleted here: removed from Anki" in removed.err
        assert lode("push", "--anki", anki.address, "--json").json()["merge"]["deleted_count"] == 0

        # The settings say where Anki answers, and which variable has its key.
        store.clips.add("default", ZUG)
        anki.key = "secret"
        (home / "config.toml").write_text(f'anki_url = "{anki.address}"\nanki_key_env = "MY_ANKI_KEY"\n', "utf-8")
        lode("push", "--dry-run").check_refused("MY_ANKI_KEY")
        monkeypatch.setenv("MY_ANKI_KEY", "secret")
        assert lode("push").out.startswith("Lode: 1 new, ")
        assert lode("words", "browse", "Zug").code == 0
        assert lode("words", "import", "anki", "--language", "de", "--dry-run").code == 0
        assert lode("deck", "fields", "--anki", "anki").code == 0
    lode("push", "--anki", "http://127.0.0.1:9").check_refused("Anki does not answer at http://127.0.0.1:9")
    lode("export", str(tmp_path / "out.apkg"), "--from", str(tmp_path / "nowhere.colpkg")).check_refused(
        "cannot be read"
    )
    assert lode("push", "--anki", "ftp://x").code == 1


def test_fields_are_shown_edited_as_toml_and_reset(lode: Lode, tmp_path: Path) -> None:
    usual = lode("deck", "fields", "--json").json()
    assert (usual["note_type"], list(usual["fields"])) == ("Lode", list(FIELDS))
    done = lode("deck", "fields", "--preset", "lapis")
    assert "note type  Lapis\n" in done.out
    assert "Glossary               Explanation\n" in done.out
    assert "nowhere: Lemma, PartOfSpeech, Translation, Context, Notes, SourceURL" in done.err
    text = lode("deck", "fields", "--toml").out
    assert parse_note_fields(text) == PRESETS["lapis"]
    edited = tmp_path / "mine.toml"
    edited.write_text(f"# mine\n{text}".replace('Hint = ""', 'Hint = "Translation"'), encoding="utf-8")
    assert lode("deck", "fields", "--set", str(edited), "--json").json()["fields"]["Hint"] == "Translation"
    assert lode("deck", "fields", "--toml").out.startswith("# mine\n")
    edited.write_text('note_type = "\\u001b[31m"\n[fields]\nA = "Sentence"', encoding="utf-8")
    refused = lode("deck", "fields", "--set", str(edited))
    assert (refused.code, "\x1b" in refused.err) == (1, False)
    assert lode("deck", "fields", "--default", "--json").json() == usual
    assert lode("deck", "fields", "--default", "--preset", "kiku").code == 2


def test_fields_are_compared_with_a_deck_and_with_an_anki(lode: Lode, tmp_path: Path) -> None:
    path = tmp_path / "collection.anki2"
    collection = Collection(path)
    collection.note_type("Lapis", *(name.replace("Glossary", "Glossaries") for name in PRESETS["lapis"].fields))
    collection.close()
    lode("deck", "fields", "--preset", "lapis")
    done = lode("deck", "fields", "--check", str(path))
    assert done.code == 1
    assert "no field 'Glossary' for Explanation; did you mean 'Glossaries'?" in done.err
    with running_anki(path) as anki:
        checked = lode("deck", "fields", "--anki", anki.address, "--json")
        assert checked.code == 1
        assert json.loads(checked.out)["check"]["unknown"] == [
            {"name": "Glossary", "value": "Explanation", "closest": "Glossaries"}
        ]
        mended = lode("deck", "fields", "--toml").out.replace("Glossary =", "Glossaries =")
        (tmp_path / "mended.toml").write_text(mended, encoding="utf-8")
        done = lode("deck", "fields", "--set", str(tmp_path / "mended.toml"), "--anki", anki.address)
        assert done.code == 0
        assert "stay empty: ExpressionAudio, " in done.err
        assert "the note type has them all" in done.err
    lode("deck", "fields", "--preset", "kiku")
    done = lode("deck", "fields", "--check", str(path))
    assert (done.code, "no note type 'Kiku'" in done.err) == (1, True)
    assert lode("deck", "fields", "--check", str(tmp_path / "none.apkg")).code == 1
