"""The counter counts what it says."""

from __future__ import annotations

import pytest

from tests.count_lines import Counts, count_module

_SOURCE = '''"""A module."""

import os
from json import (
    dumps,
)

# A comment.
LIMIT = 3
"""A string that stands alone."""


def passes(
    on: str,
) -> str:
    """Pass on."""
    return dumps(on)


def works(text: str) -> str:
    if text:  # which is a statement with others in it
        return """one
two"""
    return os.sep
'''


def test_lines_of_code_imports_signatures_and_thin_handlers_are_counted() -> None:
    assert count_module(_SOURCE, passes_on=True) == Counts(modules=1, code=14, imports=4, signatures=4, thin=1)
    assert count_module(_SOURCE).thin == 0
    assert Counts(1, 2, 3, 4, 5) + Counts(1, 1, 1, 1, 1) == Counts(2, 3, 4, 5, 6)


@pytest.mark.parametrize(
    "body",
    [
        "return await self.service.undo()",
        "return json(await service.jobs.get(job_id, limit=5, **rest), 202)",
        "found = await service.find(*ids)\n    return json(found)",
        "await service.close(name)\n    return Response(status_code=204)",
        "return json(await engine.run(lambda store: store.profiles.names()))",
        "return cast(Pieces, response.aiter_raw())",
    ],
)
def test_a_function_passes_on_that_calls_one_thing_with_what_it_was_given(body: str) -> None:
    assert count_module(f"async def each():\n    {body}\n", passes_on=True).thin == 1


@pytest.mark.parametrize(
    "body",
    [
        "return self.profile",
        'return json({"name": name})',
        'return Refused("too slow", hint="ask again")',
        'return await self.ask(f"/jobs/{job_id}")',
        "return found[0] if found else None",
        'return text.encode("utf-8").decode()',
        "return [clean(each) for each in ids]",
        "head, notes = await receive(request)\n    return json(await service.merge(notes, head.source))",
        "return await run(lambda store: store.record(name, store.select(name)))",
        "chosen = store.select(name)\n    store.record(name, chosen)",
        "await one(name)\n    await two(name)\n    return await three(name)",
    ],
)
def test_a_function_that_makes_something_passes_nothing_on(body: str) -> None:
    assert count_module(f"async def each():\n    {body}\n", passes_on=True).thin == 0
