"""What a client was told is kept is there: after a kill, with a full disk, and at last in a real Anki."""

from __future__ import annotations

import threading
import time
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from tests.faults.small_disk import SmallDisk, small_disk
from tests.server.inbox.serving import MP3, PNG, InboxClient, Json, base64_of, make_note, serving_inbox
from tests.server_process import ServerProcess
from tests.service.decks.conftest import anki, collection, look, notes, pushed
from tests.store.conftest import run_sql
from tests.vocabulary.fake_anki_connect import FakeAnkiConnect
from tui.config import Settings
from tui.service.local import LocalService

__all__ = ["anki", "collection", "small_disk"]
pytestmark = pytest.mark.exhaustive
KILLS = 5


def sound_of(number: int) -> bytes:
    return MP3 + str(number).encode()


def add_until_killed(url: str, first: int, acknowledged: dict[int, int]) -> None:
    """Add one note with a sound after the other; those that were answered are noted with their number."""
    number = first
    with httpx.Client(base_url=url, timeout=30) as client:
        while True:
            audio = {"data": base64_of(sound_of(number)), "filename": "a.mp3", "fields": ["Audio"]}
            note = make_note("T", Sentence=f"Satz {number} mit Ton.", Audio="", audio=audio)
            try:
                answer = client.post("/", json={"action": "addNote", "version": 6, "params": {"note": note}})
            except httpx.HTTPError:
                return
            assert answer.json()["error"] is None, answer.text
            acknowledged[number] = answer.json()["result"]
            number += 1


def test_all_that_was_acknowledged_is_there_with_its_sound_after_kills(home: Path) -> None:
    acknowledged: dict[int, int] = {}
    for kill in range(KILLS):
        with ServerProcess(home, command="inbox") as server:
            before = len(acknowledged)
            adding = threading.Thread(target=add_until_killed, args=(server.url, kill * 10_000, acknowledged))
            adding.start()
            deadline = time.monotonic() + 60
            while len(acknowledged) < before + 3 + 7 * kill and time.monotonic() < deadline:
                time.sleep(0.003)
            server.kill()
            adding.join()
            assert len(acknowledged) > before
    rows = run_sql(
        home,
        "SELECT c.sentence, m.content, n.id FROM inbox_notes AS n JOIN clips AS c ON c.id = n.clip_id"
        " JOIN clip_media AS m ON m.sha256 = c.audio",
    )
    found = {sentence: (content, number) for sentence, content, number in rows}
    for number, note in acknowledged.items():
        assert found[f"Satz {number} mit Ton."] == (sound_of(number), note)
    assert len(found) - len(acknowledged) <= KILLS, "but for one at each kill, whose answer did not arrive"
    assert run_sql(home, "PRAGMA integrity_check") == [("ok",)]
    with ServerProcess(home, command="inbox") as server:
        request: Json = {"action": "findNotes", "version": 6, "params": {"query": "added:1"}}
        listed = httpx.post(server.url, json=request).json()["result"]
        assert set(acknowledged.values()) <= set(listed)
        assert (server.stop(), server.said[-1]) == (0, "stopped")


async def test_on_a_full_disk_a_client_is_told_and_what_was_there_stays(small_disk: SmallDisk) -> None:
    settings = Settings(home=small_disk.path / "home", config_path=small_disk.path / "config.toml")
    service = LocalService(settings)
    audio = {"data": base64_of(MP3 + bytes(200_000)), "filename": "a.mp3", "fields": ["Audio"]}
    async with serving_inbox(service) as inbox:
        first = await inbox.result("addNote", note=make_note("T", Sentence="Der Zug.", Audio="", audio=audio))
        small_disk.fill(16_384)
        refused = 0
        for number in range(30):
            other = {**audio, "data": base64_of(MP3 + bytes(200_000) + bytes([number]))}
            note = make_note("T", Sentence=f"Zug {number}.", Audio="", audio=other)
            answer = await inbox.call("addNote", note=note)
            refused += answer["result"] is None
            assert answer["error"] is None or "unexpected" not in answer["error"], answer
        assert refused
        small_disk.make_room()
        last = await inbox.result("addNote", note=make_note("T", Sentence="Noch ein Zug.", Audio="", audio=audio))
        listed = await inbox.result("findNotes", query="added:1")
        assert (listed[0], listed[-1], len(listed)) == (first, last, 32 - refused)
        assert all(clip.audio for clip in await inbox.clips())
    await service.close()


@pytest.fixture
async def inbox(settings: Settings, anki: FakeAnkiConnect) -> AsyncIterator[InboxClient]:
    """An inbox beside which a real collection is open in Anki."""
    service = LocalService(replace(settings, anki_url=anki.address), environ={})
    async with serving_inbox(service) as client:
        yield client
    await service.close()


async def test_a_real_anki_gets_each_card_once_with_sound_and_picture(
    inbox: InboxClient, anki: FakeAnkiConnect
) -> None:
    number = await inbox.result("addNote", note=make_note(Expression="Zug", Sentence="Der <b>Zug</b> fährt ab."))
    names = [
        await inbox.result("storeMediaFile", filename=name, data=base64_of(content))
        for name, content in (("a.mp3", MP3), ("a.png", PNG))
    ]
    fields = {"SentenceAudio": f"[sound:{names[0]}]", "Picture": f'<img src="{names[1]}">'}
    await inbox.result("updateNoteFields", note={"id": number, "fields": fields})
    await inbox.result("addTags", notes=[number], tags="film")
    again = make_note(Expression="Zug", Sentence="Der Zug fährt ab!")
    assert await inbox.result("addNote", note=again) > number
    await inbox.clip_that(lambda clip: clip.focus and clip.focus.meanings)
    first = await pushed(inbox.service, anki)
    assert (first.added, first.updated) == (1, 0)
    for _ in range(2):
        report = await pushed(inbox.service, anki)
        assert (report.added, report.updated, report.same) == (0, 0, 1)
    (note,) = notes(anki)
    assert "<b>Zug</b>" in note["Sentence"] and note["tags"] == ["film"]
    folder = Path(look(anki, lambda collection: collection.col.media.dir()))
    sound = note["SentenceAudio"].removeprefix("[sound:").removesuffix("]")
    picture = note["Picture"].partition('src="')[2].partition('"')[0]
    assert ((folder / sound).read_bytes(), (folder / picture).read_bytes()) == (MP3, PNG)
    report = look(anki, lambda collection: collection.col.media.check())
    assert (list(report.missing), list(report.unused)) == ([], [])


async def test_words_of_the_running_anki_are_doubles(inbox: InboxClient, anki: FakeAnkiConnect) -> None:
    anki.do(lambda collection: collection.note("食べる", "to eat"))
    words = ["食べる", "飲む", "食べる"]
    asked = [make_note("T", "Mining::Japanese", Expression=word, options={"allowDuplicate": False}) for word in words]
    assert await inbox.result("canAddNotes", notes=asked) == [False, True, False]
    assert [action for action, _ in anki.asked] == ["deckNames", "modelNames", "modelFieldNames", "canAddNotes"]
    assert await inbox.result("canAddNotes", notes=asked) == [False, True, False]
    assert len(anki.asked) == 4, "it is known by now"
    answer = await inbox.call(
        "addNote", note=make_note("T", "Mining::Japanese", Expression="食べる", Sentence="私は食べる。")
    )
    assert "duplicate" in answer["error"]
