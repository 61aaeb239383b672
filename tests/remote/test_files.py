"""Files that are sent: unreadable, too large, changed meanwhile; and decks, transcripts and backups that come."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any, BinaryIO

import pytest

from tests.faults.damaged_library import small_library
from tests.faults.test_damage import DAMAGED_INDEX, lose_rows_of_an_index
from tests.remote.between import Between
from tests.server.serving import Served, serving
from tests.service.steps import STORY, finished, imported
from tui.config import Settings
from tui.errors import DeckError, ImportRefused, InvalidInput, RemoteError, StoreError
from tui.importing import parse
from tui.importing.archive import MemberReader
from tui.records.clips import NewClip
from tui.records.pages import Page
from tui.records.transcripts import Cue
from tui.remote import uploads as sending
from tui.remote.service import RemoteService
from tui.service import transcripts
from tui.system import regular_file


def stories(tmp_path: Path, count: int) -> Path:
    place = tmp_path / "season"
    place.mkdir()
    for number in range(count):
        (place / f"{number}.srt").write_text(STORY + f"\n{number}", "utf-8")
    return place


async def test_a_file_that_cannot_be_read_keeps_back_no_other_and_is_told(
    service: RemoteService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = stories(tmp_path, 3)
    real_open = os.open

    def refusing(path: Any, flags: int, *rest: Any, **named: Any) -> int:
        if path == place / "1.srt":
            raise PermissionError(13, "Permission denied")
        return real_open(path, flags, *rest, **named)

    monkeypatch.setattr(os, "open", refusing)
    with pytest.raises(ImportRefused) as caught:
        await service.files.add([place])
    assert "1.srt cannot be read: Permission denied" in caught.value.message
    assert "2 of 3 files were sent" in caught.value.message
    assert caught.value.hint
    await finished(service, (await service.jobs.page()).items)
    assert {file.name for file in (await service.files.page()).items} == {"0.srt", "2.srt"}


async def test_a_file_that_fails_in_the_middle_is_refused_and_nothing_of_it_is_kept(
    service: RemoteService, served: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    story = tmp_path / "a.srt"
    story.write_text(STORY * 100, "utf-8")
    monkeypatch.setattr(sending, "_PIECE", 100)
    real_read, reads = regular_file.piece_of, 0

    def failing(file: BinaryIO, most: int) -> bytes:
        nonlocal reads
        reads += 1
        if reads > 3:
            raise OSError(5, "Input/output error")
        return real_read(file, most)

    monkeypatch.setattr(regular_file, "piece_of", failing)
    with pytest.raises(ImportRefused, match="Input/output error"):
        await service.files.add([story])
    assert service.trouble == ""
    assert (await service.jobs.page()).total == 0
    uploads = served.engine.settings.home / "uploads"
    while list(uploads.glob("*/*")):  # the server learns of it a moment later
        await asyncio.sleep(0.001)


@pytest.mark.exhaustive
async def test_no_large_file_is_sent(service: RemoteService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parse, "MAX_BYTES", 1000)
    (tmp_path / "a.srt").write_bytes(b"x" * 1001)
    with pytest.raises(ImportRefused, match="the most"):
        await service.files.add([tmp_path / "a.srt"])
    assert (await service.jobs.page()).total == 0


@pytest.mark.exhaustive
async def test_a_file_that_grows_while_it_is_sent_is_sent_as_it_is_read_and_no_further_than_the_limit(
    service: RemoteService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.srt"
    path.write_text(STORY, "utf-8")
    monkeypatch.setattr(sending, "_PIECE", 10)
    with path.open("ab") as growing:
        reading = sending._file(path, MemberReader())
        monkeypatch.setattr(parse, "MAX_BYTES", 2000)
        sent = 0
        with pytest.raises(ImportRefused):
            async for piece in reading:
                sent += len(piece)
                growing.write(b"x" * 100)
                growing.flush()
        assert sent <= 2000


@pytest.mark.exhaustive
async def test_a_connection_that_breaks_among_several_files_tells_how_many_were_sent(
    service: RemoteService, between: Between, tmp_path: Path
) -> None:
    place = stories(tmp_path, 5)
    between.faults.extend((None, None, "before", "before", "before"))
    with pytest.raises(RemoteError) as caught:
        await service.files.add([place])
    assert caught.value.code == "server_unreachable"
    assert "2 of 5 files were sent" in caught.value.message
    queued = (await service.jobs.page()).items
    assert {job.source.rpartition("/")[2] for job in queued} == {"0.srt", "1.srt"}
    again = await finished(service, await service.files.add([place]))
    assert {job.state for job in again.values()} == {"succeeded"}
    assert (await service.files.page()).total == 5


@pytest.mark.exhaustive
async def test_odd_names_arrive_and_a_link_is_sent_as_what_it_leads_to(service: RemoteService, tmp_path: Path) -> None:
    names = ["a b.srt", "ü & ?#%2F.de.srt", "名前.srt", "-rf.srt", "x" * 200 + ".srt", "back\\slash.srt", ".hidden.srt"]
    (tmp_path / "real.txt").write_text(STORY, "utf-8")
    (tmp_path / "link.srt").symlink_to(tmp_path / "real.txt")
    for number, name in enumerate([*names, os.fsdecode(b"caf\xe9.srt")]):
        (tmp_path / name).write_text(f"{STORY}\n{number}", "utf-8")
    paths = [path for path in tmp_path.iterdir() if path.name != "real.txt"]
    ends = await finished(service, await service.files.add(paths))
    assert [job.state for job in ends.values()] == ["succeeded"] * len(paths)
    assert all(file.name.endswith(".srt") for file in (await service.files.page()).items)


@pytest.mark.exhaustive
async def test_a_deck_and_a_copy_are_asked_for_again(service: RemoteService, between: Between, tmp_path: Path) -> None:
    await service.clips.add(NewClip("Der Zug fährt ab."))
    between.faults.extend((None, "in the answer", "before"))
    report = await service.deck.export(tmp_path / "a.apkg")
    assert (report.new, report.written) == (1, True)
    between.faults.extend(("in the answer", "unanswered"))
    copy = await service.backup(tmp_path / "lode.db")
    assert copy.read_bytes().startswith(b"SQLite format 3")
    assert {path.name for path in tmp_path.iterdir()} == {"a.apkg", "lode.db"}


@pytest.mark.exhaustive
async def test_a_full_disk_is_told_so(service: RemoteService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    await service.clips.add(NewClip("Der Zug fährt ab."))

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(DeckError, match="no room"):
        await service.deck.export(tmp_path / "a.apkg")
    with pytest.raises(StoreError):
        await service.backup(tmp_path / "lode.db")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.exhaustive
async def test_a_copy_never_takes_the_place_of_anything(service: RemoteService, tmp_path: Path) -> None:
    (tmp_path / "there.db").write_bytes(b"mine")
    (tmp_path / "link.db").symlink_to(tmp_path / "nowhere")
    for name in ("there.db", "link.db"):
        with pytest.raises(InvalidInput, match="exists already"):
            await service.backup(tmp_path / name)
    assert (tmp_path / "there.db").read_bytes() == b"mine"


async def test_a_damaged_library_of_a_server_is_no_backup_and_says_so(settings: Settings, tmp_path: Path) -> None:
    small_library(settings.home)
    lose_rows_of_an_index(settings.home / "lode.db")
    async with serving(settings) as served:
        service = RemoteService(served.url, "default")
        with pytest.raises(StoreError, match="no backup is written") as caught:
            await service.backup(tmp_path / "copy.db")
        assert DAMAGED_INDEX in caught.value.message
        assert caught.value.code == "library_damaged"
        full = await service.doctor(full=True)
        assert [finding.subject for finding in full if finding.state == "broken" and finding.group == "Library"] == [
            "integrity"
        ]
        await service.close()
    assert list(tmp_path.glob("*copy.db*")) == []
    assert list(settings.home.glob(".lode-tmp-*")) == []


async def test_a_transcript_that_breaks_off_is_no_file_and_what_stood_there_stays(
    service: RemoteService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cues = transcripts.LocalTranscripts.cues

    async def first_page_only(self: Any, transcript_id: str, **asked: Any) -> Page[Cue]:
        if asked.get("after") is not None:
            raise StoreError("the disk is gone")
        return await cues(self, transcript_id, **asked)

    out = tmp_path / "out"
    out.mkdir()
    (out / "film.srt").write_text("mine")
    await imported(service, tmp_path / "Der Zug.de.srt", STORY)
    (transcript,) = (await service.transcripts.page()).items
    monkeypatch.setattr(transcripts, "_EXPORTED_AT_ONCE", 1)
    monkeypatch.setattr(transcripts.LocalTranscripts, "cues", first_page_only)
    with pytest.raises(RemoteError):
        await service.transcripts.export(transcript.id, out / "film.srt", overwrite=True)
    assert [(path.name, path.read_text()) for path in out.iterdir()] == [("film.srt", "mine")]
