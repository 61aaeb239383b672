"""A monkey at the keyboard: thousands of random keys, pastes, clicks and resizes, several at once, break nothing."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from textual.geometry import Size
from textual.pilot import Pilot

from tests.conftest import Reports
from tests.hostile import HOSTILE
from tests.screens.driving import add_files, keep_clips, opened, shows, type_at_once, until
from tui.app import LodeApp
from tui.errors import InvalidInput
from tui.service.local import LocalService

pytestmark = pytest.mark.exhaustive

SEEDS = range(4)
INPUTS = 500
"""For each seed: 2,000 in all."""
_TURNS = 40
"""Of the event loop, between two bursts: some of the next come while the app is still at work."""
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 /?|@.,;:'\"*~[]{}<>!%&=+-_\\"
OFTEN = "jkhlgGdyneEcxvJKHuarSs/|?@1234567"
KEYS = {
    "enter": "\r",
    "escape": "\x1b[27u",
    "tab": "\t",
    "shift+tab": "\x1b[Z",
    "backspace": "\x7f",
    "arrows": "\x1b[A",
    "down": "\x1b[B",
    "right": "\x1b[C",
    "left": "\x1b[D",
    "pageup": "\x1b[5~",
    "pagedown": "\x1b[6~",
    "home": "\x1b[H",
    "end": "\x1b[F",
    "delete": "\x1b[3~",
    "f2": "\x1bOQ",
    "f4": "\x1bOS",
    "f5": "\x1b[15~",
    "f8": "\x1b[19~",
    "ctrl+p": "\x10",
    "ctrl+s": "\x13",
    "ctrl+c": "\x03",
    "ctrl+q": "\x11",
    "ctrl+u": "\x15",
    "ctrl+d": "\x04",
    "ctrl+a": "\x01",
    "ctrl+z": "\x1a",
    "not utf-8": "\ufffd",
    "no sequence": "\x1b[:Q",
    "focus lost": "\x1b[O",
}
SIZES = ((100, 30), (80, 24), (60, 16), (120, 40), (50, 10), (20, 5), (200, 50))


class Monkey:
    """Chooses what comes next; the same seed chooses the same."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self.size = SIZES[0]

    def burst(self) -> list[str]:
        return [self._one() for _ in range(self._random.choice((1, 1, 2, 3, 8)))]

    def resizes(self) -> tuple[int, int] | None:
        if self._random.random() < 0.02:
            self.size = self._random.choice(SIZES)
            return self.size
        return None

    def _one(self) -> str:
        what = self._random.random()
        if what < 0.45:
            return self._random.choice(OFTEN)
        if what < 0.60:
            return self._random.choice(LETTERS)
        if what < 0.90:
            return self._random.choice(tuple(KEYS.values()))
        if what < 0.96:
            width, height = self.size
            place = f"{self._random.randint(1, width)};{self._random.randint(1, height)}"
            return f"\x1b[<0;{place}M\x1b[<0;{place}m" if what < 0.94 else f"\x1b[<64;{place}M"
        return f"\x1b[200~{self._random.choice(tuple(HOSTILE.values()))}\x1b[201~"


@pytest.mark.parametrize("seed", SEEDS)
async def test_nothing_that_is_typed_breaks_anything(
    service: LocalService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reports: Reports, seed: int
) -> None:
    await add_files(service, "zug.srt", "faro.de.srt", "雨の日の図書館.srt")
    await keep_clips(service, {"Zug": "Der Zug hat Verspätung.", "Haus": "Das Haus ist alt.", "Tag": "Guten Tag."})
    fence(service, tmp_path, monkeypatch)
    monkeypatch.setattr(LodeApp, "exit", lambda *_, **__: None)  # it is to stay, whatever it answers
    monkey, typed = Monkey(seed), list[Sequence[str]]()
    async with opened(service, monkey.size) as pilot:
        while sum(map(len, typed)) < INPUTS:
            if size := monkey.resizes():
                await pilot.resize_terminal(*size)
            typed.append(monkey.burst())
            type_at_once(pilot, "".join(typed[-1]))
            for _ in range(_TURNS):
                await asyncio.sleep(0)
            if len(typed) % 20 == 0:
                await pilot.pause()
            assert not reports.faults, f"after {sum(map(len, typed))} inputs, the last {typed[-12:]}"
            assert pilot.app.is_running
        await home(pilot)


async def home(pilot: Pilot[None]) -> None:
    """From wherever it is, the keyboard leads to the list of files."""
    await pilot.resize_terminal(100, 30)
    await until(pilot, lambda: pilot.app.size == Size(100, 30))
    for _ in range(12):
        type_at_once(pilot, KEYS["escape"])
        await pilot.pause()
        if shows(pilot, "unsaved changes"):
            type_at_once(pilot, "d")
            await pilot.pause()
    type_at_once(pilot, "1")
    await until(pilot, lambda: pilot.app.current_mode == "files" and not pilot.app.screen.is_modal)


def fence(service: LocalService, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing outside ``place`` is read or written, whichever path the monkey types."""
    add, export, export_text = service.files.add, service.deck.export, service.transcripts.export
    monkeypatch.setenv("HOME", str(place))
    monkeypatch.chdir(place)

    def inside(path: Any) -> None:
        if not Path(path).expanduser().resolve().is_relative_to(place):
            raise InvalidInput("not there", hint="elsewhere")

    async def add_here(paths: Sequence[Any], **options: Any) -> Any:
        for path in paths:
            inside(path)
        return await add(paths, **options)

    async def export_here(path: Any, **options: Any) -> Any:
        inside(path)
        return await export(path, **options)

    async def export_text_here(transcript_id: str, path: Any, **options: Any) -> Any:
        inside(path)
        return await export_text(transcript_id, path, **options)

    monkeypatch.setattr(service.transcripts, "export", export_text_here)
    monkeypatch.setattr(service.files, "add", add_here)
    monkeypatch.setattr(service.deck, "export", export_here)
