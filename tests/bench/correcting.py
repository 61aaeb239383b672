"""Corrections: what a transcript takes through a server that answers at once, and a key in the review of them."""

from __future__ import annotations

import statistics
import subprocess
import tempfile
import time
from contextlib import closing
from pathlib import Path

from tests.bench.cursor_keys import measure_arrows
from tests.bench.imports import home_with_lemmas
from tests.bench.rows import Measured
from tests.bench.terminal import AnsweringProgram, percentile
from tests.correcting.fake_model import Entry
from tests.server_process import LODE
from tests.service.jobs.correcting_server import CorrectingServer
from tests.store.adding_files import add_file
from tui.records.clips import NewClip
from tui.records.reviews import Change
from tui.records.transcripts import Cue
from tui.store import Store

_CUES, _RUNS, _ROUNDS = 2_000, 3, 3


def measure() -> list[Measured]:
    with tempfile.TemporaryDirectory() as place, CorrectingServer() as server:
        home = home_with_lemmas(Path(place))
        server.correct = _correct
        own = f'[providers.near]\nprotocol = "openai"\nbase_url = "{server.url}"\n'
        (home / "config.toml").write_text(own, "utf-8")
        with closing(Store.open(home)) as store:
            cues = [Cue(at, at * 2000, at * 2000 + 1500, _sentence(at)) for at in range(_CUES)]
            _, film = add_file(store, "film.srt", cues, profile="default", title="Film")
        fixed = Measured(statistics.median(_fix_seconds(home) for _ in range(_RUNS)))
        with closing(Store.open(home)) as store:
            for review in store.reviews.page("default").items:
                store.reviews.drop("default", review.id)
            store.reviews.add("default", store.reviews.begin("default", film.id, "correction", "near:x"), _changes())
            store.clips.add_at_once("default", [NewClip(cue.text, source="Film") for cue in cues])
        return [fixed, _measure_keys(home)]


def _changes() -> list[Change]:
    """A change of every cue, as a review of a film has at most."""
    return [Change(at, _sentence(at), f"Der Zug Nr. {at} geht gleich ab.") for at in range(_CUES)]


def _measure_keys(home: Path) -> Measured:
    """A key in the review and one in the list of as many clips, in turns in one app: a drift slows both."""
    review: list[float] = []
    clips: list[float] = []
    with AnsweringProgram([LODE], environ={"LODE_HOME": str(home)}) as lode:
        lode.until("film.srt")
        for _ in range(_ROUNDS):
            for key, measured in (("3", clips), ("B", review)):
                lode.send(key)
                lode.settle(1.0)
                measured += measure_arrows(lode)
            lode.send("\x1b")
            lode.settle(1.0)
    return Measured(percentile(review, 0.95) * 1000, percentile(clips, 0.95) * 1000)


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
