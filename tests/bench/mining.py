"""Mining: 500 words are broken down through a server that takes 200 ms for a request, of which there are two a word."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import time
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from tests.bench.imports import home_with_lemmas
from tests.bench.rows import Measured
from tests.server_process import LODE
from tests.service.jobs.mining_server import FAR, MiningServer
from tests.store.adding_files import add_file
from tui.records.transcripts import Cue
from tui.store import Store

_WORDS, _SECONDS, _AT_ONCE = 500, 0.2, 8
_LETTERS, _BEFORE = "abcdefghij", "Dort steht "


def measure() -> list[Measured]:
    with tempfile.TemporaryDirectory() as place, MiningServer(_SECONDS) as server:
        home = home_with_lemmas(Path(place))
        own = f'[providers.near]\nprotocol = "openai"\nbase_url = "{FAR}"\n'
        (home / "config.toml").write_text(own, "utf-8")
        words = [_word(at) for at in range(_WORDS)]
        with closing(Store.open(home)) as store:
            cues = [Cue(at, at * 2000, at * 2000 + 1500, f"{_BEFORE}{word} am Tor.") for at, word in enumerate(words)]
            add_file(store, "film.srt", cues, profile="default", title="Film")
        took = _mine_seconds(home, words, server.proxy)
        assert server.most_at_once <= _AT_ONCE and len(server.asked) == 2 * _WORDS
        return [Measured(took, 2 * _WORDS * _SECONDS / _AT_ONCE)]


def _word(number: int) -> str:
    """A noun that no other line has."""
    return "Z" + "".join(_LETTERS[int(digit)] for digit in f"{number:03}") + "ung"


def _mine_seconds(home: Path, words: list[str], proxy: Mapping[str, str]) -> float:
    began = time.monotonic()
    command = [LODE, "--home", str(home), "mine", "Film", "--words", "-", "--model", "near:miner"]
    # As lode words next --json prints them, which has found the words.
    rows = [{"cue": at, "start": len(_BEFORE), "end": len(_BEFORE + word)} for at, word in enumerate(words)]
    text, environ = json.dumps(rows), {**os.environ, **proxy}
    done = subprocess.run(command, input=text, check=True, capture_output=True, text=True, env=environ)
    assert f"{_WORDS} cards to review" in done.stdout, done.stdout + done.stderr
    return time.monotonic() - began
