"""``lode transcribe``: a recording or a film becomes a transcript."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from tui.cli.arguments import Moment, PathOnDisk, WrongUsage, read_language
from tui.cli.context import Context
from tui.cli.output import console
from tui.cli.output.job_progress import follow_jobs
from tui.cli.root import Command, takes_json
from tui.records.pages import to_json
from tui.text.display import describe_plan

if TYPE_CHECKING:
    from tui.service.protocol import Service
    from tui.service.protocol.arguments import TranscriptionOptions


@click.command(cls=Command)
@click.argument("media", metavar="MEDIA", type=PathOnDisk())
@click.option("--model", default="", metavar="SEL", help="whisper:NAME, whisper:FOLDER or provider:model.")
@click.option("--language", metavar="XX", help="The language that is spoken, as a code: de; else it is found out.")
@click.option("--from", "start_ms", type=Moment(), default=0, metavar="TIME", help="Begin there: 90 or 1:30.")
@click.option("--to", "end_ms", type=Moment(), metavar="TIME", help="End there.")
@click.option("--track", type=click.IntRange(0, 1000), default=0, metavar="N", help="The track of sound, from 1 on.")
@click.option("--dry-run", is_flag=True, help="Only say what it would be, and what it would cost.")
@takes_json
def transcribe(context: Context, /, media: str, language: str | None, dry_run: bool, as_json: bool, **how: Any) -> None:
    """Transcribe MEDIA: a recording, a film, or the id of a file or transcript that has one.

    Without --model the profile's is taken (lode profiles set --transcribe-with), else what there is: a Whisper model on
    this disk, or a provider whose key is set. What is paid for is said before it starts.

    Stopped with ctrl+c or killed, it goes on with lode jobs retry, and asks for nothing twice that it has.
    """
    choice: TranscriptionOptions = {**how, "language": read_language(language) or ""}  # type: ignore[typeddict-item]
    is_file = os.path.exists(os.path.expanduser(media))  # noqa: PTH110, PTH111 - never raises, whatever the name
    if not is_file and ("/" in media or "." in media):
        raise WrongUsage(f"there is no file {media[:100]!r}", hint="name a recording, or an id of lode files list")

    async def work(service: Service) -> bool:
        transcription = service.transcription
        plan = await (transcription.plan_file(media, **choice) if is_file else transcription.plan(media, **choice))
        if dry_run:
            if plan is None:
                console.tell("the server knows what it will be once it has the recording")
            elif as_json:
                console.put_json(to_json(plan))
            else:
                console.put(describe_plan(plan))
            return True
        if plan is not None:
            console.tell(describe_plan(plan))
        job = await (transcription.start_file(media, **choice) if is_file else transcription.start(media, **choice))
        return await follow_jobs(service, [job], as_json=as_json)

    context.finish(work)
