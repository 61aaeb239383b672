"""Two models on one question: chosen, streamed and stopped, saved and closed, each without touching the other."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest
from textual.pilot import Pilot

from tests.llm.fakes.fake_server import FakeModelServer, Gate, Reply, Request, cut, is_stream, slow, stream
from tests.screens.asking import MODEL, asked
from tests.screens.driving import assert_is_clean, lines, shows, submit_text, until, until_rows, until_shown, until_told
from tui.config import Settings
from tui.records.clips import NewClip
from tui.screens.answer.answer_pane import AnswerPane
from tui.screens.answer.breakdown import BreakdownScreen
from tui.screens.answer.model_choice import ModelChoice
from tui.screens.messages import OpenBreakdown
from tui.service.local import LocalService
from tui.service.requests import ExplainRequest

pytestmark = pytest.mark.exhaustive

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
    await pilot.press("vertical_line")
    await until(pilot, lambda: isinstance(pilot.app.screen, ModelChoice))
    await submit_text(pilot, model)
    await until(pilot, lambda: isinstance(pilot.app.screen, BreakdownScreen) and len(screen(pilot).panes) == 2)


@asynccontextmanager
async def both_asked(
    settings: Settings,
    small: Callable[[], Reply] = lambda: stream("The small one agrees."),
    *,
    size: tuple[int, int] = (80, 24),
) -> AsyncIterator[tuple[Pilot[None], FakeModelServer, LocalService]]:
    """The large model has answered, and the small one is asked too."""
    async with asked(settings, said_by_large, size=size) as (pilot, server, service):
        serve(server, small)
        await until_shown(pilot, "done")
        await choose(pilot, SMALL)
        yield pilot, server, service


def chats_of(server: FakeModelServer, model: str) -> list[Request]:
    return [request for request in server.chats if is_stream(request) and request.body["model"] == model]


@pytest.mark.parametrize(("width", "is_beside"), [(80, False), (100, True), (120, True)])
async def test_a_second_model_answers_beside_the_first(settings: Settings, width: int, is_beside: bool) -> None:
    async with both_asked(settings, size=(width, 30)) as (pilot, server, _):
        await until_shown(pilot, f"{SMALL} · done")
        await until_shown(pilot, "The small one agrees.")
        assert shows(pilot, f"{MODEL} · done")
        assert shows(pilot, "The large one says")
        assert sum("überhaupt" in line for line in lines(pilot)) == 1, "one sentence stands over both"
        first, other = (pane.region for pane in screen(pilot).panes)
        assert (first.y == other.y) is is_beside
        assert (first.x == other.x) is not is_beside
        assert len(chats_of(server, "fake-large")) == 1, "the first is not asked again"
        assert_is_clean(pilot)


async def test_they_stream_at_the_same_time_and_esc_stops_the_one_with_the_focus(settings: Settings) -> None:
    one, two = Gate(), Gate()
    async with asked(settings, lambda: slow(["The large"], one, [" one."]), size=(120, 30)) as (pilot, server, service):
        serve(server, lambda: slow(["The small"], two))
        await until_shown(pilot, "The large▌")
        await choose(pilot, SMALL)
        await until_shown(pilot, "The small▌")
        await pilot.press("escape")
        await until_shown(pilot, f"{SMALL} · stopped")
        assert shows(pilot, f"{MODEL} · streaming")
        await chats_of(server, "fake-small")[0].disconnected.wait()
        one.opened.set()
        await until_shown(pilot, "The large one.")
        await until_shown(pilot, f"{MODEL} · done")
        await until_rows_of_history(pilot, 2)
        states = {kept.model: kept.state for kept in (await service.history.page()).items}
        assert states == {MODEL: "complete", SMALL: "aborted"}


async def until_rows_of_history(pilot: Pilot[None], count: int) -> None:
    await pilot.press("H")
    await until_rows(pilot, count)
    await pilot.press("escape")


@pytest.mark.parametrize(("there", "back"), [("h", "l"), ("left", "right"), ("tab", "tab"), ("shift+tab", "shift+tab")])
async def test_the_keys_are_for_the_answer_with_the_focus(settings: Settings, there: str, back: str) -> None:
    async with both_asked(settings, size=(120, 30)) as (pilot, _, _service):
        await until_shown(pilot, f"▌ {SMALL} · done")
        await pilot.press(there)
        await until_shown(pilot, f"▌ {MODEL} · done")
        await pilot.press("y")
        assert pilot.app.clipboard == "The large one says that it leaves."
        await pilot.press(back)
        await until_shown(pilot, f"▌ {SMALL}")
        await pilot.press("y")
        assert pilot.app.clipboard == "The small one agrees."


async def test_either_can_be_saved(settings: Settings) -> None:
    async with both_asked(settings) as (pilot, _, service):
        await until_shown(pilot, f"{SMALL} · done")
        await pilot.press("c", "h", "c")
        await until_told(pilot, "2 clips saved")
        clips = {clip.model: clip.explanation for clip in (await service.clips.page()).items}
        assert clips == {SMALL: "The small one agrees.", MODEL: "The large one says that it leaves."}
        await pilot.press("c")
        await until_told(pilot, "it is already saved")


async def test_r_asks_only_the_one_with_the_focus_anew(settings: Settings) -> None:
    texts = iter(("The small one agrees.", "The small one has another word."))
    async with both_asked(settings, lambda: stream(next(texts))) as (pilot, server, _):
        await until_shown(pilot, "The small one agrees.")
        await until_shown(pilot, f"{SMALL} · done")
        await pilot.press("r")
        await until_shown(pilot, "The small one has another word.")
        assert shows(pilot, "The large one says")
        assert len(chats_of(server, "fake-large")) == 1


async def test_a_half_that_fails_leaves_the_other_alone(settings: Settings) -> None:
    gate = Gate()
    async with asked(settings, lambda: slow(["The large"], gate, [" one."]), size=(100, 30)) as (pilot, server, _):
        serve(server, lambda: cut("The small"))
        await until_shown(pilot, "The large▌")
        await choose(pilot, SMALL)
        await until_shown(pilot, f"{SMALL} · partial")
        await until_shown(pilot, "the connection to Fake was lost")
        assert shows(pilot, "The large▌")
        gate.opened.set()
        await until_shown(pilot, f"{MODEL} · done")


async def test_the_same_key_closes_the_second_and_its_connection(settings: Settings) -> None:
    async with both_asked(settings, lambda: slow(["The small"], Gate()), size=(120, 30)) as (pilot, server, service):
        await until_shown(pilot, "The small▌")
        await pilot.press("c")
        await until_told(pilot, "clip saved")
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


async def test_the_second_model_is_remembered(settings: Settings) -> None:
    async with both_asked(settings) as (pilot, server, _):
        await until_shown(pilot, f"{SMALL} · done")
        await pilot.press("vertical_line", "vertical_line")
        await until_shown(pilot, "as last time")
        await pilot.press("enter")
        await until_shown(pilot, f"{SMALL} · kept answer")
        assert len(chats_of(server, "fake-small")) == 1


async def test_the_same_model_is_asked_for_another_answer(settings: Settings) -> None:
    texts = iter(("One way to say it.", "Another way to say it."))
    async with asked(settings, lambda: stream(next(texts))) as (pilot, _, _service):
        await until_shown(pilot, "done")
        await choose(pilot, MODEL)
        await until_shown(pilot, "Another way to say it.")
        assert shows(pilot, "One way to say it.")


async def test_another_question_closes_the_second(settings: Settings) -> None:
    async with both_asked(settings, lambda: slow(["The small"], Gate())) as (pilot, server, _):
        await until_shown(pilot, "The small▌")
        pilot.app.screen.post_message(OpenBreakdown(ExplainRequest("Bestimmt.", model=MODEL), NewClip("Bestimmt.")))
        await until(pilot, lambda: len(screen(pilot).panes) == 1)
        await until_shown(pilot, "Bestimmt.")
        await until_shown(pilot, "done")
        assert len(chats_of(server, "fake-small")) == 1
        assert chats_of(server, "fake-small")[0].disconnected.is_set()


async def test_a_sentence_as_a_whole_can_be_asked_of_two(settings: Settings) -> None:
    async with asked(settings, said_by_large, size=(60, 16)) as (pilot, server, _):
        serve(server, lambda: stream("The small one agrees."))
        await until_shown(pilot, "done")
        pilot.app.screen.post_message(OpenBreakdown(ExplainRequest("Bestimmt.", model=MODEL), NewClip("Bestimmt.")))
        await until_shown(pilot, "Bestimmt.")
        await choose(pilot, SMALL)
        await until_shown(pilot, "The small one agrees.")
        assert shows(pilot, "The large one says")
        assert_is_clean(pilot)


async def test_two_answers_survive_resizing(settings: Settings) -> None:
    async with both_asked(settings, size=(120, 30)) as (pilot, _, _service):
        await until_shown(pilot, f"{SMALL} · done")
        for size in ((60, 16), (80, 24), (100, 30), (120, 40)):
            await pilot.resize_terminal(*size)
            await until(pilot, lambda: pilot.app.size == size)
            await pilot.pause()
            assert shows(pilot, "The small one"), size
            assert shows(pilot, "The large one"), size
            assert_is_clean(pilot)
