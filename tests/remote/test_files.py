"""Files that are sent: those that cannot be read, that are too large, that change meanwhile; and decks that come."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any, BinaryIO

import pytest

from tests.remote.between import Between
from tests.server.serving import Served
from tests.service.steps import STORY, finished, imported
from tui.errors import DeckError, ImportRefused, InvalidInput, RemoteError, StoreError
from tui.importing import parse
from tui.importing.archive import MemberReader
from tui.records.clips import NewClip
from tui.remote import uploads as sending
from tui.remote.service import RemoteService
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
async def test_a_file_that_is_too_large_is_not_sent(
    service: RemoteService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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
@pytest.mark.parametrize(
    "name", ["a b.srt", "ü & ?#%2F.de.srt", "名前.srt", "-rf.srt", "x" * 200 + ".srt", "back\\slash.srt", ".hidden.srt"]
)
async def test_odd_names_arrive(service: RemoteService, tmp_path: Path, name: str) -> None:
    job = await imported(service, tmp_path / name)
    assert job.file_id is not None
    assert (await service.files.get(job.file_id)).name.endswith(".srt")


@pytest.mark.exhaustive
async def test_a_name_that_is_no_text_arrives(service: RemoteService, tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(b"caf\xe9.srt")
    try:
        path.write_text(STORY, "utf-8")
    except OSError:
        pytest.skip("this file system has no such names")
    (job,) = (await finished(service, await service.files.add([path]))).values()
    assert job.state == "succeeded"


@pytest.mark.exhaustive
async def test_a_link_is_sent_as_what_it_leads_to(service: RemoteService, tmp_path: Path) -> None:
    (tmp_path / "real.txt").write_text(STORY, "utf-8")
    (tmp_path / "link.srt").symlink_to(tmp_path / "real.txt")
    (job,) = (await finished(service, await service.files.add([tmp_path / "link.srt"]))).values()
    assert job.state == "succeeded"
    assert (await service.files.page()).items[0].format == "srt"


@pytest.mark.exhaustive
async def test_a_deck_goes_where_a_link_leads_and_has_the_rights_of_any_new_file(
    service: RemoteService, tmp_path: Path
) -> None:
    await service.clips.add(NewClip("Der Zug fährt ab."))
    (tmp_path / "decks").mkdir()
    (tmp_path / "lode.apkg").symlink_to(tmp_path / "decks" / "real.apkg")
    report = await service.deck.export(tmp_path / "lode.apkg")
    real = tmp_path / "decks" / "real.apkg"
    assert real.read_bytes().startswith(b"PK")
    assert report.size_bytes == real.stat().st_size
    (tmp_path / "plain").write_bytes(b"")
    assert real.stat().st_mode == (tmp_path / "plain").stat().st_mode
    assert (tmp_path / "lode.apkg").is_symlink()


@pytest.mark.exhaustive
async def test_a_deck_or_a_copy_is_asked_for_again_when_its_connection_breaks(
    service: RemoteService, between: Between, tmp_path: Path
) -> None:
    await service.clips.add(NewClip("Der Zug fährt ab."))
    between.faults.extend((None, "in the answer", "before"))
    report = await service.deck.export(tmp_path / "a.apkg")
    assert (report.new, report.written) == (1, True)
    between.faults.extend(("in the answer", "unanswered"))
    copy = await service.backup(tmp_path / "lode.db")
    assert copy.read_bytes().startswith(b"SQLite format 3")
    assert {path.name for path in tmp_path.iterdir()} == {"a.apkg", "lode.db"}


@pytest.mark.exhaustive
async def test_a_disk_that_is_full_is_told_as_such(
    service: RemoteService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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
