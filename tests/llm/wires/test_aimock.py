"""A foreign server: ``@copilotkit/aimock`` answers in the formats of OpenAI, Anthropic and Gemini.

It needs Node and, the first time, the npm registry; it is kept in a folder for temporary files, not in the repository.
"""

from __future__ import annotations

import getpass
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.llm.asking import Form, collect, provider_at, text_of
from tests.llm.fakes.dialects import Dialect
from tests.llm.fakes.fake_anthropic import ANTHROPIC
from tests.llm.fakes.fake_gemini import GEMINI
from tests.llm.fakes.fake_openai import OPENAI
from tui.llm.protocol import ChatRequest, StreamEnd, Thinking

pytestmark = [pytest.mark.exhaustive, pytest.mark.usefixtures("transport")]

PACKAGE = "@copilotkit/aimock"
VERSION = "1.43.0"
KEPT = Path(tempfile.gettempdir()) / f"lode-test-aimock-{VERSION}-{getpass.getuser()}"
SECONDS = 90
SAID = "Hällo, schöne Welt! 食べる 👍🏽"
FIXTURES: list[dict[str, Any]] = [
    {
        "match": {"userMessage": "Explain."},
        "response": {
            "content": SAID,
            "reasoning": "hm, let me think",
            "usage": {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18},
        },
    },
    {"match": {"userMessage": "as JSON"}, "response": {"content": '{"lemma": "abfahren"}'}},
    {"match": {"userMessage": "at length"}, "response": {"content": "Hal", "finishReason": "length"}},
    {
        "match": {"userMessage": "in vain"},
        "response": {"error": {"message": "there is no such thing", "type": "not_found_error"}, "status": 404},
    },
    {"match": {"userMessage": "half"}, "response": {"content": "one two three four"}, "truncateAfterChunks": 2},
]

each_dialect = pytest.mark.parametrize(
    "dialect", [OPENAI, ANTHROPIC, GEMINI], ids=lambda dialect: str(getattr(dialect, "name", ""))
)


def command() -> list[str]:
    """Command that starts the server; skips the test where there is no way to have it."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        pytest.skip("aimock needs node and npm, which are not here")
    script = KEPT / "node_modules" / PACKAGE / "dist" / "cli.js"
    if not script.exists():
        with tempfile.TemporaryDirectory(prefix="lode-test-aimock-") as place:
            _install(npm, Path(place))
            try:
                (Path(place) / "package").rename(KEPT)
            except OSError:
                assert script.exists()  # another worker was faster
    return [node, str(script)]


def _install(npm: str, place: Path) -> None:
    options = ["--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=0", f"--cache={place / 'cache'}"]
    (place / "package").mkdir()
    try:
        done = subprocess.run(
            [npm, "install", *options, f"--prefix={place / 'package'}", f"{PACKAGE}@{VERSION}"],
            cwd=place / "package",
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        pytest.skip(f"npm could not fetch {PACKAGE} within {SECONDS} s")
    if done.returncode:
        errors = [line for line in done.stderr.splitlines() if line.startswith("npm error")]
        pytest.skip(f"npm cannot fetch {PACKAGE}: {'; '.join(errors[:3]) or 'no reason given'}")


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address at which the server listens."""
    place = tmp_path_factory.mktemp("aimock")
    fixtures = place / "fixtures.json"
    fixtures.write_text(json.dumps({"fixtures": FIXTURES}), encoding="utf-8")
    arguments = ["--port", "0", "--fixtures", str(fixtures), "--chunk-size", "3", "--strict", "--validate-on-load"]
    environ = {name: value for name, value in os.environ.items() if not name.startswith(("AIMOCK_", "NODE_"))}
    with subprocess.Popen(
        [*command(), *arguments],
        cwd=place,
        env=environ,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            told = []
            for line in process.stdout:
                told.append(line)
                if "listening on " in line:
                    yield line.rpartition("listening on ")[2].strip()
                    break
            else:
                pytest.fail(f"aimock did not start: {''.join(told)}")
        finally:
            process.terminate()


@each_dialect
async def test_it_is_understood(dialect: Dialect, address: str) -> None:
    async with provider_at(address + dialect.base_path, wire=dialect.wire()) as provider:
        events, error = await collect(provider)
        assert error is None
        assert events[0] == Thinking() and events.count(Thinking()) == 1
        assert text_of(events) == SAID
        assert events[-1] == StreamEnd("stop", 11, 7)
        given = await provider.structured(ChatRequest("m", "", "as JSON"), Form)
        assert given.value == Form("abfahren")
        events, error = await collect(provider, ChatRequest("m", "", "at length"))
        assert (text_of(events), error) == ("Hal", None)
        assert isinstance(events[-1], StreamEnd) and events[-1].finish == "length"


@each_dialect
async def test_its_failures_are_understood(dialect: Dialect, address: str) -> None:
    async with provider_at(address + dialect.base_path, wire=dialect.wire()) as provider:
        events, error = await collect(provider, ChatRequest("m", "", "in vain"))
        assert events == [] and error is not None and error.code == "model_not_found"
        assert "there is no such thing" in error.message
        events, error = await collect(provider, ChatRequest("m", "", "half"))
        assert error is not None and error.code in ("connection_lost", "stream_cut")
        assert "one two three four".startswith(text_of(events))
