"""The breakdown screen: one stream into card and log, and every key it has."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest
from textual.pilot import Pilot

from tests.screens.driving import lines, opened, shows, until, until_rows, until_shown, until_told
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

SENTENCE = "Hoffentlich fährt er überhaupt noch ab."
REQUEST = BreakdownRequest(SENTENCE, "fährt", context="Das ist der letzte heute.", language="de", source="Zug")
DRAFT = NewClip(SENTENCE, context="Das ist der letzte heute.", source="Zug", start_ms=1000, end_ms=2000)
ABFAHREN = FocusWord("fährt … ab", lemma="abfahren", meanings=("to leave",), level="A1", language="de", origin="llm")
MODEL = "ollama:qwen3:8b"


class ScriptedLlm:
    """Streams what the test puts in, in place of the service's own model."""

    def __init__(self, service: LocalService) -> None:
        service.llm.breakdown = self.breakdown  # type: ignore[method-assign]  # of this one instance
        service.llm.explain = self.explain  # type: ignore[method-assign]  # of this one instance
        self.events: asyncio.Queue[BreakdownEvent | Exception] = asyncio.Queue()
        self.asked: list[BreakdownRequest | ExplainRequest] = []
        self.closed = 0

    def breakdown(self, request: BreakdownRequest) -> AsyncGenerator[BreakdownEvent, None]:
        return self._stream(request)

    def explain(self, request: ExplainRequest) -> AsyncGenerator[BreakdownEvent, None]:
        return self._stream(request)

    async def _stream(self, request: BreakdownRequest | ExplainRequest) -> AsyncGenerator[BreakdownEvent, None]:
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


def finished(state: Any = "complete", **more: Any) -> Finished:
    values = {"answer_id": None, "kept": False, "model": MODEL, "input_tokens": 120, "output_tokens": 40}
    return Finished(state, **{**values, "duration_ms": 3200, **more})


ANSWER = (StateChanged("connecting", MODEL), FocusReady(ABFAHREN), Token("**fährt** belongs "), Token("to *abfahren*."))


class Play:
    """The screen on its stage, over the real service with a scripted model."""

    def __init__(self, pilot: Pilot[None], screen: BreakdownScreen, llm: ScriptedLlm, stage: Stage) -> None:
        self.pilot = pilot
        self.screen = screen
        self.llm = llm
        self.stage = stage

    @property
    def log_text(self) -> str:
        return "\n".join(self.screen.pane.token_log.lines)

    async def until_log(self, text: str) -> None:
        await until(self.pilot, lambda: text in self.log_text)

    async def until_status(self, text: str) -> None:
        await until(self.pilot, lambda: text in lines(self.pilot)[0])


@asynccontextmanager
async def play(service: LocalService, *, size: tuple[int, int] = (120, 30)) -> AsyncIterator[Play]:
    llm = ScriptedLlm(service)
    screen = BreakdownScreen(service)
    stage = Stage(screen)
    async with stage.run_test(size=size, notifications=True) as pilot:
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


async def test_the_focus_comes_into_the_card_and_the_tokens_into_the_log(service: LocalService) -> None:
    async with play(service) as on:
        on.screen.ask(REQUEST, DRAFT)
        await until_shown(on.pilot, SENTENCE)
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


async def test_esc_stops_the_stream_and_keeps_what_came_then_goes_back(service: LocalService) -> None:
    async with answering(service) as on:
        await on.pilot.press("escape")
        await until(on.pilot, lambda: on.llm.closed == 1)
        await on.until_log("stopped · r asks anew")
        assert "fährt belongs to abfahren." in on.log_text
        assert "stopped" in lines(on.pilot)[0]
        assert not list(on.stage.all_asked(GoBack))
        await on.pilot.press("escape")
        await until(on.pilot, lambda: len(list(on.stage.all_asked(GoBack))) == 1)


@pytest.mark.parametrize("last", [finished(), Failed(ProviderError("it fell asleep"))])
async def test_esc_right_after_the_end_was_meant_for_the_stream(
    service: LocalService, monkeypatch: pytest.MonkeyPatch, last: BreakdownEvent
) -> None:
    monkeypatch.setattr(answer_pane, "_JUST_SECONDS", HANGS)  # however slow the machine is
    async with answering(service) as on:
        on.llm.say(last)
        await until(on.pilot, lambda: on.screen.pane.has_just_ended)
        await on.pilot.press("escape")
        assert not list(on.stage.all_asked(GoBack))
        monkeypatch.setattr(answer_pane, "_JUST_SECONDS", 0)
        await on.pilot.press("escape")
        await until(on.pilot, lambda: len(list(on.stage.all_asked(GoBack))) == 1)


async def test_r_asks_anew(service: LocalService) -> None:
    async with answering(service) as on:
        await on.pilot.press("r")
        await until(on.pilot, lambda: len(on.llm.asked) == 2)
        assert [request.fresh for request in on.llm.asked] == [False, True]
        assert on.llm.closed == 1, "the first stream is closed"
        on.llm.say(FocusReady(ABFAHREN), Token("Another answer."), finished())
        await on.until_log("Another answer.")
        assert "belongs to" not in on.log_text


async def test_another_question_takes_the_place_of_the_first(service: LocalService) -> None:
    async with answering(service) as on:
        on.screen.ask(ExplainRequest("Bestimmt."), NewClip("Bestimmt."))
        await until(on.pilot, lambda: len(on.llm.asked) == 2)
        on.llm.say(Token("It is certain."), finished())
        await on.until_log("It is certain.")
        assert "abfahren" not in "\n".join(lines(on.pilot))


async def test_a_failure_stands_below_what_came(service: LocalService) -> None:
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


@pytest.mark.parametrize("error", [ProviderError("the cable broke"), RuntimeError("the cable broke")])
async def test_a_stream_that_raises_ends_in_words_too(service: LocalService, error: Exception) -> None:
    async with play(service) as on:
        on.screen.ask(REQUEST, DRAFT)
        on.llm.say(*ANSWER, error)
        await on.until_log("the cable broke")
        assert "fährt belongs to abfahren." in on.log_text
        await until(on.pilot, lambda: "stop" not in lines(on.pilot)[-1])


async def test_c_saves_a_clip_once(service: LocalService) -> None:
    async with play(service) as on:
        on.screen.ask(REQUEST, DRAFT)
        on.llm.say(*ANSWER, finished())
        await on.until_status("done")
        await on.pilot.press("c")
        await until_told(on.pilot, "clip saved: fährt … ab")
        await on.pilot.press("c")
        await until_told(on.pilot, "it is already saved")
        (clip,) = (await service.clips.page()).items
        assert (clip.sentence, clip.source, clip.start_ms) == (SENTENCE, "Zug", 1000)
        assert clip.focus == ABFAHREN
        assert clip.explanation == "**fährt** belongs to *abfahren*."
        assert clip.model == MODEL
        assert any("clip" in message.kinds for message in on.stage.all_asked(LibraryChanged))


@pytest.mark.exhaustive
async def test_a_clip_gets_what_is_said_of_its_sentence_unless_it_has_a_translation(service: LocalService) -> None:
    ready = FocusReady(ABFAHREN, translation="I hope it leaves.", sentence_reading="昨日[きのう]")
    for draft, expected in ((DRAFT, "I hope it leaves."), (replace(DRAFT, translation="Mine."), "Mine.")):
        async with play(service) as on:
            on.screen.ask(REQUEST, draft)
            on.llm.say(ready, Token("Text."), finished())
            await on.until_status("done")
            assert shows(on.pilot, "I hope it leaves.")
            await on.pilot.press("c")
            await until_told(on.pilot, "clip saved: fährt … ab")
            clip = (await service.clips.page()).items[0]
            assert (clip.translation, clip.sentence_reading) == (expected, "昨日[きのう]")
            await service.clips.delete(clip.id)  # else the next one would only complete it


async def test_a_clip_saved_while_the_answer_comes_gets_the_whole_of_it(service: LocalService) -> None:
    async with answering(service) as on:
        await on.pilot.press("c")
        await until_told(on.pilot, "clip saved")
        on.llm.say(Token(" The end."), finished())
        await on.until_status("done")
        await on.pilot.app.workers.wait_for_complete()
        (clip,) = (await service.clips.page()).items
        assert clip.explanation == "**fährt** belongs to *abfahren*. The end."


async def test_y_sends_the_markdown_to_the_clipboard(service: LocalService) -> None:
    async with play(service) as on:
        on.screen.ask(REQUEST, DRAFT)
        await on.pilot.press("y")
        await until_told(on.pilot, "there is nothing to copy yet")
        on.llm.say(*ANSWER, finished())
        await on.until_status("done")
        await on.pilot.press("y")
        assert on.stage.copied == ["**fährt** belongs to *abfahren*."]
        await until_told(on.pilot, "sent to the clipboard")


async def test_a_saved_clip_shows_its_own_answer_without_asking(service: LocalService) -> None:
    async with play(service) as on:
        draft = NewClip(SENTENCE, focus=ABFAHREN, explanation="It *leaves*.", model=MODEL)
        on.screen.ask(REQUEST, draft, shown=True)
        await on.until_log("It leaves.")
        assert shows(on.pilot, "to leave")
        assert not on.llm.asked
        await on.pilot.press("c")
        await until_told(on.pilot, "it is already saved")
        await on.pilot.press("r")
        await until(on.pilot, lambda: [request.fresh for request in on.llm.asked] == [True])


async def test_a_clip_without_an_explanation_says_how_to_get_one(service: LocalService) -> None:
    async with play(service) as on:
        on.screen.ask(REQUEST, DRAFT, shown=True)
        await on.until_log("r asks for one")


async def ask_the_lexicon(service: LocalService) -> None:
    """Put one answer of the real service into the history."""
    await add_transcript(service, timed(STATION))
    async for _ in service.llm.breakdown(REQUEST):
        pass


async def test_the_history_shows_an_earlier_answer(service: LocalService) -> None:
    await ask_the_lexicon(service)
    async with play(service) as on:
        await on.pilot.press("H")
        await until_rows(on.pilot, 1)
        assert shows(on.pilot, "lexicon:concordance")
        await on.pilot.press("escape")
        await until(on.pilot, lambda: on.stage.screen is on.screen)
        await on.pilot.press("H")
        await until_rows(on.pilot, 1)
        await on.pilot.press("enter")
        await on.until_log("kept answer of")
        assert "r asks anew" in on.log_text
        assert shows(on.pilot, SENTENCE)
        await on.pilot.press("r")
        await until(on.pilot, lambda: len(on.llm.asked) == 1)
        asked = on.llm.asked[0]
        assert isinstance(asked, BreakdownRequest)
        assert (asked.sentence, asked.focus, asked.context) == (REQUEST.sentence, REQUEST.focus, REQUEST.context)


async def test_a_kept_answer_is_marked_as_such(service: LocalService) -> None:
    await ask_the_lexicon(service)
    (answer,) = (await service.history.page()).items
    async with play(service) as on:
        on.screen.ask(REQUEST, DRAFT)
        on.llm.say(FocusReady(ABFAHREN), Token("As before."), finished(answer_id=answer.id, kept=True))
        await on.until_log(f"kept answer of {day_of(answer.created_at)} · r asks anew")


async def test_the_whole_path_with_the_lexicon(service: LocalService) -> None:
    await add_transcript(service, timed(STATION))
    async with opened(service, (100, 30), section="2", rows=1) as pilot:
        await pilot.press("enter")
        await until_shown(pilot, "Warten Sie schon lange hier?")
        await pilot.press("j", "j", "j", "l", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, BreakdownScreen))
        await until_shown(pilot, "done")
        assert shows(pilot, "Der fährt auch bald ab.")
        await pilot.press("c")
        await until_told(pilot, "clip saved")
        await pilot.press("escape")
        await until_shown(pilot, "Warten Sie schon lange hier?")
        assert (await service.clips.page()).total == 1


async def test_leaving_the_app_while_an_answer_comes_is_no_crash(service: LocalService) -> None:
    async with answering(service) as on:
        on.stage.exit()
    assert on.llm.closed == 1
    assert on.stage.return_code == 0
