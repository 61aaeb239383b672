"""``lode add`` of what is no file: standard input, archives, addresses."""

from __future__ import annotations

import fcntl
import signal
import subprocess
import termios
from array import array
from pathlib import Path
from typing import IO

import pytest

from tests.cli.conftest import STORY, Lode
from tests.importing.archives.making import encrypted, story, zipped
from tests.importing.web.web_server import Answer, WebServer, web
from tests.server_process import LODE
from tui.importing import parse

__all__ = ["web"]


def test_standard_input_is_imported_under_the_name_that_is_given(lode: Lode) -> None:
    done = lode("add", "-", "--name", "Der Zug.de.srt", "--json", stdin=STORY)
    (event,) = done.events()
    assert (event["state"], event["title"], event["language"], event["cues"]) == ("added", "Der Zug", "de", 2)
    assert event["path"] == "Der Zug.de.srt"


def test_without_a_name_the_first_words_are_the_title(lode: Lode) -> None:
    assert lode("add", "-", stdin=STORY).out.startswith("added\tDer Zug fährt ab\t2 cues\t")
    story = "Es war einmal ein König. Er schlief."
    assert lode("add", "-", stdin=story).out.startswith("added\tEs war einmal ein König\t")


@pytest.mark.parametrize(
    ("stdin", "said"),
    [(b"", "stdin.txt is empty"), (b"\x89PNG\r\n\x1a\n" + bytes(99), "a PNG image"), (b"x" * 100_001, "the most that")],
)
def test_what_cannot_be_imported_of_it_is_refused(
    lode: Lode, stdin: bytes, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parse, "MAX_BYTES", 100_000)
    done = lode("add", "-", stdin=stdin)
    assert (done.code, done.out) == (1, "")
    assert said in done.err
    assert lode("files", "list", "--json").json() == []


def test_a_name_belongs_to_standard_input(lode: Lode, tmp_path: Path) -> None:
    done = lode("add", str(tmp_path), "--name", "a.srt")
    assert done.code == 2
    assert "--name is the name of what comes on standard input" in done.err


def test_ctrl_c_ends_the_wait_for_standard_input() -> None:
    with subprocess.Popen(
        [LODE, "add", "-"], stdin=subprocess.PIPE, stderr=subprocess.PIPE, stdout=subprocess.PIPE
    ) as run:
        assert run.stdin is not None
        run.stdin.write(b"Es war einmal")
        run.stdin.flush()
        while _unread(run.stdin):
            assert run.poll() is None
        run.send_signal(signal.SIGINT)
        assert run.wait() == 130


def _unread(pipe: IO[bytes]) -> int:
    """The bytes in a pipe that nobody has read yet."""
    count = array("i", [0])
    fcntl.ioctl(pipe, termios.FIONREAD, count)
    return count[0]


def test_an_archive_is_one_line_for_each_of_its_files(lode: Lode, tmp_path: Path) -> None:
    path = zipped(tmp_path / "Dark.zip", {"S01E01.srt": story("1"), "S01E02.srt": story("2"), "empty.srt": b""})
    done = lode("add", str(path))
    assert done.code == 1
    assert [line.split("\t")[:2] for line in done.out.splitlines()] == [
        ["added", "Dark · S01E02"],
        ["added", "Dark · S01E01"],
    ]
    assert "refused  empty.srt: empty.srt is empty" in done.err
    listed = lode("transcripts", "list", "--json").json()
    assert [(each["title"], each["series"], each["season"], each["episode"]) for each in listed] == [
        ("Dark · S01E01", "Dark", 1, 1),
        ("Dark · S01E02", "Dark", 1, 2),
    ]
    locked = lode("add", str(encrypted(zipped(tmp_path / "locked.zip", {"a.srt": story("a")}))))
    assert (locked.code, locked.err.count("\n")) == (1, 2)
    assert "locked.zip cannot be imported: it is encrypted" in locked.err


def test_an_address_is_fetched_and_its_refusal_is_one_error(lode: Lode, web: WebServer) -> None:
    web.answers["/film.de.srt"] = Answer(STORY.encode(), "text/plain")
    (event,) = lode("add", f"{web.url}/film.de.srt", "--json").events()
    assert (event["state"], event["title"], event["path"]) == ("added", "film", f"{web.url}/film.de.srt")
    missing = lode("add", f"{web.url}/missing.srt")
    assert (missing.code, missing.err.count("\n")) == (1, 2)
    assert "404 Not Found" in missing.err
