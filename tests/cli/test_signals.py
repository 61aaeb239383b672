"""A signal, or a terminal that goes, ends the app in order: the terminal as it was, nothing lost, its own exit code."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pexpect
import pytest

from tests.cli.conftest import Lode
from tests.llm.fakes.fake_server import FakeModelServer, Gate, is_stream, slow
from tests.server_process import LODE
from tests.waiting import HANGS

MODES = ("?1049", "?1000", "?1003", "?1006", "?1015", "?2004", "?1004")
"""Terminal modes that the app switches on: the alternate screen, the mouse, pasting and focus."""


def spawn(command: str, *arguments: str, environ: Mapping[str, str] | None = None) -> Any:
    """Start a command in a pseudo-terminal whose own size counts."""
    size = ("COLUMNS", "LINES")
    own = {"TERM": "xterm-256color", "LANG": "C.UTF-8", "PS1": "prompt> ", **(environ or {})}
    return pexpect.spawn(
        command,
        list(arguments),
        env={**{name: value for name, value in os.environ.items() if name not in size}, **own},
        dimensions=(30, 100),
        timeout=HANGS,
        encoding="utf-8",
        codec_errors="replace",
    )


class Opened:
    """The app in a pseudo-terminal; ``said`` is all that it wrote."""

    def __init__(self, environ: Mapping[str, str] | None = None) -> None:
        self.said = ""
        self.app = spawn(LODE, environ=environ)
        self.app.logfile_read = self
        self.flags = termios.tcgetattr(self.app.child_fd)

    def write(self, text: str) -> None:
        self.said += text

    def flush(self) -> None: ...

    def show(self, text: str) -> None:
        self.app.expect_exact(text)

    def press(self, keys: str) -> None:
        self.app.send(keys)

    def kill(self, *numbers: int) -> None:
        for number in numbers:
            self.app.kill(number)

    def end(self) -> int:
        """Wait for it; gives the exit code, and sees that the terminal is as it was."""
        self.app.expect(pexpect.EOF)
        flags = termios.tcgetattr(self.app.child_fd)
        self.app.close()
        assert flags == self.flags
        left = [mode for mode in MODES if self.said.rfind(f"\x1b[{mode}h") > self.said.rfind(f"\x1b[{mode}l")]
        assert not left, "modes of the terminal are left on"
        assert self.said.rfind("\x1b[?25l") <= self.said.rfind("\x1b[?25h"), "the cursor is left hidden"
        assert self.said.count("\x1b[>") == self.said.count("\x1b[<u"), "the keyboard's protocol is left on"
        assert self.app.signalstatus is None
        assert isinstance(self.app.exitstatus, int)
        return self.app.exitstatus


@pytest.fixture
def opened(lode: Lode) -> Iterator[Opened]:
    assert lode("profiles", "set", "--explain-in", "en").code == 0  # else a new library asks for it first
    opened = Opened()
    yield opened
    opened.app.close(force=True)


@pytest.mark.exhaustive
@pytest.mark.parametrize("numbers", [(signal.SIGINT,), (signal.SIGHUP, signal.SIGTERM)], ids=["one", "two"])
def test_a_signal_leaves_the_terminal_as_it_was(opened: Opened, numbers: Sequence[int]) -> None:
    opened.show("Nothing here yet")
    if numbers == (signal.SIGINT,):  # nothing is asked about what is unsaved
        opened.press("4")
        opened.show("System")
        opened.press("\t and more")
        opened.show("unsaved")
    opened.kill(*numbers)
    assert opened.end() - 128 in numbers  # of two at once another thread may get the second first


@pytest.mark.exhaustive
def test_ctrl_z_gives_the_terminal_to_the_shell_fg_brings_the_app_back_and_a_signal_ends_it(opened: Opened) -> None:
    shell = spawn("bash", "--norc", "-i")
    try:
        shell.expect_exact("prompt> ")
        shell.sendline(str(LODE))
        shell.expect_exact("Nothing here yet")
        for stop in range(2):
            shell.send("\x1a")
            shell.expect_exact("?1049l")
            shell.expect_exact("prompt> ")
            shell.sendline(f"echo $(({stop} + 40))")
            shell.expect_exact(str(stop + 40))
            shell.sendline("fg")
            shell.expect_exact("?1049h")
            shell.expect_exact("Nothing here yet")
        shell.send("4")
        shell.expect_exact("System")
        shell.send("q")
        shell.expect_exact("prompt> ")
    finally:
        shell.close(force=True)
    opened.show("Nothing here yet")
    opened.press("\x1a")  # no shell has started this one
    opened.show("no shell is there")
    opened.kill(signal.SIGTERM)
    assert opened.end() == 143


SIGNAL_AT_IMPORT = """
import os, signal, sys

class Watch:
    def find_spec(self, name, path=None, target=None):
        if name == os.environ["SIGNAL_AT"]:
            os.kill(os.getpid(), signal.SIGTERM)

sys.meta_path.insert(0, Watch())
"""


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "module",
    ["tui.cli.context", "asyncio.tasks", "textual.screen", "textual.drivers.linux_driver", "tui.store.tables.words"],
)
def test_a_signal_while_the_app_starts_leaves_the_terminal_as_it_was(home: Path, tmp_path: Path, module: str) -> None:
    (tmp_path / "sitecustomize.py").write_text(SIGNAL_AT_IMPORT)
    opened = Opened(environ={"PYTHONPATH": str(tmp_path), "SIGNAL_AT": module})
    try:
        assert opened.end() == 143
    finally:
        opened.app.close(force=True)


@pytest.mark.exhaustive
async def test_an_answer_that_was_coming_is_kept_as_aborted(home: Path, server: FakeModelServer, lode: Lode) -> None:
    (home / "config.toml").write_text(f'[providers.work]\nbase_url = "{server.base_url}"\n', "utf-8")
    gate = Gate()
    server.on_chat = lambda request: slow(["what came"], gate) if is_stream(request) else slow([], gate)

    def drive() -> None:
        assert lode("template", "set", "--model", "work:large").code == 0
        assert lode("add", "--samples").code == 0
        app = Opened()
        try:
            app.show("Der letzte Zug")
            app.press("2")
            app.show("Title")
            app.press("\r")
            app.show("cues")
            app.press("x")
            app.show("what came")
            app.kill(signal.SIGHUP)
            assert app.end() == 129
        finally:
            app.app.close(force=True)

    await asyncio.to_thread(drive)
    (answer,) = (await asyncio.to_thread(lode, "history", "list", "--json")).json()
    assert answer["state"] == "aborted"


@contextmanager
def started_in_a_terminal(**how: Any) -> Iterator[tuple[int, subprocess.Popen[bytes]]]:
    """The app, and the outer end of its terminal, which is for the test to close."""
    outer, inner = os.openpty()
    environ = {**os.environ, "TERM": "xterm-256color", "LANG": "C.UTF-8"}
    app = subprocess.Popen([LODE], stdin=inner, stdout=inner, stderr=inner, env=environ, **how)
    try:
        yield outer, app
    finally:
        app.kill()
        os.close(inner)


@pytest.mark.exhaustive
@pytest.mark.parametrize("hang_up", [True, False], ids=["with a signal", "without one"])
def test_a_terminal_that_goes_away_ends_the_app(home: Path, hang_up: bool) -> None:
    def own_session() -> None:
        import fcntl

        os.setsid()
        if hang_up:
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    with started_in_a_terminal(preexec_fn=own_session) as (outer, app):
        said = b""
        while b"Nothing here yet" not in said:
            said += os.read(outer, 65536)
        os.close(outer)
        assert app.wait(HANGS) == 129


@pytest.mark.exhaustive
def test_a_terminal_that_takes_nothing_any_more_does_not_hold_the_end_up(home: Path) -> None:
    with started_in_a_terminal() as (outer, app):
        assert b"\x1b[?1049h" in os.read(outer, 16)  # and nothing is read from then on
        for _ in range(400):
            os.write(outer, b"23")
            if app.poll() is not None:
                break
            time.sleep(0.005)  # so that more is drawn than the terminal takes
        app.send_signal(signal.SIGTERM)
        assert app.wait(HANGS) == 143
        os.close(outer)


@pytest.mark.exhaustive
def test_no_byte_of_the_keyboard_ends_the_app(opened: Opened) -> None:
    opened.show("Nothing here yet")
    for data in (
        *(b"\xff", b"\xc3", "é".encode("latin-1")),  # no character, half a one, one of another encoding
        *(b"\x1b[M \xa0\x30", b"\x1b[:Q", b"\x1b[5785994R"),  # an old mouse, a sequence and a key that are none
        *(b"\x1b[200~\xff\xfe\x1b[201~", b"\x04\x1a\x00"),  # a paste of such bytes, what ends inputs
    ):
        os.write(opened.app.child_fd, data)
        os.write(opened.app.child_fd, b"33")
        opened.show("No clips yet")
        opened.press("11")
        opened.show("Nothing here yet")
    opened.press("\x11")
    assert opened.end() == 0


# Commands.


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("number", "code", "ignored"),
    [(signal.SIGINT, 130, ()), (signal.SIGTERM, 143, ()), (signal.SIGHUP, 129, (signal.SIGINT,))],
    ids=["ctrl+c", "in front", "in the background"],
)
async def test_a_command_ends_by_a_signal_and_keeps_what_came(
    home: Path, server: FakeModelServer, lode: Lode, number: int, code: int, ignored: Sequence[int]
) -> None:
    (home / "config.toml").write_text(f'[providers.work]\nbase_url = "{server.base_url}"\n', "utf-8")
    gate = Gate()
    server.on_chat = lambda request: slow(["what came"], gate)

    def asked() -> int:
        def ignore() -> None:
            for each in ignored:
                signal.signal(each, signal.SIG_IGN)

        command = [LODE, "explain", "Der Zug fährt ab.", "--model", "work:large", "--json"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=ignore) as asking:
            assert asking.stdout is not None
            while b"what came" not in asking.stdout.readline():
                pass
            asking.send_signal(number)
            _, err = asking.communicate(timeout=HANGS)
            assert err == b""
            return asking.returncode

    assert await asyncio.to_thread(asked) == code
    await server.chats[-1].disconnected.wait()
    (answer,) = (await asyncio.to_thread(lode, "history", "list", "--json")).json()
    assert (answer["state"], answer["text"]) == ("aborted", "what came")


@pytest.mark.exhaustive
def test_what_nohup_starts_is_not_ended_by_a_terminal_that_hangs_up() -> None:
    def ignore() -> None:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)

    code = (
        "import signal, sys; from tui.cli import signals; signals.end_like_ctrl_c(); signal.raise_signal(1); print(1)"
    )
    done: Any = subprocess.run([sys.executable, "-c", code], preexec_fn=ignore, capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (0, b"1\n")
