"""Dictionaries in questions to models: what is handed over, the entry that was chosen, what stays the same question."""

from __future__ import annotations

import json
from dataclasses import replace

from tests.llm.breaking_down import FOCUS, end_of, focus_of, listen, text_of
from tests.llm.fakes.fake_server import FakeModelServer, answer, stream
from tests.service.libraries import Opened
from tui.records.answers import NewTemplate
from tui.records.dictionaries import DictionaryEntry, DictionaryInfo, Sense
from tui.records.settings import ProfileSettings
from tui.service.requests import BreakdownRequest, ExplainRequest, PreviewRequest

SENTENCE = "Der Bus fährt gleich ab."
ASK = BreakdownRequest(SENTENCE, "fährt", model="work:m", language="de")
CREDIT = "German · CC BY-SA 4.0"


def add(library: Opened, gloss: str = "to leave", title: str = "German", target: str = "en") -> None:
    info = DictionaryInfo(title, "yomitan", "1", "de", target, license="CC BY-SA 4.0")
    rows = (DictionaryEntry("abfahren", part_of_speech=("verb",), senses=(Sense((gloss,)),)),)
    library.engine.dictionaries.opened_for_writing().add(info, rows)


async def test_a_model_gets_the_entries_and_the_word_names_the_dictionary_of_the_one_it_chose(
    asking_library: Opened, server: FakeModelServer
) -> None:
    add(asking_library)
    service = asking_library.service
    server.enqueue(answer({**FOCUS, "entry": 1}), stream("It leaves."))
    events = await listen(service.llm.breakdown(ASK))
    assert focus_of(events).dictionary == CREDIT
    bodies = [json.dumps(chat.body, ensure_ascii=False) for chat in server.chats]
    assert sum("abfahren (verb): to leave" in body for body in bodies) == 2, "the form and the explanation have it"
    (kept,) = (await service.history.page()).items
    assert "<dictionary>\n1. abfahren (verb): to leave" in kept.prompt
    assert kept.focus_word is not None
    assert kept.focus_word.dictionary == CREDIT


async def test_a_model_may_say_that_no_entry_fits(asking_library: Opened, server: FakeModelServer) -> None:
    add(asking_library, "to ski down")
    server.enqueue(answer({**FOCUS, "entry": 0}), stream("It leaves."))
    assert focus_of(await listen(asking_library.service.llm.breakdown(ASK))).dictionary is None


async def test_a_template_without_dictionaries_has_them_in_the_focus_form_only(
    asking_library: Opened, server: FakeModelServer
) -> None:
    add(asking_library)
    await asking_library.service.template.save(NewTemplate("work:m", "Explain {{ focus }}: {{ sentence }}", ""))
    server.enqueue(answer({**FOCUS, "entry": 1}), stream("It leaves."))
    assert focus_of(await listen(asking_library.service.llm.breakdown(ASK))).dictionary == CREDIT
    bodies = [json.dumps(chat.body, ensure_ascii=False) for chat in server.chats]
    assert sum("abfahren (verb): to leave" in body for body in bodies) == 1


async def test_another_dictionary_asks_nothing_anew_until_that_is_asked_for(
    asking_library: Opened, server: FakeModelServer
) -> None:
    service = asking_library.service
    server.enqueue(answer(FOCUS), stream("It leaves."))
    first = end_of(await listen(service.llm.breakdown(ASK))).answer_id
    asked = len(server.chats)
    add(asking_library)
    again = await listen(service.llm.breakdown(ASK))
    assert (text_of(again), end_of(again).answer_id, end_of(again).kept) == ("It leaves.", first, True)
    assert len(server.chats) == asked
    server.enqueue(answer({**FOCUS, "entry": 1}), stream("It departs."))
    await listen(service.llm.breakdown(replace(ASK, fresh=True)))
    assert text_of(await listen(service.llm.breakdown(ASK))) == "It departs."


async def test_the_preview_has_what_dictionaries_say_of_the_sample_word(asking_library: Opened) -> None:
    add(asking_library)
    service = asking_library.service
    asked = PreviewRequest(SENTENCE, "fährt", prompt="{{ dictionary }}", language="de")
    assert (await service.llm.preview(asked)).splitlines()[0] == "1. abfahren (verb): to leave"
    assert (await service.llm.preview_lenient(replace(asked, prompt="{{ dictionary }}\n{{ nothing }}")))[0].startswith(
        "1. abfahren (verb): to leave\n"
    )
    assert await service.llm.preview(replace(asked, focus="")) == ""


async def test_a_whole_sentence_has_no_entries(asking_library: Opened, server: FakeModelServer) -> None:
    add(asking_library)
    server.enqueue(stream("It leaves soon."))
    explain = ExplainRequest(SENTENCE, model="work:m", prompt="{{ sentence }}{{ dictionary }}", language="de")
    await listen(asking_library.service.llm.explain(explain))
    assert (await asking_library.service.history.page()).items[0].prompt == SENTENCE


async def test_meanings_come_in_the_language_of_the_profile_where_a_dictionary_has_them(library: Opened) -> None:
    add(library)
    add(library, "salir", "Alemán", "es")
    service = library.service
    english = (await service.words.summary("fährt", language="de", sentence=SENTENCE)).focus
    assert english.meanings[0] == "to leave"
    assert "salir" not in english.meanings
    await service.settings.save(ProfileSettings("es"))
    focus = (await service.words.summary("fährt", language="de", sentence=SENTENCE)).focus
    assert (focus.meanings, focus.dictionary) == (("salir",), "Alemán · CC BY-SA 4.0")
    found = await service.dictionaries.look_up("fährt", language="de", sentence=SENTENCE)
    assert [each.dictionary.title for each in found.entries][:2] == ["Alemán", "German"]


async def test_dictionaries_that_cannot_be_read_leave_the_model_to_itself(
    asking_library: Opened, server: FakeModelServer
) -> None:
    add(asking_library)
    await asking_library.engine.dictionaries.close()
    directory = asking_library.engine.database.directory
    for name in ("dictionaries.db-wal", "dictionaries.db-shm"):
        (directory / name).unlink(missing_ok=True)
    (directory / "dictionaries.db").write_bytes(b"no database" * 1000)
    server.enqueue(answer(FOCUS), stream("It leaves."))
    events = await listen(asking_library.service.llm.breakdown(ASK))
    assert (text_of(events), focus_of(events).meanings) == ("It leaves.", ("to leave",))
