"""What undo took back can be done again until the next change; an older step is taken back alone if it stands free."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace

import pytest

from tests.store.adding_files import add_file
from tests.store.conftest import (
    PROFILE,
    AddFilm,
    Child,
    check_search_tables,
    everything,
    redo,
    remove_discarded,
    run_sql,
    undo,
)
from tests.store.tables.test_reimport import NEW, OLD, read, texts, timed
from tui.errors import InvalidInput, NotFound
from tui.records.answers import NewAnswer, NewTemplate
from tui.records.clip_selection import ClipSelection
from tui.records.clips import FocusWord, NewClip
from tui.records.own_words import OwnWord
from tui.records.search import View
from tui.records.transcripts import NewTranscript
from tui.records.words import WordMark
from tui.store import Store
from tui.text.display import undo_step

TEMPLATE = NewTemplate("ollama:m", "Explain {{ focus }}", "")
ROSE = FocusWord("Rose", lemma="Rose", language="de")


def lasting(store: Store) -> dict[str, list[tuple[object, ...]]]:
    """Everything that redo promises: not when something was changed last, nor what is hidden or only counted."""
    tables = everything(store)
    left_out = (
        *("forms", "words", "cues", "original_cues", "form_counts", "found"),
        *("all_transcripts", "word_states", "clips"),
    )
    found = {name: rows for name, rows in tables.items() if name not in left_out}
    for name, query in {
        "transcripts": "SELECT id, file_id, title, language, cue_count, translation_id FROM transcripts ORDER BY 1",
        "shown": "SELECT t.id, c.position, c.text, c.scope FROM cues AS c JOIN transcripts AS t ON t.seq = c.transcript"
        " ORDER BY 1, 2",
        "clips": "SELECT seq, id, transcript_id, cue_index, sentence, focus, tags, note, created_at FROM clips"
        " ORDER BY 1",
        "own words": "SELECT * FROM own_words",
        "states": "SELECT word, state, source, changed_at FROM word_states WHERE state <> '' ORDER BY 1",
    }.items():
        found[name] = run_sql(store, query)
    return found


def changes(store: Store, add_film: AddFilm) -> dict[str, Callable[[], object]]:
    """A step of every kind that undo takes back, each of records of its own."""
    films = [add_film("Der Zug kommt.", name=f"{number}.srt") for number in range(5)]
    kept = [store.clips.add(PROFILE, NewClip(f"Satz {number}.", transcript_id=films[0][1].id)) for number in range(5)]
    store.transcripts.pair(PROFILE, films[4][1].id, films[0][1].id)
    store.own_words.save(PROFILE, "zug", OwnWord("de", "Zug", "train"), ["zug"])
    marks = [store.bookmarks.put(PROFILE, films[number][1].id, 0, None) for number in (3, 4)]
    for name in ("alt", "mein"):
        store.views.save(PROFILE, View(name, "clips", "zug"))
    run_sql(store, "DELETE FROM trash")
    answer = store.answers.begin(PROFILE, NewAnswer("breakdown", "ollama:m", "Der Zug.", "Zug", "", "", ""))
    store.templates.save(PROFILE, TEMPLATE)
    read(store, timed(*OLD), language="ru")
    return {
        "clip": lambda: store.clips.delete(PROFILE, [kept[0].id, kept[1].id]),
        "answer": lambda: store.answers.delete(PROFILE, [answer.id]),
        "template": lambda: store.templates.delete(PROFILE),
        "file": lambda: store.files.delete(PROFILE, [films[1][0].id]),
        "transcript": lambda: store.transcripts.delete(PROFILE, [films[2][1].id]),
        "added_clip": lambda: store.clips.add_at_once(PROFILE, [NewClip("Eine Rose.", focus=ROSE), NewClip("Neu.")]),
        "edited_clip": lambda: store.clips.edit(
            PROFILE, kept[2].id, replace(kept[2].contents(), note="n", focus=replace(ROSE, surface="Nelke", lemma=""))
        ),
        "tagged_clip": lambda: store.clips.tag(PROFILE, _numbers(store, kept[3].id, kept[4].id), ["a1"], []),
        "edit": lambda: store.transcripts.edit(PROFILE, films[3][1].id, title="Anders", language="nl"),
        "reading": lambda: read(store, timed(*NEW, "da"), language="de", encoding="cp1250"),
        "word": lambda: store.word_states.mark(PROFILE, [WordMark("de", "Bus", state="known")], "user"),
        "view": lambda: store.views.delete(PROFILE, "ALT"),
        "saved_view": lambda: store.views.save(PROFILE, View("neu", "clips", "bus")),
        "named_view": lambda: store.views.rename(PROFILE, "mein", "dein"),
        "own_word": lambda: store.own_words.delete(PROFILE, "de", "zug"),
        "set_bookmark": lambda: store.bookmarks.put(PROFILE, films[0][1].id, 0, "x"),
        "named_bookmark": lambda: store.bookmarks.put(PROFILE, films[3][1].id, 0, "y"),
        "bookmark": lambda: store.bookmarks.delete(PROFILE, [marks[1].id]),
    }


def _numbers(store: Store, *ids: str) -> Sequence[int]:
    found = store.exports.select(PROFILE, "", ClipSelection(ids=ids))
    assert found is not None
    return found


KINDS = (
    *("clip", "answer", "template", "file", "transcript"),
    *("added_clip", "edited_clip", "tagged_clip", "edit", "reading", "word", "view"),
    *("saved_view", "named_view", "own_word"),
    *("set_bookmark", "named_bookmark", "bookmark"),
)


@pytest.mark.parametrize("kind", KINDS)
def test_what_was_taken_back_is_done_again_and_can_be_taken_back_again(
    store: Store, add_film: AddFilm, kind: str
) -> None:
    change = changes(store, add_film)[kind]
    before = lasting(store)
    change()
    after = lasting(store)
    assert after != before
    (step,) = store.trash.steps(PROFILE)
    assert step.kind == kind
    for _ in range(2):
        restored = undo(store)
        assert (restored.kind, restored.count) == (kind, step.count)
        assert lasting(store) == before
        assert store.trash.steps(PROFILE) == ()
        store.remove_expired()
        remove_discarded(store)
        check_search_tables(store)
        assert redo(store) == step
        assert lasting(store) == after
        assert store.trash.steps(PROFILE) == (step,)
        check_search_tables(store)
        assert store.trash.redo(PROFILE) is None


def test_every_kind_of_step_is_taken_back_alone_while_later_ones_touch_other_records(
    store: Store, add_film: AddFilm
) -> None:
    for change in changes(store, add_film).values():
        change()
    last = lasting(store)
    steps = store.trash.steps(PROFILE)
    assert [step.kind for step in reversed(steps)] == list(KINDS)
    for step in steps:
        restored = store.trash.undo_step(PROFILE, step.id)
        assert (restored.kind, restored.count) == (step.kind, step.count)
        assert redo(store) == step
        assert lasting(store) == last
    for step in reversed(steps):
        store.trash.undo_step(PROFILE, step.id)
    assert [redo(store) for _ in steps] == list(steps)
    assert lasting(store) == last
    assert store.trash.steps(PROFILE) == steps


def test_steps_are_redone_from_the_last_that_was_taken_back_until_something_changes(store: Store) -> None:
    ids = [store.clips.add(PROFILE, NewClip(f"Satz {number}.")).id for number in range(3)]
    for each in ids:
        store.clips.delete(PROFILE, [each])
    assert [undo(store).summary for _ in ids] == ["Satz 2.", "Satz 1.", "Satz 0."]
    assert redo(store).subject == "Satz 0."
    store.word_states.mark(PROFILE, [WordMark("de", "Zug")], "user")
    assert store.trash.redo(PROFILE) is None
    assert [step.subject for step in store.trash.steps(PROFILE)] == ["Zug", "Satz 0."]


@pytest.mark.parametrize("change", ["clip", "film", "template", "pair", "own word"])
def test_a_change_that_undo_does_not_take_back_ends_redo_too(store: Store, add_film: AddFilm, change: str) -> None:
    (_, one), (_, two) = add_film("Der Zug.", name="a.srt"), add_film("The train.", name="b.srt")
    store.clips.delete(PROFILE, [store.clips.add(PROFILE, NewClip("Satz.")).id])
    undo(store)
    others: dict[str, Callable[[], object]] = {
        "clip": lambda: store.clips.add(PROFILE, NewClip("Neu.")),
        "film": lambda: add_film("Neu.", name="c.srt"),
        "template": lambda: store.templates.save(PROFILE, TEMPLATE),
        "pair": lambda: store.transcripts.pair(PROFILE, one.id, two.id),
        "own word": lambda: store.own_words.save(PROFILE, "zug", OwnWord("de", "Zug", "train"), ["zug"]),
    }
    others[change]()
    assert store.trash.redo(PROFILE) is None


def test_what_changes_nothing_and_what_other_profiles_do_leave_redo_as_it_is(store: Store) -> None:
    clip = store.clips.add(PROFILE, NewClip("Satz."))
    store.clips.delete(PROFILE, [clip.id])
    undo(store)
    store.clips.edit(PROFILE, clip.id, clip.contents())
    assert store.word_states.mark(PROFILE, [WordMark("de", "Zug")], "user", only=["known"]) == 0
    store.clips.delete("berta", [store.clips.add("berta", NewClip("Ihrer.")).id])
    assert store.trash.redo("berta") is None
    assert redo(store).subject == "Satz."


def test_a_later_step_that_touches_the_same_records_is_named_and_nothing_is_taken_back(
    store: Store, add_film: AddFilm
) -> None:
    _, film = add_film("Der Zug.")
    clip = store.clips.add(PROFILE, NewClip("Der Zug.", transcript_id=film.id))
    store.clips.edit(PROFILE, clip.id, replace(clip.contents(), note="eins"))
    other = store.clips.add_at_once(PROFILE, [NewClip("Anders.")])[0]
    store.clips.edit(PROFILE, clip.id, replace(clip.contents(), note="zwei"))
    store.transcripts.delete(PROFILE, [film.id])
    deleted, second, added, first = store.trash.steps(PROFILE)
    before = everything(store)
    for step, named in ((first, (second, deleted)), (second, (deleted,))):
        with pytest.raises(InvalidInput) as refusal:
            store.trash.undo_step(PROFILE, step.id)
        assert refusal.value.code == "undo_blocked"
        assert all(f"{undo_step(each)} ({each.id})" in refusal.value.message for each in named)
        assert everything(store) == before
    store.trash.undo_step(PROFILE, added.id)
    assert not store.clips.existing([other.id])
    for step in (deleted, second, first):
        store.trash.undo_step(PROFILE, step.id)
    assert store.clips.get(PROFILE, clip.id).note == ""
    for number in (first.id, 0, 999):
        with pytest.raises(NotFound):
            store.trash.undo_step(PROFILE, number)
        with pytest.raises(NotFound):
            store.trash.undo_step("berta", deleted.id)


def test_a_clip_comes_back_alone_only_while_its_transcript_is_there(store: Store, add_film: AddFilm) -> None:
    _, film = add_film("Der Zug.")
    clips = [store.clips.add(PROFILE, NewClip(f"Satz {number}.", transcript_id=film.id)) for number in range(2)]
    for clip in clips:
        store.clips.delete(PROFILE, [clip.id])
    _, first = store.trash.steps(PROFILE)
    store.trash.undo_step(PROFILE, first.id)
    assert store.clips.get(PROFILE, clips[0].id).transcript_id == film.id, "another clip of it was deleted later"
    redo(store)
    store.transcripts.edit(PROFILE, film.id, title="Anders", language=None)
    store.trash.undo_step(PROFILE, first.id)
    store.clips.delete(PROFILE, [clips[0].id])
    first, *_ = store.trash.steps(PROFILE)
    store.transcripts.delete(PROFILE, [film.id])
    with pytest.raises(InvalidInput, match="transcript deleted: Anders"):
        store.trash.undo_step(PROFILE, first.id)


def test_a_word_stays_seen_while_a_later_clip_has_it(store: Store) -> None:
    for sentence in ("Eine Rose.", "Die Rose."):
        store.clips.add_at_once(PROFILE, [NewClip(sentence, focus=ROSE)])
    states = "SELECT state FROM word_states WHERE state <> ''"
    newer, older = store.trash.steps(PROFILE)
    store.trash.undo_step(PROFILE, older.id)
    assert run_sql(store, states) == [("seen",)]
    redo(store)
    for step in (newer, older):
        store.trash.undo_step(PROFILE, step.id)
    assert run_sql(store, states) == []


def test_what_came_back_in_part_is_not_done_again_and_says_so(store: Store, add_film: AddFilm) -> None:
    job = store.jobs.add(PROFILE, "import", "zug.srt")
    file, _ = add_film("Der Zug.", job_id=job.id)
    store.files.delete(PROFILE, [file.id])
    add_film("Der Zug.")
    undo(store)
    before = everything(store)
    with pytest.raises(InvalidInput, match="file deleted: Der letzte Zug") as refusal:
        store.trash.redo(PROFILE)
    assert refusal.value.code == "redo_impossible"
    assert everything(store) == before


def test_what_did_not_come_back_is_not_done_again_either(store: Store) -> None:
    store.templates.save(PROFILE, TEMPLATE)
    store.templates.delete(PROFILE)
    newer = store.templates.save(PROFILE, replace(TEMPLATE, prompt="Neu {{ focus }}"))
    assert undo(store).count == 0
    assert store.trash.redo(PROFILE) is None
    assert store.templates.get(PROFILE) == newer


def read_chapters(store: Store, *chapters: str) -> None:
    cues = {title: timed(title, "Ende") for title in chapters}
    given = [NewTranscript(title, "de", cues[title]) for title in chapters]
    add_file(store, "buch.epub", transcripts=given, sha256="ef")


def test_a_reading_with_other_chapters_is_turned_over_and_over(store: Store) -> None:
    def shown() -> list[tuple[str, str, str | None]]:
        page = store.transcripts.page(PROFILE).items
        titles = {each.id: each.title for each in page}
        return [(each.title, texts(store, each)[0], titles.get(each.translation_id or "")) for each in page]

    for old, new in (("ab", "c"), ("a", "cde")):
        run_sql(store, "DELETE FROM trash")
        store.transcripts.delete(PROFILE, [each.id for each in store.transcripts.page(PROFILE).items])
        read_chapters(store, *old)
        pages = store.transcripts.page(PROFILE).items
        if len(pages) > 1:
            store.transcripts.pair(PROFILE, pages[0].id, pages[-1].id)
        before = shown()
        read_chapters(store, *new)
        after = shown()
        assert [title for _, title, _ in after] == list(new)
        for _ in range(3):
            assert undo(store).count == 1
            assert shown() == before
            remove_discarded(store)
            redo(store)
            assert shown() == after
            check_search_tables(store)


def test_clips_have_the_cues_again_that_they_had_in_each_reading(store: Store) -> None:
    _, one = read(store, timed(*OLD))
    clip = store.clips.add(PROFILE, NewClip("Zug", transcript_id=one.id, cue_index=1, start_ms=1000))
    read(store, timed("ganz", "anders", begin=60_000))
    assert store.clips.get(PROFILE, clip.id).cue_index is None
    undo(store)
    assert (store.clips.get(PROFILE, clip.id).cue_index, texts(store, one)) == (1, list(OLD))
    redo(store)
    assert (store.clips.get(PROFILE, clip.id).cue_index, texts(store, one)) == (None, ["ganz", "anders"])
    undo(store)
    assert (store.clips.get(PROFILE, clip.id).cue_index, texts(store, one)) == (1, list(OLD))


def test_media_of_clips_that_redo_needs_are_kept_until_the_next_change(store: Store) -> None:
    clip = store.clips.add_at_once(PROFILE, [NewClip("Satz.")])[0]
    run_sql(store, "INSERT INTO clip_media (sha256, content) VALUES ('aa', x'00')")
    run_sql(store, "UPDATE clips SET audio = 'aa'")
    undo(store)
    store.expiry.forget_steps()
    assert store.media.content("aa") is not None
    redo(store)
    assert store.clips.get(PROFILE, clip.id).audio == "aa"
    undo(store)
    store.clips.add(PROFILE, NewClip("Neu."))
    store.expiry.forget_steps()
    assert store.media.content("aa") is None


def test_a_process_that_is_killed_right_after_undo_leaves_what_redo_needs(store: Store, run_child: Child) -> None:
    clip = store.clips.add(PROFILE, NewClip("Satz."))
    store.clips.delete(PROFILE, [clip.id])
    code = (
        "import os, sys; from pathlib import Path; from tui.store import Store;"
        " Store.open(Path(sys.argv[1])).trash.undo('anna'); os.kill(os.getpid(), 9)"
    )
    run_child(code, store.path.parent)
    assert store.clips.existing([clip.id])
    with closing(Store.open(store.path.parent)) as again:
        assert redo(again).subject == "Satz."
    assert not store.clips.existing([clip.id])
