"""A name that does not resolve: neither a command nor the app waits at its end for a DNS server that says nothing."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pexpect
import pytest

from tests.cli.conftest import Lode
from tests.server_process import LODE
from tests.waiting import HANGS, wait_until

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
def environ(home: Path, tmp_path: Path, looked_up: Path) -> Mapping[str, str]:
    """Environment with a provider called "slow", whose name no server resolves."""
    (home / "config.toml").write_text('[providers.slow]\nprotocol = "openai"\nbase_url = "https://model.example/v1"\n')
    site = tmp_path / "site"
    site.mkdir()
    (site / "sitecustomize.py").write_text(SILENT_DNS)
    return {
        **{name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")},
        "PYTHONPATH": os.pathsep.join(filter(None, (str(site), os.environ.get("PYTHONPATH")))),
        "LOOKED_UP": str(looked_up),
        "TERM": "xterm-256color",
        "LANG": "C.UTF-8",
    }


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


def test_ctrl_c_ends_a_command_while_a_name_is_looked_up(
    environ: Mapping[str, str], looked_up: Path, lode: Lode
) -> None:
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
    site, dead = tmp_path / "site", tmp_path / "dead"
    site.mkdir()
    dead.mkdir()
    (dead / "story.srt").write_text("1\n00:00:01,000 --> 00:00:02,000\nDer Zug.\n")
    (site / "sitecustomize.py").write_text(DEAD_MOUNT)
    return {"PYTHONPATH": str(site), "LOOKED_UP": str(looked_up), "DEAD": str(dead)}


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


def test_a_second_ctrl_c_ends_a_command_at_once_whatever_holds_its_library(
    home: Path, disk: Mapping[str, str], looked_up: Path
) -> None:
    environ = {**os.environ, **disk, "DEAD": str(home / "lode.db"), "HELD": "stat"}
    with subprocess.Popen([LODE, "clips", "list"], env=environ, stderr=subprocess.PIPE) as listing:
        wait_until(looked_up.exists)
        listing.send_signal(signal.SIGINT)
        with pytest.raises(subprocess.TimeoutExpired):
            listing.wait(timeout=0.3)  # it lets go of its library, or would
        listing.send_signal(signal.SIGINT)
        listing.communicate(timeout=HANGS)
    assert listing.returncode == 130


def test_ctrl_c_ends_a_command_whose_reader_has_stopped_reading(lode: Lode, tmp_path: Path) -> None:
    text = tmp_path / "long.txt"
    text.write_text("Ein Satz ist lang genug. " * 20_000)
    transcript = lode("add", str(text), "--json").events()[0]["transcript_id"]
    with subprocess.Popen([LODE, "transcripts", "show", transcript], stdout=subprocess.PIPE) as showing:
        assert showing.stdout is not None
        assert showing.stdout.read(1)  # and no more: the pipe is full by now, or soon
        showing.send_signal(signal.SIGINT)
        assert showing.wait(timeout=HANGS) == 130


def test_a_command_that_gave_up_a_lookup_says_all_and_ends(
    environ: Mapping[str, str], looked_up: Path, lode: Lode
) -> None:
    with subprocess.Popen(
        [LODE, *ASK], env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as asking:
        assert asking.stdout is not None
        lines = [asking.stdout.readline(), asking.stdout.readline()]
        rest, err = asking.communicate(timeout=HANGS)
    assert looked_up.exists()
    assert [json.loads(line)["event"] for line in lines] == ["error", "done"]
    assert (rest, asking.returncode) == ("", 1)
    assert err.startswith("error: slow does not answer at https://model.example/v1\nhint: ")
    (answer,) = lode("history", "list", "--json").json()
    assert answer["state"] == "failed"


def test_the_app_quits_while_a_name_is_looked_up(environ: Mapping[str, str], looked_up: Path, lode: Lode) -> None:
    assert lode("template", "set", "--model", "slow:large").code == 0
    app = pexpect.spawn(LODE, env=dict(environ), dimensions=(30, 100), timeout=HANGS, encoding="utf-8")
    try:
        app.expect_exact("Transcripts")
        app.send("4")  # where the models of the provider are listed
        wait_until(looked_up.exists)
        app.send("\x11")  # ctrl+q
        app.expect(pexpect.EOF)
        app.wait()
        assert (app.exitstatus, app.signalstatus) == (0, None)
        assert "\x1b[?1049l" in app.before  # the terminal is as it was
    finally:
        app.close(force=True)
