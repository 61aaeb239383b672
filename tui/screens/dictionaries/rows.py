"""Rows of the list of dictionaries: those that the library has, those being added, and those that the system has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.text import Text

from tui.records.dictionaries import Dictionary, OfferedDictionary
from tui.records.jobs import Job
from tui.screens.lists.columns import styled_cell
from tui.text import display
from tui.text.sanitize import one_line
from tui.widgets.table.columns import Column

KIND = "dictionary"
"""Kind of the jobs that add dictionaries."""
_BAR_CELLS = 8


@dataclass(frozen=True, slots=True)
class DictionaryRow:
    """Row of the list; its ``id`` is that of what it shows, of an offered dictionary the path."""

    id: str
    shows: Dictionary | OfferedDictionary | Job


def rows_of(
    dictionaries: Sequence[Dictionary], jobs: Sequence[Job], offered: Sequence[OfferedDictionary]
) -> tuple[DictionaryRow, ...]:
    """The rows in their order: dictionaries as they are asked, then what is being added, then what could be."""
    adding = [job for job in reversed(jobs) if job.kind == KIND and not job.is_over]
    sources = {job.source for job in adding}
    return (
        *(DictionaryRow(each.id, each) for each in dictionaries),
        *(DictionaryRow(each.id, each) for each in adding),
        *(DictionaryRow(each.path, each) for each in offered if each.path not in sources),
    )


def languages_of(shows: Dictionary | OfferedDictionary) -> str:
    """The languages of a dictionary: "German → English", a tag's name where only one is known."""
    names = [display.language(tag) for tag in (shows.source_language, shows.target_language) if tag]
    return " → ".join(names)


def _title(row: DictionaryRow) -> Text | str:
    match row.shows:
        case Dictionary(title=title):
            return title
        case OfferedDictionary(name=name):
            return styled_cell("muted", one_line(name))
        case Job(source=source):
            return styled_cell("muted", one_line(display.source_name(source)))


def _languages(row: DictionaryRow) -> Text | str:
    if isinstance(row.shows, Job):
        return ""
    shown = languages_of(row.shows)
    return shown if isinstance(row.shows, Dictionary) else styled_cell("muted", shown)


def _entries(row: DictionaryRow) -> Text | str:
    match row.shows:
        case Dictionary(entry_count=count):
            return display.number(count)
        case OfferedDictionary():
            return styled_cell("muted", "enter adds")
        case Job(state="queued"):
            return styled_cell("muted", "queued")
        case Job(progress=progress):
            return styled_cell("running", display.bar(progress, _BAR_CELLS))


def _format(row: DictionaryRow) -> str:
    return row.shows.format if isinstance(row.shows, Dictionary) else ""


def _license(row: DictionaryRow) -> str:
    return row.shows.license if isinstance(row.shows, Dictionary) else ""


COLUMNS: tuple[Column[DictionaryRow], ...] = (
    Column("Dictionary", _title, share=3, cut="inside"),
    Column("Languages", _languages, most=24),
    Column("Entries", _entries, align="right"),
    Column("Format", _format, style="muted", minimum_table_width=90),
    Column("Licence", _license, share=2, style="muted", minimum_table_width=90),
)
