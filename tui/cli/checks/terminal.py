"""Abilities of this terminal that the app uses, as findings of ``lode doctor``; the worst of them is a warning."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping

from tui.cli.output import console
from tui.records.library import Finding, FindingState
from tui.text.sanitize import one_line

GROUP = "Terminal"
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
    return Finding(GROUP, subject, state, one_line(message), hint=hint)


def _kind(environ: Mapping[str, str]) -> Finding:
    name = environ.get("TERM", "")
    within = [what for what, variable in (("tmux", "TMUX"), ("screen", "STY")) if environ.get(variable)]
    over = ["SSH"] if environ.get("SSH_CONNECTION") else []
    more = "".join((f" in {within[0]}" if within else "", f" over {over[0]}" if over else ""))
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
    program = shutil.which("tmux")
    if program is None:
        return ""
    try:
        done = subprocess.run(
            [program, "show-options", "-sv", "set-clipboard"],
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
