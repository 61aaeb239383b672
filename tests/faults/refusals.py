"""How a refusal is told: one error in the command line, and in the app a word beside what was typed."""

from __future__ import annotations

from textual.pilot import Pilot
from textual.widgets import Input

from tests.cli.conftest import Done
from tests.screens.driving import assert_is_clean, lines, shows, toasts, type_text, until
from tui.screens.lists.add_files import AddPrompt


def assert_one_error(done: Done, cause: str) -> None:
    """It failed with one line that says why and one that says what next, and nothing else."""
    assert (done.code, done.out) == (1, "")
    error, hint = done.err.splitlines()
    assert error.startswith(("error: ", "refused  "))
    assert cause in error
    assert hint.startswith("hint: ")
    assert len(hint) > len("hint: ")


async def until_said(pilot: Pilot[None], *parts: str) -> None:
    """Until the parts stand on the screen, wrapped or not, or have been notified."""

    def said() -> bool:
        everything = "".join("".join((*lines(pilot), *toasts(pilot))).split())
        return all("".join(part.split()) in everything for part in parts)

    await until(pilot, said)
    # A screen that has come just now, below what was notified, is laid out first.
    await until(pilot, lambda: len(lines(pilot)) == pilot.app.size.height)
    assert_is_clean(pilot)
    assert not shows(pilot, "Traceback")


async def quits(pilot: Pilot[None]) -> None:
    await pilot.press("q")
    await until(pilot, lambda: not pilot.app.is_running)
    assert pilot.app.return_code == 0


async def offer(pilot: Pilot[None], paths: str) -> None:
    """Type paths into the question which files to add, and take them."""
    await pilot.press("1", "a")
    await until(pilot, lambda: isinstance(pilot.app.screen, AddPrompt) and pilot.app.focused is not None)
    await type_text(pilot, paths)
    await pilot.press("enter")


def typed_path(pilot: Pilot[None]) -> str:
    return pilot.app.focused.value if isinstance(pilot.app.focused, Input) else ""
