"""Asking through the service: what is rendered and sent, what is kept, and what of it is shown again."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import aclosing, suppress
from dataclasses import replace

import pytest

from tests.llm import breaking_down
from tests.llm.breaking_down import end_of, listen, text_of
from tests.llm.fakes.fake_server import FakeModelServer, Gate, answer, cut, slow, stream
from tests.service.files.test_files import finished
from tests.service.libraries import Opened, both_every_day
from tui.errors import InvalidInput, ProviderError, TemplateError
from tui.events import BreakdownEvent, Failed, Finished, FocusReady, Token
from tui.llm.http.answer_stream import EventBatch
from tui.llm.http.decoder import AnswerDecoder
from tui.records.answers import Answer, NewTemplate
from tui.records.settings import LearnedLanguage, ProfileSettings
from tui.service.protocol import Service
from tui.service.requests import BreakdownRequest, ExplainRequest, PreviewRequest

SENTENCE = "Hoffentlich fährt er überhaupt noch ab."
ASK = BreakdownRequest(SENTENCE, "fährt", model="work:m", language="de", source="Der letzte Zug")
FOCUS = {**breaking_down.FOCUS, "grammar": "3rd person singular", "level": "A1"}


def failure_of(events: list[BreakdownEvent]) -> Failed:
    (failed,) = (event for event in events if isinstance(event, Failed))
    return failed


async def told(service: Service) -> Answer:
    """The only answer once the history has what came of it: over a network, a moment after it was stopped."""
    while not (kept := (await service.history.page()).items) or not kept[0].text:
        await asyncio.sleep(0.001)
    return kept[0]


@both_every_day
async def test_a_breakdown_is_focus_first_then_tokens_and_is_kept_in_the_history(
    asking: Service, server: FakeModelServer
) -> None:
    server.enqueue(answer(FOCUS), stream("**fährt** … ", "ab"))
    events = await listen(asking.llm.breakdown(ASK))
    kinds = [type(event) for event in events if isinstance(event, (FocusReady, Token, Finished))]
    assert kinds[0] is FocusReady
    assert kinds.count(FocusReady) == 1
    assert text_of(events) == "**fährt** … ab"
    end = end_of(events)
    assert (end.state, end.kept) == ("complete", False)
    assert end.answer_id is not None
    kept = await asking.history.get(end.answer_id)
    assert (kept.kind, kept.model, kept.focus, kept.text, kept.state) == (
        "breakdown",
        "work:m",
        "fährt",
        "**fährt** … ab",
        "complete",
    )
    assert kept.focus_word is not None
    assert kept.focus_word.lemma == "abfahren"
    assert SENTENCE in kept.prompt


async def test_asking_the_same_again_is_answered_from_the_history_and_fresh_asks_anew(
    asking: Service, server: FakeModelServer
) -> None:
    server.enqueue(answer(FOCUS), stream("first"))
    first = await listen(asking.llm.breakdown(ASK))
    asked = len(server.chats)
    again = await listen(asking.llm.breakdown(ASK))
    assert len(server.chats) == asked
    assert end_of(again).kept
    assert end_of(again).answer_id == end_of(first).answer_id
    assert text_of(again) == "first"
    server.enqueue(answer(FOCUS), stream("second"))
    anew = await listen(asking.llm.breakdown(replace(ASK, fresh=True)))
    assert text_of(anew) == "second"
    assert not end_of(anew).kept


@both_every_day
async def test_a_stream_that_is_left_early_closes_the_connection_and_stays_as_aborted(
    asking: Service, server: FakeModelServer
) -> None:
    gate = Gate()
    server.enqueue(answer(FOCUS), slow(["what came"], gate))
    async with aclosing(asking.llm.breakdown(ASK)) as events:
        async for event in events:
            if isinstance(event, Token):
                break
    await server.chats[-1].disconnected.wait()
    kept = await told(asking)
    assert (kept.state, kept.text) == ("aborted", "what came")


async def test_a_cancelled_task_leaves_the_same_as_a_closed_stream(asking: Service, server: FakeModelServer) -> None:
    gate = Gate()
    server.enqueue(answer(FOCUS), slow(["what came"], gate))
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


async def test_a_cut_stream_fails_and_what_came_is_kept_as_failed(asking: Service, server: FakeModelServer) -> None:
    server.enqueue(answer(FOCUS), cut("half an ans"))
    events = await listen(asking.llm.breakdown(ASK))
    assert isinstance(failure_of(events).error, ProviderError)
    assert end_of(events).state == "failed"
    (kept,) = (await asking.history.page()).items
    assert (kept.state, kept.text) == ("failed", "half an ans")
    assert kept.error
    assert (await asking.history.page(q="fährt")).total == 1


async def test_a_defect_in_the_middle_of_an_answer_leaves_it_as_failed(
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
    with suppress(ZeroDivisionError):  # a server says it with an event
        async with aclosing(asking.llm.explain(ExplainRequest(SENTENCE, model="work:m"))) as events:
            async for event in events:
                if isinstance(event, Token):
                    gate.opened.set()
    kept = await told(asking)
    assert (kept.state, kept.text) == ("failed", "what came")
    assert kept.error == "something unforeseen went wrong (ZeroDivisionError)"


async def test_a_failed_answer_is_not_shown_again_but_asked_anew(asking: Service, server: FakeModelServer) -> None:
    server.enqueue(answer(FOCUS), cut("half"))
    await listen(asking.llm.breakdown(ASK))
    server.enqueue(answer(FOCUS), stream("whole"))
    assert text_of(await listen(asking.llm.breakdown(ASK))) == "whole"


@pytest.mark.parametrize(
    ("changes", "error", "words"),
    [
        ({"sentence": "  "}, InvalidInput, "no sentence"),
        ({"sentence": "\x00\x00"}, InvalidInput, "no sentence"),
        ({"focus": "\x00"}, InvalidInput, "no focus word"),
        ({"focus": "ア" * 10_001}, InvalidInput, "a sentence, its word or its context has at most 10000"),
        ({"focus": ""}, InvalidInput, "no focus"),
        ({"model": "nobody:m"}, ProviderError, "nobody"),
        ({"model": "work:"}, InvalidInput, "model"),
        ({"prompt": "{{ contxt }}"}, TemplateError, "contxt"),
        ({"model": "openai:gpt"}, ProviderError, "OPENAI_API_KEY"),
        ({"sentence": "x" * 20_000}, InvalidInput, "at most"),
    ],
)
async def test_what_cannot_be_asked_fails_with_its_cause_and_ends(
    asking: Service, changes: dict[str, str], error: type[Exception], words: str
) -> None:
    events = await listen(asking.llm.breakdown(replace(ASK, **changes)))  # type: ignore[arg-type]  # any of its fields
    failed = failure_of(events)
    assert isinstance(failed.error, error)
    assert words in failed.error.message + failed.error.hint
    assert failed.error.hint
    assert end_of(events).state == "failed"


async def test_the_lexicon_answers_without_network_and_is_asked_every_time(service: Service) -> None:
    await finished(service, await service.files.add_samples())
    ask = replace(ASK, model="")
    events = await listen(service.llm.breakdown(ask))
    (focus,) = (event.focus for event in events if isinstance(event, FocusReady))
    assert (focus.lemma, focus.origin, focus.level) == ("abfahren", "lexicon", "A1")
    assert focus.meanings == ("to depart, to leave (trains, buses, drivers)",)
    assert focus.frequency is not None
    assert focus.frequency > 5
    assert "**fährt**" in text_of(events)
    again = await listen(service.llm.breakdown(ask))
    assert not end_of(again).kept


async def test_the_template_in_force_is_the_saved_one_else_the_built_in(
    asking: Service, server: FakeModelServer
) -> None:
    assert (await asking.template.effective()).model == "lexicon:concordance"
    assert await asking.template.get() is None
    saved = await asking.template.save(NewTemplate("work:m", "What is {{ focus }} in {{ sentence }}?", "Be brief."))
    assert saved.created_at == saved.updated_at
    assert await asking.llm.preview(PreviewRequest(SENTENCE, "fährt")) == f"What is fährt in {SENTENCE}?"
    server.enqueue(answer(FOCUS), stream("ok"))
    await listen(asking.llm.breakdown(replace(ASK, model="")))
    explanation = server.chats[-1].body
    assert explanation["model"] == "m"
    assert {"role": "system", "content": "Be brief."} in explanation["messages"]
    assert {"role": "user", "content": f"What is fährt in {SENTENCE}?"} in explanation["messages"]


async def test_a_prompt_about_a_word_is_not_used_to_explain_a_sentence(
    asking: Service, server: FakeModelServer
) -> None:
    await asking.template.save(NewTemplate("work:m", "What is {{ focus }}?", "Be brief."))
    server.enqueue(stream("It says that …"))
    events = await listen(asking.llm.explain(ExplainRequest(SENTENCE)))
    assert text_of(events) == "It says that …"
    assert not any(isinstance(event, FocusReady) for event in events)
    assert SENTENCE in server.chats[-1].body["messages"][-1]["content"]


async def test_a_prompt_that_only_speaks_of_focus_explains_sentences_too(
    asking: Service, server: FakeModelServer
) -> None:
    await asking.template.save(NewTemplate("work:m", "Please focus on grammar: {{ sentence }}", "Be brief."))
    server.enqueue(stream("It says that …"))
    await listen(asking.llm.explain(ExplainRequest(SENTENCE)))
    assert server.chats[-1].body["messages"][-1]["content"] == f"Please focus on grammar: {SENTENCE}"


async def test_a_saved_prompt_that_is_refused_by_now_is_never_replaced_by_the_built_in_one(
    asking_library: Opened, server: FakeModelServer
) -> None:
    asking = asking_library.service
    prompt = "Explain\n{{ sentence.upper() }}"
    await asking_library.engine.database.run(
        lambda store: store.templates.save("default", NewTemplate("work:m", prompt, "as an older Lode saved it"))
    )
    for events in (asking.llm.breakdown(replace(ASK, model="")), asking.llm.explain(ExplainRequest(SENTENCE))):
        error = failure_of(await listen(events)).error
        assert isinstance(error, TemplateError)
        assert (error.line, error.column) == (2, 13)
        assert "{{ … | upper }}" in error.hint
    assert not server.chats
    assert (await asking.template.effective()).prompt == prompt
    shown, problem = await asking.llm.preview_lenient(PreviewRequest(SENTENCE))
    assert (shown, problem and problem.line) == (prompt, 2)


@pytest.mark.parametrize(
    ("template", "error"),
    [
        (NewTemplate("work:m", "{{ contxt }}", ""), TemplateError),
        (NewTemplate("work:m", "{% for %}", ""), TemplateError),
        (NewTemplate("work:m", "  ", ""), InvalidInput),
        (NewTemplate("work:m", "\x00", ""), InvalidInput),
        (NewTemplate("nobody:m", "{{ focus }}", ""), ProviderError),
        (NewTemplate("", "{{ focus }}", ""), InvalidInput),
    ],
)
async def test_a_template_that_is_not_valid_is_refused_and_the_old_one_stays(
    asking: Service, template: NewTemplate, error: type[Exception]
) -> None:
    await asking.template.save(NewTemplate("work:m", "{{ focus }}", "old"))
    with pytest.raises(error):
        await asking.template.save(template)
    kept = await asking.template.get()
    assert kept is not None
    assert kept.sys_msg == "old"


async def test_a_deleted_template_can_be_brought_back(asking: Service) -> None:
    saved = await asking.template.save(NewTemplate("work:m", "{{ focus }}", "mine"))
    await asking.template.delete()
    assert await asking.template.get() is None
    await asking.undo()
    assert await asking.template.get() == saved


SPANISH = ProfileSettings("es", (LearnedLanguage("de", "B1"),))


async def test_an_answer_is_asked_for_in_the_language_and_at_the_level_of_the_profile(
    asking: Service, server: FakeModelServer
) -> None:
    await asking.settings.save(SPANISH)
    server.enqueue(answer(FOCUS), stream("Se va."), stream("Ojalá se vaya."))
    await listen(asking.llm.breakdown(ASK))
    await listen(asking.llm.explain(ExplainRequest(SENTENCE, model="work:m", language="de")))
    (kept_explanation, kept) = (await asking.history.page()).items
    assert "Answer in Spanish, in Markdown" in kept.sys_msg
    assert "Answer in Spanish, in Markdown" in kept_explanation.sys_msg
    assert "to a learner at level B1." in kept.prompt
    assert "to a learner at level B1." in kept_explanation.prompt
    assert any(
        "The explaining language is Spanish, for a learner at level B1." in str(chat.body) for chat in server.chats
    )
    preview = PreviewRequest(SENTENCE, prompt="{{ explain_in }} {{ level }}", language="de-AT")
    assert await asking.llm.preview(preview) == "Spanish B1"
    assert await asking.llm.preview_lenient(replace(preview, language="fr")) == ("Spanish ", None)


@pytest.mark.exhaustive
async def test_a_changed_setting_asks_nothing_anew_until_that_is_asked_for(
    asking: Service, server: FakeModelServer
) -> None:
    server.enqueue(answer(FOCUS), stream("It leaves."))
    english = end_of(await listen(asking.llm.breakdown(ASK))).answer_id
    asked = len(server.chats)
    await asking.settings.save(SPANISH)
    again = await listen(asking.llm.breakdown(ASK))
    assert (text_of(again), end_of(again).answer_id, end_of(again).kept) == ("It leaves.", english, True)
    assert len(server.chats) == asked
    server.enqueue(answer(FOCUS), stream("Se va."))
    fresh = await listen(asking.llm.breakdown(replace(ASK, fresh=True)))
    assert text_of(fresh) == "Se va."
    assert text_of(await listen(asking.llm.breakdown(ASK))) == "Se va."
    await asking.settings.save(ProfileSettings())
    assert text_of(await listen(asking.llm.breakdown(ASK))) == "It leaves.", "what was asked in these very words"
    await asking.settings.save(ProfileSettings("fr"))
    assert text_of(await listen(asking.llm.breakdown(ASK))) == "Se va.", "else the newest"


async def test_a_template_of_an_older_lode_asks_in_the_language_of_the_profile_unless_somebody_wrote_it(
    asking: Service, server: FakeModelServer
) -> None:
    default = await asking.template.effective()
    english = default.sys_msg.replace("{{ explain_in }}", "English")
    await asking.settings.save(SPANISH)
    saved = await asking.template.save(replace(default, model="work:m", sys_msg=english))
    assert saved.sys_msg == default.sys_msg
    assert await asking.template.get() == saved
    own = await asking.template.save(replace(default, model="work:m", sys_msg=english + " Be {brief}."))
    assert own.sys_msg == english + " Be {brief}."
    server.enqueue(answer(FOCUS), stream("Se va."))
    await listen(asking.llm.breakdown(ASK))
    assert (await asking.history.page()).items[0].sys_msg == english + " Be {brief}."


async def test_what_is_said_of_the_sentence_comes_with_the_word_and_is_kept(
    asking: Service, server: FakeModelServer
) -> None:
    ask = BreakdownRequest("昨日、食べた。", "食べた", model="work:m", language="ja")
    focus = {
        **FOCUS,
        "surface": "食べた",
        "translation": "I ate yesterday.",
        "readings": ["昨日[きのう]", "食べた[たべた]"],
    }
    server.enqueue(answer(focus), stream("It is the past."))
    for _ in range(2):  # the second is the kept one
        events = await listen(asking.llm.breakdown(ask))
        (ready,) = (event for event in events if isinstance(event, FocusReady))
        assert (ready.translation, ready.sentence_reading) == ("I ate yesterday.", "昨日[きのう]、 食[た]べた。")
    (kept,) = (await asking.history.page()).items
    assert (kept.translation, kept.sentence_reading) == (ready.translation, ready.sentence_reading)
