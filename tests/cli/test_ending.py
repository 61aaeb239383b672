"""Names that do not resolve, disks that do not answer, files that take long: Ctrl+C ends it all."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import subprocess
import termios
import zipfile
from array import array
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import pexpect
import pytest

from tests.cli.conftest import Lode
from tests.cli.test_signals import Opened, spawn
from tests.server_process import LODE
from tests.waiting import HANGS, wait_until
from tests.watching import MAX_MB, Watched, watch

pytestmark = pytest.mark.exhaustive

SILENT_DNS = """
import os, socket, time
real = socket.getaddrinfo

def getaddrinfo(host, *rest, **named):
    if host not in ("model.example", b"model.example"):
        return real(host, *rest, **named)
    open(os.environ["LOOKED_UP"], "a").close()
    time.sleep(600)  # a lookup that nothing answers, which whoever ends must not wait for
    raise socket.gaierror(socket.EAI_AGAIN, "no answer")

socket.getaddrinfo = getaddrinfo
"""
ASK = ("explain", "Der Zug fährt ab.", "--model", "slow:large", "--json")


@pytest.fixture
def looked_up(tmp_path: Path) -> Path:
    """A file that is there once the name is being looked up."""
    return tmp_path / "looked-up"


@pytest.fixture
def environ(home: Path, tmp_path: Path, looked_up: Path, monkeypatch: pytest.MonkeyPatch) -> Mapping[str, str]:
    """What an environment needs for a provider called "slow", whose name no server resolves."""
    for name in [name for name in os.environ if name.lower().endswith("_proxy")]:
        monkeypatch.delenv(name)
    (home / "config.toml").write_text('[providers.slow]\nprotocol = "openai"\nbase_url = "https://model.example/v1"\n')
    (tmp_path / "sitecustomize.py").write_text(SILENT_DNS)
    return {"PYTHONPATH": str(tmp_path), "LOOKED_UP": str(looked_up)}


@contextmanager
def started(environ: Mapping[str, str], *command: str) -> Iterator[subprocess.Popen[bytes]]:
    """A command that is killed at the end of the block, where it has not ended."""
    pipe = subprocess.PIPE
    with subprocess.Popen([LODE, *command], env={**os.environ, **environ}, stdout=pipe, stderr=pipe) as running:
        try:
            yield running
        finally:
            running.kill()


def ended_by_ctrl_c(environ: Mapping[str, str], looked_up: Path, *command: str) -> tuple[int, bytes, bytes]:
    """The exit code and the output of a command that is interrupted in the middle of a look."""
    with started(environ, *command) as running:
        wait_until(looked_up.exists)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=HANGS)
        return running.returncode, out, err


def test_ctrl_c_ends_the_lookup_of_a_name(environ: Mapping[str, str], looked_up: Path, lode: Lode) -> None:
    assert ended_by_ctrl_c(environ, looked_up, *ASK) == (130, b"", b"")
    (answer,) = lode("history", "list", "--json").json()
    assert answer["state"] == "aborted"  # what was asked was kept before the end
    looked_up.unlink()
    assert ended_by_ctrl_c(environ, looked_up, "doctor", "--live")[0] == 130


DEAD_MOUNT = """
import os, signal, time

def held(call):
    def called(path, *rest, **named):
        if os.environ["DEAD"] in str(path) and call.__name__ == os.environ["HELD"]:
            signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT,))  # whom a disk holds takes no signal
            open(os.environ["LOOKED_UP"], "a").close()
            time.sleep(600)  # as on a network that is gone
        return call(path, *rest, **named)
    return called

os.stat, os.open, os.scandir = held(os.stat), held(os.open), held(os.scandir)
"""


@pytest.fixture
def disk(home: Path, tmp_path: Path, looked_up: Path) -> Mapping[str, str]:
    """An environment in which whoever calls ``HELD`` on a path with ``DEAD`` in it waits for ten minutes."""
    dead = tmp_path / "dead"
    dead.mkdir()
    (dead / "story.srt").write_text("1\n00:00:01,000 --> 00:00:02,000\nDer Zug.\n")
    (tmp_path / "sitecustomize.py").write_text(DEAD_MOUNT)
    return {"PYTHONPATH": str(tmp_path), "LOOKED_UP": str(looked_up), "DEAD": str(dead)}


@pytest.mark.parametrize(
    ("call", "command", "path", "variables"),
    [
        ("stat", "add", "dead/story.srt", {}),
        ("scandir", "add", "dead/*.srt", {}),
        ("scandir", "add", "dead", {"LODE_URL": "http://127.0.0.1:9"}),
        ("open", "add", "dead/story.srt", {}),
        ("open", "add", "story.srt", {"LODE_HOME": "dead"}),
        ("stat", "export", "dead/deck.apkg", {}),
    ],
)
def test_ctrl_c_ends_a_command_on_a_disk_that_does_not_answer(
    tmp_path: Path,
    disk: Mapping[str, str],
    looked_up: Path,
    call: str,
    command: str,
    path: str,
    variables: Mapping[str, str],
) -> None:
    own = {name: str(tmp_path / value) if name == "LODE_HOME" else value for name, value in variables.items()}
    code, _, _ = ended_by_ctrl_c({**disk, "HELD": call, **own}, looked_up, command, str(tmp_path / path))
    assert code == 130


def test_a_second_ctrl_c_waits_for_no_library(home: Path, disk: Mapping[str, str], looked_up: Path) -> None:
    with started({**disk, "DEAD": str(home / "lode.db"), "HELD": "stat"}, "clips", "list") as listing:
        wait_until(looked_up.exists)
        listing.send_signal(signal.SIGINT)
        with pytest.raises(subprocess.TimeoutExpired):
            listing.wait(timeout=0.3)  # it lets go of its library, or would
        listing.send_signal(signal.SIGINT)
        listing.communicate(timeout=HANGS)
    assert listing.returncode == 130


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


def test_ctrl_c_ends_a_command_whose_reader_has_stopped_reading(lode: Lode, tmp_path: Path) -> None:
    text = tmp_path / "long.txt"
    text.write_text("Ein Satz ist lang genug. " * 20_000)
    transcript = lode("add", str(text), "--json").events()[0]["transcript_id"]
    with subprocess.Popen([LODE, "transcripts", "show", transcript], stdout=subprocess.PIPE) as showing:
        assert showing.stdout is not None
        assert showing.stdout.read(1)  # and no more: the pipe is full by now, or soon
        showing.send_signal(signal.SIGINT)
        assert showing.wait(timeout=HANGS) == 130


def test_a_lookup_that_was_given_up_holds_nothing_up(environ: Mapping[str, str], looked_up: Path, lode: Lode) -> None:
    with started(environ, *ASK) as asking:
        out, err = asking.communicate(timeout=HANGS)
    assert looked_up.exists()
    assert [json.loads(line)["event"] for line in out.splitlines()] == ["error", "done"]
    assert asking.returncode == 1
    assert err.startswith(b"error: slow does not answer at https://model.example/v1\nhint: ")
    (answer,) = lode("history", "list", "--json").json()
    assert answer["state"] == "failed"


def test_the_app_quits_while_a_name_is_looked_up(environ: Mapping[str, str], looked_up: Path, lode: Lode) -> None:
    assert lode("template", "set", "--model", "slow:large").code == 0
    app = Opened(environ)
    try:
        app.show("Transcripts")
        app.press("4")  # where the models of the provider are listed
        wait_until(looked_up.exists)
        app.press("\x11")  # ctrl+q
        assert app.end() == 0
    finally:
        app.app.close(force=True)


def run(home: Path, *args: str, interrupt_after: float | None = None) -> Watched:
    environ = {**os.environ, "LODE_HOME": str(home), "LANG": "C.UTF-8"}
    code = "from tui.cli import main; main()"
    return watch(code, *args, seconds=HANGS, interrupt_after=interrupt_after, environ=environ)


def write_cues(path: Path, count: int) -> Path:
    with path.open("w", encoding="utf-8", newline="\r\n") as written:
        for number in range(count):
            times = f"{number // 3600:02}:{number // 60 % 60:02}:{number % 60:02},{{}}"
            text = f"Der Zug Nummer {number} hält in Wort{number % 9973}dorf, 😀 {40 * '~'}."
            written.write(f"{number + 1}\n{times.format('000')} --> {times.format('900')}\n{text}\n\n")
    return path


def test_ctrl_c_ends_an_import_wherever_it_is(tmp_path: Path) -> None:
    path = write_cues(tmp_path / "large.srt", 12_000)
    for number, progress in enumerate(("parsing", "storing", "█" * 8)):
        home = tmp_path / str(number)
        adding = spawn(LODE, "add", str(path), environ={"LODE_HOME": str(home)})
        adding.expect_exact(progress)
        adding.kill(signal.SIGINT)
        adding.expect(pexpect.EOF)
        adding.close()
        assert adding.exitstatus == 130
        assert run(home, "files", "list", "--json").out == "[]\n"


def write_book(path: Path) -> None:
    """A book of one page of 30 MB, which its spine names 20 000 times."""
    page = "".join(
        f"<p>Der Zug {number * 7919} hält nicht in {9 * f'Wort{number}dorf, '} nie.</p>" for number in range(140_000)
    )
    spine = '<itemref idref="a"/>' * 20_000
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as book:
        book.writestr("mimetype", "application/epub+zip")
        book.writestr("META-INF/container.xml", '<container><rootfile full-path="a.opf"/></container>')
        item = '<item id="a" href="a.xhtml" media-type="application/xhtml+xml"/>'
        book.writestr("a.opf", f"<package><manifest>{item}</manifest><spine>{spine}</spine></package>")
        book.writestr("a.xhtml", page)


def write_page(path: Path) -> None:
    """A page of 100 000 links and spans within each other."""
    links = "".join(f'<a href="#{number}">Wort{number} </a>' for number in range(100_000))
    path.write_text(f"<html><body><p>{links}</p><p>{'<span>' * 100_000}Der Zug hält nicht.</body></html>", "utf-8")


def write_film(path: Path) -> None:
    """A film with a track of 100 000 subtitles."""
    from tests.media.films import subtitled  # where PyAV is installed

    subtitled(path, "ass", more=100_000)


@pytest.mark.parametrize(
    ("name", "write"), [("book.epub", write_book), ("page.html", write_page), ("film.mkv", write_film)]
)
def test_ctrl_c_ends_what_takes_long(tmp_path: Path, name: str, write: Callable[[Path], None]) -> None:
    write(tmp_path / name)
    done = run(tmp_path / "home", "add", str(tmp_path / name), interrupt_after=1.0)
    assert done.code in (130, 0)  # done before it came
    assert done.megabytes < MAX_MB
    assert done.seconds_to_end < 5  # a second, where nothing else runs
    if done.code:
        assert run(tmp_path / "home", "files", "list", "--json").out == "[]\n"


def measure_megabytes(home: Path, count: int) -> list[float]:
    """The memory of adding a file with so many cues, and of what is done with it then."""
    home.mkdir()
    done = [run(home, "add", str(write_cues(home / "large.srt", count)))]
    transcript = done[0].out.split()[-1]
    for as_json in ((), ("--json",)):
        done.append(run(home, "transcripts", "show", transcript, *as_json))
        assert done[-1].out.count("Der Zug Nummer") == count
    done += [run(home, *command) for command in (("transcripts", "delete", transcript, "--yes"), ("undo",))]
    assert [each.code for each in done] == [0] * len(done), done[0].out
    assert f'"cue_count":{count}' in run(home, "transcripts", "list", "--json").out
    return [each.megabytes for each in done]


def test_what_is_done_with_many_cues_takes_little_more_than_with_few(tmp_path: Path) -> None:
    few, many = (measure_megabytes(tmp_path / str(count), count) for count in (10_000, 30_000))
    adding, *others = (more - less for more, less in zip(many, few, strict=True))
    assert adding < 23 and max(others) < 8, (few, many)  # 16 and 3; the cues, if they were held, would be 12 more
