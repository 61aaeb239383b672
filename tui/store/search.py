"""Search queries: what a user types into a search box, as conditions that SQLite can answer.

Words are prefixes in any order (FTS5, https://sqlite.org/fts5.html). Words in a script without spaces are substrings: a
trigram index answers them from three characters on, ``LIKE`` the shorter ones. Nothing typed is ever FTS syntax, since
only letters, marks and digits of it are looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from tui.errors import search_too_long
from tui.language.folding import fold_accents, split_search_words
from tui.language.scripts import is_spaceless
from tui.language.tags import base_language, find_subtags
from tui.language.word import fold
from tui.records.pages import MAX_SEARCH_LENGTH, MAX_SEARCH_WORDS
from tui.store.rows import AMONG, Connection, as_json
from tui.text.sanitize import is_blank
from tui.text.search_query import Term, parse_query

TRIGRAM = 3
"""Length of a trigram; shorter texts have none."""
MAX_FORMS = 200
"""Other forms of all words of a search: a Finnish verb has hundreds, of which a library has some."""
_OTHER_FORMS = """
    WITH RECURSIVE tongues (language) AS (
        SELECT min(language) FROM forms WHERE lemma IS NOT NULL
        UNION ALL SELECT (SELECT min(f.language) FROM forms AS f WHERE f.lemma IS NOT NULL AND f.language > t.language)
            FROM tongues AS t WHERE t.language IS NOT NULL
    ), lemmas (word, language, lemma) AS (
        SELECT given.value ->> 0, f.language, f.lemma FROM json_each(:words) AS given
            CROSS JOIN forms AS f ON f.form = given.value ->> 0 WHERE f.lemma IS NOT NULL
        UNION SELECT given.value ->> 0, t.language, given.value ->> 1 FROM json_each(:words) AS given
            CROSS JOIN tongues AS t
    )
    SELECT word, lemma FROM lemmas UNION
    SELECT l.word, f.form FROM lemmas AS l CROSS JOIN forms AS f ON f.language = l.language AND f.lemma = l.lemma
    LIMIT :limit
"""
"""The forms that share a lemma with a word, which is a form or, in small letters or with a capital, a lemma itself."""


@dataclass(frozen=True, slots=True)
class Search:
    """Parsed query: a row matches with all ``terms`` in its texts, and with all ``fields`` in what they name.

    A finished word also stands for the ``forms`` that share a lemma with it in the library, an unfinished one for all
    that begin so; words in a script without spaces stand anywhere. ``given`` tells that something was typed; with
    nothing to look for in it (``...``), nothing matches.
    """

    given: bool
    terms: tuple[Term, ...]
    fields: tuple[Term, ...] = ()
    forms: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @classmethod
    def parse(cls, q: str, fields: Collection[str] = ()) -> Search:
        """Parse what was typed for a list with these fields. Raises ``InvalidInput`` for more than can be searched."""
        different_words(q, split_search_words)
        terms = parse_query(q, fields)
        return cls(not is_blank(q), tuple(t for t in terms if not t.field), tuple(t for t in terms if t.field))

    def with_forms(self, connection: Connection) -> Search:
        """The same search, with the other forms of its finished words that are in the library."""
        wanted = [(key, each) for term in self.terms if (key := _form_key(term)) for each in (key, key.capitalize())]
        if not wanted:
            return self
        found: dict[str, list[str]] = {}
        for word, form in connection.rows(_OTHER_FORMS, words=as_json(wanted), limit=MAX_FORMS):
            if fold(form, None) != word:
                found.setdefault(word, []).append(form)
        return replace(self, forms={word: tuple(forms) for word, forms in found.items()})

    def forms_of(self, term: Term) -> tuple[str, ...]:
        """The other forms that a term stands for."""
        return self.forms.get(_form_key(term), ())

    @property
    def matches_nothing(self) -> bool:
        return self.given and not self.terms and not self.fields

    @property
    def has_spaced(self) -> bool:
        """Whether something is to be there that the index of words answers."""
        return any(not term.is_negated and not is_spaceless(term.text) for term in self.terms)

    @property
    def has_spaceless(self) -> bool:
        """Whether something is to be there that stands anywhere."""
        return any(not term.is_negated and is_spaceless(term.text) for term in self.terms)

    def match(
        self, columns: str, scope: str = "", *, languages: str = "", fields: Mapping[str, str] | None = None
    ) -> str:
        """The FTS5 expression for what words answer: ``columns`` says which are searched, ``scope`` a word of that one.

        ``languages`` is the column with a language's tag, which is found by the language's name too; ``fields`` are the
        columns of those fields that have one. "" where nothing is to be there: FTS5 can only leave out of something.
        """
        named = fields or {}
        wanted, unwanted = [f"scope : {quote(scope)}"] if scope else [], list[str]()
        for term in (*self.terms, *(term for term in self.fields if term.field in named)):
            if is_spaceless(term.text):
                continue
            within = named[term.field] if term.field else columns
            phrases = [f"{quote(term.text)}{'' if term.is_finished else ' *'}", *map(quote, self.forms_of(term))]
            either = [f"{within} : ({' OR '.join(phrases)})"]
            is_language = bool(languages) and within in (columns, languages) and not term.is_exact
            # In small letters and each once, as they are indexed: every phrase more is a walk through half the rows.
            if tags := sorted({tag.lower() for tag in find_subtags(term.text)} if is_language else ()):
                named_by_tag = f"{languages} : ({' OR '.join(map(quote, tags))})"
                is_tag = within == languages and term.is_finished and fold_accents(term.text) in tags
                either = [named_by_tag] if is_tag else [*either, named_by_tag]
            (unwanted if term.is_negated else wanted).append(f"({' OR '.join(either)})")
        left_out = "".join(f" NOT {each}" for each in unwanted)
        return f"({' AND '.join(wanted)}){left_out}" if wanted else ""

    def conditions(
        self, table: str, words: str, like: str, rows: Sequence[int] | None = None
    ) -> tuple[list[str], list[object]]:
        """Conditions on a table with full-text tables for rows that match, and their parameters.

        ``words`` is what ``match`` gives, ``like`` the condition for a short substring, which the trigram index cannot
        answer. ``rows`` are the first and the last number that they may have: FTS5 can look through a range of rows.
        """
        conditions, parameters = list[str](), list[object]()
        within = "" if rows is None else " AND rowid BETWEEN ? AND ?"
        among = f"{table}.seq IN (SELECT rowid FROM {{0}} WHERE {{0}} MATCH ?{within})"

        def add(condition: str, *given: object, is_negated: bool = False) -> None:
            conditions.append(f"NOT ({condition})" if is_negated else condition)
            parameters.extend(given)

        if words:
            add(among.format(f"{table}_words"), words, *(rows or ()))
        anywhere = [term for term in self.terms if is_spaceless(term.text)]
        long = [term for term in anywhere if len(term.text) >= TRIGRAM]
        if wanted := [quote(term.text) for term in long if not term.is_negated]:
            add(among.format(f"{table}_trigrams"), " AND ".join(wanted), *(rows or ()))
        for term in long:
            if term.is_negated:
                add(among.format(f"{table}_trigrams"), quote(term.text), *(rows or ()), is_negated=True)
        for term in anywhere:
            if term not in long:
                add(like, f"%{escape(term.text)}%", is_negated=term.is_negated)
        return conditions, parameters


def _form_key(term: Term) -> str:
    """The key of a term's other forms; "" for one that stands for itself only."""
    has_forms = term.is_finished and not term.is_exact and not term.field and len(term.words) == 1
    return fold(term.text, None) if has_forms and not is_spaceless(term.text) else ""


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


Field: TypeAlias = Callable[[Term], tuple[str, tuple[object, ...]]]
"""Field of a list: the condition, with its parameters, for the rows that have a term's value there."""


def field_of(*facets: Facet) -> Field:
    """Field in which all words of a value are found by the same one of these facets."""

    def condition(term: Term) -> tuple[str, tuple[object, ...]]:
        either = (" AND ".join([facet.condition] * len(term.words)) for facet in facets)
        return f"({' OR '.join(either)})", tuple(facet.parameter(word) for facet in facets for word in term.words)

    return condition


def flags(**conditions: str) -> Field:
    """Field whose values are names of conditions, or beginnings of them; anything else is true of no row."""

    def condition(term: Term) -> tuple[str, tuple[object, ...]]:
        meant = [each for name, each in conditions.items() if name.startswith(fold_accents(term.text))]
        return f"({' OR '.join(meant) or 'false'})", ()

    return condition


def is_among(count: int, term: Term) -> bool:
    """Whether a number is that of a term's value, or between its two."""
    first, last = term.words[0], term.words[-1]
    return first.isdecimal() and last.isdecimal() and int(first) <= count <= int(last)


def codes_named(column: str, names: Mapping[Any, str]) -> Facet:
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


def words_in(column: str) -> Facet:
    """Facet of a column that has what ``folded_words`` made of a text, and of nothing else."""
    return Facet(rf"{column} LIKE ? ESCAPE '\'", folded_pattern)


def text_in(expression: str, *, within: str = "") -> Facet:
    """Facet of a text without a folded column of its own; needs the SQL function ``folded_words``.

    That takes its time, so a folded column that it is ``within``, with other texts, is asked first.
    """
    folded = rf"folded_words({expression}) LIKE pattern ESCAPE '\'"
    first = rf"{within} LIKE pattern ESCAPE '\' AND " if within else ""
    return Facet(f"EXISTS (SELECT 1 FROM (SELECT ? AS pattern) WHERE {first}{folded})", folded_pattern)


def folded_part(text: str, *, is_finished: bool) -> str:
    """Cut out what of a text stands in what ``folded_words`` made, with a space behind it, where that has it."""
    if is_spaceless(text):
        return fold_accents(text)
    return f" {fold_accents(text)}{' ' if is_finished else ''}"


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
