"""``lode config``: the settings of this machine, config.toml, shown, set, edited and checked."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from tui.cli.arguments import WrongUsage
from tui.cli.commands.records import put_all
from tui.cli.context import Context
from tui.cli.lists import Listing, takes_list
from tui.cli.output import console
from tui.cli.output.tables import Column
from tui.cli.root import Group
from tui.cli.signals import left_to_child
from tui.config import Settings, allowed_at, directories, find_problems, find_setting, load, plain_settings, read_file
from tui.errors import InvalidInput
from tui.system.disk import look_at_disk
from tui.text.toml_lines import find_line, set_value

_BEGINNING = "# Settings of Lode: lode help configuration says what there is.\n"
_KNOWN_BY_APP = ("keys", "theme")
"""Settings whose values only the app knows."""
_EDITORS = ("nano", "vi", "notepad.exe")
_BOOLEANS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting as it is in force; ``line`` is where it stands in the file, None for a usual one."""

    setting: str
    value: Any
    line: int | None


@dataclass(frozen=True, slots=True)
class SettingProblem:
    """Fault of a setting; ``line`` and ``setting`` where that is known."""

    line: int | None
    setting: str
    problem: str


_SETTINGS: tuple[Column[Setting], ...] = (
    Column("setting", lambda each: each.setting),
    Column("value", lambda each: _shown(each.value), wide=True),
    Column("from", lambda each: f"line {each.line}" if each.line else "usual", lambda each: str(each.line or "")),
)
_PROBLEMS: tuple[Column[SettingProblem], ...] = (
    Column("line", lambda each: str(each.line or ""), right=True),
    Column("setting", lambda each: each.setting),
    Column("problem", lambda each: each.problem, wide=True),
)


@click.group(cls=Group)
def config() -> None:
    """Settings of this machine, in config.toml: show, set, edit, check.

    What belongs to a profile, languages and cards, is set with lode profiles set.
    """


def _path(context: Context) -> Path:
    return directories(context.home)[1] / "config.toml"


@config.command("show")
@click.argument("name", metavar="[SETTING]", default="")
@takes_list(_SETTINGS)
def show(context: Context, name: str, how: Listing) -> None:
    """Show the settings that are in force, and where each is from; of one SETTING only its value."""
    path = _path(context)
    text, table = look_at_disk(lambda: read_file(path))
    settings = context.settings()
    found = tuple(_in_force(settings, text, table))
    if not name:
        if console.is_terminal():
            console.tell(f"{path}{'' if text else ', which is not there'}")
        put_all(_SETTINGS, found, how, none="")
        return
    wanted = _name(find_setting(name, table))
    value = next((each.value for each in found if each.setting == wanted), "")
    console.put_record(value, lambda value: console.put(_shown(value)), as_json=how.as_json)


def _in_force(settings: Settings, text: str, table: Mapping[str, Any]) -> Iterator[Setting]:
    for name in plain_settings():
        value = table.get(name, getattr(settings, name))
        yield Setting(name, value if value is not None else "", find_line(text, (name,)))
    for name in ("keys", "providers", "speech"):
        for path, value in _leaves(table.get(name, {}), (name,)):
            yield Setting(_name(path), value, find_line(text, path))


def _leaves(table: Mapping[str, Any], within: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    for name, value in table.items():
        if isinstance(value, dict):
            yield from _leaves(value, (*within, name))
        else:
            yield (*within, name), value


def _name(path: tuple[str, ...]) -> str:
    return ".".join(path)


def _shown(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


@config.command("set")
@click.argument("name", metavar="SETTING")
@click.argument("value", required=False)
@click.option("--default", "is_default", is_flag=True, help="Take it out of the file: the usual value holds again.")
@click.pass_obj
def set_setting(context: Context, name: str, value: str | None, is_default: bool) -> None:
    """Set a SETTING to VALUE; comments and all other lines of the file stay.

    Settings are called as in config.toml: theme, mouse, keys.list.filter, providers.local.base_url, speech.de.with.
    """
    if (value is None) != is_default:
        raise WrongUsage("a setting gets a value, or --default", hint="lode config set theme nord")
    path = _path(context)
    text, table = look_at_disk(lambda: read_file(path))
    where = find_setting(name, table)
    new = None if value is None else _read_value(where, value)
    try:
        written = set_value(text or _BEGINNING, where, new)
    except ValueError as error:
        line = find_line(text, where)
        raise InvalidInput(
            f"{path}{f':{line}' if line else ''}: {_name(where)} stands where it cannot be changed by itself",
            hint="change it there: lode config edit",
        ) from error
    _refuse_new_problems(text, written, path)
    try:
        look_at_disk(lambda: _write(path, written))
    except OSError as error:
        raise InvalidInput(f"{path} cannot be written: {error.strerror or error}", hint="make it writable") from error
    console.put(f"{_name(where)} = {_shown(new)}" if new is not None else f"{_name(where)} is as usual")
    for each in _problems(context) if new is not None and where[0] in _KNOWN_BY_APP else ():
        if each.setting == _name(where):
            console.tell(f"warning: {each.problem}")


def _read_value(where: tuple[str, ...], typed: str) -> str | bool | int | float:
    """Read what is typed as the kind of value that the setting has; raises ``InvalidInput``."""
    candidates: list[str | bool | int | float] = [typed]
    if typed.casefold() in _BOOLEANS:
        candidates.append(_BOOLEANS[typed.casefold()])
    for read in (int, float):
        try:
            candidates.append(read(typed))
        except ValueError:
            pass
    fits = allowed_at(where)
    assert fits is not None  # it was found
    return next((each for each in candidates if fits(each)), typed)  # one that does not fit is refused with its reason


def _refuse_new_problems(before: str, after: str, path: Path) -> None:
    """Raise ``InvalidInput`` for what was right before; what was wrong already can be mended one by one."""
    import tomllib

    known = {each.cause for each in find_problems(before, tomllib.loads(before), path)}
    for each in find_problems(after, tomllib.loads(after), path):
        if each.cause not in known:
            raise InvalidInput(each.cause, hint="lode help configuration says what there is", field="value")


def _write(path: Path, text: str) -> None:
    """Write the file whole or not at all; one that lies elsewhere behind a link is written there."""
    from tui.system.temporary import replace_text

    real = path.resolve()
    mode = real.stat().st_mode if real.exists() else None
    replace_text(real, text)
    if mode is not None:
        real.chmod(mode)


@config.command("edit")
@click.pass_obj
def edit(context: Context) -> None:
    """Open config.toml in your editor (VISUAL, EDITOR), and check it after that."""
    path = _path(context)
    editor = _editor()
    if not path.exists():
        _write(path, _BEGINNING)
    while True:
        console.flush()
        try:
            with left_to_child():
                code = subprocess.run([*editor, str(path)], check=False).returncode
        except OSError as error:
            raise InvalidInput(
                f"{editor[0]} cannot be started: {error.strerror or error}", hint="set EDITOR to your editor"
            ) from error
        if code:
            raise InvalidInput(f"{editor[0]} ended with {code}", hint=f"{path} is as it was left")
        problems = _problems(context)
        if not problems:
            console.tell(f"{path} is fine")
            return
        _tell(path, problems)
        if not console.asks() or not _asks_again():
            raise click.exceptions.Exit(1)


def _editor() -> list[str]:
    given = os.environ.get("VISUAL") or os.environ.get("EDITOR")
    try:
        words = shlex.split(given) if given else []
    except ValueError:
        words = [given or ""]
    found = words or [name for name in _EDITORS if shutil.which(name)][:1]
    if not found:
        raise InvalidInput("there is no editor", hint="set EDITOR to yours, as in EDITOR=nano lode config edit")
    return found


def _asks_again() -> bool:
    sys.stderr.write("Edit it again? [Y/n] ")
    sys.stderr.flush()
    return sys.stdin.readline(1000).strip().lower() in ("", "y", "yes")


@config.command("check")
@takes_list(_PROBLEMS)
def check(context: Context, how: Listing) -> None:
    """Name unknown settings, wrong values and keys that clash, each with its line; exit code 1 where there are some."""
    path = _path(context)
    problems = _problems(context)
    if how.is_usual:
        _tell(path, problems, to_people=False)
        if not problems:
            console.tell(f"{path} is fine" if path.exists() else f"{path} is not there: the usual settings hold")
    else:
        put_all(_PROBLEMS, problems, how, none="")
    if problems:
        raise click.exceptions.Exit(1)


def _tell(path: Path, problems: tuple[SettingProblem, ...], *, to_people: bool = True) -> None:
    """A line for each, as compilers write them: editors go there."""
    for each in problems:
        line = f"{path}:{f'{each.line}:' if each.line else ''} {each.problem}"
        (console.tell if to_people else console.put)(line)


def _problems(context: Context) -> tuple[SettingProblem, ...]:
    path = _path(context)
    try:
        text, table = read_file(path)
        found = find_problems(text, table, path)
    except InvalidInput as error:
        return (SettingProblem(None, "", error.message.removeprefix(f"{path}: ")),)
    if found or not any(map(table.get, _KNOWN_BY_APP)):
        problems = (SettingProblem(each.line, _name(each.setting), each.cause) for each in found)
        return tuple(sorted(problems, key=lambda each: each.line or 0))
    from tui.app import LodeApp
    from tui.guides.key_list import setting_problems

    return tuple(
        SettingProblem(find_line(text, find_setting(name, table)), name, said)
        for name, said in setting_problems(load(context.home), LodeApp)
    )
