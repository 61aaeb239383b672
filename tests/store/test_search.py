"""What a list shows can be searched: every word somewhere in the row, by the names that people have for codes."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.store.adding_files import add_file
from tests.store.conftest import PROFILE
from tests.store.older_library import lode_before
from tui.records.answers import NewTemplate
from tui.records.clips import FocusWord, NewClip
from tui.records.transcripts import Cue
from tui.store import Store


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
