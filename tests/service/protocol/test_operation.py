"""The contract: what is said of operations is whole and typed, and costs the app nothing."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from inspect import Parameter
from pathlib import Path
from typing import get_args

import pytest

from tui.remote.service import RemoteService
from tui.service.protocol.signatures import RESOURCES, Signature, operations, signature

SIGNATURES = [
    signature(resource, method, operation) for resource in RESOURCES for method, operation in operations(resource)
]
TYPED = """
from tui.service.protocol import Service

async def ask(service: Service) -> None:
    reveal_type(service.clips.has)
    await service.clips.has("t", 1, "fährt")
    await service.clips.has("t", "first")
    await service.transcripts.leave_at("t")
    reveal_type(await service.clips.get("c"))
"""


def test_mypy_knows_the_arguments_and_the_answer_of_an_operation(tmp_path: Path) -> None:
    file = tmp_path / "asking.py"
    file.write_text(TYPED, "utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), str(file)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    told = [line.split(": ", 1)[1] for line in done.stdout.splitlines() if "asking.py" in line]
    assert told == [
        'note: Revealed type is "def (transcript_id: str, cue_index: int, surface: str =)'
        ' -> typing.Coroutine[Any, Any, bool]"',
        'error: Argument 2 to "has" of "Clips" has incompatible type "str"; expected "int"  [arg-type]',
        'error: Missing positional argument "place" in call to "leave_at" of "Transcripts"  [call-arg]',
        'note: Revealed type is "tui.records.clips.Clip"',
    ]


def test_the_app_imports_the_contract_and_no_more(run_python: Callable[[str], str]) -> None:
    loaded = set(run_python("import sys, tui.app\nprint(*sys.modules)").split())
    contract = {name for name in loaded if name.startswith(("tui.service", "tui.wire", "tui.remote"))}
    assert contract == {
        *("tui.service", "tui.service.protocol", "tui.service.protocol.operation", "tui.service.protocol.records"),
        *("tui.service.protocol.words", "tui.service.requests"),
    }
    records = {name.removeprefix("tui.records.") for name in loaded if name.startswith("tui.records.")}
    assert not records & {"dictionaries", "media", "notes", "own_words", "settings", "vocabulary", "words"}
    assert not loaded & {"fastapi", "pydantic", "starlette", "msgspec", "httpx"}


@pytest.mark.parametrize("asked", SIGNATURES, ids=lambda asked: asked.name)
def test_an_operation_says_all_that_a_request_needs(asked: Signature) -> None:
    assert asked.text.strip()
    named = {each.sent_as for each in asked.arguments if each.place == "path"}
    assert named == {part.split("}")[0] for part in asked.path.split("{")[1:]}
    assert bool(asked.operation.body) is any(each.place == "field" and not each.are_ids for each in asked.arguments)
    for each in asked.arguments:
        if each.place == "query" and str in (each.kind, *get_args(each.kind)):
            assert each.bound.most, f"{each.name} is a text in an address, which has bounds"
        if each.bound.trims:
            assert None not in (each.bound.least, each.bound.most)
        assert each.are_ids or each.default is Parameter.empty or each.place != "path"


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
