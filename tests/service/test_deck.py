"""The deck as the service writes it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.service.libraries import both_every_day
from tui.errors import DeckError
from tui.records.clips import NewClip
from tui.service.protocol import Service


@both_every_day
async def test_an_export_that_was_refused_does_not_count_as_one(service: Service, tmp_path: Path) -> None:
    await service.clips.add(NewClip("Der Zug fährt ab."))
    diary = tmp_path / "diary.txt"
    diary.write_text("dear diary")
    planned = await service.deck.export(diary, dry_run=True)
    with pytest.raises(DeckError) as caught:
        await service.deck.export(diary)
    assert caught.value.code == "not_a_deck"
    assert diary.read_text() == "dear diary"
    assert await service.deck.export(diary, dry_run=True) == planned
    written = await service.deck.export(diary, overwrite=True)
    assert (written.new, written.written) == (1, True)
    assert (await service.deck.export(diary)).same == 1
