"""Suggestions for a search box: names of fields, and their values: words of Lode's own, and those of the library."""

import re
from collections.abc import Awaitable, Callable, Iterable, Sequence

from textual.suggester import Suggester

from tui.errors import LodeError
from tui.records.search_fields import SEARCH_FIELDS, ListName

ReadValues = Callable[[ListName, str], Awaitable[Sequence[str]]]
"""Function that gives the values of a list's field, the likeliest first."""
_LEAST = 2
"""Letters from which on the name of a field is suggested: fewer are the beginning of most words."""
_VALUE = re.compile(r'(?:^|\s)-?(?P<field>[a-z]+):(?P<typed>"[^"]*|[^\s"]*)$')
_NAME = re.compile(rf"(?:^|\s)-?(?P<typed>[a-z]{{{_LEAST},}})$")


class SearchSuggestions(Suggester):
    """Suggestions for what is being typed behind a list's filter, taken with the right arrow or tab.

    A field is suggested by its beginning (``la``: ``lang:``), its values from the ``:`` on. Those that are not words of
    Lode's own are read once for each field.
    """

    def __init__(self, listed: Iterable[ListName], read: ReadValues) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self._read = read
        self._fields: dict[str, ListName] = {}
        for name in listed:
            for field in SEARCH_FIELDS[name]:
                self._fields.setdefault(field, name)
        self._values: dict[str, Sequence[str]] = {}

    async def get_suggestion(self, value: str) -> str | None:
        """Complete a value as far as it can be shown behind the cursor, which a name in quotation marks cannot."""
        whole = await self.complete(value)
        return whole if whole is not None and whole.startswith(value) else None

    async def complete(self, value: str) -> str | None:
        """The search with its last word completed, None where nothing is known of it."""
        if (found := _VALUE.search(value)) is not None:
            return await self._with_value(value, found["field"], found["typed"])
        if (found := _NAME.search(value)) is None or value.count('"') % 2:
            return None
        typed = found["typed"]
        name = next((each for each in self._fields if each.startswith(typed)), None)
        return None if name is None else f"{value.removesuffix(typed)}{name}:"

    async def _with_value(self, value: str, field: str, typed: str) -> str | None:
        begun = typed.removeprefix('"')
        low = begun.casefold()
        for each in await self._values_of(field):
            if each.casefold().startswith(low) and '"' not in each and each.casefold() != low:
                as_typed = begun + each[len(begun) :]
                is_quoted = typed != begun or " " in each
                return value.removesuffix(typed) + (f'"{as_typed}"' if is_quoted else as_typed)
        return None

    async def _values_of(self, field: str) -> Sequence[str]:
        if field not in self._fields:
            return ()
        if field not in self._values:
            listed = self._fields[field]
            try:
                self._values[field] = _own_values(listed, field) or await self._read(listed, field)
            except LodeError:  # without them one types on
                self._values[field] = ()
        return self._values[field]


def _own_values(listed: ListName, field: str) -> Sequence[str]:
    """The values of a field that its help lists."""
    if field not in ("has", "state", "read") and (listed, field) != ("answers", "kind"):
        return ()
    about = SEARCH_FIELDS[listed][field].partition(":")[0].replace(" or ", ", ")
    return tuple(each.strip() for each in about.split(",") if " " not in each.strip())
