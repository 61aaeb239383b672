"""What is made from the commands themselves: the table that shells complete from, and the man page.

``python -m tests.cli.written`` (``make man``) writes both anew; a test fails when one is not up to date.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from tui import __version__
from tui.cli.lists import ColumnNames
from tui.cli.root import SECTIONS, Group, lode
from tui.provider_table import PROVIDERS
from tui.records.word_states import WORD_STATES

ROOT = Path(__file__).resolve().parents[2]
COMMANDS = ROOT / "tui" / "cli" / "completion" / "commands.json"
MAN_PAGE = ROOT / "man" / "lode.1"

KINDS = {
    **dict.fromkeys(("XX", "XX[:LEVEL]"), "languages"),
    **dict.fromkeys(("TRANSCRIPT", "[TITLE]", "TRANSLATION_ID"), "transcripts"),
    **dict.fromkeys(("SETTING", "[SETTING]"), "settings"),
    "SEL": "models",
    "ANSWER": "history",
    "TAG": "tags",
    **dict.fromkeys(("VIEW", "VIEW…"), "views"),
}
"""Metavar of a parameter → what completes it."""
NAMED = {
    **dict.fromkeys(("profile", "to"), "profiles"),
    "provider": "providers",
    "topic": "guides",
    "encoding": "encodings",
    "known": {"each": list(WORD_STATES)},
}
"""Name of a parameter → what completes it."""
IDS = re.compile(r"\[?ID…?\]?\Z")
HOLDERS = {"export": "clips", "words": "transcripts"}
"""Command whose ids are those of another kind of record than its name says."""
_CHOICES = re.compile(r"[a-z]+(\|[a-z]+)+\Z")

# The table of completion


def write_commands() -> str:
    root = click.Context(lode, info_name="lode")
    common = {name: option for name, option in _options(lode, ()) if name != "--version"}
    return json.dumps({"common": common, **_node(lode, root, (), common)}, ensure_ascii=False, indent=1) + "\n"


def _node(command: click.Command, context: click.Context, path: tuple[str, ...], common: Any) -> dict[str, Any]:
    node: dict[str, Any] = {"help": _help_of(command, path)} if path else {}
    options = {name: option for name, option in _options(command, path) if name not in common}
    arguments = [
        {"values": _values(param, path), "many": param.nargs == -1}
        for param in command.params
        if isinstance(param, click.Argument)
    ]
    below = {name: _node(each, within, (*path, name), common) for name, each, within in subcommands(command, context)}
    return node | {
        name: part for name, part in (("options", options), ("arguments", arguments), ("commands", below)) if part
    }


def subcommands(command: click.Command, context: click.Context) -> Iterator[tuple[str, click.Command, click.Context]]:
    """Commands of a group that people see."""
    if isinstance(command, Group):
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            if found is not None and not found.hidden:
                yield name, found, click.Context(found, parent=context, info_name=name)


def _help_of(command: click.Command, path: tuple[str, ...]) -> str:
    if len(path) == 1:
        return next(section[path[0]][1] for section in SECTIONS.values() if path[0] in section)
    return command.get_short_help_str(limit=100)


def _options(command: click.Command, path: tuple[str, ...]) -> Iterator[tuple[str, dict[str, Any]]]:
    for param in command.params:
        if isinstance(param, click.Option) and not param.hidden:
            name = max(param.opts, key=len)
            option = {"help": param.help or "", "values": None if param.is_flag else _values(param, path)}
            more = {"also": [each for each in param.opts if each != name], "many": param.multiple}
            yield name, option | {key: value for key, value in more.items() if value}


def _values(param: click.Parameter, path: tuple[str, ...]) -> Any:
    metavar = param.metavar or ""
    match param.type:
        case click.Choice(choices=choices):
            return list(map(str, choices))
        case ColumnNames(titles=titles):
            return {"each": list(titles)}
        case click.Path(file_okay=file_okay):
            return "file" if file_okay else "dir"
    if IDS.match(metavar):
        return HOLDERS.get(path[0], path[0])
    if _CHOICES.match(metavar):
        return metavar.split("|")
    return KINDS.get(metavar) or NAMED.get(param.name or "", "")


# The man page, by the macros of man(7)

_ENVIRONMENT = (
    ("LODE_HOME", "Directory of data and settings, as --home."),
    ("LODE_URL", "Server whose library is used, as --url."),
    ("LODE_TOKEN", "Token for that server."),
    ("LODE_DEBUG", "1 shows where an unexpected error came from."),
    ("PAGER, LESS", "Program that long lists and guides go through on a terminal, and its options."),
    ("VISUAL, EDITOR", "Editor of lode config edit."),
)
_FILES = (
    ("~/.config/lode/config.toml", "Settings: lode help configuration."),
    ("~/.local/share/lode/", "The library; lode doctor says where both are on this system."),
)
_EXIT = (
    ("0", "Done."),
    ("1", "It failed: cause and next step stand on standard error."),
    ("2", "Wrong usage."),
    ("130", "Interrupted."),
    ("129, 143", "Ended by SIGHUP or SIGTERM."),
    ("141", "The reader of a pipe went away."),
)


def write_man_page() -> str:
    context = click.Context(lode, info_name="lode")
    common = [param for param in lode.params if isinstance(param, click.Option)]
    names = {name for param in common for name in param.opts}
    keys = tuple((", ".join(row.key_envs), f"Key of {row.label}.") for row in PROVIDERS if row.key_envs)
    parts = [
        '.\\" Made from the commands: make man',
        f'.TH LODE 1 "" "lode {__version__}" "User Commands"',
        ".SH NAME",
        "lode \\- learn a language from what you watch and read",
        ".SH SYNOPSIS",
        ".B lode",
        "[\\fIOPTIONS\\fR] [\\fICOMMAND\\fR \\[u2026]]",
        ".SH DESCRIPTION",
        *_paragraphs(lode.help or ""),
        ".PP",
        "Data goes to standard output, everything else to standard error; a pipe gets lists separated by tabs.",
        "Guides, a subject each, are shown by",
        '.BR "lode help" .',
        ".SH OPTIONS",
        *_option_lines(common),
        ".SH COMMANDS",
    ]
    for title, section in SECTIONS.items():
        parts.append(f".SS {title}")
        for name, command, within in subcommands(lode, context):
            if name in section:
                parts += _command_lines(command, within, (name,), names)
    for heading, rows in (("ENVIRONMENT", (*_ENVIRONMENT, *keys)), ("FILES", _FILES), ("EXIT STATUS", _EXIT)):
        parts.append(f".SH {heading}")
        for term, text in rows:
            parts += [".TP", f".B {_escaped(term)}", _escaped(text)]
    parts += [".SH SEE ALSO", ".BR mpv (1),", ".BR less (1)"]
    return "\n".join(parts) + "\n"


def _command_lines(
    command: click.Command, context: click.Context, path: tuple[str, ...], common: set[str]
) -> Iterator[str]:
    below = list(subcommands(command, context))
    arguments = [param.make_metavar(context) for param in command.params if isinstance(param, click.Argument)]
    yield ".PP"
    usage = " ".join(f"\\fI{_escaped(each)}\\fR" for each in (["COMMAND"] if below else arguments))
    yield f"\\fBlode {' '.join(path)}\\fR {usage}".rstrip()
    yield ".RS"
    yield from _paragraphs(command.help or _help_of(command, path))
    yield from _option_lines(
        [each for each in command.params if isinstance(each, click.Option) and not common.intersection(each.opts)]
    )
    yield ".RE"
    for name, each, within in below:
        yield from _command_lines(each, within, (*path, name), common)


def _option_lines(options: Sequence[click.Option]) -> Iterator[str]:
    for option in options:
        if option.hidden:
            continue
        context = click.Context(lode)
        names = ", ".join(f"\\fB{_escaped(name)}\\fR" for name in option.opts)
        value = "" if option.is_flag else f" \\fI{_escaped(option.make_metavar(context))}\\fR"
        yield ".TP"
        yield names + value
        yield _escaped(option.help or "")


def _paragraphs(text: str) -> Iterator[str]:
    """Paragraphs of a help text, filled by whoever shows them."""
    for number, part in enumerate(re.split(r"\n\s*\n", textwrap.dedent(text).replace("\b\n", "").strip())):
        if number:
            yield ".PP"
        yield _escaped(" ".join(part.split()))


def _escaped(text: str) -> str:
    """A text in which nothing is a request or an escape of roff's; a dash is one that can be typed.

    What is not ASCII is named: not every roff is told the encoding.
    """
    text = text.replace("\\", "\\e").replace("-", "\\-")
    text = "".join(char if char.isascii() else f"\\[u{ord(char):04X}]" for char in text)
    return f"\\&{text}" if text[:1] in (".", "'") else text


def main() -> None:
    COMMANDS.write_text(write_commands(), "utf-8")
    MAN_PAGE.parent.mkdir(exist_ok=True)
    MAN_PAGE.write_text(write_man_page(), "utf-8")


if __name__ == "__main__":
    main()
