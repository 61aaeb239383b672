"""``lode serve``: where it listens, how it stops, and what keeps it from starting."""

from __future__ import annotations

import json
import resource
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Lode
from tests.server_process import ServerProcess, free_port
from tests.waiting import HANGS
from tui.cli.commands import serve
from tui.cli.serving import read_origin

TOKEN = "a-long-random-text-0123456789"


def ask(url: str, token: str = "") -> object:
    request = urllib.request.Request(url, headers={"Authorization": f"Bearer {token}"} if token else {})
    with urllib.request.urlopen(request, timeout=HANGS) as response:
        return json.load(response)


def send(url: str, request: object) -> Any:
    with urllib.request.urlopen(url, json.dumps(request).encode(), timeout=HANGS) as answer:
        return json.load(answer)


@contextmanager
def answering_as_anki() -> Iterator[int]:
    """A server that says of itself what AnkiConnect says; gives its port."""

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = b"AnkiConnect v.6"
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Answer) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield server.server_port
        finally:
            server.shutdown()


def test_it_says_where_it_listens_answers_there_and_stops_when_asked(home: Path) -> None:
    with ServerProcess(home, port=0) as server:
        assert server.said[0].startswith("Lode ")
        assert server.said[0].endswith(f" offers the library in {home} at {server.url}")
        assert not server.url.endswith((":0", ":8765"))
        assert ask(f"{server.url}/profiles/clips") == []
        assert server.stop() == 0
    assert server.said[1:] == [
        f"  app and commands  lode --url {server.url}",
        f"  over HTTP         {server.url}/docs",
        "ctrl+c stops it",
        "stopped",
    ]


@pytest.mark.exhaustive
def test_beside_it_an_inbox_takes_cards_in_the_same_library_until_it_stops(home: Path, lode: Lode) -> None:
    (home / "config.toml").write_text('profile = "anna"\n', "utf-8")
    port = free_port()
    with ServerProcess(home, "--inbox", "--inbox-port", str(port)) as server:
        cards = f"http://127.0.0.1:{port}"
        assert server.said[-2] == f"  cards             {cards} takes them for the profile anna: lode help inbox"
        note = {"deckName": "Lode", "modelName": "Lode", "fields": {"Sentence": "Der Zug fährt ab."}}
        added = send(cards, {"action": "addNote", "version": 6, "params": {"note": note}})
        assert added["error"] is None
        (clip,) = lode("--url", server.url, "--profile", "anna", "clips", "list", "--json").json()
        assert clip["sentence"] == "Der Zug fährt ab."
        assert server.stop(signal.SIGINT) == 0
        assert server.said[-1] == "stopped"
        with pytest.raises(urllib.error.URLError):
            send(cards, {"action": "version", "version": 6})


@pytest.mark.exhaustive
def test_an_inbox_that_cannot_begin_is_an_error_at_once(home: Path, lode: Lode) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        lode("serve", "--port", "0", "--inbox", "--inbox-port", str(port)).check_refused(
            f"error: 127.0.0.1:{port} cannot be listened at", "--inbox-port 8770"
        )


@pytest.mark.exhaustive
def test_it_says_who_has_its_port(home: Path, lode: Lode) -> None:
    with answering_as_anki() as port:
        lode("serve", "--port", str(port)).check_refused(
            f"error: Anki (AnkiConnect) listens at 127.0.0.1:{port} already",
            "hint: try another --port, as in --port 8770",
        )
    for command, holder in (("inbox", "an inbox of Lode"), ("serve", "another lode serve")):
        with ServerProcess(home, command=command) as other:
            for each in ("serve", "inbox"):
                lode(each, "--port", str(other.port)).check_refused(
                    f"error: {holder} listens at 127.0.0.1:{other.port} already", "--port 8770"
                )


@pytest.mark.exhaustive
def test_a_second_ctrl_c_does_not_wait_for_requests_that_are_under_way(home: Path) -> None:
    with ServerProcess(home) as server, socket.create_connection(("127.0.0.1", server.port)) as slow:
        slow.sendall(
            b"POST /profiles/files?name=a.srt HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100000\r\n\r\n1\n"
        )
        assert ask(f"{server.url}/health")  # the slow one came before
        server.process.send_signal(signal.SIGINT)
        with pytest.raises(subprocess.TimeoutExpired):
            server.process.wait(0.5)
        server.process.send_signal(signal.SIGINT)
        server.process.wait(HANGS)
        assert b" 408 " not in slow.recv(100), "it was waited for until it was too slow"


@pytest.mark.exhaustive
def test_with_a_token_nothing_is_told_without_it_and_ctrl_c_leaves_no_trace(home: Path, tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text(f"{TOKEN}\n")
    file.chmod(0o644)
    with ServerProcess(home, "--token-file", str(file)) as server:
        assert server.said[:2] == [f"warning: others can read the token in {file}", f"hint: chmod 600 {file}"]
        assert server.said[3] == f"  app and commands  LODE_TOKEN=… lode --url {server.url}"
        assert TOKEN not in "".join(server.said)
        with pytest.raises(urllib.error.HTTPError) as error:
            ask(f"{server.url}/profiles/clips")
        assert error.value.code == 401
        assert ask(f"{server.url}/profiles/clips", TOKEN) == []
        body = json.dumps({"sentence": "Der Zug fährt ab.", "prompt": "Explain: {{ sentence }}"}).encode()
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {TOKEN}"}
        request = urllib.request.Request(f"{server.url}/llm/breakdown/preview", body, headers)
        with urllib.request.urlopen(request, timeout=20) as response:  # rendered in the fastest loop there is
            assert json.load(response) == "Explain: Der Zug fährt ab."
        assert server.stop(signal.SIGINT) == 0
    assert server.said[-1] == "stopped"


@pytest.mark.exhaustive
def test_without_token_or_address_it_does_not_start(
    lode: Lode, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lode("serve", "--host", "0.0.0.0").check_refused(
        "error: others can reach 0.0.0.0, and there is no token", "--token-file"
    )
    file = tmp_path / "token"
    for content, cause in (
        *((" \n", "is empty"), ("two words", "holds no token")),
        *(("a\nb", "holds no token"), ("ü", "holds no token")),
    ):
        file.write_text(content, "utf-8")
        file.chmod(0o600)
        lode("serve", "--token-file", str(file)).check_refused(f"error: the token file {file} {cause}")
    file.unlink()
    lode("serve", "--token-file", str(file)).check_refused(f"error: the token file {file} cannot be")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        lode("serve", "--port", str(port)).check_refused(
            f"error: 127.0.0.1:{port} cannot be listened at: Address already in use\nhint: try another --port"
        )
    monkeypatch.setenv("LODE_TOKEN", TOKEN)
    lode("serve", "--host", "no-such-host.invalid").check_refused(
        "error: no-such-host.invalid:8765 cannot be listened at: ", "--host"
    )


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("BEGIN IMMEDIATE", "another program holds the database"),
        ("INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES ('lode', 'm999', '')", "newer Lode"),
        (b"no database at all" * 100, "is damaged or no Lode database"),
        (None, "can only be read\nhint: make the file and "),
    ],
    ids=("held", "newer", "damaged", "read-only"),
)
def test_a_library_that_is_held_newer_damaged_or_read_only_is_not_served(
    home: Path, lode: Lode, monkeypatch: pytest.MonkeyPatch, change: str | bytes | None, said: str
) -> None:
    from tui.store import store

    assert lode("clips", "list").code == 0
    real_open = store.Store.open
    monkeypatch.setattr(store.Store, "open", lambda directory: real_open(directory, busy_seconds=0.05))
    with closing(sqlite3.connect(home / "lode.db", isolation_level=None)) as other:
        if isinstance(change, str):
            other.execute(change)
        elif change is None:
            monkeypatch.setattr(store, "_can_be_written", lambda path: False)
        else:
            (home / "lode.db").write_bytes(change)
        lode("serve", "--port", str(free_port())).check_refused(said)


def test_without_the_extra_it_says_how_to_install_it(lode: Lode, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    lode("serve").check_refused("what a server needs is not installed: uvicorn\nhint: pip install 'lode[server]'\n")


def test_what_a_server_has_no_use_for_is_wrong_usage(lode: Lode) -> None:
    for option in ("--url=http://127.0.0.1:1", "--profile=anna"):
        for arguments in (("serve", option), (option, "serve")):
            lode(*arguments).check_refused("error: a server serves ", code=2)


def test_an_origin_is_written_as_browsers_send_it(lode: Lode) -> None:
    assert read_origin("https://Cards.example") == "https://cards.example"
    assert read_origin("http://localhost:3000/") == "http://localhost:3000"
    for typed in ("cards.example", "*", "https://cards.example/page", ""):
        lode("serve", "--allow-origin", typed).check_refused("is no origin", code=2)


def test_it_may_have_as_many_connections_as_the_system_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    raised: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "setrlimit", lambda _, limits: raised.append(limits))
    for limits in ((256, 4_096), (256, 100_000), (50_000, resource.RLIM_INFINITY)):
        monkeypatch.setattr(resource, "getrlimit", lambda _, limits=limits: limits)
        serve._raise_file_limit()
    assert raised == [(4_096, 4_096), (16_384, 100_000), (50_000, resource.RLIM_INFINITY)]
