"""``lode audio``: what is spoken in a film, as a recording of its own."""

from __future__ import annotations

from pathlib import Path

import click

from tui.cli.context import Context
from tui.cli.disk import PathOnDisk
from tui.cli.named_records import find_record
from tui.cli.output import console
from tui.cli.record_commands import Number
from tui.cli.root import Command, PlaceOnDisk, json_option
from tui.records.media import SpeechFile
from tui.records.pages import to_json
from tui.service.protocol import Service
from tui.text.display import bar, clock, count_of, size
from tui.text.sanitize import one_line

_BAR_CELLS = 20


@click.command(cls=Command)
@click.argument("given", metavar="TRANSCRIPT")
@click.argument("out", metavar="OUT.mp3", type=PlaceOnDisk(path_type=Path))
@click.option(
    "--media", "film", metavar="FILE", type=PathOnDisk(), help="The film or recording; else the one that is linked."
)
@click.option(
    "--track", type=Number(1), metavar="N", help="Its track of sound; else the one in the transcript's language."
)
@click.option("--force", is_flag=True, help="Replace a file that is there.")
@json_option
@click.pass_obj
def audio(
    context: Context, given: str, out: Path, film: str | None, track: int | None, force: bool, as_json: bool
) -> None:
    """Write what is spoken in a film to an MP3, without the gaps between: to listen to on the way.

    The times are those of the transcript, the sound is that of its film, or of FILE, which Lode reads here and does
    not keep. Films need one more library: pip install 'lode[media]'.
    """

    async def work(service: Service) -> SpeechFile:
        from tui.service.media.playing import film_of
        from tui.service.media.speech_file import write_speech

        transcript = await find_record(service.transcripts, given)
        found = await film_of(service, transcript, film)
        with console.StatusLine() as status:
            return await write_speech(
                service.transcripts,
                transcript.id,
                found.path,
                out,
                track=track or found.track,
                overwrite=force,
                report=lambda share: status.show(f"{bar(share, _BAR_CELLS)} {share:4.0%}"),
            )

    written = context.run(work)
    if as_json:
        console.put_json(to_json(written))
        return
    named = " ".join(filter(None, (written.track.language, one_line(written.track.title))))
    console.put(
        f"{written.path}: {clock(written.duration_ms)} of speech in {count_of(written.pieces, 'piece')}"
        f" ({size(written.size_bytes)}) · track {written.track.number}{f' ({named})' if named else ''}"
    )
