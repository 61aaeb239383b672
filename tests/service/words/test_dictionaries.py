"""Dictionaries of the library: their list, their order, and what they say of a word; over HTTP too."""

from __future__ import annotations

import pytest

from tests.service.libraries import Opened
from tui.errors import InvalidInput, NotFound
from tui.records.dictionaries import (
    Dictionary,
    DictionaryEntry,
    DictionaryInfo,
    DictionaryRow,
    Example,
    FoundEntry,
    PitchAccent,
    Sense,
    TermFrequency,
    TermPronunciation,
)
from tui.samples.glossaries import TITLE as GLOSSARY
from tui.service.protocol import Service

LEAVE = DictionaryEntry(
    "abfahren",
    part_of_speech=("verb",),
    senses=(Sense(("to leave", "to <b>go</b>"), ("rail",), (Example("Er fährt ab.", "It leaves."),)),),
    pronunciations=("/ˈapˌfaːʁən/",),
    html="<b>to leave</b>",
)


def add(library: Opened, title: str, *rows: DictionaryRow, language: str | None = "de") -> Dictionary:
    info = DictionaryInfo(title, "yomitan", "1", language, "en", license="CC BY-SA 4.0", attribution="by all")
    return library.engine.dictionaries.opened_for_writing().add(info, rows)


async def titles(service: Service) -> list[str]:
    return [each.title for each in await service.dictionaries.all()]


async def test_whole_entries_are_found_with_their_dictionary_and_how(library: Opened) -> None:
    pitch = (PitchAccent("あ", 2),)
    facts = (TermFrequency("abfahren", "", 12, "12."), TermPronunciation("abfahren", "", ("[ap]",), pitch))
    dictionary = add(library, "German", LEAVE, *facts)
    service = library.service
    found = await service.dictionaries.look_up("fährt", language="de", sentence="Der Zug fährt ab.")
    assert found.word == "fährt"
    assert found.entries[0] == FoundEntry(LEAVE, dictionary, "phrase")
    assert found.frequencies == (("German", facts[0]),)
    assert found.pronunciations == (("German", facts[1]),)
    assert await library.other_profile.dictionaries.look_up("abfahren", language="de") == (
        await service.dictionaries.look_up("abfahren", language="de")
    )


async def test_without_a_dictionary_the_glossaries_answer_and_no_file_is_made(library: Opened) -> None:
    found = await library.service.dictionaries.look_up("Zug", language="de")
    assert {each.dictionary.title for each in found.entries} == {GLOSSARY}
    assert (await library.service.dictionaries.look_up("Zug", language=None)).entries == ()
    assert await library.service.dictionaries.all() == ()
    assert not (library.engine.database.directory / "dictionaries.db").exists()


async def test_the_glossary_is_asked_first_of_its_own_story_and_last_of_other_sentences(library: Opened) -> None:
    add(library, "German", DictionaryEntry("Zug", senses=(Sense(("draught",)),)))

    async def asked(sentence: str) -> list[str]:
        found = await library.service.dictionaries.look_up("Zug", language="de", sentence=sentence)
        return [each.dictionary.title for each in found.entries]

    assert await asked("Der letzte Zug") == [GLOSSARY, "German"]
    assert await asked("Er macht einen Zug.") == ["German", GLOSSARY]


async def test_a_word_that_may_be_another_comes_with_that(library: Opened) -> None:
    noun, verb = (
        DictionaryEntry("work", part_of_speech=(kind,), senses=(Sense((gloss,)),))
        for kind, gloss in (("noun", "Arbeit"), ("verb", "arbeiten"))
    )
    add(library, "English", noun, verb, language="en")
    summary = await library.service.words.summary("work", language="en", sentence="Work hard!")
    assert summary.focus.meanings == ("Arbeit",)
    assert summary.other is not None
    assert (summary.other.lemma, summary.other.part_of_speech, summary.other.meanings) == (
        "work",
        "verb",
        ("arbeiten",),
    )
    clear = await library.service.words.summary("work", language="en", sentence="They work hard.")
    assert (clear.focus.meanings, clear.other) == (("arbeiten",), None)


async def test_they_are_asked_in_the_order_that_was_given(library: Opened) -> None:
    _, second, third = (add(library, title, LEAVE) for title in ("A", "B", "C"))
    service = library.service
    assert [each.title for each in await service.dictionaries.reorder(third.id, "A")] == ["C", "A", "B"]
    assert await titles(service) == ["C", "A", "B"]
    found = await service.dictionaries.look_up("abfahren", language="de")
    assert [each.dictionary.title for each in found.entries][:3] == ["C", "A", "B"]
    with pytest.raises(NotFound):
        await service.dictionaries.reorder(second.id, "nothere")
    assert await titles(service) == ["C", "A", "B"]


async def test_one_that_is_deleted_is_asked_no_more_and_named(library: Opened) -> None:
    first, second = (add(library, title, LEAVE) for title in ("A", "A second"))
    service = library.service
    assert await service.dictionaries.delete(first.id[:8]) == (first,)
    assert await titles(service) == ["A second"]
    found = await service.dictionaries.look_up("abfahren", language="de")
    assert [each.dictionary.title for each in found.entries] == ["A second", GLOSSARY]
    for given, error in ((first.id, NotFound), ("", NotFound), ("\x1b[31m", NotFound)):
        with pytest.raises(error):
            await service.dictionaries.delete(given)
    assert await service.dictionaries.delete(second.id) == (second,)
    assert await titles(service) == []


async def test_a_beginning_that_stands_for_two_is_refused(library: Opened) -> None:
    ids = [add(library, f"title {number}", LEAVE).id for number in range(40)]
    shared = next(each[0] for each in ids if sum(other.startswith(each[0]) for other in ids) > 1)
    with pytest.raises(InvalidInput, match="more than one"):
        await library.service.dictionaries.delete(shared)
    assert len(await titles(library.service)) == 40
