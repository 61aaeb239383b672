"""Focus first, then the explanation, whatever the provider does."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import replace

import pytest

from tests.hostile import FORBIDDEN
from tests.llm.asking import KEY, QUICK_LATER, asked, peer, question
from tests.llm.breaking_down import (
    FOCUS,
    LEXICON,
    SOON,
    breakdown,
    checked,
    end_of,
    explain,
    failure_of,
    focus_of,
    listen,
    text_of,
)
from tests.llm.fakes.fake_openai import OPENAI, like_llama_cpp
from tests.llm.fakes.fake_server import (
    FakeModelServer,
    Gate,
    Reply,
    Request,
    answer,
    cut,
    delta,
    event_stream,
    is_stream,
    slow,
    sse,
    status,
    stream,
)
from tests.llm.library import FewWords, line
from tui.events import BreakdownEvent, FocusReady, StateChanged, Token
from tui.llm.http.api_key import ApiKey
from tui.llm.http.provider import HttpProvider
from tui.llm.lexicon import Lexicon
from tui.llm.selector import Selector
from tui.llm.wires.openai_chat import OpenAiChat
from tui.records.clips import FocusWord
from tui.records.dictionaries import Dictionary, DictionaryEntry, FoundEntry, LookUp, Sense


def answering(server: FakeModelServer, focus: Reply, explanation: Reply) -> None:
    server.on_chat = lambda request: explanation if is_stream(request) else focus


async def test_the_focus_comes_first_and_once_then_the_tokens() -> None:
    async with asked() as (server, provider):
        answering(server, answer(FOCUS, tokens=(9, 3)), stream("Hal", "lo", tokens=(11, 4)))
        events = checked(await listen(breakdown(question(), provider, LEXICON)))
        focus = focus_of(events)
        assert (focus.surface, focus.lemma, focus.origin) == ("fährt … ab", "abfahren", "llm")
        assert text_of(events) == "Hallo"
        end = end_of(events)
        assert (end.state, end.model, end.cut, end.kept, end.answer_id) == (
            "complete",
            "fake:fake-large",
            False,
            False,
            None,
        )
        assert (end.input_tokens, end.output_tokens) == (20, 7)
        assert [event.state for event in events if isinstance(event, StateChanged)] == ["connecting", "streaming"]


async def test_a_cloud_is_asked_both_at_once_and_tokens_wait_for_the_focus() -> None:
    gate = Gate()
    async with asked() as (server, provider):
        answering(server, Reply((gate, *answer(FOCUS).pieces)), stream("Hal", "lo"))
        events = breakdown(question(), provider, LEXICON)
        listening = asyncio.create_task(listen(events))
        await server.arrived(2)
        await gate.reached.wait()
        while not all(chat.answered for chat in server.chats if is_stream(chat)):
            await asyncio.sleep(0.001)
        gate.opened.set()
        heard = checked(await listening)
        assert focus_of(heard).origin == "llm"
        assert text_of(heard) == "Hallo"


async def test_a_local_server_is_asked_one_after_the_other() -> None:
    busy: list[int] = []

    async with asked(local=True) as (server, provider):

        def on_chat(request: Request) -> Reply:
            busy.append(sum(not chat.answered for chat in server.chats))
            return stream("Hallo") if is_stream(request) else answer(FOCUS)

        server.on_chat = on_chat
        checked(await listen(breakdown(question(), provider, LEXICON)))
        assert [is_stream(chat) for chat in server.chats] == [False, True]
        assert busy == [1, 1]


async def test_a_rate_limit_that_meets_the_focus_of_a_local_server_is_waited_out_in_sight() -> None:
    async with asked(local=True) as (server, provider):
        server.enqueue(status(429, {"error": "slow down"}, {"retry-after": "1"}), answer(FOCUS), stream("Hallo"))
        events = checked(await listen(breakdown(question(), provider, LEXICON)))
        waits = [event for event in events if isinstance(event, StateChanged) and event.state == "waiting"]
        assert [event.seconds for event in waits] == [1.0]
        assert focus_of(events).origin == "llm"
        assert text_of(events) == "Hallo"


def states_of(events: Sequence[BreakdownEvent]) -> list[tuple[str, str]]:
    return [(event.state, event.message) for event in events if isinstance(event, StateChanged)]


async def test_a_local_server_that_breaks_over_a_schema_is_asked_in_its_own_way_and_says_what_it_does() -> None:
    async with asked(local=True) as (server, provider):
        server.on_chat = like_llama_cpp(FOCUS, stream("Hallo"))
        for modes in (["strict schema", "object by schema", "prompt"], ["object by schema", "prompt"]):
            before = len(server.chats)
            events = checked(await listen(breakdown(question(), provider, LEXICON)))
            assert focus_of(events).origin == "llm"
            assert [OPENAI.rung(chat) for chat in server.chats[before:]] == modes
            assert states_of(events) == [
                ("connecting", ""),
                ("preparing", "asking for the focus word"),
                *([("preparing", "focus word: this form is refused, asking in another way")] * (len(modes) - 2)),
                ("preparing", "asking for the explanation"),
                ("streaming", ""),
            ]


async def test_where_no_form_is_taken_the_dictionaries_whole_answer_stands_in() -> None:
    """Two requests, a message without the server's innards, and the word as the lexicon alone would have it."""
    lexicon = Lexicon(FewWords({"fährt": "fahren"}, {"fährt": 12}, unprepared=("de",)))
    bare = replace(question(), looked_up=FocusWord("fährt", language="de", origin="lexicon"))
    async with asked(local=True) as (server, provider):
        server.on_chat = lambda request: (
            stream("Hallo")
            if is_stream(request)
            else status(500, {"error": {"message": "no grammar in /srv/llama/app/chat_format.py: json"}})
        )
        events = checked(await listen(breakdown(bare, provider, lexicon)))
        assert focus_of(events) == FocusWord("fährt", lemma="fahren", language="de", frequency=12, origin="lexicon")
        assert (text_of(events), len(server.chats)) == ("Hallo", 3)
        said = next(message for _, message in states_of(events) if message.startswith("the focus is the lexicon's"))
        assert said.endswith("(500): no grammar in chat_format.py: json")


@pytest.mark.parametrize("local", [False, True])
async def test_after_the_deadline_the_lexicons_focus_stands_in(local: bool) -> None:
    async with asked(local=local) as (server, provider):
        await provider.models()  # makes the connections ready: else the deadline passes before the model is asked
        answering(server, Reply((Gate(),)), stream("Hallo"))
        events = checked(await listen(breakdown(question(), provider, LEXICON, deadlines=SOON)))
        assert focus_of(events) == FocusWord("fährt", lemma="fahren", language="de", frequency=12, origin="lexicon")
        assert text_of(events) == "Hallo"
        assert (end_of(events).state, failure_of(events)) == ("complete", "")
        await next(chat for chat in server.chats if not is_stream(chat)).disconnected.wait()


@pytest.mark.parametrize(
    "reply", [status(400, {"error": "no"}), answer("gibberish"), answer(FOCUS, finish="length"), cut()]
)
async def test_a_focus_that_fails_never_takes_the_explanation_down(reply: Reply) -> None:
    async with asked() as (server, provider):
        answering(server, reply, stream("Hallo"))
        events = checked(await listen(breakdown(question(), provider, LEXICON)))
        assert focus_of(events).origin == "lexicon"
        assert (text_of(events), end_of(events).state, failure_of(events)) == ("Hallo", "complete", "")
        assert any("the focus is the lexicon's" in event.message for event in events if isinstance(event, StateChanged))


async def test_an_explanation_that_fails_leaves_the_focus_and_the_partial_text() -> None:
    async with asked() as (server, provider):
        answering(server, answer(FOCUS), cut("Hal"))
        events = checked(await listen(breakdown(question(), provider, LEXICON)))
        assert focus_of(events).origin == "llm"
        assert (text_of(events), end_of(events).state, failure_of(events)) == ("Hal", "failed", "connection_lost")


async def test_when_both_fail_there_is_one_failure_and_an_end() -> None:
    async with asked() as (server, provider):
        server.on_chat = lambda request: status(401, {"error": f"bad key {KEY}"})
        events = checked(await listen(breakdown(question(), provider, LEXICON)))
        assert focus_of(events).origin == "lexicon"
        assert (text_of(events), end_of(events).state, failure_of(events)) == ("", "failed", "key_refused")
        assert KEY not in repr(events)


async def test_a_library_that_cannot_be_read_leaves_the_bare_word() -> None:
    async with asked() as (server, provider):
        answering(server, status(404), stream("Hallo"))
        events = checked(await listen(breakdown(question(), provider, Lexicon(FewWords(broken=True)))))
        assert focus_of(events) == FocusWord("fährt", language="de", origin="user")
        assert text_of(events) == "Hallo"


@pytest.mark.parametrize(
    ("said", "lemma", "reading", "frequency"),
    [
        ({"lemma": "fahren"}, "fahren", None, 12),
        ({"lemma": "abfahren"}, "abfahren", None, None),
        ({"lemma": None, "surface": "fährt"}, "fahren", "fɛːɐ̯t", 12),
        ({"lemma": "fahren", "surface": "fährt", "reading": "fehrt"}, "fahren", "fehrt", 12),
        ({"lemma": "abfahren", "surface": "fährt"}, "abfahren", None, None),
    ],
)
async def test_what_the_library_knows_joins_the_models_focus_where_they_mean_the_same_word(
    said: dict[str, str | None], lemma: str, reading: str | None, frequency: int | None
) -> None:
    gate = Gate()

    class Telling(FewWords):
        """Lets the model answer once the word has been counted."""

        async def known(self, word: str, language: str | None, sentence: str = "") -> tuple[FocusWord, LookUp]:
            asyncio.get_running_loop().call_later(0.01, gate.opened.set)
            return await super().known(word, language, sentence)

    async with asked() as (server, provider):
        answering(server, Reply((gate, *answer({**FOCUS, **said}).pieces)), stream("Hallo"))
        lexicon = Lexicon(Telling({"fährt": "fahren"}, {"fährt": 12}, readings={"fährt": "fɛːɐ̯t"}))
        focus = focus_of(checked(await listen(breakdown(question(), provider, lexicon))))
        assert (focus.lemma, focus.reading, focus.frequency) == (lemma, reading, frequency)


@pytest.mark.parametrize("local", [False, True])
async def test_closing_the_events_closes_every_request(local: bool) -> None:
    async with asked(local=local) as (server, provider):
        answering(server, Reply((Gate(),)), slow(["Hal"], Gate()))
        events = breakdown(question(), provider, LEXICON)
        async with aclosing(events):
            for _ in range(2 if local else 1):  # what it says before it asks
                await anext(events)
            waiting = asyncio.create_task(anext(events))
            await server.arrived(1 if local else 2)
            waiting.cancel()
            await asyncio.wait([waiting])
        for chat in server.chats:
            await chat.disconnected.wait()
        assert len(server.chats) == (1 if local else 2)


async def test_closing_in_the_middle_of_the_tokens_closes_the_stream() -> None:
    async with asked() as (server, provider):
        answering(server, answer(FOCUS), slow(["Hal"], Gate()))
        async with aclosing(breakdown(question(), provider, LEXICON)) as events:
            async for event in events:
                if isinstance(event, Token):
                    break
        chat = next(chat for chat in server.chats if is_stream(chat))
        await chat.disconnected.wait()


async def test_events_that_nobody_listens_to_ask_nobody() -> None:
    async with asked() as (server, provider):
        await breakdown(question(), provider, LEXICON).aclose()
        assert server.requests == []


async def test_thinking_is_shown_as_a_state_and_never_as_text() -> None:
    body = sse(delta(reasoning_content="secret"), delta("Hal"), delta(reasoning_content="more"), delta("lo", "stop"))
    async with asked() as (server, provider):
        server.on_chat = lambda request: event_stream(body)
        events = checked(await listen(explain(question("explanation"), provider)), focus=False)
        states = [event.state for event in events if isinstance(event, StateChanged)]
        assert states == ["connecting", "thinking", "streaming", "thinking", "streaming"]
        assert text_of(events) == "Hallo"


async def test_an_answer_cut_by_its_length_is_complete_and_says_so() -> None:
    async with asked() as (server, provider):
        server.on_chat = lambda request: stream("Hal", finish="length")
        events = checked(await listen(explain(question("explanation"), provider)), focus=False)
        assert end_of(events).cut and end_of(events).state == "complete"


async def test_control_characters_cut_across_tokens_never_come_through() -> None:
    pieces = ["a\x1b", "]52;c;c3Rv", "bGVu\x07b", "\x1b[3", "1mc\u202e", "\r", "\nd\x9b31", "me"]
    async with asked() as (server, provider):
        server.on_chat = lambda request: stream(*pieces)
        events = checked(await listen(explain(question("explanation"), provider)), focus=False)
        assert text_of(events) == "abc\nde"
        assert not set(text_of(events)) & set(FORBIDDEN)


async def test_the_lexicon_answers_by_the_same_events() -> None:
    library = FewWords({"fährt": "fahren"}, {"fährt": 2}, (line("Wohin fährt er?", "fährt"),), unprepared=("de",))
    lexicon = Lexicon(library)
    selector = Selector("lexicon", "concordance")
    events = checked(await listen(breakdown(question(selector=selector), lexicon, lexicon)))
    assert focus_of(events).origin == "lexicon"
    assert "Wohin **fährt** er?" in text_of(events)
    assert [event.state for event in events if isinstance(event, StateChanged)] == [
        "connecting",
        "preparing",
        "streaming",
        "streaming",
    ]
    assert "no dictionary has this word" not in text_of(events)
    assert any("no dictionary has this word" in event.message for event in events if isinstance(event, StateChanged))
    assert end_of(events).model == "lexicon:concordance"


@pytest.mark.parametrize("by", ["lexicon", "stand-in", "model"])
async def test_the_other_word_that_may_be_meant_comes_with_the_lexicons_focus_and_with_no_models(by: str) -> None:
    dictionary = Dictionary(*("d", "Small", "yomitan", "1", "de", "en"), *("",) * 5, None, 1, 1, "")
    noun, verb = (
        FoundEntry(DictionaryEntry(term, part_of_speech=(kind,), senses=(Sense((gloss,)),)), dictionary, "surface")
        for term, kind, gloss in (("Fahrt", "noun", "ride"), ("fahren", "verb", "to ride"))
    )
    lexicon = Lexicon(FewWords(counts={"fährt": 2}, entries={"fährt": (noun, verb)}, others={"fährt": 1}))
    async with asked(local=True) as (server, provider):
        answering(server, status(500) if by == "stand-in" else answer(FOCUS), stream("Hallo"))
        events = await listen(breakdown(question(), lexicon if by == "lexicon" else provider, lexicon))
    (ready,) = (event for event in events if isinstance(event, FocusReady))
    other = None if ready.other is None else (ready.other.lemma, ready.other.meanings, ready.other.frequency)
    assert other == (None if by == "model" else ("fahren", ("to ride",), 2))


async def test_a_missing_key_fails_at_once_with_its_name() -> None:
    key = ApiKey("Fake", env="FAKE_API_KEY", required=True)
    provider = HttpProvider(OpenAiChat(), replace(peer(), key=key), "http://127.0.0.1:1/v1", parallel=True)
    events = checked(await listen(breakdown(question(), provider, LEXICON)))
    assert failure_of(events) == "missing_key"


async def test_a_focus_that_is_late_does_not_come_twice() -> None:
    async with asked(timeouts=QUICK_LATER) as (server, provider):
        gate = Gate()
        answering(server, Reply((gate, *answer(FOCUS).pieces)), slow(["a"], gate, ["b"]))
        events = breakdown(question(), provider, LEXICON, deadlines=SOON)
        heard: list[BreakdownEvent] = []
        async with aclosing(events):
            async for event in events:
                heard.append(event)
                if isinstance(event, Token):
                    gate.opened.set()
        checked(heard)
        assert focus_of(heard).origin == "lexicon"
        assert text_of(heard) == "ab"
