"""Two models on one question: chosen, streamed and stopped, saved and closed, each without touching the other."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest
from textual.pilot import Pilot
from textual.widgets import OptionList

from tests.hostile import HOSTILE
from tests.llm.fakes.fake_server import FakeModelServer, Gate, Reply, Request, cut, is_stream, json_reply, slow, stream
from tests.screens.asking import MODEL, asked
from tests.screens.driving import Typed, assert_is_clean, lines, press_until, shows, submit_text, until, until_shown
from tui.config import Settings
from tui.records.clips import NewClip
from tui.screens.answer.answer_pane import AnswerPane
from tui.screens.answer.breakdown import BreakdownScreen
from tui.screens.answer.model_choice import ModelChoice
from tui.screens.messages import OpenBreakdown
from tui.service.local import LocalService
from tui.service.requests import ExplainRequest

SMALL = "fake:fake-small"


def said_by_large() -> Reply:
    return stream("The large one says ", "that it leaves.")


def serve(server: FakeModelServer, small: Callable[[], Reply]) -> None:
    """From now on the small model answers with this, the large one as before."""
    before = server.on_chat

    def reply(request: Request) -> Reply:
        if is_stream(request) and request.body["model"] == "fake-small":
            return small()
        return before(request)

    server.on_chat = reply


def screen(pilot: Pilot[None]) -> BreakdownScreen:
    found = pilot.app.screen
    assert isinstance(found, BreakdownScreen)
    return found


async def choose(pilot: Pilot[None], model: str) -> None:
    """Ask this model too, by its name."""
    await press_until(pilot, "vertical_line", at=ModelChoice)
    await submit_text(pilot, model)
    await until(pilot, lambda: isinstance(pilot.app.screen, BreakdownScreen) and len(screen(pilot).panes) == 2)


@asynccontextmanager
async def both_asked(
    settings: Settings, small: Callable[[], Reply], *, size: tuple[int, int] = (120, 30)
) -> AsyncIterator[tuple[Pilot[None], FakeModelServer, LocalService]]:
    """The large model has answered, and the small one is asked too."""
    async with asked(settings, said_by_large, size=size) as (pilot, server, service):
        serve(server, small)
        await until_shown(pilot, "done")
        await choose(pilot, SMALL)
        yield pilot, server, service


def chats_of(server: FakeModelServer, model: str) -> list[Request]:
    return [request for request in server.chats if is_stream(request) and request.body["model"] == model]


async def until_rows_of_history(pilot: Pilot[None], count: int) -> None:
    await press_until(pilot, "H", rows=count)
    await pilot.press("escape")


def chosen(pilot: Pilot[None]) -> str:
    choice = pilot.app.screen
    assert isinstance(choice, ModelChoice)
    at = choice.query_one(OptionList).highlighted
    assert at is not None
    return choice.answers[at]


async def test_the_list_of_models_narrows_while_one_types_and_takes_anything_else_too(settings: Settings) -> None:
    async with asked(settings, said_by_large, size=(100, 30)) as (pilot, server, _):
        models, server.models = server.models, json_reply({"error": "no"}, 404)
        await until_shown(pilot, "done")
        await press_until(pilot, "vertical_line", shown="1 model · no list from Fake")
        server.models = models
        await press_until(pilot, "f5", shown="3 models · enter asks")
        assert shows(pilot, "answers already")
        assert chosen(pilot) == SMALL, "the first that does not answer already"
        await pilot.press("down")
        assert chosen(pilot) == "lexicon:concordance"
        await press_until(pilot, Typed("small"))
        assert chosen(pilot) == SMALL
        assert not shows(pilot, "lexicon:")
        await pilot.press("down")
        assert chosen(pilot) == "small"
        assert shows(pilot, "as it is typed")
        await press_until(pilot, "escape", at=BreakdownScreen)
        assert len(screen(pilot).panes) == 1
        await choose(pilot, "qwen3:8b")
        await until_shown(pilot, "did you mean")
        assert shows(pilot, "'ollama:qwen3:8b'?")
        assert shows(pilot, f"{MODEL} · done")


@pytest.mark.exhaustive
async def test_names_of_models_are_literal_and_harmless(settings: Settings) -> None:
    async with asked(settings, said_by_large, size=(100, 40)) as (pilot, server, _):
        server.models = json_reply({"data": [{"id": name} for name in HOSTILE.values()]})
        await until_shown(pilot, "done")
        await press_until(pilot, "vertical_line", shown="enter asks")
        assert_is_clean(pilot)
        await submit_text(pilot, HOSTILE["action"], at=BreakdownScreen)
        await until(pilot, lambda: len(screen(pilot).panes) == 2 and not screen(pilot).panes[1].is_streaming)
        await pilot.pause()
        assert_is_clean(pilot)


@pytest.mark.exhaustive
async def test_a_second_model_answers_beside_the_first_or_below_it_where_it_is_narrow(settings: Settings) -> None:
    async with both_asked(settings, lambda: stream("The small one agrees.")) as (pilot, server, _):
        await until_shown(pilot, f"{SMALL} · done")
        assert sum("überhaupt" in line for line in lines(pilot)) == 1, "one sentence stands over both"
        assert len(chats_of(server, "fake-large")) == 1, "the first is not asked again"
        for size in ((60, 16), (80, 30), (100, 30), (120, 40)):
            await pilot.resize_terminal(*size)
            await until(pilot, lambda: pilot.app.size == size)
            await pilot.pause()
            assert shows(pilot, "The small one"), size
            assert shows(pilot, "The large one"), size
            assert shows(pilot, f"{MODEL} · done"), size
            first, other = (pane.region for pane in screen(pilot).panes)
            assert (first.y == other.y) is (first.x != other.x) is (size[0] >= 100), size
            assert_is_clean(pilot)


@pytest.mark.exhaustive
async def test_they_stream_at_once_and_one_that_is_stopped_or_fails_leaves_the_other_alone(settings: Settings) -> None:
    one = Gate()
    async with asked(settings, lambda: slow(["The large"], one, [" one."]), size=(120, 30)) as (pilot, server, service):
        serve(server, lambda: slow(["The small"], Gate()))
        await until_shown(pilot, "The large▌")
        await choose(pilot, SMALL)
        await until_shown(pilot, "The small▌")
        await press_until(pilot, "escape", shown=f"{SMALL} · stopped")
        assert shows(pilot, f"{MODEL} · streaming")
        await chats_of(server, "fake-small")[0].disconnected.wait()
        serve(server, lambda: cut("The tiny"))
        await press_until(pilot, "r", shown=f"{SMALL} · partial")
        await until_shown(pilot, "the connection to Fake was lost")
        assert shows(pilot, "The large▌")
        one.opened.set()
        await until_shown(pilot, "The large one.")
        await until_shown(pilot, f"{MODEL} · done")
        await until_rows_of_history(pilot, 3)
        states = {(kept.model, kept.state) for kept in (await service.history.page()).items}
        assert states == {(MODEL, "complete"), (SMALL, "aborted"), (SMALL, "failed")}


@pytest.mark.exhaustive
async def test_keys_are_for_the_answer_with_the_focus_and_the_second_model_is_remembered(settings: Settings) -> None:
    texts = iter(("The small one agrees.", "The small one has another word."))
    async with both_asked(settings, lambda: stream(next(texts))) as (pilot, server, service):
        await until_shown(pilot, f"▌ {SMALL} · done")
        for there, back in (("h", "l"), ("left", "right"), ("tab", "tab"), ("shift+tab", "shift+tab")):
            await press_until(pilot, there, shown=f"▌ {MODEL} · done")
            await pilot.press("y")
            assert pilot.app.clipboard == "The large one says that it leaves."
            await press_until(pilot, back, shown=f"▌ {SMALL}")
            await pilot.press("y")
            assert pilot.app.clipboard == "The small one agrees."
        await press_until(pilot, "c", "h", "c", told="2 clips saved")
        clips = {clip.model: clip.explanation for clip in (await service.clips.page()).items}
        assert clips == {SMALL: "The small one agrees.", MODEL: "The large one says that it leaves."}
        await press_until(pilot, "c", told="it is already saved")
        await press_until(pilot, "l", "r", shown="The small one has another word.")
        await until_shown(pilot, f"{SMALL} · done")
        assert shows(pilot, "The large one says")
        assert len(chats_of(server, "fake-large")) == 1
        await press_until(pilot, "vertical_line", "vertical_line", shown="as last time")
        await press_until(pilot, "enter", shown=f"{SMALL} · kept answer")
        assert len(chats_of(server, "fake-small")) == 2


@pytest.mark.exhaustive
async def test_the_same_key_or_another_question_closes_the_second_and_its_connection(settings: Settings) -> None:
    async with both_asked(settings, lambda: slow(["The small"], Gate())) as (pilot, server, service):
        await until_shown(pilot, "The small▌")
        await press_until(pilot, "c", told="clip saved")
        await pilot.press("vertical_line")
        await until(pilot, lambda: len(screen(pilot).query(AnswerPane)) == 1)
        await chats_of(server, "fake-small")[0].disconnected.wait()
        assert not shows(pilot, "The small")
        assert shows(pilot, "The large one says")
        assert f"{MODEL} · done" in lines(pilot)[0]
        await until_rows_of_history(pilot, 2)
        kept = {one.model: (one.state, one.text) for one in (await service.history.page()).items}
        assert kept[SMALL] == ("aborted", "The small")
        (clip,) = (await service.clips.page()).items
        assert clip.explanation == "The small"
        await choose(pilot, SMALL)
        await until_shown(pilot, "The small▌")
        pilot.app.screen.post_message(OpenBreakdown(ExplainRequest("Bestimmt.", model=MODEL), NewClip("Bestimmt.")))
        await until(pilot, lambda: len(screen(pilot).panes) == 1)
        await until_shown(pilot, "Bestimmt.")
        await until_shown(pilot, "done")
        assert [chat.disconnected.is_set() for chat in chats_of(server, "fake-small")] == [True, True]


@pytest.mark.exhaustive
async def test_one_model_is_asked_for_another_answer_and_two_about_a_sentence_as_a_whole(settings: Settings) -> None:
    texts = iter(("One way to say it.", "Another way to say it.", "It is certain."))
    async with asked(settings, lambda: stream(next(texts)), size=(60, 16)) as (pilot, server, _service):
        await until_shown(pilot, "done")
        await choose(pilot, MODEL)
        await until_shown(pilot, "Another way to say it.")
        assert shows(pilot, "One way to say it.")
        serve(server, lambda: stream("The small one agrees."))
        pilot.app.screen.post_message(OpenBreakdown(ExplainRequest("Bestimmt.", model=MODEL), NewClip("Bestimmt.")))
        await until_shown(pilot, "It is certain.")
        await choose(pilot, SMALL)
        await until_shown(pilot, "The small one agrees.")
        assert shows(pilot, "It is certain.")
        assert_is_clean(pilot)
