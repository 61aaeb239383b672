"""The deck of a remote library, written to files of this machine and merged with an Anki that runs here."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from tempfile import gettempdir
from typing import TYPE_CHECKING

from tui import bounds
from tui.errors import DeckError, LodeError
from tui.records.clip_selection import ALL_CLIPS, ClipSelection
from tui.records.exports import ExportReport, MergedDeck, MergeReport
from tui.records.notes import NoteFieldsCheck
from tui.records.settings import SavedSettings
from tui.records.vocabulary import RunningAnki
from tui.remote.client import Client
from tui.remote.encoding import Pieces, Upload, bad_answer, decoded, encoded, sendable, sendable_ids
from tui.remote.operations import RemotePart, selected
from tui.service.protocol import Deck
from tui.system.regular_file import named_path

if TYPE_CHECKING:  # who reads a collection needs sqlite3, and the app over HTTP begins without it
    from tui.anki.notes import AnkiNotes
    from tui.deck.note_fields import NoteFields
    from tui.exporting.target_file import TargetFile

_PATH = "/profiles/deck_merge"
_LONGEST_LINE = bounds.SERVER_PACKAGE.entry_bytes
"""Bytes of the line before a package: it numbers each note whose clip is no more."""


class RemoteDeck(RemotePart, Deck):
    """The deck of a remote library, written to files of this machine and merged with an Anki that runs here."""

    def __init__(self, client: Client, anki: RunningAnki) -> None:
        super().__init__(client)
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
        from tui.deck.formats import ClipFile, DeckFile, find_clip_format_of_path
        from tui.exporting.target_file import find_media_folder
        from tui.service.decks.deck_merge import only_decks_merged

        target = named_path(path)
        if target.is_dir():
            raise DeckError(f"{target} is a directory", hint=f"name a file in it: {target / 'lode.apkg'}")
        wanted = find_clip_format_of_path(target)
        params = {"format": wanted.name, **selected(selection, name)}
        anki = None
        if merge_with is not None:
            if not wanted.is_deck:
                raise only_decks_merged()
            anki = await self._notes_in(merge_with)
        if anki is not None and dry_run:
            planned = await self.planned_merge(anki, str(merge_with), name=name, selection=selection)
            return replace(planned.report, path=str(target))
        ids = {"ids": sendable_ids(selection.ids)} if selection.ids else None
        report = await self._client.read(ExportReport, "/profiles/deck_report", params, ids)
        report = replace(report, path=str(target), format=wanted.name)
        if dry_run or not (report.clips or selection.is_all):
            return report
        if anki is not None:
            return await self._export_merged(
                target, anki, str(merge_with), name=name, selection=selection, overwrite=overwrite
            )
        kind, folder = (DeckFile, None) if wanted.is_deck else (ClipFile, find_media_folder(target))
        params |= {"media": folder.name} if folder else {}

        async def write() -> int:
            with await asyncio.to_thread(kind, target, overwrite=overwrite) as file:
                async with self._client.download("/profiles/deck_export", params, ids) as pieces:
                    if folder is None:
                        return await file.write_all(pieces)
                    return await _write_unpacked(pieces, file, folder)

        return replace(report, size_bytes=await self._client.connection.retried(write), written=True)

    async def push(
        self, anki: RunningAnki | None = None, *, name: str = "", dry_run: bool = False, remove_deleted: bool = False
    ) -> ExportReport:
        from tui.service.decks.push import push

        anki, place = (anki or self._anki).or_else(self._anki), Path(gettempdir())
        return await push(self, anki, place, name=name, dry_run=dry_run, remove_deleted=remove_deleted)

    async def check_fields(self, source: Path | RunningAnki) -> NoteFieldsCheck:
        from tui.service.decks.push import note_types_in

        if isinstance(source, RunningAnki):
            source = source.or_else(self._anki)
        fields = await self.note_fields()
        return await self.check_note_types(*await note_types_in(source, fields, Path(gettempdir())))

    # Merging, as ``push.MergingLibrary`` says: notes are sent and a deck comes back; the server keeps nothing of them.

    async def note_fields(self) -> NoteFields:
        from tui.deck.note_fields import choose_note_fields

        return choose_note_fields(await self._client.read(SavedSettings, "/profiles/settings"))

    async def _notes_in(self, path: str | Path) -> AnkiNotes:
        """The notes in a package or a collection. Raises ``ImportRefused``."""
        from tui.service.decks.deck_merge import anki_notes

        fields = await self.note_fields()
        return await asyncio.to_thread(anki_notes, named_path(path), Path(gettempdir()), fields)

    async def _export_merged(
        self, target: Path, anki: AnkiNotes, source: str, *, name: str, selection: ClipSelection, overwrite: bool
    ) -> ExportReport:
        """Write the merged deck to a file, and record it; where only that fails the report says so."""
        merged = await self.write_merged(target, anki, source, name=name, selection=selection, overwrite=overwrite)
        report = replace(merged.report, path=str(target))
        params = {**selected(selection), "name": report.deck, "as_of": merged.as_of}
        try:
            await self._client.ask("POST", f"{_PATH}/written", params, encoded({"ids": sendable_ids(selection.ids)}))
        except LodeError:  # the deck is there all the same
            return replace(report, remembered=False)
        return report

    async def planned_merge(
        self, anki: AnkiNotes, source: str, *, name: str = "", selection: ClipSelection = ALL_CLIPS
    ) -> MergedDeck:
        params = selected(selection, name)
        content = self._sent(anki, source, selection)
        return await self._client.send(MergedDeck, f"{_PATH}/report", params, content, asks=True)

    async def write_merged(
        self,
        path: Path,
        anki: AnkiNotes,
        source: str,
        *,
        name: str = "",
        selection: ClipSelection = ALL_CLIPS,
        overwrite: bool = False,
    ) -> MergedDeck:
        from tui.deck.formats import DeckFile

        params, content = selected(selection, name), self._sent(anki, source, selection)

        async def write() -> MergedDeck:
            with await asyncio.to_thread(DeckFile, path, overwrite=overwrite) as file:
                async with self._client.download(_PATH, params, content=content) as pieces:
                    line, rest = await _line_in(pieces)
                    file.write(rest)
                    merged = decoded(MergedDeck, line)
                    await file.write_all(pieces)
            return merged

        return await self._client.connection.retried(write)

    async def record_arrived(self, anki: AnkiNotes, source: str, deck: str, as_of: str) -> MergeReport:
        params = {"name": deck, "as_of": as_of}
        return await self._client.send(
            MergeReport, f"{_PATH}/arrived", params, self._sent(anki, source, ALL_CLIPS), asks=True
        )

    def _sent(self, anki: AnkiNotes, source: str, selection: ClipSelection) -> Upload:
        """The notes as a body that can be sent again."""
        ids = tuple(sendable_ids(selection.ids))

        async def pieces() -> Pieces:
            from tui.anki.note_lines import pack_notes

            packed = pack_notes(anki, sendable(source), ids)
            while (piece := await asyncio.to_thread(next, packed, None)) is not None:
                yield piece

        return Upload(pieces)


async def _write_unpacked(pieces: AsyncIterator[bytes], file: TargetFile, folder: Path) -> int:
    """Write a file of clips, and its folder of sounds and pictures, out of the ZIP file that both come in."""
    from tui.exporting.target_file import unpack
    from tui.system.zip_bounds import ZIP_FAULTS

    packed = file.directory / "with_media.zip"
    try:
        with await asyncio.to_thread(packed.open, "xb") as archive:
            async for piece in pieces:
                await asyncio.to_thread(archive.write, piece)
        await asyncio.to_thread(unpack, packed, file.file, folder)
    except OSError as error:
        raise file.failed(error) from error
    except ZIP_FAULTS as error:
        raise bad_answer(str(error)) from error
    return await asyncio.to_thread(file.keep)


async def _line_in(pieces: AsyncIterator[bytes]) -> tuple[bytes, bytes]:
    """The first line, and what came with it of the rest. Raises ``RemoteError`` where there is none."""
    begun = bytearray()
    async for piece in pieces:
        begun += piece
        line, end, rest = begun.partition(b"\n")
        if end:
            return bytes(line), bytes(rest)
        if len(begun) > _LONGEST_LINE:
            break
    raise bad_answer("it has no report")
