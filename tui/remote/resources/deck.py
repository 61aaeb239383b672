"""The deck of a remote library, written on this machine."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

from tui.errors import DeckError
from tui.records import ExportReport
from tui.remote.client import Client


class RemoteDeck:
    def __init__(self, client: Client) -> None:
        self._client = client

    async def export(
        self, path: str | Path, *, name: str = "", dry_run: bool = False, overwrite: bool = False
    ) -> ExportReport:
        from tui.deck.target import DeckFile

        target = Path(path).expanduser()
        if target.is_dir():
            raise DeckError(f"{target} is a directory", hint=f"name a file in it: {target / 'lode.apkg'}")
        params = {"name": name} if name.strip() else {}
        report = await self._client.get(ExportReport, "/profiles/deck_report", params)
        if dry_run:
            return replace(report, path=str(target))

        async def written() -> int:
            with await asyncio.to_thread(DeckFile, target, overwrite=overwrite) as file:
                async with self._client.download("/profiles/deck_export", params) as pieces:
                    async for piece in pieces:
                        await asyncio.to_thread(file.write, piece)
                return await asyncio.to_thread(file.keep)

        return replace(report, path=str(target), size_bytes=await self._client.tried(written), written=True)
