"""Looking everything over: settings, library, dictionaries, software and providers, each whatever the others are like.

This is no part of ``Service``, which needs settings that can be read and makes a database where there is none: here
nothing is made, changed or repaired, and what is broken only becomes a finding.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from tui import __version__, crash_reports
from tui.config import Settings, check_profile, directories, load
from tui.errors import LodeError
from tui.records import Finding, FindingState
from tui.service.doctor.full_check import ThroughAll
from tui.text.display import count_of, size
from tui.text.sanitize import one_line

if TYPE_CHECKING:
    from tui.store.integrity.checks import Checkup

SETTINGS, LIBRARY, MODELS, SOFTWARE = "Settings", "Library", "Models", "Software"
"""The groups, in the order in which they are looked at."""
_LITTLE_ROOM = 200_000_000
"""Bytes; imports, the log and the copy before a migration want some."""
_NO_ROOM = 5_000_000
_OLDEST_SQLITE = (3, 38, 0)
_LIBRARIES = (
    "textual", "click", "httpx", "sqlite-utils", "jinja2", "genanki", "simplemma", "budoux", "markdown-it-py",
    "msgspec",
)  # fmt: skip

Look: TypeAlias = "Callable[[], Finding | Iterable[Finding]]"


async def examine(
    home: Path | None,
    profile: str | None,
    environ: Mapping[str, str],
    *,
    live: bool = False,
    full: bool = False,
    repair: bool = False,
    seconds: float = 20.0,
    tell: Callable[[str], None] = lambda text: None,
) -> tuple[Finding, ...]:
    """Everything that was found, group by group. ``live`` asks each usable provider for a word, ``seconds`` at most.

    ``full`` looks at every index, every search table and the bytes of every imported file, which takes a while;
    ``repair`` makes indexes and search tables anew where they are wrong, the only thing here that changes anything.
    Without ``live`` nothing is asked of any server but those on this machine, whether they are there. Never raises.
    """
    tell("looking over settings and library …")
    settings, found = _settings(home, profile, environ)
    if settings is None:
        return (*found, *_software(None))
    looking = ThroughAll(tell, repair=repair) if full or repair else None
    try:
        in_library, template = await asyncio.to_thread(_library, settings, looking)
    except asyncio.CancelledError:
        if looking is not None:
            looking.stopped.set()
        raise
    from tui.service.doctor.provider_check import providers

    tell("asking the providers …" if live else "looking for providers …")
    try:
        models = await providers(settings, environ, template, live_seconds=seconds if live else None)
    except Exception as error:  # noqa: BLE001 - what is broken here must not hide the rest
        models = [_unforeseen(MODELS, "providers", error)]
    return (*found, *in_library, *models, *await asyncio.to_thread(_software, settings))


async def examine_client(
    home: Path | None, profile: str | None, environ: Mapping[str, str]
) -> tuple[Settings | None, tuple[Finding, ...]]:
    """The part of it that matters where the library is a server's, and the settings in force. Never raises."""
    settings, found = _settings(home, profile, environ)
    return settings, (*found, *await asyncio.to_thread(_software, settings))


def _settings(
    home: Path | None, profile: str | None, environ: Mapping[str, str]
) -> tuple[Settings | None, list[Finding]]:
    """The settings that the rest is looked at with: the defaults where the file cannot be used."""
    try:
        data, config = directories(home, environ)
    except Exception as error:  # noqa: BLE001 - no home directory, an unknown ~user: then there is nothing to look at
        hint = "name a directory: --home DIR or LODE_HOME"
        return None, [replace(_unforeseen(SETTINGS, "directories", error), hint=hint)]
    settings, path = Settings(home=data, config_path=config / "config.toml"), config / "config.toml"

    def file() -> Finding:
        nonlocal settings
        settings = load(home, environ)
        if not path.exists():
            return Finding(SETTINGS, "config.toml", "ok", f"there is none at {path}: the defaults are in force")
        own = count_of(len(settings.providers), "provider")
        return Finding(SETTINGS, "config.toml", "ok", f"{path} · {own} · {count_of(len(settings.keys), 'key')}")

    def active() -> Finding:
        nonlocal settings
        settings = replace(settings, profile=check_profile(profile or settings.profile))
        return Finding(SETTINGS, "profile", "ok", settings.profile)

    found = [*_looked(SETTINGS, "config.toml", file), *_looked(SETTINGS, "profile", active)]
    return settings, found


def _library(settings: Settings, through_all: ThroughAll | None) -> tuple[list[Finding], tuple[str, str] | None]:
    """What lies in the data directory, and model and prompt of the profile's template: "" for none, None if unknown."""
    from tui.store.integrity.checks import Checkup

    checkup, home = Checkup(settings.home), settings.home
    template: tuple[str, str] | None = ("", "")
    found = [
        *_looked(LIBRARY, "directory", lambda: _directory(home, needed=not checkup.is_there())),
        *_looked(LIBRARY, "disk", lambda: _disk(home, checkup)),
    ]
    languages: tuple[str, ...] = ()
    if checkup.is_there():
        opened = _looked(LIBRARY, "database", lambda: _opened(checkup))
        found += opened
        if all(finding.state != "broken" for finding in opened) and checkup.is_open():
            looks: tuple[tuple[str, Look], ...] = (
                ("integrity", lambda: _integrity(checkup, through_all)),
                ("version", lambda: _version(checkup)),
                ("log", lambda: _log(checkup)),
                ("jobs", lambda: _jobs(checkup)),
                ("imports", lambda: _imports(checkup, through_all)),
            )
            for subject, look in looks:
                said = {finding.message for finding in found}  # one cause, one finding
                found += [finding for finding in _looked(LIBRARY, subject, look) if finding.message not in said]
        try:
            if checkup.is_open():
                languages = checkup.languages()
                template = checkup.template(settings.profile)
            elif any(finding.state == "broken" for finding in opened):
                template = None
        except LodeError:
            template = None  # what is wrong was said above
        checkup.close()
    elif all(finding.state != "broken" for finding in found):
        found.append(Finding(LIBRARY, "database", "ok", f"none at {checkup.path} yet: the first use makes it"))
    found += _looked(LIBRARY, "dictionaries", lambda: _dictionaries(home / "lemmas", languages))
    return found, template


def _directory(home: Path, *, needed: bool) -> Finding:
    """``needed``: a database has yet to be made in it."""
    if not home.exists():
        parent = _nearest(home)
        if parent.is_dir() and os.access(parent, os.W_OK | os.X_OK):
            return Finding(LIBRARY, "directory", "ok", f"{home} is not there yet: the first use makes it")
        return Finding(
            *(LIBRARY, "directory", "broken", f"{home} cannot be made: {parent} cannot be written"),
            hint="check the path, or name another with --home DIR or LODE_HOME",
        )
    if not home.is_dir():
        hint = "move it away, or name another directory with --home DIR or LODE_HOME"
        return Finding(LIBRARY, "directory", "broken", f"{home} is no directory", hint=hint)
    if not os.access(home, os.R_OK | os.X_OK):
        return Finding(LIBRARY, "directory", "broken", f"{home} cannot be read", hint=f"chmod u+rwx {home}")
    if not os.access(home, os.W_OK):
        state: FindingState = "broken" if needed else "warning"
        what = "cannot be written" if needed else "can only be read: nothing new is kept"
        return Finding(LIBRARY, "directory", state, f"{home} {what}", hint=f"chmod u+w {home}")
    for part in ("blobs", "run", "lemmas"):
        inside = home / part
        if inside.exists() and not (inside.is_dir() and os.access(inside, os.R_OK | os.W_OK | os.X_OK)):
            return Finding(
                *(LIBRARY, "directory", "warning", f"{inside} cannot be written"), hint=f"chmod -R u+rwX {inside}"
            )
    return Finding(LIBRARY, "directory", "ok", str(home))


def _disk(home: Path, checkup: Checkup) -> Finding:
    free = shutil.disk_usage(_nearest(home)).free
    message = f"{size(free)} free"
    if free < _NO_ROOM:
        what = "it is full: what is there can be read, and nothing can be saved" if checkup.is_there() else "it is full"
        return Finding(LIBRARY, "disk", "broken", f"{what} ({message})", hint="make room")
    if free < max(_LITTLE_ROOM, checkup.size_bytes()):
        hint = "make room: a copy before an update needs as much again as the database"
        return Finding(LIBRARY, "disk", "warning", message, hint=hint)
    return Finding(LIBRARY, "disk", "ok", message)


def _opened(checkup: Checkup) -> Finding:
    checkup.open()
    if not checkup.is_open():
        return Finding(LIBRARY, "database", "ok", f"{checkup.path} is empty: the first use fills it")
    writable = os.access(checkup.path, os.W_OK)
    state: FindingState = "ok" if writable else "warning"
    message = f"{checkup.path} ({size(checkup.size_bytes())})" + ("" if writable else " can only be read")
    hint = "" if writable else f"chmod u+w {checkup.path}"
    return Finding(LIBRARY, "database", state, message, hint=hint)


def _version(checkup: Checkup) -> Finding:
    waiting = checkup.pending()
    if waiting:
        message = "from an older Lode; the next use brings it up to date, and keeps a copy"
        return Finding(LIBRARY, "version", "ok", message)
    counts = checkup.counts()
    kinds = ("files", "transcripts", "clips", "answers")
    held = " · ".join(count_of(counts.get(kind, 0), kind.removesuffix("s")) for kind in kinds)
    return Finding(LIBRARY, "version", "ok", f"up to date · {held}")


def _integrity(checkup: Checkup, through_all: ThroughAll | None) -> Finding:
    restore = f"move it away and put a backup in its place ({checkup.path.name}.before-… or one made with: lode backup)"
    if damage := checkup.damage():
        return Finding(LIBRARY, "integrity", "broken", f"it is damaged: {'; '.join(damage)}", hint=restore)
    if dangling := checkup.dangling():
        message = f"{count_of(dangling, 'row')} refer to others that are not there"
        return Finding(LIBRARY, "integrity", "broken", message, hint=restore)
    if through_all is None:
        message = "SQLite finds nothing wrong at a quick look; lode doctor --full looks at everything"
        return Finding(LIBRARY, "integrity", "ok", message)
    return through_all.integrity(checkup, restore)


def _log(checkup: Checkup) -> Finding:
    if checkup.has_log():
        return Finding(LIBRARY, "log", "ok", "written ahead (WAL)")
    message = "it has no write-ahead log, as in a restored backup; the next use switches it on"
    return Finding(LIBRARY, "log", "ok", message)


def _jobs(checkup: Checkup) -> Finding:
    if orphans := checkup.orphaned_jobs():
        message = f"{count_of(orphans, 'job')} of a Lode that ended are unfinished"
        return Finding(LIBRARY, "jobs", "warning", message, hint="lode jobs list, then: lode jobs retry ID")
    return Finding(LIBRARY, "jobs", "ok", "none was left behind")


def _imports(checkup: Checkup, through_all: ThroughAll | None) -> Finding:
    missing, extra = checkup.blobs()
    changed = 0 if through_all is None else through_all.changed_blobs(checkup)
    if changed:
        message = f"the bytes of {count_of(changed, 'imported file')} are not those that were imported"
        hint = "put blobs/ back from where you keep copies; transcripts and clips are whole without it"
        return Finding(LIBRARY, "imports", "broken", message, hint=hint)
    if missing:
        return Finding(
            *(LIBRARY, "imports", "warning", f"the bytes of {count_of(missing, 'imported file')} are not in blobs/"),
            hint="put blobs/ back from where the database came; transcripts and clips are whole without it",
        )
    more = f" · {count_of(extra, 'leftover')}, cleared away one day" if extra else ""
    return Finding(LIBRARY, "imports", "ok", f"the bytes of every imported file are there{more}")


def _dictionaries(directory: Path, languages: tuple[str, ...]) -> Finding:
    from tui.language.lemmas import Lemmatiser

    lemmatiser = Lemmatiser(directory)
    tries = sorted(directory.glob("*.dic")) if directory.is_dir() else []
    there = ", ".join(dict.fromkeys(trie.stem.partition("-")[0] for trie in tries))
    total = sum(trie.stat().st_size for trie in tries)
    message = f"unpacked: {there} ({size(total)})" if tries else "none is unpacked yet: that happens when one is needed"
    waiting = [each for each in languages if lemmatiser.supports(each) and not lemmatiser.is_prepared(each)]
    if waiting:
        message += f" · when first needed: {', '.join(waiting)}"
    return Finding(LIBRARY, "dictionaries", "ok", message)


def _software(settings: Settings | None) -> list[Finding]:
    return [
        *_looked(SOFTWARE, "Lode", lambda: Finding(SOFTWARE, "Lode", "ok", __version__)),
        *_looked(SOFTWARE, "Python", _python),
        *_looked(SOFTWARE, "SQLite", _sqlite),
        *_looked(SOFTWARE, "libraries", _installed),
        *(() if settings is None else _looked(SOFTWARE, "reports", lambda: _reports(settings.home))),
    ]


def _reports(home: Path) -> list[Finding]:
    """Where the app broke; nothing where it never did."""
    written = crash_reports.written(home)
    if not written:
        return []
    message = f"{count_of(len(written), 'fault')} of Lode, the last in {written[-1]}"
    hint = "it holds nothing of yours: send it to whoever can repair it, then delete it"
    return [Finding(SOFTWARE, "reports", "warning", message, hint=hint)]


def _python() -> Finding:
    import platform

    version = ".".join(map(str, sys.version_info[:3]))
    return Finding(SOFTWARE, "Python", "ok", f"{version} on {platform.system()} {platform.release()}")


def _sqlite() -> Finding:
    if sqlite3.sqlite_version_info < _OLDEST_SQLITE:
        hint = "use a Python with SQLite 3.38 or newer"
        return Finding(SOFTWARE, "SQLite", "broken", f"{sqlite3.sqlite_version} is too old", hint=hint)
    return Finding(SOFTWARE, "SQLite", "ok", sqlite3.sqlite_version)


def _installed() -> Finding:
    from importlib.metadata import PackageNotFoundError, version

    there, missing = [], []
    for name in _LIBRARIES:
        try:
            there.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            missing.append(name)
    if missing:
        hint = f"install it again: pip install {' '.join(missing)}"
        return Finding(SOFTWARE, "libraries", "broken", f"not installed: {', '.join(missing)}", hint=hint)
    return Finding(SOFTWARE, "libraries", "ok", ", ".join(there))


def _looked(group: str, subject: str, look: Look) -> list[Finding]:
    """What the look finds; one that fails is a finding itself."""
    try:
        found = look()
    except LodeError as error:
        return [Finding(group, subject, "broken", one_line(error.message), hint=one_line(error.hint))]
    except OSError as error:
        cause = f"{error.filename or subject}: {error.strerror or error}"
        return [Finding(group, subject, "broken", one_line(cause), hint="check that it can be read")]
    except Exception as error:  # noqa: BLE001 - what is broken here must not hide the rest
        return [_unforeseen(group, subject, error)]
    return [found] if isinstance(found, Finding) else list(found)


def _unforeseen(group: str, subject: str, error: Exception) -> Finding:
    message = one_line(f"it cannot be looked at: {type(error).__name__}: {error}")
    return Finding(group, subject, "broken", message, hint="report it, with what stands here")


def _nearest(path: Path) -> Path:
    """The path itself, or the nearest directory above it that exists."""
    while not path.exists() and path != path.parent:
        path = path.parent
    return path
