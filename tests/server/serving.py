"""The real server on a loopback port, in the test's own event loop."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

from tui.config import Settings
from tui.server.options import ServerOptions
from tui.server.running import Server, listen, server
from tui.service.engine import Engine


@dataclass(frozen=True, slots=True)
class Served:
    """``url`` is where it answers; ``stop`` it by leaving the block that served it."""

    url: str
    engine: Engine
    server: Server
    options: ServerOptions


@asynccontextmanager
async def serving(
    settings: Settings,
    options: ServerOptions | None = None,
    *,
    environ: Mapping[str, str] | None = None,
    send_buffer: int = 0,
) -> AsyncIterator[Served]:
    """Serves the library until the block ends; a port of 0 is any that is free.

    ``send_buffer`` bounds what the system holds of each answer, in bytes (0: as it sees fit).
    """
    options = options or ServerOptions(port=0)
    place = listen(options.host, options.port)
    if send_buffer:
        place.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, send_buffer)
    options = replace(options, port=place.getsockname()[1])
    engine = Engine(settings, environ={} if environ is None else environ)
    running = server(engine, options)
    task = asyncio.create_task(running.serve([place]))
    while not running.started and not task.done():
        await asyncio.sleep(0.001)
    try:
        yield Served(f"http://127.0.0.1:{options.port}", engine, running, options)
    finally:
        running.stop()
        await task
