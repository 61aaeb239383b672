"""Searches: what each list can be searched by, and what a search of the whole library finds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

ListName = Literal["files", "transcripts", "clips", "bookmarks", "answers", "jobs", "words", "sentences"]
SEARCH_FIELDS: Mapping[ListName, Mapping[str, str]] = {
    "files": {
        "lang": "language, by code or name",
        "title": "name of the file",
        "source": "name of the file",
        "kind": "subtitle, text, media, or a format",
        "read": "done, begun or new",
        "has": "transcript",
    },
    "transcripts": {
        "lang": "language, by code or name",
        "title": "title",
        "series": "name of the series",
        "source": "title or series",
        "note": "what you noted at a sentence",
        "new": "how many new words it has: 50, or 0-50",
        "read": "done, begun or new",
        "has": "clips, film, notes, series, times, translation",
    },
    "clips": {
        "lang": "language of the word, by code or name",
        "word": "the word, its lemma, its reading",
        "meaning": "meaning",
        "sentence": "sentence",
        "translation": "translation",
        "note": "note",
        "tag": "tag",
        "source": "what it was taken from",
        "state": "new, changed or exported",
        "has": "audio, explanation, note, picture, tag, translation",
    },
    "bookmarks": {"lang": "language, by code or name", "title": "title of the transcript", "source": "title or series"},
    "answers": {
        "lang": "language of the word, by code or name",
        "word": "the word, or its lemma",
        "model": "model",
        "kind": "breakdown or explain",
        "state": "complete, aborted or failed",
        "has": "translation",
    },
    "jobs": {
        "state": "queued, running, succeeded, failed, cancelled or interrupted",
        "kind": "kind of work",
        "source": "file or address",
        "has": "error",
    },
    "words": {
        "lang": "language, by code or name",
        "state": "new, seen, learning, known or ignored",
        "source": "where the state is from",
    },
    "sentences": {
        "lang": "language, by code or name",
        "title": "title of the transcript",
        "series": "name of the series",
        "source": "title or series",
        "note": "what you noted at a sentence of the transcript",
        "new": "how many new words the sentence has, all others known: 1, or 0-2",
        "read": "done, begun or new: the transcript",
        "has": "clips, film, notes, series, times, translation: of the transcript",
    },
}
"""The fields of each list's queries, ``field:value``, each with what its value may be."""
ALL_FIELDS = frozenset(name for fields in SEARCH_FIELDS.values() for name in fields)

MAX_VALUES = 200
"""Values of a field that are suggested at most."""

SearchGroupName = Literal["sentences", "transcripts", "clips", "notes", "words", "dictionaries", "answers"]
SEARCH_GROUPS: tuple[SearchGroupName, ...] = get_args(SearchGroupName)
"""The groups of a search of everything, in the order in which they are shown."""


ViewList = Literal["files", "transcripts", "clips", "answers", "jobs", "words"]
VIEW_LISTS: tuple[ViewList, ...] = get_args(ViewList)
MAX_VIEW_NAME = 100
"""Maximum characters of a view's name."""


@dataclass(frozen=True, slots=True)
class View:
    """A search with a name: the list that it is of, what is typed into its filter, and its order ("" for the usual)."""

    name: str
    list: ViewList
    q: str = ""
    sort: str = ""


@dataclass(frozen=True, slots=True)
class SearchHit:
    """Hit of a search of everything, in one line.

    ``id`` is that of the record, of the transcript for a sentence or a note at one, "" for what has none; ``spans`` are
    the places of what was searched for in ``text``, in code points. ``before`` and ``after`` stand around a sentence; a
    note has its sentence ``before`` it. ``title`` says where it is from, ``detail`` what else is known of it: a
    meaning, a model.
    """

    id: str
    text: str
    spans: tuple[tuple[int, int], ...] = ()
    title: str = ""
    detail: str = ""
    language: str | None = None
    before: str = ""
    after: str = ""
    cue_index: int | None = None
    start_ms: int | None = None


@dataclass(frozen=True, slots=True)
class SearchGroup:
    """The first hits of a group; ``more`` tells that there are others."""

    name: SearchGroupName
    hits: tuple[SearchHit, ...]
    more: bool = False
