"""Export of any list from the app, as a table: what is marked, or all that the filter finds."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from tui.errors import LodeError
from tui.exporting.table_writer import TABLE_ENDINGS, TableWriter
from tui.exporting.target_file import TargetFile
from tui.records.pages import Page
from tui.screens.dialogs.path_prompt import PathPrompt
from tui.screens.dialogs.questions import ask_until_taken, confirm_replacing
from tui.system.event_loop import in_daemon_thread
from tui.system.regular_file import named_path
from tui.text.display import count_of, size

if TYPE_CHECKING:
    from tui.screens.section import SectionScreen
    from tui.widgets.table.record_table import RecordTable

_PAGE = 200
Fetch: TypeAlias = Callable[[int, int, str], Awaitable[Page[Any]]]
"""Function that reads a page of the list: from where, how many, of which search."""


async def export_list(screen: SectionScreen, table: RecordTable[Any], noun: str, fetch: Fetch) -> None:
    """Ask where the list is to be written until it can be, or the question is closed."""
    marked, q = frozenset(table.marked), table.q
    title = f"Export {count_of(len(marked) or table.total, noun)} as a table"
    hint = f"{' '.join(TABLE_ENDINGS)}: the ending says which · tab completes · enter writes it"

    async def write(answer: str, *, overwrite: bool = False) -> bool:
        path = Path(answer)
        with suppress(RuntimeError):  # no such user
            path = named_path(answer)
        writer, count = TableWriter(path.suffix.casefold()), 0

        async def lines() -> AsyncIterator[bytes]:
            nonlocal count
            async for record in _records(fetch, q, marked):
                count += 1
                yield writer.write(record)

        target = await in_daemon_thread(partial(TargetFile, path, overwrite=overwrite), name="list export")
        with target as file:
            written = await file.write_all(lines())
        screen.say(f"{target.target} written: {count_of(count, noun)}, {size(written)}")
        return True

    async def export(answer: str) -> bool | None:
        try:
            return await write(answer)
        except LodeError as error:
            if error.code != "target_exists":
                raise
        is_replaced = await screen.app.push_screen_wait(confirm_replacing(answer))
        return await write(answer, overwrite=True) if is_replaced else None

    await ask_until_taken(screen.app, partial(PathPrompt, title, hint=hint), f"./{noun}s.csv", export)


async def _records(fetch: Fetch, q: str, marked: frozenset[str]) -> AsyncIterator[Any]:
    """The marked records, also those that the filter leaves out, or all that it finds, in the order of the list."""
    offset, left = 0, len(marked)
    while (left or not marked) and (page := (await fetch(offset, _PAGE, "" if marked else q)).items):
        for record in page:
            if not marked or record.id in marked:
                yield record
                left -= 1
        offset += len(page)
