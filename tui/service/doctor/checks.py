"""Checks of ``lode doctor``: settings, library, dictionaries, software and providers, each whatever the others are.

This is no part of ``Service``, which needs settings that can be read and makes a database where there is none: here
nothing is made, changed or repaired, and what is broken only becomes a finding.
"""

from __future__ import annotations

import asyncio
import os
import shlex
import shutil
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path

from tui.config import Settings, check_profile, directories, load
from tui.errors import LodeError, StoreError
from tui.language.segmentation import is_installed, row_of, segmenter_of
from tui.language.tags import base_language, language_name
from tui.records.dictionaries import Dictionary
from tui.records.library import Finding, FindingState
from tui.records.settings import ProfileSettings
from tui.samples import SAMPLES
from tui.service.doctor.software_check import CheckResult, check_software, describe_unexpected, run_check
from tui.store.database import Connections, traceless_access
from tui.store.dictionaries.dictionary_store import DictionaryStore
from tui.store.inspector import LibraryInspector
from tui.text.display import count_of, size

SETTINGS, LIBRARY, MODELS, SOFTWARE = "Settings", "Library", "Models", "Software"
"""Groups of findings, in the order in which they are checked."""
_LITTLE_ROOM = 200_000_000
"""Bytes that a disk should have free; imports, the log and the copy before a migration want some."""
_NO_ROOM = 5_000_000
_OLDER = "from an older Lode; the next use brings it up to date, and keeps a copy"


async def examine(
    home: Path | None,
    profile: str | None,
    environ: Mapping[str, str],
    *,
    live: bool = False,
    full: bool = False,
    repair: bool = False,
    seconds: float = 20.0,
    report: Callable[[str], None] = lambda text: None,
) -> tuple[Finding, ...]:
    """Run all checks, group by group. ``live`` asks each usable provider for a word, ``seconds`` at most.

    ``full`` looks at every index, every search table and the bytes of every imported file, which takes a while;
    ``repair`` makes indexes and search tables anew where they are wrong, the only thing here that changes anything.
    Without ``live`` nothing is asked of any server but those on this machine, whether they are there. Never raises.
    """
    report("looking over settings and library …")
    settings, found = _settings(home, profile, environ)
    if settings is None:
        return (*found, *check_software(SOFTWARE, None))
    full_check = FullCheck(report, repair=repair) if full or repair else None
    try:
        in_library, template = await asyncio.to_thread(_library, settings, full_check)
    except asyncio.CancelledError:
        if full_check is not None:
            full_check.stopped.set()
        raise
    report("asking the providers …" if live else "looking for providers …")
    try:
        from tui.service.doctor.provider_check import check_providers  # where a library is missing, that is a finding

        models = await check_providers(settings, environ, template, live_seconds=seconds if live else None)
    except Exception as error:  # noqa: BLE001 - what is broken here must not hide the rest
        models = [Finding(MODELS, "providers", *describe_unexpected(error))]
    return (*found, *in_library, *models, *await asyncio.to_thread(check_software, SOFTWARE, settings))


async def examine_client(
    home: Path | None, profile: str | None, environ: Mapping[str, str]
) -> tuple[Settings | None, tuple[Finding, ...]]:
    """Run the checks that matter where the library is a server's; gives the settings in force too. Never raises."""
    settings, found = _settings(home, profile, environ)
    return settings, (*found, *await asyncio.to_thread(check_software, SOFTWARE, settings))


def _settings(
    home: Path | None, profile: str | None, environ: Mapping[str, str]
) -> tuple[Settings | None, list[Finding]]:
    """Check the settings; gives those that the rest is checked with, the defaults where the file cannot be used."""
    try:
        data, config = directories(home, environ)
    except Exception as error:  # noqa: BLE001 - no home directory, an unknown ~user: then there is nothing to look at
        hint = "name a directory: --home DIR or LODE_HOME"
        return None, [Finding(SETTINGS, "directories", *describe_unexpected(error, hint))]
    settings, path = Settings(home=data, config_path=config / "config.toml"), config / "config.toml"

    def file() -> CheckResult:
        nonlocal settings
        settings = load(home, environ)
        if not path.exists():
            return CheckResult("ok", f"there is none at {path}: the defaults are in force")
        own = count_of(len(settings.providers), "provider")
        return CheckResult("ok", f"{path} · {own} · {count_of(len(settings.keys), 'key')}")

    def active() -> CheckResult:
        nonlocal settings
        settings = replace(settings, profile=check_profile(profile or settings.profile))
        return CheckResult("ok", settings.profile)

    found = [*run_check(SETTINGS, "config.toml", file), *run_check(SETTINGS, "profile", active)]
    return settings, found


def _library(settings: Settings, full_check: FullCheck | None) -> tuple[list[Finding], tuple[str, str] | None]:
    """Check the data directory; gives the template's model and prompt too, "" for none, None if unknown."""
    inspector, home = LibraryInspector(settings.home), settings.home
    template: tuple[str, str] | None = ("", "")
    found = [
        *run_check(LIBRARY, "directory", lambda: _directory(home, needed=not inspector.exists())),
        *run_check(LIBRARY, "disk", lambda: _disk(home, inspector)),
    ]
    languages: tuple[str, ...] = ()
    chosen = ProfileSettings()
    if inspector.exists():
        opened = run_check(LIBRARY, "database", lambda: _opened(inspector))
        found += opened
        if all(finding.state != "broken" for finding in opened) and inspector.is_open():
            checks: tuple[tuple[str, Callable[[], CheckResult | None]], ...] = (
                ("integrity", lambda: _integrity(inspector, full_check)),
                ("version", lambda: CheckResult("ok", _OLDER) if inspector.pending() else None),
                ("jobs", lambda: _jobs(inspector)),
                ("imports", lambda: _imports(inspector, full_check)),
            )
            for subject, check in checks:
                said = {finding.message for finding in found}  # one cause, one finding
                found += [finding for finding in run_check(LIBRARY, subject, check) if finding.message not in said]
        try:
            if inspector.is_open():
                languages = inspector.languages()
                template = inspector.template(settings.profile)
                if not inspector.pending():
                    chosen = inspector.settings(settings.profile)
            elif any(finding.state == "broken" for finding in opened):
                template = None
        except LodeError:
            template = None  # what is wrong was said above
        inspector.close()
    elif all(finding.state != "broken" for finding in found):
        found.append(Finding(LIBRARY, "database", "ok", f"none at {inspector.path} yet: the first use makes it"))
    found += _segmenters(languages)
    found += check_meanings(LIBRARY, home, languages, chosen)
    return found, template


def _directory(home: Path, *, needed: bool) -> CheckResult:
    """Check the data directory itself; ``needed``: a database has yet to be made in it."""
    if not home.exists():
        parent = _nearest(home)
        if parent.is_dir() and os.access(parent, os.W_OK | os.X_OK):
            return CheckResult("ok", f"{home} is not there yet: the first use makes it")
        hint = "check the path, or name another with --home DIR or LODE_HOME"
        return CheckResult("broken", f"{home} cannot be made: {parent} cannot be written", hint)
    if not home.is_dir():
        hint = "move it away, or name another directory with --home DIR or LODE_HOME"
        return CheckResult("broken", f"{home} is no directory", hint)
    if not os.access(home, os.R_OK | os.X_OK):
        return CheckResult("broken", f"{home} cannot be read", f"chmod u+rwx {home}")
    if not os.access(home, os.W_OK):
        state: FindingState = "broken" if needed else "warning"
        what = "cannot be written" if needed else "can only be read: nothing new is kept"
        return CheckResult(state, f"{home} {what}", f"chmod u+w {home}")
    for part in ("blobs", "run", "lemmas"):
        inside = home / part
        if inside.exists() and not (inside.is_dir() and os.access(inside, os.R_OK | os.W_OK | os.X_OK)):
            return CheckResult("warning", f"{inside} cannot be written", f"chmod -R u+rwX {inside}")
    return CheckResult("ok", str(home))


def _disk(home: Path, inspector: LibraryInspector) -> CheckResult:
    free = shutil.disk_usage(_nearest(home)).free
    message = f"{size(free)} free"
    if free < _NO_ROOM:
        what = "it is full: what is there can be read, and nothing can be saved" if inspector.exists() else "it is full"
        return CheckResult("broken", f"{what} ({message})", "make room")
    if free < max(_LITTLE_ROOM, inspector.size_bytes()):
        return CheckResult("warning", message, "make room: a copy before an update needs as much again as the database")
    return CheckResult("ok", message)


def _opened(inspector: LibraryInspector) -> CheckResult:
    inspector.open()
    if not inspector.is_open():
        return CheckResult("ok", f"{inspector.path} is empty: the first use fills it")
    writable = os.access(inspector.path, os.W_OK)
    state: FindingState = "ok" if writable else "warning"
    message = f"{inspector.path} ({size(inspector.size_bytes())})" + ("" if writable else " can only be read")
    return CheckResult(state, message, "" if writable else f"chmod u+w {inspector.path}")


def _integrity(inspector: LibraryInspector, full_check: FullCheck | None) -> CheckResult:
    name = inspector.path.name
    restore = f"move it away and put a backup in its place ({name}.before-… or one made with: lode backup)"
    if full_check is None and (damage := inspector.damage()):
        return CheckResult("broken", f"it is damaged: {'; '.join(damage)}", restore)
    if dangling := inspector.dangling_references():
        return CheckResult("broken", f"{count_of(dangling, 'row')} refer to others that are not there", restore)
    if full_check is None:
        return CheckResult("ok", "SQLite finds nothing wrong at a quick look; lode doctor --full looks at everything")
    return full_check.integrity(inspector, restore)


def _jobs(inspector: LibraryInspector) -> CheckResult:
    if orphans := inspector.orphaned_jobs():
        message = f"{count_of(orphans, 'job')} of a Lode that ended are unfinished"
        return CheckResult("warning", message, "lode jobs list, then: lode jobs retry ID")
    return CheckResult("ok", "none was left behind")


def _imports(inspector: LibraryInspector, full_check: FullCheck | None) -> CheckResult:
    missing = inspector.missing_blobs()
    changed = 0 if full_check is None else full_check.changed_blobs(inspector)
    if changed:
        message = f"the bytes of {count_of(changed, 'imported file')} are not those that were imported"
        hint = "put blobs/ back from where you keep copies; transcripts and clips are whole without it"
        return CheckResult("broken", message, hint)
    if missing:
        message = f"the bytes of {count_of(missing, 'imported file')} are not in blobs/"
        hint = "put blobs/ back from where the database came; transcripts and clips are whole without it"
        return CheckResult("warning", message, hint)
    return CheckResult("ok", "the bytes of every imported file are there")


def _segmenters(languages: tuple[str, ...]) -> list[Finding]:
    """Check the segmenters of the languages that the library has, and no others."""
    found = []
    for row in {row.language: row for row in map(row_of, languages) if row is not None}.values():
        if is_installed(row) and segmenter_of(row.language) is None:
            hint = f"pip install --force-reinstall 'lode[{row.extra}]'"
            result = CheckResult("warning", f"{row.packages[0]} is installed and cannot be loaded", hint)
        elif is_installed(row):
            result = CheckResult("ok", f"cut by {row.packages[0]}" if row.cuts else f"looked up by {row.packages[0]}")
        else:
            message = "cut without a dictionary" if row.cuts else "without dictionary forms"
            message += " and without readings" if row.reads else ""
            result = CheckResult("absent", message, f"pip install 'lode[{row.extra}]'")
        found.append(Finding(LIBRARY, f"{language_name(row.language)} words", *result))
    return found


def _nearest(path: Path) -> Path:
    """The path itself, or the nearest directory above it that exists."""
    while not path.exists() and path != path.parent:
        path = path.parent
    return path


_MEND = "mend it: lode doctor --full --repair (it keeps a copy first)"


class CheckStopped(Exception):
    """Ends a check that nobody waits for any more."""


class FullCheck:
    """Full check, which reports what it is at and for how long, and ends soon after ``stopped`` was set."""

    def __init__(self, report: Callable[[str], None], *, repair: bool) -> None:
        self.stopped = threading.Event()
        self._write = report
        self._repair = repair
        self._begun = time.monotonic()
        self._reported = ""

    def integrity(self, inspector: LibraryInspector, restore: str) -> CheckResult:
        """Check the database, and repair it where that is asked; ``restore`` is the hint where nothing else helps."""
        try:
            found = self._found(inspector)
        except StoreError as error:
            if error.code == "library_damaged":
                raise
            message = f"every row, index and reference is whole; the search tables were not looked at: {error.message}"
            return CheckResult("warning", message, "make room for a copy of the database")
        if not found:
            return CheckResult("ok", "every row, index, reference and search table is whole")
        if inspector.damage():  # worse than an index that does not fit its rows: making that anew does not help
            return CheckResult("broken", f"it is damaged: {'; '.join(found)}", restore)
        if not self._repair:
            return CheckResult("broken", f"it is damaged: {'; '.join(found)}", _MEND)
        self._report("making the indexes anew")
        inspector.repair()
        if left := self._found(inspector):
            return CheckResult("broken", f"it is damaged still: {'; '.join(left)}", restore)
        kept = f"{inspector.path.name}.before-repair-…"
        return CheckResult("ok", f"it was damaged ({'; '.join(found)}), and is mended; {kept} is as it was")

    def changed_blobs(self, inspector: LibraryInspector) -> int:
        """Count the imported files whose bytes are not those that were imported."""
        return inspector.changed_blobs(lambda done, of: self._report(f"looking at imported file {done + 1} of {of}"))

    def _found(self, inspector: LibraryInspector) -> tuple[str, ...]:
        found = inspector.damage(lambda: self._report("looking at every row and index"), indexes=True)
        return found or inspector.search_table_damage(lambda: self._report("looking at the search tables"))

    def _report(self, what: str) -> None:
        """Report progress; raises ``CheckStopped``."""
        if self.stopped.is_set():
            raise CheckStopped
        text = f"{what} … {time.monotonic() - self._begun:.0f} s"
        if text != self._reported:
            self._reported = text
            self._write(text)


def check_meanings(group: str, home: Path, languages: Sequence[str], settings: ProfileSettings) -> list[Finding]:
    """Check the dictionaries of the languages that the library has; nothing is made or changed."""
    bases = list(dict.fromkeys(map(base_language, languages)))
    if not bases:
        return []
    known: list[Dictionary] = []

    def read() -> None:
        if (path := home / "dictionaries.db").exists():
            with closing(DictionaryStore(Connections(path, traceless_access(path)))) as store:
                known.extend(store.all())

    found = run_check(group, "dictionary file", read)
    for base in bases:
        found += run_check(group, f"{language_name(base)} meanings", partial(_meanings, base, known, settings))
    return found


def _meanings(language: str, known: Sequence[Dictionary], settings: ProfileSettings) -> CheckResult:
    from tui.dictionaries.file_search import find_offered_dictionaries, list_recommended

    own = [each for each in known if base_language(each.source_language) == language]
    if own:
        counts = (f"{each.title} ({count_of(each.entry_count, 'entry', 'entries')})" for each in own)
        return CheckResult("ok", ", ".join(counts))
    is_sample = any(sample.language == language for sample in SAMPLES)
    message = "no dictionary" + (": only the words of the sample stories" if is_sample else "")
    there = find_offered_dictionaries(known, settings, os.environ)
    path = next((each.path for each in there if base_language(each.source_language) == language), None)
    if path is not None:
        return CheckResult("absent", message, f"lode dictionaries add {shlex.quote(path)}")
    names = " or ".join(list_recommended(language, settings.explain_in))
    return CheckResult("absent", message, f"get {names}, then: lode dictionaries add FILE")
