"""Files of a remote library: those of this machine are sent there to be imported."""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager, closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, TypeVar, Unpack

from tui.errors import ImportRefused, LodeError
from tui.records.jobs import Job, UploadJob
from tui.records.settings import SavedSettings
from tui.remote.operations import RemotePart
from tui.service.incoming import fetch_addresses, searching
from tui.service.protocol.records import AddProgress, Files, ImportChoice, PartlySent
from tui.system import regular_file
from tui.system.event_loop import in_daemon_thread

if TYPE_CHECKING:
    from tui.importing.archive import MemberReader

E = TypeVar("E", bound=LodeError)
_PATH = "/profiles/files"
_PIECE = 256 * 1024
_THREAD = "file to send"
_DIRECTORIES = 3
"""Directories of a file that are named to the server: a series has its seasons in some, and a season its languages."""
_LONGEST_NAME = 900
"""Characters of a name with its directories, well below the number that a server takes."""


class RemoteFiles(RemotePart, Files):
    async def add(
        self, paths: Sequence[str | Path], *, on_progress: AddProgress | None = None, **choice: Unpack[ImportChoice]
    ) -> tuple[Job, ...]:
        """Send files as the service says; one that cannot be read or is too large is refused here.

        Such a file does not keep back the others: they are sent before the first refusal is raised. When the
        connection breaks, the rest is not tried. Either error says how many are being imported all the same.
        """
        from tui.importing.archive import MemberReader
        from tui.importing.sources import find
        from tui.importing.web import is_address
        from tui.service.media.film_subtitles import without_films

        options = _asked(choice)
        tell = searching(on_progress)
        paths, inside = await without_films(paths, self._settings, tell)
        found = await find([path for path in paths if not is_address(path)], tell)
        downloads = await fetch_addresses(paths, self, choice.get("language"), tell)
        jobs: list[Job] = []
        refused: list[tuple[str, ImportRefused]] = []
        with closing(MemberReader()) as archives:
            sends: list[tuple[str, str, Callable[[], Awaitable[tuple[Job, ...]]]]] = [
                (str(path), path.name, partial(self._send_file, path, archives, options)) for path in found
            ]
            for address, file in downloads:
                asked = _asked({**choice, "encoding": choice.get("encoding") or file.encoding})
                sends.append((address, file.name, partial(self._send_content, file.name, file.content, asked)))
            for track in inside:
                asked = _asked({**choice, "language": choice.get("language") or track.language})
                sends.append((track.name, track.name, partial(self._send_content, track.name, track.content, asked)))
            for number, (source, name, send) in enumerate(sends):
                if on_progress is not None:
                    on_progress(name, number, len(sends))
                try:
                    jobs += [replace(job, source=source) for job in await send()]  # there it has another name
                except ImportRefused as error:
                    refused.append((source, error))
                except LodeError as error:
                    raise _in_part(error, type(error), number - len(refused), len(sends)) from None
        if refused:
            in_part = _in_part(refused[0][1], PartlySent, len(sends) - len(refused), len(sends))
            in_part.jobs, in_part.refused = tuple(jobs), tuple(refused)
            raise in_part
        return tuple(jobs)

    async def _settings(self) -> SavedSettings:
        return await self._client.read(SavedSettings, "/profiles/settings")

    async def add_content(self, name: str, content: bytes, **choice: Unpack[ImportChoice]) -> tuple[Job, ...]:
        jobs = await self._send_content(name, content, _asked(choice))
        return tuple(replace(job, source=name) for job in jobs) if len(jobs) == 1 else jobs

    async def _send_file(self, path: Path, archives: MemberReader, asked: Mapping[str, str]) -> tuple[Job, ...]:
        named = {"name": _sent_name(path), **asked}
        return (await self._client.send(Job, _PATH, named, _Reading(path, archives)),)

    async def _send_content(self, name: str, content: bytes, asked: Mapping[str, str]) -> tuple[Job, ...]:
        async def pieces() -> AsyncGenerator[bytes, None]:
            for start in range(0, len(content), _PIECE):
                yield content[start : start + _PIECE]

        sent = await self._client.send(UploadJob, _PATH, {"name": name, **asked}, pieces)
        return sent.jobs or (sent,)


class _Reading:
    """The bytes of a file, anew for every call; raises ``ImportRefused`` where they cannot be read or are too many."""

    def __init__(self, path: Path, archives: MemberReader) -> None:
        self._path = path
        self._archives = archives

    async def __call__(self) -> AsyncGenerator[bytes, None]:
        from tui.importing.file_name import make_displayable
        from tui.importing.parse import MAX_BYTES, too_large

        sent = 0
        try:
            async with _opened(self._path) as file:
                if file is None:
                    member = partial(self._archives.read, self._path, MAX_BYTES)
                    yield await in_daemon_thread(member, name=_THREAD)
                    return
                if os.fstat(file.fileno()).st_size > MAX_BYTES:
                    raise too_large(make_displayable(self._path.name))
                while piece := await in_daemon_thread(partial(regular_file.piece_of, file, _PIECE), name=_THREAD):
                    sent += len(piece)
                    if sent > MAX_BYTES:  # it grows while it is read
                        raise too_large(make_displayable(self._path.name))
                    yield piece
        except OSError as error:
            raise ImportRefused(
                f"{make_displayable(str(self._path))} cannot be read: {error.strerror or error}",
                hint="check that it is a file you may read",
            ) from error


def _asked(choice: ImportChoice) -> dict[str, str]:
    texts = {"language": choice.get("language"), "encoding": choice.get("encoding")}
    options = {name: value for name, value in texts.items() if value is not None}
    return {**options, "force": "true"} if choice.get("force") else options


def _sent_name(path: Path) -> str:
    """The file's name behind those of the directories it is in, which tell of its series."""
    from tui.importing.file_name import make_displayable

    parts = [make_displayable(part) for part in path.parts[-1 - _DIRECTORIES :] if part != path.anchor]
    name = "/".join(parts)
    return name if len(name) <= _LONGEST_NAME else parts[-1]


@asynccontextmanager
async def _opened(path: Path) -> AsyncGenerator[BinaryIO | None, None]:
    """The file, opened where nothing waits for it: a network that is gone holds whoever touches its files.

    None for one that is in an archive, or gone.
    """

    def opened(stack: ExitStack) -> BinaryIO | None:
        try:
            return stack.enter_context(regular_file.open_file(path))
        except (FileNotFoundError, NotADirectoryError):
            return None

    with ExitStack() as stack:
        yield await in_daemon_thread(lambda: opened(stack), name=_THREAD)


def _in_part(error: LodeError, kind: type[E], sent: int, count: int) -> E:
    """The error, and what was done all the same: whoever reads it finds those imports among the jobs."""
    done = f"; {sent} of {count} files were sent and are being imported" if sent else ""
    return kind(error.message + done, hint=error.hint, code=error.code)
