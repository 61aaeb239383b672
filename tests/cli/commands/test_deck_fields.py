"""``lode deck fields``: shown, changed, and compared with what an Anki has."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Lode
from tests.vocabulary.anki_collections import Collection
from tests.vocabulary.fake_anki_connect import running_anki
from tui.deck.note_fields import PRESETS, parse_note_fields
from tui.deck.note_type import FIELDS


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
    assert refused.code == 1
    assert "\x1b" not in refused.err
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
    assert "no note type 'Kiku'" in done.err
    assert done.code == 1
    assert lode("deck", "fields", "--check", str(tmp_path / "none.apkg")).code == 1
