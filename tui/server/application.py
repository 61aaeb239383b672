"""The HTTP service of one library, put together."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from weakref import WeakValueDictionary

from fastapi import FastAPI

from tui import __version__
from tui.errors import StoreError
from tui.importing.parse import MAX_BYTES
from tui.server.documentation.openapi import Api
from tui.server.errors import answer_with_errors
from tui.server.middleware import Guard
from tui.server.options import ServerOptions
from tui.server.origins import Origins
from tui.server.routes import (
    clips,
    deck,
    documentation,
    files,
    health,
    history,
    jobs,
    llm,
    maintenance,
    template,
    transcripts,
    words,
)
from tui.server.streams import Streams
from tui.service.engine import Engine

_TIDY_SECONDS = 3600.0
ROUTERS = tuple(
    module.router
    # A request is held against one after the other: that of the streams, of which there may be hundreds, comes early.
    for module in (
        health,
        llm,
        documentation,
        files,
        transcripts,
        clips,
        deck,
        template,
        words,
        history,
        jobs,
        maintenance,
    )
)


def application(engine: Engine, options: ServerOptions) -> FastAPI:
    """The whole service; closing the engine is its last deed."""
    app = Api(
        options,
        title="Lode",
        version=__version__,
        lifespan=_lifespan,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
    )
    app.state.engine = engine
    app.state.options = options
    app.state.streams = Streams()
    app.state.write_locks = WeakValueDictionary()
    answer_with_errors(app)
    for router in ROUTERS:
        app.include_router(router)
    app.add_middleware(Guard, options=options, max_upload=MAX_BYTES)
    if options.origins:
        app.add_middleware(Origins, origins=options.origins)
    return app


def make_routes(app: FastAPI) -> None:
    """FastAPI makes the parts of a route when a request is first held against it, a tenth of a second for all."""
    nowhere = {"type": "http", "method": "GET", "path": "/nowhere", "root_path": "", "headers": []}
    for route in app.router.routes:
        route.matches(nowhere)


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
    """A server runs for months: what is kept for a day or a month goes although nobody opens the library anew."""
    while True:
        await asyncio.sleep(_TIDY_SECONDS)
        with suppress(StoreError):
            await engine.database.tidy()
