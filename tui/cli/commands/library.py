"""``lode files``, ``transcripts`` and ``clips``: list, show, delete."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

import click

from tui.cli.clip_commands import add_clip_edit, add_filling
from tui.cli.file_commands import add_reread
from tui.cli.media_commands import add_linking
from tui.cli.named_records import find_ids, find_record
from tui.cli.output import console
from tui.cli.output.details import put_clip, put_cue, put_fields, put_original
from tui.cli.output.tables import Column, short
from tui.cli.record_commands import PAGE, add_delete, add_list, add_show
from tui.cli.root import Group, WrongUsage, json_option
from tui.cli.transcript_commands import add_edit, add_export, add_pairing
from tui.cli.transcript_list import FOUND, add_transcript_list
from tui.cli.voice_commands import add_voices
from tui.records.pages import Page, to_json
from tui.text.display import age, clock, count_of, size, title_with_series
from tui.text.readings import with_readings

if TYPE_CHECKING:
    from tui.cli.context import Context
    from tui.language.word import Word
    from tui.records.clips import Clip
    from tui.records.files import ProfileFile
    from tui.records.transcripts import Cue, Sentence, Transcript
    from tui.service.protocol import Service

T = TypeVar("T")


def _title(transcript: Transcript) -> str:
    return title_with_series(transcript.title, transcript.series, transcript.season, transcript.episode)


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
    Column("title", _title, lambda transcript: transcript.title, wide=True, inside=True),
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
    """Imported files; each goes by its id, name or path, or by a beginning of id or name."""


@click.group(cls=Group)
def transcripts() -> None:
    """Transcripts and their cues; each goes by its id, title or film's path, or by a beginning of id or title."""


@click.group(cls=Group)
def clips() -> None:
    """Kept clips."""


_ADD = "add some with: lode add PATH"
_KEEP = "keep one with: lode breakdown SENTENCE --focus WORD --save"
add_list(files, lambda service: service.files.page, _FILES, noun="files", empty_hint=_ADD, searched=(FOUND,))
add_transcript_list(transcripts, _TRANSCRIPTS, empty_hint=_ADD)
add_list(clips, lambda service: service.clips.page, _CLIPS, noun="clips", empty_hint=_KEEP)


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
        ("sha256", file.sha256),
        ("added", file.created_at),
    )


@transcripts.command("show")
@click.argument("given", metavar="ID")
@click.option("--sentences", is_flag=True, help="Whole sentences instead, also those that stand in several cues.")
@click.option("--readings", is_flag=True, help="How words are read, behind them; with --json the words of each cue.")
@json_option
@click.pass_obj
def show_transcript(context: Context, given: str, sentences: bool, readings: bool, as_json: bool) -> None:
    """Show a transcript: its cues with their times."""
    if sentences and readings:
        raise WrongUsage("sentences have no readings", hint="--readings without --sentences")

    async def work(service: Service) -> None:
        transcript = await find_record(service.transcripts, given)
        if readings:
            await _put_read(service, transcript, as_json=as_json)
            return
        cues = _each(service.transcripts.cues, transcript.id)
        whole = _each(service.transcripts.sentences, transcript.id)
        parts: AsyncIterator[Cue | Sentence] = whole if sentences else cues
        if as_json:
            values = (to_json(part) async for part in parts)
            await console.put_json_array(values, head=to_json(transcript), key="sentences" if sentences else "cues")
            return
        _put_head(transcript)
        last = clock(transcript.duration_ms) or str(transcript.cue_count)
        async for part in parts:
            put_cue(part, len(last))

    context.run(work)


@transcripts.command("changes")
@click.argument("given", metavar="ID")
@json_option
@click.pass_obj
def show_changes(context: Context, given: str, as_json: bool) -> None:
    """Show what the import changed, cue by cue: each as it stood in the file, and what became of it."""

    async def work(service: Service) -> None:
        transcript = await find_record(service.transcripts, given)
        originals = _each(service.transcripts.changes, transcript.id)
        if as_json:
            await console.put_json_array(to_json(cue) async for cue in originals)
            return
        last = clock(transcript.duration_ms) or str(transcript.cue_count)
        count = 0
        async for cue in originals:
            put_original(cue, len(last))
            count += 1
        if not count:
            console.tell("the import changed nothing: the cues are those of the file")

    context.run(work)


add_export(transcripts)
add_edit(transcripts)
add_pairing(transcripts)
add_reread(files)
add_linking(files)
add_clip_edit(clips)
add_filling(clips)
add_voices(clips)
add_show(files, lambda service, given: find_record(service.files, given), _put_file, what="a file")
add_show(
    clips, lambda service, given: service.clips.get(given), put_clip, what="a clip with its focus word and explanation"
)
add_delete(
    files,
    lambda service: service.files,
    noun="file",
    what="files with their jobs; transcripts and clips stay",
    ids_of=lambda service, given: find_ids(service.files, given),
    jobs_of=lambda service: service.files.jobs_of,
)
add_delete(
    transcripts,
    lambda service: service.transcripts,
    noun="transcript",
    what="transcripts; files and clips stay",
    ids_of=lambda service, given: find_ids(service.transcripts, given),
)
add_delete(clips, lambda service: service.clips, noun="clip", what="clips")


def _put_head(transcript: Transcript) -> None:
    facts = (
        transcript.title,
        transcript.language or "",
        count_of(transcript.cue_count, "cue"),
        clock(transcript.duration_ms),
    )
    console.put(" · ".join(filter(None, facts)) + "\n")


async def _put_read(service: Service, transcript: Transcript, *, as_json: bool) -> None:
    """Put the cues with their readings or, as JSON, with their words."""
    cues = _read_cues(service, transcript.id)
    if as_json:
        values = (to_json(cue) | {"words": to_json(words)} async for cue, words in cues)
        await console.put_json_array(values, head=to_json(transcript), key="cues")
        return
    _put_head(transcript)
    last = clock(transcript.duration_ms) or str(transcript.cue_count)
    async for cue, words in cues:
        put_cue(replace(cue, text=with_readings(cue, words)), len(last))


async def _read_cues(service: Service, transcript_id: str) -> AsyncIterator[tuple[Cue, tuple[Word, ...]]]:
    """The cues with the words that a segmenter cut them into, none where there is no segmenter."""
    offset = 0
    while True:
        page = await service.transcripts.cues(transcript_id, offset=offset, limit=PAGE)
        found = await service.transcripts.words(transcript_id, offset=offset, limit=PAGE)
        words = {each.index: each.words for each in found}
        for cue in page.items:
            yield cue, words.get(cue.index, ())
        offset += len(page.items)
        if not page.items or offset >= page.total:
            return


async def _each(fetch: Callable[..., Awaitable[Page[T]]], transcript_id: str) -> AsyncIterator[T]:
    """Iterate over what a transcript has of one kind, from page to page."""
    after: str | None = None
    while True:
        page = await fetch(transcript_id, limit=PAGE, after=after)
        for item in page.items:
            yield item
        after = page.next
        if after is None:
            return
