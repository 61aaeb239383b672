"""Driving the real app over the real service: waiting for what should come, and reading what stands on the screen."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from threading import Event
from typing import Any
from unittest.mock import patch

from rich.cells import cell_len
from textual.events import Paste
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Input

from tests.hostile import FORBIDDEN
from tests.waiting import HANGS
from tui import config
from tui.app import LodeApp
from tui.compat.keyboard import KeyboardParser
from tui.records.clips import Clip, FocusWord, NewClip
from tui.screens.shell import toasts as shown_toasts
from tui.service.local import LocalService
from tui.service.protocol import Service
from tui.widgets.forms.prompt_editor import PromptEditor
from tui.widgets.table.record_table import RecordTable

SRT = """1
00:00:01,000 --> 00:00:03,500
Hoffentlich fährt er überhaupt noch ab.

2
00:00:04,000 --> 00:00:06,000
Bestimmt, der letzte Zug ist {name}.
"""


async def until(pilot: Pilot[None], holds: Callable[[], object]) -> None:
    """Let the app go on until ``holds`` does; fails with what is on the screen when it never does."""
    deadline = asyncio.get_running_loop().time() + HANGS
    while not holds():
        assert asyncio.get_running_loop().time() < deadline, "\n".join(lines(pilot))
        await pilot.pause()
        await asyncio.sleep(0.01)


def lines(pilot: Pilot[None]) -> list[str]:
    """What stands on the screen, line by line."""
    return [strip.text.rstrip() for strip in pilot.app.screen._compositor.render_strips()]


def shows(pilot: Pilot[None], text: str) -> bool:
    return any(text in line for line in lines(pilot))


def toasts(pilot: Pilot[None]) -> list[str]:
    """What has been notified, the latest last."""
    return [notification.message for notification in pilot.app._notifications]


async def until_shown(pilot: Pilot[None], text: str) -> None:
    await until(pilot, lambda: shows(pilot, text))


async def until_told(pilot: Pilot[None], text: str) -> None:
    await until(pilot, lambda: any(text in toast for toast in toasts(pilot)))


def assert_is_clean(pilot: Pilot[None]) -> None:
    """Every line has exactly the terminal's width, and nothing in it commands the terminal."""
    width, height = pilot.app.size
    strips = pilot.app.screen._compositor.render_strips()
    assert len(strips) == height
    for strip in strips:
        assert cell_len(strip.text) == width, strip.text
        assert not set(strip.text) & set(FORBIDDEN + "\n\r\t"), strip.text


def table(pilot: Pilot[None]) -> RecordTable[object]:
    return pilot.app.screen.query_one(RecordTable)


async def until_rows(pilot: Pilot[None], count: int) -> None:
    """Until the list of the screen has been read and has ``count`` rows."""

    def read() -> bool:
        found = pilot.app.screen.query(RecordTable)
        return bool(found) and found.first().is_loaded and found.first().total == count

    await until(pilot, read)
    await pilot.pause()


class Typed(str):
    """Text among keys that is typed in one go: what the app shows after each letter is not what is looked at."""


async def press_until(pilot: Pilot[None], *keys: str, **comes: Any) -> None:
    """Press the keys, then wait for what is to come of it, as ``until_all`` does."""
    for is_text, together in groupby(keys, lambda key: isinstance(key, Typed)):
        if is_text:
            type_at_once(pilot, "".join(together))
            await pilot.pause()
        else:
            await pilot.press(*together)
    await until_all(pilot, **comes)


async def until_all(
    pilot: Pilot[None],
    *,
    at: type[Screen[Any]] | None = None,
    gone: str = "",
    shown: str = "",
    told: str = "",
    rows: int | None = None,
    holds: Callable[[], object] = lambda: True,
) -> None:
    """Until this screen is there, this is gone, shown or told, the list has so many rows, and ``holds``."""
    if at is not None:
        await until(pilot, lambda: isinstance(pilot.app.screen, at))
    if gone:
        await until(pilot, lambda: not shows(pilot, gone))
    if shown:
        await until_shown(pilot, shown)
    if told:
        await until_told(pilot, told)
    if rows is not None:
        await until_rows(pilot, rows)
    await until(pilot, holds)


async def type_text(pilot: Pilot[None], text: str) -> None:
    """Paste a text into the field that has the focus, in place of what is in it."""
    field = pilot.app.focused
    assert isinstance(field, Input)
    field.clear()
    field.post_message(Paste(text))
    await pilot.pause()


async def submit_text(pilot: Pilot[None], text: str, **comes: Any) -> None:
    """Paste a text into the field that has the focus, in place of what is in it, press enter, and wait likewise."""
    await type_text(pilot, text)
    await press_until(pilot, "enter", **comes)


async def paste_prompt(pilot: Pilot[None], prompt: str) -> None:
    """Paste a prompt into the template's editor in place of the one there."""
    editor = pilot.app.screen.query_one(PromptEditor)
    editor.focus()
    before = editor.text
    editor.select_all()
    pilot.app.post_message(Paste(prompt))
    await until(pilot, lambda: editor.text != before)


@asynccontextmanager
async def opened(
    service: Service,
    size: tuple[int, int] = (80, 24),
    *,
    files: Sequence[str] = (),
    clips: Mapping[str, str] | None = None,
    section: str = "",
    rows: int | None = None,
    **changes: Any,
) -> AsyncIterator[Pilot[None]]:
    """The app, its first list read; then at the section of this digit, its list with this many rows.

    A library that is here gets these ``files`` and ``clips`` before, as by ``add_files`` and ``keep_clips``.
    Its settings are the service's own, or those of this home where that is remote, with ``changes``.
    """
    settings = service._settings if isinstance(service, LocalService) else config.load()
    if isinstance(service, LocalService):
        await add_files(service, *files)
        await keep_clips(service, clips or {})
    app = LodeApp(service, replace(settings, **changes))
    # On a busy machine a test may be held up for longer than a toast is shown.
    with patch.dict(shown_toasts._SECONDS, dict.fromkeys(shown_toasts._SECONDS, HANGS)):
        async with app.run_test(size=size, notifications=True) as pilot:
            await until(pilot, lambda: table(pilot).is_loaded)
            if section:
                await pilot.press(section)
            if rows is not None:
                await until_rows(pilot, rows)
            yield pilot


async def add_files(service: LocalService, *names: str) -> None:
    """Import one small subtitle file per name, in this order, and wait until they are there."""
    for name in names:
        jobs = await service.files.add([_film(service, name)])
        async for job in service.jobs.follow([job.id for job in jobs]):
            assert job.state != "failed", job.error


async def keep_clips(service: Service, words: Mapping[str, str]) -> list[Clip]:
    """Keep one clip per word, each with a sentence; oldest first."""
    return [
        await service.clips.add(
            NewClip(
                sentence,
                focus=FocusWord(word, lemma=word, meanings=(f"meaning of {word}",), language="de"),
                source="Der letzte Zug",
            )
        )
        for word, sentence in words.items()
    ]


@asynccontextmanager
async def held_import(service: LocalService) -> AsyncIterator[Event]:
    """An import of zug.srt that is at work until the event is set, or until the block ends."""
    from tui.importing.parse import ParsedFile
    from tui.service.jobs.parser_process import ParseRequest

    go_on = Event()
    real_parse = ParseRequest.parse

    def held_parse(request: ParseRequest, report: Callable[[float], None]) -> ParsedFile:
        while not go_on.wait(0.02):
            report(0.5)  # raises when the job is cancelled, as it does between the steps of a long parse
        return real_parse(request, report)

    path = _film(service, "zug.srt")
    with patch.object(ParseRequest, "parse", held_parse):
        await service.files.add([path])
        try:
            yield go_on
        finally:
            go_on.set()


def _film(service: LocalService, name: str) -> Path:
    """A small subtitle file beside the library."""
    folder = service._settings.home.parent / "films"
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(SRT.format(name=name.partition(".")[0]), "utf-8")
    return folder / name


def type_at_once(pilot: Pilot[None], text: str) -> None:
    """Send keys all together, as a slow line delivers them; escape sequences are what they are for a terminal."""
    driver = pilot.app._driver
    assert driver is not None
    parser = KeyboardParser()
    for event in (*parser.feed(text), *parser.feed("\x1b[I")):  # what follows shows that an esc stands alone
        driver.process_message(event)
