"""Export of any list from the app, as a table: what is marked, or all that the filter finds."""

from __future__ import annotations

from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tui.errors import LodeError
from tui.screens.dialogs.path_prompt import PathPrompt
from tui.screens.dialogs.questions import ask_until_taken, confirm_replacing
from tui.system.event_loop import in_daemon_thread
from tui.system.regular_file import named_path
from tui.text.display import count_of, size

if TYPE_CHECKING:
    from tui.screens.lists.record_list import RecordListScreen

_PAGE = 200


async def export_list(screen: RecordListScreen[Any]) -> None:
    """Ask where the list is to be written until it can be, or the question is closed."""
    from tui.exporting.table_writer import TABLE_ENDINGS

    marked = frozenset(screen.table.marked)
    what = count_of(len(marked) or screen.table.total, screen.NOUN)
    title = f"Export {what} as a table"
    hint = f"{' '.join(TABLE_ENDINGS)}: the ending says which · tab completes · enter writes it"

    async def export(answer: str) -> bool | None:
        try:
            return await _write(screen, marked, answer)
        except LodeError as error:
            if error.code != "target_exists":
                raise
        is_replaced = await screen.app.push_screen_wait(confirm_replacing(answer))
        return await _write(screen, marked, answer, overwrite=True) if is_replaced else None

    await ask_until_taken(screen.app, partial(PathPrompt, title, hint=hint), f"./{screen.NOUN}s.csv", export)


async def _write(
    screen: RecordListScreen[Any], marked: frozenset[str], answer: str, *, overwrite: bool = False
) -> bool:
    from tui.exporting.table_writer import TableWriter
    from tui.exporting.target_file import TargetFile

    path = Path(answer)
    try:
        path = named_path(answer)
    except RuntimeError:  # no such user
        pass
    writer = TableWriter(path.suffix.casefold())
    target = await in_daemon_thread(partial(TargetFile, path, overwrite=overwrite), name="list export")
    count = 0

    async def lines() -> AsyncIterator[bytes]:
        nonlocal count
        async for record in _records(screen, marked):
            count += 1
            yield writer.write(record)

    with target as file:
        written = await file.write_all(lines())
    screen.say(f"{target.target} written: {count_of(count, screen.NOUN)}, {size(written)}")
    return True


async def _records(screen: RecordListScreen[Any], marked: frozenset[str]) -> AsyncIterator[Any]:
    """The marked records, also those that the filter leaves out, or all that it finds, in the order of the list."""
    q = "" if marked else screen.table.q
    offset, left = 0, len(marked)
    while page := (await screen.fetch(offset, _PAGE, q)).items:
        for record in page:
            if not marked or record.id in marked:
                yield record
                left -= 1
        if marked and left <= 0:
            return
        offset += len(page)
