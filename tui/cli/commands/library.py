"""``lode files``, ``transcripts`` and ``clips``: list, show, delete."""

from __future__ import annotations

from collections.abc import AsyncIterator

import click

from tui.cli.context import Place
from tui.cli.output import console
from tui.cli.output.details import ask_deletion, put_clip, put_cue, put_deletion, put_fields
from tui.cli.output.listing import PAGE, add_list
from tui.cli.output.tables import Column, short
from tui.cli.root import Group, json_option
from tui.records import Clip, Cue, ProfileFile, Transcript, to_json
from tui.service.protocol import Service
from tui.text.display import age, clock, count_of, size

_FILES: tuple[Column[ProfileFile], ...] = (
    Column("id", lambda file: short(file.id), lambda file: file.id),
    Column("name", lambda file: file.name, wide=True, inside=True),
    Column("kind", lambda file: file.format or file.kind),
    Column("lang", lambda file: file.language or ""),
    Column("cues", lambda file: str(file.cue_count or ""), lambda file: str(file.cue_count), right=True),
    Column("length", lambda file: clock(file.duration_ms), lambda file: str(file.duration_ms or ""), right=True),
    Column("size", lambda file: size(file.size_bytes), lambda file: str(file.size_bytes), right=True),
    Column("age", lambda file: age(file.created_at), lambda file: file.created_at, right=True),
)
_TRANSCRIPTS: tuple[Column[Transcript], ...] = (
    Column("id", lambda transcript: short(transcript.id), lambda transcript: transcript.id),
    Column("title", lambda transcript: transcript.title, wide=True, inside=True),
    Column("lang", lambda transcript: transcript.language or ""),
    Column("cues", lambda transcript: str(transcript.cue_count), right=True),
    Column(
        "length",
        lambda transcript: clock(transcript.duration_ms),
        lambda transcript: str(transcript.duration_ms or ""),
        right=True,
    ),
    Column("age", lambda transcript: age(transcript.created_at), lambda transcript: transcript.created_at, right=True),
)
_CLIPS: tuple[Column[Clip], ...] = (
    Column("id", lambda clip: short(clip.id), lambda clip: clip.id),
    Column("focus", lambda clip: clip.focus.surface if clip.focus else "", wide=True),
    Column("sentence", lambda clip: clip.sentence, wide=True),
    Column("meaning", lambda clip: next(iter(clip.focus.meanings), "") if clip.focus else "", wide=True),
    Column("source", lambda clip: clip.source, wide=True, inside=True),
    Column("age", lambda clip: age(clip.created_at), lambda clip: clip.created_at, right=True),
)


@click.group(cls=Group)
def files() -> None:
    """Imported files."""


@click.group(cls=Group)
def transcripts() -> None:
    """Transcripts and their cues."""


@click.group(cls=Group)
def clips() -> None:
    """Kept clips."""


_ADD = "add some with: lode add PATH"
_KEEP = "keep one with: lode breakdown SENTENCE --focus WORD --save"
add_list(files, lambda service: service.files.page, _FILES, noun="files", empty_hint=_ADD)
add_list(transcripts, lambda service: service.transcripts.page, _TRANSCRIPTS, noun="transcripts", empty_hint=_ADD)
add_list(clips, lambda service: service.clips.page, _CLIPS, noun="clips", empty_hint=_KEEP)


@files.command("show")
@click.argument("file_id", metavar="ID")
@json_option
@click.pass_obj
def show_file(place: Place, file_id: str, as_json: bool) -> None:
    """Show a file."""
    file = place.run(lambda service: service.files.get(file_id))
    if as_json:
        console.put_json(to_json(file))
        return
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
        ("sha256", file.sha256),
        ("added", file.created_at),
    )


@transcripts.command("show")
@click.argument("transcript_id", metavar="ID")
@json_option
@click.pass_obj
def show_transcript(place: Place, transcript_id: str, as_json: bool) -> None:
    """Show a transcript: its cues with their times."""

    async def work(service: Service) -> None:
        transcript = await service.transcripts.get(transcript_id)
        cues = _cues(service, transcript.id)
        if as_json:
            values = (to_json(cue) async for cue in cues)
            await console.put_json_array(values, head=to_json(transcript), key="cues")
            return
        facts = (
            transcript.title,
            transcript.language or "",
            count_of(transcript.cue_count, "cue"),
            clock(transcript.duration_ms),
        )
        console.put(" · ".join(filter(None, facts)) + "\n")
        last = clock(transcript.duration_ms) or str(transcript.cue_count)
        async for cue in cues:
            put_cue(cue, len(last))

    place.run(work)


@clips.command("show")
@click.argument("clip_id", metavar="ID")
@json_option
@click.pass_obj
def show_clip(place: Place, clip_id: str, as_json: bool) -> None:
    """Show a clip with its focus word and explanation."""
    clip = place.run(lambda service: service.clips.get(clip_id))
    if as_json:
        console.put_json(to_json(clip))
        return
    put_clip(clip)


@files.command("delete")
@click.argument("file_ids", nargs=-1, required=True, metavar="ID…")
@click.option("--yes", is_flag=True, help="Don't ask (in pipes nothing is asked).")
@json_option
@click.pass_obj
def delete_files(place: Place, file_ids: tuple[str, ...], yes: bool, as_json: bool) -> None:
    """Delete files with their jobs; transcripts and clips stay."""
    if not yes and console.asks():
        jobs = place.run(lambda service: service.files.jobs_of(*file_ids))
        ask_deletion("file", len(file_ids), f" and {count_of(len(jobs), 'job')}" if jobs else "")
    put_deletion("file", place.run(lambda service: service.files.delete(*file_ids)), as_json=as_json)


@transcripts.command("delete")
@click.argument("transcript_ids", nargs=-1, required=True, metavar="ID…")
@click.option("--yes", is_flag=True, help="Don't ask (in pipes nothing is asked).")
@json_option
@click.pass_obj
def delete_transcripts(place: Place, transcript_ids: tuple[str, ...], yes: bool, as_json: bool) -> None:
    """Delete transcripts; files and clips stay."""
    if not yes and console.asks():
        ask_deletion("transcript", len(transcript_ids))
    deletion = place.run(lambda service: service.transcripts.delete(*transcript_ids))
    put_deletion("transcript", deletion, as_json=as_json)


@clips.command("delete")
@click.argument("clip_ids", nargs=-1, required=True, metavar="ID…")
@click.option("--yes", is_flag=True, help="Don't ask (in pipes nothing is asked).")
@json_option
@click.pass_obj
def delete_clips(place: Place, clip_ids: tuple[str, ...], yes: bool, as_json: bool) -> None:
    """Delete clips."""
    if not yes and console.asks():
        ask_deletion("clip", len(clip_ids))
    put_deletion("clip", place.run(lambda service: service.clips.delete(*clip_ids)), as_json=as_json)


async def _cues(service: Service, transcript_id: str) -> AsyncIterator[Cue]:
    offset = 0
    while True:
        page = await service.transcripts.cues(transcript_id, offset=offset, limit=PAGE)
        for cue in page.items:
            yield cue
        offset += len(page.items)
        if not page.items or offset >= page.total:
            return
