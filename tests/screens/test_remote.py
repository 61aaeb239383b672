"""The app on the library of a server, which is a process of its own: the whole path, and what it is like when the
server is killed in the middle of it and comes back.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot

from tests.dictionaries.making import INDEX, term_row, yomitan
from tests.llm.fakes.fake_server import FakeModelServer, Gate, answer, is_stream, slow
from tests.screens.asking import FOCUS, MODEL
from tests.screens.driving import (
    assert_is_clean,
    lines,
    opened,
    paste_prompt,
    shows,
    submit_text,
    table,
    toasts,
    until,
    until_rows,
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
    await pilot.press("r")
    await until_shown(pilot, f"no answer from 127.0.0.1:{server.port}")


async def started_again(pilot: Pilot[None], server: ServerProcess) -> None:
    """Start the server again, and let the app find it by itself."""
    await asyncio.to_thread(server.start)
    await until(pilot, lambda: not pilot.app.screen.query_one(TopLine).trouble)


async def load_samples(pilot: Pilot[None]) -> None:
    await until_shown(pilot, "sample library")
    await pilot.press("S")
    await until_rows(pilot, 4)
    await until_told(pilot, "4 imported")


async def test_a_dictionary_is_sent_listed_and_deleted(home: Path, tmp_path: Path) -> None:
    yomitan(tmp_path / "words.zip", [term_row("fahren", "to drive")], index={**INDEX, "title": "My Words"})
    with ServerProcess(home) as server:
        async with app_on(server) as (pilot, service):
            await pilot.app.run_action("open_dictionaries")
            await until_shown(pilot, "No dictionaries yet")
            await pilot.press("a")
            await until_shown(pilot, "Add dictionaries")
            await submit_text(pilot, str(tmp_path / "words.zip"))
            await until_told(pilot, "1 dictionary added")
            await until_shown(pilot, "My Words")
            found = await service.dictionaries.look_up("fahren", language="de")
            assert found.entries[0].dictionary.title == "My Words"
            await pilot.press("d")
            await until_shown(pilot, "Delete this dictionary")
            await pilot.press("y")
            await until_shown(pilot, "No dictionaries yet")


async def test_from_the_first_start_to_an_exported_deck(home: Path, tmp_path: Path) -> None:
    deck = tmp_path / "read.apkg"
    with ServerProcess(home) as server:
        async with app_on(server) as (pilot, service):
            await load_samples(pilot)
            assert lines(pilot)[0].endswith(f"anna · 127.0.0.1:{server.port}")
            await pilot.press("enter")
            await until_shown(pilot, "0:0")
            await pilot.press("j", "enter")
            await until_shown(pilot, "done")
            await pilot.press("c")
            await until_told(pilot, "clip saved")
            await pilot.press("4")
            await until_shown(pilot, "Explain")
            await paste_prompt(pilot, "Say of {{ focus }}: {{ sentence }}")
            await until_shown(pilot, "Say of ")
            await pilot.press("f2")
            await until_told(pilot, "template saved")
            await pilot.press("escape", "3")
            await until_rows(pilot, 1)
            await pilot.press("e")
            await until_shown(pilot, "1 new")
            await submit_text(pilot, str(deck))
            await until_told(pilot, "read.apkg written")
            assert deck.stat().st_size > 1000
            template = await service.template.get()
            assert template is not None
            assert template.prompt == "Say of {{ focus }}: {{ sentence }}"
            assert_is_clean(pilot)
        assert server.stop() == 0


@pytest.mark.parametrize("width", [60, 80, 120])
async def test_a_server_that_went_is_told_of_at_the_top_until_it_is_back(home: Path, width: int) -> None:
    with ServerProcess(home) as server:
        async with app_on(server, (width, 24)) as (pilot, service):
            await load_samples(pilot)
            await until(pilot, lambda: "·" not in "".join(lines(pilot)[2:7]))  # words are counted after the rows came
            before = lines(pilot)[0]
            rows = lines(pilot)[2:7]
            await killed(pilot, server)
            assert lines(pilot)[0].endswith(f"anna · no answer from 127.0.0.1:{server.port}")
            assert lines(pilot)[2:7] == rows  # what had been read stays
            assert_is_clean(pilot)
            await pilot.press("6")
            await until_shown(pilot, "tries again")
            assert pilot.app.screen.query_one(Notice).display
            assert lines(pilot)[0].endswith(f"no answer from 127.0.0.1:{server.port}")
            await asyncio.to_thread(server.start)
            await until_shown(pilot, "succeeded")  # the list is read by itself
            assert service.trouble == ""
            await pilot.press("1")
            await until(pilot, lambda: lines(pilot)[0] == before)


async def test_what_others_changed_meanwhile_is_there_when_the_server_is_back(home: Path, settings: Settings) -> None:
    with ServerProcess(home) as server:
        async with app_on(server) as (pilot, _):
            await load_samples(pilot)
            await killed(pilot, server)
            there = LocalService(settings, "anna")
            page = await there.files.page()
            await there.files.delete(page.items[0].id)
            await there.close()
            await started_again(pilot, server)
            await until_rows(pilot, 3)


async def test_an_app_that_starts_before_its_server_says_so_and_goes_on_by_itself(
    home: Path, settings: Settings
) -> None:
    server = ServerProcess(home)
    app = LodeApp(RemoteService(server.url, "anna"), settings)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await until_shown(pilot, f"the server at 127.0.0.1:{server.port} does not answer")
        assert shows(pilot, f"anna · no answer from 127.0.0.1:{server.port}")
        with server:
            await until_shown(pilot, "Nothing here yet.")
            assert shows(pilot, f"anna · 127.0.0.1:{server.port}")


async def test_a_transcript_that_could_not_be_read_opens_when_the_server_is_back(home: Path) -> None:
    with ServerProcess(home) as server:
        async with app_on(server) as (pilot, _):
            await load_samples(pilot)
            await pilot.press("2")
            await until_rows(pilot, 4)
            await killed(pilot, server)
            await pilot.press("enter")
            await until_shown(pilot, "does not answer (no")
            await started_again(pilot, server)
            await until_shown(pilot, "0:0")
            assert not pilot.app.screen.query_one(Notice).display


async def test_a_template_that_is_being_written_outlives_the_server(home: Path) -> None:
    with ServerProcess(home) as server:
        async with app_on(server) as (pilot, service):
            await pilot.press("4")
            await until_shown(pilot, "Explain")
            await paste_prompt(pilot, "Say {{ sentence }}")
            await until_shown(pilot, "unsaved changes ●")
            await asyncio.to_thread(server.kill)
            await pilot.press("X", "Y")
            await until_shown(pilot, f"unsaved changes ● · no answer from 127.0.0.1:{server.port}")
            await pilot.press("f2")
            await until_told(pilot, "does not answer")
            editor = pilot.app.screen.query_one(PromptEditor)
            typed = editor.text
            assert {"X", "Y"} <= set(typed)
            assert editor.has_focus
            await started_again(pilot, server)
            assert editor.text == typed
            await pilot.press("Z")
            await until_shown(pilot, "noch ab.XYZ")  # the preview goes on
            await pilot.press("f2")
            await until_told(pilot, "template saved")
            saved = await service.template.get()
            assert saved is not None
            assert saved.prompt == editor.text != typed


async def test_a_template_that_could_not_be_read_comes_when_the_server_is_back(home: Path) -> None:
    with ServerProcess(home) as server:
        async with app_on(server) as (pilot, service):
            await service.template.save(NewTemplate("lexicon:concordance", "Mine: {{ sentence }}", "Be kind."))
            await killed(pilot, server)
            await pilot.press("4")
            await until(pilot, lambda: isinstance(pilot.app.screen, TemplateScreen))
            await until_told(pilot, "does not answer")
            assert len([toast for toast in toasts(pilot) if "does not answer" in toast]) == 1
            await started_again(pilot, server)
            await until_shown(pilot, "Mine:")
            await until_shown(pilot, "lexicon")


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
                await pilot.press("5")
                await until(pilot, lambda: isinstance(pilot.app.screen, BreakdownScreen))
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
                await pilot.press("r")
                await until_shown(pilot, "done")


@pytest.mark.parametrize("silent", [False, True], ids=["gone", "silent"])
async def test_the_app_quits_whatever_the_server_does(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, silent: bool
) -> None:
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
        await pilot.press("2", "4", "6", "3")
        await until(pilot, lambda: table(pilot).is_attached)
        await pilot.press("q")
        await until(pilot, lambda: app._exit)
    assert app.return_code == 0
    dumb.close()


async def test_files_that_were_sent_before_one_that_was_refused_come_into_view(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parse, "MAX_BYTES", 100)
    (tmp_path / "a.de.srt").write_text("1\n00:00:01,000 --> 00:00:02,000\nDer Zug fährt ab.\n", "utf-8")
    (tmp_path / "b.de.srt").write_bytes(b"x" * 101)
    with ServerProcess(home) as server:
        async with app_on(server) as (pilot, _):
            await until_shown(pilot, "sample library")
            await pilot.press("a")
            await submit_text(pilot, str(tmp_path))
            await until_shown(pilot, "of 2 files were sent")
            await pilot.press("escape")
            await until_rows(pilot, 1)


async def test_the_jobs_of_a_server_go_on_and_quitting_asks_nothing(home: Path, settings: Settings) -> None:
    with ServerProcess(home) as server:
        app = LodeApp(RemoteService(server.url), settings)
        async with app.run_test(size=(80, 24)) as pilot:
            await until_shown(pilot, "sample library")
            await pilot.press("S", "q")
            await until(pilot, lambda: app._exit)
        later = RemoteService(server.url)
        jobs = (await later.jobs.page()).items
        async for job in later.jobs.follow([job.id for job in jobs]):
            assert job.state != "interrupted"
        assert (await later.files.page()).total in (0, 4)  # quit before they were asked for, or all
        await later.close()


def test_making_the_app_on_a_server_connects_to_nothing_and_imports_no_http(run_python: Callable[[str], str]) -> None:
    """As with a database on this machine, that begins in a thread, with the first list that is read."""
    code = """
import sys
from pathlib import Path
from tui.app import LodeApp
from tui.config import Settings
from tui.remote import connection
from tui.remote.service import RemoteService

settings = Settings(home=Path("/nowhere/at/all"), config_path=Path("/nowhere/config.toml"))
LodeApp(RemoteService("http://127.0.0.1:9"), settings)
print(*sys.modules)
"""
    imported = {name.partition(".")[0] for name in run_python(code).split()}
    assert "textual" in imported
    assert not imported & {"httpx", "sqlite3", "sqlite_utils", "jinja2", "genanki", "fastapi"}
