"""Imports of whole directories of subtitles: time, memory and bytes written of one command, and keys meanwhile.

The lemmas of the language are unpacked before, as they are from its first file on: that takes seconds and 270 MB, once.
"""

from __future__ import annotations

import random
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from itertools import accumulate
from pathlib import Path

from tests.bench.library import clips
from tests.bench.rows import Measured
from tests.bench.served import run_lode
from tests.bench.terminal import Program, TooSlow, percentile
from tests.server_process import LODE
from tests.store.adding_files import add_file
from tests.store.many_clips import add_many
from tui.language.lemmas import Lemmatiser
from tui.records.transcripts import Cue
from tui.store import Store

FILES, MANY_FILES = 400, 2_000
_CUES_IN_A_FILE = 500
_VOCABULARY = 30_000
_SYLLABLES = (
    *("an", "auf", "ber", "bel", "chen", "da", "der", "ei", "en", "fer", "ga", "ge", "gel", "hal", "her", "in", "ja"),
    *("kel", "kom", "la", "leg", "lich", "ma", "mer", "na", "neu", "no", "ob", "pa", "ren", "ri", "sa", "schen", "se"),
    *("sich", "sie", "te", "ter", "to", "tra", "un", "und", "ver", "wal", "wer", "wo", "zei", "zu", "ßen", "übel"),
)
_CLIPS = 1_000
_KEYS = 150
_SHOWN_FIRST = 40
"""Rows to go down first: the numbers by which the rows behind them are known have three digits."""
_PAUSE = 0.05
"""Seconds between two keys: as fast as keys repeat."""
_PATIENCE = 20.0
_LENGTHS = (100_000, 100)
"""Cues of the transcripts that are opened."""
_OPENINGS = 15


def measure() -> list[Measured]:
    with tempfile.TemporaryDirectory() as place:
        return [*whole_directory(Path(place), FILES), key_while_importing(Path(place)), reader_opening(Path(place))]


def measure_many() -> list[Measured]:
    with tempfile.TemporaryDirectory() as place:
        return whole_directory(Path(place), MANY_FILES)


def whole_directory(place: Path, files: int) -> list[Measured]:
    """One ``lode add`` between two runs of the yardstick, so that a machine whose speed drifts slows both."""
    source, home = place / f"films-{files}", home_with_lemmas(place)
    source.mkdir()
    size = make_files(source, files)
    before = _pysubs2_seconds(source)
    ran = run_lode(home, "add", str(source))
    yardstick = statistics.mean((before, _pysubs2_seconds(source)))
    words = {"files": f"{files:,}", "cues": f"{files * _CUES_IN_A_FILE:,}"}
    return [
        Measured(ran.seconds, yardstick, words),
        Measured(ran.peak / 1e6, words=words),
        Measured(ran.written / 1e6, size / 1e6, words),
    ]


def key_while_importing(place: Path) -> Measured:
    """The same app on the same list, before it imports a directory and while it does."""
    source, home = place / f"films-{FILES}", home_with_lemmas(place)
    with closing(Store.open(home)) as store:
        add_many(store, "default", clips(_CLIPS))
    with Program([LODE], environ={"LODE_HOME": str(home)}) as program:
        program.until("Transcripts")
        program.send("3")
        program.until(_marker(0).decode())
        program.settle()
        program.send("\x1b[B" * _SHOWN_FIRST)
        program.settle()
        idle = [_key_seconds(program, _SHOWN_FIRST + number) for number in range(1, _KEYS + 1)]
        program.send("1")
        program.settle()
        program.send("a")
        program.settle()
        program.send(f"{source}\r")
        program.until(" jobs ")  # the top line counts them
        program.send("3")
        program.settle(timeout=1.0)
        busy = [_key_seconds(program, _SHOWN_FIRST + _KEYS + number) for number in range(1, _KEYS + 1)]
    return Measured(percentile(busy, 0.95) * 1000, percentile(idle, 0.95) * 1000)


def reader_opening(place: Path) -> Measured:
    """From ``enter`` in the list to a line of the transcript; the long and the short one in turn."""
    home = home_with_lemmas(place)
    with closing(Store.open(home)) as store:
        for cues in _LENGTHS:
            lines = [Cue(at, at * 2000, at * 2000 + 1500, f"Satz {at} aus {cues} hier.") for at in range(cues)]
            add_file(store, f"{cues}.srt", lines, profile="default", title=f"Film {cues}")
    seconds: dict[int, list[float]] = {cues: [] for cues in _LENGTHS}
    with Program([LODE], environ={"LODE_HOME": str(home)}) as program:
        program.until("Transcripts")
        program.send("2")
        program.until(f"Film {_LENGTHS[0]}")
        program.settle()
        for number in range(_OPENINGS + 1):
            for cues, way in zip(_LENGTHS, ("j", "k"), strict=True):  # the list has the newest on top
                program.send(way)
                program.settle()
                took = until_shown(program, "\r", f"Satz 3 aus {cues} hier".encode())
                if number:
                    seconds[cues].append(took)
                program.settle()
                program.send("\x1b")
                program.settle()
    many, few = (statistics.median(seconds[cues]) * 1000 for cues in _LENGTHS)
    return Measured(many, few)


def _marker(row: int) -> bytes:
    return f"meaning {(_CLIPS - 1 - row) % 977}".encode()


def _key_seconds(program: Program, row: int) -> float:
    """From the key to the row that it leads to, which is drawn anew as the one with the cursor."""
    time.sleep(_PAUSE)  # nobody presses keys faster; what is measured begins behind it
    return until_shown(program, "\x1b[B", _marker(row))


def until_shown(program: Program, keys: str, wanted: bytes) -> float:
    """Seconds from keys to what they show, whatever else is drawn meanwhile."""
    while program.read(0.0):
        pass
    known, pressed = len(program.output), time.monotonic()
    program.send(keys)
    while program.output.find(wanted, known) < 0:
        if time.monotonic() - pressed > _PATIENCE:
            raise TooSlow(f"no {wanted!r} after {keys!r}")
        program.read(0.05)
    return time.monotonic() - pressed


def home_with_lemmas(place: Path) -> Path:
    """A new home directory, with the dictionary of the files' language unpacked."""
    home = Path(tempfile.mkdtemp(dir=place))
    Lemmatiser(home / "lemmas").prepare("de")
    return home


_PARSE = """
import pysubs2, sys, time
from pathlib import Path
began = time.perf_counter()
for path in sorted(Path(sys.argv[1]).iterdir()):
    pysubs2.load(str(path))
print(time.perf_counter() - began)
"""


def _pysubs2_seconds(source: Path) -> float:
    command = [sys.executable, "-c", _PARSE, str(source)]
    return float(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)


def _vocabulary(dice: random.Random) -> list[str]:
    """Different made-up words, the commonest ones short."""
    words: dict[str, None] = {}
    while len(words) < _VOCABULARY:
        syllables = dice.choices(_SYLLABLES, k=1 + dice.randint(0, len(words) > 40) + dice.randint(0, len(words) > 800))
        words["".join(syllables)] = None
    return list(words)


def make_files(directory: Path, files: int) -> int:
    """Write so many subtitles into the directory, the same in every run; gives their bytes."""
    dice = random.Random(12)
    words = _vocabulary(dice)
    # Zipf's law: the word of rank n is n times as rare as the commonest.
    weights = list(accumulate(1 / (rank + 2.7) ** 1.1 for rank in range(1, len(words) + 1)))
    size = 0
    for number in range(files):
        blocks = []
        for cue in range(_CUES_IN_A_FILE):
            line = dice.choices(words, cum_weights=weights, k=dice.randint(3, 13))
            if len(line) > 7:
                line[6] = "\n" + line[6]
            text = " ".join(line).replace(" \n", "\n").capitalize()
            blocks.append(f"{cue + 1}\n{_time(cue * 4000)} --> {_time(cue * 4000 + 2500)}\n{text}.\n")
        data = "\n".join(blocks).encode()
        (directory / f"film-{number:04}.de.srt").write_bytes(data)
        size += len(data)
    return size


def _time(ms: int) -> str:
    return f"{ms // 3_600_000:02}:{ms // 60_000 % 60:02}:{ms // 1000 % 60:02},{ms % 1000:03}"
