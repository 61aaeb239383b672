"""Application: the routes, middleware and error handlers of one library's HTTP service."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from weakref import WeakValueDictionary

from fastapi import FastAPI

from tui import __version__
from tui.errors import StoreError
from tui.server.documentation.openapi import Api
from tui.server.endpoints import contract_routes
from tui.server.errors import add_error_handlers
from tui.server.middleware import Cors, Guard
from tui.server.options import ServerOptions
from tui.server.routes import by_hand, deck_merge, downloads
from tui.server.streams import EventStream, Streams
from tui.service.engine import Engine

_TIDY_SECONDS = 3600.0
_BY_HAND = (by_hand, downloads, deck_merge)
ROUTES = sorted(
    (*(route for module in _BY_HAND for route in module.router.routes), *contract_routes()),
    key=lambda route: ("{" in route.path, route.response_class is not EventStream),
)
"""Routes, made once: included in an application they would be made again for it.

A request is held against one after the other: those of streams, of which there may be hundreds, come early, and those
with ids in their paths, which match other paths too, come last.
"""


def application(engine: Engine, options: ServerOptions) -> FastAPI:
    """Make the application; its shutdown closes the engine."""
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
    app.state.streams = Streams()
    app.state.write_locks = WeakValueDictionary()
    add_error_handlers(app)
    app.add_middleware(Guard, options=options)
    if options.origins:
        app.add_middleware(Cors, origins=options.origins)
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncGenerator[None, None]:
    tidying = asyncio.create_task(_tidy_now_and_then(app.state.engine))
    try:
        yield
    finally:
        tidying.cancel()
        await asyncio.gather(tidying, return_exceptions=True)
        await app.state.engine.close()


async def _tidy_now_and_then(engine: Engine) -> None:
    """Tidy the library every hour: a server runs for months, and nobody opens the library anew."""
    while True:
        await asyncio.sleep(_TIDY_SECONDS)
        with suppress(StoreError):
            await engine.database.clean_up()
