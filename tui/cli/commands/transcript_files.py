"""Commands for transcripts beyond list, show and delete: writing them to files, editing them, translation tracks."""

from __future__ import annotations

from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tui.cli.arguments import PlaceOnDisk, WrongUsage
from tui.cli.commands.records import find_ids, find_record
from tui.cli.output import console
from tui.cli.root import Command, takes_json
from tui.errors import LodeError, no_kept_bytes
from tui.system.disk import look_at_disk
from tui.text.display import count_of, size
from tui.text.sanitize import one_line

if TYPE_CHECKING:
    from tui.cli.context import Context
    from tui.service.protocol import Service

_STDOUT = "-"


@click.command("export", cls=Command)
@click.argument("ids", nargs=-1, required=True, metavar="ID…")
@click.argument("out", metavar="OUT", type=PlaceOnDisk())
@click.option("--format", "name", metavar="NAME", help="srt, vtt, txt or json; else what OUT ends in.")
@click.option("--force", is_flag=True, help="Replace a file that is there.")
@takes_json
def export(context: Context, ids: tuple[str, ...], out: str, name: str | None, force: bool, as_json: bool) -> None:
    """Write transcripts as .srt, .vtt, .txt or .json.

    OUT is a file whose ending says the format; a directory, for any number of transcripts, which get names such as
    "Der letzte Zug.de.srt"; or - for standard output, with --format. A text without times has no .srt or .vtt.
    """
    if out == _STDOUT:
        if len(ids) > 1 or name is None:
            raise WrongUsage("standard output takes one transcript in one format", hint="--format srt, say")
        context.run(lambda service: _put(service, ids[0], name))
        return
    is_directory = out.endswith("/") or look_at_disk(Path(out).is_dir)
    if len(ids) > 1 and not is_directory:
        raise WrongUsage("several transcripts are several files", hint=f"name a directory: {out}/")
    if is_directory:
        context.finish(lambda service: _write_into(service, ids, Path(out), name, force=force, as_json=as_json))
    else:
        context.finish(lambda service: _write(service, ids[0], Path(out), name, force=force, as_json=as_json))


@click.command("edit", cls=Command)
@click.argument("given", metavar="ID")
@click.option("--title", metavar="TEXT", help="Another title.")
@click.option("--language", metavar="XX", help='Another language, as a code such as de; "" for an unknown one.')
@click.option("--encoding", metavar="NAME", help="Read its file anew in this encoding.")
@click.option("--force", is_flag=True, help="Use the encoding even where it makes gibberish of the file.")
@takes_json
def edit(
    context: Context, /, given: str, encoding: str | None, force: bool, as_json: bool, **named: str | None
) -> None:
    """Give a transcript another title, language or encoding.

    Its cues stay, unless the encoding makes others of them, and so do its clips; lode undo takes it back.
    """
    if all(value is None for value in (encoding, *named.values())):
        raise WrongUsage("there is nothing to change", hint="give --title, --language or --encoding")

    async def work(service: Service) -> bool:
        from tui.cli.output.job_progress import follow_jobs

        transcript = await find_record(service.transcripts, given)
        with console.StatusLine() as status:
            if named["language"] is not None:
                status.show(f"counting the words of {count_of(transcript.cue_count, 'cue')} …", now=True)
            transcript = await service.transcripts.edit(transcript.id, **named)
        if encoding is not None:
            if transcript.file_id is None:
                raise no_kept_bytes(transcript.title)
            jobs = await service.files.reread(transcript.file_id, encoding=encoding, force=force)
            return await follow_jobs(service, jobs, as_json=as_json)
        facts = (transcript.title, transcript.language or "unknown language")
        console.put_answer(transcript, " · ".join(map(one_line, facts)), as_json=as_json)
        return True

    context.finish(work)


@click.command("pair", cls=Command)
@click.argument("given", metavar="ID")
@click.argument("given_track", metavar="TRANSLATION_ID")
@click.option("--offset", "offset_ms", type=int, metavar="MS", help="Milliseconds that the translation is early by.")
@takes_json
def pair(context: Context, given: str, given_track: str, offset_ms: int | None, as_json: bool) -> None:
    """Use another subtitle of the same film as the translation of a transcript.

    The offset between their times is found unless it is given. T in the reader shows the translation, and new clips
    get it.
    """

    async def work(service: Service) -> None:
        transcript_id, track_id = await find_ids(service.transcripts, (given, given_track))
        paired = await service.transcripts.pair(transcript_id, track_id, offset_ms=offset_ms)
        transcript = paired.transcript
        count = f"{paired.translated_cues} of {count_of(transcript.cue_count, 'cue')} have a translation"
        moved = transcript.translation_offset_ms
        told = f"{transcript.title}: {count}" + (f", moved by {moved / 1000:+.3f} s" if moved else "")
        console.put_answer(paired, told, as_json=as_json)

    context.run(work)


@click.command("unpair", cls=Command)
@click.argument("given", metavar="ID")
@takes_json
def unpair(context: Context, given: str, as_json: bool) -> None:
    """Let a transcript have no translation any more; the other transcript stays."""

    async def work(service: Service) -> None:
        transcript = await service.transcripts.unpair((await find_record(service.transcripts, given)).id)
        console.put_answer(transcript, f"{transcript.title}: no translation any more", as_json=as_json)

    context.run(work)


async def _put(service: Service, given: str, name: str) -> None:
    transcript_id = (await find_record(service.transcripts, given)).id
    async with aclosing(service.transcripts.stream_export(transcript_id, name)) as pieces:
        async for piece in pieces:
            console.put_bytes(piece)


async def _write(service: Service, given: str, path: Path, name: str | None, *, force: bool, as_json: bool) -> bool:
    """Write one file and print its path; False, and why, where that cannot be."""
    try:
        transcript_id = (await find_record(service.transcripts, given)).id
        written = await service.transcripts.export(transcript_id, path, format=name or "", overwrite=force)
    except LodeError as error:
        console.tell_error(error.message, console.hint_of(error))
        return False
    if as_json:
        console.put_event(written)
    else:
        console.put(f"{written.path} ({size(written.size_bytes)})", flush=True)
    return True


async def _write_into(
    service: Service, ids: tuple[str, ...], directory: Path, name: str | None, *, force: bool, as_json: bool
) -> bool:
    """Write a file for each; those that cannot be written do not keep back the others."""
    from tui.exporting.formats import choose_default_format, find_export_format, make_file_name

    well, taken = True, set[str]()
    for given in ids:
        transcript = await find_record(service.transcripts, given)
        wanted = find_export_format(name) if name else choose_default_format(transcript)
        path = directory / make_file_name(transcript, wanted, taken)
        taken.add(path.name)
        well = await _write(service, transcript.id, path, wanted.name, force=force, as_json=as_json) and well
    return well
