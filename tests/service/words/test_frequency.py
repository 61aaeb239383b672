"""Frequencies of words: ranks of an imported dictionary, else the library's counts."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from tests.service.libraries import Opened
from tests.service.words.test_known_words import german, states
from tui.errors import InvalidInput
from tui.records.dictionaries import DictionaryInfo, FrequencyMode, TermFrequency
from tui.records.words import FrequencyMark, WordMark
from tui.service.protocol import Service
from tui.store.dictionaries.dictionary_store import DictionaryStore

FILM = "Der Koffer kommt.\nDer Zug kommt.\nDer Zug hält.\n9 9 9 9 9"


def add_frequencies(
    directory: Path,
    *terms: tuple[str, int | None],
    mode: FrequencyMode = "occurrence-based",
    language: str | None = "de",
    title: str = "Frequent German",
) -> None:
    with closing(DictionaryStore.open(directory)) as store:
        info = DictionaryInfo(title, "yomitan", source_language=language, frequency_mode=mode)
        store.add(info, [TermFrequency(term, "", value, str(value)) for term, value in terms])


async def test_words_have_the_ranks_of_a_dictionary_and_lose_them_with_it(library: Opened, tmp_path: Path) -> None:
    service = library.service
    await german(service, tmp_path, FILM)
    await library.engine.word_forms.prepare("de")
    add_frequencies(library.engine.database.directory, ("Koffer", 5), ("der", 900), ("Zug", 70), ("x", None))
    words = (await service.known_words.page(order="rank", language="de")).items
    assert [(word.lemma, word.rank) for word in words[:4]] == [*(("der", 1), ("Zug", 2), ("Koffer", 3), ("9", None))]
    next_words = await service.known_words.next_words(language="de")
    assert next_words[0].word.rank == 1
    # „kommen“ and „Zug“ occur as often; what is in no frequency dictionary counts for less
    lemmas = [word.word.lemma for word in next_words]
    assert lemmas.index("Zug") < lemmas.index("kommen")
    with closing(DictionaryStore.open(library.engine.database.directory)) as store:
        store.delete("Frequent German")
    assert {word.rank for word in (await service.known_words.page(order="rank")).items} == {None}


async def test_the_first_words_of_a_dictionary_are_marked_by_their_lemmas(library: Opened, tmp_path: Path) -> None:
    service = library.service
    film = await german(service, tmp_path, FILM)
    directory = library.engine.database.directory
    terms = (("kommt", 2), ("kam", 3), ("9", 1), ("Koffer", 5), ("Zug", 4), ("hält", 6))
    add_frequencies(directory, *terms, mode="rank-based", language=None)
    await service.known_words.mark([WordMark("de", "Zug", state="learning")])
    marked = await service.known_words.mark_frequent("de-DE", 3)
    assert marked == FrequencyMark(2, 3, "Frequent German")
    now = await states(service, film)
    assert (now["kommen"], now["koffer"], now["zug"], now["halten"]) == ("known", "known", "learning", "new")
    undone = await service.undo()
    assert undone is not None
    assert undone.count == 2


async def test_without_a_dictionary_the_own_counts_say_what_is_frequent(library: Opened, tmp_path: Path) -> None:
    service = library.service
    film = await german(service, tmp_path, FILM)
    await library.engine.word_forms.prepare("de")
    add_frequencies(library.engine.database.directory, ("車", 5), ("駅", 900), language=None)
    marked = await service.known_words.mark_frequent("de", 2, "ignored")
    assert marked == FrequencyMark(2, 2, "")
    assert {lemma for lemma, state in (await states(service, film)).items() if state == "ignored"} == {
        *("der", "kommen", "9")
    }
    page = await service.known_words.page(states=("ignored",))
    assert {word.source for word in page.items if word.lemma != "9"} == {"frequency"}


async def test_what_cannot_be_marked_by_frequency_is_refused(service: Service) -> None:
    for language, count, field in (
        ("de", 5, "language"),
        ("", 5, "language"),
        ("de", 0, "count"),
        ("de", 10**6, "count"),
    ):
        with pytest.raises(InvalidInput) as refused:
            await service.known_words.mark_frequent(language, count)
        assert refused.value.field == field


async def test_what_a_mark_would_do_is_told_before_it_is_done(library: Opened, tmp_path: Path) -> None:
    service = library.service
    await german(service, tmp_path, FILM)
    add_frequencies(library.engine.database.directory, *((f"wort{n}", n) for n in range(1, 1500)), mode="rank-based")
    await service.known_words.mark([WordMark("de", "wort3"), WordMark("de", "wort4", state="learning")])
    offer = await service.known_words.frequent("de", level="b1")
    assert (offer.count, offer.changed, offer.dictionary) == (1300, 1298, "Frequent German")
    assert offer.rarest[-1] == "wort1300"
    marked = await service.known_words.mark_frequent("de", offer.count)
    assert marked == FrequencyMark(1298, 1300, "Frequent German")
    assert (await service.known_words.frequent("de", count=1300)).changed == 0
    await service.undo()
    assert await service.known_words.frequent("de", level="B1") == offer
    assert (await service.known_words.frequent("de", level="A1")).count == 0
    for wrong in ({"level": "N4"}, {"count": 0}):
        with pytest.raises(InvalidInput):
            await service.known_words.frequent("de", **wrong)


async def test_a_few_texts_tell_only_the_commonest_words_below_a_level(library: Opened, tmp_path: Path) -> None:
    service = library.service
    words = [f"wort{chr(97 + number // 26)}{chr(97 + number % 26)}" for number in range(99)]
    await german(service, tmp_path, " ".join(["und"] * 20 + words))
    offer = await service.known_words.frequent("de", level="B1")
    assert (offer.count, offer.changed, offer.dictionary, offer.rarest[0]) == (10, 10, "", "wortad")
    assert (await service.known_words.frequent("de", count=50)).count == 50
