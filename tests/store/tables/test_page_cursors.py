"""Reading a list on from a cursor: every row once, whatever comes and goes meanwhile, and nothing else is a cursor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.store.conftest import PROFILE, AddFilm, run_sql
from tests.store.many_clips import add_many
from tui.errors import InvalidInput
from tui.records.answers import NewAnswer
from tui.records.clips import NewClip
from tui.records.pages import Page
from tui.store import Store

pytestmark = pytest.mark.exhaustive

LISTS = ("clips", "files", "transcripts", "jobs", "answers")
SEARCHES = ("", "zug", "der zug", "京タワ", "東京", "京", "zug 東京", "zug 東京タ")
"""By the order of the list, the words, the trigrams, ``LIKE``, and mixtures of them."""


def reader(store: Store, name: str) -> Callable[..., Page[Any]]:
    page: Callable[..., Page[Any]] = getattr(store, name).page
    return page


def walk(page: Callable[..., Page[Any]], q: str = "", size: int = 3) -> list[str]:
    """The ids of all rows, read page by page along the cursors."""
    found: list[str] = []
    after: str | None = None
    while True:
        part = page(PROFILE, limit=size, q=q, after=after)
        assert part.offset == 0
        assert len(part.items) <= size
        found += [row.id for row in part.items]
        if part.next is None:
            return found
        assert part.items, "a page that leads on is not empty"
        assert len(found) < 100, "and leads further down"
        after = part.next


def make(store: Store, add_film: AddFilm, name: str, number: int, profile: str = PROFILE) -> None:
    """Add a row to a list."""
    text = f"Der Zug {number} 東京タワー"
    match name:
        case "clips":
            store.clips.add(profile, NewClip(text))
        case "jobs":
            store.jobs.add(profile, "import", text)
        case "answers":
            store.answers.begin(profile, NewAnswer("explanation", "ollama:m", text, "", "", "p", "s"))
        case _:
            add_film(f"Zeile {number}", name=f"{text}.srt", profile=profile)


@pytest.mark.parametrize("name", LISTS)
def test_cursors_lead_through_the_whole_list_from_any_page(store: Store, add_film: AddFilm, name: str) -> None:
    for number in range(10):
        make(store, add_film, name, number)
        make(store, add_film, name, number, "berta")
    page = reader(store, name)
    for q in SEARCHES:
        whole = page(PROFILE, q=q)
        assert (whole.total, whole.next) == (10, None)
        for size in (1, 3, 5, 10, 11):
            assert walk(page, q, size) == [row.id for row in whole.items]
        for offset in (0, 2, 6):  # in either half
            first = page(PROFILE, offset, 3, q)
            assert first.items == whole.items[offset : offset + 3]
            following = page(PROFILE, offset=99, limit=2, q=q, after=first.next)
            assert following.items == whole.items[offset + 3 : offset + 5], "the offset counts no longer"
            assert (following.offset, following.total) == (0, 10)
        assert page(PROFILE, 7, 3, q).next is None


@pytest.mark.parametrize("q", ["", "zug", "zug 東京"])
def test_what_comes_and_goes_meanwhile_makes_no_row_come_twice_or_be_left_out(store: Store, q: str) -> None:
    for number in range(12):
        store.clips.add(PROFILE, NewClip(f"Der Zug {number} 東京タワー"))
    before = [clip.id for clip in store.clips.page(PROFILE, q=q).items]
    first = store.clips.page(PROFILE, limit=4, q=q)
    store.clips.delete(PROFILE, [before[0], before[3], before[6]])
    add_many(store, PROFILE, (NewClip(f"Der Zug {number} 東京タワー") for number in range(5)))
    store.clips.edit(PROFILE, before[5], NewClip("Der Zug, geändert, 東京タワー"))
    second = store.clips.page(PROFILE, limit=4, q=q, after=first.next)
    assert [clip.id for clip in second.items] == [before[4], before[5], before[7], before[8]]
    assert second.total == 14
    store.trash.undo(PROFILE)
    third = store.clips.page(PROFILE, limit=4, q=q, after=second.next)
    assert [clip.id for clip in third.items] == before[9:]
    assert third.next is None


def test_a_page_without_rows_leads_nowhere(store: Store) -> None:
    for limit in (0, -5):
        assert store.clips.page(PROFILE, limit=limit) == Page((), 0, 0)
    make_two = [store.clips.add(PROFILE, NewClip(text)) for text in ("a", "b")]
    after = store.clips.page(PROFILE, limit=1).next
    assert store.clips.page(PROFILE, limit=0) == store.clips.page(PROFILE, limit=0, after=after) == Page((), 2, 0)
    assert store.clips.page(PROFILE, limit=2**70, after=after).items == (make_two[0],)
    assert store.clips.page("nobody", after=after) == Page((), 0, 0)
    assert store.clips.page(PROFILE, q="...", after=after) == Page((), 0, 0)
    store.clips.delete(PROFILE, [make_two[0].id])
    assert store.clips.page(PROFILE, after=after) == Page((), 1, 0)


def test_cues_are_read_on_from_a_cursor_of_their_transcript(store: Store, add_film: AddFilm) -> None:
    _, other = add_film("Eins.", "Zwei.", name="Anderer.srt")
    _, film = add_film(*(f"Zeile {number}" for number in range(10)))
    first = store.transcripts.cues(PROFILE, film.id, limit=1)
    assert first.next is not None
    indexes = [cue.index for cue in first.items]
    after: str | None = first.next
    while after is not None:
        page = store.transcripts.cues(PROFILE, film.id[:8], offset=5, limit=4, after=after)
        assert (page.total, page.offset) == (10, 0)
        indexes += [cue.index for cue in page.items]
        after = page.next
    assert indexes == list(range(10))
    assert store.transcripts.cues(PROFILE, film.id, 6, 4).next is None
    assert store.transcripts.cues(PROFILE, film.id, 6, 0).next is None
    assert store.transcripts.cues(PROFILE, film.id).next is None
    with pytest.raises(InvalidInput) as caught:
        store.transcripts.cues(PROFILE, other.id, after=first.next)
    assert caught.value.code == "invalid_cursor"


NO_CURSORS = (
    "", " ", "0", "1", "-1", "c", "c-1", "c+1", "c 1", " c1", "c1 ", "c1\n", "c01", "c1.5", "c1e3", "c0x1", "C1", "cc1",
    "c1-1", "c1;DROP TABLE clips", "c1 OR 1=1", "c?", "c%", "c١", "c１", "c²", "\x00", "c1\x00", "c\udcff", "é", "東京",
    "c9223372036854775808", "c99999999999999999999", "c" + "9" * 5000, "x1", "f1x", "null", "None", "../c1",
)  # fmt: skip


def test_what_is_no_cursor_or_another_lists_is_refused_with_a_hint(store: Store, add_film: AddFilm) -> None:
    for name in LISTS:
        for number in range(2):
            make(store, add_film, name, number)
    _, film = add_film("Eins.", "Zwei.", name="Lang.srt")
    cursors = {name: reader(store, name)(PROFILE, limit=1).next or "" for name in LISTS}
    cues = store.transcripts.cues(PROFILE, film.id, limit=1).next
    assert cues and all(cursors.values())
    for given in (*NO_CURSORS, *cursors.values(), cues):
        for name in LISTS:
            if given == cursors[name]:
                assert reader(store, name)(PROFILE, after=given).items
                continue
            for profile in (PROFILE, "nobody"):
                with pytest.raises(InvalidInput) as caught:
                    reader(store, name)(profile, after=given)
                assert (caught.value.code, "cursor" in caught.value.hint) == ("invalid_cursor", True), given
                assert len(caught.value.message) < 250
                caught.value.message.encode()
        if given != cues:
            with pytest.raises(InvalidInput, match="no place in this list of cues"):
                store.transcripts.cues(PROFILE, film.id, after=given)
        if not given.isdecimal():  # which makes it one
            with pytest.raises(InvalidInput):
                store.transcripts.cues(PROFILE, film.id, after=f"{cues.partition('-')[0]}-{given}")
    assert store.clips.page(PROFILE).total == 2


def test_the_highest_number_of_all_is_before_the_first_row(store: Store) -> None:
    clip = store.clips.add(PROFILE, NewClip("a"))
    assert store.clips.page(PROFILE, after="c9223372036854775807").items == (clip,)
    assert store.clips.page(PROFILE, after="c0").items == ()


@pytest.mark.parametrize("q", ["", "zug"])
def test_reading_on_takes_few_steps_however_far_down_the_list(store: Store, q: str) -> None:
    """Steps of SQLite's machine, which no other work on this computer can blur."""
    add_many(store, PROFILE, (NewClip(f"Der Zug {number}") for number in range(2_000)))
    steps: list[int] = []
    for after in (None, "c1500", "c900", "c60"):
        store.clips.page(PROFILE, q=q)
        counted = [0]

        def count(counted: list[int] = counted) -> None:
            counted[0] += 1

        with store.clips._connections.read() as connection:
            connection.set_progress_handler(count, 1)
        store.clips.page(PROFILE, limit=50, q=q, after=after)
        with store.clips._connections.read() as connection:
            connection.set_progress_handler(None, 1)
        steps.append(counted[0])
    assert max(steps) < 1.2 * steps[0] + 100, steps


def test_cues_are_read_on_by_an_index(store: Store, add_film: AddFilm) -> None:
    _, film = add_film("Eins.", "Zwei.", "Drei.")
    statements: list[str] = []
    with store.transcripts._connections.read() as connection:
        connection.set_trace_callback(statements.append)
    store.transcripts.cues(PROFILE, film.id, after="u1-0")
    (query,) = [statement for statement in statements if "FROM cues" in statement]
    ((*_, plan),) = run_sql(store, f"EXPLAIN QUERY PLAN {query}")
    assert "(transcript=? AND position>?)" in plan
