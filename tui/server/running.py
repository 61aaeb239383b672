"""Server: the application of one library, which listens, runs until it is told to stop, and lets requests end."""

from __future__ import annotations

import asyncio
import errno
import socket
from collections.abc import AsyncGenerator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from http.client import HTTPConnection, HTTPException
from types import FrameType
from typing import Any, TypeAlias
from weakref import WeakValueDictionary

import uvicorn
from fastapi import FastAPI

from tui import __version__
from tui.anki.connect import INBOX_HEADER
from tui.errors import InvalidInput, LodeError, StoreError
from tui.server.documentation.openapi import Api
from tui.server.endpoints import contract_routes
from tui.server.errors import add_error_handlers
from tui.server.http_protocol import HttpConnection
from tui.server.middleware import Cors, Guard
from tui.server.options import ServerOptions
from tui.server.routes import by_hand, downloads
from tui.server.streams import EventStream, Streams
from tui.service.engine import Engine
from tui.system.net import is_loopback
from tui.wire import codec

_TIDY_SECONDS = 3600.0
_BACKLOG = 2048
"""Connections that wait to be accepted, as many as uvicorn has."""
_BY_HAND: tuple[Any, ...] = (by_hand.router, downloads.router, downloads.merging)
ROUTES = sorted(
    (*(route for router in _BY_HAND for route in router.routes), *contract_routes()),
    key=lambda route: ("{" in route.path, route.response_class is not EventStream),
)
"""Routes, made once: included in an application they would be made again for it.

A request is held against one after the other: those of streams, of which there may be hundreds, come early, and those
with ids in their paths, which match other paths too, come last.
"""


Beside: TypeAlias = Callable[[], Coroutine[Any, Any, None]]
"""Something that runs beside a server until it is cancelled."""


def application(engine: Engine, options: ServerOptions, beside: Sequence[Beside] = ()) -> FastAPI:
    """Make the application; its shutdown ends what runs ``beside`` it, and closes the engine."""
    app = Api(
        options,
        title="Lode",
        version=__version__,
        lifespan=_lifespan,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        routes=ROUTES,
    )
    app.state.engine = engine
    app.state.options = options
    app.state.beside = (partial(_tidy_now_and_then, engine), *beside)
    app.state.streams = Streams()
    app.state.write_locks = WeakValueDictionary()
    add_error_handlers(app)
    app.add_middleware(Guard, options=options)
    if options.origins:
        app.add_middleware(Cors, origins=options.origins)
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncGenerator[None, None]:
    beside = [asyncio.create_task(each()) for each in app.state.beside]
    try:
        yield
    finally:
        for task in beside:
            task.cancel()
        await asyncio.gather(*beside, return_exceptions=True)
        await app.state.engine.close()


async def _tidy_now_and_then(engine: Engine) -> None:
    """Tidy the library every hour: a server runs for months, and nobody opens the library anew."""
    while True:
        await asyncio.sleep(_TIDY_SECONDS)
        with suppress(StoreError):
            await engine.database.clean_up()


_GRACE = 5
"""Seconds that requests have to end once the server is to stop."""


class Server(uvicorn.Server):
    """Ends the streams first: a server waits for its requests, and a stream has no end of its own."""

    def __init__(self, app: FastAPI) -> None:
        config = uvicorn.Config(
            app,
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
        super().__init__(config)
        self._state = app.state

    def stop(self) -> None:
        """Begin to stop; ``serve`` returns when everything has ended."""
        self._state.streams.stop()
        self.should_exit = True

    async def warm(self) -> None:
        """Make beforehand what the first requests would otherwise wait for."""
        with suppress(LodeError):  # whoever asks a model will hear of it
            await self._state.engine.warm()

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


def server(engine: Engine, options: ServerOptions, beside: Sequence[Beside] = ()) -> Server:
    """Make the server that ``await server.serve([listening socket])`` runs; raises as ``check`` does."""
    check(options)
    return Server(application(engine, options, beside))


def listen(host: str, port: int, remedy: str = "try another --port, as in --port 8770") -> socket.socket:
    """Make a socket at the address. Raises ``InvalidInput`` where it cannot be had, and says who has it.

    ``remedy`` is what to do where the port is taken.
    """
    place = None
    try:
        infos = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _, address = infos[0]
        place = socket.socket(family, kind, protocol)
        place.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        place.bind(address)
        place.listen(_BACKLOG)  # who asks from now on waits; bound alone, another could begin to listen there
    except OSError as error:
        if place is not None:
            place.close()
        is_taken = error.errno in (errno.EADDRINUSE, errno.EACCES)
        hint = remedy if is_taken else "check --host: it must be an address of this machine"
        holder = _find_holder(host, port) if error.errno == errno.EADDRINUSE else ""
        why = f"{host}:{port} cannot be listened at: {error.strerror or error}"
        raise InvalidInput(f"{holder} listens at {host}:{port} already" if holder else why, hint=hint) from error
    return place


def _find_holder(host: str, port: int) -> str:
    """Who answers at an address that is taken, where that is somebody whom users have heard of; "" else."""
    connection = HTTPConnection(host, port, timeout=1.0)
    try:
        connection.request("GET", "/")
        answer = connection.getresponse()
        if INBOX_HEADER in answer.headers:
            return "an inbox of Lode"
        if codec.INTERFACE_HEADER in answer.headers:
            return "another lode serve"
        return "Anki (AnkiConnect)" if answer.read(100).startswith(b"AnkiConnect") else ""
    except (OSError, HTTPException):
        return ""
    finally:
        connection.close()
