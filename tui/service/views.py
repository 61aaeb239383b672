"""Views of a profile: what may be in one, before it is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tui.errors import InvalidInput, search_too_long
from tui.records.pages import MAX_SEARCH_LENGTH
from tui.records.search import MAX_VIEW_NAME, View
from tui.records.search_fields import VIEW_LISTS
from tui.text.sanitize import is_blank, one_line

if TYPE_CHECKING:
    from tui.records.deletion import Deletion
    from tui.service.library import Library
    from tui.store import Store

_LONGEST_SORT = 100


class LocalViews:
    def __init__(self, library: Library) -> None:
        self._library = library
        self._profile = library.profile

    async def all(self) -> tuple[View, ...]:
        return await self._library.run(lambda store: store.views.all(self._profile))

    async def save(self, view: View) -> View:
        q, sort = one_line(view.q).strip(), one_line(view.sort).strip()
        if view.list not in VIEW_LISTS:
            hint = f"it is one of {', '.join(VIEW_LISTS)}"
            raise InvalidInput(f"there is no list {view.list[:40]!r}", hint=hint, field="list")
        if len(q) > MAX_SEARCH_LENGTH:
            raise search_too_long(f"{MAX_SEARCH_LENGTH} characters")
        if not q and not sort:
            raise InvalidInput("a view needs a filter or an order", hint="type a filter first", field="q")
        if len(sort) > _LONGEST_SORT:
            raise InvalidInput("there is no such order", hint="leave it out", field="sort")
        checked = View(_checked(view.name), view.list, q, sort)

        def save(store: Store) -> View:
            store.views.save(self._profile, checked)
            return checked

        return await self._library.change(save)

    async def rename(self, name: str, new_name: str) -> View:
        checked = _checked(new_name)
        return await self._library.change(lambda store: store.views.rename(self._profile, name, checked))

    async def delete(self, name: str) -> Deletion:
        return await self._library.change(lambda store: store.views.delete(self._profile, name))


def _checked(name: str) -> str:
    line = one_line(name).strip()
    if is_blank(line):
        raise InvalidInput("a view needs a name", hint="type one that can be seen", field="name")
    if len(line) > MAX_VIEW_NAME:
        said = f"the name of a view has at most {MAX_VIEW_NAME} characters"
        raise InvalidInput(said, hint="shorten it", field="name")
    return line
