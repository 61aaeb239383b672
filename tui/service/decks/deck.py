"""Deck export: clips of the profile as an Anki package, merged with Anki or not, or in another format."""

import asyncio
import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TypeVar

from tui.anki.notes import AnkiNotes
from tui.deck import formats, note_fields
from tui.deck.apkg import write_deck
from tui.deck.note import deck_version, find_media_sha256, make_media_name
from tui.deck.note_fields import NoteFields, choose_note_fields
from tui.errors import DeckError, StoreError
from tui.exporting.target_file import find_media_folder, write_files
from tui.records.clip_selection import ALL_CLIPS, ClipSelection
from tui.records.exports import ExportReport, MergedDeck, MergeReport
from tui.records.notes import Note, NoteFieldsCheck, NoteTypeFields
from tui.records.vocabulary import RunningAnki
from tui.service.decks.deck_merge import Merging, anki_notes, note_sent, only_decks_merged
from tui.service.library import Library
from tui.service.media.clip_media import ClipMedia
from tui.service.notes import each_note, notes_in_decks
from tui.store import Store
from tui.store.rows import now
from tui.store.tables.decks import SentRow
from tui.system import regular_file
from tui.system.regular_file import named_path
from tui.text.sanitize import is_blank, one_line

T = TypeVar("T")
Check = Callable[[], None]
"""Called for each note, each sound and picture; what it raises ends the work."""


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


class LocalDeck:
    """The deck resource; ``anki`` is the running one that is meant where none is named."""

    def __init__(self, library: Library, media: ClipMedia, anki: RunningAnki) -> None:
        self._library = library
        self._profile = library.profile
        self._media = media
        self._anki = anki

    async def export(
        self,
        path: str | Path,
        *,
        name: str = "",
        selection: ClipSelection = ALL_CLIPS,
        dry_run: bool = False,
        overwrite: bool = False,
        merge_with: str | Path | None = None,
    ) -> ExportReport:
        """Export the clips, as ``protocol.Deck`` says."""
        deck, target, wanted = self._named(name, path)
        anki, source = None, ""
        if merge_with is not None:
            if not wanted.is_deck:
                raise only_decks_merged()
            package, source = named_path(merge_with), str(merge_with)
            fields, place = await self.note_fields(), self._library.database.directory
            anki = await self._library.database.run_long(lambda store, check: anki_notes(package, place, fields))
        if anki is not None and dry_run:
            merged = await self.planned_merge(anki, source, name=name, selection=selection)
            return replace(merged.report, path=str(target))
        if dry_run or not selection.is_all:
            planned = await self._library.run(lambda store: self._planned(store, deck, target, wanted, selection))
            if dry_run or not planned.report.clips:
                return planned.report
        if not (wanted.is_deck and selection.is_all and anki is None):
            return await self._recorded(
                await self.write(path, name=name, selection=selection, overwrite=overwrite, anki=anki, source=source)
            )
        without_media = await self._media.complete(self._profile)  # which may change what is exported
        state, report = await self._library.run(lambda store: self._as_it_was(store, deck, target, wanted))
        if report is not None:
            return replace(report, without_media=without_media)
        report = await self._recorded(await self.write(path, name=name, overwrite=overwrite))
        if report.remembered:
            with suppress(StoreError):  # then the next export writes it anew
                sha256 = await asyncio.to_thread(_sha256, target)
                await self._library.run(lambda store: store.exports.record_file(self._profile, deck, state, sha256))
        return report

    def _as_it_was(
        self, store: Store, deck: str, target: Path, wanted: formats.ClipFormat
    ) -> tuple[str, ExportReport | None]:
        """The state of what is exported, and the report where the last export left exactly that at the target."""
        state = store.exports.state(self._profile, deck_version(store.settings.get(self._profile)))
        sha256 = store.exports.file_of(self._profile, deck, state)
        if not sha256 or sha256 != _sha256(target):
            return state, None
        planned = self._planned(store, deck, target, wanted, ALL_CLIPS)
        return state, replace(planned.report, size_bytes=target.stat().st_size, written=True)

    async def write(
        self,
        path: str | Path,
        *,
        name: str = "",
        selection: ClipSelection = ALL_CLIPS,
        overwrite: bool = False,
        anki: AnkiNotes | None = None,
        source: str = "",
        media_folder: str | None = "",
    ) -> WrittenExport:
        """Write the file, which is no export before ``record_export`` gets what this gives.

        With ``anki`` the clips are merged with those notes, of a ``source`` that is told. What is no deck has its
        sounds and pictures in a folder beside it, which it calls ``media_folder`` if that is not ""; None leaves them
        out. It takes a minute for some hundred thousand clips; who is cancelled meanwhile leaves nothing behind.
        """
        deck, target, wanted = self._named(name, path)

        def write(store: Store, check: Check) -> WrittenExport:
            planned = self._planned(store, deck, target, wanted, selection)
            if wanted.is_deck:
                planned = self._write_deck(store, planned, check, anki, source, overwrite)
            else:
                self._write_text(store, planned, check, media_folder, overwrite)
            size = target.stat().st_size
            return replace(
                planned, report=replace(planned.report, size_bytes=size, written=True, without_media=without_media)
            )

        without_media = await self._media.complete(self._profile)
        return await self._library.database.run_long(write)

    def _write_deck(
        self, store: Store, planned: WrittenExport, check: Check, anki: AnkiNotes | None, source: str, overwrite: bool
    ) -> WrittenExport:
        """Raises ``DeckError``, and what ``check`` does."""
        report, settings = planned.report, store.settings.get(self._profile)
        fields = choose_note_fields(settings)

        def media(name: str) -> bytes | None:
            check()
            return store.media.content(find_media_sha256(name))

        def notes() -> Iterator[Note]:
            return _checked(notes_in_decks(store, self._profile, planned.selected), check)

        write = partial(write_deck, Path(report.path), report.deck, settings=settings, overwrite=overwrite, media=media)
        if anki is None:
            if fields.is_own:
                raise _no_package(fields.note_type)
            rows: list[SentRow] = []
            write(note_sent(notes(), rows, store))
            return replace(planned, sent=tuple(rows))
        merging = Merging.of(store, anki, fields, source)
        write(merging.notes(notes), note_types=merging.note_types)
        orphans = tuple(note.id for note in merging.orphans)
        report = replace(report, merge=merging.report(source))
        return replace(planned, report=report, sent=tuple(merging.sent_rows), orphans=orphans)

    def _write_text(
        self, store: Store, planned: WrittenExport, check: Check, media_folder: str | None, overwrite: bool
    ) -> None:
        profile, target, wanted = (
            self._profile,
            Path(planned.report.path),
            formats.find_clip_format(planned.report.format),
        )
        fields = choose_note_fields(store.settings.get(profile))
        content = store.media.content if media_folder is not None else lambda sha256: None
        clips = _checked(store.clips.each(profile, planned.selected), check)
        clips = write_files(clips, find_media_folder(target), content, make_media_name, media_folder or "")
        if wanted.clips is not None:
            as_table = wanted.table if fields.is_own else None
            pieces = as_table(clips, formats.choose_columns(fields)) if as_table else wanted.clips(clips)
            formats.write_text(target, pieces, overwrite=overwrite)
        elif wanted.notes is not None:
            for _ in clips:
                pass
            notes = _checked(each_note(store, profile, planned.selected), check)
            formats.write_text(target, wanted.notes(planned.report.deck, notes, fields), overwrite=overwrite)

    async def record_export(self, written: WrittenExport) -> None:
        """Record the export, once the deck is where it was to get: the next one is compared with it.

        What is no deck is no export to compare with.
        """

        def record(store: Store) -> None:
            store.sent_notes.record(written.sent)
            store.exports.record(self._profile, written.report.deck, written.as_of, written.selected)

        if written.report.is_deck:
            await self._library.run(record)

    async def _recorded(self, written: WrittenExport) -> ExportReport:
        try:
            await self.record_export(written)
        except StoreError:  # a full disk, say, or a library that can only be read: the deck is there all the same
            return replace(written.report, remembered=False)
        return written.report

    async def push(
        self, anki: RunningAnki | None = None, *, name: str = "", dry_run: bool = False, remove_deleted: bool = False
    ) -> ExportReport:
        """Push the deck into a running Anki, as ``protocol.Deck`` says."""
        from tui.service.decks.push import push

        anki, place = (anki or self._anki).or_else(self._anki), self._library.database.directory
        return await push(self, anki, place, name=name, dry_run=dry_run, remove_deleted=remove_deleted)

    async def planned_merge(
        self, anki: AnkiNotes, source: str, *, name: str = "", selection: ClipSelection = ALL_CLIPS
    ) -> MergedDeck:
        """Report on what merging those clips comes to, as ``push.MergingLibrary`` says."""
        deck, _, wanted = self._named(name, "deck.apkg")
        without_media = await self._media.complete(self._profile)  # before it is said what differs
        planned = await self._library.run(lambda store: self._planned(store, deck, Path(), wanted, selection))
        merge = (await self._read_and_merge(anki, planned.selected, source)).report(source)
        report = replace(planned.report, path="", merge=merge, without_media=without_media)
        return MergedDeck(report, planned.as_of)

    async def write_merged(
        self, path: Path, anki: AnkiNotes, source: str, *, name: str = "", selection: ClipSelection = ALL_CLIPS
    ) -> MergedDeck:
        """Write the deck of those clips, as ``push.MergingLibrary`` says."""
        written = await self.write(path, name=name, selection=selection, anki=anki, source=source)
        await self._library.run(lambda store: store.sent_notes.record(written.sent))
        return MergedDeck(written.report, written.as_of, written.orphans)

    async def record_arrived(self, anki: AnkiNotes, source: str, deck: str, as_of: str) -> MergeReport:
        """Record what of the deck is in Anki, as ``push.MergingLibrary`` says."""
        seen = await self._read_and_merge(anki, None, source)
        arrived = [row for row in seen.sent_rows if row[-1]]
        missing = [clip for clip, *_, is_there in seen.sent_rows if not is_there]

        def record(store: Store) -> None:
            store.sent_notes.record(arrived)
            selected = store.exports.all_but(self._profile, missing) if missing else None
            store.exports.record(self._profile, deck, as_of, selected)

        await self._library.run(record)
        return seen.report(source)

    async def _read_and_merge(self, anki: AnkiNotes, selected: Sequence[int] | None, source: str) -> Merging:
        """A merge that writes nothing, at its end."""

        def merge(store: Store, check: Check) -> Merging:
            merging = Merging.of(store, anki, choose_note_fields(store.settings.get(self._profile)), source)
            for _ in merging.notes(lambda: _checked(each_note(store, self._profile, selected), check)):
                pass
            return merging

        return await self._library.database.run_long(merge)

    async def check_fields(self, source: Path | RunningAnki) -> NoteFieldsCheck:
        """Compare the profile's note fields with those that are there, as ``protocol.Deck`` says."""
        from tui.service.decks.push import note_types_in

        fields = await self.note_fields()
        if isinstance(source, RunningAnki):
            source = source.or_else(self._anki)
        return await self.check_note_types(*await note_types_in(source, fields, self._library.database.directory))

    async def check_note_types(self, note_types: Sequence[NoteTypeFields], source: str = "") -> NoteFieldsCheck:
        return note_fields.check(await self.note_fields(), note_types, source)

    async def note_fields(self) -> NoteFields:
        return choose_note_fields(await self._library.settings())

    def _named(self, name: str, path: str | Path) -> tuple[str, Path, formats.ClipFormat]:
        """The deck's name, where the file goes, and its format. Raises ``DeckError`` and ``InvalidInput``."""
        target = named_path(path)
        if os.path.isdir(target):  # noqa: PTH112 - the one that never raises, whatever the name
            raise DeckError(f"{target} is a directory", hint=f"name a file in it: {target / 'lode.apkg'}")
        deck = formats.name_default_deck(self._profile) if is_blank(name) else name.strip()
        return deck, target, formats.find_clip_format_of_path(target)

    def _planned(
        self, store: Store, deck: str, target: Path, wanted: formats.ClipFormat, selection: ClipSelection
    ) -> WrittenExport:
        """What an export would have in it, and the moment of that."""
        as_of, profile = now(), self._profile
        selected = store.exports.select(profile, deck, selection, by_source=wanted.by_source)
        counts = store.exports.compare(profile, deck, selected)
        bare = store.exports.without_meaning(profile, selected)
        report = ExportReport(str(target), deck, *counts, 0, written=False, format=wanted.name, without_meaning=bare)
        return WrittenExport(report, as_of, selected)


def _no_package(note_type: str) -> DeckError:
    return DeckError(
        f"only Anki has the note type {one_line(note_type)[:80]!r} that the cards are to be of",
        hint="lode export OUT.apkg --from DECK.apkg takes it out of a deck; or put them straight into Anki: lode push",
        code="note_type_needed",
    )


def _checked(items: Iterable[T], check: Check) -> Iterator[T]:
    """The items; ``check`` is called before each, and ends them by what it raises."""
    for item in items:
        check()
        yield item


def _sha256(path: Path) -> str:
    """The SHA-256 of a file, "" where it is none, or cannot be read."""
    try:
        with regular_file.open_file(path) as file:
            return hashlib.file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]  # an opened file has readinto
    except OSError:
        return ""
