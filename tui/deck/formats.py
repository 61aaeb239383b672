"""Formats in which clips are exported: a row each, found by the ending of the file."""

from __future__ import annotations

import csv
import io
import sqlite3
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePath

from tui.deck.note import make_tags, make_texts
from tui.deck.note_fields import OURS, NoteFields
from tui.deck.note_type import VALUES
from tui.errors import DeckError, LodeError
from tui.exporting import formats
from tui.exporting.clip_writers import Columns, write_csv, write_json_lines, write_markdown_notes, write_tsv
from tui.exporting.target_file import TargetFile
from tui.records.clips import Clip
from tui.records.notes import Note
from tui.text.sanitize import one_line

# Writer of what Anki imports as text (.txt): a note a line between tabs, with the header lines that say what is what.
#
# The header is that of docs.ankiweb.net/importing/text-files.html. Anki finds the note type and the columns by name,
# and the notes by the first column; unlike a package, a text replaces what was edited in Anki.

_GUID, _TAGS = "Guid", "Tags"


def write_import_text(deck: str, notes: Iterable[Note], note_fields: NoteFields = OURS) -> Iterator[str]:
    filled = [(name, VALUES.index(value)) for name, value in note_fields.filled.items()]
    columns = (_GUID, *(one_line(name) for name, _ in filled), _TAGS)
    yield "#separator:tab\n#html:true\n"
    yield f"#notetype:{one_line(note_fields.note_type)}\n#deck:{one_line(deck)}\n"
    yield "#columns:" + "\t".join(columns) + "\n"
    yield f"#guid column:1\n#tags column:{len(columns)}\n"
    for note in notes:
        line = io.StringIO()
        csv.writer(line, delimiter="\t", lineterminator="\n").writerow(
            (note.guid, *(note.fields[place] for _, place in filled), " ".join(note.tags))
        )
        yield line.getvalue()


@dataclass(frozen=True, slots=True)
class ClipFormat:
    """One format: the text of clips or, with the deck's name, of their notes; neither for a package of Anki's.

    ``table`` is the text of clips with columns of the learner's own. ``by_source`` tells that the clips are to come
    ordered by their transcripts.
    """

    name: str
    media_type: str
    clips: Callable[[Iterable[Clip]], Iterator[str]] | None = None
    notes: Callable[[str, Iterable[Note], NoteFields], Iterator[str]] | None = None
    table: Callable[[Iterable[Clip], Columns], Iterator[str]] | None = None
    by_source: bool = False

    @property
    def is_deck(self) -> bool:
        """Whether what is in it counts as exported: a list of clips brings nothing into Anki, or nobody knows what."""
        return self.clips is None and self.notes is None


_SQLITE_FULL = ("SQLITE_FULL", "SQLITE_IOERR_WRITE")
_COLLECTIONS = {"collection.anki2", "collection.anki21", "collection.anki21b"}
"""Names that Anki looks for in a package, in the order of its own versions."""
CLIP_FORMATS = {
    each.name: each
    for each in (
        ClipFormat("apkg", "application/octet-stream"),
        ClipFormat("csv", "text/csv", write_csv, table=write_csv),
        ClipFormat("tsv", "text/tab-separated-values", write_tsv, table=write_tsv),
        ClipFormat("jsonl", "application/jsonl", write_json_lines),
        ClipFormat("md", "text/markdown", write_markdown_notes, by_source=True),
        ClipFormat("txt", "text/plain", notes=write_import_text),
    )
}
"""By name, which is the ending too."""
CLIP_ENDINGS = formats.list_endings(CLIP_FORMATS)


def find_clip_format(name: str) -> ClipFormat:
    """The format of this name. Raises ``InvalidInput`` (``unknown_format``)."""
    return formats.find_format(CLIP_FORMATS, name)


def find_clip_format_of_path(path: str | PurePath) -> ClipFormat:
    """The format that the ending of a path stands for. Raises ``InvalidInput`` (``unknown_format``)."""
    return formats.find_format_by_ending(CLIP_FORMATS, path)


def choose_columns(fields: NoteFields) -> Columns:
    """Columns for the fields of a note type that get something, without HTML, between the clip's id and its tags."""
    filled = fields.filled

    def values(clip: Clip) -> Iterator[object]:
        said = make_texts(clip) | {"SentenceAudio": clip.audio or "", "Picture": clip.picture or ""}
        yield clip.id
        for value in filled.values():
            yield said.get(value, "")
        yield " ".join(make_tags(clip))

    return Columns(("id", *filled, "tags"), values)


class ClipFile(TargetFile):
    """A file of clips that is no deck, on its way to its target."""

    EXAMPLE = "clips.csv"


def name_default_deck(profile: str) -> str:
    """Name of the profile's deck: "Lode", under it those of other profiles than the default one."""
    return "Lode" if profile == "default" else f"Lode::{profile}"


class DeckFile(TargetFile):
    """A deck on its way to its target; raises ``DeckError``, with the code ``not_a_deck`` for a file that is none."""

    KIND = DeckError
    NOUN = "deck"
    EXAMPLE = "lode.apkg"

    def check_replaceable(self, target: Path, shown: str) -> None:
        """Raise ``DeckError`` unless the file is a deck, which another export replaces, or is empty."""
        if target.stat().st_size == 0:
            return
        with suppress(OSError, zipfile.BadZipFile, NotImplementedError), zipfile.ZipFile(target) as archive:
            if not _COLLECTIONS.isdisjoint(archive.namelist()):
                return
        raise DeckError(
            f"{shown} exists and is no Anki deck", hint="name another file, or move that one away", code="not_a_deck"
        )

    def failed(self, error: OSError | sqlite3.Error) -> LodeError:
        if isinstance(error, sqlite3.Error):
            return self.unwritable(str(error), is_full=getattr(error, "sqlite_errorname", "") in _SQLITE_FULL)
        return super().failed(error)


def write_text(path: Path, pieces: Iterable[str], *, overwrite: bool = False) -> int:
    """Write a file piece by piece, whole or not at all; gives its size in bytes. Raises as ``TargetFile`` does."""
    with ClipFile(path, overwrite=overwrite) as file:
        for piece in pieces:
            file.write(piece.encode())
        return file.keep()
