"""``lode --url``: every command on the library of a server, which is a process of its own."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from tests.cli.commands.test_serve import TOKEN
from tests.cli.conftest import Done, Lode
from tests.server_process import ServerProcess, free_port
from tui.cli.context import Context
from tui.config import Settings
from tui.errors import InvalidInput
from tui.remote.service import RemoteService
from tui.service.local import LocalService

pytestmark = pytest.mark.exhaustive

SERVER = "http://home:8765"
Remote = Callable[..., Done]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server with a library of its own, of which each test has a profile; it wants a token."""
    home = tmp_path_factory.mktemp("server")
    file = home / "token"
    file.write_text(TOKEN)
    file.chmod(0o600)
    with ServerProcess(home, "--token-file", str(file)) as server:
        yield server


@pytest.fixture
def remote(
    server: ServerProcess, lode: Lode, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Remote:
    """The command, for which the server is set in the environment."""
    monkeypatch.setenv("LODE_URL", server.url)
    monkeypatch.setenv("LODE_TOKEN", TOKEN)
    profile = request.node.name.split("_")[1]
    return lambda *args, **how: lode("--profile", profile, *args, **how)


def test_every_command_works_there_and_makes_nothing_here(
    remote: Remote, home: Path, story: Path, tmp_path: Path
) -> None:
    assert remote("add", str(story)).out.startswith("added\tDer Zug\t2 cues\tde\t")
    assert remote("add", str(story)).out.startswith("same\tDer Zug\t")
    (transcript,) = remote("transcripts", "list", "--json").json()
    shown = remote("transcripts", "show", transcript["id"][:6], "--json").json()
    assert [cue["text"] for cue in shown["cues"]] == ["Der Zug fährt ab.", "Wir fahren mit."]
    asked = remote("breakdown", "Der Zug fährt ab.", "--focus", "fährt", "--language", "de", "--save", "--json")
    assert [asked.events()[at]["event"] for at in (0, -1)] == ["focus", "done"]
    assert "**Zug**" in remote("explain", "Der Zug fährt ab.", "--language", "de").out
    remote("template", "set", "--prompt", "{{ nothing }}").check_refused("nothing")
    deck = tmp_path / "lode.apkg"
    assert remote("export", str(deck)).out.startswith("Lode::every: 1 note, 1 new")
    assert deck.stat().st_size > 1000
    assert len(remote("history", "list", "--json").json()) == 2
    assert len(remote("jobs", "list", "--json").json()) == 2
    (clip,) = remote("clips", "list", "--json").json()
    assert remote("clips", "delete", clip["id"]).code == 0
    assert remote("undo").out.startswith("back again: ")
    copy = tmp_path / "copy.db"
    assert remote("backup", str(copy)).out == f"{copy}\n"
    with closing(sqlite3.connect(copy)) as library:
        assert ("Der Zug fährt ab.",) in library.execute("SELECT sentence FROM clips").fetchall()
    remote("clips", "show", "zzzz").check_refused("error: ")
    remote("push", "--anki", "http://127.0.0.1:9").check_refused("Anki does not answer at http://127.0.0.1:9")
    assert not (home / "lode.db").exists()


def test_files_that_are_sent_are_named_as_they_are_here(
    remote: Remote, tmp_path: Path, story: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tui.importing import parse

    monkeypatch.setattr(parse, "MAX_BYTES", 1000)
    large = tmp_path / "large.txt"
    large.write_text("Ein Satz. " * 200)
    done = remote("add", str(large), str(story), "--json")
    assert done.code == 1
    ends = {Path(event["path"]): event["state"] for event in done.events()}
    assert ends == {large: "refused", story: "added"}
    assert "large.txt has more than 0.001 MB" in done.err
    remote("add", str(tmp_path / "missing.srt")).check_refused("error: ")
    for number in range(3):
        (tmp_path / f"film{number}.srt").write_text(story.read_text("utf-8").replace("Zug", f"Zug {number}"), "utf-8")
    done = remote("add", *map(str, tmp_path.glob("film*.srt")), terminal=True)
    assert done.code == 0
    assert "░ sending 0/3 film" in done.err  # others come and go too fast to be shown each
    assert len(done.out.splitlines()) == 3


def test_the_doctor_looks_at_both_sides(lode: Lode, server: ServerProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LODE_URL", server.url)
    assert "LODE_TOKEN" in lode("clips", "list").err  # without which nothing is told
    monkeypatch.setenv("LODE_TOKEN", TOKEN)
    found = lode("doctor", "--json").json()
    groups = list(dict.fromkeys(finding["group"] for finding in found))
    assert groups == [
        *("Settings", "Software", "Server"),
        *(f"{group} of the server" for group in ("Settings", "Library", "Models", "Software")),
        "Terminal",
    ]
    said = {(finding["group"], finding["subject"]): finding for finding in found}
    assert said["Server", "address"]["message"].startswith(f"127.0.0.1:{server.port} answers · Lode ")
    assert said["Server", "token"]["message"] == "it is sent with every request, and taken"
    assert str(server.home) in said["Library of the server", "directory"]["message"]
    monkeypatch.setenv("LODE_TOKEN", "wrong")
    done = lode("doctor")
    assert (done.code, "✗ token" in done.out) == (1, True)
    done = lode("doctor", "--url", f"http://127.0.0.1:{free_port()}")
    assert done.code == 1
    assert "does not answer" in done.out
    assert "Library of the server" not in done.out
    done = lode("doctor", "--url", "ftp://nowhere")
    assert (done.code, "is no address of a server" in done.out) == (1, True)


def test_a_server_that_is_not_there_is_one_error_with_the_next_step(lode: Lode) -> None:
    port = free_port()
    done = lode("clips", "list", "--url", f"http://127.0.0.1:{port}")
    assert (done.code, done.out) == (1, "")
    assert done.err.splitlines() == [
        f"error: the server at 127.0.0.1:{port} does not answer (no connection)",
        "hint: check that it runs (lode serve) and that this machine can reach it",
    ]


def test_an_address_that_is_none_is_refused(lode: Lode) -> None:
    lode("--url", "example.org", "clips", "list").check_refused("'example.org' is no address of a server")
    lode("--url", "", "clips", "list").check_refused("it is empty; local means this machine's own library", code=2)


async def test_the_nearest_word_says_which_library(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings(home, home / "config.toml", url="http://settings:1")
    for option, variable, location in (
        (None, None, "settings:1"),
        (None, "http://variable:2", "variable:2"),
        ("http://option:3", "http://variable:2", "option:3"),
        ("local", "http://variable:2", "local"),
        (None, "local", "local"),
        (None, "", "settings:1"),
    ):
        if variable is not None:
            monkeypatch.setenv("LODE_URL", variable)
        service = Context(url=option).service(settings)
        assert service.location == location
        assert isinstance(service, LocalService if location == "local" else RemoteService)
        await service.close()


def test_the_token_is_that_of_the_environment_else_of_the_settings_file(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = home / "token"
    file.write_text(f" {TOKEN}\n")
    file.chmod(0o600)
    settings = Settings(home, home / "config.toml", token_file=file)
    assert Context().token(settings, SERVER) == TOKEN
    at_home = replace(settings, url=f"{SERVER}/lode/")
    assert Context().token(at_home, SERVER) == TOKEN
    for another in ("http://home:8766", "https://home:8765", "http://elsewhere:8765"):
        assert Context().token(at_home, another) == ""
    monkeypatch.setenv("LODE_TOKEN", "another")
    assert Context().token(at_home, "http://elsewhere:8765") == "another"
    monkeypatch.setenv("LODE_TOKEN", "no token")
    with pytest.raises(InvalidInput, match="LODE_TOKEN holds no token"):
        Context().token(settings, SERVER)
