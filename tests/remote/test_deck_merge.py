"""Decks of a library on a server, merged with the Anki that is here, over connections that break."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.remote.between import Between, Fault
from tests.server.serving import Served, serving
from tests.vocabulary.anki_collections import Collection
from tests.vocabulary.fake_anki_connect import FakeAnkiConnect, running_anki
from tui.anki.notes import AnkiNotes
from tui.config import Settings
from tui.errors import InvalidInput, ProviderError, RemoteError
from tui.records.clip_selection import ClipSelection
from tui.records.clips import FocusWord, NewClip
from tui.records.exports import MergedDeck, MergeReport
from tui.records.vocabulary import RunningAnki
from tui.remote.client import Client
from tui.remote.connection import Connection
from tui.remote.deck import RemoteDeck
from tui.remote.service import RemoteService
from tui.service.decks.push import RunningCollection, push

pytestmark = pytest.mark.exhaustive

ZUG = NewClip("Der Zug fährt ab.", translation="The train leaves.", focus=FocusWord("Zug", language="de"))
LOST: tuple[Fault, ...] = ("before",) * 3
"""A request that does not get through however often it is tried."""


@pytest.fixture
def anki(tmp_path: Path) -> Iterator[FakeAnkiConnect]:
    with running_anki(collection_of(tmp_path, "Anki")) as anki:
        yield anki


def collection_of(tmp_path: Path, name: str) -> Path:
    place = tmp_path / name
    place.mkdir()
    return place / "collection.anki2"


async def pushed(service: RemoteService, anki: FakeAnkiConnect, **how: Any) -> MergeReport:
    report = await service.deck.push(RunningAnki(anki.address), **how)
    assert report.merge is not None
    return report.merge


def values(anki: FakeAnkiConnect, field: str) -> list[str]:
    found: list[str] = []

    def read(collection: Collection) -> None:
        found.extend(collection.col.get_note(each)[field] for each in sorted(collection.col.find_notes("")))

    anki.do(read)
    return found


def edit(anki: FakeAnkiConnect, at: int, **changes: str) -> None:
    def change(collection: Collection) -> None:
        note = collection.col.get_note(sorted(collection.col.find_notes(""))[at])
        for name, value in changes.items():
            note[name] = value
        collection.col.update_note(note)

    anki.do(change)


async def exported(service: RemoteService) -> list[str]:
    return sorted(clip.exported for clip in (await service.clips.page()).items)


async def test_a_push_that_is_never_confirmed_loses_nothing_and_overwrites_no_edit(
    service: RemoteService, between: Between, anki: FakeAnkiConnect
) -> None:
    clips = [await service.clips.add(replace(ZUG, sentence=f"Zug {at}")) for at in range(2)]
    between.faults.extend((None, None, *LOST))  # the settings, the package, and what arrived
    with pytest.raises(RemoteError):
        await pushed(service, anki)
    assert len(values(anki, "Sentence")) == 2
    assert await exported(service) == ["never", "never"]

    edit(anki, 0, Translation="mine")
    for clip in clips:
        await service.clips.edit(clip.id, replace(clip.contents(), translation="changed"))
    report = await pushed(service, anki)
    assert (report.added, report.updated, report.kept_count, report.not_taken) == (0, 1, 1, 0)
    assert values(anki, "Translation") == ["mine", "changed"]
    assert await exported(service) == ["same", "same"]


async def test_a_package_that_is_cut_off_is_fetched_again_and_one_that_does_not_come_changes_nothing(
    service: RemoteService, between: Between, anki: FakeAnkiConnect, tmp_path: Path
) -> None:
    await service.clips.add(ZUG)
    between.faults.extend((None, *("in the answer",) * 3))
    with pytest.raises(RemoteError):
        await pushed(service, anki)
    assert values(anki, "Sentence") == []
    assert [each.name for each in (tmp_path / "Anki").iterdir() if each.name.startswith(".lode")] == []
    between.faults.extend((None, "in the answer", None, "unanswered"))
    report = await pushed(service, anki)
    assert (report.added, report.not_taken, len(values(anki, "Sentence"))) == (1, 0, 1)


class Meddling(RemoteDeck):
    """A library whose deck comes, and is what ``then`` makes of it before Anki gets it."""

    then: Callable[[MergedDeck], MergedDeck]

    async def write_merged(self, path: Path, anki: AnkiNotes, source: str, **how: Any) -> MergedDeck:
        return self.then(await super().write_merged(path, anki, source, **how))


async def test_what_an_anki_that_is_closed_after_the_merge_never_got_counts_as_never_exported(
    served: Served, service: RemoteService, tmp_path: Path
) -> None:
    clip, place = await service.clips.add(ZUG), collection_of(tmp_path, "Anki")
    connection = Connection(served.url)
    library = Meddling(Client(connection, "default"), RunningAnki())  # type: ignore[abstract]  # it has the rest by asking
    with running_anki(place) as anki:

        def close(merged: MergedDeck) -> MergedDeck:
            anki.close()
            return merged

        library.then = close
        with pytest.raises(ProviderError):
            await push(library, RunningAnki(anki.address), tmp_path, name="", dry_run=False, remove_deleted=False)
    await connection.close()
    assert await exported(service) == ["never"]
    assert [each.name for each in place.parent.iterdir() if each.name.startswith(".lode")] == []
    await service.clips.edit(clip.id, replace(ZUG, translation="changed"))
    with running_anki(place) as anki:
        report = await pushed(service, anki)
        assert (report.added, report.conflict_count, values(anki, "Translation")) == (1, 0, ["changed"])
        edit(anki, 0, Translation="mine")
        assert ((await pushed(service, anki)).kept_count, values(anki, "Translation")) == (1, ["mine"])
    assert await exported(service) == ["same"]


async def test_notes_that_anki_does_not_take_are_never_exported(service: RemoteService, anki: FakeAnkiConnect) -> None:
    await service.clips.add(ZUG)
    await pushed(service, anki)
    await service.clips.add(replace(ZUG, sentence="Noch ein Zug"))
    anki.not_done.add("importPackage")
    report = await pushed(service, anki)
    assert (report.added, report.not_taken) == (1, 1)
    assert await exported(service) == ["never", "same"]
    anki.not_done.clear()
    report = await pushed(service, anki)
    assert (report.added, report.not_taken, await exported(service)) == (1, 0, ["same", "same"])


async def test_two_pushes_into_one_anki_at_once_double_nothing(served: Served, anki: FakeAnkiConnect) -> None:
    services = [RemoteService(served.url) for _ in range(2)]
    for at in range(2):
        await services[0].clips.add(replace(ZUG, sentence=f"Zug {at}"))
    reports = await asyncio.gather(*(pushed(each, anki) for each in services))
    assert [(each.not_taken, each.conflict_count) for each in reports] == [(0, 0)] * 2
    assert len(values(anki, "Sentence")) == 2
    again = await pushed(services[0], anki)
    assert (again.added, again.updated, again.same) == (0, 0, 2)
    for service in services:
        await service.close()


async def test_a_merged_file_counts_as_exported_once_it_is_written(
    service: RemoteService, between: Between, anki: FakeAnkiConnect, tmp_path: Path
) -> None:
    first, _ = [await service.clips.add(replace(ZUG, sentence=f"Zug {at}")) for at in range(2)]
    target, collection = tmp_path / "out.apkg", tmp_path / "Anki" / "collection.anki2"
    one = ClipSelection(ids=(first.id,))
    report = await service.deck.export(target, selection=one, merge_with=collection)
    assert report.merge is not None
    assert (report.path, report.merge.added, report.merge.source) == (str(target), 1, str(collection))
    assert (report.size_bytes, report.remembered) == (target.stat().st_size, True)
    assert await exported(service) == ["never", "same"]

    between.faults.extend((None, None, None, *LOST))  # the settings, the report, the package, and that it is there
    report = await service.deck.export(target, merge_with=collection)
    assert (report.written, report.remembered) == (True, False)
    assert await exported(service) == ["never", "same"]
    (tmp_path / "notes.apkg").write_text("no deck")
    with pytest.raises(Exception, match="is no Anki deck"):
        await service.deck.export(tmp_path / "notes.apkg", merge_with=collection)
    with pytest.raises(InvalidInput, match="only a deck"):
        await service.deck.export(tmp_path / "notes.csv", merge_with=collection)
    none = await service.deck.export(target, selection=ClipSelection(q="nothing"), merge_with=collection)
    assert (none.written, none.merge) == (False, None)


async def test_a_server_that_is_started_anew_between_package_and_confirmation_knows_what_it_needs(
    settings: Settings, anki: FakeAnkiConnect, tmp_path: Path
) -> None:
    collection = RunningCollection(RunningAnki(anki.address), tmp_path)
    merged: MergedDeck | None = None
    for _ in range(2):
        async with serving(settings) as served:
            service, connection = RemoteService(served.url), Connection(served.url)
            merge = RemoteDeck(Client(connection, "default"), RunningAnki())  # type: ignore[abstract]  # as above
            notes = await collection.notes(await merge.note_fields())
            if merged is None:
                await service.clips.add(ZUG)
                async with collection.package() as package:
                    merged = await merge.write_merged(package, notes, "anki")
                    await collection.anki.import_package(package)
            else:
                seen = await merge.record_arrived(notes, "anki", merged.report.deck, merged.as_of)
                assert (seen.added, seen.updated, seen.same) == (0, 0, 1)
                assert await exported(service) == ["same"]
            await service.close()
            await connection.close()


async def test_of_two_ankis_pushed_into_each_gets_all(served: Served, anki: FakeAnkiConnect, tmp_path: Path) -> None:
    with ExitStack() as stack:
        other = stack.enter_context(running_anki(collection_of(tmp_path, "other")))
        services = [RemoteService(served.url) for _ in range(2)]
        clip = await services[0].clips.add(ZUG)
        both = list(zip(services, (anki, other), strict=True))
        await asyncio.gather(*(pushed(*each) for each in both))
        edit(other, 0, Translation="mine")
        await services[0].clips.edit(clip.id, replace(ZUG, translation="changed"))
        reports = await asyncio.gather(*(pushed(*each) for each in both))
        assert [(each.updated, each.conflict_count, each.not_taken) for each in reports] == [(1, 0, 0), (0, 1, 0)]
        assert (values(anki, "Translation"), values(other, "Translation")) == (["changed"], ["mine"])
        for service in services:
            await service.close()


async def test_no_server_gets_foreign_notes_removed(served: Served, anki: FakeAnkiConnect, tmp_path: Path) -> None:
    connection = Connection(served.url)
    library = Meddling(Client(connection, "default"), RunningAnki())  # type: ignore[abstract]  # it has the rest by asking
    anki.do(lambda collection: collection.note("mine"))
    others: list[int] = []
    anki.do(lambda collection: others.extend(collection.col.find_notes("")))
    library.then = lambda merged: replace(merged, orphans=(*merged.orphans, *others))  # whatever it says of them
    asked = RunningAnki(anki.address)
    await push(library, asked, tmp_path, name="", dry_run=False, remove_deleted=True)
    left: list[int] = []
    anki.do(lambda collection: left.extend(collection.col.find_notes("")))
    assert left == others
    await connection.close()
