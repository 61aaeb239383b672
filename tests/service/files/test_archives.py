"""Archives of a series, added here and over HTTP: a job for each file, and nothing of a bad one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.importing.archives.making import story, tarred, zipped
from tests.service.files.test_files import finished
from tests.service.libraries import both_every_day
from tui.records.transcripts import Transcript
from tui.service.protocol import Service
from tui.service.protocol.records import PartlySent

SEASON = {f"Dark/Season 1/{number:02}.de.srt": story(str(number)) for number in range(1, 13)}


async def listed(service: Service) -> list[Transcript]:
    return list((await service.transcripts.page()).items)


@pytest.mark.exhaustive
async def test_an_archive_of_a_season_is_listed_as_its_episodes_in_order(service: Service, tmp_path: Path) -> None:
    path = zipped(tmp_path / "subs.zip", SEASON)
    ends = await finished(service, await service.files.add([path]))
    assert {job.state for job in ends.values()} == {"succeeded"}
    told = [(each.title, each.series, each.season, each.episode) for each in await listed(service)]
    assert told == [(f"Dark · S01E{number:02}", "Dark", 1, number) for number in range(1, 13)]
    assert [file.name for file in (await service.files.page()).items] == [name.rpartition("/")[2] for name in SEASON]
    found = await service.transcripts.page(q="dark s01e03")
    assert [each.episode for each in found.items] == [3]
    again = await finished(service, await service.files.add([path]))
    assert {job.outcome for job in again.values()} == {"same"}


async def test_an_episode_that_is_read_anew_stays_one(service: Service, tmp_path: Path) -> None:
    path = zipped(tmp_path / "subs.zip", {"Dark/Season 1/03.de.srt": story("3")})
    (job,) = (await finished(service, await service.files.add([path]))).values()
    assert job.file_id is not None
    again = await finished(service, await service.files.reread(job.file_id, language="nl"))
    assert {job.outcome for job in again.values()} == {"reread"}
    assert [(each.title, each.episode, each.language) for each in await listed(service)] == [("Dark · S01E03", 3, "nl")]


@both_every_day
async def test_what_is_bad_in_an_archive_is_refused_by_name_and_keeps_back_no_other(
    service: Service, tmp_path: Path
) -> None:
    members = {
        "good.srt": story("good"),
        "../out.srt": story("out"),
        "inner.zip": zipped(tmp_path / "inner.zip", SEASON).read_bytes(),
        "bomb.srt": b"\0" * 30_000_000,
        "empty.srt": b"",
        "picture.jpg": b"\xff\xd8\xff",
    }
    path = zipped(tmp_path / "mixed.zip", members)
    try:
        jobs = await service.files.add([path])
    except PartlySent as error:  # who sends files names at once those that cannot be read
        jobs = error.jobs
        named = " ".join(refusal.message for _, refusal in error.refused)
        assert all(name in named for name in ("out.srt", "inner.zip", "bomb.srt"))
    ends = await finished(service, jobs)
    assert ends["good.srt"].state == "succeeded"
    assert all(job.state == "failed" and name in (job.error or "") for name, job in ends.items() if name != "good.srt")
    assert [file.name for file in (await service.files.page()).items] == ["good.srt"]
    assert not (tmp_path / "out.srt").exists()


async def test_a_tar_archive_says_which_season_its_files_are_of(service: Service, tmp_path: Path) -> None:
    members = {f"Show - {number:02}.srt": story(str(number)) for number in (9, 10)}
    path = tarred(tmp_path / "Show - Season 2.tar.gz", members, mode="w:gz")
    await finished(service, await service.files.add([path]))
    assert [each.title for each in await listed(service)] == ["Show · S02E09", "Show · S02E10"]
