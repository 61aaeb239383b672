"""Files come with their transcript or not at all, and go with their jobs."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest

from tests.hostile import HOSTILE
from tests.store.adding_files import add_file
from tests.store.conftest import PROFILE, AddFilm
from tui.errors import InvalidInput, NotFound
from tui.records.clips import NewClip
from tui.records.transcripts import Cue
from tui.store import Store
from tui.store.tables import words


def test_an_import_is_a_file_a_transcript_its_cues_and_a_job_that_succeeded(store: Store, add_film: AddFilm) -> None:
    job = store.jobs.add(PROFILE, "import", "zug.srt")
    file, transcript = add_film("Wohin fährt der Zug?", "Nach Köln.", job_id=job.id)
    assert store.files.get(PROFILE, file.id) == file
    assert (file.transcript_id, file.cue_count) == (transcript.id, 2)
    assert (transcript.file_id, transcript.cue_count, transcript.duration_ms) == (file.id, 2, 1900)
    assert (transcript.origin, transcript.language, transcript.title) == ("import", "de", "Der letzte Zug")
    assert store.transcripts.cues(PROFILE, transcript.id).items[1] == Cue(1, 1000, 1900, "Nach Köln.")
    done = store.jobs.get(PROFILE, job.id)
    assert (done.state, done.progress, done.file_id) == ("succeeded", 1.0, file.id)


def test_an_import_that_breaks_in_the_middle_leaves_nothing(store: Store, add_film: AddFilm) -> None:
    job = store.jobs.add(PROFILE, "import", "zug.srt")
    with pytest.raises(InvalidInput):
        add_film("gut", "schlecht \ud800", job_id=job.id)
    assert store.files.page(PROFILE).total == 0
    assert store.transcripts.page(PROFILE).total == 0
    assert store.words.unlemmatised("de", 10) == ()
    assert store.jobs.get(PROFILE, job.id).state == "queued"


def test_an_import_that_is_stopped_leaves_nothing_wherever_it_is(store: Store) -> None:
    told: list[float] = []

    def add(report: Callable[[float], None]) -> None:
        add_file(store, cues=[Cue(index, 0, 1, f"Zug {index}") for index in range(1000)], report=report)

    def stop_at(number: int, part: float) -> None:
        told.append(part)
        if len(told) == number:
            raise InterruptedError

    for number in range(1, 9):
        told.clear()
        with pytest.raises(InterruptedError):
            add(partial(stop_at, number))
        assert store.files.page(PROFILE).total == store.transcripts.page(PROFILE).total == 0
    assert told == sorted(told) and told[-1] > 0.8
    add(lambda part: None)
    assert store.words.occurrences(PROFILE, "de", ["zug"]) == (1000, (1000,))


def test_words_that_are_counted_in_parts_are_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [f"Der Zug {'abcde'[number % 5] * 3} und der Zug {'xyz'[number % 3] * 3}." for number in range(60)]
    expected = {form: sum(text.lower().split().count(form) for text in texts) for form in ("der", "zug", "aaa")}
    for at_once in (50_000, 3):
        monkeypatch.setattr(words, "_FORMS_AT_ONCE", at_once)
        counted = words.count_forms(texts, "de")
        assert (len(counted) > 1) == (at_once == 3)
        assert {form: sum(json.loads(part).get(form, 0) >> 2 for part in counted) for form in expected} == expected


def test_the_same_bytes_are_kept_once_per_profile(store: Store, add_film: AddFilm) -> None:
    first = add_film("Hallo.")
    assert add_film("Hallo.") == first
    assert store.files.page(PROFILE).total == store.transcripts.page(PROFILE).total == 1
    assert store.files.by_sha256(PROFILE, first[0].sha256 or "") == first[0]
    assert store.files.by_sha256("berta", first[0].sha256 or "") is None
    other, _ = add_film("Hallo.", profile="berta")
    assert other.id != first[0].id


def test_deleting_a_file_takes_its_jobs_and_leaves_transcript_and_clips(store: Store, add_film: AddFilm) -> None:
    jobs = [store.jobs.add(PROFILE, "import", "zug.srt") for _ in range(2)]
    file, transcript = add_film("Hallo.", job_id=jobs[0].id)
    store.jobs.update(jobs[1].id, file_id=file.id)
    stays = store.jobs.add(PROFILE, "import", "other.srt")
    clip = store.clips.add(PROFILE, NewClip("Hallo.", file_id=file.id, transcript_id=transcript.id))
    assert [job.id for job in store.jobs.of_records(PROFILE, "files", [file.id[:8]])] == [jobs[1].id, jobs[0].id]
    deletion = store.files.delete(PROFILE, [file.id])
    assert deletion.count == 1
    assert set(deletion.job_ids) == {job.id for job in jobs}
    assert [job.id for job in store.jobs.page(PROFILE).items] == [stays.id]
    assert store.transcripts.get(PROFILE, transcript.id).file_id is None
    assert store.clips.get(PROFILE, clip.id).file_id is None
    assert store.clips.get(PROFILE, clip.id).transcript_id == transcript.id
    with pytest.raises(NotFound) as caught:
        store.files.get(PROFILE, file.id)
    assert caught.value.code == "file_not_found"


def test_files_and_transcripts_are_found_by_words_of_their_names(store: Store, add_film: AddFilm) -> None:
    for name in ("Der letzte Zug.srt", "Nach Köln_100%.srt", "長い物語.srt"):
        add_film(f"in {name}", name=name)
    for q, names in {
        "zug": ["Der letzte Zug"],
        "LETZTE srt": ["Der letzte Zug"],
        "etzte": [],
        "koln": ["Nach Köln_100%"],
        "100%": ["Nach Köln_100%"],
        "_": [],
        "物語": ["長い物語"],
        "srt": ["長い物語", "Nach Köln_100%", "Der letzte Zug"],
    }.items():
        found = store.files.page(PROFILE, q=q)
        assert ([file.name for file in found.items], found.total) == ([f"{name}.srt" for name in names], len(names))
        if "srt" not in q:
            assert [transcript.title for transcript in store.transcripts.page(PROFILE, q=q).items] == names


def test_an_unknown_profile_has_nothing_and_is_not_made_by_looking(store: Store) -> None:
    assert store.files.page("nobody").total == 0
    assert store.transcripts.page("nobody", q="x").items == ()
    assert store.jobs.active_count("nobody") == 0
    assert store.templates.get("nobody") is None
    assert store.trash.undo("nobody") is None
    assert store.exports.compare("nobody", "Lode") == (0, 0, 0)
    assert store.profiles.summaries() == ()


def test_cues_are_kept_whole_whatever_is_in_them(store: Store) -> None:
    texts = ['"quoted" \\u0041 \\ / \b\t', "\u2028 \x7f \x1b[0m", "[1, null]", "null", "1", *HOSTILE.values()]
    cues = [Cue(at, None if at % 2 else at, at + 1, text, text) for at, text in enumerate(texts)]
    _, transcript = add_file(store, cues=cues)
    wanted = [replace(cue, text=cue.text.replace("\0", ""), speaker=cue.text.replace("\0", "")) for cue in cues]
    assert list(store.transcripts.cues(PROFILE, transcript.id).items) == wanted
