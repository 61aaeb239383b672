"""The contract: what is said of operations is whole and typed, and costs the app nothing."""

from collections.abc import Callable
from inspect import Parameter
from typing import assert_type, get_args

import pytest

from tui.records.clips import Clip
from tui.remote.service import RemoteService
from tui.service.protocol import Service
from tui.service.protocol.signatures import RESOURCES, operations, signature

SIGNATURES = [
    signature(resource, method, operation) for resource in RESOURCES for method, operation in operations(resource)
]


async def ask(service: Service) -> None:
    """Never run: mypy, which ``make check`` asks, knows the arguments and the answer of an operation."""
    assert_type(await service.clips.get("c"), Clip)
    assert_type(await service.clips.has("t", 1, "fährt"), bool)
    await service.clips.has("t", "first")  # type: ignore[arg-type]  # or mypy says that this is ignored in vain
    await service.transcripts.leave_at("t")  # type: ignore[call-arg]  # as above


def test_the_app_imports_the_contract_and_no_more(run_python: Callable[[str], str]) -> None:
    loaded = set(run_python("import sys, tui.app\nprint(*sys.modules)").split())
    contract = {name for name in loaded if name.startswith(("tui.service", "tui.wire", "tui.remote"))}
    assert not contract, "for type checkers only: what it is made of takes a while to make"
    records = {name.removeprefix("tui.records.") for name in loaded if name.startswith("tui.records.")}
    assert records == {"pages", "search_fields", "sorting"}
    assert not loaded & {"fastapi", "pydantic", "starlette", "msgspec", "httpx"}


def test_an_operation_says_all_that_a_request_needs() -> None:
    for asked in SIGNATURES:
        assert asked.text.strip(), asked.name
        named = {each.sent_as for each in asked.arguments if each.place == "path"}
        assert named == {part.split("}")[0] for part in asked.path.split("{")[1:]}, asked.name
        assert bool(asked.operation.body) is any(
            each.place == "field" and not each.are_ids for each in asked.arguments
        ), asked.name
        for each in asked.arguments:
            if each.place == "query" and str in (each.kind, *get_args(each.kind)):
                assert each.bound.most, f"{each.name} is a text in an address, which has bounds"
            if each.bound.trims:
                assert None not in (each.bound.least, each.bound.most), asked.name
            assert each.are_ids or each.default is Parameter.empty or each.place != "path", asked.name


def test_every_operation_has_a_name_and_a_way_of_its_own() -> None:
    derived = [asked for asked in SIGNATURES if not asked.operation.by_hand]
    assert len({asked.name for asked in derived}) == len(derived)
    assert len({(asked.operation.verb, asked.path) for asked in derived}) == len(derived)


async def test_what_breaks_in_a_request_names_its_operation() -> None:
    service = RemoteService("http://127.0.0.1:9")
    with pytest.raises(TypeError, match="too many positional arguments") as broken:
        await service.clips.cues_of("t", "more")  # type: ignore[call-arg]  # which mypy says too
    assert broken.value.__notes__ == ["in Clips.cues_of: GET /profiles/transcripts/{transcript_id}/clip_cues"]
    await service.close()
