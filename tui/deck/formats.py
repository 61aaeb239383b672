"""Formats in which clips are exported: a row each, found by the ending of the file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePath

from tui.deck.import_text import import_text
from tui.deck.note import tags, texts
from tui.deck.note_fields import NoteFields
from tui.exporting import format_names
from tui.exporting.clips.json_lines import json_lines
from tui.exporting.clips.markdown_notes import markdown_notes
from tui.exporting.clips.tables import Columns, comma_separated, tab_separated
from tui.exporting.target_file import TargetFile
from tui.records.clips import Clip
from tui.records.notes import Note


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


CLIP_FORMATS = {
    each.name: each
    for each in (
        ClipFormat("apkg", "application/octet-stream"),
        ClipFormat("csv", "text/csv", comma_separated, table=comma_separated),
        ClipFormat("tsv", "text/tab-separated-values", tab_separated, table=tab_separated),
        ClipFormat("jsonl", "application/jsonl", json_lines),
        ClipFormat("md", "text/markdown", markdown_notes, by_source=True),
        ClipFormat("txt", "text/plain", notes=import_text),
    )
}
"""By name, which is the ending too."""
CLIP_ENDINGS = format_names.endings(CLIP_FORMATS)


def clip_format(name: str) -> ClipFormat:
    """The format of this name. Raises ``InvalidInput`` (``unknown_format``)."""
    return format_names.format_named(CLIP_FORMATS, name)


def clip_format_of_path(path: str | PurePath) -> ClipFormat:
    """The format that the ending of a path stands for. Raises ``InvalidInput`` (``unknown_format``)."""
    return format_names.format_of_ending(CLIP_FORMATS, path)


def columns_of(fields: NoteFields) -> Columns:
    """Columns for the fields of a note type that get something, without HTML, between the clip's id and its tags."""
    filled = fields.filled

    def values(clip: Clip) -> Iterator[object]:
        said = texts(clip) | {"SentenceAudio": clip.audio or "", "Picture": clip.picture or ""}
        yield clip.id
        for value in filled.values():
            yield said.get(value, "")
        yield " ".join(tags(clip))

    return Columns(("id", *filled, "tags"), values)


class ClipFile(TargetFile):
    """A file of clips that is no deck, on its way to its target."""

    EXAMPLE = "clips.csv"


def write_text(path: Path, pieces: Iterable[str], *, overwrite: bool = False) -> int:
    """Write a file piece by piece, whole or not at all; gives its size in bytes. Raises as ``TargetFile`` does."""
    with ClipFile(path, overwrite=overwrite) as file:
        for piece in pieces:
            file.write(piece.encode())
        return file.keep()
