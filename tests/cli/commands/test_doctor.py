"""``lode doctor`` as its reader sees it: groups, signs, exit codes, narrow and old terminals, and no secrets."""

from __future__ import annotations

import io
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.cells import cell_len

from tests.cli.conftest import Lode
from tui import cli
from tui.cli.commands import doctor
from tui.records.library import Finding

Process = Callable[..., subprocess.CompletedProcess[str]]


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
        "Settings",
        "Library",
        "Models",
        "Software",
        "Terminal",
        "Nothing is wrong.",
    ]
    assert any(line.startswith("  ✓ lexicon ") for line in lines)
    assert any(line.startswith("  · openai ") and line.endswith("OPENAI_API_KEY is not set") for line in lines)
    assert sorted(home.rglob("*")) == before


def test_json_has_every_finding(lode: Lode) -> None:
    found = lode("doctor", "--json").json()
    assert {finding["state"] for finding in found} <= {"ok", "absent", "warning"}
    assert set(found[0]) == {"group", "subject", "state", "message", "hint", "first_text_ms"}


def test_what_is_broken_is_exit_1_with_what_to_do_and_the_rest_is_still_looked_at(lode: Lode, home: Path) -> None:
    (home / "config.toml").write_text("x = [", "utf-8")
    (home / "lode.db").write_bytes(b"no database" * 500)
    done = lode("doctor")
    assert done.code == 1
    assert done.err == ""
    assert "  ✗ config.toml " in done.out
    assert "→ mend the file, or move it away to start with the defaults" in done.out
    assert "  ✗ database " in done.out
    assert "  ✓ lexicon " in done.out
    assert done.out.splitlines()[-1] == "2 broken: what to do stands beside each."
    assert lode("doctor", "--json").code == 1


def test_only_warnings_are_exit_0(lode: Lode, home: Path) -> None:
    (home / "config.toml").write_text('[providers.work]\nbase_url = "http://127.0.0.1:9/v1"\n', "utf-8")
    done = lode("doctor")
    assert done.code == 0
    assert "  ! work " in done.out
    assert done.out.splitlines()[-1] == "1 warning: what to do stands beside it."


def test_no_line_is_wider_than_the_terminal_but_for_words_that_cannot_be_cut(
    lode: Lode, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tui.cli.output.console.width", lambda: 60)
    done = lode("doctor", terminal=True)
    wide = [line for line in done.out.splitlines() if cell_len(line) > 60]
    assert all(len(line.split()) <= 3 or line.split()[-1].startswith("/") for line in wide), wide
    assert done.code == 0


def test_an_encoding_without_the_signs_gets_ascii(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding="ascii", newline="\n")
    monkeypatch.setattr(sys, "stdout", out)
    cli.run(["doctor"])
    out.flush()
    text = raw.getvalue().decode("ascii")
    assert "  ok lexicon " in text
    assert "  -- openai " in text
    assert "-> to ask a model" in text
    assert "\\u" not in text
    assert "  !  characters " in text


def test_the_installed_command_needs_no_terminal_and_no_utf_8(process: Process, home: Path) -> None:
    import os

    environ = {**os.environ, "PYTHONIOENCODING": "latin-1", "TERM": "dumb"}
    done = process("doctor", env=environ, stdin=subprocess.DEVNULL, encoding="latin-1")
    assert done.returncode == 0, done.stderr
    assert "TERM is dumb" in done.stdout
    assert done.stderr == ""


def found(**environ: str) -> dict[str, Finding]:
    return {finding.subject: finding for finding in doctor.terminal(environ)}


def test_a_terminal_that_cannot_draw_is_a_warning() -> None:
    for environ in ({}, {"TERM": "dumb"}):
        assert found(**environ)["kind"].state == "warning"
        assert found(**environ)["colours"].message == "none"
        assert "clipboard" not in found(**environ)


@pytest.mark.parametrize(
    ("environ", "colours"),
    [
        ({"TERM": "xterm"}, "16"),
        ({"TERM": "screen-256color"}, "256 "),
        ({"TERM": "xterm", "COLORTERM": "truecolor"}, "16 million"),
        ({"TERM": "xterm", "COLORTERM": "truecolor", "NO_COLOR": "1"}, "none, since NO_COLOR is set"),
    ],
)
def test_colours_are_told_as_the_environment_says(environ: dict[str, str], colours: str) -> None:
    assert found(**environ)["colours"].message.startswith(colours)


@pytest.mark.parametrize(("columns", "lines", "state"), [(80, 24, "ok"), (60, 16, "ok"), (59, 24, "warning")])
def test_a_terminal_that_is_too_small_is_a_warning(columns: int, lines: int, state: str) -> None:
    assert doctor._fits(columns, lines).state == state


@pytest.mark.parametrize(("setting", "state"), [("on", "ok"), ("external", "warning"), ("", "warning")])
def test_in_tmux_copying_needs_its_permission(monkeypatch: pytest.MonkeyPatch, setting: str, state: str) -> None:
    monkeypatch.setattr(doctor, "_tmux_clipboard", lambda: setting)
    clipboard = found(TERM="tmux-256color", TMUX="/tmp/x,1,0")["clipboard"]
    assert clipboard.state == state
    if state == "warning":
        assert clipboard.hint == "put into ~/.tmux.conf: set -g set-clipboard on"


def test_tmux_is_really_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "tmux"
    program.write_text('#!/bin/sh\n[ "$*" = "show-options -sv set-clipboard" ] && echo on\n', "utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert doctor._tmux_clipboard() == "on"
    program.write_text("#!/bin/sh\nexit 1\n", "utf-8")
    assert doctor._tmux_clipboard() == ""
    program.unlink()
    assert doctor._tmux_clipboard() == ""


def test_terminals_that_take_no_copied_text_are_named() -> None:
    assert found(TERM="screen", STY="1.x")["clipboard"].state == "warning"
    assert found(TERM="xterm", TERM_PROGRAM="Apple_Terminal")["clipboard"].state == "warning"
    assert found(TERM="xterm")["clipboard"].state == "ok"
