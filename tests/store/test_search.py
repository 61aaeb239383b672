"""What a list shows can be searched: every word somewhere in the row, by the names that people have for codes."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from tests.store.adding_files import add_file
from tests.store.conftest import PROFILE
from tests.store.older_library import lode_before
from tui.errors import InvalidInput
from tui.records.answers import NewTemplate
from tui.records.clips import FocusWord, NewClip
from tui.records.exports import ClipSelection
from tui.records.pages import MAX_SEARCH_LENGTH, MAX_SEARCH_WORDS
from tui.records.transcripts import Cue
from tui.store import Store
from tui.store.tables.word_list import WordFilter


@pytest.fixture
def comics(store: Store) -> Store:
    """Two translations of a comic, a text in Portuguese, and one in no known language."""
    languages = {
        "pepper-and-carrot-episode-00.ja.srt": "ja",
        "pepper-and-carrot-episode-01.fr.srt": "fr",
        "historia.txt": "pt-BR",
        "unknown.vtt": None,
    }
    for name, language in languages.items():
        add_file(
            store,
            name,
            [Cue(0, 0, 900, "…")],
            kind="text" if name.endswith("txt") else "subtitle",
            format=name.rpartition(".")[2],
            language=language,
            title=name.partition(".")[0],
        )
    return store


@pytest.mark.parametrize(
    ("q", "names"),
    [
        ("carrot japanese", ["pepper-and-carrot-episode-00.ja.srt"]),
        ("FRENCH pepper", ["pepper-and-carrot-episode-01.fr.srt"]),
        ("japanese french", []),
        ("portug", ["historia.txt"]),
        ("brazil", ["historia.txt"]),
        ("pt", ["historia.txt"]),
        ("subtitle vtt", ["unknown.vtt"]),
        ("text", ["historia.txt"]),
        ("germ", []),
    ],
)
def test_files_are_found_by_name_language_and_format(comics: Store, q: str, names: list[str]) -> None:
    assert [file.name for file in comics.files.page(PROFILE, q=q).items] == names
    assert comics.files.page(PROFILE, q=q).total == len(names)


@pytest.mark.parametrize(
    ("q", "count"), [("carrot japanese", 1), ("import pepper", 2), ("brazil", 1), ("fix pepper", 0)]
)
def test_transcripts_are_found_by_title_language_and_origin(comics: Store, q: str, count: int) -> None:
    assert comics.transcripts.page(PROFILE, q=q).total == count


@pytest.mark.parametrize(
    ("q", "sources"),
    [
        ("failed", ["broken.srt"]),
        ("refused", ["broken.srt"]),
        ("broken nothing", ["broken.srt"]),
        ("字幕", ["broken.srt"]),
        ("running", ["zug.srt"]),
        ("queued", ["later.srt"]),
        ("import", ["later.srt", "zug.srt", "broken.srt"]),
        ("failed zug", []),
        ("%", []),
    ],
)
def test_jobs_are_found_by_their_state_and_by_what_they_say(store: Store, q: str, sources: list[str]) -> None:
    broken = store.jobs.add(PROFILE, "import", "broken.srt")
    store.jobs.update(broken.id, state="failed", error="(nothing) is in it: 字幕\nlook at it")
    store.jobs.update(store.jobs.add(PROFILE, "import", "zug.srt").id, state="running")
    store.jobs.add(PROFILE, "import", "later.srt")
    assert [job.source for job in store.jobs.page(PROFILE, q=q).items] == sources


@pytest.mark.parametrize(("q", "found"), [("stopped", True), ("explanation", True), ("failed", False)])
def test_answers_are_found_by_how_they_ended(store: Store, q: str, found: bool) -> None:
    answer = store.answers.begin(
        PROFILE, kind="explanation", model="ollama:m", sentence="Der Zug.", focus="", context="", prompt="", sys_msg=""
    )
    store.answers.finish(answer.id, "aborted")
    assert bool(store.answers.page(PROFILE, q=q).total) is found


@pytest.mark.parametrize(
    ("q", "found"),
    [
        ("japanese", True),
        ("jap eat", True),
        ("ja", True),
        ("たべ", True),
        ("食べる", True),
        ("german eat", False),
        ("j eat", False),
    ],
)
def test_clips_are_found_by_the_language_the_reading_and_the_meanings_of_their_word(
    store: Store, q: str, found: bool
) -> None:
    focus = FocusWord("食べる", reading="たべる", meanings=("to eat",), language="ja")
    store.clips.add(PROFILE, NewClip("Taberu means that.", focus=focus))
    store.clips.add(PROFILE, NewClip("nothing of it"))
    assert store.clips.page(PROFILE, q=q).total == int(found)


def test_a_word_whose_meaning_changes_is_found_by_the_new_one_only(store: Store) -> None:
    clip = store.clips.add(PROFILE, NewClip("Satz", focus=FocusWord("Satz", meanings=("sentence",))))
    store.clips.edit(PROFILE, clip.id, NewClip("Satz", focus=FocusWord("Satz", meanings=("leap",))))
    assert store.clips.page(PROFILE, q="sentence").total == 0
    assert store.clips.page(PROFILE, q="leap").total == 1


def test_clips_of_an_older_library_are_found_by_their_meanings_too(
    directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with lode_before("m006_clip_words", monkeypatch):
        store = Store.open(directory)
        store.templates.save(PROFILE, NewTemplate("m", "p", "s"))  # so that there is the profile
        focus = '{"surface": "hito", "reading": "ひと", "meanings": ["person"]}'
        with closing(sqlite3.connect(store.path)) as connection, connection:  # as an older Lode wrote it
            connection.execute(
                "INSERT INTO clips (id, profile, sentence, context, translation, focus, surface, lemma, explanation,"
                " model, tags, note, source, spaceless, created_at, updated_at)"
                " VALUES ('a', 1, 'Hito da.', '', '', ?, 'hito', '', '', '', '[]', '', '', 0, '2026', '2026')",
                (focus,),
            )
        store.close()
    store = Store.open(directory)
    (before,) = store.clips.page(PROFILE).items
    assert before.focus == FocusWord("hito", reading="ひと", meanings=("person",))
    for q in ("person", "ひと", "hito person"):
        assert store.clips.page(PROFILE, q=q).items == (before,), q
    store.close()
    assert len(list(directory.glob("lode.db.before-m006_clip_words-*"))) == 1


LONGEST = {
    "as many words as there may be": " ".join(f"wort{number}" for number in range(MAX_SEARCH_WORDS)),
    "as many pairs of characters": " ".join(chr(0x4E00 + number) * 2 for number in range(MAX_SEARCH_WORDS)),
    "one word": "z" * MAX_SEARCH_LENGTH,
    "one word without spaces": "東" * MAX_SEARCH_LENGTH,
    "the same word again and again": "zug " * (MAX_SEARCH_LENGTH // 4),
    "signs that a pattern knows": "%_\\" * (MAX_SEARCH_LENGTH // 3),
}
TOO_LONG = {
    "a thousand words": " ".join(f"wort{number}" for number in range(1000)),
    "a word too many": " ".join(f"w{number}" for number in range(MAX_SEARCH_WORDS + 1)),
    "60 kB pasted": "zug " * 15_000,
    "60 kB without a space": "x" * 60_000,
    "60 kB of characters": "東" * 60_000,
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


@pytest.mark.parametrize("q", LONGEST.values(), ids=LONGEST)
def test_the_longest_search_is_answered_by_every_list(comics: Store, q: str) -> None:
    comics.clips.add(PROFILE, NewClip("Der Zug kommt."))
    transcript = comics.transcripts.page(PROFILE).items[0].id
    for search in _every_search(comics, transcript, q):
        search()


@pytest.mark.parametrize("q", TOO_LONG.values(), ids=TOO_LONG)
def test_a_search_that_is_too_long_is_refused_by_every_list_and_is_no_damage(comics: Store, q: str) -> None:
    comics.clips.add(PROFILE, NewClip("Der Zug kommt."))
    transcript = comics.transcripts.page(PROFILE).items[0].id
    for search in _every_search(comics, transcript, q):
        with pytest.raises(InvalidInput, match="too long") as refused:
            search()
        assert (refused.value.code, refused.value.hint != "") == ("search_too_long", True)
