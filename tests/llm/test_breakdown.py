"""Focus first, then the explanation, whatever the provider does."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from typing import Any

import pytest

from tests.hostile import FORBIDDEN
from tests.llm.asking import KEY, QUICK, asked, peer, question
from tests.llm.fake_server import (
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
from tui.errors import ProviderError
from tui.events import BreakdownEvent, Failed, Finished, FocusReady, StateChanged, Token
from tui.llm.api_key import ApiKey
from tui.llm.breakdown import Deadlines, breakdown, explain
from tui.llm.breakdown import answer as answer_to
from tui.llm.http_chat import HttpChat
from tui.llm.http_stream import import_transport
from tui.llm.lexicon import Lexicon
from tui.llm.protocol import (
    ChatRequest,
    Preparing,
    Provider,
    StreamEnd,
    StreamEvent,
    StructuredAnswer,
    TextDelta,
    Thinking,
    Waiting,
    silently,
)
from tui.llm.selector import Selector
from tui.llm.wires.openai_chat import OpenAiChat
from tui.records import FocusWord, ProviderStatus

FOCUS = {
    "surface": "fährt … ab",
    "lemma": "abfahren",
    "reading": None,
    "part_of_speech": "verb",
    "grammar": None,
    "meanings": ["to leave"],
    "level": None,
}
LEXICON = Lexicon(FewWords({"fährt": "fahren"}, {"fährt": 12}))
SOON = Deadlines(cloud=0.05, local=0.05, lexicon=1)


async def listen(events: AsyncGenerator[BreakdownEvent, None]) -> list[BreakdownEvent]:
    async with aclosing(events):
        return [event async for event in events]


def checked(events: Sequence[BreakdownEvent], *, focus: bool = True) -> Sequence[BreakdownEvent]:
    """The events, after a look at the order that ``tui.events`` promises."""
    kinds = [type(event) for event in events if not isinstance(event, StateChanged)]
    if focus:
        assert kinds[0] is FocusReady
    assert kinds.count(FocusReady) == int(focus)
    assert kinds[-1] is Finished and kinds.count(Finished) == 1
    assert kinds.count(Failed) <= 1 and (Failed not in kinds or kinds[-2] is Failed)
    assert type(events[-1]) is Finished
    return events


def focus_of(events: Sequence[BreakdownEvent]) -> FocusWord:
    return next(event.focus for event in events if isinstance(event, FocusReady))


def text_of(events: Sequence[BreakdownEvent]) -> str:
    return "".join(event.text for event in events if isinstance(event, Token))


def end_of(events: Sequence[BreakdownEvent]) -> Finished:
    last = events[-1]
    assert isinstance(last, Finished)
    return last


def failure_of(events: Sequence[BreakdownEvent]) -> str:
    return next((event.error.code for event in events if isinstance(event, Failed)), "")


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


@pytest.mark.parametrize("local", [False, True])
async def test_after_the_deadline_the_lexicons_focus_stands_in(local: bool) -> None:
    import_transport(1)  # else the deadline passes before the model is asked
    async with asked(local=local) as (server, provider):
        answering(server, Reply((Gate(),)), stream("Hallo"))
        events = checked(await listen(breakdown(question(), provider, LEXICON, deadlines=SOON)))
        assert focus_of(events) == FocusWord("fährt", lemma="fahren", language="de", frequency=12, origin="lexicon")
        assert text_of(events) == "Hallo"
        assert (end_of(events).state, failure_of(events)) == ("complete", "")
        await asyncio.wait_for(next(chat for chat in server.chats if not is_stream(chat)).disconnected.wait(), 5)


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


async def test_the_librarys_count_joins_the_models_focus_where_they_mean_the_same_word(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tui.llm.breakdown._BEHIND", 0.0)

    class Telling(FewWords):
        """Lets the model answer once the word has been counted."""

        async def occurrences(self, word: str, language: str | None) -> int:
            asyncio.get_running_loop().call_later(0.01, gate.opened.set)
            return await super().occurrences(word, language)

    async with asked() as (server, provider):
        for lemma, frequency in (("fahren", 12), ("abfahren", None)):
            gate = Gate()
            answering(server, Reply((gate, *answer({**FOCUS, "lemma": lemma}).pieces)), stream("Hallo"))
            lexicon = Lexicon(Telling({"fährt": "fahren"}, {"fährt": 12}))
            events = checked(await listen(breakdown(question(), provider, lexicon)))
            assert focus_of(events).frequency == frequency


@pytest.mark.parametrize("local", [False, True])
async def test_closing_the_events_closes_every_request_within_a_moment(local: bool) -> None:
    async with asked(local=local) as (server, provider):
        answering(server, Reply((Gate(),)), slow(["Hal"], Gate()))
        events = breakdown(question(), provider, LEXICON)
        async with aclosing(events):
            await anext(events)
            waiting = asyncio.create_task(anext(events))
            await server.arrived(1 if local else 2)
            waiting.cancel()
            await asyncio.wait([waiting])
            begun = time.monotonic()
        for chat in server.chats:
            await asyncio.wait_for(chat.disconnected.wait(), 5)
        assert time.monotonic() - begun < 0.5
        assert len(server.chats) == (1 if local else 2)


async def test_closing_in_the_middle_of_the_tokens_closes_the_stream() -> None:
    async with asked() as (server, provider):
        answering(server, answer(FOCUS), slow(["Hal"], Gate()))
        async with aclosing(breakdown(question(), provider, LEXICON)) as events:
            async for event in events:
                if isinstance(event, Token):
                    break
        chat = next(chat for chat in server.chats if is_stream(chat))
        await asyncio.wait_for(chat.disconnected.wait(), 5)


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
        events = checked(await listen(answer_to(question("explanation"), provider, LEXICON)), focus=False)
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
    ]
    assert end_of(events).model == "lexicon:concordance"


async def test_a_missing_key_fails_at_once_with_its_name() -> None:
    key = ApiKey("Fake", env="FAKE_API_KEY", wanted=True)
    provider = HttpChat(OpenAiChat(), peer(key=""), "http://127.0.0.1:1/v1", key, parallel=True)
    events = checked(await listen(breakdown(question(), provider, LEXICON)))
    assert failure_of(events) == "missing_key"


class Scripted:
    """A provider out of a list of events, for what no server can do."""

    name = label = "scripted"
    local = False
    parallel = True

    def __init__(self, *events: StreamEvent | Exception, focus: StructuredAnswer | Exception | None = None) -> None:
        self._events = events
        self._focus = focus

    async def status(self) -> ProviderStatus:
        return ProviderStatus(self.name, self.label, True, "", False)

    async def models(self, *, refresh: bool = False) -> tuple[str, ...]:
        return ("m",)

    async def stream(self, request: ChatRequest) -> AsyncGenerator[StreamEvent, None]:
        for event in self._events:
            if isinstance(event, Exception):
                raise event
            yield event

    async def structured(
        self, request: ChatRequest, schema: Mapping[str, Any], *, tell: Callable[[Waiting], None] = silently
    ) -> StructuredAnswer:
        if isinstance(self._focus, StructuredAnswer):
            return self._focus
        if self._focus is not None:
            raise self._focus
        await asyncio.Event().wait()
        raise AssertionError

    async def close(self) -> None:
        pass


async def scripted(*events: StreamEvent | Exception, deadlines: Deadlines = SOON) -> list[BreakdownEvent]:
    provider: Provider = Scripted(*events)
    return await listen(breakdown(question(), provider, LEXICON, deadlines=deadlines))


async def test_what_waits_for_the_focus_is_bounded() -> None:
    flood = [TextDelta("x" * 1000)] * 100
    events = checked(await scripted(*flood, StreamEnd("stop"), deadlines=Deadlines(cloud=3600)))
    assert len(text_of(events)) == 100_000


async def test_an_answer_without_end_is_cut() -> None:
    events = checked(await scripted(*[TextDelta("x" * 10_000)] * 1000, StreamEnd("stop")))
    assert end_of(events).cut and len(text_of(events)) < 500_000


async def test_states_pass_while_the_focus_is_awaited() -> None:
    events = checked(await scripted(Thinking(), Preparing("loading"), TextDelta("a"), StreamEnd("stop")))
    kinds = [event.state if isinstance(event, StateChanged) else type(event).__name__ for event in events]
    assert kinds.index("thinking") < kinds.index("preparing") < kinds.index("FocusReady")


async def test_a_stream_without_an_end_has_failed() -> None:
    events = checked(await scripted(TextDelta("a")))
    assert (text_of(events), failure_of(events)) == ("a", "stream_cut")


async def test_a_defect_of_a_provider_is_raised_and_not_swallowed() -> None:
    with pytest.raises(ZeroDivisionError):
        await scripted(TextDelta("a"), ZeroDivisionError())


async def test_a_focus_that_is_late_does_not_come_twice() -> None:
    async with asked(timeouts=QUICK) as (server, provider):
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


async def test_the_library_is_left_alone_while_a_model_answers_at_once_and_asked_when_it_fails(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tui.llm.breakdown._BEHIND", 10.0)

    class Counted(FewWords):
        asked = 0

        async def lemma(self, form: str, language: str | None) -> str | None:
            self.asked += 1
            return await super().lemma(form, language)

    words = Counted({"fährt": "fahren"})
    for focus, origin, times in ((StructuredAnswer(FOCUS, 9, 3), "llm", 0), (ProviderError("no"), "lexicon", 1)):
        provider = Scripted(TextDelta("Hallo"), StreamEnd("stop"), focus=focus)
        events = checked(await listen(breakdown(question(), provider, Lexicon(words))))
        assert (focus_of(events).origin, words.asked) == (origin, times)
