"""A user service that runs ``lode inbox`` from login on: systemd's on Linux, launchd's on macOS."""

from __future__ import annotations

import os
import plistlib
import re
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tui.cli.output import console
from tui.errors import InvalidInput

_NAME = "lode-inbox"
_LABEL = "lode.inbox"
_PLAIN = re.compile(r"[\w@%+=:,./-]+", re.ASCII)


def install_service(arguments: Sequence[str]) -> None:
    """Have ``lode`` started with these arguments from now on. Raises ``InvalidInput`` where nothing can do that."""
    command = [sys.executable, "-P", "-m", "tui", *arguments]
    path = _find_path()
    written = _write_plist(command) if sys.platform == "darwin" else _write_unit(command)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(written)
    except OSError as error:
        raise InvalidInput(f"{path} cannot be written: {error.strerror or error}") from error
    console.tell(f"written: {path}")
    if sys.platform == "darwin":
        _run("launchctl", "unload", str(path), may_fail=True)
        _run("launchctl", "load", str(path))
    else:
        _run("systemctl", "--user", "daemon-reload")
        _run("systemctl", "--user", "enable", "--now", f"{_NAME}.service")
    console.tell("it runs, and will with each of your sessions; lode inbox --remove ends that")


def remove_service() -> None:
    """Have it started no longer. Raises ``InvalidInput`` where it was not installed."""
    path = _find_path()
    if not path.exists():
        raise InvalidInput("no inbox is installed", hint="lode inbox --install does it")
    if sys.platform == "darwin":
        _run("launchctl", "unload", str(path), may_fail=True)
    else:
        _run("systemctl", "--user", "disable", "--now", f"{_NAME}.service", may_fail=True)
    path.unlink()
    if sys.platform != "darwin":
        _run("systemctl", "--user", "daemon-reload", may_fail=True)
    console.tell(f"removed: {path}")


def _find_path() -> Path:
    if sys.platform == "darwin":
        return Path.home() / "Library" / "LaunchAgents" / f"{_LABEL}.plist"
    if sys.platform == "win32":
        raise InvalidInput(
            "there is no user service on Windows", hint="put a shortcut to lode inbox into the folder shell:startup"
        )
    config = os.environ.get("XDG_CONFIG_HOME", "")
    place = Path(config) if config.startswith("/") else Path.home() / ".config"  # a relative one counts as none
    return place / "systemd" / "user" / f"{_NAME}.service"


def _write_unit(command: Sequence[str]) -> bytes:
    """A unit of systemd (systemd.service(5)); the colon before the command lets a dollar sign be one."""
    lines = (
        *("[Unit]", "Description=Lode's inbox: cards of Yomitan, asbplayer and others become clips", ""),
        *("[Service]", f"ExecStart=:{' '.join(map(_quote, command))}", "Restart=on-failure", "RestartSec=10", ""),
        *("[Install]", "WantedBy=default.target", ""),
    )
    return "\n".join(lines).encode()


def _quote(text: str) -> str:
    """A word of a command as systemd reads it, which has its own escapes, and ``%`` for what it fills in."""
    escaped = text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n").replace("%", "%%")
    return escaped if _PLAIN.fullmatch(escaped) else f'"{escaped}"'


def _write_plist(command: Sequence[str]) -> bytes:
    return plistlib.dumps(
        {"Label": _LABEL, "ProgramArguments": list(command), "RunAtLoad": True, "KeepAlive": {"SuccessfulExit": False}}
    )


def _run(*command: str, may_fail: bool = False) -> None:
    """Run a command of the system's. Raises ``InvalidInput`` where it fails, which names it."""
    try:
        done = subprocess.run(command, check=False, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        said = done.stderr.strip() if done.returncode else ""
    except OSError as error:
        done, said = None, error.strerror or str(error)
    if not may_fail and (done is None or done.returncode):
        raise InvalidInput(
            f"{shlex.join(command)} failed: {said[:300] or 'it does not say why'}",
            hint="the file is written: run this yourself once it can",
        )
