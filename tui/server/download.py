"""A file made for one request: sent, and then forgotten together with the directory that it is in."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

_PIECE = 256 * 1024


class Download(Response):
    """``file`` lies in a directory of its own, which goes in any case: also when the reader leaves.

    There is no answering with a part of it (``Range``): the next request would find another file.
    """

    media_type = "application/octet-stream"

    def __init__(self, file: Path, disposition: str) -> None:
        headers = {
            "Content-Disposition": disposition,
            "Content-Length": str(file.stat().st_size),
            "Cache-Control": "no-store",
        }
        super().__init__(None, 200, headers)
        self._file = file

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        leaving = asyncio.create_task(gone(receive))
        try:
            await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
            with await asyncio.to_thread(self._file.open, "rb") as file:
                while not leaving.done() and (piece := await asyncio.to_thread(file.read, _PIECE)):
                    await send({"type": "http.response.body", "body": piece, "more_body": True})
            if not leaving.done():
                await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            leaving.cancel()
            await asyncio.shield(asyncio.to_thread(shutil.rmtree, self._file.parent, ignore_errors=True))


async def gone(receive: Receive) -> None:
    """Returns when the reader of an answer has gone."""
    while (await receive())["type"] != "http.disconnect":
        pass
