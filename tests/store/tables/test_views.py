"""Views: saved, renamed, deleted, each undone and done again."""

import pytest

from tests.store.conftest import PROFILE, redo, undo
from tui.errors import InvalidInput, NotFound
from tui.records.search import View
from tui.store import Store

VERBS, FILMS = View("Verben", "clips", "tag:verb"), View("filme", "transcripts", "has:film", "-length")


def names(store: Store) -> list[str]:
    return [view.name for view in store.views.all(PROFILE)]


def test_views_are_listed_by_name_and_one_of_the_same_name_is_replaced(store: Store) -> None:
    for view in (VERBS, FILMS):
        store.views.save(PROFILE, view)
    store.views.save("other", View("theirs", "jobs", "x"))
    assert store.views.all(PROFILE) == (FILMS, VERBS)
    new = View("VERBEN", "words", "state:new")
    store.views.save(PROFILE, new)
    assert store.views.all(PROFILE) == (FILMS, new)
    steps = len(store.trash.steps(PROFILE))
    store.views.save(PROFILE, new)
    assert len(store.trash.steps(PROFILE)) == steps, "nothing was changed"


def test_every_change_is_undone_and_done_again(store: Store) -> None:
    store.views.save(PROFILE, VERBS)
    store.views.save(PROFILE, View("Verben", "clips", "tag:v"))
    assert store.views.rename(PROFILE, "verben", "Wörter") == View("Wörter", "clips", "tag:v")
    assert store.views.delete(PROFILE, "WÖRTER").count == 1
    seen = []
    for kind, summary in (
        ("view", "the view Wörter"),
        ("named_view", "the name of the view Verben"),
        *[("saved_view", "how it was before the view Verben was saved")] * 2,
    ):
        seen.append(store.views.all(PROFILE))
        restored = undo(store)
        assert (restored.kind, restored.count, restored.summary) == (kind, 1, summary)
    assert store.views.all(PROFILE) == ()
    for views in reversed(seen):
        assert redo(store).kind.endswith("view")
        assert store.views.all(PROFILE) == views


def test_an_older_change_is_undone_alone_unless_a_later_one_is_of_the_same_view(store: Store) -> None:
    store.views.save(PROFILE, VERBS)
    store.views.save(PROFILE, FILMS)
    films, verbs = store.trash.steps(PROFILE)
    store.views.rename(PROFILE, "filme", "Kino")
    store.trash.undo_step(PROFILE, verbs.id)
    assert names(store) == ["Kino"]
    with pytest.raises(InvalidInput, match="view renamed: Kino"):
        store.trash.undo_step(PROFILE, films.id)


def test_no_view_is_lost_to_the_name_of_another(store: Store) -> None:
    store.views.save(PROFILE, VERBS)
    store.views.save(PROFILE, FILMS)
    with pytest.raises(InvalidInput) as caught:
        store.views.rename(PROFILE, "Verben", "FILME")
    assert caught.value.code == "view_exists"
    with pytest.raises(NotFound):
        store.views.rename(PROFILE, "nothing", "x")
    assert store.views.rename(PROFILE, "filme", "Filme").name == "Filme"
    assert store.views.delete(PROFILE, "nothing").count == store.views.delete("nobody", "x").count == 0
    assert names(store) == ["Filme", "Verben"]


def test_a_profile_has_so_many_views_and_no_more(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tui.store.tables.views.MAX_VIEWS", 1)
    store.views.save(PROFILE, VERBS)
    with pytest.raises(InvalidInput) as caught:
        store.views.save(PROFILE, FILMS)
    assert caught.value.code == "too_many_views"
    store.views.save(PROFILE, View("verben", "clips", "other"))
    assert names(store) == ["verben"]
