"""Transcripts and their cues."""

from __future__ import annotations

from typing import Annotated, Protocol, TypeVar

from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response

from tui.exporting.formats import EXPORT_FORMATS, find_export_format, make_file_name
from tui.records.library import Deletion
from tui.records.pages import MAX_SEARCH_LENGTH, Page, to_json
from tui.records.transcripts import Cue, OriginalCue, ReadingPlace, Sentence, Transcript, TranslationPair
from tui.records.words import TranscriptWithCounts
from tui.server.dependencies import MAX_QUERY, LimitIn, NameIn, OffsetIn, PageQueryIn, ServiceOf
from tui.server.download import attachment, streamed
from tui.server.idempotency import WriteRoute
from tui.server.responses import ReadPage, json, listed
from tui.server.schemas import Ids, PlaceBody, TranscriptChanges, TranslationTrack
from tui.service.protocol.words import CueWords
from tui.wire.pages import MAX_HITS

T = TypeVar("T")
router = APIRouter(prefix="/profiles/transcripts", tags=["transcripts"], route_class=WriteRoute)


@router.get("", response_model=list[TranscriptWithCounts])
async def list_transcripts(
    request: Request,
    service: ServiceOf,
    query: PageQueryIn,
    counts: Annotated[bool, Query(description="With `words`, the counts of the words of each.")] = False,
) -> Response:
    """Newest first. Without `limit` the whole list.

    The first count of a transcript takes a tenth of a second for a film, so `words` is there only where it is asked
    for.
    """
    if not counts:
        return await listed(request, service.transcripts.page, query)

    async def counted(
        *, offset: int = 0, limit: int = 100, q: str = "", after: str | None = None
    ) -> Page[TranscriptWithCounts]:
        page = await service.transcripts.page(offset=offset, limit=limit, q=q, after=after)
        words = await service.known_words.counts(*(transcript.id for transcript in page.items))
        items = (TranscriptWithCounts(**to_json(each) | {"words": words[each.id]}) for each in page.items)
        return Page(tuple(items), page.total, page.offset, page.next)

    return await listed(request, counted, query, {"counts": "true"})


@router.post("/delete", response_model=Deletion)
async def delete_transcripts(service: ServiceOf, body: Ids) -> Response:
    """Several at once; one undo brings all of them back."""
    return json(await service.transcripts.delete(*body.ids))


@router.get("/named", response_model=list[Transcript])
async def transcripts_named(service: ServiceOf, name: NameIn) -> Response:
    """Those that a name can mean, newest first: the title, the path of the film or of the file, a title's beginning."""
    return json(await service.transcripts.named(name))


@router.get("/{transcript_id}", response_model=Transcript)
async def get_transcript(service: ServiceOf, transcript_id: str) -> Response:
    """One transcript, without its cues."""
    return json(await service.transcripts.get(transcript_id))


@router.patch("/{transcript_id}", response_model=Transcript)
async def edit_transcript(service: ServiceOf, transcript_id: str, body: TranscriptChanges) -> Response:
    """Another title or language: searches and word counts go by it, cues and clips stay. Undo takes it back."""
    return json(await service.transcripts.edit(transcript_id, title=body.title, language=body.language))


@router.delete("/{transcript_id}", status_code=204)
async def delete_transcript(service: ServiceOf, transcript_id: str) -> Response:
    """Its cues go with it, its clips stay. It can be brought back with undo."""
    await service.transcripts.delete(transcript_id)
    return Response(status_code=204)


@router.get("/{transcript_id}/cues", response_model=list[Cue])
async def list_cues(request: Request, service: ServiceOf, transcript_id: str, query: PageQueryIn) -> Response:
    """In their order; `q` has no meaning here: see `find`."""
    return await listed(request, _of(service.transcripts.cues, transcript_id), query)


@router.get("/{transcript_id}/sentences", response_model=list[Sentence])
async def list_sentences(request: Request, service: ServiceOf, transcript_id: str, query: PageQueryIn) -> Response:
    """Whole sentences, also those that stand in several cues, each with their span of time; `q` has no meaning here.

    Ask for the next page with its cursor: one that is asked for by its offset has to count all before it.
    """
    return await listed(request, _of(service.transcripts.sentences, transcript_id), query)


class _ReadPart(Protocol[T]):
    """Read a page of a part of a transcript: its cues, its sentences, its changes."""

    async def __call__(
        self, transcript_id: str, *, offset: int = 0, limit: int = 200, after: str | None = None
    ) -> Page[T]: ...


def _of(read: _ReadPart[T], transcript_id: str) -> ReadPage[T]:
    """Pages of a part of this transcript, in which nothing is searched."""

    async def page(*, offset: int = 0, limit: int = 100, q: str = "", after: str | None = None) -> Page[T]:
        return await read(transcript_id, offset=offset, limit=limit, after=after)

    return page


@router.get(
    "/{transcript_id}/export",
    response_class=Response,
    responses={200: {"content": {each.media_type: {"schema": {}} for each in EXPORT_FORMATS.values()}}},
)
async def export_transcript(
    service: ServiceOf,
    transcript_id: str,
    format: Annotated[
        str,
        Query(
            max_length=40,
            description="`srt` and `vtt` need times, which a text has not.",
            json_schema_extra={"enum": list(EXPORT_FORMATS)},
        ),
    ],
) -> Response:
    """The transcript as a file with a name. `json` has every field, `vtt` speakers and readings, `srt` speakers."""
    transcript = await service.transcripts.get(transcript_id)
    wanted = find_export_format(format)
    pieces = service.transcripts.exported(transcript.id, wanted.name)
    return await streamed(pieces, attachment(make_file_name(transcript, wanted), wanted.name), wanted.media_type)


@router.get("/{transcript_id}/changes", response_model=list[OriginalCue])
async def list_changes(request: Request, service: ServiceOf, transcript_id: str, query: PageQueryIn) -> Response:
    """The cues that the import changed, as they stood in the file; `q` has no meaning here."""
    return await listed(request, _of(service.transcripts.changes, transcript_id), query)


@router.get("/{transcript_id}/place", response_model=ReadingPlace | None)
async def get_place(service: ServiceOf, transcript_id: str) -> Response:
    """Where it was left, wherever it was read; `null` before that."""
    return json(await service.transcripts.place(transcript_id))


@router.put("/{transcript_id}/place", response_model=ReadingPlace)
async def leave_at(service: ServiceOf, transcript_id: str, body: PlaceBody) -> Response:
    """Keeps where it is left."""
    place = ReadingPlace(body.cue_index, body.word_index)
    return json(await service.transcripts.leave_at(transcript_id, place))


@router.put("/{transcript_id}/translation", response_model=TranslationPair)
async def pair_transcript(service: ServiceOf, transcript_id: str, body: TranslationTrack) -> Response:
    """Give it a translation track: another subtitle of the same film, instead of the one that it may have."""
    return json(await service.transcripts.pair(transcript_id, body.translation_id, offset_ms=body.offset_ms))


@router.delete("/{transcript_id}/translation", response_model=Transcript)
async def unpair_transcript(service: ServiceOf, transcript_id: str) -> Response:
    """Let it have no translation track any more; the other transcript stays."""
    return json(await service.transcripts.unpair(transcript_id))


@router.get("/{transcript_id}/translations", response_model=list[str])
async def list_translations(
    service: ServiceOf,
    transcript_id: str,
    offset: OffsetIn = 0,
    limit: LimitIn = 200,
) -> Response:
    """The translations of the cues from `offset` on, by the times of its track; empty texts where it has none."""
    return json(await service.transcripts.translations(transcript_id, offset=offset, limit=limit))


@router.get("/{transcript_id}/words", response_model=list[CueWords])
async def words_of_cues(
    service: ServiceOf,
    transcript_id: str,
    offset: OffsetIn = 0,
    limit: LimitIn = 200,
) -> Response:
    """The words of the cues from `offset` on, each with its place in the cue's text, its dictionary form and reading.

    Empty where the server has no segmenter of the transcript's language: a reading of Japanese is in hiragana, of
    Chinese in pinyin, and null where the text says it.
    """
    return json(await service.transcripts.words(transcript_id, offset=offset, limit=limit))


@router.get("/{transcript_id}/find", response_model=list[int])
async def find_cues(
    service: ServiceOf,
    transcript_id: str,
    q: Annotated[str, Query(max_length=MAX_SEARCH_LENGTH)],
    limit: Annotated[int, Query(ge=1, le=MAX_HITS)] = 10_000,
) -> Response:
    """The indexes of the cues that match."""
    return json(await service.transcripts.find(transcript_id, q, limit=limit))


@router.get("/{transcript_id}/clip_cues", response_model=list[int])
async def cues_with_clips(service: ServiceOf, transcript_id: str) -> Response:
    """The indexes of the cues that have clips."""
    return json(await service.clips.cues_of(transcript_id))


@router.get("/{transcript_id}/cues/{index}/has_clip", response_model=bool)
async def has_clip(
    service: ServiceOf,
    transcript_id: str,
    index: Annotated[int, Path(ge=0, le=2**53)],
    surface: Annotated[str, Query(max_length=MAX_QUERY)] = "",
) -> Response:
    """Whether the cue has a clip with exactly this focus word (empty: one without)."""
    return json(await service.clips.has(transcript_id, index, surface))
