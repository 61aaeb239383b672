"""A profile has one template at most."""

from __future__ import annotations

from tests.store.conftest import PROFILE
from tui.records.answers import NewTemplate
from tui.records.library import Deletion
from tui.store import Store

FIRST = NewTemplate("ollama:qwen3:8b", "Explain {{ focus }}", "You teach.", "openai:x", "Mend it.")


def test_saving_twice_replaces_and_keeps_the_first_time(store: Store) -> None:
    assert store.templates.get(PROFILE) is None
    first = store.templates.save(PROFILE, FIRST)
    assert first == store.templates.get(PROFILE)
    assert (first.model, first.srt_sys_msg, first.created_at) == ("ollama:qwen3:8b", "Mend it.", first.updated_at)
    second = store.templates.save(PROFILE, NewTemplate("lexicon:concordance", "p", "s"))
    assert second == store.templates.get(PROFILE)
    assert (second.created_at, second.srt_model) == (first.created_at, "")
    assert second.updated_at > first.updated_at
    assert store.templates.get("berta") is None


def test_deleting_can_be_undone_and_nothing_to_delete_counts_nothing(store: Store) -> None:
    assert store.templates.delete(PROFILE) == Deletion(0)
    saved = store.templates.save(PROFILE, FIRST)
    assert store.templates.delete(PROFILE) == Deletion(1)
    assert store.templates.get(PROFILE) is None
    store.trash.undo(PROFILE)
    assert store.templates.get(PROFILE) == saved


def test_undo_never_overwrites_a_template_that_was_written_since(store: Store) -> None:
    store.templates.save(PROFILE, FIRST)
    store.templates.delete(PROFILE)
    newer = store.templates.save(PROFILE, NewTemplate("lexicon:concordance", "p", "s"))
    restored = store.trash.undo(PROFILE)
    assert restored is not None
    assert (restored.kind, restored.count) == ("template", 0)
    assert store.templates.get(PROFILE) == newer
