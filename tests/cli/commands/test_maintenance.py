"""Undo, backup, jobs and the deck from the command line."""

from __future__ import annotations

import sqlite3
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.cli.conftest import STORY, Lode, columns
from tui.records.clips import NewClip
from tui.service.local import LocalService

InService = Callable[[Callable[[LocalService], Any]], Any]


def test_with_nothing_deleted_there_is_nothing_to_undo(lode: Lode) -> None:
    done = lode("undo")
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("error: there is nothing to undo\nhint: ")


def test_a_backup_is_a_whole_database_and_replaces_nothing(lode: Lode, story: Path, tmp_path: Path) -> None:
    lode("add", str(story))
    target = tmp_path / "copy.db"
    assert lode("backup", str(target)).out == f"{target}\n"
    with sqlite3.connect(target) as copy:
        assert copy.execute("pragma integrity_check").fetchone() == ("ok",)
        assert copy.execute("select count(*) from transcripts").fetchone() == (1,)
    again = lode("backup", str(target))
    assert (again.code, again.out) == (1, "")
    assert str(target) in again.err
    assert "\nhint: " in again.err
    nowhere = lode("backup", str(tmp_path / "no" / "such" / "place.db"))
    assert nowhere.code == 1
    assert "hint: " in nowhere.err


def test_a_failed_job_is_listed_and_tried_again_once_its_file_is_mended(lode: Lode, tmp_path: Path) -> None:
    path = tmp_path / "story.srt"
    path.write_bytes(b"")
    assert lode("add", str(path)).code == 1
    (job,) = lode("jobs", "list", "--json").json()
    assert job["state"] == "failed"
    (row,) = columns(lode("jobs", "list"))
    assert row[:3] == [job["id"], "import", "failed"]
    still = lode("jobs", "retry", job["id"])
    assert still.code == 1
    assert still.err.startswith("refused  story.srt: ")

    path.write_text(STORY, "utf-8")
    done = lode("jobs", "retry", job["id"][:8])
    assert done.code == 0, done.err
    assert columns(done)[0][0] == "added"
    over = lode("jobs", "retry", job["id"])
    assert over.code == 1
    assert "succeeded" in over.err
    assert lode("jobs", "cancel", job["id"]).out == f"succeeded  {job['id']}\n"
    assert lode("jobs", "cancel", job["id"], "--json").json()["state"] == "succeeded"
    assert lode("jobs", "cancel", "zzzz").code == 1


def test_the_deck_is_written_and_told(lode: Lode, in_service: InService, tmp_path: Path) -> None:
    async def fill(service: LocalService) -> None:
        for number in range(3):
            await service.clips.add(NewClip(sentence=f"Satz {number}."))

    in_service(fill)
    target = tmp_path / "german deck.apkg"
    dry = lode("export", str(target), "--dry-run")
    assert dry.out == "Lode: 3 notes, 3 new, 0 changed, 0 the same · nothing written\n"
    assert not target.exists()
    done = lode("export", str(target))
    assert done.code == 0, done.err
    assert done.out.startswith(f"Lode: 3 notes, 3 new, 0 changed, 0 the same · {target} (")
    assert zipfile.is_zipfile(target)
    again = lode("export", str(target), "--json").json()
    assert (again["new"], again["changed"], again["same"], again["written"]) == (0, 0, 3, True)
    named = lode("export", str(tmp_path / "NAMED.APKG"), "--deck", "Deutsch::Lesen", "--json").json()
    assert (named["deck"], named["format"]) == ("Deutsch::Lesen", "apkg")
    assert (tmp_path / "NAMED.APKG").is_file()


def test_clips_are_chosen_by_ids_and_options_and_the_ending_says_the_format(
    lode: Lode, in_service: InService, tmp_path: Path
) -> None:
    async def fill(service: LocalService) -> list[str]:
        tags = ((), ("verb",), ("verb",))
        return [(await service.clips.add(NewClip(f"Satz {at}", tags=each))).id for at, each in enumerate(tags)]

    ids = in_service(fill)
    deck, table = tmp_path / "lode.apkg", tmp_path / "lode.csv"
    part = lode("export", str(deck), "--tag", "verb", "--since", "2020-01-01", "--search", "satz", ids[1], ids[2])
    assert part.out.startswith("Lode: 2 notes, 2 new")
    assert [clip["exported"] for clip in lode("clips", "list", "--json").json()] == ["same", "same", "never"]
    assert lode("export", str(deck), "--only-new").out.startswith("Lode: 1 note, 1 new")
    nothing = lode("export", str(deck), "--only-new")
    assert (nothing.code, nothing.err) == (0, "no clip matches that: there is nothing to export\n")
    assert lode("export", str(table), ids[0]).out.startswith(f"1 clip · {table} (")
    refused = lode("export", str(table))
    assert (refused.code, "--force" in refused.err) == (1, True)
    assert lode("export", str(tmp_path / "lode.pdf")).err.endswith("hint: there are apkg, csv, tsv, jsonl, md, txt\n")
    assert "hint: a date is 2026-11-01" in lode("export", str(deck), "--since", "soon").err


def test_a_file_that_is_no_deck_is_replaced_by_force_only(lode: Lode, tmp_path: Path) -> None:
    diary = tmp_path / "diary.apkg"
    diary.write_text("dear diary")
    refused = lode("export", str(diary))
    assert (refused.code, refused.out) == (1, "")
    assert refused.err == (
        f"error: {diary} exists and is no Anki deck\nhint: name another file, or replace it with --force\n"
    )
    assert diary.read_text() == "dear diary"
    assert lode("export", str(diary), "--force").code == 0
    assert zipfile.is_zipfile(diary)
    assert lode("export", str(diary)).code == 0


def test_a_deck_cannot_be_a_directory_or_lie_nowhere(lode: Lode, tmp_path: Path) -> None:
    done = lode("export", str(tmp_path))
    assert done.code == 2
    assert f"error: {tmp_path} is a directory\nhint: name a file in it: {tmp_path / 'lode.apkg'}\n" in done.err
    nowhere = lode("export", str(tmp_path / "no" / "deck.apkg"))
    assert nowhere.code == 1
    assert "hint: " in nowhere.err
