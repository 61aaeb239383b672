"""Downloads: the deck of a remote library and a copy of its database, written on this machine."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import gettempdir
from typing import BinaryIO

from tui.errors import DeckError, InvalidInput, StoreError
from tui.exporting.moments import moment
from tui.records.exports import ALL_CLIPS, ClipSelection, ExportReport
from tui.records.note_fields import NoteFieldsCheck, NoteTypeFields
from tui.records.settings import SavedSettings
from tui.records.vocabulary import RunningAnki
from tui.regular_file import named_path
from tui.remote.client import Client
from tui.remote.encoding import Params
from tui.temporary import TemporaryDirectory, made_in_thread
from tui.text.sanitize import one_line


class RemoteDeck:
    def __init__(self, client: Client, anki: RunningAnki) -> None:
        self._client = client
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
        from tui.deck.formats import ClipFile, clip_format_of_path
        from tui.deck.target import DeckFile

        if merge_with is not None:
            raise _merged_there()

        target = named_path(path)
        if target.is_dir():
            raise DeckError(f"{target} is a directory", hint=f"name a file in it: {target / 'lode.apkg'}")
        wanted = clip_format_of_path(target)
        params = {"format": wanted.name, **({"name": name} if name.strip() else {}), **_selected(selection)}
        ids = self._client.ids(selection.ids) if selection.ids else None
        report = await self._report(params, ids)
        report = replace(report, path=str(target), format=wanted.name)
        if dry_run or not (report.clips or selection.is_all):
            return report
        kind = DeckFile if wanted.is_deck else ClipFile

        async def written() -> int:
            with await asyncio.to_thread(kind, target, overwrite=overwrite) as file:
                async with self._client.download("/profiles/deck_export", params, ids) as pieces:
                    return await file.write_all(pieces)

        return replace(report, size_bytes=await self._client.retried(written), written=True)

    async def _report(self, params: Params, ids: Mapping[str, list[str]] | None) -> ExportReport:
        if ids is None:
            return await self._client.get(ExportReport, "/profiles/deck_report", params)
        return await self._client.read(ExportReport, "/profiles/deck_report", ids, params)

    async def push(
        self,
        anki: RunningAnki | None = None,
        *,
        name: str = "",
        dry_run: bool = False,
        remove_deleted: bool = False,
    ) -> ExportReport:
        raise _merged_there()

    async def check_fields(self, source: Path | RunningAnki) -> NoteFieldsCheck:
        from tui.deck.note_fields import note_fields_of
        from tui.service.decks.note_types import note_types_in

        if isinstance(source, RunningAnki):
            source = source.or_else(self._anki)
        fields = note_fields_of(await self._client.get(SavedSettings, "/profiles/settings"))
        return await self.check_note_types(*await note_types_in(source, fields, Path(gettempdir())))

    async def check_note_types(self, note_types: Sequence[NoteTypeFields], source: str = "") -> NoteFieldsCheck:
        body = {"note_types": note_types, "source": source}
        return await self._client.read(NoteFieldsCheck, "/profiles/note_fields_check", body)


def _selected(selection: ClipSelection) -> dict[str, str]:
    """The selection but for its ids as parameters; a moment is one of this machine's time, wherever the server is."""
    since = moment(selection.since, field="since").isoformat() if selection.since else ""
    only_new = "true" if selection.only_new else ""
    params = {"q": selection.q, "tag": selection.tag, "since": since, "only_new": only_new}
    return {name: value for name, value in params.items() if value}


def _merged_there() -> DeckError:
    """Error of a merge with an Anki that is here while the library is a server's."""
    return DeckError(
        "a library on a server is not merged with Anki",
        hint="run lode on the server's machine, or export a deck without merging",
        code="no_merge_over_http",
    )


async def download_backup(client: Client, path: str | Path) -> Path:
    """Write a backup as ``Service.backup`` does; whatever breaks, there is no file or a whole one."""
    target = named_path(path)
    if target.exists() or target.is_symlink():
        raise InvalidInput(f"{target} exists already", hint="name a new file for the backup")
    if not target.parent.is_dir():
        raise InvalidInput(f"there is no directory {target.parent}", hint="make it first, or name another place")

    async def written() -> None:
        try:
            with await made_in_thread(lambda: TemporaryDirectory(target.parent)) as place:
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
