"""Dictionaries, as ``lode doctor`` sees them: which there are of each language, and what to get where there is none."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from tui.records.dictionaries import Dictionary
from tui.records.library import Finding
from tui.records.settings import ProfileSettings
from tui.service.doctor.check_result import CheckResult, run_check
from tui.text.display import count_of


def meanings(group: str, home: Path, languages: Sequence[str], settings: ProfileSettings) -> list[Finding]:
    """Check the dictionaries of the languages that the library has; nothing is made or changed."""
    from tui.language.tags import base_language, language_name

    bases = list(dict.fromkeys(map(base_language, languages)))
    if not bases:
        return []
    known: tuple[Dictionary, ...] = ()

    def opened() -> CheckResult | None:
        nonlocal known
        known = _known(home)
        return None

    found = run_check(group, "dictionary file", opened)
    for base in bases:
        check = partial(_meanings, base, known, settings)
        found += run_check(group, f"{language_name(base)} meanings", check)
    return found


def _known(home: Path) -> tuple[Dictionary, ...]:
    from tui.store.database import Connections, traceless_access
    from tui.store.dictionaries.dictionary_store import DictionaryStore

    path = home / "dictionaries.db"
    if not path.exists():
        return ()
    store = DictionaryStore(Connections(path, traceless_access(path)))
    try:
        return store.all()
    finally:
        store.close()


def _meanings(language: str, known: Sequence[Dictionary], settings: ProfileSettings) -> CheckResult:
    from tui.dictionaries.file_search import offered_dictionaries
    from tui.dictionaries.recommended import recommended
    from tui.language.tags import base_language
    from tui.samples import SAMPLES

    own = [each for each in known if base_language(each.source_language) == language]
    if own:
        counts = (f"{each.title} ({count_of(each.entry_count, 'entry', 'entries')})" for each in own)
        return CheckResult("ok", ", ".join(counts))
    is_sample = any(sample.language == language for sample in SAMPLES)
    message = "no dictionary" + (": only the words of the sample stories" if is_sample else "")
    there = offered_dictionaries(known, settings, os.environ)
    path = next((each.path for each in there if base_language(each.source_language) == language), None)
    if path is not None:
        return CheckResult("absent", message, f"lode dictionaries add {shlex.quote(path)}")
    names = " or ".join(recommended(language, settings.explain_in))
    return CheckResult("absent", message, f"get {names}, then: lode dictionaries add FILE")
