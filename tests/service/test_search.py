"""A search of everything gives the hits of each group, near and over HTTP."""

from pathlib import Path

import pytest

from tests.service.steps import german, refusal, story
from tui.errors import InvalidInput
from tui.records.clips import FocusWord, NewClip
from tui.records.words import WordMark
from tui.service.protocol import Service


async def test_each_group_has_its_hits_with_their_places(service: Service, tmp_path: Path) -> None:
    transcript = await story(service, tmp_path)
    clip = await service.clips.add(NewClip("Der Zug kommt.", focus=FocusWord("Zug", language="de"), source="Buch"))
    groups = {group.name: group for group in await service.search("zug")}
    assert list(groups) == [name for name in ("sentences", "transcripts", "clips", "words") if name in groups]
    hit = groups["sentences"].hits[0]
    assert (hit.id, hit.title, hit.text[slice(*hit.spans[0])]) == (transcript.id, transcript.title, "Zug")
    cue = (await service.transcripts.cues(transcript.id, offset=hit.cue_index or 0, limit=1)).items[0]
    assert (cue.text.replace("\n", " "), cue.start_ms) == (hit.text, hit.start_ms)
    assert [(each.id, each.detail, each.title) for each in groups["clips"].hits] == [(clip.id, "Zug", "Buch")]
    assert [each.text for each in groups["words"].hits][:1] == ["Zug"]
    (only,) = await service.search("zug", group="clips", limit=1)
    assert (only.name, only.more, len(only.hits)) == ("clips", False, 1)
    (none,) = await service.search("nichtsdergleichen", group="clips")
    assert none.hits == ()
    assert await service.search("…") == ()


async def test_more_than_asked_for_is_told_and_a_group_that_there_is_none_of_refused(
    service: Service, tmp_path: Path
) -> None:
    for number in range(3):
        await service.clips.add(NewClip(f"Satz {number}"))
    (group,) = await service.search("satz", group="clips", limit=2)
    assert (len(group.hits), group.more) == (2, True)
    refused = await refusal(service.search("satz", group="films"))
    assert isinstance(refused, InvalidInput)
    assert refused.field == "group"
    with pytest.raises(InvalidInput, match="too long"):
        await service.search("x" * 1001)


async def test_sentences_are_found_by_how_many_of_their_words_are_new_once_these_were_counted(
    service: Service, tmp_path: Path
) -> None:
    transcript = await german(
        service, tmp_path, "Der Zug kommt.\nDer Zug hält.\nDer Zug. Der Hund.\nEr kommt.\nDer Zug"
    )
    await service.known_words.mark([WordMark("de", lemma) for lemma in ("der", "Zug")])
    await service.known_words.mark([WordMark("de", "er", state="learning")])

    async def found(q: str) -> list[int | None]:
        (group,) = await service.search(q, group="sentences")
        return [hit.cue_index for hit in group.hits]

    assert await found("new:1") == []
    await service.known_words.counts(transcript)
    assert await found("new:1") == [2, 1, 0]
    assert await found("new:0") == [4, 2]
    assert await found("new:0-1 zug") == [4, 2, 1, 0]
    assert await found("-new:1 zug") == [4]
    assert await found("kommen new:1") == [0]
    assert await found("new:many") == await found("new:5-2") == await found('new:"1 2 x"') == []


async def test_transcripts_are_found_by_how_many_of_their_words_are_new(service: Service, tmp_path: Path) -> None:
    few = await german(service, tmp_path, "Der Zug kommt.")
    many = await german(service, tmp_path, "Der Hund bellt und der Zug hält im Regen.")
    await service.known_words.mark([WordMark("de", lemma) for lemma in ("der", "Zug")])

    async def found(q: str) -> set[str]:
        return {each.id for each in (await service.transcripts.page(q=q)).items}

    assert await found("new:1") == await found("-new:2-99") == {few}
    assert await found("hund new:2-9") == await found("-new:1") == {many}
    assert await found("new:many") == set()
    await service.known_words.mark([WordMark("de", "kommen")])
    assert await found("new:0") == {few}
    assert [group.name for group in await service.transcripts.find_groups("series", q="new:0")] == [""]


async def test_notes_at_sentences_are_found_by_their_words_and_by_the_fields_of_their_transcripts(
    service: Service, tmp_path: Path
) -> None:
    transcript = await german(service, tmp_path, "Der Zug kommt.\nEr hält.\nEr fährt ab.")
    await service.transcripts.note(transcript, 0, "ask Anna: why kommt?")
    await service.transcripts.note(transcript, 2, "the prefix goes to the end [/]")

    async def found(q: str) -> list[tuple[int | None, str]]:
        (group,) = await service.search(q, group="notes")
        return [(hit.cue_index, hit.text[slice(*hit.spans[0])]) for hit in group.hits]

    assert await found("pref") == [(2, "pref")]
    assert await found("note:anna") == [(0, "Anna")]
    assert await found("lang:de the -anna") == [(2, "the")]
    assert await found("lang:ja the") == await found("-the") == await found("zug") == await found("lang:de") == []
    assert await found("new:1 anna") == []
    (group,) = await service.search("anna", group="notes")
    (hit,) = group.hits
    assert (hit.id, hit.before, hit.after) == (transcript, "Der Zug kommt.", "")
    await service.transcripts.delete(transcript)
    assert await found("pref") == []
    await service.undo()
    assert await found("pref") == [(2, "pref")]
