"""Retiming by sound: what a film of two hours takes, and how often made cases go wrong.

The film that is timed is made once and kept in ``.bench``: stereo of 48 kHz in AAC, with music under all that is said.
"""

from __future__ import annotations

import random
import resource
import subprocess
import tempfile
from contextlib import closing
from pathlib import Path

import av

from tests.bench.rows import Measured
from tests.retiming.made_cues import write_cues
from tests.retiming.made_films import MadeFilm, Music, make_minutes, plan_film, write_film
from tests.server_process import LODE
from tests.store.adding_files import add_file
from tui.records.retiming import FRAME_RATE_FACTORS
from tui.records.transcripts import Cue
from tui.retiming.search import Reference, find_in
from tui.retiming.sound import hear_windows
from tui.store import Store
from tui.transcribing.speech import RATE

MINUTES = 120
_FILMS, _OTHERS = 20, 10
_MUSIC: tuple[Music, ...] = ("songs", "under", "songs", "under", "songs")
"""Music of the first films; the others have none."""
_RIGHT_WITHIN_MS = 150
_FARTHEST_MS = 300_000
_FACTORS = (1.0, *FRAME_RATE_FACTORS.values())


def measure() -> list[Measured]:
    seconds = _time_command()
    films = [plan_film(seed, MINUTES, _MUSIC[seed] if seed < len(_MUSIC) else "") for seed in range(_FILMS)]
    references = [_hear(film) for film in films]
    wrong, worst = 0, 0
    for number, (film, reference) in enumerate(zip(films, references, strict=True)):
        factor = _FACTORS[number % len(_FACTORS)]
        offset = random.Random(number).randrange(-_FARTHEST_MS, _FARTHEST_MS)
        found = find_in(write_cues(film.spans, number + 100, factor, offset), reference)
        off = _FARTHEST_MS if found is None else abs(found.retiming.offset_ms - offset)
        is_right = found is not None and found.retiming.factor == factor and off <= _RIGHT_WITHIN_MS
        wrong, worst = wrong + (not is_right), max(worst, off)
    taken = sum(
        find_in(write_cues(films[(number + 1) % _FILMS].spans, number), references[number]) is not None
        for number in range(_OTHERS)
    )
    words = {"minutes": MINUTES, "films": _FILMS, "music": len(_MUSIC), "others": _OTHERS, "worst": worst}
    return [Measured(each, words=words) for each in (seconds, wrong, taken)]


def _time_command() -> float:
    """The CPU seconds of the command and its processes on a film of two hours."""
    film = plan_film(77, MINUTES, "under")
    path = _write_aac(film)
    with tempfile.TemporaryDirectory() as place:
        home = Path(place)
        with closing(Store.open(home)) as store:
            spans = write_cues(film.spans, 1, FRAME_RATE_FACTORS["25 for 23.976"], 2350)
            cues = [Cue(at, start, end, f"Zeile {at}.") for at, (start, end) in enumerate(spans)]
            add_file(store, "film.srt", cues, profile="default", title="Film")
        command = [LODE, "--home", str(home)]
        subprocess.run([*command, "files", "link", "Film", str(path)], check=True, capture_output=True)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        retimed = subprocess.run(
            [*command, "transcripts", "retime", "Film", "--sound"], check=True, capture_output=True, text=True
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert "25 for 23.976" in retimed.stdout, retimed.stdout + retimed.stderr
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _hear(film: MadeFilm) -> Reference:
    with tempfile.TemporaryDirectory() as place:
        heard = list(hear_windows(write_film(film, Path(place) / "film.wav"), film.length_ms))
    return Reference([each.window for each in heard], [span for each in heard for span in each.spans])


def _write_aac(film: MadeFilm) -> Path:
    path = Path(".bench") / f"film-{film.seed}-{MINUTES}.mp4"
    if path.exists():
        return path
    path.parent.mkdir(exist_ok=True)
    unfinished = path.with_suffix(".part.mp4")
    with av.open(str(unfinished), "w") as made:
        stream = made.add_stream("aac", rate=48_000)
        stream.layout = "stereo"
        for minute in make_minutes(film):
            frame = av.AudioFrame("s16", "mono", len(minute) // 2)
            frame.planes[0].update(minute + bytes(frame.planes[0].buffer_size - len(minute)))
            frame.sample_rate = RATE
            made.mux(stream.encode(frame))
        made.mux(stream.encode(None))
    unfinished.replace(path)
    return path
