"""A copy of the remote library's database, written on this machine."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

from tui.errors import InvalidInput, StoreError
from tui.remote.client import Client
from tui.temporary import TemporaryDirectory, made_in_thread
from tui.text.sanitize import one_line


async def download_backup(client: Client, path: str | Path) -> Path:
    """As ``Service.backup``; whatever breaks, there is no file or a whole one."""
    target = Path(path).expanduser()
    if target.exists() or target.is_symlink():
        raise InvalidInput(f"{target} exists already", hint="name a new file for the backup")
    if not target.parent.is_dir():
        raise InvalidInput(f"there is no directory {target.parent}", hint="make it first, or name another place")

    async def written() -> None:
        try:
            with await made_in_thread(lambda: TemporaryDirectory(target.parent)) as place:
                beside = place / "lode.db"
                with await asyncio.to_thread(beside.open, "xb") as file:
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

    await client.tried(written)
    return target
