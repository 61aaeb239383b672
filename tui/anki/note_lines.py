"""Notes of an Anki as lines of JSON, for a library that is on another machine than it.

The first line has the note types, each other one a note: objects with the fields of the records. They are packed by
gzip, to a tenth of their size, and may come as they are. Whoever reads them takes nothing for granted that a collection
would not have.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, TypeVar, cast

from tui import bounds
from tui.anki.collection_file import BETWEEN, MAX_FIELDS
from tui.anki.notes import MAX_NOTES_BYTES, MAX_TIME, AnkiNote, AnkiNotes, AnkiNoteType, measure_size
from tui.errors import InvalidInput
from tui.text.sanitize import one_line
from tui.wire import codec

T = TypeVar("T")

MAX_NOTES_SIZE = bounds.NOTE_LINES.bytes_out
"""Maximum bytes of all lines, before they are packed."""
MAX_NOTES = bounds.NOTE_LINES.entries
_MAX_TYPES = 1_000
_MAX_LINE_LENGTH = bounds.NOTE_LINES.entry_bytes
"""Maximum bytes of a line, whose values may take twelve times as many."""
_HIGHEST_ID = 1 << 62
_PIECE = 256 * 1024
_GZIP = 31
"""``wbits`` of zlib for gzip's format."""
_GZIP_SIGNATURE = b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class NotesHead:
    """The first line: how many notes follow, so that none is missed where the rest was lost, and their note types.

    ``source`` is what they are of, ``ids`` are those of the clips that are meant, none for all.
    """

    count: int
    note_types: tuple[AnkiNoteType, ...]
    source: str = ""
    ids: tuple[str, ...] = ()


def pack_notes(notes: AnkiNotes, source: str, ids: tuple[str, ...]) -> Iterator[bytes]:
    """Write the lines, packed, in pieces. Raises ``InvalidInput`` (``too_many_notes``) for more than may be sent."""
    head = NotesHead(len(notes.notes), tuple(notes.note_types.values()), source, ids)
    if head.count > MAX_NOTES:
        raise _too_many()
    packer = zlib.compressobj(1, wbits=_GZIP)
    piece, size = bytearray(), 0
    for record in (head, *notes.notes.values()):
        line = codec.encode(record) + b"\n"
        size += len(line)
        if size > MAX_NOTES_SIZE:
            raise _too_many()
        piece += packer.compress(line)
        if len(piece) > _PIECE:
            yield bytes(piece)
            piece.clear()
    yield bytes(piece) + packer.flush()


def read_notes_sent(path: Path) -> tuple[NotesHead, AnkiNotes]:
    """Read the lines that somebody sent. Blocks, and raises ``InvalidInput`` for what cannot be notes of an Anki."""
    with path.open("rb") as file:
        is_packed = file.read(len(_GZIP_SIGNATURE)) == _GZIP_SIGNATURE
        file.seek(0)
        if not is_packed:
            return _read(file)
        try:
            with gzip.open(file) as unpacked:
                return _read(cast(IO[bytes], unpacked))
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            raise _refused(str(error)) from error


def _read(file: IO[bytes]) -> tuple[NotesHead, AnkiNotes]:
    notes: dict[str, AnkiNote] = {}
    head = _checked_head(_record(NotesHead, file.readline(_MAX_LINE_LENGTH + 1)))
    count = size = held = 0
    while count <= head.count and (line := file.readline(_MAX_LINE_LENGTH + 1)):
        note = _checked_note(_record(AnkiNote, line))
        notes[note.guid] = note
        count, size, held = count + 1, size + len(line), held + measure_size(note)
        if size > MAX_NOTES_SIZE or held > MAX_NOTES_BYTES:
            raise _too_many()
    if count != head.count:
        raise _refused(f"it has {count:,} notes, and not the {head.count:,} of the first line")
    return head, AnkiNotes(notes, {each.id: each for each in head.note_types})


def _record(kind: type[T], line: bytes) -> T:
    if len(line) > _MAX_LINE_LENGTH:
        raise _refused(f"a line has more than {_MAX_LINE_LENGTH / 1e6:g} MB")
    try:
        return codec.decode(kind, line)
    except (ValueError, RecursionError) as error:
        raise _refused(one_line(str(error))[:200]) from None


def _checked_head(head: NotesHead) -> NotesHead:
    if max(head.count, len(head.ids)) > MAX_NOTES:
        raise _too_many()
    if len(head.note_types) > _MAX_TYPES:
        raise _refused(f"there are more than {_MAX_TYPES:,} note types")
    for each in head.note_types:
        if not 0 < each.id < _HIGHEST_ID:
            raise _refused("a note type has no id that Anki gives")
        if not (0 < len(each.fields) <= MAX_FIELDS and 0 < len(each.templates) <= MAX_FIELDS):
            raise _refused(f"a note type has no fields or cards, or more than {MAX_FIELDS}")
        if any(not name or name[0] in "#^/" or not set(name).isdisjoint("{}") for name in each.fields):
            raise _refused("a field of a note type has a name that Anki does not let it have")
    return head


def _checked_note(note: AnkiNote) -> AnkiNote:
    if not (0 <= note.id < _HIGHEST_ID and 0 <= note.note_type < _HIGHEST_ID and 0 <= note.changed_at < MAX_TIME):
        raise _refused("a note has no id or time that Anki gives")
    if not 0 < len(note.fields) <= MAX_FIELDS or any(BETWEEN in value for value in note.fields):
        raise _refused("a note has no fields, or such as no note of Anki's has")
    if len(note.cards) > MAX_FIELDS or any(not 0 <= number < MAX_FIELDS for number in note.cards):
        raise _refused("a note has cards that no note of Anki's has")
    return replace(note, tags=tuple(" ".join(note.tags).split()))


def _refused(why: str) -> InvalidInput:
    return InvalidInput(
        f"what was sent cannot be the notes of an Anki: {why}",
        hint="update the older of the two, Lode here and on the server",
        code="bad_notes",
    )


def _too_many() -> InvalidInput:
    return InvalidInput(
        f"Anki has more notes of Lode's than can be sent: at most {MAX_NOTES:,}, with {MAX_NOTES_SIZE / 1e6:g} MB",
        hint="run lode on the server's machine, with a deck that Anki exported: lode export OUT.apkg --from FILE",
        code="too_many_notes",
    )
