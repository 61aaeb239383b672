"""Asking through the service: what is rendered and sent, what dictionaries add, what is kept and shown again."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import aclosing, suppress
from dataclasses import replace

import pytest

from tests.llm.breaking_down import end_of, focus_of, listen, text_of
from tests.llm.fakes.fake_server import FakeModelServer, Gate, answer, cut, slow, stream
from tests.service.libraries import Opened, near_and_far
from tests.service.llm.asking import ASK, FOCUS, SENTENCE, break_down, leave, newest, told
from tui.errors import InvalidInput, LodeError, ProviderError, TemplateError
from tui.events import BreakdownEvent, Failed, FocusReady, Token
from tui.llm.http.answer_stream import EventBatch
from tui.llm.http.decoder import AnswerDecoder
from tui.records.answers import NewTemplate
from tui.records.dictionaries import DictionaryEntry, DictionaryInfo, Sense
from tui.records.settings import LearnedLanguage, ProfileSettings
from tui.service.protocol import Service
from tui.service.requests import BreakdownRequest, ExplainRequest, PreviewRequest

SPANISH = ProfileSettings("es", (LearnedLanguage("de", "B1"),))


def error_of(events: list[BreakdownEvent]) -> LodeError:
    (failed,) = (event for event in events if isinstance(event, Failed))
    assert end_of(events).state == "failed"
    return failed.error


@near_and_far
async def test_a_breakdown_is_kept_and_shown_until_asked_for_anew(asking: Service, server: FakeModelServer) -> None:
    server.enqueue(answer(FOCUS, tokens=(9, 3)), stream("**fährt** … ", "ab", tokens=(7, 5)))
    events = await listen(asking.llm.breakdown(ASK))
    assert text_of(events) == "**fährt** … ab"
    end = end_of(events)
    assert (end.state, end.kept) == ("complete", False)
    kept = await asking.history.get(end.answer_id or "")
    assert (kept.kind, kept.model, kept.focus, kept.text, kept.state, kept.input_tokens, kept.output_tokens) == (
        *("breakdown", "work:m", "fährt", "**fährt** … ab", "complete", 16, 8),
    )
    assert kept.focus_word is not None and kept.focus_word.lemma == "abfahren"
    assert kept.first_token_ms is not None and 0 <= kept.first_token_ms <= kept.duration_ms
    assert SENTENCE in kept.prompt

    asked = len(server.chats)
    again = await listen(asking.llm.breakdown(ASK))
    assert (text_of(again), end_of(again).kept, end_of(again).answer_id) == ("**fährt** … ab", True, end.answer_id)
    assert len(server.chats) == asked
    anew = await break_down(asking, server, stream("second"), replace(ASK, fresh=True))
    assert (text_of(anew), end_of(anew).kept) == ("second", False)


@near_and_far
async def test_a_stream_that_is_left_is_closed_and_kept_as_aborted(asking: Service, server: FakeModelServer) -> None:
    server.enqueue(answer(FOCUS, tokens=(9, 3)), slow(["what came"], Gate()))
    await leave(asking.llm.breakdown(ASK))
    await server.chats[-1].disconnected.wait()
    kept = await told(asking)
    assert (kept.state, kept.text, kept.input_tokens, kept.output_tokens) == ("aborted", "what came", 9, 3)
    assert kept.first_token_ms is not None and kept.first_token_ms <= kept.duration_ms


async def test_a_cancelled_task_leaves_the_same_as_a_closed_stream(asking: Service, server: FakeModelServer) -> None:
    server.enqueue(answer(FOCUS), slow(["what came"], Gate()))
    seen = asyncio.Event()

    async def consume() -> None:
        async with aclosing(asking.llm.breakdown(ASK)) as events:
            async for event in events:
                if isinstance(event, Token):
                    seen.set()

    task = asyncio.create_task(consume())
    await seen.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    kept = await told(asking)
    assert (kept.state, kept.text) == ("aborted", "what came")


async def test_a_cut_stream_is_kept_with_its_cost_but_not_shown_again(asking: Service, server: FakeModelServer) -> None:
    server.enqueue(answer(FOCUS, tokens=(9, 3)), cut("half an ans"))
    assert isinstance(error_of(await listen(asking.llm.breakdown(ASK))), ProviderError)
    (kept,) = (await asking.history.page(q="fährt")).items
    assert (kept.state, kept.text, kept.input_tokens, kept.output_tokens) == ("failed", "half an ans", 9, 3)
    assert kept.error
    assert kept.first_token_ms is not None
    (usage,) = await asking.history.usage()
    assert (usage.uncounted, usage.input_tokens) == (1, 9)
    assert text_of(await break_down(asking, server, stream("whole"))) == "whole"
    server.on_chat = lambda request: cut()
    await listen(asking.llm.breakdown(replace(ASK, fresh=True)))
    kept = await newest(asking)
    assert (kept.state, kept.text, kept.first_token_ms) == ("failed", "", None)


async def test_a_defect_fails_its_answer(
    asking: Service, server: FakeModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def defect(self: AnswerDecoder, chunk: bytes | None) -> Iterator[EventBatch]:
        if chunk is None or b"[DONE]" in chunk:
            raise ZeroDivisionError
        return batches(self, chunk)

    gate = Gate()
    batches = AnswerDecoder.batches
    monkeypatch.setattr(AnswerDecoder, "batches", defect)
    server.enqueue(slow(["what came"], gate))
    with suppress(ZeroDivisionError):
        async with aclosing(asking.llm.explain(ExplainRequest(SENTENCE, model="work:m"))) as events:
            async for event in events:
                if isinstance(event, Token):
                    gate.opened.set()
    kept = await newest(asking)
    assert (kept.state, kept.text) == ("failed", "what came")
    assert kept.error == "something unforeseen went wrong (ZeroDivisionError)"


async def test_what_cannot_be_asked_fails_with_its_cause_and_ends(asking: Service) -> None:
    for changes, error, words in (
        ({"sentence": "\x00\x00"}, InvalidInput, "no sentence"),
        ({"focus": "\x00"}, InvalidInput, "no focus word"),
        ({"focus": "ア" * 10_001}, InvalidInput, "a sentence, its word or its context has at most 10000"),
        ({"model": "nobody:m"}, ProviderError, "nobody"),
        ({"model": "work:"}, InvalidInput, "model"),
        ({"prompt": "{{ contxt }}"}, TemplateError, "contxt"),
        ({"model": "openai:gpt"}, ProviderError, "OPENAI_API_KEY"),
        ({"sentence": "x" * 20_000}, InvalidInput, "at most"),
    ):
        failed = error_of(await listen(asking.llm.breakdown(replace(ASK, **changes))))  # type: ignore[arg-type]  # any of its fields
        assert isinstance(failed, error), words
        assert words in failed.message + failed.hint
        assert failed.hint


async def test_the_lexicon_answers_without_network_and_is_asked_every_time(service: Service) -> None:
    async for _ in service.jobs.follow([job.id for job in await service.files.add_samples()]):
        pass
    ask = replace(ASK, model="")
    events = await listen(service.llm.breakdown(ask))
    focus = focus_of(events)
    assert (focus.lemma, focus.origin, focus.level) == ("abfahren", "lexicon", "A1")
    assert focus.meanings == ("to depart, to leave (trains, buses, drivers)",)
    assert focus.frequency is not None and focus.frequency > 5
    assert "**fährt**" in text_of(events)
    assert not end_of(await listen(service.llm.breakdown(ask))).kept


async def test_the_saved_template_is_in_force_else_the_built_in(asking: Service, server: FakeModelServer) -> None:
    assert (await asking.template.effective()).model == "lexicon:concordance"
    assert await asking.template.get() is None
    saved = await asking.template.save(NewTemplate("work:m", "What is {{ focus }} in {{ sentence }}?", "Be brief."))
    assert await asking.llm.preview(PreviewRequest(SENTENCE, "fährt")) == f"What is fährt in {SENTENCE}?"
    await break_down(asking, server, stream("ok"), replace(ASK, model=""))
    explanation = server.chats[-1].body
    assert explanation["model"] == "m"
    assert {"role": "system", "content": "Be brief."} in explanation["messages"]
    assert {"role": "user", "content": f"What is fährt in {SENTENCE}?"} in explanation["messages"]
    await asking.template.delete()
    assert await asking.template.get() is None
    await asking.undo()
    assert await asking.template.get() == saved


async def test_a_prompt_about_a_word_does_not_explain_a_sentence(asking: Service, server: FakeModelServer) -> None:
    await asking.template.save(NewTemplate("work:m", "What is {{ focus }}?", "Be brief."))
    server.enqueue(stream("It says that …"), stream("It says that …"))
    events = await listen(asking.llm.explain(ExplainRequest(SENTENCE)))
    assert text_of(events) == "It says that …"
    assert not any(isinstance(event, FocusReady) for event in events)
    assert SENTENCE in server.chats[-1].body["messages"][-1]["content"]
    await asking.template.save(NewTemplate("work:m", "Please focus on grammar: {{ sentence }}", "Be brief."))
    await listen(asking.llm.explain(ExplainRequest(SENTENCE)))
    assert server.chats[-1].body["messages"][-1]["content"] == f"Please focus on grammar: {SENTENCE}"


async def test_a_saved_prompt_refused_by_now_is_never_replaced(asking_library: Opened, server: FakeModelServer) -> None:
    asking = asking_library.service
    prompt = "Explain\n{{ sentence.upper() }}"
    await asking_library.engine.database.run(
        lambda store: store.templates.save("default", NewTemplate("work:m", prompt, "as an older Lode saved it"))
    )
    for events in (asking.llm.breakdown(replace(ASK, model="")), asking.llm.explain(ExplainRequest(SENTENCE))):
        error = error_of(await listen(events))
        assert isinstance(error, TemplateError)
        assert (error.line, error.column) == (2, 13)
        assert "{{ … | upper }}" in error.hint
    assert not server.chats
    assert (await asking.template.effective()).prompt == prompt
    shown, problem = await asking.llm.preview_lenient(PreviewRequest(SENTENCE))
    assert (shown, problem and problem.line) == (prompt, 2)


async def test_what_is_wrong_with_a_template_names_its_field_and_the_old_one_stays(asking: Service) -> None:
    good = NewTemplate("work:m", "{{ focus }}", "old")
    saved = await asking.template.save(good)
    for field, written, error in (
        ("prompt", "{{ contxt }}", TemplateError),
        ("prompt", "{% for %}", TemplateError),
        ("prompt", "\x00", InvalidInput),
        ("model", "nobody:m", ProviderError),
        ("model", "", InvalidInput),
        ("model", "lexicon:big", InvalidInput),
        ("srt_model", "nobody:m", ProviderError),
    ):
        with pytest.raises(error) as refused:
            await asking.template.save(replace(good, **{field: written}))
        assert refused.value.field == field
    assert await asking.template.get() == saved


async def test_answers_are_asked_for_in_the_profile_s_language(asking: Service, server: FakeModelServer) -> None:
    await asking.settings.save(SPANISH)
    await break_down(asking, server, stream("Se va."))
    server.enqueue(stream("Ojalá se vaya."))
    await listen(asking.llm.explain(ExplainRequest(SENTENCE, model="work:m", language="de")))
    for kept in (await asking.history.page()).items:
        assert "Answer in Spanish, in Markdown" in kept.sys_msg
        assert "to a learner at level B1." in kept.prompt
    form = "The explaining language is Spanish, for a learner at level B1."
    assert any(form in str(chat.body) for chat in server.chats)
    preview = PreviewRequest(SENTENCE, prompt="{{ explain_in }} {{ level }}", language="de-AT")
    assert await asking.llm.preview(preview) == "Spanish B1"
    assert await asking.llm.preview_lenient(replace(preview, language="fr")) == ("Spanish ", None)


async def test_other_settings_or_dictionaries_ask_nothing_anew(asking_library: Opened, server: FakeModelServer) -> None:
    asking = asking_library.service
    english = end_of(await break_down(asking, server, stream("It leaves."))).answer_id
    asked = len(server.chats)
    await asking.settings.save(SPANISH)
    again = await listen(asking.llm.breakdown(ASK))
    assert (text_of(again), end_of(again).answer_id, end_of(again).kept) == ("It leaves.", english, True)
    assert len(server.chats) == asked
    assert text_of(await break_down(asking, server, stream("Se va."), replace(ASK, fresh=True))) == "Se va."
    assert text_of(await listen(asking.llm.breakdown(ASK))) == "Se va."
    await asking.settings.save(ProfileSettings())
    assert text_of(await listen(asking.llm.breakdown(ASK))) == "It leaves.", "what was asked in these very words"
    await asking.settings.save(ProfileSettings("fr"))
    assert text_of(await listen(asking.llm.breakdown(ASK))) == "Se va.", "else the newest"
    add_dictionary(asking_library)
    assert text_of(await listen(asking.llm.breakdown(ASK))) == "Se va."
    await break_down(asking, server, stream("Part."), replace(ASK, fresh=True))
    assert count_bodies(server, "abfahren (verb): to leave"), "else the dictionary shows nothing here"


async def test_an_older_lode_s_template_asks_in_the_profile_s_language(
    asking: Service, server: FakeModelServer
) -> None:
    default = await asking.template.effective()
    english = default.sys_msg.replace("{{ explain_in }}", "English")
    await asking.settings.save(SPANISH)
    saved = await asking.template.save(replace(default, model="work:m", sys_msg=english))
    assert saved.sys_msg == default.sys_msg
    assert await asking.template.get() == saved
    own = await asking.template.save(replace(default, model="work:m", sys_msg=english + " Be {brief}."))
    await break_down(asking, server, stream("Se va."))
    assert (await newest(asking)).sys_msg == own.sys_msg == english + " Be {brief}."


async def test_what_is_said_of_the_sentence_is_kept_with_the_word(asking: Service, server: FakeModelServer) -> None:
    ask = BreakdownRequest("昨日、食べた。", "食べた", model="work:m", language="ja")
    readings = ["昨日[きのう]", "食べた[たべた]"]
    said = {"surface": "食べた", "translation": "I ate yesterday.", "readings": readings}
    for events in (
        await break_down(asking, server, stream("It is the past."), ask, **said),
        await listen(asking.llm.breakdown(ask)),  # the kept one
    ):
        (ready,) = (event for event in events if isinstance(event, FocusReady))
        assert (ready.translation, ready.sentence_reading) == ("I ate yesterday.", "昨日[きのう]、 食[た]べた。")
    kept = await newest(asking)
    assert (kept.translation, kept.sentence_reading) == (ready.translation, ready.sentence_reading)


BUS = "Der Bus fährt gleich ab."
ASK_BUS = BreakdownRequest(BUS, "fährt", model="work:m", language="de")
CREDIT = "German · CC BY-SA 4.0"


def add_dictionary(library: Opened, gloss: str = "to leave", title: str = "German", target: str = "en") -> None:
    info = DictionaryInfo(title, "yomitan", "1", "de", target, license="CC BY-SA 4.0")
    rows = (DictionaryEntry("abfahren", part_of_speech=("verb",), senses=(Sense((gloss,)),)),)
    library.engine.dictionaries.opened_for_writing().add(info, rows)


def count_bodies(server: FakeModelServer, text: str) -> int:
    """The requests that have a text."""
    return sum(text in json.dumps(chat.body, ensure_ascii=False) for chat in server.chats)


async def test_a_model_gets_entries_and_the_word_names_one(asking_library: Opened, server: FakeModelServer) -> None:
    add_dictionary(asking_library)
    service = asking_library.service
    events = await break_down(service, server, stream("It leaves."), ASK_BUS, entry=1)
    assert focus_of(events).dictionary == CREDIT
    assert count_bodies(server, "abfahren (verb): to leave") == 2, "the form and the explanation have it"
    kept = await newest(service)
    assert "<dictionary>\n1. abfahren (verb): to leave" in kept.prompt
    assert kept.focus_word is not None and kept.focus_word.dictionary == CREDIT
    none = await break_down(service, server, stream("It skis."), replace(ASK_BUS, fresh=True), entry=0)
    assert focus_of(none).dictionary is None, "a model may say that no entry fits"
    server.enqueue(stream("It leaves soon."))
    explain = ExplainRequest(BUS, model="work:m", prompt="{{ sentence }}{{ dictionary }}", language="de")
    await listen(service.llm.explain(explain))
    assert (await newest(service)).prompt == BUS, "a whole sentence has no entries"


async def test_a_template_may_leave_dictionaries_to_the_form(asking_library: Opened, server: FakeModelServer) -> None:
    add_dictionary(asking_library)
    await asking_library.service.template.save(NewTemplate("work:m", "Explain {{ focus }}: {{ sentence }}", ""))
    events = await break_down(asking_library.service, server, stream("It leaves."), ASK_BUS, entry=1)
    assert focus_of(events).dictionary == CREDIT
    assert count_bodies(server, "abfahren (verb): to leave") == 1


async def test_the_preview_has_what_dictionaries_say_of_the_sample_word(asking_library: Opened) -> None:
    add_dictionary(asking_library)
    service = asking_library.service
    asked = PreviewRequest(BUS, "fährt", prompt="{{ dictionary }}", language="de")
    assert (await service.llm.preview(asked)).startswith("1. abfahren (verb): to leave\n")
    shown, _ = await service.llm.preview_lenient(replace(asked, prompt="{{ dictionary }}\n{{ nothing }}"))
    assert shown.startswith("1. abfahren (verb): to leave\n")
    assert await service.llm.preview(replace(asked, focus="")) == ""


async def test_meanings_come_in_the_language_of_the_profile_where_a_dictionary_has_them(library: Opened) -> None:
    add_dictionary(library)
    add_dictionary(library, "salir", "Alemán", "es")
    service = library.service
    english = (await service.words.summary("fährt", language="de", sentence=BUS)).focus
    assert english.meanings[0] == "to leave"
    assert "salir" not in english.meanings
    await service.settings.save(ProfileSettings("es"))
    focus = (await service.words.summary("fährt", language="de", sentence=BUS)).focus
    assert (focus.meanings, focus.dictionary) == (("salir",), "Alemán · CC BY-SA 4.0")
    found = await service.dictionaries.look_up("fährt", language="de", sentence=BUS)
    assert [each.dictionary.title for each in found.entries][:2] == ["Alemán", "German"]


async def test_broken_dictionaries_leave_the_model_to_itself(asking_library: Opened, server: FakeModelServer) -> None:
    add_dictionary(asking_library)
    await asking_library.engine.dictionaries.close()
    directory = asking_library.engine.database.directory
    for name in ("dictionaries.db-wal", "dictionaries.db-shm"):
        (directory / name).unlink(missing_ok=True)
    (directory / "dictionaries.db").write_bytes(b"no database" * 1000)
    events = await break_down(asking_library.service, server, stream("It leaves."), ASK_BUS)
    assert (text_of(events), focus_of(events).meanings) == ("It leaves.", ("to leave",))
