"""What is sent to a terminal: after each step of a walk its screen shows what a repaint of all would show."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from tests.bench.terminal import AnsweringProgram
from tests.repainting.library import SCRIBBLED, TERMINALS, fill
from tests.repainting.ssh_server import remote_command, ssh_server
from tests.repainting.walk import APP, SIZE, Walk, take_steps
from tests.slow_line import SlowProgram

_SHELL = (sys.executable, "-m", "tests.repainting.small_shell")
_OTHER_SCREEN = b"\x1b[?1049h"


def test_after_each_step_the_terminal_shows_what_a_repaint_would_show(home: Path) -> None:
    take_steps(home, 60, seed=1, environ=fill(home))


@pytest.mark.exhaustive
@pytest.mark.parametrize("terminal", TERMINALS)
def test_after_each_step_of_a_long_walk_any_terminal_shows_what_a_repaint_would_show(home: Path, terminal: str) -> None:
    take_steps(home, 300, seed=len(terminal), environ={**fill(home), **TERMINALS[terminal]})


@pytest.mark.exhaustive
def test_while_nothing_happens_nothing_is_sent(home: Path) -> None:
    """Not even a caret that blinks, in a field of one line and of several."""
    with AnsweringProgram(APP, environ={"LODE_HOME": str(home), **fill(home)}, size=SIZE) as program:
        program.until("Transcripts")
        program.settle(1.5)
        for keys in (("/",), ("\x1b[27u", "4", "\t", "\t", "\t", "\t")):  # a filter; the message of a template
            for key in keys:
                program.send(key)
                program.settle()
            program.settle(1.5, timeout=20.0)
            assert program.read(1.5) == b""


@pytest.mark.exhaustive
def test_all_is_shown_again_where_others_have_written_on_the_screen(home: Path) -> None:
    """A shell after ``ctrl+z``, and an editor."""
    environ = {"LODE_HOME": str(home), **fill(home)}
    with AnsweringProgram([*_SHELL, *APP], environ=environ, size=SIZE) as program:
        walk = Walk(program, home, SIZE)
        for place, leaves in (("1", "\x1a"), ("4", "\x1b[13~"), ("2", "\x1a"), ("\r", "\x1a"), (";", "\x1b[13~")):
            walk.take(place)
            before = {each: program.output.count(each) for each in (SCRIBBLED, _OTHER_SCREEN)}
            walk.press(leaves)
            walk.wait_until(lambda: all(program.output.count(each) > count for each, count in before.items()))
            walk.look()


@pytest.mark.exhaustive
def test_behind_a_slow_line_a_key_held_down_sends_no_more_than_three_screens_and_shows_all(home: Path) -> None:
    environ = {"LODE_HOME": str(home), **fill(home)}
    with _behind_slow_line(APP, environ) as program:
        _hold_a_key(Walk(program, home, SIZE))


@pytest.mark.exhaustive
def test_over_ssh_a_key_held_down_sends_no_more_than_three_screens_and_shows_all(home: Path, tmp_path: Path) -> None:
    """The server reads ahead of the line by megabytes, so that the app does not feel how slow it is."""
    environ = {"LODE_HOME": str(home), **fill(home)}
    with ssh_server(tmp_path) as ssh, _behind_slow_line([*ssh, remote_command(APP, environ)]) as program:
        _hold_a_key(Walk(program, home, SIZE))


def _behind_slow_line(command: Sequence[str], environ: Mapping[str, str] | None = None) -> SlowProgram:
    return SlowProgram(command, environ=environ, size=SIZE, round_trip=0.2, bytes_per_second=30_000)


def _hold_a_key(walk: Walk) -> None:
    """In the reader, where it scrolls; once more where a machine that is busy has made more frames of the same keys."""
    for key in ("2", "\r"):
        walk.take(key)
    for _ in range(2):
        for key in ("G", "\x1b[5~"):
            walk.take(key)
        walk.rest(1.5)
        before = walk.sent
        walk.look_at_redraw()
        screen = walk.sent - before
        walk.hold("k", 20)
        walk.rest(1.5)
        sent = walk.sent - before - screen
        if sent <= 3 * screen:
            break
    assert sent <= 3 * screen
    walk.look()
    walk.look_at_redraw()
