"""A damaged library of a server gives no backup over HTTP either, and says why."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults.damaged_library import small_library
from tests.faults.test_damage import DAMAGED_INDEX, lose_rows_of_an_index
from tests.server.serving import serving
from tui.config import Settings
from tui.errors import StoreError
from tui.remote.service import RemoteService


async def test_a_damaged_library_of_a_server_is_no_backup_and_its_full_look_says_so(
    settings: Settings, tmp_path: Path
) -> None:
    small_library(settings.home)
    lose_rows_of_an_index(settings.home / "lode.db")
    async with serving(settings) as served:
        service = RemoteService(served.url, "default")
        with pytest.raises(StoreError, match="no backup is written") as caught:
            await service.backup(tmp_path / "copy.db")
        assert DAMAGED_INDEX in caught.value.message
        assert caught.value.code == "library_damaged"
        full = await service.doctor(full=True)
        assert [finding.subject for finding in full if finding.state == "broken" and finding.group == "Library"] == [
            "integrity"
        ]
        await service.close()
    assert list(tmp_path.glob("*copy.db*")) == []
    assert list(settings.home.glob(".lode-tmp-*")) == []
