"""``lode files``, and commands for films: list, show, read anew, link films, delete; ``follow`` and ``audio``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tui.cli.arguments import Number, PathOnDisk, PlaceOnDisk
from tui.cli.commands import records
from tui.cli.output import console
from tui.cli.output.details import put_fields
from tui.cli.output.job_progress import follow_jobs
from tui.cli.output.tables import Column, short
from tui.cli.root import Command, Group, takes_json
from tui.text.display import age, bar, clock, count_of, size
from tui.text.sanitize import one_line

if TYPE_CHECKING:
    from tui.cli.context import Context
    from tui.playing.mpv import MpvSource
    from tui.records.files import ProfileFile
    from tui.records.jobs import Job
    from tui.records.media import LinkedMedia, MediaLink, SpeechFile
    from tui.service.protocol import Service

_FILES: tuple[Column[ProfileFile], ...] = (
    Column("id", lambda file: short(file.id), lambda file: file.id),
    Column("name", lambda file: file.name, wide=True, inside=True),
    Column("kind", lambda file: file.format or file.kind),
    Column("lang", lambda file: file.language or ""),
    Column("encoding", lambda file: file.encoding or "", usual=False),
    Column("cues", lambda file: str(file.cue_count or ""), lambda file: str(file.cue_count), right=True),
    Column("length", lambda file: clock(file.duration_ms), lambda file: str(file.duration_ms or ""), right=True),
    Column("size", lambda file: size(file.size_bytes), lambda file: str(file.size_bytes), right=True),
    records.READ,
    Column("age", lambda file: age(file.created_at), lambda file: file.created_at, right=True),
)


@click.group(cls=Group)
def files() -> None:
    """Imported files; each goes by its id, name or path, or by a beginning of id or name."""


records.add_list(
    files,
    lambda service: service.files.page,
    _FILES,
    noun="files",
    empty_hint="add some with: lode add PATH",
    searched=(records.FOUND,),
)


@files.command("reread")
@click.argument("ids", nargs=-1, required=True, metavar="ID…")
@click.option(
    "--language", metavar="XX", help="The language, as a code: de, or de+en to split the cues; else as named."
)
@click.option("--encoding", metavar="NAME", help="The encoding, such as windows-1251; else as it was.")
@click.option("--force", is_flag=True, help="Use the encoding even where it makes gibberish of a file.")
@click.option("--as-is", is_flag=True, help="Leave the cues as the file has them: nothing merged or labelled.")
@takes_json
def reread(context: Context, /, ids: tuple[str, ...], as_json: bool, **how: Any) -> None:
    """Read files anew from their kept bytes, wherever the files are now.

    A transcript keeps its id and gets other cues, clips keep their text; lode undo takes it back. Stored
    transcripts change in no other way.
    """

    async def queue(service: Service) -> tuple[Job, ...]:
        return await service.files.reread(*await records.find_ids(service.files, ids), **how)

    records.finish_jobs(context, queue, as_json=as_json)


@files.command("link")
@click.argument("given", metavar="ID")
@click.argument("film", metavar="FILM", type=PathOnDisk())
@click.option(
    "--track", type=Number(1), metavar="N", help="Its track of sound; else the one in the transcript's language."
)
@click.option("--copy", is_flag=True, help="Keep a copy in the library; else the film stays where it lies.")
@takes_json
def link(context: Context, given: str, film: str, track: int | None, copy: bool, as_json: bool) -> None:
    """Link a film or recording to a file of subtitles, or to a transcript.

    Clips get the sound and a picture of their sentence from it, those that there are and those to come. Subtitles
    that are added find a film beside them by its name: Film.mkv, Film.de.srt. Over --url the film is sent, and
    kept there.
    """

    async def work(service: Service) -> bool:
        with console.StatusLine() as status:
            status.show(f"reading {one_line(Path(film).name)}")
            record_id = await records.find_timed_id(service, given)
            linked = await service.media.link(record_id, film, track=track or 0, copy=copy)
        console.put_record(linked, _put_link, as_json=as_json)
        return linked.job is None or await follow_jobs(service, (linked.job,), as_json=as_json)

    context.finish(work)


@files.command("unlink")
@click.argument("given", metavar="ID")
@takes_json
def unlink(context: Context, given: str, as_json: bool) -> None:
    """Let a file's transcripts have no film any more; clips keep the sounds and pictures that they have."""

    async def work(service: Service) -> tuple[MediaLink, ...]:
        return await service.media.unlink(await records.find_timed_id(service, given))

    links = context.run(work)
    if as_json:
        console.put_json(links)
    for each in () if as_json else links:
        console.put(f"{one_line(each.path)} is linked no more")
    if not links:
        console.tell("there was no film")


def _put_link(linked: LinkedMedia) -> None:
    facts = (
        clock(linked.info.duration_ms),
        ", ".join(
            f"track {each.number} {' '.join(filter(None, (each.language, one_line(each.title))))}".rstrip()
            for each in linked.info.audio
        ),
        f"{linked.info.width}×{linked.info.height}" if linked.info.has_video else "no pictures",
    )
    path = linked.links[0].path
    console.put(
        f"{one_line(path)}: linked to {count_of(len(linked.links), 'transcript')} · {' · '.join(filter(None, facts))}"
    )


def _put_file(file: ProfileFile) -> None:
    put_fields(
        ("name", file.name),
        ("id", file.id),
        ("kind", f"{file.kind} ({file.format})"),
        ("encoding", file.encoding or ""),
        ("language", file.language or "unknown"),
        ("size", size(file.size_bytes)),
        ("length", clock(file.duration_ms)),
        ("cues", str(file.cue_count or "")),
        ("transcript", file.transcript_id or ""),
        ("sha256", file.sha256 or ""),
        ("path", file.path or ""),
        ("added", file.created_at),
    )


records.add_show(files, lambda service, given: records.find_record(service.files, given), _put_file, what="a file")
records.add_move(
    files,
    lambda service: service.files,
    noun="file",
    what="files with their jobs, transcripts and clips",
    ids_of=lambda service, given: records.find_ids(service.files, given),
)
records.add_delete(
    files,
    lambda service: service.files,
    noun="file",
    what="files with their jobs; transcripts and clips stay",
    ids_of=lambda service, given: records.find_ids(service.files, given),
    jobs_of=lambda service: service.files.jobs_of,
)


@click.command(cls=Command)
@click.argument("given", metavar="TRANSCRIPT")
@click.argument("film", metavar="[FILM]", required=False, type=PathOnDisk())
@click.option(
    "--socket", metavar="PATH", type=PathOnDisk(), help="Join the mpv that listens there: mpv --input-ipc-server=PATH."
)
@click.pass_obj
def follow(context: Context, given: str, film: str | None, socket: str | None) -> None:
    """Open the app at TRANSCRIPT and play FILM in mpv: the line that is spoken is the one under the eye.

    Without FILM it is the film that is linked (lode files link).
    With --socket the mpv that runs already is followed, and goes on when Lode ends.
    """
    from tui.playing.mpv import MpvSource, check_mpv
    from tui.system.regular_file import named_path

    async def work(service: Service) -> tuple[str, MpvSource]:
        from tui.service.media.playing import cue_times, film_of

        transcript = await records.find_record(service.transcripts, given)
        await cue_times(service.transcripts, transcript)
        if socket is not None:
            path = (await film_of(service, transcript, film)).path if film is not None else None
            return transcript.id, MpvSource(path, named_path(socket).absolute())
        await film_of(service, transcript, film)
        check_mpv()
        return transcript.id, MpvSource(named_path(film).absolute() if film is not None else None)

    click.get_current_context().exit(context.open_app(context.run(work)))


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
@takes_json
def audio(
    context: Context, given: str, out: Path, film: str | None, track: int | None, force: bool, as_json: bool
) -> None:
    """Write what is spoken in a film to an MP3, without the gaps between: to listen to on the way.

    The times are those of the transcript, the sound is that of its film, or of FILE, which Lode reads here and does
    not keep. Films need one more library: pip install 'lode[media]'.
    """

    async def work(service: Service) -> SpeechFile:
        from tui.service.media.playing import film_of, write_speech

        transcript = await records.find_record(service.transcripts, given)
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
    named = " ".join(filter(None, (written.track.language, one_line(written.track.title))))
    console.put_answer(
        written,
        f"{written.path}: {clock(written.duration_ms)} of speech in {count_of(written.pieces, 'piece')}"
        f" ({size(written.size_bytes)}) · track {written.track.number}{f' ({named})' if named else ''}",
        as_json=as_json,
    )
