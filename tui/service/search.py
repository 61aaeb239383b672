"""A search of everything: sentences, transcripts, clips, notes, words, dictionaries and answers, group by group."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, TypedDict, Unpack

from tui.errors import InvalidInput
from tui.records.dictionaries import DictionaryEntry, LookUp
from tui.records.search import SEARCH_GROUPS, SearchGroup, SearchGroupName, SearchHit
from tui.records.search_fields import SEARCH_FIELDS, ListName
from tui.text.display import title_with_series
from tui.text.sanitize import one_line
from tui.text.search_query import Matches, parse_query

if TYPE_CHECKING:
    from tui.records.clips import FocusWord
    from tui.service.library import Library
    from tui.store import Store

LookUpWord = Callable[[str, str | None, str], "Awaitable[tuple[FocusWord, LookUp]]"]
_DETAIL = 200
"""Maximum characters of the meanings that stand beside an entry."""


class LibrarySearch:
    """Search of one profile's library; ``look_up`` asks the dictionaries for a word."""

    def __init__(self, library: Library, look_up: LookUpWord) -> None:
        self._library = library
        self._look_up = look_up

    async def find(self, q: str, *, group: str = "", limit: int = 10) -> tuple[SearchGroup, ...]:
        """The first hits of a group, or of all groups ("") that have some, in their order."""
        if group and group not in SEARCH_GROUPS:
            raise InvalidInput(
                f"there is no group {group!r}", hint=f"it is one of {', '.join(SEARCH_GROUPS)}", field="group"
            )
        wanted = [each for each in SEARCH_GROUPS if group in ("", each)]
        found = [await self._find(q, each, limit) for each in wanted]
        return tuple(each for each in found if each.hits or group)

    async def _find(self, q: str, group: SearchGroupName, limit: int) -> SearchGroup:
        if not parse_query(q):
            return SearchGroup(group, ())
        if group == "dictionaries":
            hits = await self._entries(q)
        else:
            hits = await self._library.run(lambda store: _FINDERS[group](store, self._library.profile, q, limit + 1))
        return SearchGroup(group, tuple(hits[:limit]), len(hits) > limit)

    async def _entries(self, q: str) -> Sequence[SearchHit]:
        """The entries of a word or phrase, as dictionaries have it; a search with more than words asks for none."""
        terms = parse_query(q, SEARCH_FIELDS["sentences"])
        languages = [term.text for term in terms if term.field == "lang"]
        if len(languages) > 1 or any(term.is_negated or term.field not in ("", "lang") for term in terms):
            return ()
        word = " ".join(term.text for term in terms if not term.field)
        if not word:
            return ()
        _, found = await self._look_up(word, languages[0] if languages else None, "")
        return [
            SearchHit(
                "",
                one_line(each.entry.term),
                title=each.dictionary.title,
                detail=_meanings(each.entry),
                language=each.dictionary.source_language,
            )
            for each in found.entries
        ]


def _meanings(entry: DictionaryEntry) -> str:
    return one_line("; ".join(gloss for sense in entry.senses for gloss in sense.glosses[:1])[:_DETAIL])


def _transcripts(store: Store, profile: str, q: str, limit: int) -> Sequence[SearchHit]:
    matches = _matches(q, "transcripts")
    return [
        _marked(
            matches,
            each.id,
            title_with_series(each.title, each.series, each.season, each.episode),
            language=each.language,
        )
        for each in store.transcripts.find_by_row(profile, q, limit)
    ]


def _clips(store: Store, profile: str, q: str, limit: int) -> Sequence[SearchHit]:
    matches = _matches(q, "clips")
    return [
        _marked(
            matches,
            each.id,
            each.sentence,
            title=each.source,
            detail=each.focus.surface if each.focus is not None else "",
            language=each.language,
        )
        for each in store.clips.page(profile, limit=limit, q=q).items
    ]


def _answers(store: Store, profile: str, q: str, limit: int) -> Sequence[SearchHit]:
    matches = _matches(q, "answers")
    return [
        _marked(matches, each.id, each.sentence, title=each.model, detail=each.focus)
        for each in store.answers.page(profile, limit=limit, q=q).items
    ]


def _words(store: Store, profile: str, q: str, limit: int) -> Sequence[SearchHit]:
    from tui.store.tables.word_list import WordFilter

    matches = _matches(q, "words")
    return [
        _marked(matches, each.lemma, each.lemma, detail=each.state, language=each.language or None)
        for each in store.word_list.page(profile, WordFilter(q=q, begins=True), "occurrences", 0, limit).items
    ]


def _sentences(store: Store, profile: str, q: str, limit: int) -> Sequence[SearchHit]:
    return store.sentences.find(profile, q, limit)


def _notes(store: Store, profile: str, q: str, limit: int) -> Sequence[SearchHit]:
    return store.sentences.find_notes(profile, q, limit)


_FINDERS: dict[SearchGroupName, Callable[[Store, str, str, int], Sequence[SearchHit]]] = {
    "sentences": _sentences,
    "transcripts": _transcripts,
    "clips": _clips,
    "notes": _notes,
    "words": _words,
    "answers": _answers,
}


def _marked(matches: Matches, record_id: str, text: str, **about: Unpack[_About]) -> SearchHit:
    line = one_line(text)
    return SearchHit(record_id, line, tuple(sorted((start, end) for start, end, _ in matches.spans(line))), **about)


class _About(TypedDict, total=False):
    title: str
    detail: str
    language: str | None


def _matches(q: str, listed: ListName) -> Matches:
    return Matches(parse_query(q, SEARCH_FIELDS[listed]))
