"""What a list shows can be searched: every word somewhere in the row, by the names that people have for codes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from tests.store.adding_files import add_file
from tests.store.conftest import PROFILE
from tui.errors import InvalidInput
from tui.records.clips import FocusWord, NewClip
from tui.records.exports import ClipSelection
from tui.records.pages import MAX_SEARCH_LENGTH, MAX_SEARCH_WORDS
from tui.records.transcripts import Cue
from tui.store import Store
from tui.store.tables.word_list import WordFilter


def test_files_and_transcripts_are_found_by_name_language_and_format(store: Store) -> None:
    for title, ending, language in (
        *(("carrot-00.ja", "srt", "ja"), ("carrot-01.fr", "srt", "fr"), ("historia", "txt", "pt-BR")),
        ("unknown", "vtt", None),  # in no known language
    ):
        kind = "text" if ending == "txt" else "subtitle"
        name = f"{title}.{ending}"
        add_file(store, name, [Cue(0, 0, 900, "…")], kind=kind, format=ending, language=language, title=title)
    for names, queries in (
        (("carrot-00.ja.srt",), ("carrot japanese",)),
        (("carrot-01.fr.srt",), ("FRENCH carrot",)),
        (("historia.txt",), ("portug", "brazil", "pt", "text")),
        (("unknown.vtt",), ("subtitle vtt",)),
        ((), ("japanese french", "germ")),
    ):
        for q in queries:
            found = store.files.page(PROFILE, q=q)
            assert (tuple(file.name for file in found.items), found.total) == (names, len(names)), q
    for q, count in (("carrot japanese", 1), ("import carrot", 2), ("brazil", 1), ("fix carrot", 0)):
        assert store.transcripts.page(PROFILE, q=q).total == count, q


def test_jobs_are_found_by_their_state_and_by_what_they_say(store: Store) -> None:
    broken = store.jobs.add(PROFILE, "import", "broken.srt")
    store.jobs.update(broken.id, state="failed", error="(nothing) is in it: 字幕\nlook at it")
    store.jobs.update(store.jobs.add(PROFILE, "import", "zug.srt").id, state="running")
    store.jobs.add(PROFILE, "import", "later.srt")
    for sources, queries in (
        (("broken.srt",), ("failed", "refused", "broken nothing", "字幕")),
        (("zug.srt",), ("running",)),
        (("later.srt",), ("queued",)),
        (("later.srt", "zug.srt", "broken.srt"), ("import",)),
        ((), ("failed zug", "%")),
    ):
        for q in queries:
            assert tuple(job.source for job in store.jobs.page(PROFILE, q=q).items) == sources, q


def test_clips_are_found_by_the_language_the_reading_and_the_meanings_of_their_word(store: Store) -> None:
    focus = FocusWord("食べる", reading="たべる", meanings=("to eat",), language="ja")
    store.clips.add(PROFILE, NewClip("Taberu means that.", focus=focus))
    store.clips.add(PROFILE, NewClip("nothing of it"))
    for q in ("japanese", "jap eat", "ja", "たべ", "食べる"):
        assert store.clips.page(PROFILE, q=q).total == 1, q
    for q in ("german eat", "j eat"):
        assert store.clips.page(PROFILE, q=q).total == 0, q


def test_a_word_whose_meaning_changes_is_found_by_the_new_one_only(store: Store) -> None:
    clip = store.clips.add(PROFILE, NewClip("Satz", focus=FocusWord("Satz", meanings=("sentence",))))
    store.clips.edit(PROFILE, clip.id, NewClip("Satz", focus=FocusWord("Satz", meanings=("leap",))))
    assert store.clips.page(PROFILE, q="sentence").total == 0
    assert store.clips.page(PROFILE, q="leap").total == 1


LONGEST = {
    "as many words as there may be": " ".join(f"wort{number}" for number in range(MAX_SEARCH_WORDS)),
    "as many pairs of characters": " ".join(chr(0x4E00 + number) * 2 for number in range(MAX_SEARCH_WORDS)),
    "one word": "z" * MAX_SEARCH_LENGTH,
    "one word without spaces": "東" * MAX_SEARCH_LENGTH,
    "the same word again and again": "zug " * (MAX_SEARCH_LENGTH // 4),
    "signs that a pattern knows": "%_\\" * (MAX_SEARCH_LENGTH // 3),
}
TOO_LONG = {
    "a word too many": " ".join(f"w{number}" for number in range(MAX_SEARCH_WORDS + 1)),
    "60 kB pasted": "zug " * 15_000,
    "a character too many": "東" * (MAX_SEARCH_LENGTH + 1),
}


def _every_search(store: Store, transcript: str, q: str) -> list[Callable[[], object]]:
    lists = (store.files, store.transcripts, store.clips, store.jobs, store.answers)
    return [
        *(partial(each.page, PROFILE, q=q) for each in lists),
        partial(store.jobs.page, PROFILE, q=q, order="attention"),
        partial(store.transcripts.find, PROFILE, transcript, q),
        partial(store.word_list.page, PROFILE, WordFilter(q=q), "lemma", 0, 10),
        partial(store.exports.select, PROFILE, "Lode", ClipSelection(q=q)),
    ]


def test_the_longest_search_is_answered_by_every_list_and_a_longer_one_refused_as_no_damage(store: Store) -> None:
    store.clips.add(PROFILE, NewClip("Der Zug kommt."))
    _, transcript = add_file(store, cues=[Cue(0, 0, 900, "Der Zug.")])
    for q in LONGEST.values():
        for search in _every_search(store, transcript.id, q):
            search()
    for q in TOO_LONG.values():
        for search in _every_search(store, transcript.id, q):
            with pytest.raises(InvalidInput, match="too long") as refused:
                search()
            assert (refused.value.code, refused.value.hint != "") == ("search_too_long", True)
