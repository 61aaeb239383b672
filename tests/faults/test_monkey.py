"""Monkeys at the keyboard: hundreds of random keys, pastes, clicks and resizes, several at once, break nothing.

One types whatever comes; the other one uses the keys of the keymap, and undo gives the library back as it was.
"""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from textual.geometry import Size
from textual.pilot import Pilot

from tests.conftest import Reports
from tests.hostile import HOSTILE
from tests.screens.driving import add_files, keep_clips, opened, shows, type_at_once, until
from tests.service.monkey.looking import facts_of
from tests.service.monkey.model import Facts
from tests.store.conftest import run_sql
from tui.app import LodeApp
from tui.errors import InvalidInput
from tui.screens.shell.keymap import key_scopes
from tui.service.local import LocalService
from tui.widgets.chrome.key_line import declared_bindings

pytestmark = pytest.mark.exhaustive

SEEDS = range(2)
USER_SEEDS = range(int(os.environ.get("LODE_MONKEY_SEEDS", "2")))
INPUTS = 300
"""For each seed."""
_TURNS = 40
"""Of the event loop, between two bursts: some of the next come while the app is still at work."""
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 /?|@.,;:'\"*~[]{}<>!%&=+-_\\"
OFTEN = "jkhlgGdyneEcxvJKHuarSs/|?@1234567"
KEYS = (
    *("\r", "\x1b[27u", "\t", "\x1b[Z", "\x7f"),  # enter, escape, tab, shift+tab, backspace
    *(f"\x1b[{key}" for key in ("A", "B", "C", "D", "5~", "6~", "H", "F", "3~")),  # arrows, pages, home, end, delete
    *("\x1bOQ", "\x1bOS", "\x1b[15~", "\x1b[19~"),  # f2, f4, f5, f8
    *("\x10", "\x13", "\x03", "\x11", "\x15", "\x04", "\x01", "\x1a"),  # ctrl and p, s, c, q, u, d, a, z
    *("\ufffd", "\x1b[:Q", "\x1b[O"),  # not UTF-8, no sequence, focus lost
)
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
            return self._random.choice(KEYS)
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


LEFT_ALONE = {
    *("q", "ctrl+q", "ctrl+c", "ctrl+z", "f3", "ctrl+e"),  # they end the app, or give the terminal to another program
    *("S", "at"),  # what jobs bring and other profiles do is not what undo of this one takes back
}
PHRASES: tuple[tuple[str, ...], ...] = (
    *(("slash", *word, "enter") for word in ("zug", "lang:de", "-zug", "x")),
    *(("ctrl+f", *word, "enter") for word in ("zug", "ist")),
    *(("s", "down", "enter"), ("s", "tab", "enter"), ("U", "enter"), ("U", "down", "enter"), ("ctrl+r",), ("u",)),
    *(("V", "down", "d", "y"), ("space", "space", "number_sign", *"tag", "enter"), ("f", "a"), ("f", "s")),
    *((":", *"42", "enter"), ("less_than_sign",), ("greater_than_sign",), ("semicolon", *"note", "enter"), ("b",)),
)
"""What people type, as far as it is more than a key."""
STEPS = 120
UNDONE = "clip", "film", "file", "mark", "note", "view"
"""What undo gives back of all that the keys change: places of reading, answers and jobs stay."""


@pytest.mark.parametrize("seed", USER_SEEDS)
async def test_undo_gives_back_what_the_keys_of_all_screens_have_changed(
    service: LocalService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reports: Reports, seed: int
) -> None:
    await add_files(service, "zug.srt", "faro.de.srt")
    await keep_clips(service, {"Zug": "Der Zug hat Verspätung.", "Haus": "Das Haus ist alt.", "Tag": "Guten Tag."})
    fence(service, tmp_path, monkeypatch)
    monkeypatch.setattr(LodeApp, "exit", lambda *_, **__: None)
    await service._library.run(lambda store: run_sql(store, "DELETE FROM trash"))
    before = await kept(service)
    dice, typed = random.Random(seed), list[Sequence[str]]()
    keys = sorted(
        {binding.key for scope in key_scopes() for node in scope.nodes for binding in declared_bindings(node)}
    )
    keys = [key for key in keys if key not in LEFT_ALONE]
    async with opened(service, (100, 30)) as pilot:
        for _ in range(STEPS):
            if dice.random() < 0.03:
                await pilot.resize_terminal(*dice.choice(SIZES))
            often = (*((each,) for each in (*"jkgG", "enter", "escape", "space", dice.choice("1234567"))), *PHRASES)
            typed.append(dice.choice(often) if dice.random() < 0.5 else (dice.choice(keys),))
            await pilot.press(*typed[-1])
            assert not reports.faults, f"seed {seed}, the last {typed[-12:]}"
            assert pilot.app.is_running
        await home(pilot)
        await pilot.app.workers.wait_for_complete()
        while await service.undo() is not None:
            pass
        after = await kept(service)
        new = [key for key in after.keys() - before.keys() if key[0] not in ("file", "film")]
        assert {key: after.get(key) for key in before} == before, f"seed {seed}: {typed[-40:]}"
        assert not new, f"seed {seed}: {[after[key] for key in new]} {typed[-40:]}"


async def kept(service: LocalService) -> Facts:
    facts = await facts_of({service.profile: service})
    return {key: fact for key, fact in facts.items() if key[0] in UNDONE}


async def home(pilot: Pilot[None]) -> None:
    """From wherever it is, the keyboard leads to the list of files."""
    await pilot.resize_terminal(100, 30)
    await until(pilot, lambda: pilot.app.size == Size(100, 30))
    for _ in range(12):
        type_at_once(pilot, KEYS[1])
        await pilot.pause()
        if shows(pilot, "unsaved changes"):
            type_at_once(pilot, "d")
            await pilot.pause()
    type_at_once(pilot, "1")
    await until(pilot, lambda: pilot.app.current_mode == "files" and not pilot.app.screen.is_modal)


def fence(service: LocalService, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing outside ``place`` is read or written, whichever path the monkey types."""
    monkeypatch.setenv("HOME", str(place))
    monkeypatch.chdir(place)

    def inside(path: Any) -> None:
        if not Path(path).expanduser().resolve().is_relative_to(place):
            raise InvalidInput("not there", hint="elsewhere")

    def fenced(call: Callable[..., Any], path_at: int) -> Any:
        async def checked(*args: Any, **options: Any) -> Any:
            given = args[path_at]
            for path in given if isinstance(given, list | tuple) else [given]:
                inside(path)
            return await call(*args, **options)

        return checked

    for part, name, path_at in (
        (service.files, "add", 0),
        (service.deck, "export", 0),
        (service.transcripts, "export", 1),
    ):
        monkeypatch.setattr(part, name, fenced(getattr(part, name), path_at))
