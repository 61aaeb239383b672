"""Registry of the sections and other screens: the import path of each class, imported when it is needed."""

from __future__ import annotations

from collections.abc import Mapping
from pkgutil import resolve_name

SECTIONS: Mapping[str, str] = {
    "files": "tui.screens.lists.files:FilesScreen",
    "transcripts": "tui.screens.lists.transcripts:TranscriptsScreen",
    "clips": "tui.screens.lists.clips:ClipsScreen",
    "template": "tui.screens.forms.template:TemplateScreen",
    "breakdown": "tui.screens.answer.breakdown:BreakdownScreen",
    "jobs": "tui.screens.lists.jobs:JobsScreen",
    "words": "tui.screens.words.word_list:WordListScreen",
}
"""Sections by name, in the order of their number keys. Start-up imports the first only."""
OVERLAYS: Mapping[str, str] = {
    "the reader": "tui.screens.reader.reader:ReaderScreen",
    "the clip's form": "tui.screens.forms.clip_form:ClipForm",
    "the history": "tui.screens.lists.history:HistoryScreen",
    "the dictionaries": "tui.screens.dictionaries.dictionaries:DictionariesScreen",
    "the next words": "tui.screens.words.next_words:NextWordsScreen",
    "the overview of words": "tui.screens.words.word_overview:WordOverviewScreen",
    "the places of a word": "tui.screens.words.word_places:WordPlacesScreen",
}
"""Screens that are opened over a section's own, as messages about keys call them."""


def import_screens() -> None:
    """Import all screens; belongs in a thread, so that nobody waits for it who opens one later."""
    for path in (*SECTIONS.values(), *OVERLAYS.values()):
        resolve_name(path)
