"""``lode doctor``: a look at everything, what is wrong with it, and what to do."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import click

from tui import __version__
from tui.cli.arguments import WrongUsage
from tui.cli.context import Context
from tui.cli.output import console
from tui.cli.root import Command, takes_json
from tui.errors import LodeError
from tui.records.library import Finding, FindingState
from tui.system.disk import look_at_disk
from tui.system.net import is_this_machine
from tui.text.display import count_of
from tui.text.sanitize import one_line

if TYPE_CHECKING:
    from tui.remote.service import RemoteService


_SIGNS: dict[FindingState, tuple[str, str]] = {
    "ok": ("✓", "ok"),
    "absent": ("·", "--"),
    "warning": ("!", "! "),
    "broken": ("✗", "X "),
}
"""In Unicode, and for an encoding that lacks it."""
_PLAIN = str.maketrans({"→": "->", "·": "-", "…": "...", "×": "x", "–": "-", "’": "'"})
_LIVE_SECONDS = 20.0


@click.command(cls=Command)
@click.option("--live", is_flag=True, help="Ask each usable provider for one word, 20 seconds at most.")
@click.option("--full", is_flag=True, help="Look at every index, search table and imported file; takes a while.")
@click.option("--repair", is_flag=True, help="With --full: make indexes and search tables anew where they are wrong.")
@takes_json
def doctor(context: Context, live: bool, full: bool, repair: bool, as_json: bool) -> None:
    """Check settings, library, models, software and terminal.

    With --url the library and the models are the server's, and it is checked whether it can be reached. Nothing is
    changed without --repair, which keeps a copy first. Without --live no provider in the cloud is asked anything.
    Exit code 1 means that something is broken (✗); what could be better (!) is none.
    """
    from tui.system import event_loop

    with console.StatusLine() as status:
        found = event_loop.run(
            _examine(context, lambda text: status.show(text, now=True), live=live, full=full, repair=repair)
        )
    found = (*found, *terminal(os.environ))
    if as_json:
        console.put_json(found)
    else:
        unicode = console.can_write("".join((*map(chr, _PLAIN), *(sign for sign, _ in _SIGNS.values()))))
        for line in _report(found, console.width() if console.is_terminal() else None, unicode=unicode):
            console.put(line)
    if any(finding.state == "broken" for finding in found):
        raise click.exceptions.Exit(1)


async def _examine(
    context: Context, tell: Callable[[str], None], *, live: bool, full: bool, repair: bool
) -> tuple[Finding, ...]:
    """This machine; where the library is a server's, what of this machine matters then, and the server."""
    from tui import config
    from tui.service.doctor.checks import examine

    try:
        url = context.address(look_at_disk(lambda: config.load(context.home)))
    except Exception:  # noqa: BLE001 - it is looked at again below, and becomes a finding
        url = context.address()
    if url:
        if repair:
            raise WrongUsage("a server's library is repaired where it is", hint="lode doctor --full --repair, there")
        return await examine_with_server(context, url, live=live, full=full, tell=tell)
    how = {"live": live, "full": full, "repair": repair}
    return await examine(context.home, context.profile, os.environ, seconds=_LIVE_SECONDS, report=tell, **how)


def _report(found: Sequence[Finding], width: int | None, *, unicode: bool) -> Iterator[str]:
    """Group by group; lines are wrapped to ``width`` cells, None leaves them whole for a file or a pipe."""
    longest = max(len(finding.subject) for finding in found)
    for group, findings in groupby(found, lambda finding: finding.group):
        yield group
        for finding in findings:
            sign = _SIGNS[finding.state][0 if unicode else 1]
            head = f"  {sign} {finding.subject:{longest}}  "
            yield from _lines(head, finding.message, width, unicode=unicode)
            if finding.hint:
                yield from _lines(" " * (len(head) - 2) + "→ ", finding.hint, width, unicode=unicode)
        yield ""
    yield from _lines("", _verdict(found), width, unicode=unicode)


def _verdict(found: Sequence[Finding]) -> str:
    broken = sum(finding.state == "broken" for finding in found)
    warnings = sum(finding.state == "warning" for finding in found)
    if not broken and not warnings:
        return "Nothing is wrong."
    parts = [f"{broken} broken"] if broken else []
    parts += [count_of(warnings, "warning")] if warnings else []
    return f"{' and '.join(parts)}: what to do stands beside {'it' if broken + warnings == 1 else 'each'}."


def _lines(head: str, text: str, width: int | None, *, unicode: bool) -> Iterator[str]:
    """The text after its head, further lines under its beginning; words are never cut, so that paths can be copied."""
    from rich.cells import cell_len

    if not unicode:
        head, text = head.translate(_PLAIN), text.translate(_PLAIN)
    indent, line = cell_len(head), head
    for index, word in enumerate(text.split(" ")):
        if index and width is not None and cell_len(line) + 1 + cell_len(word) > width and line.strip() != head.strip():
            yield line.rstrip()
            line = " " * indent + word
        else:
            line += f" {word}" if index else word
    yield line.rstrip()


_SERVER = "Server"


async def examine_with_server(
    context: Context, url: str, *, live: bool, full: bool, tell: Callable[[str], None]
) -> tuple[Finding, ...]:
    """This machine's settings and software, the server, and the server's findings. Never raises ``LodeError``."""
    from tui.service.doctor.checks import examine_client

    settings, found = await examine_client(context.home, context.profile, os.environ)
    if settings is None:
        return found
    tell(f"asking {one_line(url)} …")
    try:
        has_token = bool(context.token(settings, url))
        service = context.remote(url, settings)
    except LodeError as error:
        return (*found, _broken("address", error))
    try:
        return (*found, *await _examine_server(service, url, has_token=has_token, live=live, full=full))
    finally:
        await service.close()


async def _examine_server(
    service: RemoteService, url: str, *, has_token: bool, live: bool, full: bool
) -> list[Finding]:
    try:
        version = await service.version()
    except LodeError as error:
        return [_broken("address", error)]
    found = [Finding(_SERVER, "address", "ok", f"{service.location} answers · Lode {version}")]
    if version != __version__:
        message = f"it has Lode {version}, this machine has {__version__}: they understand each other"
        found.append(Finding(_SERVER, "version", "warning", message, hint="update the older of the two one day"))
    if (way := _way(url)) is not None:
        found.append(way)
    try:
        theirs = await service.doctor(live=live, full=full)
    except LodeError as error:
        subject = "token" if error.code == "unauthorized" else "library"
        return [*found, _broken(subject, error)]
    said = "it is sent with every request, and taken" if has_token else "none is wanted"
    found.append(Finding(_SERVER, "token", "ok", said))
    for each in theirs:
        texts: dict[str, Any] = {name: one_line(getattr(each, name)) for name in ("subject", "message", "hint")}
        found.append(replace(each, group=f"{one_line(each.group)} of the server", **texts))
    return found


def _way(url: str) -> Finding | None:
    """Whether what is sent can be read on its way; None between programs of one machine."""
    if is_this_machine(url):
        return None
    parts = urlsplit(url)
    if parts.scheme == "https":
        return Finding(_SERVER, "way there", "ok", "encrypted")
    message = "not encrypted: whoever is on the way can read everything, the token too"
    hint = (
        f"put a proxy with HTTPS before it, or use a tunnel: ssh -L 8765:127.0.0.1:{parts.port or 80} {parts.hostname}"
    )
    return Finding(_SERVER, "way there", "warning", message, hint=hint)


def _broken(subject: str, error: LodeError) -> Finding:
    return Finding(_SERVER, subject, "broken", one_line(error.message), hint=one_line(error.hint))


_TERMINAL = "Terminal"
_LEAST = (60, 16)
_GOOD = (80, 24)
_SECONDS = 2.0


def terminal(environ: Mapping[str, str]) -> Iterator[Finding]:
    """Kind, size, colours, characters and clipboard, as far as the environment and the streams tell."""
    yield _kind(environ)
    if (columns_and_lines := _size()) is not None:
        yield _fits(*columns_and_lines)
    yield _colours(environ)
    yield _characters(environ)
    if environ.get("TERM", "") not in ("", "dumb"):
        yield _clipboard(environ)


def _found(subject: str, message: str, *, state: FindingState = "ok", hint: str = "") -> Finding:
    return Finding(_TERMINAL, subject, state, one_line(message), hint=hint)


def _kind(environ: Mapping[str, str]) -> Finding:
    name = environ.get("TERM", "")
    more = " in tmux" if environ.get("TMUX") else " in screen" if environ.get("STY") else ""
    more += " over SSH" if environ.get("SSH_CONNECTION") else ""
    if name in ("", "dumb"):
        what = f"TERM is {name}" if name else "TERM is not set"
        return _found(
            *("kind", f"{what}{more}: the app cannot draw here, the commands work"),
            state="warning",
            hint="open the app in another terminal, or export TERM=xterm-256color where that is what it is",
        )
    if not console.is_terminal():
        return _found("kind", f"{name}{more}; this report goes to a file or a pipe")
    return _found("kind", f"{name}{more}")


def _size() -> tuple[int, int] | None:
    """Columns and lines of the terminal behind any of the three streams."""
    for stream in (sys.__stdout__, sys.__stderr__, sys.__stdin__):
        try:
            if stream is not None and stream.isatty():
                return os.get_terminal_size(stream.fileno())
        except (OSError, ValueError):
            continue
    return None


def _fits(columns: int, lines: int) -> Finding:
    size = f"{columns} × {lines}"
    if columns == 0 or lines == 0:
        return _found("size", "it does not say how large it is", state="warning", hint="stty rows 24 cols 80")
    if columns < _LEAST[0] or lines < _LEAST[1]:
        least = f"{_LEAST[0]} × {_LEAST[1]}"
        return _found("size", f"{size}: the app needs {least}", state="warning", hint="enlarge the window")
    if columns < _GOOD[0] or lines < _GOOD[1]:
        return _found("size", f"{size}: enough, though {_GOOD[0]} × {_GOOD[1]} shows more")
    return _found("size", size)


def _colours(environ: Mapping[str, str]) -> Finding:
    if environ.get("NO_COLOR"):
        return _found("colours", "none, since NO_COLOR is set")
    name = environ.get("TERM", "")
    if name in ("", "dumb"):
        return _found("colours", "none")
    if environ.get("COLORTERM", "").lower() in ("truecolor", "24bit"):
        return _found("colours", "16 million")
    if "256color" in name:
        return _found("colours", "256 (COLORTERM=truecolor, where the terminal has them, gives finer ones)")
    return _found("colours", "16")


def _characters(environ: Mapping[str, str]) -> Finding:
    encoding = (getattr(sys.stdout, "encoding", "") or "unknown").lower()
    if encoding.replace("-", "") != "utf8":
        return _found(
            *("characters", f"{encoding}: not every language can be shown"),
            state="warning",
            hint="export LANG=C.UTF-8, or another locale with UTF-8",
        )
    locale = next((environ[name] for name in ("LC_ALL", "LC_CTYPE", "LANG") if environ.get(name)), "no locale")
    return _found("characters", f"UTF-8 ({locale})")


def _clipboard(environ: Mapping[str, str]) -> Finding:
    """Copying goes through OSC 52, which multiplexers pass on only if they are told to."""
    if environ.get("TMUX"):
        setting = _tmux_clipboard()
        if setting == "on":
            return _found("clipboard", "tmux passes copied text on (set-clipboard on)")
        what = f"tmux keeps copied text to itself (set-clipboard {setting})"
        what = what if setting else "tmux does not tell whether it passes copied text on"
        hint = "put into ~/.tmux.conf: set -g set-clipboard on"
        return _found("clipboard", what, state="warning", hint=hint)
    if environ.get("STY"):
        return _found(
            *("clipboard", "screen does not pass copied text on"), state="warning", hint="use tmux, or no multiplexer"
        )
    if environ.get("TERM_PROGRAM") == "Apple_Terminal":
        return _found(
            *("clipboard", "this terminal takes no text from programs (OSC 52)"),
            state="warning",
            hint="iTerm2, kitty, WezTerm, Ghostty and others do",
        )
    return _found("clipboard", "copied text goes through the terminal (OSC 52), if it takes it")


def _tmux_clipboard() -> str:
    """The value of tmux's ``set-clipboard``: on, external or off; "" where it can't be asked."""
    try:
        done = subprocess.run(
            ["tmux", "show-options", "-sv", "set-clipboard"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    said = done.stdout.strip()
    return said if said in ("on", "external", "off") else ""
