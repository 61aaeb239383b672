"""``lode inbox``: cards of Yomitan, asbplayer, mpvacious and others become clips, as if they were sent to Anki."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tui import __version__
from tui.cli.arguments import PathOnDisk, WrongUsage, token_of
from tui.cli.commands.serve import check_extra, check_usable, choose_loop, read_origin, tell_log
from tui.cli.context import Context
from tui.cli.output import console
from tui.cli.root import Command
from tui.system import event_loop

if TYPE_CHECKING:
    from tui.server.inbox import InboxOptions, InboxServer
    from tui.service.local import LocalService

_PORT = 8767
_KEY_VARIABLE = "LODE_INBOX_KEY"


@click.command(cls=Command)
@click.option("--host", default="127.0.0.1", metavar="HOST", show_default=True, help="The address to listen at.")
@click.option(
    "--port", default=_PORT, type=click.IntRange(0, 65535), metavar="PORT", show_default=True, help="0 is any free one."
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
    port: int,
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
    if context.url is not None:
        raise WrongUsage(
            "the inbox is where the library is",
            hint="run lode serve --inbox there, and here: ssh -L 8767:127.0.0.1:8767 HOST",
        )
    check_extra()
    if install or remove:
        from tui.cli.user_service import install_service, remove_service

        if remove:
            remove_service()
        else:
            install_service(list(_list_arguments(context, host, port, key_file, origins, forward)))
        return
    options = make_options(host, port, key_file, origins)
    settings = context.settings()
    tell_log()

    async def served() -> None:
        from tui.service.engine import Engine
        from tui.service.local import LocalService

        engine = Engine(settings)
        try:
            await engine.database.run(check_usable)
            await run_inbox(LocalService(settings, engine=engine), options, forward=forward, with_input=with_input)
        finally:
            await engine.close()

    event_loop.run(served(), choose_loop())
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
    *,
    forward: bool = False,
    with_input: bool = False,
    listens_to_signals: bool = True,
) -> None:
    """Run an inbox until a signal comes, or the end of standard input, where it is to end ``with_input``."""
    from tui.server.inbox import InboxServer
    from tui.server.running import listen

    place = listen(options.host, options.port)
    inbox = service.inbox
    inbox.filling.tell = lambda line: console.tell(f"{datetime.now():%H:%M}  {line}")
    if forward:
        inbox.filling.forward = partial(_push, service)
    server = InboxServer(inbox, options, listens_to_signals=listens_to_signals)
    serving = asyncio.create_task(server.serve([place]))
    try:
        _tell_where(service, options, place.getsockname()[1], forward=forward)
        if with_input:
            _stop_with_input(server)
        await serving
    except asyncio.CancelledError:
        server.should_exit = True
        await serving
        raise
    finally:
        place.close()


def _stop_with_input(server: InboxServer) -> None:
    """Stop a server once nothing more can come from standard input: who started it has ended, however that was.

    A thread that is still reading keeps no process from ending.
    """
    loop = asyncio.get_running_loop()

    def wait_for_end() -> None:
        while os.read(0, 4096):
            pass
        with suppress(RuntimeError):  # it has stopped already
            loop.call_soon_threadsafe(setattr, server, "should_exit", True)

    threading.Thread(target=wait_for_end, daemon=True).start()


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
    context: Context, host: str, port: int, key_file: Path | None, origins: tuple[str, ...], forward: bool
) -> Iterator[str]:
    """Iterate over the arguments that start this inbox once more, from anywhere."""
    settings = context.settings()
    if context.home is not None:
        yield from ("--home", str(settings.home.absolute()))
    yield from ("--profile", settings.profile, "inbox", "--host", host, "--port", str(port))
    if key_file is not None:
        yield from ("--key-file", str(key_file.expanduser().absolute()))
    for origin in origins:
        yield from ("--allow-origin", origin)
    if forward:
        yield "--forward"
