"""Lines of a TOML text: where a key stands, and a text in which one value is another and all else as it was.

Python reads TOML but says neither where a value stood nor writes any, and tomlkit puts a new key between the next table
and the comment above that. What is written here is read back before it is given to anybody. The format is that of
toml.io/en/v1.0.0.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

Path = tuple[str, ...]
Value = str | bool | int | float
_BARE = re.compile(r"[A-Za-z0-9_-]+\Z")


@dataclass(frozen=True, slots=True)
class Statement:
    """Statement of a text, in its lines from ``first`` up to but without ``end``, counted from 0.

    ``path`` leads from the root to the key that gets a value, or to the table whose header it is.
    """

    first: int
    end: int
    path: Path
    is_header: bool


def list_statements(text: str) -> Iterator[Statement]:
    """Iterate over the statements of a text that is TOML; comments and empty lines are none."""
    table: Path = ()
    begun: list[str] = []
    for number, line in enumerate(_lines(text)):
        if not begun and (not line.strip() or line.lstrip().startswith("#")):
            continue
        begun.append(line)
        first = number + 1 - len(begun)
        if len(begun) == 1 and line.lstrip().startswith("["):
            table = _only_path(tomllib.loads(line))
            yield Statement(first, number + 1, table, True)
        elif _is_toml("\n".join(begun)):
            statement = "\n".join(begun)
            yield Statement(first, number + 1, (*table, *_key_of(statement)), False)
        else:
            continue
        begun = []


def find_line(text: str, path: Sequence[str]) -> int | None:
    """The line, counted from 1, at which a key or table of a TOML text stands; that of what it stands in otherwise."""
    wanted = tuple(path)
    found, matched = None, 0
    for each in list_statements(text):
        shared = 0
        while shared < min(len(wanted), len(each.path)) and wanted[shared] == each.path[shared]:
            shared += 1
        if shared > matched:
            found, matched = each.first + 1, shared
    return found


def set_value(text: str, path: Sequence[str], value: Value | None) -> str:
    """The text with this value for a key, or without the key for None; comments and all other lines stay.

    Raises ``ValueError`` where the key stands in a way that this cannot change, in a table within a line, say.
    """
    wanted = tuple(path)
    before = tomllib.loads(text)
    statements = list(list_statements(text))
    lines = _lines(text)
    there = next((each for each in statements if each.path == wanted and not each.is_header), None)
    if there is not None:
        old = "\n".join(lines[there.first : there.end])
        lines[there.first : there.end] = [] if value is None else [_with_value(old, value)]
    elif value is not None:
        _insert(lines, statements, wanted, value)
    ending = "\r\n" if "\r\n" in text else "\n"
    written = ending.join(lines)
    if _pruned(tomllib.loads(written)) != _pruned(_replaced(before, wanted, value)):
        raise ValueError(f"{'.'.join(wanted)} stands where it cannot be changed")
    return written


def _lines(text: str) -> list[str]:
    return text.replace("\r\n", "\n").split("\n")


def _insert(lines: list[str], statements: Sequence[Statement], path: Path, value: Value) -> None:
    """Put a new key below those of its table, in a table of its own at the end where there is none."""
    table = path[:-1]
    new = f"{_written_key(path[-1])} = {_literal(value)}"
    headers = [each for each in statements if each.is_header]
    header = next((each for each in headers if each.path == table), None)
    if header is None and table:
        while lines and not lines[-1].strip():
            lines.pop()
        lines += [*([""] if lines else []), f"[{'.'.join(map(_written_key, table))}]", new, ""]
        return
    begin = header.first if header is not None else -1
    stop = next((each.first for each in headers if each.first > begin), len(lines))
    own = [each.end for each in statements if begin <= each.first < stop]
    if own:
        lines.insert(own[-1], new)
    elif headers:  # the first key of the root, above the first table and what is said of that
        while stop and lines[stop - 1].lstrip().startswith("#"):
            stop -= 1
        lines[stop:stop] = [new, ""]
    else:
        while lines and not lines[-1].strip():
            lines.pop()
        lines += [new, ""]


def _with_value(statement: str, value: Value) -> str:
    """A statement with another value, its key and its comment as they were."""
    equals = _equals_sign(statement)
    rest = statement[equals + 1 :]
    space = rest[: len(rest) - len(rest.lstrip(" \t"))] or " "
    comment = ""
    for at, char in enumerate(statement):
        if char == "#" and at > equals and _is_toml(statement[:at]):
            kept = statement[:at].rstrip(" \t")
            comment = statement[len(kept) :]
            break
    return f"{statement[:equals]}={space}{_literal(value)}{comment}"


def _key_of(statement: str) -> Path:
    return _only_path(tomllib.loads(f"{statement[: _equals_sign(statement)]}= 0"))


def _equals_sign(statement: str) -> int:
    """Where the sign behind the key stands; a key in quotation marks may have some too."""
    return next(at for at, char in enumerate(statement) if char == "=" and _is_toml(f"{statement[:at]}= 0"))


def _only_path(table: Any) -> Path:
    """The path to the one thing that a table has."""
    path: list[str] = []
    while isinstance(table, (dict, list)) and table:
        if isinstance(table, list):
            table = table[0]
            continue
        ((name, table),) = table.items()
        path.append(name)
    return tuple(path)


def _is_toml(text: str) -> bool:
    try:
        tomllib.loads(text)
    except ValueError:
        return False
    return True


def _written_key(name: str) -> str:
    return name if _BARE.match(name) else _literal(name)


def _literal(value: Value) -> str:
    """A value as TOML writes it: its basic strings escape as JSON's do."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return str(value).lower()


def _replaced(table: dict[str, Any], path: Path, value: Value | None) -> dict[str, Any]:
    name, *below = path
    if below:
        inner = table.get(name, {})
        if not isinstance(inner, dict):
            raise ValueError(f"{name} is no table")
        return table | {name: _replaced(inner, tuple(below), value)}
    if value is None:
        return {key: kept for key, kept in table.items() if key != name}
    return table | {name: value}


def _pruned(table: Any) -> Any:
    """The table without empty ones: whether their header stays says nothing."""
    if not isinstance(table, dict):
        return table
    kept = {name: _pruned(value) for name, value in table.items()}
    return {name: value for name, value in kept.items() if value != {}}
