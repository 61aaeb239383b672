"""The whole way as a learner goes it: ten sentences of a film, into Anki, edited on both sides, and there again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.media.films import make_film
from tests.service.decks.test_anki_push import anki as anki
from tests.service.decks.test_anki_push import edit, notes, pushed
from tests.service.media.test_clip_media import add_clip, add_subtitle, linked
from tests.vocabulary.anki_collections import Collection
from tests.vocabulary.fake_anki_connect import FakeAnkiConnect
from tui.service.protocol import Service

pytestmark = pytest.mark.exhaustive

CUES = 10


def subtitle() -> str:
    return "\n".join(
        f"{at + 1}\n00:00:{2 * at:02},200 --> 00:00:{2 * at + 1:02},400\nHier ist der Satz mit der Nummer {at}.\n"
        for at in range(CUES)
    )


def imported(anki: FakeAnkiConnect, package: Path) -> None:
    anki.do(lambda each: anki.reply(each, {"action": "importPackage", "version": 6, "params": {"path": str(package)}}))


def media_of(anki: FakeAnkiConnect) -> tuple[list[str], list[str], int]:
    """What is missing in Anki's folder, what no note needs, and how many files there are."""
    found: list[tuple[list[str], list[str], int]] = []

    def look(collection: Collection) -> None:
        report = collection.col.media.check()
        found.append((list(report.missing), list(report.unused), len(list(Path(collection.col.media.dir()).iterdir()))))

    anki.do(look)
    return found[0]


@pytest.mark.parametrize("way", ["push", "file"])
async def test_ten_sentences_of_a_film_come_to_anki_and_nothing_is_lost_or_doubled(
    service: Service, anki: FakeAnkiConnect, tmp_path: Path, way: str
) -> None:
    film = make_film(tmp_path / "film.mkv", 2 * CUES + 1, languages=("de",))
    transcript = await add_subtitle(service, tmp_path, text=subtitle())
    await linked(service, transcript, film)
    clips = [await add_clip(service, transcript, at) for at in range(CUES)]
    deck, merged = tmp_path / "lode.apkg", tmp_path / "merged.apkg"
    assert (await service.deck.export(deck)).without_media == ()
    imported(anki, deck)
    first = notes(anki)
    assert len(first) == CUES
    assert all(note["SentenceAudio"].startswith("[sound:lode-") and "<img " in note["Picture"] for note in first)
    assert media_of(anki)[:2] == ([], [])

    edit(anki, 0, Translation="mine")
    for clip in clips[1:3]:
        await service.clips.edit(clip.id, replace(clip.contents(), translation="here", note="learn it"))
    if way == "push":
        report = await pushed(service, anki)
    else:
        collection = tmp_path / "Anki 2" / "User 1" / "collection.anki2"
        written = await service.deck.export(merged, merge_with=collection)
        assert written.merge is not None
        report = written.merge
        imported(anki, merged)
    assert (report.added, report.updated, report.same) == (0, 2, CUES - 2)
    after = notes(anki)
    assert [note["Translation"] for note in after] == ["mine", "here", "here", *[""] * (CUES - 3)]
    assert [note["SentenceAudio"] for note in after] == [note["SentenceAudio"] for note in first]
    assert media_of(anki)[:2] == ([], [])


async def test_a_film_that_is_linked_later_comes_onto_the_cards_that_anki_has(
    service: Service, anki: FakeAnkiConnect, tmp_path: Path
) -> None:
    transcript = await add_subtitle(service, tmp_path)
    clips = [await add_clip(service, transcript, at) for at in range(2)]
    await pushed(service, anki)
    edit(anki, 0, Picture="<b>mine</b>")
    film = make_film(tmp_path / "film.mkv", 6, languages=("de",))
    await linked(service, transcript, film)
    report = await pushed(service, anki)
    assert (report.added, report.updated, report.not_taken) == (0, 2, 0)
    first, second = notes(anki)
    assert (first["Picture"], first["SentenceAudio"][:12]) == ("<b>mine</b>", "[sound:lode-")
    assert "<img " in second["Picture"]
    missing, unused, files = media_of(anki)
    assert (missing, unused, files) == ([], [], 3)
    assert [clip.updated_at for clip in reversed((await service.clips.page()).items)] == [
        clip.updated_at for clip in clips
    ]
