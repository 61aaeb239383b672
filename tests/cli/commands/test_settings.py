"""``lode config``: what is in force, one setting changed with all comments kept, what is wrong with its line."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Lode, columns

TEXT = """\
# Mine.
theme = "nord"  # dark

[keys]
"list.filter" = "f3,/"
"""


@pytest.fixture
def file(home: Path) -> Path:
    path = home / "config.toml"
    path.write_text(TEXT, "utf-8")
    return path


def test_all_settings_are_shown_with_where_they_are_from(lode: Lode, file: Path) -> None:
    rows = {name: (value, line) for name, value, line in columns(lode("config", "show"))}
    assert rows["theme"] == ("nord", "2")
    assert rows["mouse"] == ("true", "")
    assert rows["keys.list.filter"] == ("f3,/", "5")
    found = {each["setting"]: each for each in lode("config", "show", "--json").json()}
    assert found["mouse"] == {"setting": "mouse", "value": True, "line": None}
    assert lode("config", "show", "mouse").out == "true\n"
    assert lode("config", "show", "keys.list.filter").out == "f3,/\n"
    assert lode("config", "show", "theme", "--json").json() == "nord"
    shown = lode("config", "show", terminal=True)
    assert "usual" in shown.out
    assert shown.err == f"{file}\n"
    lode("config", "show", "thme").check_refused("there is no setting 'thme'\nhint: did you mean theme?")


def test_a_setting_is_set_and_all_other_lines_stay(lode: Lode, file: Path) -> None:
    for name, value, told in (
        ("theme", "gruvbox", "theme = gruvbox"),
        ("mouse", "off", "mouse = false"),
        ("keys.list.filter", "f4", "keys.list.filter = f4"),
        ("keys.quit", "ctrl+x", "keys.quit = ctrl+x"),
        ("providers.local.base_url", "http://127.0.0.1:8080", "providers.local.base_url = http://127.0.0.1:8080"),
        ("providers.local.timeout", "60", "providers.local.timeout = 60"),
        ("speech.de.voice", "de+f2", "speech.de.voice = de+f2"),
    ):
        assert lode("config", "set", name, value).out == f"{told}\n"
    assert file.read_text("utf-8") == (
        '# Mine.\ntheme = "gruvbox"  # dark\nmouse = false\n\n[keys]\n"list.filter" = "f4"\nquit = "ctrl+x"\n\n'
        '[providers.local]\nbase_url = "http://127.0.0.1:8080"\ntimeout = 60\n\n[speech.de]\nvoice = "de+f2"\n'
    )
    assert lode("config", "set", "mouse", "--default").out == "mouse is as usual\n"
    assert lode("config", "show", "mouse").out == "true\n"


def test_a_file_that_is_not_there_comes_into_being_and_a_link_stays_one(lode: Lode, home: Path, tmp_path: Path) -> None:
    assert lode("config", "set", "mouse", "no").code == 0
    assert (home / "config.toml").read_text("utf-8").splitlines()[1:] == ["mouse = false"]
    kept = tmp_path / "dotfiles.toml"
    (home / "config.toml").rename(kept)
    kept.chmod(0o600)
    (home / "config.toml").symlink_to(kept)
    assert lode("config", "set", "theme", "nord").code == 0
    assert (home / "config.toml").is_symlink()
    assert 'theme = "nord"' in kept.read_text("utf-8")
    assert kept.stat().st_mode & 0o777 == 0o600


def test_what_is_no_setting_and_what_it_may_not_be_is_refused_and_nothing_is_written(lode: Lode, file: Path) -> None:
    for args, said in (
        (("mouse", "perhaps"), "mouse must be true or false, not 'perhaps'"),
        (("url", "lode.example"), "url must begin with http://"),
        (("profile", "a b"), "'a b' is no profile name"),
        (("providers.local.label", "x"), '[providers.local] needs base_url = "http…"'),
        (("providers.openai.timeout", "0"), "must be 1 to 3600 seconds"),
        (("speech.with", "piper"), "[speech] needs model"),
        (("keys.quit", " "), "must be a key"),
        (("keys", "x"), "there is no setting 'keys'"),
        (("providers.a.b.c", "x"), "there is no setting"),
    ):
        lode("config", "set", *args).check_refused(said)
    for typed in ("theme", "theme x --default"):
        lode("config", "set", *typed.split()).check_refused("a setting gets a value, or --default", code=2)
    assert file.read_text("utf-8") == TEXT
    file.write_text('providers = { local = { base_url = "http://x" } }\n', "utf-8")
    lode("config", "set", "providers.local.timeout", "3").check_refused(f"{file}:1: ", "lode config edit")
    file.write_text("mouse = 3\nprofile = 'a b'\n", "utf-8")  # what is wrong already can be mended one by one
    assert lode("config", "set", "mouse", "true").code == 0
    assert lode("config", "set", "profile", "anna").code == 0
    file.write_text("x = [", "utf-8")
    lode("config", "set", "mouse", "true").check_refused(str(file))


def test_what_is_wrong_is_named_with_its_line_and_exit_1(lode: Lode, file: Path, home: Path) -> None:
    assert lode("config", "check").err == f"{file} is fine\n"
    file.write_text(
        "thme = 'nord'\nmouse = 3\n\n[providers.local]\nlabel = 'x'\n[speech]\nvoices = 'x'\n[keys]\nquit = 3\n",
        "utf-8",
    )
    done = lode("config", "check")
    assert done.code == 1
    lines = [line.removeprefix(f"{file}:") for line in done.out.splitlines()]
    assert [line.split(":")[0] for line in lines] == ["1", "2", "4", "7", "9"]
    assert lines[0].startswith("1: there is no setting 'thme'; there are ")
    assert lines[0].endswith("did you mean theme?")
    assert lode("files", "list").err.startswith(f"error: {file}:1: there is no setting 'thme'")
    done = lode("config", "check", "--json")
    assert (done.code, done.events()[0][1]["setting"]) == (1, "mouse")  # type: ignore[index]
    file.write_text("theme = ]", "utf-8")
    assert lode("config", "check").out.startswith(f"{file}: Invalid value (at line 1")
    file.unlink()
    assert lode("config", "check").err == f"{file} is not there: the usual settings hold\n"


def test_themes_that_there_are_not_and_keys_that_clash_are_named_too(lode: Lode, file: Path) -> None:
    file.write_text('theme = "nrd"\n[keys]\n"list.filter" = "d"\n"no.key" = "x"\nquit = "ctrl+alt+nope"\n', "utf-8")
    done = lode("config", "check")
    assert done.code == 1
    said = [line.removeprefix(f"{file}:") for line in done.out.splitlines()]
    assert said[0] == "1: there is no theme 'nrd': did you mean nord?"
    assert any(line.startswith("3: [keys] d is both list.delete and list.filter") for line in said)
    assert any(line.startswith("4: [keys] has 'no.key'") for line in said)
    assert any(line.startswith("5: [keys] quit = 'ctrl+alt+nope'") for line in said)


def editor(tmp_path: Path, code: str) -> str:
    """An editor of one's own: Python with the file's path as ``path``."""
    script = tmp_path / "editor.py"
    script.write_text(f"import sys, pathlib\npath = pathlib.Path(sys.argv[1])\n{code}\n", "utf-8")
    return f"'{sys.executable}' '{script}'"


def test_the_file_is_opened_in_the_editor_and_checked_after(
    lode: Lode, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = home / "config.toml"
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", editor(tmp_path, "path.write_text(path.read_text() + 'mouse = false\\n')"))
    assert lode("config", "edit").err == f"{file} is fine\n"
    assert lode("config", "show", "mouse").out == "false\n"
    monkeypatch.setenv("EDITOR", editor(tmp_path, "path.write_text('mouse = 3')"))
    done = lode("config", "edit")
    assert (done.code, done.err) == (1, f"{file}:1: mouse must be true or false, not 3\n")
    mend = "path.write_text('mouse = true' if path.read_text() == 'mouse = 4' else 'mouse = 4')"
    monkeypatch.setenv("VISUAL", editor(tmp_path, mend))
    done = lode("config", "edit", stdin="\n", terminal=True)
    assert done.code == 0
    assert "Edit it again? [Y/n]" in done.err
    monkeypatch.setenv("VISUAL", editor(tmp_path, "sys.exit(3)"))
    lode("config", "edit").check_refused("ended with 3")
    monkeypatch.setenv("VISUAL", "no-such-editor")
    lode("config", "edit").check_refused("no-such-editor cannot be started", "set EDITOR")
    monkeypatch.delenv("VISUAL")
    monkeypatch.delenv("EDITOR")
    monkeypatch.setenv("PATH", os.fspath(tmp_path))
    lode("config", "edit").check_refused("there is no editor")
