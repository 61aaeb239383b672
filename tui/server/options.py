"""Server options: address, token, origins, limits; which paths files are sent to, and how large they may be."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from starlette.requests import Request

from tui import bounds
from tui.anki.note_lines import MAX_NOTES_SIZE
from tui.dictionaries.dictionary_file import MAX_SENT_SIZE
from tui.errors import InvalidInput, LodeError
from tui.importing.parse import MAX_BYTES
from tui.service.incoming import film_too_large


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """Options of a server; ``token`` "" lets in who can reach a loopback address, ``origins`` are pages that may ask.

    ``max_body`` bounds what a request may carry, uploads apart, and ``max_film`` a film, in bytes.
    """

    host: str = "127.0.0.1"
    port: int = 8765
    token: str = field(default="", repr=False)
    origins: tuple[str, ...] = ()
    max_body: int = 2_000_000
    max_film: int = 4_000_000_000
    heartbeat_seconds: float = 14.0


LARGEST_FILM = bounds.FILM_SENT.bytes_in
"""Bytes of a film that options may allow; ``ServerOptions.max_film`` is what they do."""
_FILMS = ("/profiles/media", "/profiles/transcription/recording")
UPLOADS: Mapping[str, int] = {
    "/profiles/files": MAX_BYTES,
    **dict.fromkeys(_FILMS, LARGEST_FILM),
    "/dictionaries": MAX_SENT_SIZE,
    "/profiles/deck_merge": MAX_NOTES_SIZE,
    "/profiles/deck_merge/report": MAX_NOTES_SIZE,
    "/profiles/deck_merge/arrived": MAX_NOTES_SIZE,
    "/profiles/vocabulary": MAX_BYTES,
    "/profiles/vocabulary/preview": MAX_BYTES,
    "/profiles/vocabulary/fields": MAX_BYTES,
}
"""Path that files are posted to → maximum bytes; these bodies are never held in memory."""

FILE_BODY: Mapping[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}
"""Body of such a route in OpenAPI: the bytes of the file."""


def file_pieces(request: Request) -> AsyncIterator[bytes]:
    """Give the file that a request sends, in pieces as they come; raises ``InvalidInput`` for a request without a body.

    An empty body that was sent in chunks is an empty file: importing it fails as that of any bad file does.
    """
    if "transfer-encoding" not in request.headers and request.headers.get("content-length", "0") == "0":
        raise InvalidInput("no file was sent", hint="its bytes are the body of the request")
    return request.stream()


def is_upload(method: str, path: str) -> bool:
    """Whether the body of this request is a file."""
    return method == "POST" and path in UPLOADS


def limit_of(method: str, path: str, options: ServerOptions) -> tuple[int, LodeError]:
    """The maximum bytes of a request's body, and the error of one that has more."""
    if is_upload(method, path) and path in _FILMS:
        return options.max_film, film_too_large("the film", options.max_film)
    limit = UPLOADS[path] if is_upload(method, path) else options.max_body
    return limit, InvalidInput(f"the request has more than {limit / 1e6:g} MB", hint="send less", code="too_large")
