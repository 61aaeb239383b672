"""Notes as clients send them: fields, tags, options, and media as bytes, addresses or paths."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tui.errors import InvalidInput
from tui.inbox.media import MediaKind, make_file_name
from tui.text.clip_fields import split_tags
from tui.text.sanitize import one_line

MEDIA_KINDS: tuple[MediaKind, ...] = ("audio", "video", "picture")
MAX_FIELDS = 100
MAX_FIELD_CHARS = 1_000_000
"""Characters of all fields of a note; dictionaries with their styles have a tenth."""
MAX_NAME_CHARS = 200
MAX_MEDIA = 20
"""Sounds and pictures that come with a note."""


@dataclass(frozen=True, slots=True)
class SentMedia:
    """A sound or picture of a request: its ``content``, or else the ``url`` or ``path`` where it is.

    ``name`` is a safe file name out of the one that was sent, "" where that is none. ``fields`` are those of the note
    that it belongs into.
    """

    kind: MediaKind
    name: str
    content: bytes | None = None
    url: str = ""
    path: str = ""
    fields: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SentNote:
    """A note of a request; its fields are in the order in which they were sent."""

    deck: str
    note_type: str
    fields: Mapping[str, str]
    tags: tuple[str, ...]
    media: tuple[SentMedia, ...]
    allows_duplicate: bool


def read_note(value: object) -> SentNote:
    """Read a note out of its JSON value. Raises ``InvalidInput``, also for media that cannot be decoded."""
    if not isinstance(value, Mapping):
        raise InvalidInput("a note is an object with deckName, modelName and fields")
    options = value.get("options")
    allows = options.get("allowDuplicate") if isinstance(options, Mapping) else None
    return SentNote(
        read_name(value.get("deckName")),
        read_name(value.get("modelName")),
        read_fields(value.get("fields")),
        read_tags(value.get("tags")),
        tuple(_read_media(value)),
        allows is True,
    )


def read_fields(value: object) -> dict[str, str]:
    """Read the fields of a note; those that are no texts become ones. Raises ``InvalidInput``."""
    if not isinstance(value, Mapping):
        return {}
    fields = {str(name)[:MAX_NAME_CHARS]: "" if text is None else str(text) for name, text in value.items()}
    if len(fields) > MAX_FIELDS or sum(map(len, fields.values())) > MAX_FIELD_CHARS:
        raise InvalidInput(
            f"a note has {MAX_FIELDS} fields and {MAX_FIELD_CHARS} characters at most", hint="leave some out"
        )
    return fields


def read_name(value: object) -> str:
    """A name of a deck or a note type, "" for none."""
    return one_line(value).strip()[:MAX_NAME_CHARS] if isinstance(value, str) else ""


def read_tags(value: object) -> tuple[str, ...]:
    """Tags, of a list or of a text with spaces between them."""
    texts = value if isinstance(value, list) else [value]
    return split_tags(one_line(" ".join(each for each in texts if isinstance(each, str))))


def decode(data: object) -> bytes:
    """Decode what was sent as base64, in lines or not, with or without the head of a ``data:`` address.

    Raises ``InvalidInput``.
    """
    if not isinstance(data, str):
        raise InvalidInput("data is no text in base64")
    try:
        text = data.partition(";base64,")[2] if data.startswith("data:") else data
        return base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError) as error:
        raise InvalidInput("data is not base64") from error


def read_media(value: Mapping[str, Any], kind: MediaKind) -> SentMedia:
    """Read one sound or picture. Raises ``InvalidInput`` where nothing says what it is."""
    name, data, url, path = (value.get(each) for each in ("filename", "data", "url", "path"))
    fields = value.get("fields")
    sent = SentMedia(
        kind,
        make_file_name(name) if isinstance(name, str) else "",
        decode(data) if data is not None else None,
        url if isinstance(url, str) else "",
        path if isinstance(path, str) else "",
        tuple(each for each in fields if isinstance(each, str)) if isinstance(fields, list) else (),
    )
    if sent.content is None and not sent.url and not sent.path:
        raise InvalidInput("you must provide a data, url or path")
    return sent


def _read_media(note: Mapping[str, Any]) -> Iterator[SentMedia]:
    """Read the media of a note: each kind may be one object or a list of them."""
    read = 0
    for kind in MEDIA_KINDS:
        sent = note.get(kind)
        for each in sent if isinstance(sent, list) else [sent]:
            if isinstance(each, Mapping) and each:
                read += 1
                if read > MAX_MEDIA:
                    raise InvalidInput(f"a note has {MAX_MEDIA} sounds and pictures at most")
                yield read_media(each, kind)
