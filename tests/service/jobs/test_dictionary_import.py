"""Imports of dictionaries, of this machine's files and of files that are sent: whole, or nothing of them."""

import asyncio
import gzip
import json
import os
import signal
from pathlib import Path

import pytest

from tests.dictionaries.making import CEDICT_HEADER, INDEX, dictd, term_row, yomitan
from tests.service.jobs.conftest import Processes
from tests.service.libraries import Opened, near_and_far
from tests.service.steps import ended, finished, refusal
from tests.waiting import wait_until
from tui.errors import ImportRefused
from tui.service.jobs import dictionary_import
from tui.service.protocol import Service

pytestmark = pytest.mark.exhaustive

LARGE = 15_000
KAIKKI = {"word": "fahren", "lang": "German", "lang_code": "de", "pos": "verb", "senses": [{"glosses": ["to drive"]}]}
HEADERS = {"00databaseshort": "00databaseshort\nGerman-English FreeDict Dictionary ver. 1.9"}


def freedict(folder: Path, **words: str) -> Path:
    return dictd(folder, HEADERS | {word: f"{word} <v>\n{text}\n" for word, text in words.items()})


def cedict(path: Path, rows: int = 1) -> Path:
    lines = "".join(f"開車{number} 开车{number} [kai1 che1] /to drive a car, {number}/\n" for number in range(rows))
    path.write_text(CEDICT_HEADER + lines, "utf-8")
    return path


async def add(service: Service, *paths: str | Path) -> list[tuple[str, str | None, str]]:
    """How each ended: its state, its outcome, and what it says."""
    ends = await finished(service, await service.dictionaries.add(paths))
    return [(job.state, job.outcome, (job.error or job.message).replace("\u00a0", " ")) for job in ends.values()]


async def titles(service: Service) -> list[str]:
    return [each.title for each in await service.dictionaries.all()]


async def meanings(service: Service, word: str, language: str) -> list[str]:
    found = await service.dictionaries.look_up(word, language=language)
    glossary = "glossary"
    return [each.entry.senses[0].glosses[0] for each in found.entries if each.dictionary.format != glossary]


def rows_left(library: Opened) -> int:
    """Rows of dictionaries that are not, or no longer, there."""
    store = library.engine.dictionaries.opened_for_writing()
    with store._connections.read() as connection:
        return sum(connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in ("rows", "terms"))


@near_and_far
async def test_each_format_is_added_by_its_content_and_asked_at_once(library: Opened, tmp_path: Path) -> None:
    service = library.service
    kaikki = tmp_path / "German.jsonl.gz"
    kaikki.write_bytes(gzip.compress(json.dumps(KAIKKI).encode()))
    paths = [
        yomitan(tmp_path / "wty-de-en.zip", [term_row("fahren", "to travel")]),
        kaikki,
        freedict(tmp_path, fahren="to ride"),
        cedict(tmp_path / "cedict_ts.u8"),
    ]
    ends = await add(service, *paths)
    assert [(state, outcome) for state, outcome, _ in ends] == [("succeeded", "added")] * 4
    assert [text.split(" · ")[1] for _, _, text in ends] == ["1 entry"] * 4
    assert sorted(await meanings(service, "fahren", "de")) == ["to drive", "to ride", "to travel"]
    assert await meanings(service, "开车0", "zh") == ["to drive a car, 0"]
    assert {each.format for each in await service.dictionaries.all()} == {"yomitan", "kaikki", "dictd", "cedict"}
    assert not list((library.engine.database.directory / "uploads").glob("*")), "what was sent is not kept"
    if service.location == "local":  # a file that is named by no text is added all the same
        path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/de-\xff.zip"))
        index = {**INDEX, "title": "Another"}
        assert (await add(service, yomitan(path, [term_row("fahren", "x")], index=index)))[0][0] == "succeeded"
        assert "de-\ufffd.zip" in [each.file_name for each in await service.dictionaries.all()]


async def test_either_file_of_dictd_or_both_are_one_dictionary(library: Opened, tmp_path: Path) -> None:
    service = library.service
    index = freedict(tmp_path, fahren="to ride")
    definitions = index.with_name("freedict-deu-eng.dict.dz")
    ((state, outcome, text),) = await add(service, definitions, index)
    assert (state, outcome, text) == ("succeeded", "added", "German-English FreeDict Dictionary · 1 entry")
    assert [each[1] for each in await add(service, definitions)] == ["same"]
    assert [each.file_name.partition(".")[0] for each in await service.dictionaries.all()] == ["freedict-deu-eng"]
    definitions.unlink()
    ((state, _, text),) = await add(service, index)
    assert (state, "the other is not beside it" in text) == ("failed", True)


async def test_another_revision_takes_the_place_of_a_dictionary(library: Opened, tmp_path: Path) -> None:
    service = library.service
    for title in ("First", "Second", "Third"):
        index = {**INDEX, "title": title, "revision": "1"}
        await add(service, yomitan(tmp_path / f"{title}.zip", [term_row("fahren", title)], index=index))
    index = {**INDEX, "title": "Second", "revision": "2"}
    newer = yomitan(tmp_path / "newer.zip", [term_row("fahren", "newer"), term_row("Zug", "train")], index=index)
    assert await add(service, newer) == [("succeeded", "added", "Second · 2 entries · in place of revision 1")]
    assert await titles(service) == ["First", "Second", "Third"]
    assert await meanings(service, "fahren", "de") == ["First", "newer", "Third"]
    assert rows_left(library) == 8
    assert await add(service, newer.rename(tmp_path / "b.zip")) == [("succeeded", "same", "Second · already there")]
    assert await titles(service) == ["First", "Second", "Third"]


async def test_what_is_no_dictionary_is_refused_and_keeps_back_no_other(library: Opened, tmp_path: Path) -> None:
    service = library.service
    stardict, notes = tmp_path / "x.ifo", tmp_path / "notes.txt"
    stardict.write_text("StarDict's dict ifo file\n")
    notes.write_text("just notes")
    damaged = tmp_path / "damaged.zip"
    damaged.write_bytes(yomitan(tmp_path / "whole.zip", [term_row("fahren", "x")]).read_bytes()[:-40])
    ends = await add(service, stardict, notes, damaged, tmp_path / "whole.zip")
    assert [state for state, _, _ in ends] == ["failed", "failed", "failed", "succeeded"]
    assert "StarDict" in ends[0][2]
    assert 'pyglossary "x.ifo"' in ends[0][2]
    assert "is no dictionary that Lode knows" in ends[1][2]
    assert "is damaged" in ends[2][2]
    assert rows_left(library) == 2


async def test_a_missing_file_queues_nothing(service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = yomitan(tmp_path / "a.zip", [term_row("fahren", "to travel")])
    for name in ("missing.zip", "", "\0", "~nobody-has-this-name/x.zip", "."):
        refused = await refusal(service.dictionaries.add([path, name]))
        assert isinstance(refused, ImportRefused) and refused.hint, name
    assert (await service.jobs.page()).total == 0


async def test_a_cancelled_import_leaves_nothing_and_can_be_tried_again(library: Opened, tmp_path: Path) -> None:
    service = library.service
    await add(service, yomitan(tmp_path / "a.zip", [term_row("fahren", "to travel")]))
    (job,) = await service.dictionaries.add([cedict(tmp_path / "cedict_ts.u8", LARGE)])
    progress = []
    async for change in service.jobs.follow([job.id]):
        progress.append(change.progress)
        if change.progress > 0:
            break
    (stopped,) = await service.jobs.cancel(job.id)
    assert stopped.state == "cancelled"
    assert progress == sorted(progress)
    assert await titles(service) == ["Test"]
    assert rows_left(library) == 2
    again = await ended(service, await service.jobs.retry(job.id))
    assert (again.state, again.progress) == ("succeeded", 1.0)
    assert await meanings(service, f"开车{LARGE - 1}", "zh") == [f"to drive a car, {LARGE - 1}"]


async def test_a_killed_process_leaves_nothing(library: Opened, tmp_path: Path, started: Processes) -> None:
    service = library.service
    (job,) = await service.dictionaries.add([cedict(tmp_path / "cedict_ts.u8", LARGE)])
    async for change in service.jobs.follow([job.id]):
        if change.progress > 0:
            started[0].kill()
            break
    failed = await ended(service, job)
    assert failed.state == "failed"
    assert "was ended" in (failed.error or "")
    assert rows_left(library) == 0


async def test_closing_the_library_ends_the_process_and_the_next_import_removes_what_it_had_written(
    library: Opened, tmp_path: Path, started: Processes
) -> None:
    service = library.service
    (job,) = await service.dictionaries.add([cedict(tmp_path / "cedict_ts.u8", LARGE)])
    async for change in service.jobs.follow([job.id]):
        if change.progress > 0:
            break
    await library.engine.jobs.close()
    assert started[0].poll() == -signal.SIGKILL
    assert (await service.jobs.get(job.id)).state == "interrupted"
    assert await titles(service) == []
    await add(service, yomitan(tmp_path / "a.zip", [term_row("fahren", "to travel")]))
    assert rows_left(library) == 2


def test_it_ends_with_whoever_asked(tmp_path: Path, home: Path) -> None:
    request = dictionary_import.DictionaryRequest(cedict(tmp_path / "cedict_ts.u8", LARGE), "cedict_ts.u8", home)
    process = dictionary_import.DictionaryProcess(request)
    child = process.popen
    assert isinstance(process.next(), float)
    assert child.stdout is not None
    child.stdout.close()
    wait_until(lambda: child.poll() is not None)


@pytest.mark.parametrize("where", ["remote"], indirect=True)
async def test_what_is_too_large_is_not_sent(library: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small, large = cedict(tmp_path / "small.u8", 1), cedict(tmp_path / "large.u8", 100)
    monkeypatch.setattr("tui.dictionaries.dictionary_file.MAX_SENT_SIZE", small.stat().st_size)
    refused = await refusal(library.service.dictionaries.add([small, large]))
    assert "large.u8 has more than" in refused.message and "the most that can be sent" in refused.message
    assert (await library.service.jobs.page()).total == 0


async def test_the_event_loop_goes_on_meanwhile(library: Opened, tmp_path: Path) -> None:
    turns = 0

    async def turn() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    turning = asyncio.create_task(turn())
    assert (await add(library.service, cedict(tmp_path / "cedict_ts.u8", 2_000)))[0][0] == "succeeded"
    turning.cancel()
    assert turns > 100
