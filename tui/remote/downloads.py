"""Downloads: the deck of a remote library and a copy of its database, written on this machine."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from tempfile import gettempdir
from typing import TYPE_CHECKING, BinaryIO

from tui.errors import DeckError, InvalidInput, StoreError
from tui.records.exports import ALL_CLIPS, ClipSelection, ExportReport
from tui.records.notes import NoteFieldsCheck
from tui.records.vocabulary import RunningAnki
from tui.remote.client import Client
from tui.remote.deck_merge import RemoteMerge, selected
from tui.remote.operations import RemotePart
from tui.remote.responses import bad_answer
from tui.service.protocol import Deck
from tui.system.regular_file import named_path
from tui.system.temporary import TemporaryDirectory, make_in_thread
from tui.text.sanitize import one_line

if TYPE_CHECKING:
    from tui.exporting.target_file import TargetFile


class RemoteDeck(RemotePart, Deck):
    """The deck of a remote library, written to files of this machine and merged with an Anki that runs here."""

    def __init__(self, client: Client, anki: RunningAnki) -> None:
        super().__init__(client)
        self._anki = anki
        self._merge = RemoteMerge(client)

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
        from tui.deck.apkg import DeckFile
        from tui.deck.formats import ClipFile, find_clip_format_of_path
        from tui.exporting.media_folder import find_media_folder
        from tui.service.decks.deck_merge import only_decks_merged

        target = named_path(path)
        if target.is_dir():
            raise DeckError(f"{target} is a directory", hint=f"name a file in it: {target / 'lode.apkg'}")
        wanted = find_clip_format_of_path(target)
        params = {"format": wanted.name, **({"name": name} if name.strip() else {}), **selected(selection)}
        anki = None
        if merge_with is not None:
            if not wanted.is_deck:
                raise only_decks_merged()
            anki = await self._merge.notes_in(merge_with)
        if anki is not None and dry_run:
            planned = await self._merge.planned_merge(anki, str(merge_with), name=name, selection=selection)
            return replace(planned.report, path=str(target))
        ids = self._client.ids(selection.ids) if selection.ids else None
        report = await self._client.read(ExportReport, "/profiles/deck_report", params, ids)
        report = replace(report, path=str(target), format=wanted.name)
        if dry_run or not (report.clips or selection.is_all):
            return report
        if anki is not None:
            return await self._merge.export(
                target, anki, str(merge_with), name=name, selection=selection, overwrite=overwrite
            )
        kind, folder = (DeckFile, None) if wanted.is_deck else (ClipFile, find_media_folder(target))
        params |= {"media": folder.name} if folder else {}

        async def written() -> int:
            with await asyncio.to_thread(kind, target, overwrite=overwrite) as file:
                async with self._client.download("/profiles/deck_export", params, ids) as pieces:
                    if folder is None:
                        return await file.write_all(pieces)
                    return await _write_unpacked(pieces, file, folder)

        return replace(report, size_bytes=await self._client.retried(written), written=True)

    async def push(
        self, anki: RunningAnki | None = None, *, name: str = "", dry_run: bool = False, remove_deleted: bool = False
    ) -> ExportReport:
        from tui.service.decks.push import push

        anki, place = (anki or self._anki).or_else(self._anki), Path(gettempdir())
        return await push(self._merge, anki, place, name=name, dry_run=dry_run, remove_deleted=remove_deleted)

    async def check_fields(self, source: Path | RunningAnki) -> NoteFieldsCheck:
        from tui.service.decks.push import note_types_in

        if isinstance(source, RunningAnki):
            source = source.or_else(self._anki)
        fields = await self._merge.note_fields()
        return await self.check_note_types(*await note_types_in(source, fields, Path(gettempdir())))


async def _write_unpacked(pieces: AsyncIterator[bytes], file: TargetFile, folder: Path) -> int:
    """Write a file of clips, and its folder of sounds and pictures, out of the ZIP file that both come in."""
    from tui.exporting.media_folder import unpack
    from tui.system.zip_bounds import ZIP_FAULTS

    packed = file.directory / "with_media.zip"
    try:
        with await asyncio.to_thread(_opened, packed) as archive:
            async for piece in pieces:
                await asyncio.to_thread(archive.write, piece)
        await asyncio.to_thread(unpack, packed, file.file, folder)
    except OSError as error:
        raise file.failed(error) from error
    except ZIP_FAULTS as error:
        raise bad_answer(str(error)) from error
    return await asyncio.to_thread(file.keep)


async def download_backup(client: Client, path: str | Path) -> Path:
    """Write a backup as ``Service.backup`` does; whatever breaks, there is no file or a whole one."""
    target = named_path(path)
    if target.exists() or target.is_symlink():
        raise InvalidInput(f"{target} exists already", hint="name a new file for the backup")
    if not target.parent.is_dir():
        raise InvalidInput(f"there is no directory {target.parent}", hint="make it first, or name another place")

    async def written() -> None:
        try:
            with await make_in_thread(lambda: TemporaryDirectory(target.parent)) as place:
                beside = place / "lode.db"
                with _opened(beside) as file:  # in a thread, cancelled, it would come back while its directory goes
                    async with client.download("/backup") as pieces:
                        async for piece in pieces:
                            await asyncio.to_thread(file.write, piece)
                    file.flush()
                    await asyncio.to_thread(os.fsync, file.fileno())
                beside.replace(target)
        except OSError as error:
            raise StoreError(
                f"{one_line(str(target))} cannot be written: {error.strerror or error}", hint="name another place"
            ) from error

    await client.retried(written)
    return target


def _opened(path: Path) -> BinaryIO:
    return path.open("xb")
