"""Reading of a dictionary's file as the tests want it: all of it at once."""

from __future__ import annotations

from pathlib import Path

from tui.dictionaries.formats import open_dictionary
from tui.records.dictionaries import DictionaryEntry, DictionaryInfo, DictionaryRow


def rows_of(path: Path) -> list[DictionaryRow]:
    with open_dictionary(path) as dictionary:
        return list(dictionary.rows(lambda share: None))


def entries_of(path: Path) -> list[DictionaryEntry]:
    return [row for row in rows_of(path) if isinstance(row, DictionaryEntry)]


def entry_of(path: Path, term: str) -> DictionaryEntry:
    """The only entry of a term."""
    [entry] = [entry for entry in entries_of(path) if entry.term == term]
    return entry


def info_of(path: Path) -> DictionaryInfo:
    with open_dictionary(path) as dictionary:
        return dictionary.info


def skipped_of(path: Path) -> int:
    with open_dictionary(path) as dictionary:
        for _ in dictionary.rows(lambda share: None):
            pass
        return dictionary.skipped
