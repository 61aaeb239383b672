"""Files of an export: a deck, merged with Anki's notes or not, or clips in another format."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from tui.errors import DeckError
from tui.records.exports import ExportReport
from tui.records.notes import Note
from tui.service.notes import each_note
from tui.text.sanitize import one_line

if TYPE_CHECKING:
    from tui.anki.notes import AnkiNotes
    from tui.deck.formats import ClipFormat
    from tui.store import Store
    from tui.store.tables.sent_notes import SentRow

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class WrittenExport:
    """An export that was written: its report, the clips in it (None: all) as of a moment, and what is remembered of
    each note that was sent. ``orphans`` are numbers of the notes in Anki whose clips are no more.
    """

    report: ExportReport
    as_of: str
    selected: Sequence[int] | None
    sent: tuple[SentRow, ...] = ()
    orphans: tuple[int, ...] = ()


def write_deck_file(
    store: Store,
    profile: str,
    planned: WrittenExport,
    check: Callable[[], None],
    anki: AnkiNotes | None,
    source: str,
    *,
    overwrite: bool,
) -> WrittenExport:
    """Write a deck with what ``planned`` selects; with ``anki``, merged with those notes, of a ``source`` that is told.

    Raises ``DeckError``, and what ``check`` does, which is called for each note and each sound and picture.
    """
    from tui.deck import write_deck
    from tui.deck.note import find_media_sha256
    from tui.deck.note_fields import choose_note_fields
    from tui.service.decks.deck_merge import Merging, noted
    from tui.service.decks.decks_within import in_decks

    deck, target = planned.report.deck, Path(planned.report.path)
    settings = store.settings.get(profile)
    fields = choose_note_fields(settings)

    def media(name: str) -> bytes | None:
        check()
        return store.media.content(find_media_sha256(name))

    def notes() -> Iterator[Note]:
        return checked(in_decks(each_note(store, profile, planned.selected), store, profile), check)

    if anki is None:
        if fields.is_own:
            raise _no_package(fields.note_type)
        rows: list[SentRow] = []
        write_deck(target, deck, noted(notes(), rows, store), settings=settings, overwrite=overwrite, media=media)
        return replace(planned, sent=tuple(rows))
    merging = Merging.of(store, anki, fields, source)
    merged = merging.notes(notes)
    write_deck(target, deck, merged, settings=settings, overwrite=overwrite, note_types=merging.note_types, media=media)
    report = replace(planned.report, merge=merging.report(source))
    orphans = tuple(note.id for note in merging.orphans)
    return replace(planned, report=report, sent=tuple(merging.sent_rows), orphans=orphans)


def write_text_file(
    store: Store,
    profile: str,
    planned: WrittenExport,
    wanted: ClipFormat,
    check: Callable[[], None],
    *,
    overwrite: bool,
    media_folder: str | None,
) -> None:
    """Write a file that is no deck, with a folder of sounds and pictures beside it, unless ``media_folder`` is None.

    In the file the folder is called so, "" as it is.
    """
    from tui.deck.formats import choose_columns, write_text
    from tui.deck.note import make_media_name
    from tui.deck.note_fields import choose_note_fields
    from tui.exporting.media_folder import find_media_folder, write_files

    deck, target = planned.report.deck, Path(planned.report.path)
    fields = choose_note_fields(store.settings.get(profile))
    content = _no_content if media_folder is None else store.media.content
    clips = checked(store.clips.each(profile, planned.selected), check)
    clips = write_files(clips, find_media_folder(target), content, make_media_name, media_folder or "")
    if wanted.clips is not None:
        with_columns = wanted.table if fields.is_own else None
        pieces = with_columns(clips, choose_columns(fields)) if with_columns else wanted.clips(clips)
        write_text(target, pieces, overwrite=overwrite)
    elif wanted.notes is not None:
        for _ in clips:
            pass
        notes = checked(each_note(store, profile, planned.selected), check)
        write_text(target, wanted.notes(deck, notes, fields), overwrite=overwrite)


def _no_package(note_type: str) -> DeckError:
    return DeckError(
        f"only Anki has the note type {one_line(note_type)[:80]!r} that the cards are to be of",
        hint="lode export OUT.apkg --from DECK.apkg takes it out of a deck; or put them straight into Anki: lode push",
        code="note_type_needed",
    )


def _no_content(sha256: str) -> None:
    return None


def checked(items: Iterable[T], check: Callable[[], None]) -> Iterator[T]:
    """The items; ``check`` is called before each, and ends them by what it raises."""
    for item in items:
        check()
        yield item
