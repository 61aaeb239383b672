"""``lode serve``: this machine's library over HTTP, for ``lode --url`` and whatever else speaks HTTP."""

from __future__ import annotations

import asyncio
import os
import socket
from contextlib import ExitStack, closing, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tui import __version__
from tui.cli.arguments import PathOnDisk, WrongUsage
from tui.cli.context import Context
from tui.cli.output import console
from tui.cli.root import Command
from tui.cli.serving import check_extra, check_usable, choose_loop, read_origin, tell_log
from tui.errors import LodeError
from tui.system.net import is_loopback

if TYPE_CHECKING:
    from tui.config import Settings
    from tui.server.inbox import InboxOptions
    from tui.server.options import ServerOptions
    from tui.service.engine import Engine

PORT = 8765
_CONNECTIONS = 1000
"""Streams that may be asked for at once of one provider; its own limits come first."""
_MAX_FILES = 16_384


@click.command(cls=Command)
@click.option("--host", default="127.0.0.1", metavar="HOST", show_default=True, help="The address to listen at.")
@click.option(
    "--port", default=PORT, type=click.IntRange(0, 65535), metavar="PORT", show_default=True, help="0 is any free one."
)
@click.option(
    "--token-file",
    type=PathOnDisk(path_type=Path),
    metavar="FILE",
    help="A file with the token that requests must have; else LODE_TOKEN.",
)
@click.option(
    "--allow-origin", "origins", multiple=True, metavar="ORIGIN", help="A web page's origin that may ask; repeatable."
)
@click.option(
    "--max-film", default=4000, type=click.IntRange(0, 50_000), metavar="MB", show_default=True, help="Of an upload."
)
@click.option("--inbox", is_flag=True, help="Take cards of Yomitan and others too, for the profile of the settings.")
@click.option(
    "--inbox-port",
    type=click.IntRange(0, 65535),
    metavar="PORT",
    help="Where, on 127.0.0.1; else inbox_port of config.toml, which is 8767 as a rule.",
)
@click.pass_obj
def serve(
    context: Context,
    host: str,
    port: int,
    token_file: Path | None,
    origins: tuple[str, ...],
    max_film: int,
    inbox: bool,
    inbox_port: int | None,
) -> None:
    """Offer this library, all profiles, over HTTP until ctrl+c.

    lode --url http://127.0.0.1:8765 works on it, app and commands alike; /docs says how other programs do. At any
    other address than this machine's own a token is required.
    """
    if context.url is not None:
        raise WrongUsage("a server serves this machine's own library", hint="leave --url out")
    if context.profile is not None:
        raise WrongUsage("a server serves every profile", hint="name the profile where it is used: lode --url …")
    check_extra()
    from tui.cli.arguments import token_of
    from tui.server.options import ServerOptions
    from tui.server.running import check
    from tui.service.engine import Engine
    from tui.system import event_loop

    options = ServerOptions(
        host=host,
        port=port,
        token=token_of(token_file, os.environ),
        origins=tuple(map(read_origin, origins)),
        max_film=max_film * 1_000_000,
    )
    check(options)
    settings = context.settings()
    taking = None
    if inbox:
        from tui.cli.commands.inbox import make_options

        taking = make_options("127.0.0.1", settings.inbox_port if inbox_port is None else inbox_port, None, origins)
    tell_log()
    _raise_file_limit()

    async def served() -> None:
        engine = Engine(settings, connections=_CONNECTIONS)
        try:
            await engine.database.run(check_usable)
            await _serve(engine, options, taking)
        finally:
            await engine.close()

    event_loop.run(served(), choose_loop())
    console.tell("stopped")


def _raise_file_limit() -> None:
    """Allow as many open files as the system does: a breakdown has three connections, and 1024 is usual."""
    try:
        import resource
    except ImportError:  # Windows, which has no such limit
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = _MAX_FILES if hard == resource.RLIM_INFINITY else min(hard, _MAX_FILES)
    with suppress(ValueError, OSError):  # then it stays as it is
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, most), hard))


async def _serve(engine: Engine, options: ServerOptions, taking: InboxOptions | None) -> None:
    """Serve until a signal comes; requests that are under way have a few seconds to end.

    ``taking`` are the options of an inbox beside the server, for the profile of the settings.
    """
    from tui.server.running import listen, server

    with ExitStack() as places:
        sock = places.enter_context(closing(listen(options.host, options.port)))
        port = sock.getsockname()[1]
        beside, cards_at = [], ""
        if taking is not None:
            from tui.cli.commands.inbox import run_inbox
            from tui.service.local import LocalService

            remedy = "try another --inbox-port, as in --inbox-port 8770"
            place = places.enter_context(closing(listen(taking.host, taking.port, remedy)))
            cards_at = f"http://{taking.host}:{place.getsockname()[1]}"
            service = LocalService(engine.settings, engine=engine)
            beside.append(partial(run_inbox, service, taking, place, listens_to_signals=False))
        running = server(engine, replace(options, port=port), beside)
        serving = asyncio.create_task(running.serve([sock]))
        warming: asyncio.Task[None] | None = None
        try:
            while not running.started and not serving.done():  # noqa: ASYNC110 - uvicorn has nothing to wait for
                await asyncio.sleep(0.005)
            if running.started:
                _tell_where(options, port, engine.settings, cards_at)
                warming = asyncio.create_task(running.warm())
            await serving
        finally:
            if warming is not None:
                warming.cancel()
                await asyncio.gather(warming, return_exceptions=True)
    if not running.started:
        raise LodeError("the server could not start", hint="what is said above is the cause")


def _tell_where(options: ServerOptions, port: int, settings: Settings, cards_at: str) -> None:
    url = f"http://{_reachable(options.host)}:{port}"
    console.tell(f"Lode {__version__} offers the library in {settings.home} at {url}")
    token = "LODE_TOKEN=… " if options.token else ""
    console.tell(f"  app and commands  {token}lode --url {url}")
    console.tell(f"  over HTTP         {url}/docs")
    if cards_at:
        console.tell(f"  cards             {cards_at} takes them for the profile {settings.profile}: lode help inbox")
    if not is_loopback(options.host):
        console.tell("  not encrypted     in a network that is not your own, put a proxy with HTTPS before it")
    console.tell("ctrl+c stops it")


def _reachable(host: str) -> str:
    """The host as it stands in an address; this machine's name for one that means all of its addresses."""
    if host in ("", "0.0.0.0", "::"):
        return socket.gethostname()
    return f"[{host}]" if ":" in host else host
