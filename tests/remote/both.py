"""One library asked here and over HTTP at once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from tests.llm.fakes.fake_server import FakeModelServer
from tui.errors import LodeError, TemplateError
from tui.remote.service import RemoteService
from tui.service.local import LocalService
from tui.service.protocol import Service


@dataclass(frozen=True, slots=True)
class Both:
    here: LocalService
    there: RemoteService
    server: FakeModelServer


async def outcome(call: Awaitable[object]) -> object:
    """What comes of it: a value, or everything there is to an error."""
    try:
        return await call
    except TemplateError as error:
        return type(error), error.code, error.message, error.hint, error.field, error.line, error.column
    except LodeError as error:
        return type(error), error.code, error.message, error.hint, error.field


async def same(both: Both, call: Callable[[Service], Awaitable[object]]) -> object:
    here, there = await outcome(call(both.here)), await outcome(call(both.there))
    assert there == here
    assert type(there) is type(here)
    return here
