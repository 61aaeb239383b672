"""States of words in a profile: marked, listed, read off scripts and names, and undone."""

from pathlib import Path

from tests.language.segmenting import needs_segmenter
from tests.service.libraries import Opened
from tests.service.steps import german, read, refusal, states, undone
from tui.errors import InvalidInput, NotFound
from tui.records.clips import FocusWord, NewClip
from tui.records.sorting import SORT_COLUMNS
from tui.records.words import KnownWord, WordMark
from tui.service.protocol import Service

FILM = "Der Zug fährt ab.\nDer Zug fuhr um 9 Uhr nach Киев.\nWir fahren."


async def test_a_word_is_new_until_it_is_marked_or_clipped_in_any_form(library: Opened, tmp_path: Path) -> None:
    service = library.service
    film = await german(service, tmp_path, FILM)
    await library.engine.word_forms.prepare("de")
    first, *_ = await service.known_words.of_cues(film)
    assert [(word.start, word.end, word.lemma, word.state) for word in first.words] == [
        (0, 3, "der", "new"),
        (4, 7, "Zug", "new"),
        (8, 13, "fahren", "new"),
        (14, 16, "ab", "new"),
    ]
    assert await service.known_words.mark([WordMark("de-AT", "FAHREN", state="known")]) == 1
    assert (await states(service, film))["fahren"] == "known"
    cues = await service.known_words.of_cues(film)
    assert [word.state for cue in cues for word in cue.words if word.lemma == "fahren"] == ["known"] * 3
    assert await service.known_words.of_cues(film, offset=2, limit=1) == cues[2:]
    assert await service.known_words.of_cues(film, offset=3) == ()
    assert isinstance(await refusal(service.known_words.of_cues("nothing")), NotFound)

    # Numbers and other scripts are ignored until somebody says otherwise.
    assert {lemma for lemma, state in (await states(service, film)).items() if state == "ignored"} == {"9", "киев"}
    marks = [WordMark("de", lemma, state="learning") for lemma in ("9", "Uhr", "um", "9")]
    assert (await service.known_words.mark(marks), await service.known_words.mark(marks)) == (3, 0)
    restored = await undone(service)
    assert (restored.kind, restored.count) == ("word", 3)
    now = await states(service, film)
    assert (now["9"], now["uhr"], now["um"], now["fahren"]) == ("ignored", "new", "new", "known")
    for surface in ("Zug", "fährt"):  # what is clipped was seen, and keeps a better state
        await service.clips.add(NewClip("Der Zug fährt ab.", transcript_id=film, focus=FocusWord(surface)))
    now = await states(service, film)
    assert (now["zug"], now["fahren"]) == ("seen", "known")
    assert (await library.other_profile.known_words.page(states=("known",))).total == 0


async def test_a_word_that_is_never_small_inside_of_a_sentence_is_a_name(service: Service, tmp_path: Path) -> None:
    text = "Hola, Rosa.\nManuela y Paco hablan.\nViene Paco con Manuela.\nCon Rosa."
    film = await read(service, tmp_path / "loro.srt", text, "es")
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
    other = await read(service, tmp_path / "rosa.srt", "Una rosa roja.\nMadrid está lejos.", "es")
    for _ in range(2):  # the second film says what Rosa is in the first
        await service.known_words.counts(other, film)
        now = await states(service, film)
        assert (now["rosa"], now["paco"], now["manuela"]) == ("new", "new", "ignored")
    assert (await states(service, other))["madrid"] == "new"  # which may be small inside of a sentence
    again = (await service.known_words.counts(film))[film]
    assert (again.new, again.known) == (counts.new + 2, 2)
    assert "rosa" in {word.word.lemma for word in await service.known_words.next_words()}
    assert {word.lemma for word in (await service.known_words.page(states=("ignored",))).items} == {"Manuela"}


async def test_the_list_has_four_orders_and_is_read_on_from_its_cursors(library: Opened, tmp_path: Path) -> None:
    service = library.service
    await german(service, tmp_path, FILM)
    await library.engine.word_forms.prepare("de")
    await service.known_words.mark([WordMark("de", "Zebra"), WordMark("ja", "床", "ゆか", "learning")])
    words = await service.known_words.page(language="de")
    in_order = ["9", "ab", "der", "fahren", "nach", "Uhr", "um", "wir", "Zebra", "Zug", "киев"]
    assert [word.lemma for word in words.items] == in_order
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
    await service.known_words.mark([WordMark("de", f"Wort{n % 7}{n}") for n in range(15)])
    for order in ("lemma", "occurrences", "changed", "rank"):
        whole = await service.known_words.page(order=order)
        page = await service.known_words.page(order=order, limit=4)
        items = [*page.items]
        while page.next is not None:
            page = await service.known_words.page(order=order, limit=4, after=page.next)
            items += page.items
        assert tuple(items) == whole.items, order
        assert len(items) == whole.total
    for column in SORT_COLUMNS["words"]:
        there = (await service.known_words.page(sort=column)).items
        for sort, expected in ((column, there), (f"-{column}", None)):
            page = await service.known_words.page(sort=sort, limit=4)
            items = [*page.items]
            while page.next is not None:
                page = await service.known_words.page(sort=sort, limit=4, after=page.next)
                items += page.items
            assert set(items) == set(there) and len(items) == len(there), sort
            assert expected is None or tuple(items) == expected, sort
    last = (await service.known_words.page(sort="-changed")).items[-1]
    assert not last.changed_at, "what never changed is last either way round"
    assert isinstance(await refusal(service.known_words.page(sort="cues")), InvalidInput)


async def test_what_is_no_word_is_refused_and_nothing_is_marked(service: Service) -> None:
    wrong = (WordMark("de", " "), "lemma"), (WordMark("de", "x" * 201), "lemma"), (WordMark("no one", "x"), "language")
    for mark, field in wrong:
        assert (await refusal(service.known_words.mark([WordMark("de", "Zug"), mark]))).field == field
    assert (await service.known_words.page()).total == 0


@needs_segmenter("ja")
async def test_japanese_is_listed_by_lemmas_without_endings_and_particles(service: Service, tmp_path: Path) -> None:
    text = "公園に猫がいた。\n魚を食べました。\n高かったけどね。\nお茶があります。\n何をした？"
    await read(service, tmp_path / "猫.ja.srt", text)
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
