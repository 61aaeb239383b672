"""The edges of the command: usage, exit codes, streams that are closed, full or cut, and what is imported when."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import STORY, Lode, Process, Stream, add_file
from tests.server_process import LODE
from tui import __version__
from tui.cli import run
from tui.cli.root import SECTIONS

pytestmark = pytest.mark.exhaustive

HEAVY = {"textual", "rich", "httpx", "jinja2", "genanki", "sqlite_utils", "simplemma", "budoux", "markdown_it"}
COMMANDS = [name for section in SECTIONS.values() for name in section]


def test_what_is_imported_when(lode: Lode, run_python: Callable[[str], str]) -> None:
    """In one process, in which each command imports no less than those before it."""
    assert lode("clips", "list").code == 0  # the database is made here
    commands = (*(["--version"], ["--help"]), *(["clips", "list", "--limit", "20", "--json"], ["providers"]))
    code = f"""
import sys
from tui.cli import run
for command in {commands}:
    assert run(command) == 0
    print("modules:", *sorted(sys.modules))
"""
    lines = run_python(code).splitlines()
    assert lines[0] == f"lode {__version__}"
    version, help, clips, providers = ({*line.split()} for line in lines if line.startswith("modules:"))
    assert not help & {"asyncio", "tui.cli.commands.transcripts", "tui.cli.commands.llm", "tui.service"}
    assert not version & {"sqlite3", "tomllib", "platformdirs", "tui.config"}
    assert not clips & {*HEAVY, "msgspec", "fastapi", "uvicorn", "tui.wire.codec", "tui.remote", "tui.server"}
    assert not providers & {"httpx", "jinja2", "textual"}


def test_the_help_names_every_command_in_aligned_columns(lode: Lode) -> None:
    done = lode("--help")
    assert done.code == 0
    assert done.err == ""
    lines = done.out.splitlines()
    starts = set()
    for section in SECTIONS.values():
        for name, (_, text) in section.items():
            (line,) = (line for line in lines if line.startswith(f"  {name} ") and line.endswith(text))
            starts.add(line.index(text))
    assert len(starts) == 1


def test_every_command_is_the_one_of_its_name_and_has_help_with_the_common_options(lode: Lode) -> None:
    for name in COMMANDS:
        done = lode(name, "--help")
        assert done.code == 0
        assert done.out.startswith(f"Usage: lode {name} "), name
        assert "--profile NAME" in done.out and "--home DIR" in done.out, name
        assert lode(name, "-h") == done
        assert max(map(len, done.out.splitlines())) <= 80, name


def test_wrong_usage_is_exit_2_with_the_next_step(lode: Lode) -> None:
    for args, hint in (
        (["clip"], "did you mean clips?"),
        (["clips", "lst"], "did you mean list?"),
        (["clips", "qqq"], "there are list, edit, fill, tag, speak, unspeak, show, move, delete"),
        (["clips"], "lode clips --help"),
        (["--nope"], "lode --help"),
        (["import", "x.srt"], "did you mean add?"),
        (["ls"], "did you mean transcripts list, clips list or files list?"),
        (["rm"], "did you mean transcripts delete, clips delete or files delete?"),
        (["find", "zug"], "did you mean search?"),
        (["settings"], "did you mean config or profiles set?"),
        (["version"], "did you mean --version?"),
        (["trans"], "did you mean transcribe, transcripts or translate?"),
        (["words", "find"], "did you mean list --search?"),
        (["clips", "rm"], "did you mean delete?"),
        (["transcripts", "list", "--serch", "x"], "did you mean --search?"),
        (["transcripts", "list", "--no_pager"], "did you mean --no-pager?"),
        (["clips", "list", "--columns", "id,size"], "there are id,focus,sentence"),
        (["clips", "list", "--columns", ","], "there are id,focus,sentence"),
        (["clips", "list", "--json", "--format", "csv"], "leave out one of them"),
        (["breakdown", "Hallo."], "lode breakdown --help"),
        (["clips", "list", "--limit", "0"], "lode clips list --help"),
        (["clips", "list", "--offset", "-1"], "lode clips list --help"),
        (["clips", "list", "--limit", "9" * 30], "lode clips list --help"),
        (["--home", "", "clips", "list"], "lode --help"),
        (["export", ""], "lode export --help"),
        (["preview", "--sentence", "Hallo.", "--language", "x y"], "such as de"),
        (["add"], "--samples"),
    ):
        done = lode(*args)
        assert (done.code, done.out) == (2, ""), args
        assert done.err.startswith("Usage: lode"), args
        assert "\nerror: " in done.err
        assert hint in done.err.splitlines()[-1], done.err


def test_a_bad_profile_name_and_a_broken_settings_file_are_named(lode: Lode, home: Path) -> None:
    lode("--profile", "../x", "clips", "list").check_refused("error: '../x' is no profile name\nhint: ")
    (home / "config.toml").write_text("default_provider = 3\n")
    lode("clips", "list").check_refused(str(home / "config.toml"))


def test_the_common_options_stand_before_or_after_the_command(lode: Lode, story: Path, tmp_path: Path) -> None:
    there = str(tmp_path / "there")
    assert lode("add", str(story), "--home", there, "--profile", "anna").code == 0
    assert len(lode("--home", there, "--profile", "anna", "files", "list", "--json").json()) == 1
    assert lode("--home", there, "files", "list", "--json").json() == []
    assert lode("--profile", "anna", "files", "list", "--json").json() == []
    assert len(lode("--profile", "bert", "files", "list", "--profile", "anna", "--home", there, "--json").json()) == 1


def test_python_m_tui_is_the_same_command() -> None:
    done = subprocess.run([sys.executable, "-m", "tui", "--version"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"lode {__version__}\n", "")


@pytest.mark.parametrize("args", [["--help"], ["files", "list"]], ids=" ".join)
def test_output_that_cannot_be_written_is_an_error(process: Process, lode: Lode, story: Path, args: list[str]) -> None:
    assert lode("add", str(story)).code == 0
    with open("/dev/full", "w") as full:
        done = process(*args, stdout=full, stderr=subprocess.PIPE, capture_output=False)
    assert done.returncode == 1
    assert done.stderr.startswith("error: standard output cannot be written: No space left on device\nhint: ")
    assert "Exception ignored" not in done.stderr
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as gone:
        done = process(*args, stdout=gone, stderr=subprocess.PIPE, capture_output=False)
    assert (done.returncode, done.stderr) == (141, "")


def test_a_closed_standard_output_is_an_error_and_closed_others_stop_nothing(home: Path, story: Path) -> None:
    def shell(line: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(["sh", "-c", f"{LODE} {line}"], capture_output=True, text=True, check=False)

    done = shell("files list >&-")
    assert (done.returncode, done.stderr[:33]) == (1, "error: standard output is closed\n")
    assert not (home / "lode.db").exists()
    done = shell(f"add '{story}' --json <&- 2>&-")
    assert (done.returncode, json.loads(done.stdout)["state"]) == (0, "added")


def test_an_encoding_without_the_letters_never_breaks_the_output(
    lode: Lode, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_file(lode, tmp_path / "駅.srt")
    said = []
    for command in (["files", "list"], ["files", "list", "--json"]):
        monkeypatch.setattr(sys, "stdout", out := Stream(encoding="latin-1"))
        assert run(command) == 0
        said.append(out.text())
    assert "\\u99c5.srt" in said[0]
    assert json.loads(said[1])[0]["name"] == "駅.srt"


NO_TEXT = os.fsdecode(b"f\xff")
"""As an argument or a file name that is not UTF-8 reaches Python."""


def test_arguments_that_are_no_text_are_named(process: Process, lode: Lode, home: Path) -> None:
    for args, name in (
        (["clips", "list", "--search", NO_TEXT], "--search"),
        (["clips", "delete", "a", NO_TEXT], "ID…"),
        (["explain", NO_TEXT], "SENTENCE"),
        (["export", "out.apkg", "--deck", NO_TEXT], "--deck"),
    ):
        said = f"error: '{name}' is not UTF-8 text\nhint: check the encoding of the terminal\n"
        done = lode(*args)
        assert (done.code, done.out, done.err) == (1, "", said)
    assert process(*args).stderr == said
    assert not (home / "lode.db").exists()


def test_file_names_that_are_no_text_name_files(lode: Lode, tmp_path: Path) -> None:
    shelf = tmp_path / "shelf"
    shelf.mkdir()
    try:
        (shelf / f"{NO_TEXT}.de.srt").write_text(STORY, "utf-8")
        (shelf / f"{NO_TEXT}.srt").write_bytes(b"")
    except OSError:
        pytest.skip("this file system takes only names that are text")
    (shelf / "prompt").with_name(NO_TEXT).write_text("Was heißt {{ focus }}?", "utf-8")
    done = lode("add", str(shelf))
    assert done.code == 1
    assert done.out.startswith("added\tf\ufffd\t2 cues\tde\t")
    assert done.err.startswith("refused  f%FF.srt: f\ufffd.srt is empty\n")
    assert [file["name"] for file in lode("files", "list", "--json").json()] == ["f\ufffd.de.srt"]
    (failed,) = (job for job in lode("jobs", "list", "--json").json() if job["state"] == "failed")
    (shelf / f"{NO_TEXT}.srt").write_text("1\n00:00:01,000 --> 00:00:02,000\nHallo.\n", "utf-8")
    assert lode("jobs", "retry", failed["id"]).code == 0
    prompt = lode("preview", "--sentence", "Hallo.", "--focus", "Hallo", "--prompt", f"@{shelf / NO_TEXT}")
    assert (prompt.code, prompt.out) == (0, "Was heißt Hallo?\n")
    assert lode("export", str(shelf / f"{NO_TEXT}.apkg")).code == 0
    assert (shelf / f"{NO_TEXT}.apkg").is_file()


def test_what_nobody_expected_is_one_line(
    lode: Lode, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from tui.service import local

    def broken(*_: object) -> None:
        raise ZeroDivisionError("for the test")

    monkeypatch.setattr(local, "LocalService", broken)
    done = lode("clips", "list")
    assert done.code == 1
    assert done.err.splitlines()[0] == "error: unexpected ZeroDivisionError: for the test"
    assert "LODE_DEBUG=1" in done.err.splitlines()[1]
    monkeypatch.setenv("LODE_DEBUG", "1")
    assert run(["clips", "list"]) == 1
    assert "in broken" in capsys.readouterr().err
