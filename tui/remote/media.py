"""Films and recordings of a remote library: uploaded to it; what is cut out of them is handed over."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import suppress
from functools import partial
from pathlib import Path

from tui.errors import MediaError
from tui.records.media import LinkedMedia
from tui.remote.operations import RemotePart
from tui.service.protocol import Media
from tui.system import regular_file
from tui.system.event_loop import in_daemon_thread
from tui.system.regular_file import named_path
from tui.text.sanitize import one_line

_PATH = "/profiles/media"
_PIECE = 1 << 20


class RemoteMedia(RemotePart, Media):
    """The media resource; films of this machine are sent, which is a copy in any case."""

    async def link(self, record_id: str, film: str | Path, *, track: int = 0, copy: bool = False) -> LinkedMedia:
        path = named_path(film)
        size = 0
        with suppress(OSError):  # whatever is wrong with it is told where it is read
            size = (await in_daemon_thread(path.stat, name="size of a film")).st_size
        params = {"of": record_id, "name": path.name, "track": str(track), "size_bytes": str(size)}

        async def pieces() -> AsyncGenerator[bytes, None]:
            try:
                with regular_file.open_file(path) as file:
                    while piece := await in_daemon_thread(
                        partial(regular_file.piece_of, file, _PIECE), name="film to send"
                    ):
                        yield piece
            except OSError as error:
                raise MediaError(
                    f"{one_line(path.name)} cannot be read: {error.strerror or error}",
                    hint="look at its path and its rights",
                    code="media_unreadable",
                ) from error

        return await self._client.send(LinkedMedia, _PATH, params, pieces)
