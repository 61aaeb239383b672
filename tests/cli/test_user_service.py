"""``lode inbox --install`` and ``--remove``: the unit that is written, and what systemd is told."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Lode
from tests.server_process import LODE
from tui.cli.user_service import _write_unit

pytestmark = [
    pytest.mark.exhaustive,
    pytest.mark.skipif(sys.platform in ("darwin", "win32"), reason="systemd is for Linux"),
]

_WORD = re.compile(r'"((?:[^"\\]|\\.)*)"|([^\s"\\]+)')
_ESCAPES = {r"\\": "\\", r"\"": '"', r"\n": "\n"}


def words_of(unit: str) -> list[str]:
    """The command of a unit, by the rules of systemd.service(5), COMMAND LINES, and systemd.syntax(7), Quoting."""
    (line,) = [line for line in unit.splitlines() if line.startswith("ExecStart=")]
    prefix, line = line.removeprefix("ExecStart=")[0], line.removeprefix("ExecStart=")[1:]
    assert prefix == ":", "without it $HOME would be filled in"
    words, at = [], 0
    while at < len(line):
        found = _WORD.match(line, at)
        assert found is not None, line[at:]
        words.append(re.sub(r"\\.", lambda escape: _ESCAPES[escape[0]], found[1]) if found[2] is None else found[2])
        at = found.end()
        assert line[at : at + 1] in ("", " "), line[at:]
        at += 1
    assert not re.search(r"(?<!%)(%%)*%(?!%)", line), "a specifier would be filled in"
    return [word.replace("%%", "%") for word in words]


@pytest.fixture
def systemctl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[str]]:
    """A ``systemctl`` that writes down what it is told; gives that."""
    told = tmp_path / "told"
    program = tmp_path / "bin" / "systemctl"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\necho "$@" >> "{told}"\nexit ${{SYSTEMCTL_ENDS:-0}}\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("HOME", str(tmp_path / "user"))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    return lambda: told.read_text().splitlines() if told.exists() else []


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([LODE, *arguments], capture_output=True, text=True, timeout=60, check=False)


def test_it_is_started_from_now_on_with_the_same_options_until_it_is_removed(
    tmp_path: Path, systemctl: Callable[[], list[str]]
) -> None:
    library, key = tmp_path / "my 100% $library", tmp_path / "a key"
    key.write_text("a-long-random-text-0123456789\n")
    key.chmod(0o600)
    options = ["--port", "8770", "--key-file", str(key), "--allow-origin", "https://app.asbplayer.dev", "--forward"]
    done = run("--home", str(library), "--profile", "anna", "inbox", *options, "--install")
    unit = tmp_path / "user" / ".config" / "systemd" / "user" / "lode-inbox.service"
    assert done.returncode == 0, done.stderr
    assert f"written: {unit}" in done.stderr
    assert systemctl() == ["--user daemon-reload", "--user enable --now lode-inbox.service"]
    assert words_of(unit.read_text()) == [
        *(sys.executable, "-P", "-m", "tui", "--home", str(library), "--profile", "anna"),
        *("inbox", "--host", "127.0.0.1", *options),
    ]
    removed = run("inbox", "--remove")
    assert removed.returncode == 0, removed.stderr
    assert not unit.exists()
    assert systemctl()[2:] == ["--user disable --now lode-inbox.service", "--user daemon-reload"]
    assert "hint: lode inbox --install does it" in run("inbox", "--remove").stderr


def test_the_library_of_lode_home_is_named_since_the_service_has_no_such_variable(
    home: Path, tmp_path: Path, systemctl: Callable[[], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    assert run("inbox", "--install").returncode == 0
    words = words_of((tmp_path / "config" / "systemd" / "user" / "lode-inbox.service").read_text())
    assert words[4:] == ["--home", str(home), "--profile", "default", "inbox", "--host", "127.0.0.1"]
    assert not (tmp_path / "user").exists()


def test_what_it_cannot_run_with_is_refused_before_anything_is_written(
    lode: Lode, tmp_path: Path, systemctl: Callable[[], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    lode("inbox", "--host", "0.0.0.0", "--install").check_refused("others can reach 0.0.0.0", "--key-file")
    monkeypatch.setenv("LODE_INBOX_KEY", "a-long-random-text-0123456789")
    lode("inbox", "--host", "0.0.0.0", "--install").check_refused("LODE_INBOX_KEY", "--key-file", code=2)
    assert not systemctl()
    assert not (tmp_path / "user").exists()


def test_a_systemctl_that_fails_is_named_with_what_to_do(
    lode: Lode, tmp_path: Path, systemctl: Callable[[], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SYSTEMCTL_ENDS", "1")
    lode("inbox", "--install").check_refused("systemctl --user daemon-reload failed", "the file is written")
    monkeypatch.setenv("PATH", str(tmp_path))
    lode("inbox", "--install").check_refused("systemctl --user daemon-reload failed: No such file or directory")


def test_every_argument_is_read_back_as_it_was() -> None:
    for argument in ("", "plain", "two words", "100%", "$HOME", "${HOME}", r"\n", '"', "'", ";", "a;b", "ü", "%h", "#"):
        assert words_of(_write_unit(["/usr/bin/python3", argument]).decode()) == ["/usr/bin/python3", argument]


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
def test_systemd_finds_nothing_wrong_with_the_unit(tmp_path: Path) -> None:
    program = tmp_path / "my 100% $programs" / "python"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    unit = tmp_path / "lode-inbox.service"
    unit.write_bytes(_write_unit([str(program), "-m", "tui", "--home", r"/a 50% $b\n/c", "inbox", "--port", "8770"]))

    def verify() -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["systemd-analyze", "--user", "verify", str(unit)],
            env={**os.environ, "XDG_RUNTIME_DIR": str(tmp_path)},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    assert "is not executable" in verify().stderr  # it reads the path as it was meant
    program.chmod(0o755)
    assert verify().returncode == 0, verify().stderr
