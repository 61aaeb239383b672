"""The deck as the service writes it."""

from __future__ import annotations

import asyncio
import os
from dataclasses import replace
from pathlib import Path

import pytest

from tests.service.libraries import both_every_day, only_here
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


@only_here  # over HTTP the file is another one each time
async def test_a_file_that_is_the_deck_already_is_left_as_it_is(service: Service, tmp_path: Path) -> None:
    clip = await service.clips.add(NewClip("Der Zug fährt ab."))
    deck = tmp_path / "lode.apkg"
    first = await service.deck.export(deck)
    os.utime(deck, (1, 1))
    again = await service.deck.export(deck)
    assert deck.stat().st_mtime == 1
    assert again == replace(first, new=0, same=1)
    for change in (
        lambda: service.clips.edit(clip.id, NewClip("Der Zug kommt an.")),
        lambda: service.clips.add(NewClip("Er fährt.")),
        lambda: service.clips.delete(clip.id),
        lambda: asyncio.to_thread(deck.write_bytes, deck.read_bytes() + b"\0"),
        lambda: asyncio.to_thread(deck.unlink),
    ):
        await change()
        await service.deck.export(deck)
        assert deck.stat().st_mtime > 1
        os.utime(deck, (1, 1))
