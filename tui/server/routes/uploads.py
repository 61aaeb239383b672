"""Uploads: files, films, dictionaries and lists of words that a request brings as its body."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import Response

from tui.records.jobs import Job, UploadJob, upload_job
from tui.records.media import LinkedMedia
from tui.records.pages import MAX_ID
from tui.records.vocabulary import KNOWN_DAYS, SuspendedCards, VocabularyChoice, VocabularyOffer, VocabularyReport
from tui.records.word_states import WordState
from tui.server.dependencies import OptionsOf, ServiceOf
from tui.server.idempotency import WriteRoute
from tui.server.responses import json
from tui.server.uploads import FILE_BODY, file_pieces
from tui.service.incoming import film_too_large

F = TypeVar("F", bound=Callable[..., Any])
router = APIRouter(route_class=WriteRoute)


def _upload(path: str, tag: str, answer: Any, status: int = 202) -> Callable[[F], F]:
    """Have a function answer what is posted to the path, as a file and nothing else."""
    return router.post(path, tags=[tag], response_model=answer, status_code=status, openapi_extra=dict(FILE_BODY))


_NAME = (
    "Its name; the ending says how it is read, directories before it only which series it is of: "
    "`Dark/Season 1/03.srt`."
)


@_upload("/profiles/files", "files", UploadJob)
async def upload_file(
    request: Request,
    service: ServiceOf,
    name: Annotated[str, Query(max_length=1000, description=_NAME)],
    language: Annotated[
        str | None, Query(max_length=200, description="A tag such as de, two (de+en) to split it; else it is detected.")
    ] = None,
    encoding: Annotated[
        str | None, Query(max_length=40, description="What the file is in, such as windows-1251; else it is found out.")
    ] = None,
    force: Annotated[bool, Query(description="Import it also where that encoding makes gibberish of it.")] = False,
) -> Response:
    """The body is the file; the answer is the job that imports it.

    An archive (ZIP, tar, also with gzip, bzip2 or xz) is taken for the files in it, each of which has a job of its own:
    the answer is the first of them, and `jobs` are all. One that cannot be imported fails by itself and says why.
    """
    jobs = await service.files.add_upload(name, file_pieces(request), language=language, encoding=encoding, force=force)
    return json(upload_job(jobs), 202)


_Of = Annotated[str, Query(max_length=MAX_ID, description="The id of a transcript, or of a file with some.")]


@_upload("/profiles/media", "media", LinkedMedia)
async def upload_media(
    request: Request,
    service: ServiceOf,
    options: OptionsOf,
    of: _Of,
    name: Annotated[str, Query(max_length=1000, description="The name of the film.")],
    track: Annotated[int, Query(ge=0, le=1000, description="Its track of sound; 0 goes by the language.")] = 0,
    size_bytes: Annotated[
        int, Query(ge=0, le=2**60, description="Its size, by which it is refused whatever of it is sent.")
    ] = 0,
) -> Response:
    """The body is a film or recording; it is kept, and linked instead of the one that the transcript may have.

    `job` cuts the sounds and pictures of the clips that there are.
    """
    if size_bytes > options.max_film:
        raise film_too_large("the film", options.max_film)
    return json(await service.media.link_upload(of, name, _film(request), options.max_film, track=track), 202)


async def _film(request: Request) -> AsyncIterator[bytes]:
    """Give the film in pieces. That there is none is told last.

    A client whose upload was refused in the middle asks without a body what was wrong with it.
    """
    async for piece in file_pieces(request):
        yield piece


@_upload("/dictionaries", "dictionaries", Job)
async def upload_dictionary(
    request: Request,
    service: ServiceOf,
    name: Annotated[str, Query(max_length=1000, description="The name of the file, as in `wty-de-en.zip`.")],
) -> Response:
    """The body is the file of a dictionary, as it was downloaded; the answer is the job of this profile that adds it.

    What it is, is told by its content: a Yomitan ZIP file, kaikki.org's JSONL, CC-CEDICT, each packed by gzip or not.
    The two files of dictd and FreeDict are sent as one, a ZIP file with both. Another revision of a dictionary takes
    its place; the very same file again changes nothing.
    """
    return json(await service.dictionaries.add_upload(name, file_pieces(request)), 202)


ListName = Annotated[
    str, Query(max_length=1000, description="Its name, as messages call it; its content says what it is.")
]
Encoding = Annotated[str, Query(max_length=40, description="What a list is in; else it is found out.")]
Source = Annotated[str, Query(max_length=40, description="Where the states are from; else it is told by the file.")]


def _choice(
    field: Annotated[
        str, Query(max_length=200, description="The field or column with the word; else by its name.")
    ] = "",
    note_type: Annotated[str, Query(max_length=200, description="Only notes of this type.")] = "",
    deck: Annotated[str, Query(max_length=500, description="Only cards of this deck and those below it.")] = "",
    language: Annotated[str, Query(max_length=200, description="A BCP 47 tag; else it is told by the words.")] = "",
    state: Annotated[WordState, Query(description="State of words in a list that says none.")] = "known",
    known_days: Annotated[
        int, Query(ge=1, le=100_000, description="Days between reviews from which on a word is known.")
    ] = KNOWN_DAYS,
    suspended: Annotated[SuspendedCards, Query(description="What suspended cards say.")] = "as-others",
    first: Annotated[int | None, Query(ge=1, le=2**31, description="So many of the most frequent.")] = None,
    sentences: Annotated[bool, Query(description="The field has sentences, of which every word counts.")] = False,
    encoding: Encoding = "",
) -> VocabularyChoice:
    return VocabularyChoice(field, note_type, deck, language, state, known_days, suspended, first, sentences, encoding)


ChoiceIn = Annotated[VocabularyChoice, Depends(_choice)]


@_upload("/profiles/vocabulary", "words", Job)
async def import_vocabulary(
    request: Request, service: ServiceOf, name: ListName, choice: ChoiceIn, source: Source = ""
) -> Response:
    """The body is a list of words, a table, an Anki package or a collection; the answer is the job that imports it.

    One undo takes all of it back.
    """
    return json(await service.vocabulary.add_upload(name, file_pieces(request), choice, source=source), 202)


@_upload("/profiles/vocabulary/preview", "words", VocabularyReport, 200)
async def preview_vocabulary(
    request: Request, service: ServiceOf, name: ListName, choice: ChoiceIn, source: Source = ""
) -> Response:
    """What the import of the body would do; nothing is kept or changed."""
    return json(await service.vocabulary.preview_upload(name, file_pieces(request), choice, source=source))


@_upload("/profiles/vocabulary/fields", "words", VocabularyOffer, 200)
async def fields_of_vocabulary(
    request: Request, service: ServiceOf, name: ListName, encoding: Encoding = ""
) -> Response:
    """The note types of the body with their fields and samples, and its decks; a list is one of each."""
    return json(await service.vocabulary.offer_upload(name, file_pieces(request), encoding=encoding))
