"""The renderer and its process: whatever is cancelled, killed or closed, and whenever, the next rendering comes."""

from __future__ import annotations

import asyncio
import gc
import random
import time
from collections.abc import AsyncIterator

import pytest

from tui.errors import TemplateError
from tui.prompts.prompt_process import PromptProcess
from tui.prompts.rendering import PromptRenderer, PromptValues

pytestmark = pytest.mark.exhaustive

VALUES = PromptValues("Hoffentlich fährt er ab.", "fährt", "Der letzte Zug.", "German", "Zug")
ENDLESS = "{% for a in sentence*900 %}" * 3 + "{% endfor %}" * 3
LARGE = "{{ '\N{GRINNING FACE}' * 65000 }}"
"""Comes as some 800 kB of escaped JSON: more than a stream of asyncio's takes before it stops reading."""
REQUEST = {"mode": "render", "values": {"sentence": "Er fährt.", "focus": "fährt"}}
PATIENCE = 30.0
"""Seconds after which something hangs; a busy machine may start a process in several."""


@pytest.fixture
async def renderer() -> AsyncIterator[PromptRenderer]:
    renderer = PromptRenderer()
    yield renderer
    async with asyncio.timeout(PATIENCE):
        await renderer.close()


@pytest.fixture
async def process() -> AsyncIterator[PromptProcess]:
    process = PromptProcess()
    await process.start(PATIENCE)
    yield process
    process.kill()
    await process.ended()


async def still_renders(renderer: PromptRenderer) -> None:
    async with asyncio.timeout(PATIENCE):
        assert await renderer.render("{{ focus }}", VALUES) == "fährt"


def process_of(renderer: PromptRenderer) -> PromptProcess | None:
    """Its only one, where there is one that can be used."""
    usable = [process for process in renderer._pool.processes if process.is_usable]
    assert len(usable) <= 1
    return usable[0] if usable else None


async def turns(count: int) -> None:
    """Let the event loop go round."""
    for _ in range(count):
        await asyncio.sleep(0)


async def test_a_process_that_is_killed_while_a_large_answer_comes_ends_at_once(process: PromptProcess) -> None:
    exchange = asyncio.create_task(process.exchange(REQUEST | {"template": LARGE}, PATIENCE))
    async with asyncio.timeout(PATIENCE):
        while len(process._inbox) < 200_000:
            await asyncio.sleep(0)
    process.kill()
    begun = time.monotonic()
    with pytest.raises(EOFError):
        await exchange
    await process.ended()
    assert time.monotonic() - begun < 1.5  # it waits for two seconds at most where nothing is collected
    assert not process.is_usable


async def test_a_large_answer_comes_whole(process: PromptProcess) -> None:
    answer = await process.exchange(REQUEST | {"template": LARGE}, PATIENCE)
    assert answer == {"text": "\N{GRINNING FACE}" * 65000, "problem": None}


@pytest.mark.parametrize("moment", [0, 1, 2, 3, 5, 8])
async def test_a_process_can_be_killed_while_it_starts(moment: int) -> None:
    process = PromptProcess()
    starting = asyncio.create_task(process.start(PATIENCE))
    await turns(moment)
    process.kill()
    async with asyncio.timeout(PATIENCE):
        with pytest.raises(EOFError):
            await starting
        await process.ended()


async def test_an_exchange_that_is_cancelled_or_late_leaves_no_answer_for_the_next(process: PromptProcess) -> None:
    exchange = asyncio.create_task(process.exchange(REQUEST | {"template": "{{ focus }}"}, PATIENCE))
    await turns(1)
    exchange.cancel()
    with pytest.raises(asyncio.CancelledError):
        await exchange
    assert not process.is_usable
    with pytest.raises(EOFError):
        await process.exchange(REQUEST | {"template": "{{ sentence }}"}, PATIENCE)


async def test_an_exchange_that_is_given_up_is_over_without_a_complaint(
    process: PromptProcess, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(TimeoutError):
        await process.exchange(REQUEST | {"template": ENDLESS}, 0.05)
    await process.ended()
    gc.collect()  # what was set and never fetched is reported when it goes
    assert caplog.text == ""


async def test_a_process_that_sends_something_else_is_not_used_again(process: PromptProcess) -> None:
    exchange = asyncio.create_task(process.exchange(REQUEST | {"template": ENDLESS}, PATIENCE))
    await turns(1)
    process.pipe_data_received(1, b"\x00\x00\x00\x03no!")
    with pytest.raises(EOFError):
        await exchange
    assert not process.is_usable


async def test_a_cancelled_rendering_keeps_the_worker_if_it_is_soon_over(renderer: PromptRenderer) -> None:
    await renderer.warm()
    process = process_of(renderer)
    for moment in range(6):
        rendering = asyncio.create_task(renderer.render("{{ focus }}", VALUES))
        await turns(moment)
        rendering.cancel()
        await still_renders(renderer)
    assert process_of(renderer) is process


async def test_a_cancelled_rendering_that_goes_on_is_stopped(renderer: PromptRenderer) -> None:
    renderer = PromptRenderer(time_limit=PATIENCE)
    await renderer.warm()
    rendering = asyncio.create_task(renderer.render(ENDLESS, VALUES))
    await asyncio.sleep(0.01)
    rendering.cancel()
    begun = time.monotonic()
    await still_renders(renderer)
    assert time.monotonic() - begun < PATIENCE / 3
    await renderer.close()


async def test_keys_that_come_while_the_worker_starts_do_not_start_it_anew(renderer: PromptRenderer) -> None:
    begun = set()
    for _ in range(20):
        rendering = asyncio.create_task(renderer.render("{{ focus }}", VALUES))
        await asyncio.sleep(0.01)
        begun.add(process_of(renderer))
        rendering.cancel()
    await still_renders(renderer)
    assert begun == {process_of(renderer)}


async def test_many_cancellations_at_random_moments_leave_the_renderer_as_good_as_new(renderer: PromptRenderer) -> None:
    moments = random.Random(1)
    for template in [LARGE, "{{ focus }}", "{{ contxt }}", ENDLESS, LARGE, "{{ focus }}", LARGE, "x" * 60_000]:
        renderings = []
        for _ in range(moments.randint(2, 6)):
            renderings.append(asyncio.create_task(renderer.render(template, VALUES)))
            await turns(moments.randint(0, 40))
            if moments.random() < 0.5:
                await asyncio.sleep(moments.random() / 50)
            renderings[-1].cancel()
        if moments.random() < 0.4 and (process := process_of(renderer)) is not None:
            process.kill()
        await still_renders(renderer)
        _, waiting = await asyncio.wait(renderings, timeout=PATIENCE)
        assert not waiting


async def test_a_worker_that_is_killed_is_replaced(renderer: PromptRenderer) -> None:
    await renderer.warm()
    process = process_of(renderer)
    assert process is not None and process._transport is not None
    process._transport.kill()
    await still_renders(renderer)
    assert process_of(renderer) is not process


async def test_renderings_and_their_process_end_with_the_renderer() -> None:
    renderer = PromptRenderer()
    await renderer.warm()
    process = process_of(renderer)
    assert process is not None and process._transport is not None
    renderings = [asyncio.create_task(renderer.render(template, VALUES)) for template in (ENDLESS, LARGE, "x")]
    await asyncio.sleep(0.01)
    begun = time.monotonic()
    await renderer.close()
    assert time.monotonic() - begun < 0.9  # before the endless one would have been given up
    assert process._transport.get_returncode() is not None
    for outcome in await asyncio.gather(*renderings, return_exceptions=True):
        assert isinstance(outcome, TemplateError) and outcome.code == "template_worker"
    with pytest.raises(TemplateError):
        await renderer.render("x", VALUES)


@pytest.mark.parametrize("moment", [0, 1, 2, 3, 5, 8])
async def test_a_renderer_can_be_closed_while_its_worker_starts(moment: int) -> None:
    renderer = PromptRenderer()
    rendering = asyncio.create_task(renderer.render("x", VALUES))
    await turns(moment)
    async with asyncio.timeout(PATIENCE):
        await renderer.close()
        with pytest.raises(TemplateError):
            await rendering
    assert renderer._pool.processes == ()


async def test_a_worker_that_does_not_start_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tui.prompts.prompt_process.sys.executable", "/nowhere/python")
    renderer = PromptRenderer()
    with pytest.raises(TemplateError, match="does not start"):
        await renderer.render("x", VALUES)
    await renderer.close()
