"""Arguments of operations: their bounds, and what is said of them to whoever asks over HTTP.

Protocols name these in annotations only, which ``signatures.py`` resolves: nothing else has to import them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from tui.records.pages import MAX_HITS, MAX_ID, MAX_ROWS, MAX_SEARCH_LENGTH


@dataclass(frozen=True, slots=True)
class Bound:
    """Bounds of an argument (characters of a text, items of a list, the range of a number), and a word ``about`` it.

    With ``trims`` the remote library brings what is beyond them within, where the service means the same by both;
    ``sent`` is the number of characters that it sends of a text at most. All else beyond is for the server to refuse.
    ``name`` is what the argument is called over HTTP.
    """

    most: int | None = None
    least: int | None = None
    about: str = ""
    name: str = ""
    trims: bool = False
    sent: int = 0


MAX_QUERY = 3000
"""Characters of a text in an address."""
HIGHEST = 2**53
"""The whole numbers that every JSON reader takes for what they are (RFC 8259, 6) end here."""

Limit = Annotated[int, Bound(MAX_ROWS, 1, trims=True)]
Offset = Annotated[int, Bound(HIGHEST, 0, trims=True)]
Hits = Annotated[int, Bound(MAX_HITS, 1, trims=True)]
FilmOf = Annotated[str, Bound(MAX_ID, about="The id of a transcript, or of a file with some.", name="of", sent=MAX_ID)]
Search = Annotated[str, Bound(MAX_SEARCH_LENGTH)]
Named = Annotated[str, Bound(MAX_QUERY, about="A title, a path or a beginning of a title.")]
WordText = Annotated[str, Bound(MAX_QUERY)]
LanguageTag = Annotated[str | None, Bound(200, about="A BCP 47 tag; its first subtag counts.")]
SentenceText = Annotated[
    str, Bound(MAX_QUERY, about="The sentence it stands in, which may make a phrase of it.", sent=500)
]
"""Each of its characters may take nine in an address, and proxies refuse more than 8 kB."""
