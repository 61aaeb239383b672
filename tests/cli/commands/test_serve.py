"""``lode serve``, as a process: where it listens, how it stops, and what keeps it from starting."""

from __future__ import annotations

import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.conftest import Lode
from tests.server_process import ServerProcess, free_port
from tests.waiting import HANGS
from tui.cli.commands import serve

Process = Callable[..., "subprocess.CompletedProcess[str]"]
TOKEN = "a-long-random-text-0123456789"


def asked(url: str, token: str = "") -> object:
    request = urllib.request.Request(url, headers={"Authorization": f"Bearer {token}"} if token else {})
    with urllib.request.urlopen(request, timeout=10) as response:
        return json.load(response)


def refused(process: Process, *arguments: str, **options: object) -> list[str]:
    """Error message of a server that does not start."""
    done = process("serve", *arguments, **options)
    assert (done.returncode, done.stdout) == (1, ""), done.stderr
    return done.stderr.splitlines()


def test_it_says_where_it_listens_answers_there_and_stops_when_asked(home: Path) -> None:
    with ServerProcess(home, port=0) as server:
        assert server.said[0].startswith("Lode ")
        assert server.said[0].endswith(f" offers the library in {home} at {server.url}")
        assert not server.url.endswith((":0", ":8765"))
        assert asked(f"{server.url}/profiles/clips") == []
        assert server.stop() == 0
    assert server.said[1:] == [
        f"  app and commands  lode --url {server.url}",
        f"  over HTTP         {server.url}/docs",
        "ctrl+c stops it",
        "stopped",
    ]


@pytest.mark.exhaustive
def test_ctrl_c_stops_it_with_no_trace_on_the_screen(home: Path) -> None:
    with ServerProcess(home) as server:
        assert server.stop(signal.SIGINT) == 0
    assert server.said[-1] == "stopped"


@pytest.mark.exhaustive
def test_a_second_ctrl_c_does_not_wait_for_requests_that_are_under_way(home: Path) -> None:
    with ServerProcess(home) as server, socket.create_connection(("127.0.0.1", server.port)) as slow:
        slow.sendall(
            b"POST /profiles/files?name=a.srt HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100000\r\n\r\n1\n"
        )
        assert asked(f"{server.url}/health")  # the slow one came before
        server.process.send_signal(signal.SIGINT)
        with pytest.raises(subprocess.TimeoutExpired):
            server.process.wait(0.5)
        server.process.send_signal(signal.SIGINT)
        server.process.wait(HANGS)
        assert b" 408 " not in slow.recv(100), "it was waited for until it was too slow"


@pytest.mark.exhaustive
def test_a_prompt_is_rendered_in_the_fastest_loop_there_is(home: Path) -> None:
    with ServerProcess(home) as server:
        body = json.dumps({"sentence": "Der Zug fährt ab.", "prompt": "Explain: {{ sentence }}"}).encode()
        request = urllib.request.Request(
            f"{server.url}/llm/breakdown/preview", body, {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=20) as response:
            assert json.load(response) == "Explain: Der Zug fährt ab."
        assert server.stop() == 0


@pytest.mark.exhaustive
def test_with_a_token_nothing_is_told_without_it(home: Path, tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text(f"{TOKEN}\n")
    file.chmod(0o600)
    with ServerProcess(home, "--token-file", str(file)) as server:
        assert server.said[1] == f"  app and commands  LODE_TOKEN=… lode --url {server.url}"
        assert TOKEN not in "".join(server.said)
        with pytest.raises(urllib.error.HTTPError) as error:
            asked(f"{server.url}/profiles/clips")
        assert error.value.code == 401
        assert asked(f"{server.url}/profiles/clips", TOKEN) == []


@pytest.mark.exhaustive
def test_a_token_that_others_can_read_is_warned_about(home: Path, tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text(TOKEN)
    file.chmod(0o644)
    with ServerProcess(home, "--token-file", str(file)) as server:
        assert server.said[:2] == [f"warning: others can read the token in {file}", f"hint: chmod 600 {file}"]


@pytest.mark.exhaustive
def test_an_address_that_others_can_reach_needs_a_token(process: Process) -> None:
    error, hint = refused(process, "--host", "0.0.0.0")
    assert error == "error: others can reach 0.0.0.0, and there is no token"
    assert "--token-file" in hint


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("content", "cause"),
    [(" \n", "is empty"), ("two words", "holds no token"), ("a\nb", "holds no token"), ("ü", "holds no token")],
)
def test_a_file_without_a_token_is_refused(process: Process, tmp_path: Path, content: str, cause: str) -> None:
    file = tmp_path / "token"
    file.write_text(content, "utf-8")
    file.chmod(0o600)
    assert refused(process, "--token-file", str(file))[0] == f"error: the token file {file} {cause}"
    missing = tmp_path / "nothing"
    assert refused(process, "--token-file", str(missing))[0].startswith(f"error: the token file {missing} cannot be")


@pytest.mark.exhaustive
def test_a_port_that_is_taken_is_named(process: Process) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        error, hint = refused(process, "--port", str(port))
    assert error == f"error: 127.0.0.1:{port} cannot be listened at: Address already in use"
    assert hint == "hint: try another --port"


@pytest.mark.exhaustive
def test_a_host_that_does_not_exist_is_named(process: Process) -> None:
    error, hint = refused(process, "--host", "no-such-host.invalid", env={**os.environ, "LODE_TOKEN": TOKEN})
    assert error.startswith("error: no-such-host.invalid:8765 cannot be listened at: ")
    assert "--host" in hint


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("BEGIN IMMEDIATE", "another program holds the database"),
        ("INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES ('lode', 'm999', '')", "newer Lode"),
        (b"no database at all" * 100, "is damaged or no Lode database"),
    ],
)
def test_a_library_that_is_held_newer_or_damaged_is_not_served(
    home: Path, process: Process, lode: Lode, change: str | bytes, said: str
) -> None:
    assert lode("clips", "list").code == 0
    with closing(sqlite3.connect(home / "lode.db", isolation_level=None)) as other:
        if isinstance(change, str):
            other.execute(change)
        else:
            (home / "lode.db").write_bytes(change)
        error, hint = refused(process, "--port", str(free_port()))
    assert said in error
    assert hint.startswith("hint: ")


@pytest.mark.exhaustive
def test_a_library_that_can_only_be_read_is_not_served(home: Path, lode: Lode, monkeypatch: pytest.MonkeyPatch) -> None:
    from tui.store import store

    assert lode("clips", "list").code == 0
    monkeypatch.setattr(store, "_can_be_written", lambda path: False)
    done = lode("serve", "--port", str(free_port()))
    assert done.code == 1
    assert done.err.startswith(f"error: the library {home / 'lode.db'} can only be read\nhint: make the file and ")


def test_without_the_extra_it_says_how_to_install_it(lode: Lode, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    done = lode("serve")
    assert (done.code, done.out) == (1, "")
    assert done.err == "error: what a server needs is not installed: uvicorn\nhint: pip install 'lode[server]'\n"


@pytest.mark.parametrize("option", ["--url=http://127.0.0.1:1", "--profile=anna"])
def test_what_a_server_has_no_use_for_is_wrong_usage(lode: Lode, option: str) -> None:
    for arguments in (("serve", option), (option, "serve")):
        done = lode(*arguments)
        assert (done.code, done.out) == (2, "")
        assert "error: a server serves " in done.err


@pytest.mark.parametrize(
    ("typed", "origin"),
    [("https://Cards.example", "https://cards.example"), ("http://localhost:3000/", "http://localhost:3000")],
)
def test_an_origin_is_written_as_browsers_send_it(typed: str, origin: str) -> None:
    assert serve._origin(typed) == origin


@pytest.mark.parametrize("typed", ["cards.example", "*", "https://cards.example/page", ""])
def test_what_is_no_origin_is_wrong_usage(lode: Lode, typed: str) -> None:
    done = lode("serve", "--allow-origin", typed)
    assert done.code == 2
    assert "is no origin" in done.err


def test_it_may_have_as_many_connections_as_the_system_allows(run_python: Callable[[str], str]) -> None:
    code = """
import resource
from tui.cli.commands.serve import _raise_file_limit
hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))
_raise_file_limit()
most = 16_384 if hard == resource.RLIM_INFINITY else min(hard, 16_384)
print(resource.getrlimit(resource.RLIMIT_NOFILE)[0] == most)
"""
    assert run_python(code) == "True\n"
