"""Films and recordings of a remote library: uploaded to it; what is cut out of them is handed over."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path

from tui.errors import MediaError
from tui.records.exports import ALL_CLIPS, ClipSelection
from tui.records.jobs import Job
from tui.records.media import LinkedMedia, MediaLink, Span
from tui.remote.client import Client
from tui.remote.deck_merge import selected
from tui.system import regular_file
from tui.system.event_loop import in_daemon_thread
from tui.system.regular_file import named_path
from tui.text.sanitize import one_line

_PATH = "/profiles/media"
_PIECE = 1 << 20


class RemoteMedia:
    """The media resource; films of this machine are sent, which is a copy in any case."""

    def __init__(self, client: Client) -> None:
        self._client = client

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

    async def unlink(self, record_id: str) -> tuple[MediaLink, ...]:
        return await self._client.write(tuple[MediaLink, ...], "DELETE", f"{_PATH}?of={self._named(record_id)}")

    async def of(self, transcript_id: str) -> MediaLink | None:
        return await self._client.get(MediaLink | None, _PATH, {"of": transcript_id})  # type: ignore[arg-type]  # a union is no class

    async def waveform(self, transcript_id: str, span: Span) -> bytes:
        return await self._bytes(f"{_PATH}/waveform", _asked(transcript_id, span))

    async def sound(self, transcript_id: str, span: Span) -> bytes:
        return await self._bytes(f"{_PATH}/sound", _asked(transcript_id, span))

    async def audio(self, clip_id: str) -> bytes:
        return await self._bytes(f"/profiles/clips/{self._client.segment('clips', clip_id)}/audio")

    async def picture(self, clip_id: str) -> bytes:
        return await self._bytes(f"/profiles/clips/{self._client.segment('clips', clip_id)}/picture")

    async def speak(self, selection: ClipSelection = ALL_CLIPS, *, again: bool = False) -> Job | None:
        path = "/profiles/clips/speak" + ("?again=true" if again else "")
        return await self._client.write(Job | None, "POST", path, self._chosen(selection))  # type: ignore[arg-type]  # a union is no class

    async def unspeak(self, selection: ClipSelection = ALL_CLIPS) -> int:
        return await self._client.write(int, "POST", "/profiles/clips/unspeak", self._chosen(selection))

    def _chosen(self, selection: ClipSelection) -> Mapping[str, object]:
        return {**self._client.ids(selection.ids), **selected(selection)}

    def _named(self, record_id: str) -> str:
        return self._client.segment("transcripts", record_id)

    async def _bytes(self, path: str, params: dict[str, str] | None = None) -> bytes:
        async def read() -> bytes:
            async with self._client.download(path, params) as pieces:
                return b"".join([piece async for piece in pieces])

        return await self._client.retried(read)


def _asked(transcript_id: str, span: Span) -> dict[str, str]:
    return {"of": transcript_id, "start_ms": str(span.start_ms), "end_ms": str(span.end_ms)}
