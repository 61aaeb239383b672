"""Dictionaries of the library and words of one's own: their order, and what they say of a word."""

import json

from tests.hostile import FORBIDDEN, HOSTILE
from tests.llm.breaking_down import FOCUS, focus_of, listen, text_of
from tests.llm.fakes.fake_server import FakeModelServer, answer, stream
from tests.service.libraries import Opened
from tests.service.steps import refusal
from tui.errors import InvalidInput, NotFound
from tui.records import dictionaries as records
from tui.records.dictionaries import DictionaryEntry, Sense
from tui.records.own_words import OwnPhrase, OwnWord
from tui.samples.glossaries import TITLE as GLOSSARY
from tui.service.protocol import Service
from tui.service.requests import BreakdownRequest

LEAVE = DictionaryEntry(
    "abfahren",
    part_of_speech=("verb",),
    senses=(Sense(("to leave", "to <b>go</b>"), ("rail",), (records.Example("Er fährt ab.", "It leaves."),)),),
    pronunciations=("/ˈapˌfaːʁən/",),
    html="<b>to leave</b>",
)


def add(library: Opened, title: str, *rows: records.DictionaryRow, language: str | None = "de") -> records.Dictionary:
    info = records.DictionaryInfo(title, "yomitan", "1", language, "en", license="CC BY-SA 4.0", attribution="by all")
    return library.engine.dictionaries.opened_for_writing().add(info, rows)


async def test_whole_entries_are_found_with_their_dictionary_and_how(library: Opened, service: Service) -> None:
    pitch = (records.PitchAccent("あ", 2),)
    facts = (
        records.TermFrequency("abfahren", "", 12, "12."),
        records.TermPronunciation("abfahren", "", ("[ap]",), pitch),
    )
    dictionary = add(library, "German", LEAVE, *facts)
    found = await service.dictionaries.look_up("fährt", language="de", sentence="Der Zug fährt ab.")
    assert found.word == "fährt"
    assert found.entries[0] == records.FoundEntry(LEAVE, dictionary, "phrase")
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
    other = (summary.other.lemma, summary.other.part_of_speech, summary.other.meanings)
    assert other == ("work", "verb", ("arbeiten",))
    clear = await library.service.words.summary("work", language="en", sentence="They work hard.")
    assert (clear.focus.meanings, clear.other) == (("arbeiten",), None)


async def test_they_are_asked_in_the_order_that_was_given_and_no_more_once_they_are_deleted(library: Opened) -> None:
    async def asked() -> list[str]:
        found = await service.dictionaries.look_up("abfahren", language="de")
        return [each.dictionary.title for each in found.entries]

    first, second, third = (add(library, title, LEAVE) for title in ("A", "B", "C"))
    service = library.service
    assert [each.title for each in await service.dictionaries.reorder(third.id, "A")] == ["C", "A", "B"]
    assert isinstance(await refusal(service.dictionaries.reorder(second.id, "nothere")), NotFound)
    assert await asked() == ["C", "A", "B", GLOSSARY]
    assert await service.dictionaries.delete(first.id[:8]) == (first,)
    for given in (first.id, "", "\x1b[31m"):
        assert isinstance(await refusal(service.dictionaries.delete(given)), NotFound)
    assert await asked() == ["C", "B", GLOSSARY]


TELL = OwnPhrase("Bescheid sagen", "to let know")
NOTICE = OwnWord("de", "Bescheid", "notice", "no plural", (TELL, OwnPhrase("Bescheid wissen")))
SENTENCE = "Ich sage dir morgen Bescheid."


async def test_what_is_written_of_a_word_is_kept_for_its_profile(library: Opened) -> None:
    own = library.service.own_words
    assert await own.get("de", "Bescheid") is None
    assert await own.save(OwnWord("de-AT", " Bescheid\n", "notice ", "no plural", NOTICE.phrases)) == NOTICE
    await own.save(OwnWord("fr", "avis", "notice"))
    assert await own.get("de-CH", "bescheid") == NOTICE
    assert [each.lemma for each in await own.all()] == ["Bescheid", "avis"]
    assert await own.all(language="de") == (NOTICE,)
    for nothing in ("", " "):
        assert "there is no word" in (await refusal(own.get("de", nothing))).message
    assert await library.other_profile.own_words.all() == ()


async def test_every_change_can_be_undone(service: Service) -> None:
    own = service.own_words
    await own.save(NOTICE)
    later = await own.save(OwnWord("de", "bescheid", "decision"))
    assert await own.all() == (later,)
    assert (await own.delete("de", "Bescheid")).count == 1
    assert (await own.delete("de", "Bescheid")).count == 0
    await own.save(OwnWord("de", "Bescheid", "again"))
    seen = []
    while await service.undo() is not None:
        seen.append(await own.get("de", "Bescheid"))
    assert seen == [None, later, NOTICE, None]


async def test_what_cannot_be_kept_is_refused_with_its_field(service: Service) -> None:
    for word, field in (
        (OwnWord("?", "Zug", "train"), "language"),
        (OwnWord("de", " ", "train"), "lemma"),
        (OwnWord("de", "Zug"), "meaning"),
        (OwnWord("de", "Zug", "x" * 501), "meaning"),
        (OwnWord("de", "Zug", note="x" * 2001), "note"),
        (OwnWord("de", "Zug", phrases=tuple(OwnPhrase(f"Zug {number}") for number in range(31))), "phrases"),
        (OwnWord("de", "Zug", phrases=(OwnPhrase("x" * 121),)), "phrases"),
    ):
        assert (await refusal(service.own_words.save(word))).field == field
    assert await service.own_words.all() == ()


async def test_own_words_come_before_what_dictionaries_say(library: Opened, service: Service) -> None:
    info = records.DictionaryInfo("German", "yomitan", "1", "de", "en", license="CC BY-SA 4.0")
    senses = (Sense(("information",)),)
    rows = (DictionaryEntry("Bescheid", part_of_speech=("noun",), senses=senses, forms=("Bescheides",)),)
    library.engine.dictionaries.opened_for_writing().add(info, rows)
    await service.own_words.save(OwnWord("de", "Bescheid", "notice", "no plural"))
    summary = await service.words.summary("Bescheid", language="de", sentence="Der Bescheid kam.")
    assert summary.focus.meanings == ("notice", "information")
    assert summary.focus.part_of_speech == "noun"
    assert summary.focus.dictionary == "German · CC BY-SA 4.0"
    assert summary.own is not None and summary.own.note == "no plural"
    found = await service.dictionaries.look_up("Bescheid", language="de")
    assert [each.dictionary.title for each in found.entries] == [records.OWN.title, "German"]
    ask = BreakdownRequest("Der Bescheid kam.", "Bescheid", "lexicon:concordance", language="de")
    text = text_of(await listen(service.llm.breakdown(ask)))
    assert text.startswith("**Bescheid**\n\n1. notice")
    assert "*Your own words*" in text and "no plural" in text
    await library.engine.word_forms.prepare("de")
    inflected = await service.words.summary("Bescheides", language="de", sentence="Wegen des Bescheides.")
    assert inflected.focus.meanings == ("notice", "information")
    assert inflected.focus.part_of_speech == "noun"
    others = await library.other_profile.words.summary("Bescheid", language="de")
    assert (others.focus.meanings, others.own) == (("information",), None)


async def test_a_phrase_is_found_from_each_of_its_words_in_whatever_order_and_form(library: Opened) -> None:
    service = library.service
    await library.engine.word_forms.prepare("de")
    await service.own_words.save(NOTICE)
    for word in ("Bescheid", "sage"):
        focus = (await service.words.summary(word, language="de", sentence=SENTENCE)).focus
        assert (focus.lemma, focus.meanings[0]) == ("Bescheid sagen", "to let know"), word
    other = (await service.words.summary("sage", language="de", sentence="Ich sage nichts.")).focus
    assert other.lemma != "Bescheid sagen"
    alone = (await service.words.summary("Bescheid", language="de", sentence="Er weiß Bescheid.")).focus
    assert alone.lemma == "Bescheid wissen"


async def test_a_model_gets_own_words_and_their_meaning_is_first(asking: Service, server: FakeModelServer) -> None:
    await asking.own_words.save(OwnWord("de", "Bescheid", "notice", "no plural"))
    server.enqueue(answer({**FOCUS, "surface": "Bescheid", "lemma": "Bescheid", "entry": 1}), stream("A notice."))
    ask = BreakdownRequest("Der Bescheid kam.", "Bescheid", model="work:m", language="de")
    focus = focus_of(await listen(asking.llm.breakdown(ask)))
    assert focus.meanings == ("notice", "to leave")
    assert focus.dictionary is None
    assert any("Bescheid: notice (note: no plural)" in json.dumps(chat.body) for chat in server.chats)


async def test_hostile_texts_are_one_line_without_controls(service: Service) -> None:
    for text in HOSTILE.values():
        try:
            kept = await service.own_words.save(
                OwnWord("de", f"x{text}"[:50], text[:500], text[:2000], (OwnPhrase(f"x {text}"[:50], text[:100]),))
            )
        except InvalidInput:
            continue
        said = [kept.lemma, kept.meaning, kept.note, *(each.text + each.meaning for each in kept.phrases)]
        assert not set(FORBIDDEN) & set("".join(said)), text
