"""Libraries of older Lodes come to the schema that is written down, and everything in them stays as it was."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path

import pytest
from sqlite_utils import Database

from tests.store.adding_files import add_file
from tests.store.conftest import PROFILE, check_search_tables, everything, redo, run_sql, undo
from tests.store.schema.current import PATH, current_schema
from tui.language import words
from tui.records.clips import FocusWord, NewClip
from tui.records.inbox import InboxNote
from tui.records.library import Restored
from tui.records.mining import MiningMark
from tui.records.notes import Note
from tui.records.reviews import Change
from tui.records.search import View
from tui.records.settings import ProfileSettings, SavedSettings
from tui.records.transcripts import Cue, ReadingPlace
from tui.records.word_states import WordState
from tui.records.words import WordMark
from tui.store import Store
from tui.store.schema import migrations
from tui.store.schema.later_migrations import m031_inbox
from tui.store.tables.decks import Rendering
from tui.store.tables.word_list import WordFilter
from tui.store.tables.words import count_forms

MOMENT = "2026-01-15T12:00:00.000Z"
CLIP: dict[str, object] = dict.fromkeys(
    ("context", "translation", "surface", "lemma", "explanation", "model", "note", "source"), ""
)
CLIP |= {"profile": 1, "sentence": "s", "tags": "[]", "spaceless": 0, "created_at": MOMENT, "updated_at": MOMENT}
ANSWER: dict[str, object] = dict.fromkeys(
    ("context", "prompt", "sys_msg", "question", "surface", "lemma", "text", "folded"), ""
)
ANSWER |= {"profile": 1, "kind": "breakdown", "model": "ollama:m", "sentence": "s", "focus": "Uhr"}
ANSWER |= {"state": "complete", "duration_ms": 5, "created_at": MOMENT}

Migration = Callable[[Database], None]


@contextmanager
def lode_before(migration: str, monkeypatch: pytest.MonkeyPatch, *needed: Migration) -> Iterator[None]:
    """Lode as it was before a migration: what it opens, and a new library too, has seen those that came before.

    And those that are ``needed`` to write something with the Lode of today.
    """
    at = [each.__name__ for each in migrations.MIGRATIONS].index(migration)
    with monkeypatch.context() as older:
        older.setattr(migrations, "MIGRATIONS", (*migrations.MIGRATIONS[:at], *needed))
        older.setattr(migrations, "create", migrations.bring_up_to_date)
        yield


Before = Callable[[str], AbstractContextManager[sqlite3.Connection]]


@pytest.fixture
def library_before(directory: Path, monkeypatch: pytest.MonkeyPatch) -> Before:
    """Make a new library with a profile, and with all migrations that came before one."""

    @contextmanager
    def library_before(migration: str) -> Iterator[sqlite3.Connection]:
        with lode_before(migration, monkeypatch):
            Store.open(directory).close()
        with closing(sqlite3.connect(directory / "lode.db")) as connection, connection:
            insert(connection, "profiles", name=PROFILE, created_at=MOMENT)
            yield connection

    return library_before


def insert(connection: sqlite3.Connection, table: str, **row: object) -> int:
    names = f"{table} ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})"
    return connection.execute(f"INSERT INTO {names}", tuple(row.values())).lastrowid or 0


def insert_film(connection: sqlite3.Connection, title: str, language: str, texts: Sequence[str]) -> None:
    """Put a transcript in as Lode did before ``m010_blocks_of_counts``; its words are counted as they are now."""
    about = {"title": title, "language": language, "origin": "import", "cue_count": len(texts), "folded": title}
    transcript = insert(connection, "all_transcripts", id=title, profile=1, created_at=MOMENT, **about)
    for at, text in enumerate(texts):
        times = {"position": at, "start_ms": at * 1000, "end_ms": at * 1000 + 900}
        insert(connection, "cues", transcript=transcript, **times, text=text, scope=f"p1x{language}", spaceless=0)
    (counts,) = count_forms(texts, language)
    for form, number in json.loads(counts).items():
        connection.execute("INSERT OR IGNORE INTO forms (language, form) VALUES (?, ?)", (language, form))
        connection.execute(
            "INSERT INTO form_counts (form, transcript, n) SELECT seq, ?, ? FROM forms WHERE language = ? AND form = ?",
            (transcript, number >> 2, language, form),
        )


def states(store: Store) -> dict[str, WordState]:
    """The words that have any state but new."""
    wanted = WordFilter(states=("seen", "learning", "known", "ignored"))
    return {word.lemma: word.state for word in store.word_list.page(PROFILE, wanted, "lemma", 0, 100).items}


def test_the_schema_that_is_written_down_is_the_one_after_all_migrations() -> None:
    assert PATH.read_text(encoding="utf-8") == current_schema(), "write it anew: make schema"


def test_clips_and_answers_of_the_first_lode_are_untouched(directory: Path, library_before: Before) -> None:
    with library_before("m002_usage") as older:
        focus = '{"surface": "hito", "reading": "ひと", "meanings": ["person"]}'
        clip_row = {"sentence": "Hito da.", "translation": "A person.", "focus": focus, "surface": "hito"}
        insert(older, "clips", **CLIP | clip_row, id="c", start_ms=1, end_ms=2)
        insert(older, "answers", **ANSWER, id="a", input_tokens=3, output_tokens=4)
        insert(older, "exports", profile=1, deck="Lode", created_at=MOMENT)
    with closing(Store.open(directory)) as store:
        (clip,) = store.clips.page(PROFILE).items
        assert (clip.translation, clip.updated_at, clip.start_ms, clip.end_ms) == ("A person.", MOMENT, 1, 2)
        assert clip.focus == FocusWord("hito", reading="ひと", meanings=("person",))
        assert (clip.audio, clip.picture, clip.voice, store.media.waiting(PROFILE)) == (None, None, None, [])
        for q in ("person", "ひと", "hito person"):
            assert store.clips.page(PROFILE, q=q).items == (clip,), q
        answer = store.answers.get(PROFILE, "a")
        assert (answer.duration_ms, answer.first_token_ms, answer.cut) == (5, None, False)
        assert (answer.follows, answer.follow_ups, store.answers.page(PROFILE).total) == (None, (), 1)
        (usage,) = store.answers.usage(PROFILE)
        assert (usage.month, usage.model, usage.input_tokens, usage.output_tokens) == ("2026-01", "ollama:m", 3, 4)
        assert (store.settings.get(PROFILE), list(store.sent_notes.each())) == (SavedSettings(), [])
        rendering = Rendering(1, lambda clip: Note(clip.id, (clip.sentence,), (), 1, 2))
        assert [note.guid for note in store.rendered_notes.each(PROFILE, rendering)] == ["c"]
        assert store.exports.file_of(PROFILE, "Lode", store.exports.state(PROFILE, "1")) == ""
        store.answers.delete(PROFILE, ["a"])
        assert store.answers.page(PROFILE).total == 0
    assert len(list(directory.glob("lode.db.before-m002_usage-*"))) == 1


def test_what_an_older_lode_deleted_counts_from_the_migration_on(directory: Path, library_before: Before) -> None:
    with library_before("m004_openings") as older:
        entry = {"profile": 1, "kind": "template", "summary": "", "count": 1, "blobs": "[]", "created_at": "2001-01-01"}
        insert(older, "trash", **entry, bundle='{"tables": {}, "links": []}')
        insert(older, "requests", profile=PROFILE, key="k", fingerprint="f", created_at="2001")
    with closing(Store.open(directory)) as store:
        for days, kept in ((1, (1, 1)), (27, (1, 0)), (1, (0, 0))):  # and today
            for _ in range(days):
                run_sql(store, "INSERT INTO openings (date) VALUES (hex(randomblob(8)))")
            store.remove_expired()
            assert run_sql(store, "SELECT (SELECT count(*) FROM trash), (SELECT count(*) FROM requests)") == [kept]


def test_deletions_from_before_transcripts_were_hidden_can_be_undone(directory: Path, library_before: Before) -> None:
    transcript: dict[str, object] = {"profile": 1, "file_id": "f", "language": "de", "origin": "import", "cue_count": 1}
    transcript |= {"duration_ms": 900, "created_at": MOMENT, "folded": ""}
    cue: dict[str, object] = {
        "position": 0,
        "start_ms": 0,
        "end_ms": 900,
        "speaker": None,
        "scope": "p1xde",
        "spaceless": 0,
    }
    deleted: dict[str, dict[str, object]] = {
        "form_counts": {"form": 1, "transcript": 2, "n": 1},
        "cues": cue | {"seq": 7, "transcript": 2, "text": 'Der alte Zug – 漢字 "]}".'},
        "transcripts": transcript | {"seq": 2, "id": "old", "title": "Alt"},
    }
    bundle = {
        "tables": {name: {"columns": list(row), "rows": [list(row.values())]} for name, row in deleted.items()},
        "links": [["clips", "transcript_id", 1, "old"]],
    }
    with library_before("m005_discarded_transcripts") as older:
        file = {"name": "a.srt", "kind": "subtitle", "format": "srt", "size_bytes": 1, "sha256": "aa", "folded": ""}
        insert(older, "files", id="f", profile=1, **file, created_at=MOMENT)
        insert(older, "transcripts", **transcript, id="kept", title="Neu")
        insert(older, "cues", **cue, transcript=1, text="[Musik] Der Zug.")
        insert(older, "forms", seq=1, language="de", form="zug")
        insert(older, "form_counts", form=1, transcript=1, n=1)
        insert(older, "clips", **CLIP, id="c", file_id="f")
        entry = {"profile": 1, "kind": "transcript", "summary": "Alt", "count": 1, "blobs": "[]"}
        insert(older, "trash", **entry, bundle=json.dumps(bundle), created_at=MOMENT)
    with closing(Store.open(directory)) as store:
        (kept,) = store.transcripts.page(PROFILE).items
        assert (kept.id, kept.series, kept.episode, kept.translation_id) == ("kept", "", None, None)
        assert store.transcripts.cues(PROFILE, "kept").items == (Cue(0, 0, 900, "[Musik] Der Zug."),), "as it was"
        assert undo(store) == Restored("transcript", 1, "Alt")
        found = [(each.id, each.file_id) for each in store.transcripts.page(PROFILE).items]
        assert found == [("old", "f"), ("kept", "f")]
        assert store.words.occurrences(PROFILE, "de", ["zug"]) == (2, (1, 1))
        assert [line.title for line in store.words.concordance(PROFILE, "de", ["zug"], 10)] == ["Alt", "Neu"]
        clip = store.clips.get(PROFILE, "c")
        assert (clip.transcript_id, clip.updated_at) == ("old", MOMENT)
        check_search_tables(store)
        before = everything(store)
        store.transcripts.delete(PROFILE, ["old", "kept"])
        assert store.transcripts.page(PROFILE).total == 0
        assert undo(store) == Restored("transcript", 2, "2 transcripts")
        assert everything(store) == before


def test_older_files_say_what_was_named_and_jobs_what_they_came_to(directory: Path, library_before: Before) -> None:
    with library_before("m007_readings") as older:
        for name in ("named", "plain", "gone"):
            about = {"name": "x.srt", "kind": "subtitle", "format": "srt", "size_bytes": 1, "folded": ""}
            insert(older, "files", id=name, sha256=name, profile=1, **about, created_at=MOMENT)
        for number, (file, state, message, options) in enumerate(
            (
                ("named", "succeeded", "4 cues", {"encoding": "windows-1251", "language": "ru"}),
                ("named", "succeeded", "already in the library", {"encoding": None, "language": None}),
                ("plain", "succeeded", "2 cues", {"encoding": None, "language": None}),
                (None, "failed", "reading", {"encoding": "cp932"}),
            )
        ):
            came_to = {"file_id": file, "state": state, "message": message, "options": json.dumps(options)}
            job = {"profile": 1, "kind": "import", "progress": 1.0, "source": "x", "owner": "", "folded": ""}
            insert(older, "jobs", id=f"job{number}", **job, **came_to, created_at=MOMENT, updated_at=MOMENT)
    with closing(Store.open(directory)) as store:
        named = {file: store.files.read_named_options(PROFILE, file) for file in ("named", "plain", "gone")}
        assert named == {"named": ("windows-1251", "ru"), "plain": (None, None), "gone": (None, None)}
        jobs = [store.jobs.get(PROFILE, f"job{number}") for number in range(4)]
        assert [(job.outcome, job.updated_at) for job in jobs] == [
            *(("added", MOMENT), ("same", MOMENT), ("added", MOMENT), (None, MOMENT))
        ]


def test_words_that_hyphens_hang_on_others_are_counted_as_in_a_new_library(
    directory: Path, library_before: Before, monkeypatch: pytest.MonkeyPatch
) -> None:
    hyphens = {
        "fr": "Oui, dit-il. Peut-être, dit-elle : dit-il vrai ? Il dort, qu'est-ce, a-t-il dit.",
        "ro": "Într-o zi m-am dus. Dă-mi!",
        "de": "Die E-Mail-Adresse, dit-il.",
    }
    all_counts = (
        "SELECT f.language, f.form, t.title, c.n FROM forms AS f JOIN form_counts AS c ON c.form = f.seq"
        " JOIN transcripts AS t ON t.seq = c.transcript ORDER BY 1, 2, 3"
    )
    with monkeypatch.context() as older, library_before("m008_hyphenated_words") as connection:
        older.setattr(words, "_ENCLITICS", {})
        older.delitem(words._ELISIONS, "ro")
        for language, text in hyphens.items():
            insert_film(connection, language, language, [text])
        of_form = "SELECT c.n FROM form_counts AS c JOIN forms AS f ON f.seq = c.form WHERE f.form = 'dit-il'"
        assert sorted(connection.execute(of_form)) == [(1,), (2,)]
    with closing(Store.open(directory)) as store, closing(Store.open(directory / "new")) as new:
        assert store.words.occurrences(PROFILE, "fr", ["il"]) == (4, (4,))
        for language, text in hyphens.items():
            add_file(new, language, [Cue(0, 0, 900, text)], language=language, title=language)
        counts = run_sql(store, all_counts)
        assert counts == run_sql(new, all_counts)
        assert ("de", "dit-il", "de", 1) in counts


def test_the_counts_and_the_search_of_an_older_library_stay(directory: Path, library_before: Before) -> None:
    counts = "SELECT form, transcript, n FROM form_counts ORDER BY 1, 2"
    with library_before("m010_blocks_of_counts") as connection:
        for number in range(70):
            insert_film(connection, f"Film {number}", "de", ["Der Zug kommt.", "zug " * number])
        before = list(connection.execute(counts))
    with closing(Store.open(directory)) as store:
        assert run_sql(store, counts) == before
        add_file(store, "neu.srt", [Cue(0, 0, 900, "Der Zug ist neu.")], profile=PROFILE)
        assert store.words.occurrences(PROFILE, "de", ["Zug"])[1] == (*range(1, 71), 1)
        found = store.words.concordance(PROFILE, "de", ["neu", "kommt"], 2)
        assert [line.text for line in found] == ["Der Zug ist neu.", "Der Zug kommt."]


def test_words_of_older_clips_and_answers_were_seen(directory: Path, library_before: Before) -> None:
    with library_before("m012_word_states") as older:
        for clip_id, surface, lemma, language in (
            ("c1", "fährt … ab", "abfahren", "de"),
            ("c2", "Züge", None, "de-AT"),
            ("c3", "unknown", "unknown", None),
        ):
            focus = json.dumps({"surface": surface, "lemma": lemma, "language": language})
            folded = {"surface": surface.casefold(), "lemma": lemma or ""}
            insert(older, "clips", **CLIP | {"focus": focus, **folded}, id=clip_id)
        insert(older, "forms", language="de", form="züge", lemma="Zug", looked_up=1)
        focus = '{"surface": "Uhr", "lemma": "Uhr", "language": "de"}'
        insert(older, "answers", **ANSWER | {"surface": "uhr", "lemma": "uhr"}, id="a", focus_word=focus)
    with closing(Store.open(directory)) as store:
        assert states(store) == dict.fromkeys(("abfahren", "Zug", "Uhr"), "seen")
        page = store.word_list.page(PROFILE, WordFilter(q="Uhr"), "lemma", 0, 9)
        assert (page.items[0].source, page.items[0].changed_at) == ("answer", MOMENT)
        assert store.clips.get(PROFILE, "c2").updated_at == MOMENT
        assert store.word_states.mark(PROFILE, [WordMark("de", "Uhr", state="known")], "user") == 1


def test_older_settings_have_the_usual_cards_which_never_changed(directory: Path, library_before: Before) -> None:
    with library_before("m014_card_options") as older:
        insert(older, "profile_settings", profile=1, explain_in="es", learning="[]", updated_at=MOMENT)
    with closing(Store.open(directory)) as store:
        assert store.settings.get(PROFILE) == SavedSettings("es", updated_at=MOMENT)
        own = ProfileSettings(deck_per="tag", note_fields="note_type = 'A'\n[fields]\nA = 'Sentence'\n")
        assert store.settings.save(PROFILE, own).contents() == own


def test_names_of_an_older_library_are_ignored_where_nobody_gave_them_a_state(
    directory: Path, library_before: Before, monkeypatch: pytest.MonkeyPatch
) -> None:
    with library_before("m010_blocks_of_counts") as connection:
        texts = ("Hola, Rosa.", "Viene Paco con Manuela.", "Con Manuela, y Ana.", "Una rosa.", "Madrid está lejos.")
        insert_film(connection, "loro", "es", texts)
        insert_film(connection, "zug", "de", ("Viele Züge fahren.",))
    needed = migrations.m022_redo, m031_inbox
    with lode_before("m020_names", monkeypatch, *needed), closing(Store.open(directory)) as store:
        store.word_states.mark(PROFILE, [WordMark("es", "Ana", state="learning")], "user")
        clip = store.clips.add(PROFILE, NewClip("Viene Paco con Manuela."))
    run_sql(
        directory,
        "INSERT OR IGNORE INTO words (language, folded, reading, lemma, ignored)"
        " SELECT language, form, '', form, 0 FROM forms",
    )
    run_sql(directory, "UPDATE forms SET word = (SELECT seq FROM words WHERE folded = form)")
    with closing(Store.open(directory)) as store:
        store.word_list.prepare(PROFILE)
        assert states(store) == {"Ana": "learning", "Manuela": "ignored", "Paco": "ignored"}
        assert store.clips.get(PROFILE, clip.id) == clip


def test_lemmas_of_an_older_library_are_looked_up_again_but_of_words_with_a_state(
    directory: Path, library_before: Before, monkeypatch: pytest.MonkeyPatch
) -> None:
    with library_before("m010_blocks_of_counts") as connection:
        insert_film(connection, "tren", "es", ("decirle dámelo",))
    with lode_before("m021_lemmas", monkeypatch, migrations.m022_redo), closing(Store.open(directory)) as store:
        store.words.set_lemmas("es", {"decirle": None, "dámelo": None})
        store.word_list.prepare(PROFILE)
        store.word_states.mark(PROFILE, [WordMark("es", "dámelo", state="known")], "user")
    with closing(Store.open(directory)) as store:
        assert store.words.unlemmatised("es", 9) == ("decirle",)
        store.words.set_lemmas("es", {"decirle": "decir"})
        store.word_list.prepare(PROFILE)
        assert states(store) == {"dámelo": "known"}


def test_what_an_older_lode_deleted_is_undone_and_redone_and_listed_by_its_name(
    directory: Path, library_before: Before
) -> None:
    clip = CLIP | {"seq": 1, "id": "gone", "sentence": "Der Zug."}
    bundle = {"tables": {"clips": {"columns": list(clip), "rows": [list(clip.values())]}}, "links": []}
    about = {"profile": 1, "count": 1, "blobs": "[]", "created_at": MOMENT, "opening": 1}
    with library_before("m022_redo") as older:
        insert(older, "clips", **{**CLIP, "seq": 2, "id": "kept", "note": "neu"})
        edited = json.dumps({"tables": {}, "links": [], "edited_clips": {"kept": {"note": ["alt", "neu"]}}})
        insert(older, "trash", **about, kind="clip", summary="Der Zug.", bundle=json.dumps(bundle))
        insert(older, "trash", **about, kind="edited_clip", summary="the clip s, as it was", bundle=edited)
        insert(older, "openings", date="2026-01-15")
    with closing(Store.open(directory)) as store:
        subjects = ["the clip s, as it was", "Der Zug."]
        assert [step.subject for step in store.trash.steps(PROFILE)] == subjects
        assert undo(store).count == 1
        assert store.clips.get(PROFILE, "kept").note == "alt"
        assert undo(store) == Restored("clip", 1, "Der Zug.")
        assert [step.subject for step in (redo(store), redo(store))] == subjects[::-1]
        assert [clip.note for clip in store.clips.page(PROFILE).items] == ["neu"]
        assert [step.subject for step in store.trash.steps(PROFILE)] == subjects


def test_an_older_library_takes_notes_at_cues(directory: Path, library_before: Before) -> None:
    with library_before("m023_cue_notes") as older:
        for at, text in enumerate(("Der Zug kommt.", "Er hält.")):
            if not at:
                about = {"title": "zug", "language": "de", "origin": "import", "cue_count": 2, "folded": "zug"}
                transcript = insert(older, "all_transcripts", id="zug", profile=1, created_at=MOMENT, **about)
            times = {"position": at, "start_ms": at * 1000, "end_ms": at * 1000 + 900, "spaceless": 0, "scope": "p1xde"}
            insert(older, "cues", transcript=transcript, text=text, **times)
    with closing(Store.open(directory)) as store:
        assert store.transcripts.notes(PROFILE, "zug") == ()
        store.transcripts.note(PROFILE, "zug", 1, "a verb")
        assert [(note.cue_index, note.text) for note in store.transcripts.notes(PROFILE, "zug")] == [(1, "a verb")]
        assert undo(store).kind == "note"


def test_an_older_library_takes_views(directory: Path, library_before: Before) -> None:
    with library_before("m025_views"):
        pass
    with closing(Store.open(directory)) as store:
        assert store.views.all(PROFILE) == ()
        store.views.save(PROFILE, View("Verben", "clips", "tag:verb"))
        assert [view.name for view in store.views.all(PROFILE)] == ["Verben"]
        assert undo(store).kind == "saved_view"


def test_an_older_library_takes_bookmarks_and_has_read_up_to_where_it_was_left(
    directory: Path, library_before: Before
) -> None:
    with library_before("m026_bookmarks") as older:
        about = {"title": "zug", "language": "de", "origin": "import", "folded": "zug"}
        for name, cues in (("zug", 4), ("bus", 2)):
            insert(older, "all_transcripts", id=name, profile=1, created_at=MOMENT, cue_count=cues, **about)
        insert(older, "reading_places", transcript_id="zug", cue=2, word=1, left_at=MOMENT)
    with closing(Store.open(directory)) as store:
        assert store.transcripts.place(PROFILE, "zug") == ReadingPlace(2, 1, 3)
        assert [each.read_cues for each in store.transcripts.page(PROFILE).items] == [None, 3]
        assert [each.transcript.id for each in store.transcripts.last_read(PROFILE, 9)] == ["zug"]
        store.bookmarks.put(PROFILE, "bus", 1, "x")
        assert [(mark.cue_index, mark.name) for mark in store.bookmarks.of(PROFILE, "bus")] == [(1, "x")]
        assert undo(store).kind == "set_bookmark"


def test_cues_files_and_jobs_from_before_transcription_stay_as_they_were(
    directory: Path, library_before: Before
) -> None:
    with library_before("m027_transcription") as older:
        about = {"profile": 1, "name": "zug.srt", "folded": "zug", "kind": "subtitle", "format": "srt"}
        insert(older, "files", **about, id="f", size_bytes=3, sha256="ab" * 32, created_at=MOMENT)
        film = {"title": "Zug", "folded": "zug", "language": "de", "origin": "import", "cue_count": 1}
        transcript = insert(older, "all_transcripts", **film, id="t", profile=1, file_id="f", created_at=MOMENT)
        insert(older, "cues", transcript=transcript, position=0, text="Hallo.", scope="p1xde", spaceless=0)
        job = {"kind": "import", "state": "succeeded", "progress": 1.0, "message": "", "source": "zug.srt"}
        job |= {"options": "{}", "owner": "", "folded": "", "created_at": MOMENT, "updated_at": MOMENT}
        insert(older, "jobs", **job, id="j", profile=1, file_id="f")
        insert(older, "profile_settings", profile=1, explain_in="en", learning="[]", updated_at=MOMENT)
    with closing(Store.open(directory)) as store:
        (file,) = store.files.page(PROFILE).items
        assert (file.sha256, file.path, file.transcript_id) == ("ab" * 32, None, "t")
        (cue,) = store.transcripts.cues(PROFILE, "t").items
        assert (cue.text, cue.words, cue.doubt) == ("Hallo.", (), None)
        (done,) = store.jobs.page(PROFILE).items
        assert (done.file_id, done.transcript_id, done.updated_at) == ("f", None, MOMENT)
        assert store.settings.get(PROFILE).transcribe_with == ""


def test_transcripts_from_before_reviews_were_never_corrected_and_take_one(
    directory: Path, library_before: Before
) -> None:
    with library_before("m028_reviews") as older:
        film = {"title": "Zug", "folded": "zug", "language": "de", "origin": "import", "cue_count": 1}
        transcript = insert(older, "all_transcripts", **film, id="t", profile=1, created_at=MOMENT)
        insert(older, "cues", transcript=transcript, position=0, text="Halo.", scope="p1xde", spaceless=0)
    with closing(Store.open(directory)) as store:
        assert [each.fixed_at for each in store.transcripts.page(PROFILE).items] == [None]
        assert store.reviews.page(PROFILE).items == ()
        review = store.reviews.begin(PROFILE, "t", "correction", "fake:model")
        store.reviews.add(PROFILE, review, [Change(0, "Halo.", "Hallo.")])
        assert [each.cue_index for each in store.reviews.items(PROFILE, review).items] == [0]
        store.reviews.drop(PROFILE, review)
        assert undo(store).kind == "review"


def test_reviews_from_before_there_were_other_kinds_wait_on(directory: Path, library_before: Before) -> None:
    with library_before("m029_review_kinds") as older:
        film = {"title": "Zug", "folded": "zug", "language": "de", "origin": "import", "cue_count": 1}
        transcript = insert(older, "all_transcripts", **film, id="t", profile=1, created_at=MOMENT)
        insert(older, "cues", transcript=transcript, position=0, text="Halo.", scope="p1xde", spaceless=0)
        about = {"kind": "correction", "transcript_id": "t", "model": "fake:model", "created_at": MOMENT}
        review = insert(older, "all_reviews", id="r", **about)
        item = {"before": "Halo.", "after": "Hallo.", "doubtful": 0, "taken": 1, "seen": 1}
        insert(older, "review_items", review=review, number=0, cue=0, **item)
    with closing(Store.open(directory)) as store:
        (waiting,) = store.reviews.page(PROFILE).items
        assert (waiting.kind, waiting.total, waiting.unseen, waiting.into) == ("correction", 1, 0, None)
        assert [item.card for item in store.reviews.items(PROFILE, "r").items] == [None]
        assert store.reviews.apply(PROFILE, "r", dry_run=True).changed == 1


def test_transcripts_from_before_marks_have_none_and_take_some(directory: Path, library_before: Before) -> None:
    with library_before("m030_mining_marks") as older:
        film = {"title": "Zug", "folded": "zug", "language": "de", "origin": "import", "cue_count": 1}
        transcript = insert(older, "all_transcripts", **film, id="t", profile=1, created_at=MOMENT)
        insert(older, "cues", transcript=transcript, position=0, text="Der Zug.", scope="p1xde", spaceless=0)
    with closing(Store.open(directory)) as store:
        assert store.mining_marks.of(PROFILE, "t") == ()
        mark = store.mining_marks.put(PROFILE, "t", MiningMark(0, 4, 7, "", ""))
        assert store.mining_marks.of(PROFILE, "t") == (mark,) and mark.text == "Zug"
        assert undo(store).kind == "set_mining_mark"


def test_a_library_from_before_the_inbox_takes_notes_beside_its_clips(directory: Path, library_before: Before) -> None:
    with library_before("m031_inbox") as older:
        insert(older, "clips", **CLIP | {"sentence": "Der Zug.", "surface": "zug"}, id="c")
        saved = {"explain_in": "en", "learning": "[]", "updated_at": MOMENT}
        insert(older, "profile_settings", profile=1, **saved)
    with closing(Store.open(directory)) as store:
        assert store.settings.get(PROFILE).inbox_fill == "dictionaries"
        assert not store.inbox.list_arrived(PROFILE) and not store.inbox.names(PROFILE, "deck")
        note = InboxNote(0, "", "Lode", "Lode", {"Sentence": "Der Zug."}, {"a.mp3": "https://example.com"}, "new")
        kept = store.inbox.add(PROFILE, [("b.mp3", b"b")], lambda names: (note, NewClip("Ein Satz."), names[0], ""))
        assert store.inbox.list_arrived(PROFILE) == {kept.note.id: kept} and kept.clip.audio
        (old,) = (clip for clip in store.clips.page(PROFILE).items if clip.id == "c")
        assert (old.updated_at, list(store.inbox.number_clips([old], "Lode", "Lode"))) == (MOMENT, ["c"])
