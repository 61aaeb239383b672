"""``lode export --from`` and ``lode push``: what they say of clips that are merged with Anki's notes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Lode
from tests.vocabulary.anki_collections import Collection
from tests.vocabulary.fake_anki_connect import running_anki
from tui.records.clips import FocusWord, NewClip
from tui.store import Store

pytestmark = pytest.mark.exhaustive

ZUG = NewClip("Der Zug fährt ab.", translation="The train leaves.", focus=FocusWord("Zug\x1b[31m"))


def test_a_deck_is_merged_with_what_anki_exported_and_edits_that_stay_are_named(
    lode: Lode, store: Store, tmp_path: Path
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


def test_a_missing_collection_and_a_missing_anki_are_told(lode: Lode, store: Store, tmp_path: Path) -> None:
    store.clips.add("default", ZUG)
    done = lode("export", str(tmp_path / "out.apkg"), "--from", str(tmp_path / "nowhere.colpkg"))
    assert done.code == 1
    assert "cannot be read" in done.err
    done = lode("push", "--anki", "http://127.0.0.1:9")
    assert done.code == 1
    assert "Anki does not answer at http://127.0.0.1:9" in done.err
    assert lode("push", "--anki", "ftp://x").code == 1


def test_the_settings_say_where_anki_answers_and_which_variable_has_its_key(
    lode: Lode, store: Store, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.clips.add("default", ZUG)
    with running_anki(tmp_path / "collection.anki2") as anki:
        anki.key = "secret"
        (home / "config.toml").write_text(
            f'anki_url = "{anki.address}"\nanki_key_env = "MY_ANKI_KEY"\n', encoding="utf-8"
        )
        refused = lode("push", "--dry-run")
        assert refused.code == 1
        assert "MY_ANKI_KEY" in refused.err
        monkeypatch.setenv("MY_ANKI_KEY", "secret")
        assert lode("push").out.startswith("Lode: 1 new, ")
        assert lode("words", "browse", "Zug").code == 0
        assert lode("words", "import", "anki", "--language", "de", "--dry-run").code == 0
        assert lode("deck", "fields", "--anki", "anki").code == 0
    assert "does not answer at http://127.0.0.1:9" in lode("push", "--anki", "http://127.0.0.1:9").err
