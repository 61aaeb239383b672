"""Which profiles a library has."""

from __future__ import annotations

from tui.records.clips import NewClip
from tui.records.library import ProfileSummary
from tui.store import Store


def test_profiles_come_into_being_with_what_is_written_to_them_and_are_told_in_order(store: Store) -> None:
    assert store.profiles.names() == ()
    store.clips.page("nobody")
    for name in ("default", "anna", "Zoe", "berta"):
        store.clips.add(name, NewClip("x"))
        store.clips.add(name, NewClip("y"))
    assert store.profiles.names() == ("Zoe", "anna", "berta", "default")
    store.clips.delete("anna", [clip.id for clip in store.clips.page("anna").items])
    assert "anna" in store.profiles.names(), "a profile outlives what was in it"


def test_a_profile_is_summed_up_by_the_counts_that_are_kept(store: Store) -> None:
    assert store.profiles.summaries() == ()
    for sentence in ("x", "y"):
        store.clips.add("anna", NewClip(sentence))
    store.clips.add("Zoe", NewClip("x"))
    assert store.profiles.summaries() == (ProfileSummary("Zoe", 0, 0, 1), ProfileSummary("anna", 0, 0, 2))
