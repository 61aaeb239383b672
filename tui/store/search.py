"""What a user types into a search box, as conditions that SQLite can answer.

Words are prefixes in any order (FTS5, https://sqlite.org/fts5.html). Words in a script without spaces are substrings: a
trigram index answers them from three characters on, ``LIKE`` the shorter ones. Nothing typed is ever FTS syntax, since
only letters, marks and digits of it are looked at.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from tui.language.scripts import is_spaceless

_LATIN_MARKS = re.compile("[\u0300-\u036f]")
TRIGRAM = 3
"""Shorter texts have no trigram."""


@dataclass(frozen=True, slots=True)
class Search:
    """``prefixes`` are beginnings of words, ``substrings`` stand anywhere; a row matches when all of them are in it.

    ``given`` tells that something was typed; with nothing to look for in it (``...``), nothing matches.
    """

    given: bool
    prefixes: tuple[str, ...]
    substrings: tuple[str, ...]

    @classmethod
    def parse(cls, q: str) -> Search:
        words = words_of(unicodedata.normalize("NFC", q))
        return cls(
            given=bool(q.strip()),
            prefixes=tuple(word for word in words if not is_spaceless(word)),
            substrings=tuple(word for word in words if is_spaceless(word)),
        )

    @property
    def hopeless(self) -> bool:
        return self.given and not self.prefixes and not self.substrings

    def match(self, columns: str, scope: str = "") -> str:
        """The FTS5 expression for the prefixes: ``columns`` are the searched ones, ``scope`` a word of that column."""
        wanted = f"{{{columns}}} : ({' AND '.join(f'{quoted(word)} *' for word in self.prefixes)})"
        return f"scope : {quoted(scope)} AND {wanted}" if scope else wanted

    @property
    def trigrams(self) -> str:
        """The FTS5 expression for the trigram table, "" when none of the substrings is long enough."""
        return " AND ".join(quoted(text) for text in self.substrings if len(text) >= TRIGRAM)

    @property
    def too_short(self) -> tuple[str, ...]:
        """``LIKE`` patterns of the substrings that the trigram table can't answer; ``\\`` escapes."""
        return tuple(f"%{escaped(text)}%" for text in self.substrings if len(text) < TRIGRAM)

    @property
    def shadow_patterns(self) -> tuple[str, ...]:
        """``LIKE`` patterns for a column filled by ``shadow``; ``\\`` escapes."""
        return (
            *(f"% {escaped(folded(word))}%" for word in self.prefixes),
            *(f"%{escaped(folded(text))}%" for text in self.substrings),
        )


def words_of(text: str) -> tuple[str, ...]:
    """Runs of letters, marks and digits: what FTS5 sees as words with the categories that the tables name."""
    spaced = "".join(char if unicodedata.category(char)[0] in "LMN" else " " for char in text)
    return tuple(spaced.split())


def shadow(*texts: str) -> str:
    """What a small table is searched in with ``LIKE``: the folded words, each behind a space."""
    return "".join(f" {folded(word)}" for word in words_of(unicodedata.normalize("NFC", " ".join(texts))))


def folded(text: str) -> str:
    """Without case and without the accents of the European scripts, as the FTS tables fold."""
    return unicodedata.normalize("NFC", _LATIN_MARKS.sub("", unicodedata.normalize("NFD", text.casefold())))


def quoted(text: str) -> str:
    """The text as one FTS5 string."""
    return '"' + text.replace('"', '""').replace("\0", " ") + '"'


def escaped(text: str) -> str:
    """The text for inside a ``LIKE`` pattern with ``ESCAPE '\\'``."""
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
