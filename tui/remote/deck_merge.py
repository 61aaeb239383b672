"""Merging the deck of a remote library with the Anki that is here: its notes are sent, and a package comes back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import replace
from pathlib import Path
from tempfile import gettempdir
from typing import TYPE_CHECKING

from tui import bounds
from tui.errors import LodeError
from tui.records.exports import ALL_CLIPS, ClipSelection, ExportReport, MergedDeck, MergeReport
from tui.records.settings import SavedSettings
from tui.remote.client import Client
from tui.remote.connection import Upload
from tui.remote.encoding import Params, searchable, sendable
from tui.remote.responses import bad_answer, decoded
from tui.system.regular_file import named_path

if TYPE_CHECKING:  # who reads a collection needs sqlite3, and the app over HTTP begins without it
    from tui.anki.notes import AnkiNotes
    from tui.deck.note_fields import NoteFields

_PATH = "/profiles/deck_merge"
_LONGEST_LINE = bounds.SERVER_PACKAGE.entry_bytes
"""Bytes of the line before a package: it numbers each note whose clip is no more."""


class RemoteMerge:
    """The library's part of merging, as ``push.MergingLibrary`` says; the server keeps nothing from call to call."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def note_fields(self) -> NoteFields:
        from tui.deck.note_fields import choose_note_fields

        return choose_note_fields(await self._client.read(SavedSettings, "/profiles/settings"))

    async def notes_in(self, path: str | Path) -> AnkiNotes:
        """The notes in a package or a collection. Raises ``ImportRefused``."""
        from tui.service.decks.deck_merge import anki_notes

        fields = await self.note_fields()
        return await asyncio.to_thread(anki_notes, named_path(path), Path(gettempdir()), fields)

    async def export(
        self, target: Path, anki: AnkiNotes, source: str, *, name: str, selection: ClipSelection, overwrite: bool
    ) -> ExportReport:
        """Write the merged deck to a file, and record it; where only that fails the report says so."""
        merged = await self.write_merged(target, anki, source, name=name, selection=selection, overwrite=overwrite)
        report = replace(merged.report, path=str(target))
        params = {**selected(selection), "name": report.deck, "as_of": merged.as_of}
        try:
            await self._client.tell(f"{_PATH}/written", self._client.ids(selection.ids), params)
        except LodeError:  # the deck is there all the same
            return replace(report, remembered=False)
        return report

    async def planned_merge(
        self, anki: AnkiNotes, source: str, *, name: str = "", selection: ClipSelection = ALL_CLIPS
    ) -> MergedDeck:
        params = _asked(name, selection)
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

        params, content = _asked(name, selection), self._sent(anki, source, selection)

        async def written() -> MergedDeck:
            with await asyncio.to_thread(DeckFile, path, overwrite=overwrite) as file:
                async with self._client.download(_PATH, params, content=content) as pieces:
                    line, rest = await _line_in(pieces)
                    file.write(rest)
                    merged = decoded(MergedDeck, line)
                    await file.write_all(pieces)
            return merged

        return await self._client.retried(written)

    async def record_arrived(self, anki: AnkiNotes, source: str, deck: str, as_of: str) -> MergeReport:
        params = {"name": deck, "as_of": as_of}
        return await self._client.send(
            MergeReport, f"{_PATH}/arrived", params, self._sent(anki, source, ALL_CLIPS), asks=True
        )

    def _sent(self, anki: AnkiNotes, source: str, selection: ClipSelection) -> Upload:
        """The notes as a body that can be sent again."""
        ids = tuple(self._client.ids(selection.ids)["ids"])

        async def pieces() -> AsyncGenerator[bytes, None]:
            from tui.anki.note_lines import pack_notes

            packed = pack_notes(anki, sendable(source), ids)
            while (piece := await asyncio.to_thread(next, packed, None)) is not None:
                yield piece

        return pieces


def selected(selection: ClipSelection) -> dict[str, str]:
    """The selection but for its ids as parameters; a moment is one of this machine's time, wherever the server is."""
    from tui.exporting.formats import read_moment

    since = read_moment(selection.since, field="since").isoformat() if selection.since else ""
    only_new = "true" if selection.only_new else ""
    params = {"q": searchable(selection.q), "tag": selection.tag, "since": since, "only_new": only_new}
    return {name: value for name, value in params.items() if value}


def _asked(name: str, selection: ClipSelection) -> Params:
    return {**({"name": name} if name.strip() else {}), **selected(selection)}


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
