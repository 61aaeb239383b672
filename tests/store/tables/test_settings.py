"""A profile has settings from the first day on, and its own once they are saved."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.store.conftest import PROFILE
from tests.store.older_library import MOMENT, library_before
from tui.errors import StoreError
from tui.records.library import ProfileSummary
from tui.records.settings import LearnedLanguage, ProfileSettings, SavedSettings
from tui.store import Store

MINE = ProfileSettings("es", (LearnedLanguage("de", "B1"), LearnedLanguage("ja")))


def test_what_is_saved_replaces_what_was_and_says_when(store: Store) -> None:
    assert store.settings.get(PROFILE) == SavedSettings("en", (), updated_at=None)
    first = store.settings.save(PROFILE, MINE)
    assert first == store.settings.get(PROFILE)
    assert (first.explain_in, first.learning) == ("es", MINE.learning)
    second = store.settings.save(PROFILE, ProfileSettings())
    assert second == store.settings.get(PROFILE)
    assert (second.explain_in, second.learning) == ("en", ())
    assert first.updated_at is not None
    assert second.updated_at is not None
    assert second.updated_at > first.updated_at
    assert store.settings.get("berta").updated_at is None


def test_the_first_setting_brings_its_profile_into_being_and_undo_leaves_it(store: Store) -> None:
    store.settings.save("berta", MINE)
    assert ProfileSummary("berta", 0, 0, 0) in store.profiles.summaries()
    assert store.trash.undo("berta") is None
    assert store.settings.get("berta").explain_in == "es"


def test_a_backup_has_them(store: Store, tmp_path: Path) -> None:
    saved = store.settings.save(PROFILE, MINE)
    (tmp_path / "restored").mkdir()
    store.backup(tmp_path / "restored" / "lode.db")
    with closing(Store.open(tmp_path / "restored")) as restored:
        assert restored.settings.get(PROFILE) == saved


def test_settings_that_are_damaged_are_said_to_be(store: Store) -> None:
    store.settings.save(PROFILE, MINE)
    for learning in ("", "[1]", '["de"]', '[["de", "B1", "x"]]'):
        with closing(sqlite3.connect(store.path)) as connection, connection:
            connection.execute("UPDATE profile_settings SET learning = ?", (learning,))
        with pytest.raises(StoreError) as damaged:
            store.settings.get(PROFILE)
        assert damaged.value.code == "library_damaged"


def test_options_of_cards_that_are_damaged_are_said_to_be(store: Store) -> None:
    store.settings.save(PROFILE, MINE)
    with closing(sqlite3.connect(store.path)) as connection, connection:
        connection.execute("UPDATE profile_settings SET card_front = 'x'")
    with pytest.raises(StoreError, match="options of its cards"):
        store.settings.get(PROFILE)


def test_settings_of_an_older_library_have_the_usual_cards_which_never_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with library_before("m014_card_options", tmp_path, monkeypatch) as connection:
        connection.execute(
            "INSERT INTO profile_settings (profile, explain_in, learning, updated_at) VALUES (1, 'es', '[]', ?)",
            (MOMENT,),
        )
    with closing(Store.open(tmp_path)) as store:
        assert store.settings.get(PROFILE) == SavedSettings("es", updated_at=MOMENT)


def test_an_older_library_has_the_usual_settings_and_its_clips_and_answers_are_untouched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with library_before("m011_profile_settings", tmp_path, monkeypatch) as connection:
        connection.execute(
            "INSERT INTO clips (id, profile, sentence, context, translation, surface, lemma, explanation, model, tags,"
            " note, source, spaceless, created_at, updated_at)"
            " VALUES ('c', 1, 'Der Zug.', '', 'The train.', '', '', '', '', '[]', '', '', 0, ?1, ?1)",
            (MOMENT,),
        )
        connection.execute(
            "INSERT INTO answers (id, profile, kind, model, sentence, focus, context, prompt, sys_msg, question,"
            " surface, lemma, text, state, duration_ms, created_at, folded)"
            " VALUES ('a', 1, 'breakdown', 'm', 'Der Zug.', 'Zug', '', 'p', 's', 'q', '', '', 't', 'complete', 1, ?1,"
            " '')",
            (MOMENT,),
        )
    with closing(Store.open(tmp_path)) as store:
        assert store.settings.get(PROFILE) == SavedSettings()
        clip = store.clips.get(PROFILE, "c")
        assert (clip.translation, clip.updated_at) == ("The train.", MOMENT)
        assert store.answers.get(PROFILE, "a").text == "t"
        store.settings.save(PROFILE, MINE)


def test_settings_of_an_older_library_have_lode_s_note_type_in_one_deck(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with library_before("m017_note_fields", tmp_path, monkeypatch) as connection:
        connection.execute(
            "INSERT INTO profile_settings (profile, explain_in, learning, updated_at, card_front)"
            " VALUES (1, 'es', '[]', ?, 'word')",
            (MOMENT,),
        )
    with closing(Store.open(tmp_path)) as store:
        assert store.settings.get(PROFILE) == SavedSettings("es", card_front="word", updated_at=MOMENT)
        own = ProfileSettings(deck_per="tag", note_fields="note_type = 'A'\n[fields]\nA = 'Sentence'\n")
        assert store.settings.save(PROFILE, own).contents() == own
