"""Search queries as people type them: words, ``"exact phrases"``, ``field:value``, each left out behind a ``-``.

The same rules for every list, on every face. Nothing typed is an error: a field that there is none of, a quotation
mark that is not closed and a sign that stands alone are text. Words are runs of letters, marks and digits: ``e-mail``
is two.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Self

from tui.language.folding import fold_accents, fold_with_offsets, split_search_words
from tui.language.scripts import is_spaceless

_PART = re.compile(r'(?P<no>-(?=[^\s-]))?(?:(?P<field>[a-z]+):(?=\S))?(?:"(?P<phrase>[^"]*)(?:"|$)|(?P<word>\S+))')


@dataclass(frozen=True, slots=True)
class Term:
    """Part of a query: a word, or several that stand in a row, in a ``field`` or in any text that is searched.

    One that ``is_exact`` was put into quotation marks; one that is not ``is_finished`` is the end of the query, and may
    go on. A field's value has all its words.
    """

    words: tuple[str, ...]
    field: str = ""
    is_exact: bool = False
    is_negated: bool = False
    is_finished: bool = True

    @property
    def text(self) -> str:
        return " ".join(self.words)


def parse_query(q: str, fields: Collection[str] = ()) -> tuple[Term, ...]:
    """Parse what was typed, each term once, for a list that has these fields; what has no word in it is left out."""
    return tuple(dict.fromkeys(_terms(q, fields)))


def text_of(terms: Iterable[Term]) -> str:
    """Write the terms that are not of a field as a query, which finds them in a text."""
    wanted = [term for term in terms if not term.field]
    parts = [f"{'-' if term.is_negated else ''}{_quoted(term.text) if term.is_exact else term.text}" for term in wanted]
    return " ".join(parts) + (" " if wanted and wanted[-1].is_finished else "")


def _quoted(text: str) -> str:
    return f'"{text}"'


def _terms(q: str, fields: Collection[str]) -> Iterator[Term]:
    for match in _PART.finditer(q):
        field, is_exact, is_negated = match["field"] or "", match["phrase"] is not None, match["no"] is not None
        words = split_search_words(match["phrase"] if is_exact else match["word"])
        if field not in fields and field:
            if is_exact:
                yield Term((field,), is_negated=is_negated)
            else:
                words = (*split_search_words(field), *words)
            field = ""
        is_finished = is_exact or match.end() < len(q)
        if words and (field or is_exact or is_negated):  # what is left out would leave out too much word by word
            yield Term(words, field, is_exact, is_negated, is_finished)
        else:
            for number, word in enumerate(words, 1):
                yield Term((word,), is_finished=is_finished or number < len(words))


class Matches:
    """Places of a query's terms in texts, by the same rules as in the store's search. Spans are code points.

    ``forms`` are further words that a finished one stands for. Terms are known by their number here; those that are to
    be left out, and fields, have no places.
    """

    def __init__(self, terms: Iterable[Term], forms: Mapping[Term, Iterable[str]] | None = None) -> None:
        wanted = [term for term in terms if not term.is_negated and not term.field]
        self._patterns = [re.compile(_pattern(term, (forms or {}).get(term, ()))) for term in wanted]

    @classmethod
    def of_query(cls, q: str, fields: Collection[str] = ()) -> Self:
        """Places of what was typed, for a list that has these fields."""
        return cls(parse_query(q, fields))

    def __bool__(self) -> bool:
        return bool(self._patterns)

    def __len__(self) -> int:
        return len(self._patterns)

    def spans(self, text: str) -> list[tuple[int, int, int]]:
        """Start, end and number of each term in the text, the terms one after the other."""
        plain, places = fold_with_offsets(text, fold_accents)
        return [
            (places[found.start()], places[found.end() - 1] + 1, number)
            for number, pattern in enumerate(self._patterns)
            for found in pattern.finditer(plain)
        ]

    def found_in(self, text: str) -> set[int]:
        """Numbers of the terms that the text has."""
        return {number for _, _, number in self.spans(text)}


def _pattern(term: Term, forms: Iterable[str]) -> str:
    if is_spaceless(term.text):
        return r"\s*".join(map(re.escape, map(fold_accents, term.words)))
    behind = r"(?![^\W_])" if term.is_finished else ""
    either = [r"[\W_]+".join(re.escape(fold_accents(word)) for word in term.words)]
    either += [re.escape(fold_accents(form)) for form in forms]
    return rf"(?<![^\W_])(?:{'|'.join(either)}){behind}"
