"""Which profiles a library has, and what each has one of: settings from the first day on, and a template at most."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from tests.store.conftest import PROFILE, run_sql, undo
from tui.errors import StoreError
from tui.records.answers import NewTemplate
from tui.records.clips import NewClip
from tui.records.deletion import Deletion
from tui.records.library import ProfileSummary
from tui.records.settings import LearnedLanguage, ProfileSettings, SavedSettings
from tui.store import Store

MINE = ProfileSettings("es", (LearnedLanguage("de", "B1"), LearnedLanguage("ja")))
FIRST = NewTemplate("ollama:qwen3:8b", "Explain {{ focus }}", "You teach.", "openai:x", "Mend it.")
SECOND = NewTemplate("lexicon:concordance", "p", "s")


def test_profiles_come_into_being_with_what_is_written_and_are_told_in_order_with_counts(store: Store) -> None:
    store.clips.page("nobody")
    assert store.profiles.summaries() == ()
    for name in ("default", "anna", "Zoe", "berta", "anna"):
        store.clips.add(name, NewClip("x"))
    names = {"Zoe": 1, "anna": 2, "berta": 1, "default": 1}
    assert store.profiles.summaries() == tuple(ProfileSummary(name, 0, 0, count) for name, count in names.items())
    store.clips.delete("anna", [clip.id for clip in store.clips.page("anna").items])
    assert ProfileSummary("anna", 0, 0, 0) in store.profiles.summaries(), "a profile outlives what was in it"


def test_settings_that_are_saved_replace_what_was_and_say_when(store: Store, tmp_path: Path) -> None:
    assert store.settings.get(PROFILE) == SavedSettings("en", (), updated_at=None)
    first = store.settings.save(PROFILE, MINE)
    assert first == store.settings.get(PROFILE)
    assert (first.explain_in, first.learning) == ("es", MINE.learning)
    (tmp_path / "restored").mkdir()
    store.backup(tmp_path / "restored" / "lode.db")
    second = store.settings.save(PROFILE, ProfileSettings())
    assert second == store.settings.get(PROFILE)
    assert (second.explain_in, second.learning) == ("en", ())
    assert first.updated_at is not None and second.updated_at is not None
    assert second.updated_at > first.updated_at
    assert store.settings.get("berta").updated_at is None
    with closing(Store.open(tmp_path / "restored")) as restored:
        assert restored.settings.get(PROFILE) == first


def test_the_first_setting_brings_its_profile_into_being_and_undo_leaves_it(store: Store) -> None:
    store.settings.save("berta", MINE)
    assert ProfileSummary("berta", 0, 0, 0) in store.profiles.summaries()
    assert store.trash.undo("berta") is None
    assert store.settings.get("berta").explain_in == "es"


def test_settings_that_are_damaged_are_said_to_be(store: Store) -> None:
    store.settings.save(PROFILE, MINE)
    for column, value in (
        *(("learning", damage) for damage in ("", "[1]", '["de"]', '[["de", "B1", "x"]]')),
        ("card_front", "x"),
    ):
        run_sql(store, f"UPDATE profile_settings SET learning = '[]', {column} = ?", (value,))
        with pytest.raises(StoreError, match="options of its cards" if column == "card_front" else None) as damaged:
            store.settings.get(PROFILE)
        assert damaged.value.code == "library_damaged"


def test_saving_a_template_twice_replaces_it_and_keeps_the_first_time(store: Store) -> None:
    assert store.templates.get(PROFILE) is None
    first = store.templates.save(PROFILE, FIRST)
    assert first == store.templates.get(PROFILE)
    assert (first.model, first.srt_sys_msg, first.created_at) == ("ollama:qwen3:8b", "Mend it.", first.updated_at)
    second = store.templates.save(PROFILE, SECOND)
    assert second == store.templates.get(PROFILE)
    assert (second.created_at, second.srt_model) == (first.created_at, "")
    assert second.updated_at > first.updated_at
    assert store.templates.get("berta") is None


def test_deleting_a_template_can_be_undone_but_never_over_one_that_was_written_since(store: Store) -> None:
    assert store.templates.delete(PROFILE) == Deletion(0)
    saved = store.templates.save(PROFILE, FIRST)
    assert store.templates.delete(PROFILE) == Deletion(1)
    assert store.templates.get(PROFILE) is None
    assert undo(store).kind == "template"
    assert store.templates.get(PROFILE) == saved
    store.templates.delete(PROFILE)
    newer = store.templates.save(PROFILE, SECOND)
    assert undo(store).count == 0
    assert store.templates.get(PROFILE) == newer
