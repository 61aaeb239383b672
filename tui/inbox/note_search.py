"""Anki's search as clients use it: ``deck:X "expression:a" (nid:1 OR nid:2) -tag:b added:1``.

Terms stand together unless ``OR`` is between them; ``-`` excludes, ``"…"`` holds a term together, ``\\`` takes the next
character as it is, ``*`` and ``_`` stand for any characters and any one. What only a review history knows (``is:``,
``prop:``, ``rated:``, ``edited:``) finds nothing here. Source: Anki's manual, "Searching".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from tui.errors import InvalidInput
from tui.inbox.fields import find_role, fold_name
from tui.inbox.markup import text_of

MAX_QUERY_CHARS = 100_000
_MAX_TERMS = 5_000
_MAX_DEPTH = 50
_UNKNOWN = ("is", "prop", "rated", "edited", "introduced", "resched", "flag", "cid", "did", "mid", "dupe", "has-cd")
_OF_NOTES = ("deck", "note", "tag", "nid", "added", "re", "w", "nc", "card", "preset")
_TOKEN = re.compile(
    r'\s+|(?P<open>\()|(?P<close>\))|(?P<minus>-(?=\S))|(?P<term>(?:[^\s"()\\]|\\.|"(?:[^"\\]|\\.)*"?)+)', re.S
)


@dataclass(frozen=True, slots=True)
class SearchedNote:
    """Searchable parts of a note; ``added_days`` is on how many days before today it came."""

    id: int
    deck: str
    note_type: str
    tags: Collection[str]
    fields: Mapping[str, str]
    added_days: int


Matches = Callable[[SearchedNote], bool]


@dataclass(frozen=True, slots=True)
class NoteSearch:
    """A search: whether a note ``matches``, and what narrows down which notes can.

    ``ids`` are the only numbers, ``words`` the only words of notes that can match, ``days`` the days that it asks for;
    None where it asks for no such thing.
    """

    matches: Matches
    ids: frozenset[int] | None = None
    words: frozenset[str] | None = None
    days: int | None = None


def parse_search(query: str) -> NoteSearch:
    """Read a search. Raises ``InvalidInput`` for one that is too long, or whose brackets do not close."""
    if len(query) > MAX_QUERY_CHARS:
        raise InvalidInput(f"a search has {MAX_QUERY_CHARS} characters at most")
    tokens = [(str(match.lastgroup), match[0]) for match in _TOKEN.finditer(query) if match.lastgroup]
    if len(tokens) > _MAX_TERMS:
        raise InvalidInput(f"a search has {_MAX_TERMS} terms at most")
    parser = _Parser(tokens)
    found = parser.any_of(0)
    if parser.at < len(tokens):
        raise InvalidInput("a bracket of the search closes nothing")
    return found


class _Parser:
    def __init__(self, tokens: list[tuple[str, str]]) -> None:
        self._tokens = tokens
        self.at = 0

    def any_of(self, depth: int) -> NoteSearch:
        """Parts with OR between them."""
        if depth > _MAX_DEPTH:
            raise InvalidInput("the brackets of the search stand too deep in each other")
        parts = [self._all_of(depth)]
        while self._next_is("or"):
            self.at += 1
            parts.append(self._all_of(depth))
        return parts[0] if len(parts) == 1 else _either(parts)

    def _all_of(self, depth: int) -> NoteSearch:
        parts = []
        while self.at < len(self._tokens) and not self._next_is("or") and self._tokens[self.at][0] != "close":
            if self._next_is("and"):
                self.at += 1
                continue
            parts.append(self._term(depth))
        return _both(parts)

    def _term(self, depth: int) -> NoteSearch:
        kind, text = self._tokens[self.at]
        self.at += 1
        if kind == "minus":
            is_excluded = True
            while self.at < len(self._tokens) and self._tokens[self.at][0] == "minus":
                self.at, is_excluded = self.at + 1, not is_excluded
            if self.at >= len(self._tokens) or self._tokens[self.at][0] == "close":
                return NoteSearch(lambda note: True)
            inner = self._term(depth + 1).matches
            return NoteSearch(lambda note: inner(note) is not is_excluded)
        if kind == "open":
            found = self.any_of(depth + 1)
            if self.at >= len(self._tokens):
                raise InvalidInput("a bracket of the search does not close")
            self.at += 1
            return found
        return _read_term(text)

    def _next_is(self, word: str) -> bool:
        return self.at < len(self._tokens) and self._tokens[self.at] in (("term", word), ("term", word.upper()))


def _both(parts: list[NoteSearch]) -> NoteSearch:
    every = [part.matches for part in parts]
    return NoteSearch(
        lambda note: all(matches(note) for matches in every),
        next((part.ids for part in parts if part.ids is not None), None),
        next((part.words for part in parts if part.words is not None), None),
        next((part.days for part in parts if part.days is not None), None),
    )


def _either(parts: list[NoteSearch]) -> NoteSearch:
    some = [part.matches for part in parts]
    ids = [part.ids for part in parts if part.ids is not None]
    words = [part.words for part in parts if part.words is not None]
    days = [part.days for part in parts if part.days is not None]
    return NoteSearch(
        lambda note: any(matches(note) for matches in some),
        frozenset().union(*ids) if len(ids) == len(parts) else None,
        frozenset().union(*words) if len(words) == len(parts) else None,
        max(days) if len(days) == len(parts) else None,
    )


def _read_term(text: str) -> NoteSearch:
    name, value = _split(text)
    key = name.casefold()
    if not name:
        return NoteSearch(_shows(_read_glob(f"*{value}*")))
    if key == "nid":
        ids = frozenset(int(each) for each in value.split(",") if each.strip().isdecimal() and len(each) < 20)
        return NoteSearch(lambda note: note.id in ids, ids=ids)
    if key == "added":
        days = int(value) if value.isdecimal() and len(value) < 6 else 0
        return NoteSearch(lambda note: note.added_days < days, days=days)
    if key == "deck":
        return NoteSearch(_in_deck(value))
    if key == "note":
        wanted = _read_glob(value)
        return NoteSearch(lambda note: wanted.is_all_of(note.note_type))
    if key == "tag":
        return NoteSearch(_has_tag(value))
    if key in _UNKNOWN:
        return NoteSearch(lambda note: False)
    if key == "w":
        word = _unescape(value).casefold()
        return NoteSearch(lambda note: any(word in _words_of(text) for text in note.fields.values()))
    if key in _OF_NOTES:
        return NoteSearch(lambda note: False)
    return _field_term(fold_name(name), value)


def _field_term(name: str, value: str) -> NoteSearch:
    wanted = _read_glob(value)
    is_exact = find_role(name) == "word" and bool(value) and not re.search(r"(?<!\\)[*_]", value)

    def matches(note: SearchedNote) -> bool:
        # A clip of Lode's own has its word as it stands in the sentence, and its dictionary form beside it.
        same = (field for field in note.fields if fold_name(field) == name or (is_exact and find_role(field) == "word"))
        texts = (note.fields[field] for field in same)
        return any(wanted.is_all_of(text) or wanted.is_all_of(text_of(text)) for text in texts)

    return NoteSearch(matches, words=frozenset((_unescape(value),)) if is_exact else None)


def _in_deck(value: str) -> Matches:
    wanted = _read_glob(value)
    return lambda note: any(map(wanted.is_all_of, _decks_above(note.deck)))


def _decks_above(deck: str) -> Iterator[str]:
    """A deck and those that it is within: a search for one finds what is in those below."""
    parts = deck.split("::")
    return ("::".join(parts[: count + 1]) for count in range(len(parts)))


def _has_tag(value: str) -> Matches:
    if value == "none":
        return lambda note: not note.tags
    wanted = _read_glob(value)
    return lambda note: any(wanted.is_all_of(part) for tag in note.tags for part in _decks_above(tag))


def _shows(wanted: _Glob) -> Matches:
    return lambda note: any(wanted.is_all_of(text_of(text)) for text in note.fields.values())


def _words_of(html: str) -> set[str]:
    return set(re.findall(r"\w+", text_of(html).casefold()))


def _split(text: str) -> tuple[str, str]:
    """The name before the first colon that means something, "" for none, and what stands behind it."""
    plain = re.sub(r'\\"|"', lambda found: found[0] if len(found[0]) > 1 else "", text)
    found = re.match(r"((?:[^\\:]|\\.)*):", plain, re.S)
    return (_unescape(found[1]), plain[found.end() :]) if found else ("", plain)


def _unescape(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text, flags=re.S)


@dataclass(frozen=True, slots=True)
class _Glob:
    """A text with signs for any characters, between which its parts are looked for one after the other.

    One regular expression for all of it could be made to try for hours.
    """

    parts: tuple[tuple[re.Pattern[str], int], ...]
    """Parts between the asterisks, with their lengths."""

    def is_all_of(self, text: str) -> bool:
        (first, length), *middle = self.parts
        if first.match(text) is None:
            return False
        if not middle:
            return len(text) == length
        *middle, (last, last_length) = middle
        at = length
        for part, _ in middle:
            if (found := part.search(text, at)) is None:
                return False
            at = found.end()
        end = len(text) - last_length
        return end >= at and last.match(text, end) is not None


@lru_cache(maxsize=256)
def _read_glob(value: str) -> _Glob:
    """Read a value with Anki's signs: ``*`` for any characters, ``_`` for any one, ``\\`` before what is as it is."""
    parts, part, length = [], "", 0
    for piece in re.findall(r"\\.|.", value, re.S):
        if piece == "*":
            parts.append((part, length))
            part, length = "", 0
        else:
            part += "." if piece == "_" else re.escape(piece[-1])
            length += 1
    return _Glob(tuple((re.compile(each, re.I | re.S), count) for each, count in (*parts, (part, length))))
