"""Dependencies of the routes: the profile's service, the engine, the options, which part of a list is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends, Header, Query, Request

from tui.config import check_profile
from tui.errors import NotFound
from tui.records.pages import ID_LENGTH, MAX_CURSOR, MAX_OFFSET, MAX_ROWS, MAX_SEARCH_LENGTH
from tui.service.engine import Engine
from tui.service.local import LocalService
from tui.wire import codec


async def engine_of(request: Request) -> Engine:
    engine: Engine = request.app.state.engine
    return engine


async def service_of(
    request: Request,
    engine: Annotated[Engine, Depends(engine_of)],
    profile: Annotated[
        str,
        Header(
            alias=codec.PROFILE_HEADER,
            description="The active profile: 1 to 64 of letters, digits, `-` and `_`.",
            json_schema_extra={"pattern": "^[A-Za-z0-9_-]{1,64}$"},
        ),
    ] = "default",
) -> LocalService:
    """Raises ``InvalidInput`` (400) for what is no profile's name, ``NotFound`` for an id that is not whole."""
    if codec.BEGINNINGS_HEADER not in request.headers:
        _check_whole(request.path_params)
    write_key = getattr(request.state, "write_key", None)
    return LocalService(engine.settings, check_profile(profile), engine=engine, write_key=write_key)


def _check_whole(names: Mapping[str, object]) -> None:
    """A beginning of an id is for people, who see what it stood for: a program that lost a part of one means nothing.

    Lode's own client says that it speaks for people.
    """
    for name, given in names.items():
        if name.endswith("_id") and len(str(given).strip()) < ID_LENGTH:
            kind = name.removesuffix("_id")
            raise NotFound(
                f"there is no {kind} {str(given)[:40]!r}",
                hint=f"an id has {ID_LENGTH} letters; they are in the list",
                code=f"{kind}_not_found",
            )


ServiceOf = Annotated[LocalService, Depends(service_of)]
EngineOf = Annotated[Engine, Depends(engine_of)]


def text_query(most: int, about: str, **more: Any) -> Any:
    """Declare a parameter in an address: a text of so many characters at most, and what is said of it."""
    return Query(max_length=most, description=about, **more)


@dataclass(frozen=True, slots=True)
class PageQuery:
    """Part of a list that is asked for; ``limit`` None asks for all of it."""

    limit: Annotated[
        int | None, Query(ge=1, le=MAX_ROWS, description="At most so many; without it the whole list.")
    ] = None
    after: Annotated[str | None, text_query(MAX_CURSOR, "The cursor from the last page's `Link`.")] = None
    offset: Annotated[int, Query(ge=0, le=MAX_OFFSET, description="Skip so many.")] = 0
    q: Annotated[str, text_query(MAX_SEARCH_LENGTH, "Only what has these words.")] = ""


PageQueryIn = Annotated[PageQuery, Depends(PageQuery)]
