"""Clips pushed into a running Anki: AnkiConnect over a real collection."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from tests.media.films import make_film
from tests.service.decks.conftest import edit, import_package, look, notes, pushed
from tests.service.libraries import near_and_far
from tests.service.media.test_clip_media import add_clip, add_subtitle, linked
from tests.vocabulary.fake_anki_connect import FakeAnkiConnect
from tests.voices.programs import Programs
from tests.voices.programs import programs as programs
from tui.config import Settings
from tui.deck.note_type import MODEL_ID
from tui.errors import ProviderError
from tui.records.clips import FocusWord, NewClip
from tui.records.vocabulary import RunningAnki
from tui.service.local import LocalService
from tui.service.protocol import Service

pytestmark = pytest.mark.exhaustive

ZUG = NewClip(
    "Der Zug fährt ab.", translation="The train leaves.", focus=FocusWord("Zug", language="de"), tags=("zug",)
)
CUES = 5


def media_of(anki: FakeAnkiConnect) -> tuple[list[str], list[str], int]:
    """What is missing in Anki's folder, what no note needs, and how many files there are."""
    report = look(anki, lambda collection: collection.col.media.check())
    folder = Path(look(anki, lambda collection: collection.col.media.dir()))
    return list(report.missing), list(report.unused), len(list(folder.iterdir()))


@near_and_far
async def test_pushes_and_files_double_and_lose_nothing(
    service: Service, anki: FakeAnkiConnect, tmp_path: Path
) -> None:
    clips = [await service.clips.add(replace(ZUG, sentence=f"Zug {at}")) for at in range(3)]
    planned = await pushed(service, anki, dry_run=True)
    assert (planned.added, notes(anki)) == (3, [])
    first = await pushed(service, anki)
    assert (first.added, first.updated, first.same, first.not_taken) == (3, 0, 0, 0)
    assert [note["mid"] for note in notes(anki)] == [MODEL_ID] * 3

    edit(anki, 0, "leech", Notes="mine", Translation="mine")
    edit(anki, 1, "marked")
    for clip in clips[:2]:
        now = await service.clips.get(clip.id)
        await service.clips.edit(clip.id, replace(now.contents(), translation="changed"))
    second = await pushed(service, anki)
    assert (second.added, second.updated, second.same, second.not_taken) == (0, 1, 2, 0)
    assert [(each.clip_id, each.word, each.conflicts) for each in second.kept] == [
        (clips[0].id, "Zug", ("Translation",))  # the word, without the marks of its language
    ]
    assert [note["Translation"] for note in notes(anki)] == ["mine", "changed", "The train leaves."]
    assert notes(anki)[0]["Notes"] == "mine"
    assert [note["tags"] for note in notes(anki)] == [["leech", "zug"], ["marked", "zug"], ["zug"]]

    file = tmp_path / "plain.apkg"
    await service.deck.export(file)
    import_package(anki, file)
    third = await pushed(service, anki)
    assert (third.added, third.updated, third.same, third.conflict_count) == (0, 0, 3, 0)
    assert len(notes(anki)) == 3
    assert not list((tmp_path / "Anki 2" / "User 1").glob(".lode-tmp-*"))


async def test_a_voice_is_pushed_and_goes_again(service: Service, anki: FakeAnkiConnect, programs: Programs) -> None:
    clip = await service.clips.add(ZUG)
    await pushed(service, anki)
    job = await service.media.speak()
    assert job is not None
    async for _ in service.jobs.follow([job.id]):
        pass
    now = await service.clips.get(clip.id)
    assert (now.updated_at, (await pushed(service, anki)).updated) == (clip.updated_at, 1)
    (note,) = notes(anki)
    assert (note["SentenceAudio"], "spoken by a machine" in note["MiscInfo"]) == (f"[sound:lode-{now.audio}.mp3]", True)
    await service.media.unspeak()
    assert (await pushed(service, anki)).updated == 1
    (note,) = notes(anki)
    assert (note["SentenceAudio"], "spoken by a machine" in note["MiscInfo"]) == ("", False)


async def test_notes_of_deleted_clips_are_told_and_removed_only_when_asked_and_come_back(
    service: Service, anki: FakeAnkiConnect, collection: Path, tmp_path: Path
) -> None:
    _, gone, edited = [await service.clips.add(replace(ZUG, sentence=f"Zug {at}")) for at in range(3)]
    await pushed(service, anki)
    other = LocalService(Settings(home=tmp_path / "other", config_path=tmp_path / "config.toml"))
    await other.clips.add(replace(ZUG, sentence="of another library"))
    await pushed(other, anki)
    await other.close()
    edit(anki, 2, Notes="mine", Translation="mine")
    await service.clips.delete(gone.id)
    await service.clips.delete(edited.id)
    for report in (await pushed(service, anki, dry_run=True, remove_deleted=True), await pushed(service, anki)):
        assert (report.deleted_count, report.removed) == (2, 0)
        assert [(each.clip_id, each.word, each.edited) for each in report.deleted] == [
            (gone.id, "Zug", False),
            (edited.id, "Zug", True),
        ]
    assert len(notes(anki)) == 4
    merged = await service.deck.export(tmp_path / "merged.apkg", merge_with=collection)
    assert merged.merge is not None and merged.merge.deleted_count == 2

    report = await pushed(service, anki, remove_deleted=True)
    assert (report.deleted_count, report.removed, report.same) == (2, 2, 1)
    first, stranger = [note["Sentence"] for note in notes(anki)]
    assert "</b> 0" in first
    assert "of another library" in stranger
    await service.undo()
    report = await pushed(service, anki, remove_deleted=True)
    assert (report.added, report.deleted_count, report.not_taken) == (1, 0, 0)
    assert [("</b> 2" in note["Sentence"]) for note in notes(anki)] == [False, True, False]


async def test_an_anki_whose_collection_is_elsewhere_or_that_lets_nobody_in_is_left_alone(
    service: Service, anki: FakeAnkiConnect, collection: Path, tmp_path: Path
) -> None:
    async def refusal(address: str = anki.address) -> ProviderError:
        with pytest.raises(ProviderError) as told:
            await service.deck.push(RunningAnki(address))
        return told.value

    anki.permission = "denied"
    assert (await refusal()).code == "anki_refused"
    anki.permission, anki.key = "granted", "secret"
    assert (await refusal()).code == "key_refused"
    anki.key = ""
    await service.clips.add(ZUG)
    await pushed(service, anki)
    away = collection.with_name("away")
    shutil.copytree(collection.parent, away, ignore=lambda place, names: [name for name in names if name == "away"])
    edit(anki, 0, Translation="mine")
    anki.do(lambda collection: collection.col.db.execute("update notes set mod = mod + 9"))
    for media in (away / "collection.media", tmp_path / "nowhere" / "collection.media"):
        anki.do(lambda collection, media=media: setattr(collection.col.media, "dir", lambda: str(media)))  # type: ignore[misc]  # bound now
        told = await refusal()
        assert told.code == "collection_out_of_reach"
    assert "--from" in told.hint
    assert (await refusal("http://anki.example.org:8765")).code == "collection_out_of_reach"
    assert notes(anki)[0]["Translation"] == "mine"


async def test_sentences_of_a_film_come_to_anki_and_by_file_or_push_nothing_is_lost_or_doubled(
    service: Service, anki: FakeAnkiConnect, collection: Path, tmp_path: Path
) -> None:
    film = make_film(tmp_path / "film.mkv", 2 * CUES + 1, languages=("de",))
    subtitle = "\n".join(
        f"{at + 1}\n00:00:{2 * at:02},200 --> 00:00:{2 * at + 1:02},400\nHier ist der Satz mit der Nummer {at}.\n"
        for at in range(CUES)
    )
    transcript = await add_subtitle(service, tmp_path, text=subtitle)
    await linked(service, transcript, film)
    clips = [await add_clip(service, transcript, at) for at in range(CUES)]
    deck, merged = tmp_path / "lode.apkg", tmp_path / "merged.apkg"
    assert (await service.deck.export(deck)).without_media == ()
    import_package(anki, deck)
    first = notes(anki)
    assert len(first) == CUES
    assert all(note["SentenceAudio"].startswith("[sound:lode-") and "<img " in note["Picture"] for note in first)
    assert media_of(anki)[:2] == ([], [])

    edit(anki, 0, Translation="mine")
    await service.clips.edit(clips[1].id, replace(clips[1].contents(), translation="here", note="learn it"))
    written = await service.deck.export(merged, merge_with=collection)
    assert written.merge is not None
    assert (written.merge.added, written.merge.updated, written.merge.same) == (0, 1, CUES - 1)
    import_package(anki, merged)
    await service.clips.edit(clips[2].id, replace(clips[2].contents(), translation="there"))
    report = await pushed(service, anki)
    assert (report.added, report.updated, report.same) == (0, 1, CUES - 1)
    after = notes(anki)
    assert [note["Translation"] for note in after] == ["mine", "here", "there", *[""] * (CUES - 3)]
    assert [note["SentenceAudio"] for note in after] == [note["SentenceAudio"] for note in first]
    assert media_of(anki)[:2] == ([], [])


async def test_a_film_linked_later_comes_onto_cards(service: Service, anki: FakeAnkiConnect, tmp_path: Path) -> None:
    transcript = await add_subtitle(service, tmp_path)
    clips = [await add_clip(service, transcript, at) for at in range(2)]
    await pushed(service, anki)
    edit(anki, 0, Picture="<b>mine</b>")
    await linked(service, transcript, make_film(tmp_path / "film.mkv", 6, languages=("de",)))
    report = await pushed(service, anki)
    assert (report.added, report.updated, report.not_taken) == (0, 2, 0)
    first, second = notes(anki)
    assert (first["Picture"], first["SentenceAudio"][:12]) == ("<b>mine</b>", "[sound:lode-")
    assert "<img " in second["Picture"]
    assert media_of(anki) == ([], [], 3)
    later = reversed((await service.clips.page()).items)
    assert [clip.updated_at for clip in later] == [clip.updated_at for clip in clips]
