"""Sorted lists: every column of each either way round, by pages and cursors, and in groups."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args
from unittest.mock import patch

import pytest

from tests.store.conftest import PROFILE, AddFilm
from tests.store.tables.test_page_cursors import make
from tui.errors import InvalidInput
from tui.records.answers import NewAnswer
from tui.records.clips import FocusWord, NewClip
from tui.records.pages import MAX_CURSOR, Page
from tui.records.sorting import COUNT_COLUMNS, INDEXED, SORT_COLUMNS, RowGroup, SortedList
from tui.records.transcripts import NewTranscript
from tui.store import Store
from tui.store.tables import sorting

LISTS: tuple[SortedList, ...] = tuple(name for name in get_args(SortedList) if name != "words")
CLIPS = (
    NewClip("Der Zug hält.", focus=FocusWord("Zug", lemma="Zug", language="de", meanings=("train",)), source="Film 2"),
    NewClip("電車が来た。", focus=FocusWord("電車", language="ja"), source="Film 1", tags=("noun", "verb")),
    NewClip("Ohne Wort.", translation="without a word", tags=("verb",)),
    NewClip("Er fährt ab.", focus=FocusWord("fährt … ab", lemma="abfahren", language="de"), source="Film 2"),
    NewClip("Ein Zug.", focus=FocusWord("Zug", language="de"), source="x" * 700, note="neu"),
)


def fill(store: Store, add_film: AddFilm) -> None:
    for number in (3, 1, 4, 1, 5):
        for name in LISTS:
            if name != "clips":
                make(store, add_film, name, number)
    add_film("a", "b", name="Ärger.vtt", language=None, format="vtt", size_bytes=9)
    for season, episode in ((1, 10), (1, 2), (2, 1)):
        parts = [NewTranscript("Folge", "de", [], series="Dark", season=season, episode=episode)]
        add_film(name=f"dark-{season}-{episode}.srt", transcripts=parts)
    answer = store.answers.begin(PROFILE, NewAnswer("breakdown", "ollama:a", "Zug", "Zug", "", "p", "s"))
    store.answers.finish(answer.id, "complete", input_tokens=4, output_tokens=9, duration_ms=1200)
    for clip in CLIPS:
        store.clips.add(PROFILE, clip)


def walk(page: Callable[..., Page[Any]], size: int, **asked: Any) -> list[str]:
    found, after = list[str](), None
    while True:
        part = page(PROFILE, limit=size, after=after, **asked)
        found += [row.id for row in part.items]
        if part.next is None:
            return found
        assert len(part.next) <= MAX_CURSOR and len(found) < 100
        after = part.next


@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize("turned", ["", "-"])
def test_a_list_is_read_in_every_order_by_offsets_and_by_cursors(
    store: Store, add_film: AddFilm, name: SortedList, turned: str
) -> None:
    fill(store, add_film)
    page = getattr(store, name).page
    counts = {each: float(each % 3) for each in range(1, 9) if each != 4}
    for column in SORT_COLUMNS[name]:
        for q in ("", "zug"):
            asked = {"sort": turned + column, "q": q, "counts": counts if column in COUNT_COLUMNS else None}
            whole = [row.id for row in page(PROFILE, **asked).items]
            assert sorted(whole) == sorted(row.id for row in page(PROFILE, q=q).items)
            for size in (1, 3, len(whole)):
                assert walk(page, size, **asked) == whole, (column, size)
            by_offset = [page(PROFILE, offset, 1, **asked).items[0].id for offset in range(len(whole))]
            assert by_offset == whole, "from either end"


def texts(store: Store, sort: str, q: str = "") -> list[str]:
    return [clip.sentence.split()[0] for clip in store.clips.page(PROFILE, sort=sort, q=q).items]


def test_clips_are_sorted_by_their_words_the_newest_first_where_these_are_the_same(store: Store) -> None:
    for clip in CLIPS:
        store.clips.add(PROFILE, clip)
    assert texts(store, "") == texts(store, "age") == ["Ein", "Er", "Ohne", "電車が来た。", "Der"]
    assert texts(store, "word") == ["Er", "Ein", "Der", "電車が来た。", "Ohne"]
    assert texts(store, "-word") == ["電車が来た。", "Der", "Ein", "Er", "Ohne"], "what has none comes last"
    assert texts(store, "lang") == ["Ein", "Er", "Der", "電車が来た。", "Ohne"]
    assert texts(store, "-age") == texts(store, "age")[::-1]
    assert texts(store, "source", "zug") == ["Der", "Ein"]
    assert texts(store, "meaning")[:2] == ["Der", "Ohne"]


def test_titles_come_without_their_accents_and_the_episodes_of_a_series_in_their_order(
    store: Store, add_film: AddFilm
) -> None:
    fill(store, add_film)

    def titles(sort: str) -> list[str]:
        shown = (f"{each.title} {each.season}.{each.episode}" for each in transcripts(sort))
        return [each.removesuffix(" None.None") for each in shown]

    def transcripts(sort: str) -> tuple[Any, ...]:
        return store.transcripts.page(PROFILE, sort=sort).items

    in_series = ["Folge 1.2", "Folge 1.10", "Folge 2.1"]
    assert titles("title")[:4] == ["Ärger", *in_series]
    assert titles("series")[:3] == in_series
    assert titles("-series")[:3] == in_series[::-1], "those of none are last in both"
    assert [each.name for each in store.files.page(PROFILE, sort="name", limit=1).items] == ["Ärger.vtt"]
    assert transcripts("cues")[0].cue_count == 2
    assert transcripts("lang")[-1].language is None


def test_a_row_may_go_whose_place_a_cursor_has(store: Store) -> None:
    for clip in CLIPS:
        store.clips.add(PROFILE, clip)
    first = store.clips.page(PROFILE, sort="word", limit=2)
    store.clips.delete(PROFILE, [clip.id for clip in first.items])
    store.clips.add(PROFILE, NewClip("Neu.", focus=FocusWord("Aal")))
    second = store.clips.page(PROFILE, sort="word", after=first.next)
    assert [clip.sentence for clip in second.items] == ["Der Zug hält.", "電車が来た。", "Ohne Wort."]


@pytest.mark.parametrize(
    "after", ["c1", "c.", "c.!!", "c.W10", "f.WyJ3b3JkIiwieCIsMV0", "c.WyJ3b3JkIix7fSwxXQ", "c.WyJ3b3JkIiwieCIsMWU5OV0"]
)
def test_what_is_no_place_in_the_sorted_list_is_refused(store: Store, after: str) -> None:
    for clip in CLIPS:
        store.clips.add(PROFILE, clip)
    of_another = store.clips.page(PROFILE, sort="-word", limit=1).next
    for given in (after, of_another):
        with pytest.raises(InvalidInput) as caught:
            store.clips.page(PROFILE, sort="word", after=given)
        assert caught.value.code == "invalid_cursor"


def test_no_column_of_the_list_is_refused_with_those_that_there_are(store: Store) -> None:
    for sort in ("cues", "-", "--word", "seq; DROP TABLE clips"):
        with pytest.raises(InvalidInput) as caught:
            store.clips.page(PROFILE, sort=sort)
        assert caught.value.code == "unknown_sort" and "word, sentence" in caught.value.hint


def test_a_long_list_is_sorted_by_what_has_an_index_and_a_search_of_it_by_everything(store: Store) -> None:
    for clip in CLIPS:
        store.clips.add(PROFILE, clip)
    with patch.object(sorting, "MAX_SORTED", 4):
        for column in SORT_COLUMNS["clips"]:
            if column in INDEXED["clips"] or column == "age":
                assert len(texts(store, column)) == 5
                continue
            with pytest.raises(InvalidInput) as caught:
                texts(store, column)
            assert caught.value.code == "too_many_to_sort" and "search" in caught.value.hint
        assert texts(store, "sentence", "zug") == ["Der", "Ein"]


@pytest.mark.parametrize("column", sorted(INDEXED["clips"]))
def test_a_million_clips_are_sorted_by_an_index(store: Store, column: str) -> None:
    store.clips.add(PROFILE, CLIPS[0])
    said: list[str] = []
    for sort in (column, f"-{column}"):
        page = store.clips.page(PROFILE, sort=sort, limit=1)
        with store.clips._connections.read() as connection:
            connection.set_trace_callback(said.append)
            store.clips.page(PROFILE, sort=sort, offset=page.total // 2)
            connection.set_trace_callback(None)
            plans = [
                row["detail"]
                for each in said
                if "OFFSET" in each
                for row in connection.rows(f"EXPLAIN QUERY PLAN {each}")
            ]
        assert any("clips_by_" in plan for plan in plans) and not any("TEMP B-TREE" in plan for plan in plans), plans


def test_rows_stand_in_the_groups_of_what_they_are_sorted_by(store: Store, add_film: AddFilm) -> None:
    fill(store, add_film)
    assert store.clips.groups(PROFILE, "source", "film") == (RowGroup("Film 1", 1), RowGroup("Film 2", 2))
    assert store.clips.groups(PROFILE, "-source")[-1] == RowGroup("", 1)
    assert store.clips.groups(PROFILE, "tags") == (RowGroup("noun", 1), RowGroup("verb", 1), RowGroup("", 3))
    series = store.transcripts.groups(PROFILE, "series")
    assert series[0] == RowGroup("Dark", 3) and series[1].name == ""
    (day,) = store.clips.groups(PROFILE, "age")
    assert (len(day.name), day.count) == (10, len(CLIPS))
    assert store.clips.groups("nobody", "age") == store.clips.groups(PROFILE, "age", "...") == ()
    for name, sort in (("clips", "word"), ("jobs", "age"), ("transcripts", "")):
        with pytest.raises(InvalidInput) as caught:
            getattr(store, name).groups(PROFILE, sort)
        assert caught.value.code == "no_groups"
