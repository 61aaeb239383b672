"""``lode doctor`` as its reader sees it: groups, signs, exit codes, narrow and old terminals, and no secrets."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from rich.cells import cell_len

from tests.cli.conftest import Lode, Stream
from tui import cli
from tui.cli.commands import doctor
from tui.records.library import Finding


@pytest.fixture(autouse=True)
def quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    """No server of this machine is met, and the terminal is a plain one."""
    monkeypatch.setenv("OLLAMA_HOST", "127.0.0.1:9")
    monkeypatch.setenv("TERM", "xterm-256color")
    for name in ("TMUX", "STY", "NO_COLOR", "COLORTERM", "TERM_PROGRAM", "SSH_CONNECTION"):
        monkeypatch.delenv(name, raising=False)


def test_all_is_well_in_an_empty_home_and_nothing_is_made(lode: Lode, home: Path) -> None:
    before = sorted(home.rglob("*"))
    done = lode("doctor")
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert [line for line in lines if line and not line.startswith(" ")] == [
        *("Settings", "Library", "Models", "Software", "Terminal", "Nothing is wrong.")
    ]
    assert any(line.startswith("  ✓ lexicon ") for line in lines)
    assert any(line.startswith("  · openai ") and line.endswith("OPENAI_API_KEY is not set") for line in lines)
    found = lode("doctor", "--json").json()
    assert {finding["state"] for finding in found} <= {"ok", "absent", "warning"}
    assert set(found[0]) == {"group", "subject", "state", "message", "hint", "first_text_ms"}
    assert sorted(home.rglob("*")) == before


def test_what_is_broken_is_exit_1_with_what_to_do_and_the_rest_is_still_looked_at(lode: Lode, home: Path) -> None:
    (home / "config.toml").write_text("x = [", "utf-8")
    (home / "lode.db").write_bytes(b"no database" * 500)
    done = lode("doctor")
    assert done.code == 1
    assert done.err == ""
    assert "  ✗ config.toml " in done.out
    assert "→ mend the file (lode config edit), or move it away to start with the defaults" in done.out
    assert "  ✗ database " in done.out
    assert "  ✓ lexicon " in done.out
    assert done.out.splitlines()[-1] == "2 broken: what to do stands beside each."
    assert lode("doctor", "--json").code == 1


def test_warnings_are_exit_0_and_lines_fit(lode: Lode, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "config.toml").write_text('[providers.work]\nbase_url = "http://127.0.0.1:9/v1"\n', "utf-8")
    monkeypatch.setattr("tui.cli.output.console.width", lambda: 60)
    done = lode("doctor", terminal=True)
    wide = [line for line in done.out.splitlines() if cell_len(line) > 60]
    assert all(len(line.split()) <= 3 or line.split()[-1].startswith("/") for line in wide), wide
    assert done.code == 0
    assert "  ! work " in done.out
    assert done.out.splitlines()[-1] == "1 warning: what to do stands beside it."


def test_an_encoding_without_the_signs_gets_ascii(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setattr(sys, "stdout", out := Stream(encoding="ascii"))
    cli.run(["doctor"])
    text = out.text()
    assert "TERM is dumb" in text
    assert "  ok lexicon " in text
    assert "  -- openai " in text
    assert "-> to ask a model" in text
    assert "\\u" not in text
    assert "  !  characters " in text


def found(**environ: str) -> dict[str, Finding]:
    return {finding.subject: finding for finding in doctor.terminal(environ)}


def test_a_terminal_that_cannot_draw_is_a_warning() -> None:
    for environ in ({}, {"TERM": "dumb"}):
        assert found(**environ)["kind"].state == "warning"
        assert found(**environ)["colours"].message == "none"
        assert "clipboard" not in found(**environ)


def test_colours_are_told_as_the_environment_says() -> None:
    for environ, colours in (
        ({"TERM": "xterm"}, "16"),
        ({"TERM": "screen-256color"}, "256 "),
        ({"TERM": "xterm", "COLORTERM": "truecolor"}, "16 million"),
        ({"TERM": "xterm", "COLORTERM": "truecolor", "NO_COLOR": "1"}, "none, since NO_COLOR is set"),
    ):
        assert found(**environ)["colours"].message.startswith(colours)


def test_a_terminal_that_is_too_small_is_a_warning() -> None:
    states = [doctor._fits(*size).state for size in ((80, 24), (60, 16), (59, 24), (60, 15), (0, 0))]
    assert states == ["ok", "ok", "warning", "warning", "warning"]


def test_tmux_is_asked_whether_it_passes_copied_text_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "tmux"
    monkeypatch.setenv("PATH", str(tmp_path))
    for said, state in (
        ('[ "$*" = "show-options -sv set-clipboard" ] && echo on', "ok"),
        ("echo external", "warning"),
        ("exit 1", "warning"),
    ):
        program.write_text(f"#!/bin/sh\n{said}\n", "utf-8")
        program.chmod(0o755)
        clipboard = found(TERM="tmux-256color", TMUX="/tmp/x,1,0")["clipboard"]
        assert clipboard.state == state, said
    assert clipboard.hint == "put into ~/.tmux.conf: set -g set-clipboard on"
    program.unlink()
    assert found(TERM="tmux-256color", TMUX="/tmp/x,1,0")["clipboard"].state == "warning"


def test_terminals_that_take_no_copied_text_are_named() -> None:
    assert found(TERM="screen", STY="1.x")["clipboard"].state == "warning"
    assert found(TERM="xterm", TERM_PROGRAM="Apple_Terminal")["clipboard"].state == "warning"
    assert found(TERM="xterm")["clipboard"].state == "ok"
