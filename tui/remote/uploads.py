"""Files, dictionaries and films of a remote library: those of this machine are sent there."""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import ExitStack, asynccontextmanager, closing, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, Unpack

from tui import bounds
from tui.errors import ImportRefused, InvalidInput, LodeError, MediaError, unreadable
from tui.records.dictionaries import OfferedDictionary
from tui.records.jobs import Job
from tui.records.settings import SavedSettings
from tui.remote.encoding import Upload
from tui.remote.operations import RemotePart
from tui.service.protocol import Media, Transcription
from tui.service.protocol.records import AddProgress, Files, ImportChoice, PartlySent
from tui.service.protocol.words import Dictionaries
from tui.system import regular_file
from tui.system.event_loop import in_daemon_thread
from tui.system.regular_file import named_path
from tui.text.sanitize import one_line

if TYPE_CHECKING:
    from tui.importing.archive import MemberReader
    from tui.records.media import LinkedMedia
    from tui.service.protocol.arguments import TranscriptionOptions

E = TypeVar("E", bound=LodeError)
_PIECE = 256 * 1024
_THREAD = "file to send"
_DIRECTORIES = 3
"""Directories of a file that are named to the server: a series has its seasons in some, and a season its languages."""
_LONGEST_NAME = 900
"""Characters of a name with its directories, well below the number that a server takes."""


class RemoteFiles(RemotePart, Files):
    """The files of a remote library; those of this machine are sent there to be imported."""

    async def add(
        self, paths: Sequence[str | Path], *, on_progress: AddProgress | None = None, **choice: Unpack[ImportChoice]
    ) -> tuple[Job, ...]:
        """Send files as the service says; one that cannot be read or is too large is refused here.

        Such a file does not keep back the others: they are sent before the first refusal is raised. When the
        connection breaks, the rest is not tried. Either error says how many are being imported all the same.
        """
        from tui.importing.archive import MemberReader
        from tui.service.media.film_subtitles import find_all

        language, encoding = choice.get("language"), choice.get("encoding")
        settings = partial(self._client.read, SavedSettings, "/profiles/settings")
        found, downloads, inside = await find_all(paths, self, settings, on_progress, language)
        jobs: list[Job] = []
        refused: list[tuple[str, ImportRefused]] = []
        with closing(MemberReader()) as archives:
            sends: list[tuple[str, str, Upload, ImportChoice]] = [
                (str(path), _sent_name(path), _file(path, archives), {}) for path in found
            ]
            for address, file in downloads:
                sends.append(
                    (address, file.name, content_upload(file.content), {"encoding": encoding or file.encoding})
                )
            for track in inside:
                of_track = content_upload(track.content)
                sends.append((track.name, track.name, of_track, {"language": language or track.language}))
            for number, (source, name, content, own) in enumerate(sends):
                if on_progress is not None:
                    on_progress(name.rpartition("/")[2], number, len(sends))
                options: ImportChoice = {**choice, **own}
                try:
                    sent = await self.add_upload(name, content, **options)
                    jobs += [replace(job, source=source) for job in sent.jobs or (sent,)]  # there it has another name
                except ImportRefused as error:
                    refused.append((source, error))
                except LodeError as error:
                    raise _in_part(error, type(error), number - len(refused), len(sends)) from None
        if refused:
            in_part = _in_part(refused[0][1], PartlySent, len(sends) - len(refused), len(sends))
            in_part.jobs, in_part.refused = tuple(jobs), tuple(refused)
            raise in_part
        return tuple(jobs)

    async def add_content(self, name: str, content: bytes, **choice: Unpack[ImportChoice]) -> tuple[Job, ...]:
        sent = await self.add_upload(name, content_upload(content), **choice)
        return sent.jobs if len(sent.jobs) > 1 else (replace((sent.jobs or (sent,))[0], source=name),)


def _in_part(error: LodeError, kind: type[E], sent: int, count: int) -> E:
    """The error, and what was done all the same: whoever reads it finds those imports among the jobs."""
    done = f"; {sent} of {count} files were sent and are being imported" if sent else ""
    return kind(error.message + done, hint=error.hint, code=error.code)


def _sent_name(path: Path) -> str:
    """The file's name behind those of the directories it is in, which tell of its series."""
    from tui.importing.file_name import make_displayable

    parts = [make_displayable(part) for part in path.parts[-1 - _DIRECTORIES :] if part != path.anchor]
    name = "/".join(parts)
    return name if len(name) <= _LONGEST_NAME else parts[-1]


def content_upload(content: bytes) -> Upload:
    """Bytes that are in memory, to be sent in pieces."""

    async def pieces() -> AsyncGenerator[bytes, None]:
        for start in range(0, len(content), _PIECE):
            yield content[start : start + _PIECE]

    return Upload(pieces)


def _file(path: Path, archives: MemberReader) -> Upload:
    """A file or a member of an archive; raises ``ImportRefused`` where it cannot be read or has too many bytes."""

    async def pieces() -> AsyncGenerator[bytes, None]:
        from tui.importing.file_name import make_displayable
        from tui.importing.parse import MAX_BYTES

        try:
            try:
                async for piece in _pieces_of(path, most=MAX_BYTES):
                    yield piece
            except (FileNotFoundError, NotADirectoryError):  # it is in an archive, or gone
                yield await in_daemon_thread(partial(archives.read, path, MAX_BYTES), name=_THREAD)
        except OSError as error:
            raise unreadable(make_displayable(str(path)), error) from error

    return Upload(pieces)


async def _pieces_of(
    path: Path, refuse: Callable[[OSError], LodeError] | None = None, most: int = bounds.ANY
) -> AsyncGenerator[bytes, None]:
    """The bytes of a file, read where nothing waits for them: a network that is gone holds whoever reads its files.

    Raises what ``refuse`` makes of an error, else ``OSError``, and ``ImportRefused`` for more than ``most`` bytes.
    """
    from tui.importing.file_name import make_displayable
    from tui.importing.parse import too_large

    sent = 0
    with ExitStack() as stack:
        try:
            file = await in_daemon_thread(lambda: stack.enter_context(regular_file.open_file(path)), name=_THREAD)
            if os.fstat(file.fileno()).st_size > most:
                raise too_large(make_displayable(path.name))
            while piece := await in_daemon_thread(partial(regular_file.piece_of, file, _PIECE), name=_THREAD):
                sent += len(piece)
                if sent > most:  # it grows while it is read
                    raise too_large(make_displayable(path.name))
                yield piece
        except OSError as error:
            if refuse is None:
                raise
            raise refuse(error) from error


class RemoteDictionaries(RemotePart, Dictionaries):
    """The dictionaries of a remote library; those of this machine are sent there to be added."""

    async def add(self, paths: Sequence[str | Path]) -> tuple[Job, ...]:
        """Send each file, dictd's two in one; nothing is sent where one of them cannot be read or is too large."""
        from tui.dictionaries.dictionary_file import show_name
        from tui.importing.file_name import make_displayable

        jobs = []
        for parts in await in_daemon_thread(lambda: _sendable(paths), name=_THREAD):
            async with _file_of(parts) as path:
                content = Upload(partial(_pieces_of, path, partial(unreadable, show_name(path.name))))
                job = await self.add_upload(make_displayable(path.name), content)
            jobs.append(replace(job, source=str(parts[0])))  # there it has another name
        return tuple(jobs)

    async def find_offered(self) -> tuple[OfferedDictionary, ...]:
        from tui.dictionaries.file_search import find_offered_dictionaries

        known, settings = await self.all(), await self._client.read(SavedSettings, "/profiles/settings")
        return await in_daemon_thread(lambda: find_offered_dictionaries(known, settings, os.environ), name=_THREAD)


@asynccontextmanager
async def _file_of(parts: Sequence[Path]) -> AsyncIterator[Path]:
    """The file of a dictionary; of dictd's two a ZIP file, which goes with the block."""
    if len(parts) == 1:
        yield parts[0]
        return
    from tui.dictionaries.dictd import zip_pair
    from tui.dictionaries.dictionary_file import show_name
    from tui.system.temporary import TemporaryDirectory, make_in_thread

    place = await make_in_thread(lambda: TemporaryDirectory(Path(tempfile.gettempdir())))
    try:
        target = place.path / f"{parts[0].stem}.zip"
        await asyncio.to_thread(zip_pair, parts, target)
        yield target
    except OSError as error:
        raise unreadable(show_name(parts[0].name), error) from error
    finally:
        await asyncio.to_thread(place.remove)


def _sendable(paths: Sequence[str | Path]) -> list[tuple[Path, ...]]:
    """The files of each dictionary; raises ``ImportRefused`` for one that cannot be read or is too large. Blocks."""
    from tui.dictionaries.dictionary_file import MAX_SENT_SIZE, show_name
    from tui.dictionaries.file_search import find_named_dictionaries, list_parts

    found = [list_parts(path) for path in find_named_dictionaries(paths)]
    for parts in found:
        size = 0
        for part in parts:
            try:
                with regular_file.open_file(part) as file:
                    size += os.fstat(file.fileno()).st_size
            except OSError as error:
                raise unreadable(show_name(part.name), error) from error
        if size > MAX_SENT_SIZE:
            raise ImportRefused(
                f"{show_name(parts[0].name)} has more than {MAX_SENT_SIZE / 1e6:g} MB, the most that can be sent",
                hint="add it on the machine of the server: lode dictionaries add FILE",
            )
    return found


class RemoteMedia(RemotePart, Media):
    """The media resource; films of this machine are sent, which is a copy in any case."""

    async def link(self, record_id: str, film: str | Path, *, track: int = 0, copy: bool = False) -> LinkedMedia:
        from tui.records.media import LinkedMedia

        path = named_path(film)
        params = {"of": record_id, "track": str(track), **await _name_film(path)}
        return await self._client.send(LinkedMedia, "/profiles/media", params, _film_upload(path))


class RemoteTranscription(RemotePart, Transcription):
    """The transcription resource; recordings of this machine are sent to where they are transcribed."""

    async def plan_file(self, path: str | Path, **choice: Unpack[TranscriptionOptions]) -> None:
        """Give nothing: what there is at the server, and what it costs, is known once it has the recording."""

    async def fetch_model(self, name: str) -> str:
        """Refuse: it is the server that needs the model."""
        raise InvalidInput("models are fetched where the library is", hint=f"there: lode models whisper --fetch {name}")

    async def start_file(self, path: str | Path, **choice: Unpack[TranscriptionOptions]) -> Job:
        place = named_path(path)
        params = {name: str(value) for name, value in choice.items() if value not in ("", None)}
        params |= await _name_film(place)
        return await self._client.send(Job, "/profiles/transcription/recording", params, _film_upload(place))


async def _name_film(path: Path) -> dict[str, str]:
    """The name and the size of a film that is to be sent, as parameters."""
    size = 0
    with suppress(OSError):  # whatever is wrong with it is told where it is read
        size = (await in_daemon_thread(path.stat, name=_THREAD)).st_size
    return {"name": path.name, "size_bytes": str(size)}


def _film_upload(path: Path) -> Upload:
    def unreadable(error: OSError) -> MediaError:
        cause = f"{one_line(path.name)} cannot be read: {error.strerror or error}"
        return MediaError(cause, hint="look at its path and its rights", code="media_unreadable")

    return Upload(partial(_pieces_of, path, unreadable))
