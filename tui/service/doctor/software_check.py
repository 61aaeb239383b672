"""Software, as ``lode doctor`` sees it: Lode, Python, SQLite, libraries, and faults that were reported."""

import platform
import shutil
import sqlite3
from collections.abc import Callable
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

from tui import __version__, voices
from tui.config import SPEECH_PROGRAMS, Settings, SpeechSettings
from tui.errors import LodeError
from tui.llm.selector import unknown_provider
from tui.media.container import EXTRA, is_installed
from tui.provider_table import PROVIDERS
from tui.records.library import Finding, FindingState
from tui.store.store import OLDEST_SQLITE
from tui.store.write_ahead_log import can_lose_commits
from tui.system import crash_reports
from tui.text.display import count_of
from tui.text.sanitize import one_line


class CheckResult(NamedTuple):
    """Result of a check, which becomes a finding with a group and a subject."""

    state: FindingState
    message: str
    hint: str = ""


def run_check(group: str, subject: str, check: Callable[[], CheckResult | None]) -> list[Finding]:
    """Run a check and give its finding; none where there is nothing to say."""
    try:
        result = check()
    except LodeError as error:
        result = CheckResult("broken", one_line(error.message), one_line(error.hint))
    except OSError as error:
        result = CheckResult(
            "broken", one_line(f"{error.filename or subject}: {error.strerror or error}"), "check that it can be read"
        )
    except Exception as error:  # noqa: BLE001 - what is broken here must not hide the rest
        result = describe_unexpected(error)
    return [] if result is None else [Finding(group, subject, *result)]


def describe_unexpected(error: Exception, hint: str = "report it, with what stands here") -> CheckResult:
    return CheckResult("broken", one_line(f"it cannot be looked at: {type(error).__name__}: {error}"), hint)


_LIBRARIES = (
    *("textual", "click", "httpx", "sqlite-utils", "jinja2", "genanki", "simplemma", "budoux"),
    *("markdown-it-py", "msgspec"),
)
_PLAYERS = ("mpv", "ffplay", "play")


def check_software(group: str, settings: Settings | None) -> list[Finding]:
    """Check Lode itself, what it runs on, and the extras that read films."""
    system = f"{platform.system()} {platform.release()}"
    return [
        *run_check(group, "Lode", lambda: CheckResult("ok", __version__)),
        *run_check(group, "Python", lambda: CheckResult("ok", f"{platform.python_version()} on {system}")),
        *run_check(group, "SQLite", _sqlite),
        *run_check(group, "libraries", _installed),
        *run_check(group, "films", _films),
        *(() if settings is None else check_speech(group, settings)),
        *(() if settings is None else run_check(group, "reports", lambda: _reports(settings.home))),
    ]


def _reports(home: Path) -> CheckResult | None:
    """Check for crash reports; nothing where there is none."""
    written = crash_reports.list_reports(home)
    if not written:
        return None
    message = f"{count_of(len(written), 'fault')} of Lode, the last in {written[-1]}"
    hint = "it holds nothing of yours: send it to whoever can repair it, then delete it"
    return CheckResult("warning", message, hint)


def _sqlite() -> CheckResult:
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        return CheckResult("broken", f"{sqlite3.sqlite_version} is too old", "use a Python with SQLite 3.38 or newer")
    if can_lose_commits(sqlite3.sqlite_version_info):
        message = f"{sqlite3.sqlite_version} · it has SQLite's WAL-reset bug, which Lode's way of writing keeps out"
        return CheckResult("ok", message, "other programs that write into lode.db want SQLite 3.51.3 or newer")
    return CheckResult("ok", f"{sqlite3.sqlite_version} · without SQLite's WAL-reset bug")


def _installed() -> CheckResult:
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
    there = f"players: {_found(_PLAYERS)} · voices: {_found(SPEECH_PROGRAMS)}"
    if not is_installed():
        return CheckResult("absent", f"sound of films is not read · {there}", EXTRA)
    return CheckResult("ok", f"read by PyAV {version('av')} · {there}")


def _found(programs: tuple[str, ...]) -> str:
    """Programs that this machine has, "none" where it has none of them."""
    return ", ".join(name for name in programs if shutil.which(name)) or "none"


def check_speech(group: str, settings: Settings) -> list[Finding]:
    """Check each voice of ``[speech]``; nothing where it names none."""
    return [
        finding
        for language, voice in settings.speech.items()
        for finding in run_check(group, f"speech.{language}".rstrip("."), partial(_voice, voice, settings))
    ]


def _voice(voice: SpeechSettings, settings: Settings) -> CheckResult:
    speaker = voice.speaker or voices.ESPEAK
    named = " ".join(filter(None, (speaker, voice.model, voice.voice)))
    installs = {voices.ESPEAK: voices.INSTALL_ESPEAK, voices.PIPER: voices.INSTALL_PIPER}
    try:
        if speaker not in installs:
            known = {*(row.name for row in PROVIDERS), *(own.name for own in settings.providers)}
            if speaker not in known:
                raise unknown_provider(speaker, known)
        elif not voices.is_installed(speaker):
            return CheckResult("warning", f"{speaker} is not installed", installs[speaker])
        elif speaker == voices.PIPER:
            voices.PiperVoice(Path(voice.model)).check_model()
    except LodeError as error:
        return CheckResult("warning", error.message, error.hint)
    return CheckResult("ok", named)
