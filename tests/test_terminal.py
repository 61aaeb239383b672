"""The installed ``lode`` in a real terminal (tmux), from the first start to a deck that Anki imports."""

import asyncio
import os
import shutil
import sqlite3
import subprocess
import sys
import threading
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from tests.deck.conftest import Anki, Imported
from tests.emulator import Cells, Emulator
from tests.llm.breaking_down import FOCUS
from tests.llm.fakes.fake_server import FakeModelServer, answer, is_stream, stream
from tests.server_process import free_port
from tests.waiting import HANGS, wait_until

_STILL = 10
"""Looks at the screen, one after the other, that show the same."""


class Terminal:
    """A tmux session of its own server with ``lode`` in it."""

    def __init__(self, home: Path, arguments: Sequence[str]) -> None:
        self.socket = f"lode-{uuid.uuid4().hex[:8]}"
        lode = Path(sys.executable).with_name("lode")
        environ = {**os.environ, "LODE_HOME": str(home), "TERM": "xterm-256color", "TMUX": "", "LANG": "C.UTF-8"}
        command = ["new-session", "-d", "-s", "lode", "-x", "80", "-y", "24", str(lode), *arguments]
        self.tmux("-f", "/dev/null", "-u", *command, environ=environ)

    def tmux(self, *arguments: str, environ: dict[str, str] | None = None) -> str:
        done = subprocess.run(
            ["tmux", "-L", self.socket, *arguments],
            capture_output=True,
            text=True,
            env=environ,
            timeout=HANGS,
            check=False,
        )
        return done.stdout

    def press(self, *keys: str) -> None:
        for key in keys:
            self.tmux("send-keys", "-t", "lode", key)

    def press_together(self, *keys: str) -> None:
        """Send all keys in one go, so that Lode reads them together."""
        self.tmux("send-keys", "-t", "lode", *keys)

    def type(self, text: str) -> None:
        self.tmux("send-keys", "-t", "lode", "-l", text)

    def screen(self) -> str:
        return self.tmux("capture-pane", "-p", "-t", "lode")

    def cells(self) -> Cells:
        """The screen with its colours."""
        screen = Emulator(80, 24)
        screen.feed(
            self.tmux("capture-pane", "-p", "-e", "-N", "-t", "lode").rstrip("\n").replace("\n", "\r\n").encode()
        )
        return screen.cells()

    def still(self) -> Cells:
        """The screen with its colours, once it has been the same for a while."""
        seen = [self.cells()]

        def is_still() -> bool:
            seen.append(self.cells())
            return len(seen) > _STILL and all(each == seen[-1] for each in seen[-_STILL:])

        wait_until(is_still)
        return seen[-1]

    def wait_for(self, *texts: str, gone: str = "") -> str:
        """The screen once it shows all the texts (and not ``gone``)."""
        return self.wait_until(lambda screen: all(text in screen for text in texts) and not (gone and gone in screen))

    def wait_until(self, true: Callable[[str], bool]) -> str:
        screen = ""

        def looked() -> bool:
            nonlocal screen
            screen = self.screen()
            return true(screen)

        wait_until(looked, lambda: screen)
        return screen

    def press_until(self, key: str, true: Callable[[str], bool]) -> str:
        """Press the key again while nothing happens, as one does: what is pressed while a dialog closes is dropped."""

        def pressed(screen: str) -> bool:
            if true(screen):
                return True
            self.press(key)
            return False

        return self.wait_until(pressed)

    def is_running(self) -> bool:
        return bool(self.tmux("list-sessions"))

    def close(self) -> None:
        self.tmux("kill-server")


@pytest.fixture
def terminals(home: Path) -> Iterator[Callable[..., Terminal]]:
    if shutil.which("tmux") is None:
        pytest.skip("tmux is not installed")
    if not Path(sys.executable).with_name("lode").exists():
        pytest.skip("the lode command is not installed beside this Python")
    opened: list[Terminal] = []

    def open_terminal(*arguments: str, home: Path = home) -> Terminal:
        opened.append(Terminal(home, arguments))
        return opened[-1]

    yield open_terminal
    for terminal in opened:
        terminal.close()


def test_from_the_first_start_to_a_deck_without_file_or_key(terminals: Callable[..., Terminal], tmp_path: Path) -> None:
    deck = tmp_path / "first.apkg"
    terminal = terminals()
    terminal.wait_for("In your own language", "English")
    terminal.press("Enter")
    terminal.wait_for("Nothing here yet", "sample library")
    terminal.press("S")
    terminal.wait_for("Der letzte Zug")
    terminal.press("2")
    terminal.wait_for("Title", "Der letzte Zug")
    terminal.press("/")
    terminal.type("letzte")
    terminal.wait_for("Der letzte Zug", gone="Spanish")
    terminal.press("Enter")
    terminal.wait_for("open", gone="to the list")
    terminal.press("Enter")
    terminal.wait_for("0:0", "cues")
    terminal.press("j", "j", "l", "Enter")
    terminal.wait_for("dance · done", "times in your library")
    terminal.press("c")
    terminal.wait_for("saved")
    terminal.press_together("3")
    terminal.wait_for("Mann", "Ein Mann mit einem")
    terminal.press_together("d", "y", "y")  # keys that are sent together find what the ones before them opened
    terminal.wait_for("No clips yet", "1 clip deleted")
    terminal.press_together("u")
    terminal.wait_for("Mann", "Ein Mann mit einem")
    terminal.press_together("e", "C-u", *str(deck), "Enter", "Enter")
    wait_until(deck.exists, terminal.screen)
    terminal.press_together("?", "q", "q")  # the second one is dropped: the app is there after it
    terminal.press_until("1", lambda screen: "Size" in screen)
    terminal.press_until("q", lambda _: not terminal.is_running())
    collection = Anki(tmp_path / "collection.anki2")
    try:
        assert collection.take(deck) == Imported(new=1)
    finally:
        collection.col.close()


def test_read_opens_the_app_at_a_transcript(terminals: Callable[..., Terminal], home: Path) -> None:
    lode = Path(sys.executable).with_name("lode")
    subprocess.run([lode, "add", "--samples"], capture_output=True, check=True)
    terminal = terminals("read", "der", "letzte")
    terminal.wait_for("Der letzte Zug", "59 cues", "Es ist ein kalter Abend")
    terminal.press_until("q", lambda _: not terminal.is_running())


def test_enter_right_after_the_start_is_at_yesterdays_line(terminals: Callable[..., Terminal], home: Path) -> None:
    lode = Path(sys.executable).with_name("lode")
    subprocess.run([lode, "add", "--samples"], capture_output=True, check=True)
    yesterday = terminals("read", "der", "letzte")
    yesterday.wait_for("Der letzte Zug", "Es ist ein kalter Abend")
    yesterday.press(*"jjjjjjjjj")
    line = " ▌ 0:36  Und? Wohin fahren Sie?"
    yesterday.wait_for(line)
    yesterday.press_until("q", lambda _: not yesterday.is_running())
    today = terminals()
    today.wait_for("Continue", "Der letzte Zug", "⏎")
    today.press("Enter")
    today.wait_for(line)
    today.press_until("q", lambda _: not today.is_running())
    in_a_hurry = terminals()
    in_a_hurry.press("Enter")  # before there is anything to be seen
    in_a_hurry.wait_for(line)
    in_a_hurry.press_until("q", lambda _: not in_a_hurry.is_running())


class CountedKeys:
    """Keys of one user: how many it took; a paste is one."""

    def __init__(self, terminal: Terminal) -> None:
        self._terminal = terminal
        self.count = 0

    def press(self, *keys: str, then: Sequence[str] = (), gone: str = "") -> None:
        """Press keys, and look for what is to be on the screen then."""
        self._terminal.press(*keys)
        self.count += len(keys)
        self._terminal.wait_for(*then, gone=gone)

    def paste(self, text: str, then: str) -> None:
        self._terminal.type(f"\x1b[200~{text}\x1b[201~")
        self.count += 1
        self._terminal.wait_for(then)


@pytest.mark.exhaustive
def test_a_sentence_that_one_knows_is_ten_keys_away(terminals: Callable[..., Terminal]) -> None:
    subprocess.run([Path(sys.executable).with_name("lode"), "add", "--samples"], capture_output=True, check=True)
    terminal = terminals()
    terminal.wait_for("Der letzte Zug")
    user = CountedKeys(terminal)
    user.press("C-f", then=["find anything"])
    user.press(*"verspät", then=["Verspätung"])
    user.press("Enter", "Enter", then=["Der letzte Zug · German", "▌", "Verspätung"], gone="find anything")
    assert user.count == 10
    terminal.press_until("q", lambda _: not terminal.is_running())


@pytest.mark.exhaustive
def test_from_a_films_file_to_a_clip_are_eight_keys(terminals: Callable[..., Terminal], tmp_path: Path) -> None:
    pytest.importorskip("av")
    from tests.media.films import subtitled

    film = subtitled(tmp_path / "El loro.mkv", "srt")
    terminal = terminals()
    terminal.wait_for("In your own language")
    terminal.press("Escape")
    terminal.wait_for("Nothing here yet")
    user = CountedKeys(terminal)
    user.press("a", then=["Add"])
    user.paste(str(film), then=film.name)
    user.press("Enter", then=["El loro.es", "1 imported"], gone="Add")
    user.press("Enter", then=["▌"])
    user.press("l", "c", then=["saved"])
    assert user.count <= 8
    terminal.press_until("q", lambda _: not terminal.is_running())


@pytest.fixture
def models() -> Iterator[FakeModelServer]:
    """A model server on an event loop of its own: the test waits for a terminal meanwhile."""
    loop = asyncio.new_event_loop()
    serving = threading.Thread(target=loop.run_forever)
    serving.start()
    server = FakeModelServer()
    server.on_chat = lambda request: stream("*dem* is a dative.") if is_stream(request) else answer(FOCUS)
    try:
        asyncio.run_coroutine_threadsafe(server.__aenter__(), loop).result(HANGS)
        yield server
        asyncio.run_coroutine_threadsafe(server.__aexit__(), loop).result(HANGS)
    finally:
        loop.call_soon_threadsafe(loop.stop)
        serving.join(HANGS)
        loop.close()


@pytest.mark.exhaustive
def test_the_five_minutes_of_the_readme_are_forty_keys(
    terminals: Callable[..., Terminal],
    home: Path,
    tmp_path: Path,
    models: FakeModelServer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Every step of it in its order, with what stands in brackets there; a path is pasted, which counts as one key."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    (home / "config.toml").write_text(f'[providers.openai]\nbase_url = "{models.base_url}"\n', "utf-8")
    own = tmp_path / "Im Wald.de.srt"
    own.write_text("1\n00:00:01,000 --> 00:00:02,000\nWir gehen in den Wald.\n", "utf-8")
    monkeypatch.setenv("HOME", str(tmp_path))
    terminal = terminals()
    user = CountedKeys(terminal)
    terminal.wait_for("In your own language", "English")
    user.press("Enter", then=["Nothing here yet", "sample library"])  # 1
    user.press("a", then=["Add"])
    user.paste(str(own), then=own.name)
    user.press("Enter", then=["Im Wald", "1 imported"], gone="Add")
    user.press("S", then=["▌  Der letzte Zug"])
    user.press("Enter", then=["Der letzte Zug · German · 59 cues", "▌ 0:01"])  # 2
    user.press("j", "k", "j", then=["▌ 0:04"])
    user.press("h", "l", "l", then=["dem · new · der · the"])
    user.press("D", then=["╭─ dem", "article"], gone="looking it up")
    user.press("Escape", gone="╭─ dem")
    user.press("P", then=["times in your library"])
    user.press("Escape", then=["▌ 0:04"])
    user.press("Enter", then=["done", "times in your library"])  # 3
    user.press("c", then=["saved"])  # 4
    user.press("Escape", then=["▌ 0:04"])
    user.press("w", then=["dem · learning"])  # 5
    user.press("W", then=["words marked as known"])
    user.press("Tab", then=["Ein · new"])
    user.press("2", then=["Title", "Known"])
    user.press("4", then=["lexicon", "concordance"])  # 6
    user.press("Enter", "Down", "Enter", then=["fake-large", "fake-small"])
    user.press("Enter", "F2", then=["template saved", "openai"])
    user.press("5", "r", then=["is a dative", "done"])
    user.press("3", then=["Auf dem kleinen Bahnhof"])  # 7
    user.press("e", then=["lode.apkg"])
    user.press("Enter", then=["written: 1 new"])
    assert (tmp_path / "lode.apkg").exists()
    user.press("d", "y", then=["No clips yet"])
    user.press("u", then=["Bahnhof"])
    assert user.count <= 40
    terminal.press_until("q", lambda _: not terminal.is_running())


@pytest.mark.exhaustive
def test_one_terminal_serves_the_library_another_reads_it(terminals: Callable[..., Terminal], tmp_path: Path) -> None:
    port = str(free_port())
    here = tmp_path / "here"  # the reader's machine has a home of its own
    here.mkdir()
    address = f"127.0.0.1:{port}"
    serving = terminals("serve", "--port", port)
    serving.wait_for(f"lode --url http://{address}", "ctrl+c stops it")
    reading = terminals("--url", f"http://{address}", "--profile", "anna", home=here)
    reading.wait_for("In your own language")
    reading.press("Escape")
    reading.wait_for("Nothing here yet", f"anna · {address}")
    reading.press("S")
    reading.wait_for("Der letzte Zug")
    serving.press("C-c")
    serving.wait_until(lambda _: not serving.is_running())
    reading.press("3")
    reading.wait_for(f"no answer from {address}", "tries again")
    terminals("serve", "--port", port)
    reading.wait_for(f"anna · {address}", "No clips yet", gone="no answer")
    reading.press("q")
    reading.wait_until(lambda _: not reading.is_running())
    assert not (here / "lode.db").exists()


@pytest.mark.exhaustive
def test_the_terminals_cursor_is_shown_at_the_row_and_the_word_and_ctrl_z_and_an_editor_leave_it_whole(
    terminals: Callable[..., Terminal], home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    editor = tmp_path / "editor"
    editor.write_text('#!/bin/sh\nclear; echo in the editor; read -r line; echo "$line" > "$1"\n', "utf-8")
    editor.chmod(0o755)
    monkeypatch.setenv("EDITOR", str(editor))
    home.mkdir(parents=True, exist_ok=True)
    (home / "config.toml").write_text("cursor = true\n", "utf-8")
    terminal = terminals()

    def at_cursor(text: str) -> Callable[[str], bool]:
        def stands(screen: str) -> bool:
            place = terminal.tmux("display-message", "-p", "-t", "lode", "#{cursor_flag} #{cursor_x} #{cursor_y}")
            is_shown, x, y = map(int, place.split())
            return bool(is_shown) and screen.splitlines()[y][x:].lstrip(" ▌").startswith(text)

        return stands

    terminal.wait_for("In your own language")
    terminal.press("Escape")
    terminal.wait_for("Nothing here yet")
    terminal.press("S")
    terminal.wait_for("Der letzte Zug")
    terminal.press("2", "/")
    terminal.type("letzte")
    terminal.wait_for("Der letzte Zug", gone="El loro")
    terminal.press("Enter")
    terminal.wait_until(at_cursor("Der letzte Zug"))
    terminal.press("Enter")
    terminal.wait_for("cues")
    terminal.press("j", "l")
    terminal.press(r"\;")  # for tmux, which takes a bare one for the end of its command
    terminal.wait_for("A note on this sentence")
    terminal.press("F3")
    terminal.wait_for("in the editor")
    terminal.type("a prefix")
    terminal.press("Enter")
    terminal.wait_for("A note on this sentence", "a prefix")
    terminal.press("Enter")
    terminal.wait_for("the note is kept")
    terminal.press("C-z")
    terminal.wait_for("no shell is there")
    terminal.press("C-l")
    terminal.wait_for("cues")
    terminal.press("Escape", "q")
    terminal.press_until("q", lambda _: not terminal.is_running())


@pytest.mark.exhaustive
def test_in_tmux_what_stands_on_the_screen_after_each_key_is_what_a_redraw_brings_back(
    terminals: Callable[..., Terminal], home: Path
) -> None:
    subprocess.run([Path(sys.executable).with_name("lode"), "add", "--samples"], capture_output=True, check=True)
    with closing(sqlite3.connect(home / "lode.db")) as connection, connection:
        for table in ("files", "all_transcripts"):
            connection.execute(f"UPDATE {table} SET created_at = '2001-01-01T00:00:00.000Z'")  # ages stay as they are
    terminal = terminals("read", "月曜日")
    terminal.wait_for("美咲は四月に")
    tty = Path(terminal.tmux("display-message", "-p", "-t", "lode", "#{pane_tty}").strip())
    terminal.press("C-l")  # from now on the line under the eye stands in the middle
    sections = {
        "2": "Title",
        "3": "No clips yet",
        "5": "Nothing has been asked",
        "7": "To learn next",
        "4": "System message",
    }
    for key in (*"llhllh", *"\x1b2jjkjGg/", "カ", *"\x1b357jjk4"):
        terminal.type(key)
        terminal.wait_for(sections.get(key, ""))
        before = terminal.still()
        tty.write_bytes(b"\x1b[2J")  # as another program on this terminal would
        terminal.wait_until(lambda screen: not screen.strip())
        terminal.press("C-l")
        terminal.wait_until(lambda _: terminal.cells() == before)
    terminal.press("Escape")
    terminal.press_until("q", lambda _: not terminal.is_running())
