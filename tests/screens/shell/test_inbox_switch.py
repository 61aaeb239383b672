"""The switch of the inbox: a real ``lode inbox`` as a child of the app, and cards that come to it."""

from __future__ import annotations

import asyncio
import json
import urllib.request
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot

from tests.screens.driving import Typed, lines, opened, press_until, shows, toasts, until, until_told
from tests.server_process import ServerProcess, free_port
from tests.waiting import HANGS
from tui.remote.service import RemoteService
from tui.service.local import LocalService
from tui.widgets.chrome.top_line import TopLine


async def toggle(pilot: Pilot[None], told: str) -> None:
    """Choose the inbox in the palette, as somebody does, and wait for what is said of it."""
    await press_until(pilot, "ctrl+p", Typed("take cards of"), shown="Inbox  take cards of Yomitan")
    await press_until(pilot, "enter", told=told)


async def send(port: int, sentence: str) -> None:
    note = {"deckName": "Lode", "modelName": "Lode", "fields": {"Sentence": sentence}}
    body = json.dumps({"action": "addNote", "version": 6, "params": {"note": note}}).encode()

    def post() -> bytes:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}", body, timeout=HANGS) as answer:
            return bytes(answer.read())

    assert json.loads(await asyncio.to_thread(post))["error"] is None


def listens(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}", timeout=HANGS) as answer:
            return bool(answer.read() == b"AnkiConnect v.6")
    except OSError:
        return False


@pytest.fixture
def port(home: Path) -> int:
    """The port of the settings."""
    port = free_port()
    (home / "config.toml").write_text(f"inbox_port = {port}\n", "utf-8")
    return port


@asynccontextmanager
async def clips_of(service: LocalService, size: tuple[int, int] = (120, 30)) -> AsyncIterator[Pilot[None]]:
    async with opened(service, size, section="3") as pilot:
        yield pilot


async def test_the_palette_starts_it_its_cards_come_into_the_list_and_the_palette_ends_it(
    service: LocalService, port: int
) -> None:
    async with clips_of(service) as pilot:
        assert "inbox" not in lines(pilot)[0]
        await toggle(pilot, f"cards come into the profile default at http://127.0.0.1:{port} · lode help inbox says")
        assert lines(pilot)[0].endswith(f"default · local · inbox :{port}")
        await send(port, "Der Zug fährt ab.")
        await until(pilot, lambda: shows(pilot, "Der Zug fährt ab."))
        await press_until(pilot, "1", shown="Nothing here yet")  # a screen that was not shown before says it too
        assert lines(pilot)[0].endswith(f"inbox :{port}")
        await toggle(pilot, "the inbox takes no more cards")
        assert lines(pilot)[0].endswith("default · local")
        assert not await asyncio.to_thread(listens, port)


@pytest.mark.exhaustive
async def test_in_80_columns_the_sign_has_no_port(service: LocalService, port: int) -> None:
    async with clips_of(service, (80, 24)) as pilot:
        await toggle(pilot, "cards come into the profile")
        assert lines(pilot)[0].endswith("7 Words      inbox")


@pytest.mark.exhaustive
async def test_it_goes_along_to_another_profile_and_ends_with_the_app(service: LocalService, port: int) -> None:
    async with clips_of(service) as pilot:
        await toggle(pilot, "cards come into the profile default")
        await press_until(pilot, "at", Typed("anna"), shown="anna")
        await press_until(pilot, "enter", told="cards come into the profile anna")
        await send(port, "Der Bus fährt ab.")
        await until(pilot, lambda: shows(pilot, "Der Bus fährt ab."))
        assert "anna · local · inbox" in lines(pilot)[0]
        assert await service.clips.page() is not None
        assert not (await service.clips.page()).total
    assert not await asyncio.to_thread(listens, port)


@pytest.mark.exhaustive
async def test_what_keeps_it_from_starting_is_said_with_the_next_step(service: LocalService, home: Path) -> None:
    with ServerProcess(home, command="inbox") as other:
        (home / "config.toml").write_text(f"inbox_port = {other.port}\n", "utf-8")
        async with clips_of(service) as pilot:
            await toggle(pilot, f"an inbox of Lode listens at 127.0.0.1:{other.port} already: end that one, or")
            assert "lode config set inbox_port 8770" in toasts(pilot)[-1]
            await until(pilot, lambda: "inbox" not in lines(pilot)[0])
            other.stop()
            await toggle(pilot, "cards come into the profile default")  # what is wrong may be put right meanwhile


@pytest.mark.exhaustive
async def test_one_that_is_killed_is_said_to_have_ended(service: LocalService, port: int) -> None:
    async with clips_of(service) as pilot:
        await toggle(pilot, "cards come into the profile default")
        process = pilot.app._inbox._process  # type: ignore[attr-defined]
        process.kill()
        await until_told(pilot, "the inbox has ended (-9)")
        await until(pilot, lambda: not pilot.app.screen.query_one(TopLine).inbox)


@pytest.mark.exhaustive
async def test_where_the_library_is_a_server_s_it_says_where_the_inbox_runs(home: Path) -> None:
    with ServerProcess(home) as server:
        async with opened(RemoteService(server.url, "anna"), (120, 30)) as pilot:
            await toggle(pilot, "the inbox runs where the library is: lode serve --inbox there")
