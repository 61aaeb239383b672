"""The app on the library of a server, which is a process of its own: the whole path, and what it is like when the
server is killed in the middle of it and comes back.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot

from tests.llm.fakes.fake_server import FakeModelServer, Gate, answer, is_stream, slow
from tests.screens.asking import FOCUS, MODEL
from tests.screens.driving import (
    assert_is_clean,
    lines,
    opened,
    paste_prompt,
    press_until,
    shows,
    submit_text,
    table,
    toasts,
    until,
    until_shown,
    until_told,
)
from tests.server_process import ServerProcess
from tui.app import LodeApp
from tui.config import Settings
from tui.importing import parse
from tui.records.answers import NewTemplate
from tui.records.clips import NewClip
from tui.remote import connection
from tui.remote.service import RemoteService
from tui.screens.answer.breakdown import BreakdownScreen
from tui.screens.forms.template import TemplateScreen
from tui.screens.messages import OpenBreakdown
from tui.service.local import LocalService
from tui.service.requests import BreakdownRequest
from tui.widgets.chrome.notice import Notice
from tui.widgets.chrome.top_line import TopLine
from tui.widgets.forms.prompt_editor import PromptEditor

pytestmark = pytest.mark.exhaustive

SENTENCE = "Hoffentlich fährt er noch ab."


@asynccontextmanager
async def app_on(
    server: ServerProcess, size: tuple[int, int] = (100, 30)
) -> AsyncIterator[tuple[Pilot[None], RemoteService]]:
    service = RemoteService(server.url, "anna")
    async with opened(service, size) as pilot:
        yield pilot, service


async def killed(pilot: Pilot[None], server: ServerProcess) -> None:
    """Kill the server, and have the app notice it."""
    await asyncio.to_thread(server.kill)
    await press_until(pilot, "r", shown=f"no answer from 127.0.0.1:{server.port}")


async def started_again(pilot: Pilot[None], server: ServerProcess) -> None:
    """Start the server again, and let the app find it by itself."""
    await asyncio.to_thread(server.start)
    await until(pilot, lambda: not pilot.app.screen.query_one(TopLine).trouble)


async def load_samples(pilot: Pilot[None]) -> None:
    await until_shown(pilot, "sample library")
    await press_until(pilot, "S", rows=4, told="4 imported")


async def test_from_the_first_start_to_a_deck(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deck = tmp_path / "read.apkg"
    monkeypatch.setattr(parse, "MAX_BYTES", 100)
    (tmp_path / "a.de.srt").write_text("1\n00:00:01,000 --> 00:00:02,000\nDer Zug fährt ab.\n", "utf-8")
    (tmp_path / "b.de.srt").write_bytes(b"x" * 101)
    with ServerProcess(home) as server:
        async with app_on(server) as (pilot, service):
            await load_samples(pilot)
            assert lines(pilot)[0].endswith(f"anna · 127.0.0.1:{server.port}")
            await pilot.press("a")
            await submit_text(pilot, str(tmp_path))
            await until_shown(pilot, "of 2 files were sent")
            await press_until(pilot, "escape", rows=5)  # what was sent before one that was refused
            await press_until(pilot, "enter", shown="0:0")
            await press_until(pilot, "j", "enter", shown="done")
            await press_until(pilot, "c", told="clip saved")
            await press_until(pilot, "4", shown="Explain")
            await paste_prompt(pilot, "Say of {{ focus }}: {{ sentence }}")
            await until_shown(pilot, "Say of ")
            await press_until(pilot, "f2", told="template saved")
            await press_until(pilot, "escape", "3", rows=1)
            await press_until(pilot, "e", shown="1 new")
            await submit_text(pilot, str(deck))
            await until_told(pilot, "read.apkg written")
            assert deck.stat().st_size > 1000
            template = await service.template.get()
            assert template is not None and template.prompt == "Say of {{ focus }}: {{ sentence }}"
            assert_is_clean(pilot)
        assert server.stop() == 0


async def test_a_server_that_went_is_told_of_until_it_is_back_with_its_changes(home: Path, settings: Settings) -> None:
    with ServerProcess(home) as server:
        async with app_on(server, (120, 24)) as (pilot, service):
            await load_samples(pilot)
            await until(pilot, lambda: "·" not in "".join(lines(pilot)[2:7]))  # words are counted after the rows came
            before, rows = lines(pilot)[0], lines(pilot)[2:7]
            await killed(pilot, server)
            assert lines(pilot)[0].endswith(f"anna · no answer from 127.0.0.1:{server.port}")
            assert lines(pilot)[2:7] == rows  # what had been read stays
            assert_is_clean(pilot)
            await press_until(pilot, "6", shown="tries again")
            assert pilot.app.screen.query_one(Notice).display
            assert lines(pilot)[0].endswith(f"no answer from 127.0.0.1:{server.port}")
            there = LocalService(settings, "anna")
            await there.files.delete((await there.files.page()).items[0].id)
            await there.close()
            await asyncio.to_thread(server.start)
            await until_shown(pilot, "succeeded")  # the list is read by itself
            assert service.trouble == ""
            await press_until(pilot, "1", rows=3)
            assert lines(pilot)[0] == before


async def test_an_app_that_starts_before_its_server_goes_on_by_itself(home: Path, settings: Settings) -> None:
    server = ServerProcess(home)
    app = LodeApp(RemoteService(server.url, "anna"), settings)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await until_shown(pilot, f"the server at 127.0.0.1:{server.port} does not answer")
        assert shows(pilot, f"anna · no answer from 127.0.0.1:{server.port}")
        with server:
            await until_shown(pilot, "Nothing here yet.")
            assert shows(pilot, f"anna · 127.0.0.1:{server.port}")
            await pilot.press("S", "q")  # its jobs go on: it asks nothing
            await until(pilot, lambda: app._exit)
            later = RemoteService(server.url, "anna")
            async for job in later.jobs.follow([job.id for job in (await later.jobs.page()).items]):
                assert job.state != "interrupted"
            assert (await later.files.page()).total in (0, 4)  # quit before they were asked for, or all
            await later.close()


async def test_what_could_not_be_read_comes_when_the_server_is_back(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tui.app._ONE_CAUSE_SECONDS", 600.0)
    with ServerProcess(home) as server:
        async with app_on(server) as (pilot, service):
            await service.template.save(NewTemplate("lexicon:concordance", "Mine: {{ sentence }}", "Be kind."))
            await load_samples(pilot)
            await press_until(pilot, "2", rows=4)
            await killed(pilot, server)
            await press_until(pilot, "enter", shown="does not answer (no")
            await press_until(pilot, "4", holds=lambda: isinstance(pilot.app.screen, TemplateScreen))
            await until_told(pilot, "does not answer")
            assert len([toast for toast in toasts(pilot) if "does not answer" in toast]) == 1
            await started_again(pilot, server)
            await until_shown(pilot, "Mine:")
            await until_shown(pilot, "lexicon")
            await press_until(pilot, "escape", shown="0:0")
            assert not pilot.app.screen.query_one(Notice).display


async def test_a_template_that_is_being_written_outlives_the_server(home: Path) -> None:
    with ServerProcess(home) as server:
        async with app_on(server) as (pilot, service):
            await press_until(pilot, "4", shown="Explain")
            await paste_prompt(pilot, "Say {{ sentence }}")
            await until_shown(pilot, "unsaved changes ●")
            await asyncio.to_thread(server.kill)
            await press_until(pilot, "X", "Y", shown=f"unsaved changes ● · no answer from 127.0.0.1:{server.port}")
            await press_until(pilot, "f2", told="does not answer")
            editor = pilot.app.screen.query_one(PromptEditor)
            typed = editor.text
            assert {"X", "Y"} <= set(typed)
            assert editor.has_focus
            await started_again(pilot, server)
            assert editor.text == typed
            await press_until(pilot, "Z", shown="noch ab.XYZ")  # the preview goes on
            await press_until(pilot, "f2", told="template saved")
            saved = await service.template.get()
            assert saved is not None and saved.prompt == editor.text != typed


async def test_an_answer_that_breaks_says_so_and_keeps_what_came(home: Path) -> None:
    async with FakeModelServer() as model:
        (home / "config.toml").write_text(
            f'[providers.fake]\nlabel = "Fake"\nbase_url = "{model.base_url}"\napi_key_env = "FAKE_API_KEY"\n'
        )
        gate = Gate()
        model.on_chat = lambda request: (
            slow(["It leaves the ", "station"], gate) if is_stream(request) else answer(FOCUS)
        )
        with ServerProcess(home, environ={"FAKE_API_KEY": "sk-Very5ecretKey0123456789"}) as server:
            async with app_on(server) as (pilot, service):
                await press_until(pilot, "5", holds=lambda: isinstance(pilot.app.screen, BreakdownScreen))
                asked = BreakdownRequest(SENTENCE, "fährt", model=MODEL, language="de")
                pilot.app.screen.post_message(OpenBreakdown(asked, NewClip(SENTENCE)))
                await until_shown(pilot, "It leaves the station")
                await asyncio.to_thread(server.kill)
                await until_shown(pilot, f"the server at 127.0.0.1:{server.port} does not answer")
                assert shows(pilot, "It leaves the station")
                assert shows(pilot, "r asks anew")
                await until_shown(pilot, f"no answer from 127.0.0.1:{server.port}")
                await started_again(pilot, server)
                assert shows(pilot, "It leaves the station")
                (kept,) = (await service.history.page()).items
                assert kept.state == "aborted"  # as an answer is that nobody was there to end
                gate.opened.set()
                await press_until(pilot, "r", shown="done")


@pytest.mark.parametrize("silent", [False, True], ids=["gone", "silent"])
async def test_it_quits_whatever_happens(settings: Settings, monkeypatch: pytest.MonkeyPatch, silent: bool) -> None:
    """A server that is there but says nothing is the worse one: nothing that waits for it may be waited for."""

    monkeypatch.setattr(connection, "_READ_SECONDS", 3600.0)

    async def say_nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    dumb = await asyncio.start_server(say_nothing, "127.0.0.1", 0)
    port = dumb.sockets[0].getsockname()[1]
    if not silent:
        dumb.close()
    app = LodeApp(RemoteService(f"http://127.0.0.1:{port}"), settings)
    async with app.run_test(size=(80, 24)) as pilot:
        await press_until(pilot, "2", "4", "6", "3", holds=lambda: table(pilot).is_attached)
        await press_until(pilot, "q", holds=lambda: app._exit)
    assert app.return_code == 0
    dumb.close()
