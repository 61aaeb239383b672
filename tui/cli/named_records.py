"""Records that are named on the command line: by an id or a beginning of one, by a title or by a path."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import TypeVar

from tui.errors import InvalidInput, LodeError, NotFound
from tui.records.files import ProfileFile
from tui.records.transcripts import Transcript
from tui.service.protocol import Service
from tui.service.protocol.records import NamedRecords
from tui.system.event_loop import in_daemon_thread
from tui.system.regular_file import named_path
from tui.text.sanitize import one_line

N = TypeVar("N", ProfileFile, Transcript)
_CANDIDATES = 5


async def find_record(records: NamedRecords[N], given: str) -> N:
    """Find the one that ``given`` means: an id or an unambiguous beginning of one comes first, then names.

    A file that lies here under that name is meant by its path. Raises ``NotFound`` and, for what means several,
    ``InvalidInput`` that lists them.
    """
    try:
        return await records.get(given)
    except NotFound as error:
        no_id: LodeError = NotFound(error.message, hint="the list has the ids and the names", code=error.code)
    except InvalidInput as error:
        if error.code != "ambiguous_id":
            raise
        no_id = error
    for name in await _names(given):
        found = await records.named(name)
        if len(found) == 1:
            return found[0]
        if found:
            raise _ambiguous(given, found)
    raise no_id


async def find_ids(records: NamedRecords[N], given: Sequence[str]) -> tuple[str, ...]:
    """The ids of all that are meant; raises as ``find_record`` does."""
    return tuple([(await find_record(records, each)).id for each in given])


async def find_timed_id(service: Service, given: str) -> str:
    """The id of the transcript that is meant or, where several or none are, of the file."""
    with suppress(NotFound):
        return (await service.transcripts.get(given)).id
    with suppress(NotFound):
        return (await service.files.get(given)).id
    several: InvalidInput | None = None
    try:
        return (await find_record(service.transcripts, given)).id
    except NotFound:
        pass
    except InvalidInput as error:
        several = error
    try:
        return (await find_record(service.files, given)).id
    except NotFound as error:
        raise several or error from None


async def _names(given: str) -> Iterable[str]:
    """The name, and before it the whole path where a file lies here under it."""
    path = named_path(given)
    is_here = await in_daemon_thread(lambda: os.path.isfile(path), name="look at a disk")  # noqa: PTH113 - Path.is_file raises for what is no path
    return dict.fromkeys((str(path.absolute()), given)) if is_here else (given,)


def _ambiguous(given: str, found: Sequence[ProfileFile | Transcript]) -> InvalidInput:
    kind = "file" if isinstance(found[0], ProfileFile) else "transcript"
    listed = [f"{each.id} {one_line(_described(each))}" for each in found[:_CANDIDATES]]
    return InvalidInput(
        f"{given[:40]!r} stands for more than one {kind}",
        hint=f"give the id: {', '.join(listed)}{', …' if len(found) > _CANDIDATES else ''}",
        code="ambiguous_name",
    )


def _described(record: ProfileFile | Transcript) -> str:
    name = record.name if isinstance(record, ProfileFile) else record.title
    return f'"{name}"' + (f" ({record.language})" if record.language else "")
