"""The question that the tests of this folder ask, and who asks it."""

import asyncio
from contextlib import aclosing

from tests.llm import breaking_down
from tests.llm.breaking_down import listen
from tests.llm.fakes.fake_server import FakeModelServer, Reply, answer
from tui.events import BreakdownEvent, BreakdownEvents, Token
from tui.records.answers import Answer
from tui.service.protocol import Service
from tui.service.requests import BreakdownRequest

SENTENCE = "Hoffentlich fährt er überhaupt noch ab."
ASK = BreakdownRequest(SENTENCE, "fährt", model="work:m", language="de", source="Der letzte Zug")
FOCUS = {**breaking_down.FOCUS, "grammar": "3rd person singular", "level": "A1"}


async def break_down(
    service: Service, server: FakeModelServer, reply: Reply, request: BreakdownRequest = ASK, **focus: object
) -> list[BreakdownEvent]:
    """What comes where the model fills in the form, with ``focus`` changed, and then explains with ``reply``."""
    server.enqueue(answer({**FOCUS, **focus}), reply)
    return await listen(service.llm.breakdown(request))


async def leave(events: BreakdownEvents) -> None:
    """Listen to the first token."""
    async with aclosing(events):
        async for event in events:
            if isinstance(event, Token):
                break


async def newest(service: Service) -> Answer:
    return (await service.history.page(limit=1)).items[0]


async def told(service: Service) -> Answer:
    """The newest answer once the history has what came of it: over a network, a moment after it was stopped."""
    while not (kept := await newest(service)).text:
        await asyncio.sleep(0.001)
    return kept
