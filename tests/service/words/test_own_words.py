"""Words of one's own: kept, found in sentences, shown before what dictionaries say, and undone; over HTTP too."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.hostile import FORBIDDEN, HOSTILE
from tests.llm.breaking_down import FOCUS, focus_of, listen, text_of
from tests.llm.fakes.fake_server import FakeModelServer, answer, stream
from tests.service.libraries import Opened
from tui.errors import InvalidInput
from tui.records.dictionaries import OWN, DictionaryEntry, DictionaryInfo, Sense
from tui.records.own_words import OwnPhrase, OwnWord
from tui.service.protocol import Service
from tui.service.requests import BreakdownRequest

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
        with pytest.raises(InvalidInput, match="there is no word"):
            await own.get("de", nothing)
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


@pytest.mark.parametrize(
    ("word", "field"),
    [
        (OwnWord("?", "Zug", "train"), "language"),
        (OwnWord("de", " ", "train"), "lemma"),
        (OwnWord("de", "Zug"), "meaning"),
        (OwnWord("de", "Zug", "x" * 501), "meaning"),
        (OwnWord("de", "Zug", note="x" * 2001), "note"),
        (OwnWord("de", "Zug", phrases=tuple(OwnPhrase(f"Zug {number}") for number in range(31))), "phrases"),
        (OwnWord("de", "Zug", phrases=(OwnPhrase("x" * 121),)), "phrases"),
    ],
)
async def test_what_cannot_be_kept_is_refused_with_its_field(service: Service, word: OwnWord, field: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        await service.own_words.save(word)
    assert caught.value.field == field
    assert await service.own_words.all() == ()


async def test_own_words_come_before_what_dictionaries_say(library: Opened) -> None:
    info = DictionaryInfo("German", "yomitan", "1", "de", "en", license="CC BY-SA 4.0")
    senses = (Sense(("information",)),)
    rows = (DictionaryEntry("Bescheid", part_of_speech=("noun",), senses=senses, forms=("Bescheides",)),)
    library.engine.dictionaries.opened_for_writing().add(info, rows)
    service = library.service
    await service.own_words.save(OwnWord("de", "Bescheid", "notice", "no plural"))
    summary = await service.words.summary("Bescheid", language="de", sentence="Der Bescheid kam.")
    assert summary.focus.meanings == ("notice", "information")
    assert summary.focus.part_of_speech == "noun"
    assert summary.focus.dictionary == "German · CC BY-SA 4.0"
    assert summary.own is not None
    assert summary.own.note == "no plural"
    found = await service.dictionaries.look_up("Bescheid", language="de")
    assert [each.dictionary.title for each in found.entries] == [OWN.title, "German"]
    await prepared(service)
    inflected = await service.words.summary("Bescheides", language="de", sentence="Wegen des Bescheides.")
    assert inflected.focus.meanings == ("notice", "information")
    assert inflected.focus.part_of_speech == "noun"
    others = await library.other_profile.words.summary("Bescheid", language="de")
    assert (others.focus.meanings, others.own) == (("information",), None)


async def prepared(service: Service) -> None:
    """Wait for the dictionary forms of German."""
    await service.llm.models("lexicon")
    await listen(service.llm.breakdown(BreakdownRequest("Er sagt es.", "sagt", "lexicon:concordance", language="de")))


async def test_a_phrase_is_found_from_each_of_its_words_in_whatever_order_and_form(service: Service) -> None:
    await prepared(service)
    await service.own_words.save(NOTICE)
    for word in ("Bescheid", "sage"):
        focus = (await service.words.summary(word, language="de", sentence=SENTENCE)).focus
        assert (focus.lemma, focus.meanings[0]) == ("Bescheid sagen", "to let know"), word
    other = (await service.words.summary("sage", language="de", sentence="Ich sage nichts.")).focus
    assert other.lemma != "Bescheid sagen"
    alone = (await service.words.summary("Bescheid", language="de", sentence="Er weiß Bescheid.")).focus
    assert alone.lemma == "Bescheid wissen"


async def test_the_lexicon_begins_with_own_words(service: Service) -> None:
    await service.own_words.save(NOTICE)
    ask = BreakdownRequest("Der Bescheid kam.", "Bescheid", "lexicon:concordance", language="de")
    text = text_of(await listen(service.llm.breakdown(ask)))
    assert text.startswith("**Bescheid**\n\n1. notice")
    assert "*Your own words*" in text
    assert "notice" in text
    assert "no plural" in text


async def test_a_model_gets_own_words_and_their_meaning_stays_the_first(
    asking: Service, server: FakeModelServer
) -> None:
    await asking.own_words.save(OwnWord("de", "Bescheid", "notice", "no plural"))
    server.enqueue(answer({**FOCUS, "surface": "Bescheid", "lemma": "Bescheid", "entry": 1}), stream("A notice."))
    ask = BreakdownRequest("Der Bescheid kam.", "Bescheid", model="work:m", language="de")
    focus = focus_of(await listen(asking.llm.breakdown(ask)))
    assert focus.meanings == ("notice", "to leave")
    assert focus.dictionary is None
    assert any("Bescheid: notice (note: no plural)" in json.dumps(chat.body) for chat in server.chats)


async def test_hostile_texts_are_one_line_without_controls(service: Service) -> None:
    for text in HOSTILE.values():
        if not text.strip():
            continue
        try:
            kept = await service.own_words.save(
                OwnWord("de", f"x{text}"[:50], text[:500], text[:2000], (OwnPhrase(f"x {text}"[:50], text[:100]),))
            )
        except InvalidInput:
            continue
        said = json.dumps([kept.lemma, kept.meaning, kept.note, *(each.text + each.meaning for each in kept.phrases)])
        assert not set(FORBIDDEN) & set(json.loads(said)[0] + json.loads(said)[1] + json.loads(said)[2])


async def test_they_are_in_a_backup(service: Service, tmp_path: Path) -> None:
    import sqlite3
    from contextlib import closing

    await service.own_words.save(NOTICE)
    copy = await service.backup(tmp_path / "copy.db")
    with closing(sqlite3.connect(copy)) as connection:
        assert connection.execute("SELECT lemma, note FROM own_words").fetchall() == [("Bescheid", "no plural")]
