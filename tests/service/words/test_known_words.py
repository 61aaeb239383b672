"""States of words in a profile, on this machine and over HTTP."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.language.segmenting import needs_segmenter
from tests.service.libraries import Opened
from tests.service.words.test_summaries import read
from tui.errors import InvalidInput, NotFound
from tui.records.clips import FocusWord, NewClip
from tui.records.word_states import WordState
from tui.records.words import KnownWord, WordMark
from tui.service.protocol import Service

FILM = "Der Zug fährt ab.\nDer Zug fuhr um 9 Uhr nach Киев.\nWir fahren."


async def german(service: Service, tmp_path: Path, text: str = FILM, name: str = "zug") -> str:
    transcript = await read(service, tmp_path / f"{name}.de.srt", text)
    return (await service.transcripts.edit(transcript, language="de")).id


async def states(service: Service, transcript: str) -> dict[str, WordState]:
    """States of a transcript's words by their lemmas in small letters."""
    cues = await service.known_words.of_cues(transcript)
    return {word.lemma.lower(): word.state for cue in cues for word in cue.words}


async def test_a_word_is_new_until_it_is_marked_and_its_forms_have_one_state(library: Opened, tmp_path: Path) -> None:
    service = library.service
    film = await german(service, tmp_path)
    await library.engine.word_forms.prepare("de")
    first, second, third = await service.known_words.of_cues(film)
    assert [(word.start, word.end, word.lemma, word.state) for word in first.words] == [
        (0, 3, "der", "new"),
        (4, 7, "Zug", "new"),
        (8, 13, "fahren", "new"),
        (14, 16, "ab", "new"),
    ]
    assert await service.known_words.mark([WordMark("de-AT", "FAHREN", state="known")]) == 1
    assert (await states(service, film))["fahren"] == "known"
    first, second, third = await service.known_words.of_cues(film)
    assert [word.state for cue in (first, second, third) for word in cue.words if word.lemma == "fahren"] == [
        "known"
    ] * 3
    assert await service.known_words.of_cues(film, offset=2, limit=1) == (third,)
    assert await service.known_words.of_cues(film, offset=3) == ()
    with pytest.raises(NotFound):
        await service.known_words.of_cues("nothing")


async def test_numbers_and_other_scripts_are_ignored_until_somebody_says_otherwise(
    service: Service, tmp_path: Path
) -> None:
    film = await german(service, tmp_path)
    assert {lemma for lemma, state in (await states(service, film)).items() if state == "ignored"} == {"9", "киев"}
    await service.known_words.mark([WordMark("de", "9", state="learning")])
    assert (await states(service, film))["9"] == "learning"
    await service.undo()
    assert (await states(service, film))["9"] == "ignored"


async def test_a_word_with_a_capital_wherever_it_stands_is_a_name_until_it_stands_there_small(
    service: Service, tmp_path: Path
) -> None:
    async def spanish(name: str, text: str) -> str:
        transcript = await read(service, tmp_path / f"{name}.srt", text)
        return (await service.transcripts.edit(transcript, language="es")).id

    film = await spanish("loro", "Hola, Rosa.\nManuela y Paco hablan.\nViene Paco con Manuela.\nCon Rosa.")
    assert (await states(service, film))["manuela"] == "ignored"  # though nothing was counted yet
    counts = (await service.known_words.counts(film))[film]
    now = await states(service, film)
    assert {lemma for lemma, state in now.items() if state == "ignored"} == {"manuela", "paco", "rosa"}
    assert (counts.new, counts.known) == (len(now) - 3, 6)
    names = await service.known_words.page(states=("ignored",))
    assert [(word.lemma, word.is_name, word.source) for word in names.items] == [
        *(("Manuela", True, ""), ("Paco", True, ""), ("Rosa", True, ""))
    ]
    assert not {word.word.lemma for word in await service.known_words.next_words()} & {"Manuela", "Paco", "Rosa"}

    await service.known_words.mark([WordMark("es", "Paco", state="new")])
    other = await spanish("rosa", "Una rosa roja.\nMadrid está lejos.")
    for _ in range(2):  # the second film says what Rosa is in the first
        await service.known_words.counts(other, film)
        now = await states(service, film)
        assert (now["rosa"], now["paco"], now["manuela"]) == ("new", "new", "ignored")
    assert (await states(service, other))["madrid"] == "new"  # which may be small inside of a sentence
    again = (await service.known_words.counts(film))[film]
    assert (again.new, again.known) == (counts.new + 2, 2)
    assert "rosa" in {word.word.lemma for word in await service.known_words.next_words()}
    assert {word.lemma for word in (await service.known_words.page(states=("ignored",))).items} == {"Manuela"}


async def test_one_undo_takes_back_one_call_however_many_words_it_marked(library: Opened, tmp_path: Path) -> None:
    service = library.service
    film = await german(service, tmp_path)
    await service.known_words.mark([WordMark("de", "zug", state="learning")])
    marks = [WordMark("de", lemma) for lemma in ("Zug", "der", "Uhr", "der")]
    assert await service.known_words.mark(marks) == 3
    assert await service.known_words.mark(marks) == 0
    undone = await service.undo()
    assert undone is not None
    assert (undone.kind, undone.count) == ("word", 3)
    now = await states(service, film)
    assert (now["zug"], now["der"], now["uhr"]) == ("learning", "new", "new")
    assert await service.undo() is not None
    assert (await states(service, film))["zug"] == "new"
    assert (await library.other_profile.known_words.page(states=("known",))).total == 0


async def test_what_is_clipped_was_seen_and_keeps_a_better_state(service: Service, tmp_path: Path) -> None:
    film = await german(service, tmp_path)
    await service.known_words.mark([WordMark("de", "Uhr")])
    for surface in ("Zug", "Uhr"):
        await service.clips.add(NewClip("Der Zug fährt ab.", transcript_id=film, focus=FocusWord(surface)))
    now = await states(service, film)
    assert (now["zug"], now["uhr"]) == ("seen", "known")


async def test_the_list_has_states_and_new_words_in_four_orders(library: Opened, tmp_path: Path) -> None:
    service = library.service
    await german(service, tmp_path)
    await library.engine.word_forms.prepare("de")
    await service.known_words.mark([WordMark("de", "Zebra"), WordMark("ja", "床", "ゆか", "learning")])
    words = await service.known_words.page(language="de")
    assert [word.lemma for word in words.items] == [
        *("9", "ab", "der", "fahren", "nach", "Uhr", "um", "wir", "Zebra", "Zug", "киев")
    ]
    fahren = next(word for word in words.items if word.lemma == "fahren")
    assert fahren == KnownWord("de", "fahren", "", "new", "", "", 3, 1)
    often = await service.known_words.page(order="occurrences", limit=2, states=("new",))
    assert [(word.lemma, word.occurrences) for word in often.items] == [("fahren", 3), ("der", 2)]
    assert often.next is not None
    rest = await service.known_words.page(order="occurrences", states=("new",), after=often.next)
    assert [word.lemma for word in rest.items][:2] == ["Zug", "ab"]
    assert len(rest.items) == often.total - 2
    changed = await service.known_words.page(order="changed", limit=2)
    assert {word.lemma for word in changed.items} == {"Zebra", "床"}
    assert [word.lemma for word in (await service.known_words.page(q="Z", states=("known",))).items] == ["Zebra"]
    assert [word.reading for word in (await service.known_words.page(q="ゆ")).items] == ["ゆか"]
    assert (await service.known_words.page(language="fr")).total == 0


async def test_words_are_counted_by_their_lemmas_also_when_those_come_late(library: Opened, tmp_path: Path) -> None:
    service = library.service
    film = await german(service, tmp_path, "Er fährt.\nSie fuhr.")
    await service.known_words.page()
    await service.known_words.counts(film)  # which waits for them
    words = {word.lemma: word.occurrences for word in (await service.known_words.page()).items}
    assert words == {"er": 1, "fahren": 2, "sie": 1}


@pytest.mark.exhaustive
async def test_a_list_of_words_is_read_on_from_its_cursor_in_every_order(library: Opened, tmp_path: Path) -> None:
    service = library.service
    await german(service, tmp_path)
    await library.engine.word_forms.prepare("de")
    await service.known_words.mark([WordMark("de", f"Wort{n % 7}{n}") for n in range(30)])
    for order in ("lemma", "occurrences", "changed", "rank"):
        whole = await service.known_words.page(order=order)
        items: list[KnownWord] = []
        after: str | None = None
        while True:
            page = await service.known_words.page(order=order, limit=4, after=after)
            items += page.items
            after = page.next
            if after is None:
                break
        assert tuple(items) == whole.items, order
        assert len(items) == whole.total


@pytest.mark.parametrize(
    ("wrong", "field"),
    [(WordMark("de", " "), "lemma"), (WordMark("de", "x" * 201), "lemma"), (WordMark("no language", "x"), "language")],
)
async def test_what_is_no_word_is_refused_and_nothing_is_marked(service: Service, wrong: WordMark, field: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        await service.known_words.mark([WordMark("de", "Zug"), wrong])
    assert refused.value.field == field
    assert (await service.known_words.page()).total == 0


async def test_the_export_has_every_state(service: Service) -> None:
    await service.known_words.mark(
        [WordMark("de", 'Zug, "der"'), WordMark("ja", "床", "とこ", "learning")], source="list"
    )
    text = b"".join([piece async for piece in service.known_words.stream_export()]).decode()
    head, first, second = text.splitlines()
    assert head == "language,lemma,reading,state,source,date"
    assert first.startswith('de,"Zug, ""der""",,known,list,20')
    assert second.startswith("ja,床,とこ,learning,list,20")
    only = b"".join([piece async for piece in service.known_words.stream_export("ja-JP")]).decode()
    assert only.splitlines() == [head, second]


@needs_segmenter("ja")
async def test_words_of_japanese_are_listed_by_their_lemmas_and_endings_and_particles_are_not(
    service: Service, tmp_path: Path
) -> None:
    await read(
        service,
        tmp_path / "猫.ja.srt",
        "公園に猫がいた。\n魚を食べました。\n高かったけどね。\nお茶があります。\n何をした？",
    )
    listed = {word.lemma for word in (await service.known_words.page()).items}
    assert listed == {"公園", "猫", "いる", "魚", "食べる", "高い", "茶", "ある", "何", "する"}
    assert {word.word.lemma for word in await service.known_words.next_words()} == listed
    assert (await service.words.summary("いた", language="ja", sentence="公園に猫がいた。")).focus.lemma == "いる"


@needs_segmenter("ja")
async def test_readings_tell_words_apart_and_a_mark_without_one_holds_for_all(service: Service, tmp_path: Path) -> None:
    film = await read(service, tmp_path / "床.ja.srt", "床に座る。\n学校に行く。\n学校に行った。")
    (first, *_), second, third = (cue.words for cue in await service.known_words.of_cues(film))
    assert (first.lemma, first.reading) == ("床", "ゆか")
    assert [(word.lemma, word.reading) for word in (second[1], third[1])] == [("行く", "いく")] * 2
    await service.known_words.mark([WordMark("ja", "床", "とこ")])
    assert (await states(service, film))["床"] == "new"
    await service.known_words.mark([WordMark("ja", "床", state="learning")])
    assert (await states(service, film))["床"] == "learning"
    await service.known_words.mark([WordMark("ja", "床", "ゆか", "known")])
    assert (await states(service, film))["床"] == "known"
    await service.undo()
    assert (await states(service, film))["床"] == "learning"
    await service.undo()
    assert (await states(service, film))["床"] == "new"
    assert [word.reading for word in (await service.known_words.page(states=("known",))).items] == ["とこ"]
