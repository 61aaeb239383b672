"""Connections that break, and what is asked again then: reads, and writes that the server can tell apart."""

from __future__ import annotations

import asyncio
import gc
import re
from contextlib import suppress
from pathlib import Path

import pytest

from tests.remote.between import Between, Fault
from tests.server.serving import Served, serving
from tests.service.steps import STORY
from tui.config import Settings
from tui.errors import InvalidInput, LodeError, NotFound, RemoteError
from tui.records.clips import NewClip
from tui.remote import connection
from tui.remote.service import RemoteService
from tui.server.options import ServerOptions
from tui.service.local import LocalService

pytestmark = pytest.mark.exhaustive

FAULTS: tuple[Fault, ...] = ("before", "unanswered", "in the answer")


async def test_what_is_read_is_asked_for_again_and_a_write_is_done_once_wherever_its_connection_breaks(
    service: RemoteService, between: Between
) -> None:
    for number, fault in enumerate(FAULTS, 1):
        between.heads.clear()
        between.faults.extend((fault, fault))
        clip = await service.clips.add(NewClip("Der Zug fährt ab."))
        keys = {head.lower().split(b"idempotency-key: ")[1].split(b"\r\n")[0] for head in between.heads}
        assert (len(between.heads), len(keys)) == (3, 1), fault
        between.faults.extend((fault, fault))
        page = await service.clips.page()
        assert (page.items[0], page.total) == (clip, number)
        assert len(between.heads) == 6
        assert service.trouble == ""


async def test_a_write_without_an_answer_is_done_once(service: RemoteService, between: Between, tmp_path: Path) -> None:
    (tmp_path / "a.srt").write_text(STORY, "utf-8")
    between.faults.append("unanswered")
    jobs = await service.files.add([tmp_path / "a.srt"])
    assert (await service.jobs.page()).total == len(jobs) == 1
    between.faults.append("unanswered")
    async for _ in service.jobs.follow([job.id for job in jobs]):
        pass
    one, two = [await service.clips.add(NewClip(text)) for text in ("eins", "zwei")]
    await service.clips.delete(one.id)
    await service.clips.delete(two.id)
    between.faults.append("unanswered")
    assert await service.undo() is not None
    assert [clip.sentence for clip in (await service.clips.page()).items] == ["zwei"], "one deletion, not both"
    between.faults.append("unanswered")
    (file,) = (await service.files.page()).items
    assert (await service.files.delete(file.id)).count == 1


async def test_a_write_that_is_tried_again_by_hand_is_the_same_write(service: RemoteService, between: Between) -> None:
    between.faults.extend(("unanswered",) * 3)
    with pytest.raises(RemoteError):
        await service.clips.add(NewClip("Der Zug fährt ab."))
    first = await service.clips.add(NewClip("Der Zug fährt ab."))
    assert (await service.clips.page()).items == (first,)
    second = await service.clips.add(NewClip("Der Zug fährt ab."))
    assert second.id != first.id, "once it is known to be there, the same again is meant anew"


async def test_an_undo_whose_answer_was_lost_is_not_a_later_one(service: RemoteService, between: Between) -> None:
    one, two = [await service.clips.add(NewClip(text)) for text in ("eins", "zwei")]
    await service.clips.delete(one.id)
    between.faults.extend(("unanswered",) * 3)
    with pytest.raises(RemoteError):
        await service.undo()
    await service.clips.delete(two.id)
    await service.undo()
    assert (await service.clips.page()).total == 2


async def test_a_write_that_was_done_by_a_server_that_stopped_before_it_answered_is_told(
    service: RemoteService, served: Served, between: Between
) -> None:
    """The key is there, the answer is not: as a killed server leaves it."""
    between.faults.append("unanswered")
    await service.clips.add(NewClip("eins"))

    def forget_answers(store: object) -> None:
        with store._connections.write() as connection:  # type: ignore[attr-defined]  # the store, past its own methods
            connection.execute("UPDATE requests SET status = NULL, body = NULL")

    between.faults.extend(("unanswered",) * 3)
    with pytest.raises(RemoteError):
        await service.clips.add(NewClip("zwei"))
    await served.engine.database.run(forget_answers)
    with pytest.raises(RemoteError) as caught:
        await service.clips.add(NewClip("zwei"))
    assert caught.value.code == "answer_lost"
    assert caught.value.hint
    assert (await service.clips.page()).total == 2


async def test_a_connection_that_always_breaks_is_given_up_at_last(service: RemoteService, between: Between) -> None:
    between.is_open = False
    with pytest.raises(RemoteError) as caught:
        await service.clips.page()
    assert caught.value.code == "server_unreachable"
    assert service.location in caught.value.message
    assert "lode serve" in caught.value.hint
    between.is_open = True
    assert (await service.clips.page()).total == 0
    between.faults.extend(("before",) * 3)
    with pytest.raises(RemoteError):
        await service.clips.page()
    with pytest.raises(NotFound):
        await service.clips.get("nothere")
    assert service.trouble == "", "any answer ends it"


async def test_where_nobody_listens_and_names_that_lead_nowhere_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "_CONNECT_SECONDS", 1.0)
    for host in ("127.0.0.1", "[::1]", "a" * 70 + ".example", "no-such-host.invalid", "x..y"):
        nowhere = RemoteService(f"http://{host}:9")
        for call in (nowhere.clips.page(), nowhere.undo()) if host == "127.0.0.1" else (nowhere.clips.page(),):
            with pytest.raises(RemoteError, match=f"{re.escape(host)}:9 does not answer") as caught:
                await call
            assert caught.value.code == "server_unreachable"
        await nowhere.close()


async def test_a_network_of_few_bytes_at_a_time_will_do(
    service: RemoteService, between: Between, tmp_path: Path
) -> None:
    between.piece = 7
    (tmp_path / "a.srt").write_text(STORY, "utf-8")
    jobs = await service.files.add([tmp_path / "a.srt"])
    assert [job.state async for job in service.jobs.follow([jobs[0].id])][-1] == "succeeded"
    clip = await service.clips.add(NewClip("Der Zug fährt ab. 🚂"))
    assert (await service.clips.page()).items == (clip,)
    assert (await service.deck.export(tmp_path / "a.apkg")).new == 1


async def test_silence_is_a_server_gone(
    service: RemoteService, between: Between, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "_READ_SECONDS", 0.05)
    held = asyncio.Event()

    async def nothing(*_: object) -> None:
        await held.wait()

    monkeypatch.setattr(between, "_answer", nothing)
    with pytest.raises(RemoteError, match="too slow"):
        await service.clips.page()
    held.set()


async def test_trouble_is_told_when_it_comes_and_when_it_goes(service: RemoteService, between: Between) -> None:
    told: list[str] = []
    changed = asyncio.Event()

    def tell() -> None:
        told.append(service.trouble)
        changed.set()

    service.on_trouble(tell)
    await service.clips.page()
    assert told == []
    between.is_open = False
    between.cut()
    with pytest.raises(RemoteError):
        await service.clips.page()
    assert told == [f"no answer from {service.location}"]
    changed.clear()
    between.is_open = True
    await changed.wait()  # nobody asks: it is looked for
    assert told[1:] == [""]
    assert (await service.clips.page()).total == 0


async def test_closing_leaves_no_task_and_refuses_what_comes_later(service: RemoteService, between: Between) -> None:
    between.is_open = False
    with pytest.raises(RemoteError):
        await service.clips.page()
    assert any(task.get_name() == "lode-look-for-server" for task in asyncio.all_tasks())
    await service.close()
    assert not [task for task in asyncio.all_tasks() if task.get_name() == "lode-look-for-server"]
    with pytest.raises(RemoteError) as caught:
        await service.clips.page()
    assert caught.value.code == "closed"


async def test_any_call_can_be_cancelled_at_any_time(service: RemoteService, between: Between, tmp_path: Path) -> None:
    await service.clips.add(NewClip("eins"))
    between.piece = 20
    for steps in range(0, 60, 5):
        for call in (service.clips.page(), service.deck.export(tmp_path / "a.apkg"), service.backup(tmp_path / "b.db")):
            task = asyncio.ensure_future(call)
            for _ in range(steps):
                await asyncio.sleep(0)
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
            (tmp_path / "b.db").unlink(missing_ok=True)
    gc.collect()
    between.piece = 65536
    assert (await service.clips.page()).total == 1
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


async def test_a_cancelled_write_that_is_asked_for_again_is_done_once(
    service: RemoteService, between: Between, served: Served, settings: Settings
) -> None:
    here = LocalService(settings, engine=served.engine)
    for steps in range(0, 80, 8):
        before = (await here.clips.page(limit=1)).total
        task = asyncio.ensure_future(service.clips.add(NewClip(f"Satz {steps}")))
        for _ in range(steps):
            await asyncio.sleep(0)
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        if task.cancelled():
            await service.clips.add(NewClip(f"Satz {steps}"))
        assert (await here.clips.page(limit=1)).total == before + 1


async def test_a_server_that_is_started_again_is_found_again(settings: Settings) -> None:
    async with serving(settings) as first:
        service = RemoteService(first.url)
        clip = await service.clips.add(NewClip("Der Zug fährt ab."))
        port = first.options.port
    with pytest.raises(RemoteError):
        await service.clips.page()
    async with serving(settings, ServerOptions(port=port)):
        assert (await service.clips.page()).items == (clip,)
        assert service.trouble == ""
        await service.close()


async def test_the_token_is_needed_and_its_lack_is_told(settings: Settings) -> None:
    async with serving(settings, ServerOptions(port=0, token="the-token")) as served:
        for token in ("", "wrong", "the-token"):
            service = RemoteService(served.url, token=token)
            if token == "the-token":
                assert (await service.clips.page()).total == 0
            else:
                with pytest.raises(LodeError, match="the token is missing or wrong") as caught:
                    await service.clips.page()
                assert caught.value.code == "unauthorized"
                assert "LODE_TOKEN" in caught.value.hint
            await service.close()


async def test_profiles_see_nothing_of_each_other(served: Served) -> None:
    one, two = RemoteService(served.url, "one"), RemoteService(served.url, "Two_2-x")
    clip = await one.clips.add(NewClip("eins"))
    assert (await two.clips.page()).total == 0
    with pytest.raises(NotFound):
        await two.clips.get(clip.id)
    with pytest.raises(NotFound):
        await two.clips.delete(clip.id)
    assert await two.undo() is None
    assert (await one.clips.page()).total == 1
    await one.close()
    await two.close()


async def test_no_proxy_stands_between_a_machine_and_itself(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    service = RemoteService(served.url)
    assert (await service.clips.page()).total == 0
    await service.close()


# Addresses, tokens and profiles, which people type

NO_ADDRESSES = (
    *("", "127.0.0.1:8765", "localhost", "ftp://host", "http://", "http://:80", "http://host:0", "http://host:99999"),
    *("http://host:port", "http://[::1", "http://host/?q=1", "http://host/#top", "http://ho st/", "file:///etc/passwd"),
    *("http://host\x1b[31m/", "http://user:secret@host/", "http://token@host/"),
)


def test_what_is_no_address_token_or_profile_is_refused_with_an_example() -> None:
    for url in NO_ADDRESSES:
        with pytest.raises(InvalidInput) as caught:
            RemoteService(url)
        assert caught.value.code == "invalid_url", url
        assert caught.value.hint
        assert "secret" not in caught.value.message
        assert "\x1b" not in caught.value.message
    for token in ("ein token", "schlüssel", "a\nb", "a\x1b[0m", "\ud800"):
        with pytest.raises(InvalidInput, match="ASCII"):
            RemoteService("http://127.0.0.1:1", token=token)
    for profile in ("", "../x", "a b", "x" * 65, "é"):
        with pytest.raises(InvalidInput) as caught:
            RemoteService("http://127.0.0.1:1", profile)
        assert caught.value.code == "invalid_profile"


def test_an_address_is_shown_as_host_and_port() -> None:
    for url, location in {
        "http://127.0.0.1:8765": "127.0.0.1:8765",
        " http://Host.example:80/ ": "host.example:80",
        "https://host.example/lode/": "host.example",
        "http://[::1]:8765": "[::1]:8765",
    }.items():
        assert RemoteService(url).location == location
