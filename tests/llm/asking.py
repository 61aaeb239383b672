"""Providers and questions as the tests of this folder need them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from dataclasses import replace
from typing import Any
from unittest.mock import patch

from msgspec import Struct

from tests.llm.fakes.dialects import Dialect
from tests.llm.fakes.fake_server import FakeModelServer
from tests.waiting import HANGS
from tui.errors import ProviderError
from tui.llm.http import answer_stream
from tui.llm.http.api_key import ApiKey
from tui.llm.http.client import Timeouts
from tui.llm.http.errors import Endpoint, public_url
from tui.llm.http.provider import HttpProvider
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
    base_url: str, *, local: bool = False, key: str = KEY, effort: str = "", wire: WireFormat | None = None, **more: Any
) -> AsyncIterator[HttpProvider]:
    """A provider that speaks OpenAI's format unless another ``wire`` is given, with ``more`` of its arguments."""
    fake = peer(base_url, local=local, key=key)
    provider = HttpProvider(wire or OpenAiChat(effort=effort), fake, base_url, parallel=not local, **more)
    try:
        yield provider
    finally:
        await provider.close()


@asynccontextmanager
async def asked(
    dialect: Dialect | None = None, *, path: str = "", **more: Any
) -> AsyncIterator[tuple[FakeModelServer, HttpProvider]]:
    """A server and a provider that speak OpenAI's format or the dialect; ``path`` ends the provider's base URL.

    Nobody remarks that the server is silent for long: a busy machine makes it so.
    """
    wire = dialect.wire() if dialect is not None else None
    with patch.object(answer_stream, "_SILENT_SECONDS", HANGS):
        async with (
            FakeModelServer(dialect) as server,
            provider_at(server.base_url + path, wire=wire, **more) as provider,
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


def question(kind: AnswerKind = "breakdown", **fields: Any) -> Question:
    """A question with some fields of its own."""
    asked = replace(_QUESTION, kind=kind, **fields)
    return replace(asked, prompt=f"Explain {asked.focus} in {asked.sentence}")


_QUESTION = Question(
    *("breakdown", "Hoffentlich fährt er überhaupt noch ab.", "fährt", "Das ist der letzte Zug.", "de"),
    *("Der letzte Zug", Selector("fake", "fake-large"), "", "Be kind."),
)
