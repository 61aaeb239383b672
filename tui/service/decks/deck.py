"""Deck export: clips of the profile as an Anki package, merged with Anki or not, or in another format."""

from __future__ import annotations

import asyncio
import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from tui.errors import DeckError, StoreError
from tui.exporting.formats import read_moment
from tui.records.exports import ALL_CLIPS, ClipSelection, ExportReport, MergedDeck, MergeReport
from tui.records.notes import NoteFieldsCheck, NoteTypeFields
from tui.records.vocabulary import USUAL_ANKI, RunningAnki
from tui.service.library import Library
from tui.service.notes import each_note, notes_in_decks
from tui.system import regular_file
from tui.system.regular_file import named_path
from tui.text.sanitize import is_blank, one_line

if TYPE_CHECKING:
    from tui.anki.notes import AnkiNotes
    from tui.deck.formats import ClipFormat
    from tui.deck.note_fields import NoteFields
    from tui.records.notes import Note
    from tui.service.decks.deck_merge import Merging
    from tui.service.media.clip_media import ClipMedia
    from tui.store import Store
    from tui.store.tables.decks import SentRow

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


class LocalDeck:
    """The deck resource; ``anki`` is the running one that is meant where none is named."""

    def __init__(self, library: Library, media: ClipMedia, anki: RunningAnki = USUAL_ANKI) -> None:
        self._library = library
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
            from tui.service.decks.deck_merge import only_decks_merged

            if not wanted.is_deck:
                raise only_decks_merged()
            anki, source = await self._anki_notes(merge_with, await self.note_fields()), str(merge_with)
        if anki is not None and dry_run:
            merged = await self.planned_merge(anki, source, name=name, selection=selection)
            return replace(merged.report, path=str(target))
        if dry_run or not selection.is_all:
            planned = await self._library.run(lambda store: self._planned(store, deck, str(target), wanted, selection))
            if dry_run or not planned.report.clips:
                return planned.report
        if not (wanted.is_deck and selection.is_all and anki is None):
            written = await self.write(
                path, name=name, selection=selection, overwrite=overwrite, anki=anki, source=source
            )
            return await self._recorded(written)
        without_media = await self._media.complete(self._library.profile)  # which may change what is exported
        state, report = await self._library.run(lambda store: self._as_it_was(store, deck, target))
        if report is not None:
            return replace(report, without_media=without_media)
        report = await self._recorded(await self.write(path, name=name, overwrite=overwrite))
        if report.remembered:
            with suppress(StoreError):  # then the next export writes it anew
                sha256 = await asyncio.to_thread(_sha256, target)
                await self._library.run(
                    lambda store: store.exports.record_file(self._library.profile, deck, state, sha256)
                )
        return report

    def _as_it_was(self, store: Store, deck: str, target: Path) -> tuple[str, ExportReport | None]:
        """The state of what is exported, and the report where the last export left exactly that at the target."""
        from tui.deck import deck_version
        from tui.deck.formats import find_clip_format_of_path

        profile = self._library.profile
        state = store.exports.state(profile, deck_version(store.settings.get(profile)))
        sha256 = store.exports.file_of(profile, deck, state)
        if not sha256 or sha256 != _sha256(target):
            return state, None
        planned = self._planned(store, deck, str(target), find_clip_format_of_path(target), ALL_CLIPS)
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

        def write(store: Store, check: Callable[[], None]) -> WrittenExport:
            planned = self._planned(store, deck, str(target), wanted, selection)
            if wanted.is_deck:
                planned = self._write_deck(store, target, planned, check, anki, source, overwrite)
            else:
                self._write_text(store, target, planned, check, media_folder, overwrite)
            report = replace(
                planned.report, size_bytes=target.stat().st_size, written=True, without_media=without_media
            )
            return replace(planned, report=report)

        without_media = await self._media.complete(self._library.profile)
        return await self._library.database.run_long(write)

    def _write_deck(
        self,
        store: Store,
        target: Path,
        planned: WrittenExport,
        check: Callable[[], None],
        anki: AnkiNotes | None,
        source: str,
        overwrite: bool,
    ) -> WrittenExport:
        """Raises ``DeckError``, and what ``check`` does, which is called for each note, each sound and picture."""
        from tui.deck import write_deck
        from tui.deck.note import find_media_sha256
        from tui.deck.note_fields import choose_note_fields
        from tui.service.decks.deck_merge import Merging, note_sent

        profile, report = self._library.profile, planned.report
        settings = store.settings.get(profile)
        fields = choose_note_fields(settings)

        def media(name: str) -> bytes | None:
            check()
            return store.media.content(find_media_sha256(name))

        def notes() -> Iterator[Note]:
            return _checked(notes_in_decks(store, profile, planned.selected), check)

        write = partial(write_deck, target, report.deck, settings=settings, overwrite=overwrite, media=media)
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
        self,
        store: Store,
        target: Path,
        planned: WrittenExport,
        check: Callable[[], None],
        media_folder: str | None,
        overwrite: bool,
    ) -> None:
        from tui.deck.formats import choose_columns, find_clip_format, write_text
        from tui.deck.note import make_media_name
        from tui.deck.note_fields import choose_note_fields
        from tui.exporting.media_folder import find_media_folder, write_files

        profile, wanted = self._library.profile, find_clip_format(planned.report.format)
        fields = choose_note_fields(store.settings.get(profile))
        content = store.media.content if media_folder is not None else lambda sha256: None
        clips = _checked(store.clips.each(profile, planned.selected), check)
        clips = write_files(clips, find_media_folder(target), content, make_media_name, media_folder or "")
        if wanted.clips is not None:
            with_columns = wanted.table if fields.is_own else None
            pieces = with_columns(clips, choose_columns(fields)) if with_columns else wanted.clips(clips)
            write_text(target, pieces, overwrite=overwrite)
        elif wanted.notes is not None:
            for _ in clips:
                pass
            notes = _checked(each_note(store, profile, planned.selected), check)
            write_text(target, wanted.notes(planned.report.deck, notes, fields), overwrite=overwrite)

    async def record_export(self, written: WrittenExport) -> None:
        """Record the export, once the deck is where it was to get: the next one is compared with it.

        What is no deck is no export to compare with.
        """
        profile, report = self._library.profile, written.report

        def record(store: Store) -> None:
            store.sent_notes.record(written.sent)
            store.exports.record(profile, report.deck, written.as_of, written.selected)

        if report.is_deck:
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
        without_media = await self._media.complete(self._library.profile)  # before it is said what differs
        planned = await self._library.run(lambda store: self._planned(store, deck, "", wanted, selection))
        merge = (await self._merged(anki, planned.selected, source)).report(source)
        return MergedDeck(replace(planned.report, merge=merge, without_media=without_media), planned.as_of)

    async def write_merged(
        self, path: Path, anki: AnkiNotes, source: str, *, name: str = "", selection: ClipSelection = ALL_CLIPS
    ) -> MergedDeck:
        """Write the deck of those clips, as ``push.MergingLibrary`` says."""
        written = await self.write(path, name=name, selection=selection, anki=anki, source=source)
        await self._library.run(lambda store: store.sent_notes.record(written.sent))
        return MergedDeck(written.report, written.as_of, written.orphans)

    async def record_arrived(self, anki: AnkiNotes, source: str, deck: str, as_of: str) -> MergeReport:
        """Record what of the deck is in Anki, as ``push.MergingLibrary`` says."""
        profile, as_of = self._library.profile, _past(as_of)
        seen = await self._merged(anki, None, source)
        arrived = [row for row in seen.sent_rows if row[-1]]
        missing = [clip for clip, *_, is_there in seen.sent_rows if not is_there]

        def record(store: Store) -> None:
            store.sent_notes.record(arrived)
            selected = store.exports.all_but(profile, missing) if missing else None
            store.exports.record(profile, deck, as_of, selected)

        await self._library.run(record)
        return seen.report(source)

    async def record_merged(self, deck: str, as_of: str, selection: ClipSelection = ALL_CLIPS) -> None:
        """Record that a deck of those clips, as of a moment, was written to a file on another machine."""
        profile, as_of = self._library.profile, _past(as_of)

        def record(store: Store) -> None:
            store.exports.record(profile, deck, as_of, store.exports.select(profile, deck, selection))

        await self._library.run(record)

    async def _merged(self, anki: AnkiNotes, selected: Sequence[int] | None, source: str) -> Merging:
        """A merge that writes nothing, at its end."""
        from tui.deck.note_fields import choose_note_fields
        from tui.service.decks.deck_merge import Merging

        def merge(store: Store, check: Callable[[], None]) -> Merging:
            profile = self._library.profile
            merging = Merging.of(store, anki, choose_note_fields(store.settings.get(profile)), source)
            for _ in merging.notes(lambda: _checked(each_note(store, profile, selected), check)):
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
        from tui.deck.note_fields import check

        return check(await self.note_fields(), note_types, source)

    async def note_fields(self) -> NoteFields:
        from tui.deck.note_fields import choose_note_fields

        return choose_note_fields(await self._library.run(lambda store: store.settings.get(self._library.profile)))

    async def _anki_notes(self, path: str | Path, fields: NoteFields) -> AnkiNotes:
        from tui.service.decks.deck_merge import anki_notes

        directory = self._library.database.directory
        return await self._library.database.run_long(
            lambda store, check: anki_notes(named_path(path), directory, fields)
        )

    def _named(self, name: str, path: str | Path) -> tuple[str, Path, ClipFormat]:
        """The deck's name, where the file goes, and its format. Raises ``DeckError`` and ``InvalidInput``."""
        from tui.deck import name_default_deck
        from tui.deck.formats import find_clip_format_of_path

        target = named_path(path)
        if os.path.isdir(target):  # noqa: PTH112 - the one that never raises, whatever the name
            raise DeckError(f"{target} is a directory", hint=f"name a file in it: {target / 'lode.apkg'}")
        deck = name_default_deck(self._library.profile) if is_blank(name) else name.strip()
        return deck, target, find_clip_format_of_path(target)

    def _planned(
        self, store: Store, deck: str, target: str, wanted: ClipFormat, selection: ClipSelection
    ) -> WrittenExport:
        """What an export would have in it, and the moment of that."""
        from tui.store.rows import now

        as_of, profile = now(), self._library.profile
        selected = store.exports.select(profile, deck, selection, by_source=wanted.by_source)
        counts = store.exports.compare(profile, deck, selected)
        bare = store.exports.without_meaning(profile, selected)
        report = ExportReport(target, deck, *counts, 0, written=False, format=wanted.name, without_meaning=bare)
        return WrittenExport(report, as_of, selected)


def _no_package(note_type: str) -> DeckError:
    return DeckError(
        f"only Anki has the note type {one_line(note_type)[:80]!r} that the cards are to be of",
        hint="lode export OUT.apkg --from DECK.apkg takes it out of a deck; or put them straight into Anki: lode push",
        code="note_type_needed",
    )


def _checked(items: Iterable[T], check: Callable[[], None]) -> Iterator[T]:
    """The items; ``check`` is called before each, and ends them by what it raises."""
    for item in items:
        check()
        yield item


def _past(as_of: str) -> str:
    """The moment that somebody says a deck is of, now where it is still to come. Raises ``InvalidInput``."""
    from tui.store.rows import now, timestamp

    return min(timestamp(read_moment(as_of, field="as_of")), now())


def _sha256(path: Path) -> str:
    """The SHA-256 of a file, "" where it is none, or cannot be read."""
    digest = hashlib.sha256()
    try:
        with regular_file.open_file(path) as file:
            while piece := file.read(1 << 20):
                digest.update(piece)
    except OSError:
        return ""
    return digest.hexdigest()
