"""Software, as ``lode doctor`` sees it: Lode, Python, SQLite, libraries, and faults that were reported."""

from __future__ import annotations

import shutil
import sqlite3
import sys
from pathlib import Path

from tui import __version__
from tui.config import SPEECH_PROGRAMS, Settings
from tui.records.library import Finding
from tui.service.doctor.check_result import CheckResult, run_check
from tui.service.doctor.speech_check import speech
from tui.system import crash_reports
from tui.text.display import count_of

_LIBRARIES = (
    "textual", "click", "httpx", "sqlite-utils", "jinja2", "genanki", "simplemma", "budoux", "markdown-it-py",
    "msgspec",
)  # fmt: skip


_PLAYERS = ("mpv", "ffplay", "play")


def software(group: str, settings: Settings | None) -> list[Finding]:
    """Check Lode itself, what it runs on, and the extras that read films."""
    return [
        *run_check(group, "Lode", lambda: CheckResult("ok", __version__)),
        *run_check(group, "Python", _python),
        *run_check(group, "SQLite", _sqlite),
        *run_check(group, "libraries", _installed),
        *run_check(group, "films", _films),
        *(() if settings is None else speech(group, settings)),
        *(() if settings is None else run_check(group, "reports", lambda: _reports(settings.home))),
    ]


def _reports(home: Path) -> CheckResult | None:
    """Check for crash reports; nothing where there is none."""
    written = crash_reports.list_reports(home)
    if not written:
        return None
    message = f"{count_of(len(written), 'fault')} of Lode, the last in {written[-1]}"
    return CheckResult(
        "warning", message, "it holds nothing of yours: send it to whoever can repair it, then delete it"
    )


def _python() -> CheckResult:
    import platform

    version = ".".join(map(str, sys.version_info[:3]))
    return CheckResult("ok", f"{version} on {platform.system()} {platform.release()}")


def _sqlite() -> CheckResult:
    from tui.store.store import OLDEST_SQLITE
    from tui.store.write_ahead_log import can_lose_commits

    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        return CheckResult("broken", f"{sqlite3.sqlite_version} is too old", "use a Python with SQLite 3.38 or newer")
    if can_lose_commits(sqlite3.sqlite_version_info):
        message = f"{sqlite3.sqlite_version} · it has SQLite's WAL-reset bug, which Lode's way of writing keeps out"
        return CheckResult("ok", message, "other programs that write into lode.db want SQLite 3.51.3 or newer")
    return CheckResult("ok", f"{sqlite3.sqlite_version} · without SQLite's WAL-reset bug")


def _installed() -> CheckResult:
    from importlib.metadata import PackageNotFoundError, version

    there, missing = [], []
    for name in _LIBRARIES:
        try:
            there.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            missing.append(name)
    if missing:
        hint = f"install it again: pip install {' '.join(missing)}"
        return CheckResult("broken", f"not installed: {', '.join(missing)}", hint)
    return CheckResult("ok", ", ".join(there))


def _films() -> CheckResult:
    from importlib.metadata import version

    from tui.media.container import EXTRA, is_installed

    there = f"players: {_found(_PLAYERS)} · voices: {_found(SPEECH_PROGRAMS)}"
    if not is_installed():
        return CheckResult("absent", f"sound of films is not read · {there}", EXTRA)
    return CheckResult("ok", f"read by PyAV {version('av')} · {there}")


def _found(programs: tuple[str, ...]) -> str:
    """Programs that this machine has, "none" where it has none of them."""
    return ", ".join(name for name in programs if shutil.which(name)) or "none"
