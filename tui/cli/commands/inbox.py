"""``lode inbox``: cards of Yomitan, asbplayer, mpvacious and others become clips, as if they were sent to Anki."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import datetime
from functools import partial
from pathlib import Path
from socket import socket
from typing import TYPE_CHECKING

import click

from tui import __version__
from tui.cli.arguments import PathOnDisk, WrongUsage, token_of
from tui.cli.context import Context
from tui.cli.output import console
from tui.cli.root import Command
from tui.cli.serving import check_extra, check_usable, choose_loop, read_origin, tell_log
from tui.config import home_arguments
from tui.system import event_loop

if TYPE_CHECKING:
    from tui.config import Settings
    from tui.server.inbox import InboxOptions
    from tui.service.local import LocalService

_KEY_VARIABLE = "LODE_INBOX_KEY"
_OTHER_PORT = 8770
"""Port to try where the usual one is taken."""


@click.command(cls=Command)
@click.option("--host", default="127.0.0.1", metavar="HOST", show_default=True, help="The address to listen at.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    metavar="PORT",
    help="0 is any free one; else inbox_port of config.toml, which is 8767 as a rule.",
)
@click.option(
    "--key-file",
    type=PathOnDisk(path_type=Path),
    metavar="FILE",
    help=f"A file with the key that clients must send; else {_KEY_VARIABLE}.",
)
@click.option(
    "--allow-origin", "origins", multiple=True, metavar="ORIGIN", help="A web page's origin that may ask; repeatable."
)
@click.option("--forward", is_flag=True, help="Hand what comes on to the Anki that runs here, as lode push does.")
@click.option("--install", is_flag=True, help="Have it started with your session from now on, with these options.")
@click.option("--remove", is_flag=True, help="Have it started no longer.")
@click.option("--with-input", is_flag=True, hidden=True, help="End with standard input: with who started it.")
@click.pass_obj
def inbox(
    context: Context,
    host: str,
    port: int | None,
    key_file: Path | None,
    origins: tuple[str, ...],
    forward: bool,
    install: bool,
    remove: bool,
    with_input: bool,
) -> None:
    """Take cards of Yomitan, asbplayer, mpvacious and others, until ctrl+c.

    It answers as AnkiConnect does: give those programs its address in place of Anki's, and their cards become clips of
    this profile, with what they lack filled in. lode push puts them into Anki; lode help inbox says more.
    """
    settings = context.settings()
    if context.address(settings):
        raise WrongUsage(
            "the inbox is where the library is",
            hint="run lode serve --inbox there, and here: ssh -L 8767:127.0.0.1:8767 HOST",
        )
    check_extra()
    if remove:
        from tui.cli.user_service import remove_service

        remove_service()
        return
    options = make_options(host, settings.inbox_port if port is None else port, key_file, origins)
    if install:
        from tui.cli.user_service import install_service

        if options.key and key_file is None:
            raise WrongUsage(
                f"a service does not have your variable {_KEY_VARIABLE}",
                hint="write the key into a file and name it with --key-file",
            )
        install_service(list(_list_arguments(context, settings, host, port, key_file, origins, forward)))
        return
    tell_log()
    remedy = f"try another --port, as in --port {_OTHER_PORT}"
    if with_input:  # of the app, which has no such option
        remedy = f"end that one, or choose another port: lode config set inbox_port {_OTHER_PORT}"

    async def serve() -> None:
        from tui.server.running import listen
        from tui.service.engine import Engine
        from tui.service.local import LocalService

        engine = Engine(settings)
        try:
            await engine.database.run(check_usable)
            service = LocalService(settings, engine=engine)
            with closing(listen(options.host, options.port, remedy)) as place:
                tell = partial(_tell_where, service, options, place.getsockname()[1], forward=forward)
                await run_inbox(service, options, place, tell=tell, forward=forward, with_input=with_input)
        finally:
            await engine.close()

    event_loop.run(serve(), choose_loop())
    console.tell("stopped")


def make_options(host: str, port: int, key_file: Path | None, origins: tuple[str, ...]) -> InboxOptions:
    """Make the options of an inbox. Raises ``InvalidInput`` for an address that others reach without a key."""
    from tui.server.inbox import InboxOptions

    key = token_of(key_file, os.environ, _KEY_VARIABLE)
    options = InboxOptions(host, port, key, tuple(map(read_origin, origins)))
    options.check()
    return options


async def run_inbox(
    service: LocalService,
    options: InboxOptions,
    place: socket,
    *,
    tell: Callable[[], None] = lambda: None,
    forward: bool = False,
    with_input: bool = False,
    listens_to_signals: bool = True,
) -> None:
    """Run an inbox at a socket until a signal comes, or the end of standard input, where it is to end ``with_input``.

    One that does not listen to signals runs until it is cancelled. ``tell`` says that it has begun.
    """
    from tui.server.inbox import InboxServer

    inbox = service.inbox
    inbox.filling.tell = lambda line: console.tell(f"{datetime.now():%H:%M}  {line}")
    inbox.filling.warn = lambda line: console.tell(f"warning: {line}")
    if forward:
        inbox.filling.forward = partial(_push, service)
    server = InboxServer(inbox, options, listens_to_signals=listens_to_signals)
    serving = asyncio.create_task(server.serve([place]))
    try:
        while not server.started and not serving.done():  # noqa: ASYNC110 - uvicorn has nothing to wait for
            await asyncio.sleep(0.005)
        tell()
        if with_input:
            read = event_loop.in_daemon_thread(partial(_read_to_end, sys.stdin.fileno()), name="standard input")
            await asyncio.wait((serving, read), return_when="FIRST_COMPLETED")
            server.should_exit = True
        await asyncio.shield(serving)
    except asyncio.CancelledError:
        server.should_exit = True
        await serving
        raise


def _read_to_end(source: int) -> None:
    while os.read(source, 4096):
        pass


async def _push(service: LocalService) -> str:
    """Hand all clips on to Anki; gives what to say of it, "" where it had them all."""
    report = await service.deck.push()
    merge = report.merge
    if merge is None or not merge.added + merge.updated:
        return ""
    return f"in Anki: {merge.added} new, {merge.updated} updated"


def _tell_where(service: LocalService, options: InboxOptions, port: int, *, forward: bool) -> None:
    """Say what to write where: each program has its own name for the address of AnkiConnect."""
    url = f"http://{options.host}:{port}"
    console.tell(f"Lode {__version__} takes cards for the profile {service.profile} at {url}")
    console.tell(f"  Yomitan             Settings → Anki → AnkiConnect server address  {url}")
    console.tell(f"  asbplayer           Settings → Anki → Anki Connect URL  {url}")
    console.tell(f"  mpvacious           subs2srs.conf: ankiconnect_url={options.host}:{port}")
    console.tell(f"  GameSentenceMiner   Settings → Anki → AnkiConnect URL  {url}")
    console.tell(f"  vocabsieve, JL      their settings: {url}")
    console.tell("  KOReader            lode inbox --host 0.0.0.0 --key-file FILE, and url, key in anki.koplugin")
    if options.key:
        console.tell("  with a key          only Yomitan, mpvacious and KOReader can send one")
    console.tell("what comes goes on to Anki when it runs" if forward else "lode push puts what came into Anki")
    console.tell("ctrl+c stops it")


def _list_arguments(
    context: Context,
    settings: Settings,
    host: str,
    port: int | None,
    key_file: Path | None,
    origins: tuple[str, ...],
    forward: bool,
) -> Iterator[str]:
    """Iterate over the arguments that start this inbox once more, from anywhere."""
    yield from home_arguments(settings)
    if context.url is not None:
        yield from ("--url", context.url)
    yield from ("--profile", settings.profile, "inbox", "--host", host)
    if port is not None:
        yield from ("--port", str(port))
    if key_file is not None:
        yield from ("--key-file", str(key_file.expanduser().absolute()))
    for origin in origins:
        yield from ("--allow-origin", origin)
    if forward:
        yield "--forward"
