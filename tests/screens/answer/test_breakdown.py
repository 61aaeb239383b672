"""The breakdown screen: one stream into card and log, and every key it has."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

import pytest
from textual.pilot import Pilot

from tests.screens.answer.test_answer_status import MODEL, finished
from tests.screens.asking import SENTENCE
from tests.screens.driving import lines, opened, press_until, shows, until, until_shown, until_told
from tests.screens.stage import STATION, Stage, add_transcript, timed
from tests.waiting import HANGS
from tui.errors import ProviderError
from tui.events import BreakdownEvent, Failed, Finished, FocusReady, StateChanged, Token
from tui.records.clips import FocusWord, NewClip
from tui.screens.answer import answer_pane
from tui.screens.answer.answer_status import day_of
from tui.screens.answer.breakdown import BreakdownScreen
from tui.screens.messages import GoBack, LibraryChanged, SentenceLookedAt
from tui.service.local import LocalService
from tui.service.requests import BreakdownRequest, ExplainRequest

REQUEST = BreakdownRequest(SENTENCE, "fährt", context="Das ist der letzte heute.", language="de", source="Zug")
DRAFT = NewClip(SENTENCE, context="Das ist der letzte heute.", source="Zug", start_ms=1000, end_ms=2000)
ABFAHREN = FocusWord("fährt … ab", lemma="abfahren", meanings=("to leave",), level="A1", language="de", origin="llm")


class ScriptedLlm:
    """Streams what the test puts in, in place of the service's own model."""

    def __init__(self, service: LocalService) -> None:
        service.llm.breakdown = self.stream  # type: ignore[method-assign]  # of this one instance
        service.llm.explain = self.stream  # type: ignore[method-assign]  # of this one instance
        self.events: asyncio.Queue[BreakdownEvent | Exception] = asyncio.Queue()
        self.asked: list[BreakdownRequest | ExplainRequest] = []
        self.closed = 0

    async def stream(self, request: BreakdownRequest | ExplainRequest) -> AsyncGenerator[BreakdownEvent, None]:
        self.asked.append(request)
        try:
            while True:
                event = await self.events.get()
                if isinstance(event, Exception):
                    raise event
                yield event
                if isinstance(event, Finished):
                    return
        finally:
            self.closed += 1

    def say(self, *events: BreakdownEvent | Exception) -> None:
        for event in events:
            self.events.put_nowait(event)


ANSWER = (StateChanged("connecting", MODEL), FocusReady(ABFAHREN), Token("**fährt** belongs "), Token("to *abfahren*."))


@dataclass(frozen=True)
class Play:
    """The screen on its stage, over the real service with a scripted model."""

    pilot: Pilot[None]
    screen: BreakdownScreen
    llm: ScriptedLlm
    stage: Stage

    @property
    def log_text(self) -> str:
        return "\n".join(self.screen.pane.token_log.lines)

    async def until_log(self, text: str) -> None:
        await until(self.pilot, lambda: text in self.log_text)

    async def until_status(self, text: str) -> None:
        await until(self.pilot, lambda: text in lines(self.pilot)[0])

    async def until_back(self, times: int) -> None:
        await until(self.pilot, lambda: len(list(self.stage.all_asked(GoBack))) == times)


@asynccontextmanager
async def play(service: LocalService) -> AsyncIterator[Play]:
    llm = ScriptedLlm(service)
    screen = BreakdownScreen(service)
    stage = Stage(screen)
    async with stage.run_test(size=(120, 30), notifications=True) as pilot:
        await until(pilot, lambda: screen.is_mounted and stage.screen is screen)
        yield Play(pilot, screen, llm, stage)


@asynccontextmanager
async def answering(service: LocalService) -> AsyncIterator[Play]:
    """``play`` with a question that has been asked and whose answer has come so far."""
    async with play(service) as on:
        on.screen.ask(REQUEST, DRAFT)
        on.llm.say(*ANSWER)
        await on.until_log("belongs to")
        yield on


async def test_an_empty_screen_says_what_to_press(service: LocalService) -> None:
    async with play(service) as on:
        await until_shown(on.pilot, "Nothing has been asked yet.")
        assert shows(on.pilot, "shows earlier answers")
        assert "clip" not in lines(on.pilot)[-1]
        await on.pilot.press("r", "c", "y")
        assert not on.llm.asked
        await press_until(on.pilot, "H", shown="No model has been asked yet.")


async def test_an_answer_streams_into_card_and_log_and_is_saved_once_and_copied(service: LocalService) -> None:
    async with play(service) as on:
        on.screen.ask(REQUEST, DRAFT)
        await until_shown(on.pilot, SENTENCE)
        await press_until(on.pilot, "y", told="there is nothing to copy yet")
        on.llm.say(StateChanged("thinking", MODEL))
        await on.until_status("thinking")
        on.llm.say(*ANSWER)
        await on.until_log("fährt belongs to abfahren.▌")
        assert shows(on.pilot, "abfahren · A1")
        assert shows(on.pilot, "to leave")
        assert MODEL in lines(on.pilot)[0]
        assert lines(on.pilot)[-1].split()[:2] == ["esc", "stop"]
        on.llm.say(finished())
        await on.until_status("done · 120 + 40 tokens · 3.2 s")
        assert "▌" not in on.log_text
        assert "stop" not in lines(on.pilot)[-1]
        assert [message.request for message in on.stage.all_asked(SentenceLookedAt)] == [REQUEST]
        await on.pilot.press("y")
        assert on.stage.copied == ["**fährt** belongs to *abfahren*."]
        await until_told(on.pilot, "sent to the clipboard")
        await press_until(on.pilot, "c", told="clip saved: fährt … ab")
        await press_until(on.pilot, "c", told="it is already saved")
        (clip,) = (await service.clips.page()).items
        assert (clip.sentence, clip.source, clip.start_ms) == (SENTENCE, "Zug", 1000)
        assert (clip.focus, clip.explanation, clip.model) == (ABFAHREN, "**fährt** belongs to *abfahren*.", MODEL)
        assert any("clip" in message.kinds for message in on.stage.all_asked(LibraryChanged))


async def test_asking_before_the_screen_is_mounted_asks_once_it_is(service: LocalService) -> None:
    llm = ScriptedLlm(service)
    screen = BreakdownScreen(service)

    class Early(Stage):
        def on_mount(self) -> None:
            screen.ask(REQUEST, DRAFT)
            super().on_mount()

    async with Early(screen).run_test(size=(120, 30)) as pilot:
        await until(pilot, lambda: llm.asked == [REQUEST])
        llm.say(*ANSWER, finished())
        await until_shown(pilot, "fährt belongs to abfahren.")


async def test_r_asks_anew_esc_stops_and_goes_back_and_another_question_takes_the_place(service: LocalService) -> None:
    async with answering(service) as on:
        await on.pilot.press("r")
        await until(on.pilot, lambda: len(on.llm.asked) == 2)
        assert [request.fresh for request in on.llm.asked] == [False, True]
        assert on.llm.closed == 1, "the first stream is closed"
        on.llm.say(FocusReady(ABFAHREN), Token("Another answer."))
        await on.until_log("Another answer.")
        assert "belongs to" not in on.log_text
        await on.pilot.press("escape")
        await until(on.pilot, lambda: on.llm.closed == 2)
        await on.until_log("stopped · r asks anew")
        assert "Another answer." in on.log_text
        assert "stopped" in lines(on.pilot)[0]
        await on.until_back(0)
        await on.pilot.press("escape")
        await on.until_back(1)
        on.screen.ask(ExplainRequest("Bestimmt."), NewClip("Bestimmt."))
        on.llm.say(Token("It is certain."), finished())
        await on.until_log("It is certain.")
        assert "abfahren" not in "\n".join(lines(on.pilot))


async def test_esc_right_after_the_end_meant_the_stream(service: LocalService, monkeypatch: pytest.MonkeyPatch) -> None:
    ends: dict[str, BreakdownEvent] = {"done": finished(), "it fell asleep": Failed(ProviderError("it fell asleep"))}
    async with play(service) as on:
        for times, (said, last) in enumerate(ends.items()):
            monkeypatch.setattr(answer_pane, "_JUST_SECONDS", HANGS)  # however slow the machine is
            on.screen.ask(REQUEST, DRAFT)
            on.llm.say(*ANSWER, last)
            await until_shown(on.pilot, said)
            assert on.screen.pane.has_just_ended
            await on.pilot.press("escape")
            await on.until_back(times)
            monkeypatch.setattr(answer_pane, "_JUST_SECONDS", 0)
            await on.pilot.press("escape")
            await on.until_back(times + 1)


async def test_a_failure_stands_below_what_came_also_where_the_stream_raises_it(service: LocalService) -> None:
    async with play(service) as on:
        on.screen.ask(REQUEST, DRAFT)
        error = ProviderError("Ollama does not answer at 127.0.0.1:11434", hint="start it with: ollama serve")
        on.llm.say(*ANSWER, Failed(error), finished("failed"))
        await on.until_log("start it with: ollama serve")
        assert on.screen.pane.token_log.lines == [
            "fährt belongs to abfahren.",
            "",
            "Ollama does not answer at 127.0.0.1:11434",
            "start it with: ollama serve",
            "kept as a partial answer · r asks anew",
        ]
        await on.until_status("partial")
        for raised in (ProviderError("the cable broke"), RuntimeError("the plug fell out")):
            on.screen.ask(REQUEST, DRAFT)
            on.llm.say(*ANSWER, raised)
            await on.until_log(str(raised))
            assert "fährt belongs to abfahren." in on.log_text
            await until(on.pilot, lambda: "stop" not in lines(on.pilot)[-1])


@pytest.mark.exhaustive
async def test_a_clip_gets_what_is_said_of_its_sentence_unless_it_has_a_translation(service: LocalService) -> None:
    ready = FocusReady(ABFAHREN, translation="I hope it leaves.", sentence_reading="昨日[きのう]")
    async with play(service) as on:
        for draft, expected in ((DRAFT, "I hope it leaves."), (replace(DRAFT, translation="Mine."), "Mine.")):
            on.screen.ask(REQUEST, draft)
            on.llm.say(ready, Token(f"Text of {expected}"), finished())
            await on.until_log(f"Text of {expected}")
            await on.until_status("done")
            assert shows(on.pilot, "I hope it leaves.")
            on.stage.clear_notifications()
            await press_until(on.pilot, "c", told="clip saved: fährt … ab")
            clip = (await service.clips.page()).items[0]
            assert (clip.translation, clip.sentence_reading) == (expected, "昨日[きのう]")
            await service.clips.delete(clip.id)  # else the next one would only complete it


async def test_a_clip_saved_while_the_answer_comes_gets_the_whole_of_it(service: LocalService) -> None:
    async with answering(service) as on:
        await press_until(on.pilot, "c", told="clip saved")
        on.llm.say(Token(" The end."), finished())
        await on.until_status("done")
        await on.pilot.app.workers.wait_for_complete()
        (clip,) = (await service.clips.page()).items
        assert clip.explanation == "**fährt** belongs to *abfahren*. The end."


async def test_a_saved_clip_shows_its_own_answer_or_how_to_get_one_without_asking(service: LocalService) -> None:
    async with play(service) as on:
        on.screen.ask(REQUEST, DRAFT, shown=True)
        await on.until_log("r asks for one")
        draft = NewClip(SENTENCE, focus=ABFAHREN, explanation="It *leaves*.", model=MODEL)
        on.screen.ask(REQUEST, draft, shown=True)
        await on.until_log("It leaves.")
        assert shows(on.pilot, "to leave")
        assert not on.llm.asked
        await press_until(on.pilot, "c", told="it is already saved")
        await on.pilot.press("r")
        await until(on.pilot, lambda: [request.fresh for request in on.llm.asked] == [True])


async def test_an_answer_of_the_history_is_shown_with_its_day_and_asked_for_anew(service: LocalService) -> None:
    await add_transcript(service, timed(STATION))
    async for _ in service.llm.breakdown(REQUEST):
        pass
    (answer,) = (await service.history.page()).items
    async with play(service) as on:
        await press_until(on.pilot, "H", rows=1)
        assert shows(on.pilot, "lexicon:concordance")
        await on.pilot.press("escape")
        await until(on.pilot, lambda: on.stage.screen is on.screen)
        await press_until(on.pilot, "H", rows=1)
        await on.pilot.press("enter")
        await on.until_log("kept answer of")
        assert "r asks anew" in on.log_text
        assert shows(on.pilot, SENTENCE)
        await on.pilot.press("r")
        await until(on.pilot, lambda: len(on.llm.asked) == 1)
        asked = on.llm.asked[0]
        assert isinstance(asked, BreakdownRequest)
        assert (asked.sentence, asked.focus, asked.context) == (REQUEST.sentence, REQUEST.focus, REQUEST.context)
        on.llm.say(FocusReady(ABFAHREN), Token("As before."), finished(answer_id=answer.id, kept=True))
        await on.until_log(f"kept answer of {day_of(answer.created_at)} · r asks anew")


async def test_the_whole_path_with_the_lexicon(service: LocalService) -> None:
    await add_transcript(service, timed(STATION))
    async with opened(service, (100, 30), section="2", rows=1) as pilot:
        await press_until(pilot, "enter", shown="Warten Sie schon lange hier?")
        await press_until(pilot, "j", "j", "j", "l", "enter", at=BreakdownScreen, shown="done")
        assert shows(pilot, "Der fährt auch bald ab.")
        await press_until(pilot, "c", told="clip saved")
        await press_until(pilot, "escape", shown="Warten Sie schon lange hier?")
        assert (await service.clips.page()).total == 1


async def test_leaving_the_app_while_an_answer_comes_is_no_crash(service: LocalService) -> None:
    async with answering(service) as on:
        on.stage.exit()
    assert on.llm.closed == 1
    assert on.stage.return_code == 0
