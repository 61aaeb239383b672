"""Focus first, then the explanation, whatever the provider does."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import Any

import pytest

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
from tests.llm.fakes import fake_server as fake
from tests.llm.fakes.fake_openai import OPENAI, like_llama_cpp
from tests.llm.library import FewWords, line
from tui.events import BreakdownEvent, FocusReady, StateChanged, Token
from tui.llm.http.api_key import ApiKey
from tui.llm.http.provider import HttpProvider
from tui.llm.lexicon import Lexicon
from tui.llm.protocol import Provider
from tui.llm.selector import Selector
from tui.llm.wires.openai_chat import OpenAiChat
from tui.records.clips import FocusWord
from tui.records.dictionaries import Dictionary, DictionaryEntry, FoundEntry, LookUp, Sense


def answering(server: fake.FakeModelServer, focus: fake.Reply, explanation: fake.Reply) -> None:
    server.on_chat = lambda request: explanation if fake.is_stream(request) else focus


async def heard_from(provider: Provider, lexicon: Lexicon = LEXICON, **more: Any) -> Sequence[BreakdownEvent]:
    """The events of a breakdown, in the order that they are promised in."""
    return checked(await listen(breakdown(question(), provider, lexicon, **more)))


def states_of(events: Sequence[BreakdownEvent]) -> list[tuple[str, str]]:
    return [(event.state, event.message) for event in events if isinstance(event, StateChanged)]


async def test_the_focus_comes_first_and_once_then_the_tokens() -> None:
    async with asked() as (server, provider):
        answering(server, fake.answer(FOCUS, tokens=(9, 3)), fake.stream("Hal", "lo", tokens=(11, 4)))
        events = await heard_from(provider)
        focus = focus_of(events)
        assert (focus.surface, focus.lemma, focus.origin) == ("fährt … ab", "abfahren", "llm")
        assert text_of(events) == "Hallo"
        end = end_of(events)
        assert (end.state, end.model, end.cut, end.kept) == ("complete", "fake:fake-large", False, False)
        assert (end.answer_id, end.input_tokens, end.output_tokens) == (None, 20, 7)
        assert [state for state, _ in states_of(events)] == ["connecting", "streaming"]


async def test_a_cloud_is_asked_both_at_once_and_tokens_wait_for_the_focus() -> None:
    gate = fake.Gate()
    async with asked() as (server, provider):
        answering(server, fake.Reply((gate, *fake.answer(FOCUS).pieces)), fake.stream("Hal", "lo"))
        listening = asyncio.create_task(heard_from(provider))
        await server.arrived(2)
        await gate.reached.wait()
        while not all(chat.answered for chat in server.chats if fake.is_stream(chat)):
            await asyncio.sleep(0.001)
        gate.opened.set()
        heard = await listening
        assert focus_of(heard).origin == "llm"
        assert text_of(heard) == "Hallo"


async def test_a_local_server_is_asked_one_after_the_other() -> None:
    busy: list[int] = []

    async with asked(local=True) as (server, provider):

        def on_chat(request: fake.Request) -> fake.Reply:
            busy.append(sum(not chat.answered for chat in server.chats))
            return fake.stream("Hallo") if fake.is_stream(request) else fake.answer(FOCUS)

        server.on_chat = on_chat
        await heard_from(provider)
        assert [fake.is_stream(chat) for chat in server.chats] == [False, True]
        assert busy == [1, 1]


async def test_a_rate_limit_that_meets_the_focus_of_a_local_server_is_waited_out_in_sight() -> None:
    async with asked(local=True) as (server, provider):
        server.enqueue(
            fake.status(429, {"error": "slow down"}, {"retry-after": "1"}), fake.answer(FOCUS), fake.stream("Hallo")
        )
        events = await heard_from(provider)
        waits = [event for event in events if isinstance(event, StateChanged) and event.state == "waiting"]
        assert [event.seconds for event in waits] == [1.0]
        assert focus_of(events).origin == "llm"
        assert text_of(events) == "Hallo"


async def test_a_local_server_that_breaks_over_a_schema_is_asked_in_its_own_way_and_says_what_it_does() -> None:
    async with asked(local=True) as (server, provider):
        server.on_chat = like_llama_cpp(FOCUS, fake.stream("Hallo"))
        for modes in (["strict schema", "object by schema", "prompt"], ["object by schema", "prompt"]):
            before = len(server.chats)
            events = await heard_from(provider)
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
            fake.stream("Hallo")
            if fake.is_stream(request)
            else fake.status(500, {"error": {"message": "no grammar in /srv/llama/app/chat_format.py: json"}})
        )
        events = checked(await listen(breakdown(bare, provider, lexicon)))
        assert focus_of(events) == FocusWord("fährt", lemma="fahren", language="de", frequency=12, origin="lexicon")
        assert (text_of(events), len(server.chats)) == ("Hallo", 3)
        said = next(message for _, message in states_of(events) if message.startswith("the focus is the lexicon's"))
        assert said.endswith("(500): no grammar in chat_format.py: json")


@pytest.mark.parametrize("local", [False, True])
async def test_after_the_deadline_the_lexicons_focus_stands_in(local: bool) -> None:
    async with asked(local=local) as (server, provider):
        answering(server, fake.Reply((fake.Gate(),)), fake.stream("Hallo"))
        events = await heard_from(provider, deadlines=replace(SOON, cloud=1, local=1))  # first it is to be asked
        assert focus_of(events) == FocusWord("fährt", lemma="fahren", language="de", frequency=12, origin="lexicon")
        assert text_of(events) == "Hallo"
        assert (end_of(events).state, failure_of(events)) == ("complete", "")
        await next(chat for chat in server.chats if not fake.is_stream(chat)).disconnected.wait()


async def test_a_focus_that_fails_never_takes_the_explanation_down() -> None:
    for reply in (
        fake.status(400, {"error": "no"}),
        fake.answer("gibberish"),
        fake.answer(FOCUS, finish="length"),
        fake.cut(),
    ):
        async with asked() as (server, provider):
            answering(server, reply, fake.stream("Hallo"))
            events = await heard_from(provider)
            assert focus_of(events).origin == "lexicon"
            assert (text_of(events), end_of(events).state, failure_of(events)) == ("Hallo", "complete", "")
            assert any("the focus is the lexicon's" in message for _, message in states_of(events))


async def test_an_explanation_that_fails_leaves_the_focus_and_the_partial_text_and_both_together_one_failure() -> None:
    async with asked() as (server, provider):
        answering(server, fake.answer(FOCUS), fake.cut("Hal"))
        events = await heard_from(provider)
        assert focus_of(events).origin == "llm"
        assert (text_of(events), end_of(events).state, failure_of(events)) == ("Hal", "failed", "connection_lost")
        server.on_chat = lambda request: fake.status(401, {"error": f"bad key {KEY}"})
        events = await heard_from(provider)
        assert focus_of(events).origin == "lexicon"
        assert (text_of(events), end_of(events).state, failure_of(events)) == ("", "failed", "key_refused")
        assert KEY not in repr(events)


async def test_a_library_that_cannot_be_read_leaves_the_bare_word() -> None:
    async with asked() as (server, provider):
        answering(server, fake.status(404), fake.stream("Hallo"))
        events = await heard_from(provider, Lexicon(FewWords(broken=True)))
        assert focus_of(events) == FocusWord("fährt", language="de", origin="user")
        assert text_of(events) == "Hallo"


JOINED = (
    ({"lemma": "fahren"}, ("fahren", None, 12)),
    ({"lemma": "abfahren"}, ("abfahren", None, None)),
    ({"lemma": None, "surface": "fährt"}, ("fahren", "fɛːɐ̯t", 12)),
    ({"lemma": "fahren", "surface": "fährt", "reading": "fehrt"}, ("fahren", "fehrt", 12)),
    ({"lemma": "abfahren", "surface": "fährt"}, ("abfahren", None, None)),
)


@pytest.mark.parametrize(("said", "joined"), JOINED)
async def test_what_the_library_knows_joins_the_models_focus_where_they_mean_the_same_word(
    said: dict[str, str | None], joined: tuple[str, str | None, int | None]
) -> None:
    gate = fake.Gate()

    class Telling(FewWords):
        """Lets the model answer once the word has been counted."""

        async def known(self, word: str, language: str | None, sentence: str = "") -> tuple[FocusWord, LookUp]:
            asyncio.get_running_loop().call_later(0.01, gate.opened.set)
            return await super().known(word, language, sentence)

    async with asked() as (server, provider):
        answering(server, fake.Reply((gate, *fake.answer({**FOCUS, **said}).pieces)), fake.stream("Hallo"))
        lexicon = Lexicon(Telling({"fährt": "fahren"}, {"fährt": 12}, readings={"fährt": "fɛːɐ̯t"}))
        focus = focus_of(await heard_from(provider, lexicon))
        assert (focus.lemma, focus.reading, focus.frequency) == joined


@pytest.mark.parametrize("local", [False, True])
async def test_closing_the_events_closes_every_request(local: bool) -> None:
    async with asked(local=local) as (server, provider):
        answering(server, fake.Reply((fake.Gate(),)), fake.slow(["Hal"], fake.Gate()))
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


async def test_closing_in_the_middle_of_the_tokens_closes_the_stream_and_before_anything_asks_nobody() -> None:
    async with asked() as (server, provider):
        await breakdown(question(), provider, LEXICON).aclose()
        assert server.requests == []
        answering(server, fake.answer(FOCUS), fake.slow(["Hal"], fake.Gate()))
        async with aclosing(breakdown(question(), provider, LEXICON)) as events:
            async for event in events:
                if isinstance(event, Token):
                    break
        chat = next(chat for chat in server.chats if fake.is_stream(chat))
        await chat.disconnected.wait()


async def test_an_explanation_says_when_it_thinks_and_when_it_was_cut_and_holds_no_control_characters() -> None:
    thinking = fake.sse(
        fake.delta(reasoning_content="secret"),
        fake.delta("Hal"),
        fake.delta(reasoning_content="more"),
        fake.delta("lo", "stop"),
    )
    controls = ["a\x1b", "]52;c;c3Rv", "bGVu\x07b", "\x1b[3", "1mc\u202e", "\r", "\nd\x9b31", "me"]
    async with asked() as (server, provider):
        server.enqueue(fake.event_stream(thinking), fake.stream("Hal", finish="length"), fake.stream(*controls))
        thought, short, clean = [
            checked(await listen(explain(question("explanation"), provider)), focus=False) for _ in range(3)
        ]
        states = [state for state, _ in states_of(thought)]
        assert states == ["connecting", "thinking", "streaming", "thinking", "streaming"]
        assert text_of(thought) == "Hallo"
        assert end_of(short).cut and end_of(short).state == "complete"
        assert text_of(clean) == "abc\nde"


async def test_the_lexicon_answers_by_the_same_events() -> None:
    library = FewWords({"fährt": "fahren"}, {"fährt": 2}, (line("Wohin fährt er?", "fährt"),), unprepared=("de",))
    lexicon = Lexicon(library)
    selector = Selector("lexicon", "concordance")
    events = checked(await listen(breakdown(question(selector=selector), lexicon, lexicon)))
    assert focus_of(events).origin == "lexicon"
    assert "Wohin **fährt** er?" in text_of(events)
    assert [state for state, _ in states_of(events)] == ["connecting", "preparing", "streaming", "streaming"]
    assert "no dictionary has this word" not in text_of(events)
    assert any("no dictionary has this word" in message for _, message in states_of(events))
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
        answering(server, fake.status(500) if by == "stand-in" else fake.answer(FOCUS), fake.stream("Hallo"))
        events = await listen(breakdown(question(), lexicon if by == "lexicon" else provider, lexicon))
    (ready,) = (event for event in events if isinstance(event, FocusReady))
    other = None if ready.other is None else (ready.other.lemma, ready.other.meanings, ready.other.frequency)
    assert other == (None if by == "model" else ("fahren", ("to ride",), 2))


async def test_a_missing_key_fails_at_once_with_its_name() -> None:
    key = ApiKey("Fake", env="FAKE_API_KEY", required=True)
    provider = HttpProvider(OpenAiChat(), replace(peer(), key=key), "http://127.0.0.1:1/v1", parallel=True)
    events = await heard_from(provider)
    assert failure_of(events) == "missing_key"


async def test_a_focus_that_is_late_does_not_come_twice() -> None:
    async with asked(timeouts=QUICK_LATER) as (server, provider):
        gate = fake.Gate()
        answering(server, fake.Reply((gate, *fake.answer(FOCUS).pieces)), fake.slow(["a"], gate, ["b"]))
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
