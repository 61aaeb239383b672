"""Server: checks its options, listens, runs until it is told to stop, and lets requests end."""

from __future__ import annotations

import asyncio
import errno
import socket
from contextlib import suppress
from types import FrameType

import uvicorn
from fastapi import FastAPI

from tui.errors import InvalidInput, LodeError
from tui.server.application import application
from tui.server.http_protocol import HttpConnection
from tui.server.options import ServerOptions
from tui.service.engine import Engine
from tui.system.net import is_loopback

_GRACE = 5
"""Seconds that requests have to end once the server is to stop."""


class Server(uvicorn.Server):
    """Ends the streams first: a server waits for its requests, and a stream has no end of its own."""

    def stop(self) -> None:
        """Begin to stop; ``serve`` returns when everything has ended."""
        app = self.config.app
        assert isinstance(app, FastAPI)
        app.state.streams.stop()
        self.should_exit = True

    async def warm(self) -> None:
        """Make beforehand what the first requests would otherwise wait for."""
        app = self.config.app
        assert isinstance(app, FastAPI)
        with suppress(LodeError):  # whoever asks a model will hear of it
            await app.state.engine.warm()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """A second Ctrl+C does not wait for the requests."""
        self.force_exit = self.should_exit
        self._loop.call_soon_threadsafe(self.stop)  # a signal comes at any moment, in the middle of anything

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        self._loop = asyncio.get_running_loop()
        await super().serve(sockets)


def check(options: ServerOptions) -> None:
    """Raises ``InvalidInput`` for an address that others can reach without a token."""
    if not is_loopback(options.host) and not options.token:
        raise InvalidInput(
            f"others can reach {options.host}, and there is no token",
            hint="write a long random text into a file and name it with --token-file, or set LODE_TOKEN",
            code="token_missing",
        )


def server(engine: Engine, options: ServerOptions) -> Server:
    """Make the server that ``await server.serve([listening socket])`` runs; raises as ``check`` does."""
    check(options)
    config = uvicorn.Config(
        application(engine, options),
        http=HttpConnection,
        log_config=None,
        log_level="error",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=_GRACE,
        timeout_keep_alive=75,
        lifespan="on",
        ws="none",
    )
    return Server(config)


def listening(options: ServerOptions) -> socket.socket:
    """A socket at the address; raises ``InvalidInput`` where it cannot be had."""
    place = None
    try:
        infos = socket.getaddrinfo(options.host, options.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _, address = infos[0]
        place = socket.socket(family, kind, protocol)
        place.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        place.bind(address)
    except OSError as error:
        if place is not None:
            place.close()
        is_taken = error.errno in (errno.EADDRINUSE, errno.EACCES)
        hint = "try another --port" if is_taken else "check --host: it must be an address of this machine"
        raise InvalidInput(
            f"{options.host}:{options.port} cannot be listened at: {error.strerror or error}", hint=hint
        ) from error
    return place
