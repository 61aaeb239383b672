"""A file that is read anew keeps its transcript, whose cues become others; clips follow by time, undo goes back."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from tests.store.adding_files import add_file
from tests.store.conftest import PROFILE, check_search_tables, everything, remove_discarded, run_sql, undo
from tui.records.clips import Clip, NewClip
from tui.records.files import ProfileFile
from tui.records.library import Restored
from tui.records.transcripts import Cue, NewTranscript, OriginalCue, ReadingPlace, Ruby, Transcript
from tui.store import Store

OLD = ("Äåð Çóã.", "êîììò", "íè÷ò", "ìåð")
NEW = ("Der Zug", "kommt", "nicht", "mehr")


def timed(*texts: str, begin: int = 0) -> list[Cue]:
    return [Cue(index, begin + index * 1000, begin + index * 1000 + 900, text) for index, text in enumerate(texts)]


def untimed(*texts: str) -> list[Cue]:
    return [Cue(index, None, None, text) for index, text in enumerate(texts)]


def read(
    store: Store, cues: list[Cue], *, language: str | None = "de", encoding: str = "cp1252", job: str | None = None
) -> tuple[ProfileFile, Transcript]:
    duration_ms = max((cue.end_ms or 0 for cue in cues), default=0) or None
    about: dict[str, Any] = {"language": language, "encoding": encoding, "job_id": job, "duration_ms": duration_ms}
    return add_file(store, "zug.srt", cues, sha256="ab", title="Zug", **about)


def clip(store: Store, transcript: Transcript, index: int, start_ms: int | None) -> Clip:
    kept = NewClip(f"Satz {index}", transcript_id=transcript.id, cue_index=index, start_ms=start_ms)
    return store.clips.add(PROFILE, kept)


def texts(store: Store, transcript: Transcript) -> list[str]:
    return [cue.text for cue in store.transcripts.cues(PROFILE, transcript.id).items]


def settled(store: Store) -> dict[str, list[tuple[object, ...]]]:
    """Everything once nothing is done again, and what nobody can bring back is gone; the words seen only grow."""
    run_sql(store, "DELETE FROM trash WHERE undone > 0")
    remove_discarded(store)
    return {name: rows for name, rows in everything(store).items() if name not in ("forms", "jobs")}


def test_the_cues_the_language_and_the_words_are_the_new_ones_and_undo_restores_the_old_ones(store: Store) -> None:
    job = store.jobs.add(PROFILE, "import", "zug.srt")
    file, transcript = read(store, timed(*OLD), language="ru")
    clips = [clip(store, transcript, index, index * 1000) for index in (0, 2)]
    store.transcripts.leave_at(PROFILE, transcript.id, ReadingPlace(2, 1))
    before = settled(store)
    again, same = read(store, timed(*NEW, "da"), language="de", encoding="cp1250", job=job.id)
    assert (again.id, same.id, same.created_at) == (file.id, transcript.id, transcript.created_at)
    assert (again.language, again.encoding, again.cue_count, again.duration_ms) == ("de", "cp1250", 5, 4900)
    assert (same.language, same.cue_count, same.duration_ms) == ("de", 5, 4900)
    assert texts(store, same) == [*NEW, "da"]
    assert store.jobs.get(PROFILE, job.id).outcome == "reread"
    assert store.transcripts.page(PROFILE).total == 1
    assert store.words.occurrences(PROFILE, "de", ["zug"]) == (1, (1,))
    assert store.words.occurrences(PROFILE, "ru", ["çóã"]) == (0, ())
    assert [line.text for line in store.words.concordance(PROFILE, "de", ["zug"], 9)] == ["Der Zug"]
    assert store.transcripts.find(PROFILE, same.id, "kommt") == (1,)
    assert store.transcripts.find(PROFILE, same.id, "êîììò") == ()
    german = [replace(each, language="de") for each in clips]
    assert [store.clips.get(PROFILE, each.id) for each in clips] == german, "nor does updated_at move"
    assert store.transcripts.place(PROFILE, same.id) == ReadingPlace(2, 1)
    check_search_tables(store)
    assert store.trash.undo(PROFILE) == Restored("reading", 1, "Zug, as it was read before")
    assert settled(store) == before
    assert store.transcripts.find(PROFILE, same.id, "êîììò") == (1,)
    check_search_tables(store)
    assert store.trash.undo(PROFILE) is None


def test_clips_follow_their_moment_and_go_back_with_an_undo(store: Store) -> None:
    _, transcript = read(store, timed(*OLD))
    clips = [clip(store, transcript, 1, 1000), clip(store, transcript, 3, None), clip(store, transcript, 2, 90_000)]
    read(store, timed("Vorspann") + [replace(cue, index=cue.index + 1) for cue in timed(*NEW)])
    after = [store.clips.get(PROFILE, each.id) for each in clips]
    assert [each.cue_index for each in after] == [2, 4, None], "one that nothing is shown at keeps its transcript only"
    assert {each.transcript_id for each in after} == {transcript.id}
    assert [each.updated_at for each in after] == [each.updated_at for each in clips]
    late = clip(store, transcript, 4, 3000)
    store.trash.undo(PROFILE)
    assert [store.clips.get(PROFILE, each.id) for each in clips] == clips
    assert store.clips.get(PROFILE, late.id).cue_index == 3, "what came since goes by its time too"
    assert store.clips.cues_of(PROFILE, transcript.id) == (1, 2, 3)


def test_a_clip_of_a_sentence_in_several_cues_follows_the_cue_of_its_focus_word(store: Store) -> None:
    _, transcript = read(store, timed(*OLD))
    span = NewClip("Der Zug kommt nicht mehr", transcript_id=transcript.id, cue_index=2, start_ms=0, end_ms=3900)
    kept = store.clips.add(PROFILE, span)
    read(store, timed("davor", *NEW, begin=-1000))
    moved = store.clips.get(PROFILE, kept.id)
    assert (moved.cue_index, moved.start_ms, moved.end_ms) == (3, 0, 3900)
    assert store.clips.cues_of(PROFILE, transcript.id) == (3,)
    store.trash.undo(PROFILE)
    assert store.clips.get(PROFILE, kept.id) == kept


def test_without_times_clips_follow_their_text_or_their_number(store: Store) -> None:
    _, transcript = read(store, untimed("a", "b", "c"))
    first, second = clip(store, transcript, 0, None), clip(store, transcript, 2, None)
    read(store, untimed("c", "x", "y"))
    assert store.clips.get(PROFILE, first.id).cue_index == 0, "as many cues: the same number"
    assert store.clips.get(PROFILE, second.id).cue_index == 0, "the same text"
    read(store, untimed("z", "w"))
    assert store.clips.get(PROFILE, first.id).cue_index is None
    assert store.clips.get(PROFILE, first.id).transcript_id == transcript.id
    store.trash.undo(PROFILE)
    store.trash.undo(PROFILE)
    assert [store.clips.get(PROFILE, each.id) for each in (first, second)] == [first, second]


def test_the_same_reading_changes_nothing(store: Store) -> None:
    job = store.jobs.add(PROFILE, "import", "zug.srt")
    read(store, timed(*NEW))
    before = settled(store)
    read(store, timed(*NEW), encoding="iso8859-1", job=job.id)
    assert settled(store) == before
    assert store.jobs.get(PROFILE, job.id).outcome == "same"
    assert store.trash.undo(PROFILE) is None


def test_readings_and_deletions_are_undone_one_by_one_from_the_newest(store: Store) -> None:
    _, transcript = read(store, timed(*OLD))
    read(store, timed(*NEW))
    read(store, timed("a", "b"))
    store.transcripts.delete(PROFILE, [transcript.id])
    assert store.transcripts.page(PROFILE).total == 0
    kinds = [(undo(store).kind, texts(store, transcript)) for _ in range(3)]
    assert kinds == [("transcript", ["a", "b"]), ("reading", list(NEW)), ("reading", list(OLD))]
    assert store.transcripts.page(PROFILE).total == 1


def test_a_reading_outlives_its_file(store: Store) -> None:
    file, transcript = read(store, timed(*OLD))
    read(store, timed(*NEW))
    store.files.delete(PROFILE, [file.id])
    assert store.trash.undo(PROFILE) is not None
    assert store.trash.undo(PROFILE) == Restored("reading", 1, "Zug, as it was read before")
    assert texts(store, transcript) == list(OLD)


def test_going_back_takes_as_long_for_many_cues_as_for_one(store: Store) -> None:
    steps = []
    for count in (1, 1000):
        for word in ("eins", "zwei"):
            read(store, timed(*(f"{word} {number}" for number in range(count))))
        run_sql(store, "PRAGMA wal_checkpoint(TRUNCATE)")
        store.trash.undo(PROFILE)
        steps.append(store.path.with_name("lode.db-wal").stat().st_size)
    assert steps[1] < 3 * steps[0], steps


def test_a_file_without_a_transcript_gets_one_and_says_how_it_was_read(store: Store) -> None:
    old, transcript = read(store, timed(*OLD), language="ru")
    store.transcripts.delete(PROFILE, [transcript.id])
    assert store.files.get(PROFILE, old.id).transcript_id is None
    file, other = read(store, timed(*NEW), encoding="cp1250")
    assert (file.id, file.transcript_id) == (old.id, other.id)
    assert other.id != transcript.id
    assert (file.language, file.encoding) == ("de", "cp1250")


def chapters(store: Store, *texts: str) -> list[Transcript]:
    given = [
        NewTranscript(f"Kapitel {number}", "de", untimed(text), series="Das Buch", episode=number)
        for number, text in enumerate(texts, 1)
    ]
    add_file(store, "buch.epub", sha256="cd", kind="text", format="epub", transcripts=given)
    return list(store.transcripts.page(PROFILE).items)


def test_the_chapters_of_a_book_are_listed_in_its_order_and_each_is_read_anew(store: Store) -> None:
    first, second = chapters(store, "Eins", "Zwei")
    assert [(each.title, each.series, each.episode) for each in (first, second)] == [
        ("Kapitel 1", "Das Buch", 1),
        ("Kapitel 2", "Das Buch", 2),
    ]
    assert store.files.page(PROFILE).items[0].transcript_id == first.id
    kept = clip(store, second, 0, None)
    longer = chapters(store, "Eins!", "Zwei", "Drei")
    assert [each.id for each in longer[:2]] == [first.id, second.id]
    assert [texts(store, each) for each in longer] == [["Eins!"], ["Zwei"], ["Drei"]]
    shorter = chapters(store, "Eins?")
    assert [(each.id, texts(store, each)) for each in shorter] == [(first.id, ["Eins?"])]
    assert store.clips.get(PROFILE, kept.id).transcript_id == second.id, "undo can bring it back"
    for expected in ([["Eins!"], ["Zwei"], ["Drei"]], [["Eins"], ["Zwei"]]):
        assert store.trash.undo(PROFILE) is not None
        now = list(store.transcripts.page(PROFILE).items)
        assert [texts(store, each) for each in now] == expected
        assert [each.id for each in now[:2]] == [first.id, second.id]
        check_search_tables(store)
    assert store.clips.get(PROFILE, kept.id) == kept
    remove_discarded(store)
    assert store.transcripts.page(PROFILE).total == 2


def test_a_reading_that_an_older_lode_put_in_the_trash_is_undone(store: Store) -> None:
    _, transcript = read(store, timed(*OLD))
    kept = clip(store, transcript, 1, 1000)
    read(store, timed("Vorspann", *NEW))
    ((bundle,),) = run_sql(store, "SELECT bundle FROM trash")
    entry = json.loads(bundle)
    (only,) = entry["reading"].pop("transcripts")
    entry["reading"] |= only
    run_sql(store, "UPDATE trash SET bundle = ?", (json.dumps(entry),))
    assert store.trash.undo(PROFILE) == Restored("reading", 1, "Zug, as it was read before")
    assert texts(store, transcript) == list(OLD)
    assert store.clips.get(PROFILE, kept.id) == kept


def test_what_stands_beside_a_cue_is_kept(store: Store) -> None:
    cues = [Cue(0, 0, 900, "漢字だ", "田中", (Ruby(0, 2, "かんじ"),), ("音",)), Cue(1, 1000, 1900, "そう")]
    originals = [
        OriginalCue(0, "labelled", ("sound", "speaker"), 0, 900, "（音）田中：漢字だ"),
        OriginalCue(None, "dropped", ("sound",), 950, 960, "♪"),
    ]
    job = store.jobs.add(PROFILE, "import", "zug.srt")
    _, transcript = add_file(store, "zug.srt", transcripts=[NewTranscript("Zug", "ja", cues, originals)], job_id=job.id)
    assert list(store.transcripts.cues(PROFILE, transcript.id).items) == cues
    assert store.jobs.get(PROFILE, job.id).message == "2 cues, 1 labelled, 1 dropped"
    first = store.transcripts.originals(PROFILE, transcript.id, limit=1)
    assert (first.items, first.total) == (tuple(originals[:1]), 2)
    assert store.transcripts.originals(PROFILE, transcript.id, after=first.next).items == tuple(originals[1:])
