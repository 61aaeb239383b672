"""Suggestions for a search box: names of fields, and the values that are words of Lode's own."""

from collections.abc import Iterable, Sequence

from textual.suggester import Suggester

from tui.records.search import SEARCH_FIELDS, ListName

_LEAST = 2
"""Letters from which on the name of a field is suggested: fewer are the beginning of most words."""


class SearchSuggestions(Suggester):
    """Suggestions for what is being typed behind a list's filter, taken with the right arrow.

    A field is suggested by its beginning (``la``: ``lang:``), its values where the table says which there are.
    """

    def __init__(self, listed: Iterable[ListName]) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self._fields: dict[str, Sequence[str]] = {}
        for name in listed:
            for field, about in SEARCH_FIELDS[name].items():
                self._fields.setdefault(field, _values(field, about))

    async def get_suggestion(self, value: str) -> str | None:
        rest = value.rpartition(" ")[2].removeprefix("-")
        field, colon, typed = rest.partition(":")
        found: Iterable[str]
        if colon:
            found = (f"{field}:{each}" for each in self._fields.get(field, ()) if typed and each.startswith(typed))
        else:
            found = (f"{name}:" for name in self._fields if len(rest) >= _LEAST and name.startswith(rest))
        best = next(iter(found), None)
        if best is None or best == rest:
            return None
        return value[: len(value) - len(rest)] + best


def _values(field: str, about: str) -> Sequence[str]:
    """The values of a field that its help lists."""
    if field not in ("has", "state"):
        return ()
    listed = about.partition(":")[0].replace(" or ", ", ")
    return tuple(each.strip() for each in listed.split(",") if " " not in each.strip())
