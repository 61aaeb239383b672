"""Records of searches: their hits, in a list and in the whole library, and views, which are searches with a name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from tui.records.search_fields import ViewList

SearchGroupName = Literal["sentences", "transcripts", "clips", "notes", "words", "dictionaries", "answers"]
SEARCH_GROUPS: tuple[SearchGroupName, ...] = get_args(SearchGroupName)
"""The groups of a search of everything, in the order in which they are shown."""


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
class CueHit:
    """First cue of a transcript that a search found."""

    transcript_id: str
    cue_index: int
    text: str


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
