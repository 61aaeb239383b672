"""Search queries: what a user types into a search box, as conditions that SQLite can answer.

Words are prefixes in any order (FTS5, https://sqlite.org/fts5.html). Words in a script without spaces are substrings: a
trigram index answers them from three characters on, ``LIKE`` the shorter ones. Nothing typed is ever FTS syntax, since
only letters, marks and digits of it are looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from tui.errors import search_too_long
from tui.language.folding import fold_accents, split_search_words
from tui.language.scripts import is_spaceless
from tui.language.tags import base_language, find_subtags
from tui.records.pages import MAX_SEARCH_LENGTH, MAX_SEARCH_WORDS
from tui.store.rows import AMONG, as_json
from tui.text.sanitize import is_blank

TRIGRAM = 3
"""Length of a trigram; shorter texts have none."""


@dataclass(frozen=True, slots=True)
class Search:
    """Parsed query: a row matches with all ``prefixes``, which begin words, and ``substrings``, which stand anywhere.

    ``given`` tells that something was typed; with nothing to look for in it (``...``), nothing matches.
    """

    given: bool
    prefixes: tuple[str, ...]
    substrings: tuple[str, ...]

    @classmethod
    def parse(cls, q: str) -> Search:
        """Parse what was typed. Raises ``InvalidInput`` for more than can be searched for."""
        words = different_words(q, split_search_words)
        return cls(
            given=not is_blank(q),
            prefixes=tuple(word for word in words if not is_spaceless(word)),
            substrings=tuple(word for word in words if is_spaceless(word)),
        )

    @property
    def matches_nothing(self) -> bool:
        return self.given and not self.prefixes and not self.substrings

    def match(self, columns: str, scope: str = "", *, languages: str = "") -> str:
        """The FTS5 expression for the prefixes: ``columns`` says which are searched, ``scope`` a word of that column.

        ``languages`` is the column with a language's tag, which is found by the language's name too.
        """
        wanted = [f"scope : {quote(scope)}"] if scope else []
        for word in self.prefixes:
            either = [f"{columns} : ({quote(word)} *)"]
            if languages and (subtags := find_subtags(word)):
                either.append(f"{languages} : ({' OR '.join(map(quote, sorted(subtags)))})")
            wanted.append(f"({' OR '.join(either)})")
        return " AND ".join(wanted)

    @property
    def trigrams(self) -> str:
        """The FTS5 expression for the trigram table, "" when none of the substrings is long enough."""
        return " AND ".join(quote(text) for text in self.substrings if len(text) >= TRIGRAM)

    @property
    def short_patterns(self) -> tuple[str, ...]:
        """``LIKE`` patterns of the substrings that the trigram table can't answer; ``\\`` escapes."""
        return tuple(f"%{escape(text)}%" for text in self.substrings if len(text) < TRIGRAM)

    def conditions(
        self, table: str, words: str, like: str, rows: Sequence[int] | None = None
    ) -> tuple[list[str], list[object]]:
        """Conditions on a table with full-text tables for rows that match, and their parameters.

        ``words`` is what ``match`` gives, ``like`` the condition for a short substring. ``rows`` are the first and the
        last number that they may have: FTS5 can look through a range of rows only.
        """
        conditions, parameters = list[str](), list[object]()
        within = "" if rows is None else " AND rowid BETWEEN ? AND ?"
        for index, expression in ((f"{table}_words", words), (f"{table}_trigrams", self.trigrams)):
            if expression:
                conditions.append(f"{table}.seq IN (SELECT rowid FROM {index} WHERE {index} MATCH ?{within})")
                parameters += [expression, *(rows or ())]
        conditions += [like] * len(self.short_patterns)
        return conditions, [*parameters, *self.short_patterns]

    @property
    def words(self) -> tuple[str, ...]:
        return self.prefixes + self.substrings


def different_words(q: str, split: Callable[[str], Iterable[str]]) -> tuple[str, ...]:
    """Split a search into its words, each once. Raises ``InvalidInput`` for more than can be searched for."""
    if len(q) > MAX_SEARCH_LENGTH:
        raise search_too_long(f"{MAX_SEARCH_LENGTH} characters")
    words = tuple(dict.fromkeys(split(q)))
    if len(words) > MAX_SEARCH_WORDS:
        raise search_too_long(f"{MAX_SEARCH_WORDS} different words")
    return words


@dataclass(frozen=True, slots=True)
class Facet:
    """Further condition by which a word may match in a small table: SQL with one parameter, made of the word."""

    condition: str
    parameter: Callable[[str], str]


def codes_named(column: str, names: Mapping[str, str]) -> Facet:
    """Facet of a column of codes, each found by the words that a list shows for it."""
    shadows = {code: folded_words(shown) for code, shown in names.items()}

    def parameter(word: str) -> str:
        return as_json(code for code, words in shadows.items() if f" {fold_accents(word)}" in words)

    return Facet(f"{column} {AMONG}", parameter)


def language_in(column: str) -> Facet:
    """Facet of a column of language tags, found by the languages' names and by their codes."""

    def parameter(word: str) -> str:
        return as_json(sorted(find_subtags(word)))

    tagged = f"EXISTS (SELECT 1 FROM json_each(?) WHERE '-' || {column} || '-' LIKE '%-' || value || '-%')"
    return Facet(tagged, parameter)


def codes_in(*columns: str) -> Facet:
    """Facet of columns of short codes in plain letters that a list shows as they are."""
    spaced = " || ".join(f"' ' || {column}" for column in columns)
    return Facet(rf"{spaced} LIKE ? ESCAPE '\'", folded_pattern)


def text_in(expression: str) -> Facet:
    """Facet of a text that changes too often for a folded column; needs the SQL function ``folded_words``."""
    return Facet(rf"folded_words({expression}) LIKE ? ESCAPE '\'", folded_pattern)


def folded_pattern(word: str) -> str:
    """The ``LIKE`` pattern of a word for what ``folded_words`` made; ``\\`` escapes."""
    return f"%{'' if is_spaceless(word) else ' '}{escape(fold_accents(word))}%"


def folded_words(*texts: str) -> str:
    """The folded words of texts, each behind a space, in which a small table is searched with ``LIKE``."""
    return "".join(f" {fold_accents(word)}" for word in split_search_words(" ".join(texts)))


def quote(text: str) -> str:
    """Quote a text as one FTS5 string."""
    return '"' + text.replace('"', '""').replace("\0", " ") + '"'


def escape(text: str) -> str:
    """Escape a text for inside a ``LIKE`` pattern with ``ESCAPE '\\'``."""
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


def cue_scope(profile: int, language: str | None) -> str:
    """Full-text scope of a cue: one word for its profile and language, with which queries begin."""
    return f"p{profile}x{base_language(language)}"
