"""Fields that each list can be searched by, and the lists whose searches can have a name."""

from __future__ import annotations

from collections.abc import Mapping
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

ViewList = Literal["files", "transcripts", "clips", "answers", "jobs", "words"]
VIEW_LISTS: tuple[ViewList, ...] = get_args(ViewList)
