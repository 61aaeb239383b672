"""The real inbox on a loopback port, in the test's own event loop, and a client that asks as AnkiConnect's do."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx

from tests.waiting import HANGS
from tui.records.clips import Clip
from tui.server.inbox import InboxOptions, InboxServer
from tui.server.running import listen
from tui.service.local import LocalService

Json = Any
MP3 = b"ID3\x04" + bytes(60)
PNG = b"\x89PNG\r\n\x1a\n" + bytes(60)
YOMITAN = "chrome-extension://likgccmbimhjbgkjambclfkhldnlhbnn"
PLAIN, FORM = "text/plain;charset=UTF-8", "application/x-www-form-urlencoded"

SLOW = (
    *("<!--", "<a ", "<", "&", "<![CDATA[", "</", "<?", "<b>", "{{c1::", "::", "{{c1::a::", "<img ", "<img src='"),
    *('<img src="', "[sound:", "<style", "&#", "a", "あ", "a[b]", "a[", "… ", "1:00 ", "\\", "<img src=\"<a '"),
)
"""Texts of which many after each other make a pattern or a parser look again and again."""


def base64_of(content: bytes) -> str:
    return base64.b64encode(content).decode()


def make_note(model: str = "Lode", deck: str = "Lode::German", **rest: Json) -> Json:
    """A note; what is no other part of it is a field."""
    parts = ("tags", "options", "audio", "picture", "video")
    fields = {name: text for name, text in rest.items() if name not in parts}
    about = {"deckName": deck, "modelName": model, "fields": fields}
    return {**about, **{name: rest[name] for name in parts if name in rest}}


@dataclass(frozen=True, slots=True)
class InboxClient:
    """A client; of ``service`` is the library into which everything goes."""

    http: httpx.AsyncClient
    service: LocalService

    async def post(
        self, body: Json, *, origin: str | None = None, content_type: str = "application/json", **headers: str
    ) -> httpx.Response:
        """Send a body, of bytes as they are; ``Host="…"`` and others are headers."""
        sent = {"Content-Type": content_type, **{name.replace("_", "-"): text for name, text in headers.items()}}
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        return await self.http.post("/", content=content, headers={**sent, **({"Origin": origin} if origin else {})})

    async def call(
        self,
        action: str,
        version: int | None = 6,
        key: str | None = None,
        origin: str | None = None,
        content_type: str = "application/json",
        **params: Json,
    ) -> Json:
        """Ask for an action, and give the answer in its shape; no version and no key are not sent at all."""
        request = {"action": action, "params": params, "version": version, "key": key}
        sent = {name: value for name, value in request.items() if value is not None}
        answer = await self.post(sent, origin=origin, content_type=content_type)
        assert answer.status_code == 200, answer.text
        assert answer.headers["content-type"] == "application/json"
        return answer.json()

    async def result(self, action: str, **rest: Json) -> Json:
        """The result of an action that must not fail."""
        answer = await self.call(action, **rest)
        assert set(answer) == {"result", "error"}, answer
        assert answer["error"] is None, answer["error"]
        return answer["result"]

    async def clips(self) -> list[Clip]:
        """All clips, the oldest first."""
        clips = (await self.service.clips.page(limit=1000)).items
        return sorted(clips, key=lambda clip: clip.created_at)

    async def clip(self) -> Clip:
        """The only clip there is."""
        (clip,) = await self.clips()
        return clip

    async def clip_that(self, holds: Callable[[Clip], object]) -> Clip:
        """The only clip, once something holds of it: it is filled after its client was answered."""
        async with asyncio.timeout(HANGS):
            while not holds(clip := await self.clip()):
                await asyncio.sleep(0.01)
        return clip


@asynccontextmanager
async def serving_inbox(service: LocalService, options: InboxOptions | None = None) -> AsyncIterator[InboxClient]:
    """Serve the inbox of a library until the block ends."""
    options = options or InboxOptions(port=0)
    place = listen(options.host, 0)
    server = InboxServer(service.inbox, options, listens_to_signals=False)
    task = asyncio.create_task(server.serve([place]))
    while not server.started and not task.done():
        await asyncio.sleep(0.001)
    try:
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{place.getsockname()[1]}", timeout=HANGS) as http:
            yield InboxClient(http, service)
    finally:
        server.should_exit = True
        await task
        place.close()
