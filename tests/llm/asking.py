"""Providers and questions as the tests of this folder need them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from dataclasses import replace

from msgspec import Struct

from tests.llm.fakes.dialects import Dialect
from tests.llm.fakes.fake_server import FakeModelServer
from tui.errors import ProviderError
from tui.llm.http.api_key import ApiKey
from tui.llm.http.client import Timeouts
from tui.llm.http.errors import Endpoint, public_url
from tui.llm.http.provider import HttpProvider
from tui.llm.http.refusals import RefusalMemory
from tui.llm.http.structured_output import strict_schema
from tui.llm.protocol import ChatRequest, Question, StreamEvent, TextDelta
from tui.llm.selector import Selector
from tui.llm.wires.openai_chat import OpenAiChat
from tui.llm.wires.wire_format import WireFormat
from tui.records.answers import AnswerKind

KEY = "sk-proj-Very5ecretKey0123456789"
ASK = ChatRequest("fake-large", "Be kind.", "Explain.")


class Form(Struct, frozen=True):
    """A structured answer."""

    lemma: str


SCHEMA = strict_schema(Form)
QUICK = Timeouts(connect=2, read=5, first_text=0.3, between_texts=0.3, after_finish=0.1, status=0.5)
QUICK_LATER = replace(QUICK, first_text=30)
"""For answers that do begin: a busy machine may take more than a moment for that."""


def peer(base_url: str = "http://127.0.0.1:1/v1", *, local: bool = False, key: str = KEY) -> Endpoint:
    api_key = ApiKey("Fake", env="FAKE_API_KEY" if key else "", text=key)
    return Endpoint("fake", "Fake", public_url(base_url), local, api_key)


@asynccontextmanager
async def provider_at(
    base_url: str,
    *,
    local: bool = False,
    key: str = KEY,
    timeouts: Timeouts | None = None,
    effort: str = "",
    wire: WireFormat | None = None,
    refusals: RefusalMemory | None = None,
) -> AsyncIterator[HttpProvider]:
    """A provider that speaks OpenAI's format unless another ``wire`` is given."""
    fake = peer(base_url, local=local, key=key)
    wire = wire or OpenAiChat(effort=effort)
    provider = HttpProvider(wire, fake, base_url, parallel=not local, timeouts=timeouts, refusals=refusals)
    try:
        yield provider
    finally:
        await provider.close()


@asynccontextmanager
async def asked(
    dialect: Dialect | None = None,
    *,
    local: bool = False,
    timeouts: Timeouts | None = None,
    effort: str = "",
    path: str = "",
) -> AsyncIterator[tuple[FakeModelServer, HttpProvider]]:
    """A server and a provider that speak OpenAI's format or the dialect; ``path`` ends the provider's base URL."""
    wire = dialect.wire() if dialect is not None else None
    async with (
        FakeModelServer(dialect) as server,
        provider_at(server.base_url + path, local=local, timeouts=timeouts, effort=effort, wire=wire) as provider,
    ):
        yield server, provider


async def collect(provider: HttpProvider, request: ChatRequest = ASK) -> tuple[list[StreamEvent], ProviderError | None]:
    """All events and the error that ended them."""
    events: list[StreamEvent] = []
    try:
        async with aclosing(provider.stream(request)) as stream:
            async for event in stream:
                events.append(event)  # noqa: PERF401 - what came before an error counts
    except ProviderError as error:
        return events, error
    return events, None


def text_of(events: list[StreamEvent]) -> str:
    return "".join(event.text for event in events if isinstance(event, TextDelta))


def question(
    kind: AnswerKind = "breakdown",
    *,
    sentence: str = "Hoffentlich fährt er überhaupt noch ab.",
    focus: str = "fährt",
    language: str | None = "de",
    selector: Selector | None = None,
) -> Question:
    return Question(
        kind=kind,
        sentence=sentence,
        focus=focus,
        context="Das ist der letzte Zug.",
        language=language,
        source="Der letzte Zug",
        selector=selector or Selector("fake", "fake-large"),
        prompt=f"Explain {focus} in {sentence}",
        sys_msg="Be kind.",
    )
