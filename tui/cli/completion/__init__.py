"""Completion for shells: what may come next in a line that is being typed, as fast as keys follow each other.

A shell's script (``lode.bash``, ``lode.zsh``, ``lode.fish``) asks with ``_LODE_COMPLETE`` set. The commands come out of
``commands.json``, which is made from them (``tests/cli/written.py``), so that neither they nor click are imported, and
values from the library only where some are wanted. Nothing is written, and nothing is said where something fails.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

SHELLS = ("bash", "zsh", "fish")
_MAX_ABOUT = 60
"""Characters that are said about a value beside it."""
Values = str | Sequence[str] | Mapping[str, Sequence[str]] | None
"""Source of a value's completions: a kind of ``values``, "file" or "dir", a list of all that there are,
``{"each": …}`` of those that may stand together between commas, "" for any text; None is that of an option without a
value.
"""


@dataclass(frozen=True, slots=True)
class Candidate:
    """Candidate for the place of what was typed; ``about`` is said beside it. One that is ``open`` goes on."""

    value: str
    about: str = ""
    is_open: bool = False


@dataclass(frozen=True, slots=True)
class Completion:
    """Completion of a line; ``paths`` is "file" or "dir" where the shell completes paths by itself."""

    candidates: tuple[Candidate, ...] = ()
    paths: str = ""


@dataclass(slots=True)
class _Line:
    """State of a line once the words before the last one are read."""

    node: dict[str, Any]
    options: dict[str, str | None] = field(default_factory=dict)
    arguments: int = 0
    waiting: str = ""
    """Option whose value comes next."""
    only_arguments: bool = False
    is_wrong: bool = False


def answer(shell: str, args: Sequence[str], environ: Mapping[str, str]) -> None:
    """Print what the script of a shell asks for; whatever fails, it prints nothing."""
    with suppress(Exception):
        from tui.cli.completion import shells

        sys.stdout.reconfigure(encoding="utf-8", errors="surrogateescape")  # type: ignore[union-attr]
        sys.stdout.write(shells.answer(shell, args, environ))
        sys.stdout.flush()


def read_script(shell: str) -> str:
    """The script that lets a shell complete ``lode``."""
    return Path(__file__).with_name(f"lode.{shell}").read_text("utf-8")


def complete(words: Sequence[str], typed: str, environ: Mapping[str, str] = os.environ) -> Completion:
    """Find what may stand in place of ``typed``, the last word; ``words`` stand between it and ``lode``."""
    tree = json.loads(Path(__file__).with_name("commands.json").read_text("utf-8"))
    line = _read(tree, words)
    if line.is_wrong:
        return Completion()
    options = {**line.node.get("options", {}), **tree["common"]}
    if line.waiting:
        return _values(options[line.waiting]["values"], typed, line, environ)
    if typed.startswith("-") and not line.only_arguments:
        name, sign, value = typed.partition("=")
        if not sign:
            return Completion(tuple(_options(options, typed, line)))
        name = _long(options, name)
        if not name or options[name]["values"] is None:
            return Completion()
        found = _values(options[name]["values"], value, line, environ)
        before = typed[: len(typed) - len(value)]
        return Completion(tuple(replace(each, value=before + each.value) for each in found.candidates), found.paths)
    commands = line.node.get("commands")
    if commands:
        return Completion(
            tuple(Candidate(name, each["help"]) for name, each in commands.items() if name.startswith(typed))
        )
    arguments = line.node.get("arguments", [])
    many = next((at for at, each in enumerate(arguments) if each["many"]), len(arguments))
    next_one = min(line.arguments, many)
    if next_one >= len(arguments):
        return Completion(tuple(_options(options, typed, line)) if not typed else ())
    found = _values(arguments[next_one]["values"], typed, line, environ)
    if line.arguments and next_one + 1 < len(arguments) and not (found.candidates or found.paths):
        return _values(arguments[next_one + 1]["values"], typed, line, environ)  # the one behind many
    return found


def _read(tree: dict[str, Any], words: Sequence[str]) -> _Line:
    line = _Line(tree)
    for word in words:
        options = {**line.node.get("options", {}), **tree["common"]}
        if line.waiting:
            line.options[line.waiting] = word
            line.waiting = ""
        elif line.only_arguments or not word.startswith("-") or word == "-":
            commands = line.node.get("commands")
            if commands is None:
                line.arguments += 1
            elif word in commands:
                line.node = commands[word]
            else:
                line.is_wrong = True
        elif word == "--":
            line.only_arguments = True
        else:
            name, sign, value = word.partition("=")
            name = _long(options, name)
            if not name:
                continue
            line.options[name] = value if sign else None
            if options[name]["values"] is not None and not sign:
                line.waiting = name
    return line


def _long(options: Mapping[str, Any], name: str) -> str:
    """An option by any of its names; "" where there is none."""
    return next((each for each, option in options.items() if name == each or name in option.get("also", ())), "")


def _options(options: Mapping[str, Any], typed: str, line: _Line) -> Iterator[Candidate]:
    for name, option in options.items():
        if name.startswith(typed) and (name not in line.options or option.get("many")):
            yield Candidate(name, option["help"])


def _values(values: Values, typed: str, line: _Line, environ: Mapping[str, str]) -> Completion:
    if values in ("file", "dir"):
        return Completion(paths=str(values))
    if isinstance(values, dict):
        *before, last = typed.split(",")
        begin = "".join(f"{each}," for each in before)
        left = (each for each in values["each"] if each not in before and each.startswith(last))
        return Completion(tuple(Candidate(begin + each) for each in left))
    if isinstance(values, list):
        return Completion(tuple(Candidate(each) for each in values if each.startswith(typed)))
    if not values:
        return Completion()
    from tui.cli.completion.values import list_values

    given = {name.removeprefix("--"): value for name, value in line.options.items() if value is not None}
    found = (
        Candidate(each.value, _about(each.about), each.is_open)
        for each in list_values(str(values), typed, given, environ)
    )
    return Completion(tuple({each.value: each for each in found}.values()))


def _about(text: str) -> str:
    return text if len(text) <= _MAX_ABOUT else text[: _MAX_ABOUT - 1] + "…"
