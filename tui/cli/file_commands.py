"""Command ``lode files reread``, which reads files anew; list, show and delete are those of every kind of record."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tui.cli.named_records import find_ids
from tui.cli.root import Group, json_option

if TYPE_CHECKING:
    from tui.cli.context import Context
    from tui.service.protocol import Service


def add_reread(files: Group) -> None:
    """Give the group its command ``reread``."""

    @files.command("reread")
    @click.argument("ids", nargs=-1, required=True, metavar="ID…")
    @click.option(
        "--language", metavar="XX", help="The language, as a code: de, or de+en to split the cues; else as named."
    )
    @click.option("--encoding", metavar="NAME", help="The encoding, such as windows-1251; else as it was.")
    @click.option("--force", is_flag=True, help="Use the encoding even where it makes gibberish of a file.")
    @click.option("--as-is", is_flag=True, help="Leave the cues as the file has them: nothing merged or labelled.")
    @json_option
    @click.pass_obj
    def reread(
        context: Context,
        ids: tuple[str, ...],
        language: str | None,
        encoding: str | None,
        force: bool,
        as_is: bool,
        as_json: bool,
    ) -> None:
        """Read files anew from their kept bytes, wherever the files are now.

        A transcript keeps its id and gets other cues, clips keep their text; lode undo takes it back. Stored
        transcripts change in no other way.
        """

        async def work(service: Service) -> bool:
            from tui.cli.output.job_progress import follow

            jobs = await service.files.reread(
                *await find_ids(service.files, ids), language=language, encoding=encoding, force=force, as_is=as_is
            )
            return await follow(service, jobs, as_json=as_json)

        if not context.run(work):
            raise click.exceptions.Exit(1)
