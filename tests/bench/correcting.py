"""Corrections: what a transcript takes through a server that answers at once, which leaves what is our own."""

from __future__ import annotations

import statistics
import subprocess
import tempfile
import time
from contextlib import closing
from pathlib import Path

from tests.bench.imports import home_with_lemmas
from tests.bench.rows import Measured
from tests.correcting.fake_model import Entry
from tests.server_process import LODE
from tests.service.jobs.correcting_server import CorrectingServer
from tests.store.adding_files import add_file
from tui.records.transcripts import Cue
from tui.store import Store

_CUES, _RUNS = 2_000, 3


def measure() -> list[Measured]:
    with tempfile.TemporaryDirectory() as place, CorrectingServer() as server:
        home = home_with_lemmas(Path(place))
        server.correct = _correct
        own = f'[providers.near]\nprotocol = "openai"\nbase_url = "{server.url}"\n'
        (home / "config.toml").write_text(own, "utf-8")
        with closing(Store.open(home)) as store:
            cues = [Cue(at, at * 2000, at * 2000 + 1500, _sentence(at)) for at in range(_CUES)]
            add_file(store, "film.srt", cues, profile="default", title="Film")
        return [Measured(statistics.median(_fix_seconds(home) for _ in range(_RUNS)))]


def _sentence(number: int) -> str:
    """A sentence, each tenth with a mistake."""
    return f"Der Zug Nummer {number} {'färt' if number % 10 == 3 else 'fährt'} gleich ab."


def _correct(rows: list[Entry]) -> list[Entry]:
    return [row._replace(text=row.text.replace("färt", "fährt")) for row in rows if "färt" in row.text]


def _fix_seconds(home: Path) -> float:
    began = time.monotonic()
    command = [LODE, "--home", str(home), "fix", "Film", "--model", "near:corrector"]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert "200 changes to review" in done.stdout, done.stdout + done.stderr
    return time.monotonic() - began
