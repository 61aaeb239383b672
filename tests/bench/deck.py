"""Deck of 100 000 clips: ``lode export``, the first time and with nothing changed, against genanki and zlib.

The notes of the clips are rendered before, as they are when a clip is kept, or with the first deck of a new Lode.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

from tests.bench.library import clips
from tests.bench.rows import Measured
from tests.bench.served import peak_memory
from tests.server_process import LODE
from tests.store.many_clips import add_many
from tui.records.notes import Note
from tui.records.settings import CardOptions
from tui.service.notes import each_note
from tui.store import Store

CLIPS = 100_000
_HOME = Path(".bench") / f"home-{CLIPS}"
_PROFILE = "default"


def measure() -> list[Measured]:
    home = _library()
    with tempfile.TemporaryDirectory() as place:
        before, plain = _genanki(home, Path(place))
        deck = Path(place) / "lode.apkg"
        first, peak = _export(home, deck)
        size = deck.stat().st_size
        again, _ = _export(home, deck)
        after, _ = _genanki(home, Path(place))
    return [
        Measured(first, (before + after) / 2),
        Measured(peak / 1e6),
        Measured(size / 1e6, plain / 1e6),
        Measured(again, first),
    ]


def _library() -> Path:
    """A library with that many clips, made once and kept, their notes rendered as they are now."""
    done = _HOME / "complete"
    if not done.exists():
        print(f"making a library with {CLIPS:,} clips in {_HOME} (once) …", file=sys.stderr)
    store = Store.open(_HOME)
    if not done.exists():
        add_many(store, _PROFILE, clips(CLIPS))
        done.touch()
    assert sum(1 for _ in each_note(store, _PROFILE)) == CLIPS
    store.close()
    return _HOME.absolute()


def _export(home: Path, deck: Path) -> tuple[float, float]:
    """Seconds of one ``lode export`` and its peak memory in bytes."""
    environ = {**os.environ, "LODE_HOME": str(home)}
    command = [LODE, "export", str(deck), "--deck", deck.parent.name]  # a name that no run before has exported
    began = time.perf_counter()
    with subprocess.Popen(command, env=environ, stdout=subprocess.DEVNULL) as process, peak_memory(process.pid) as peak:
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        seconds = time.perf_counter() - began
    assert process.returncode == 0
    return seconds, peak[0]


def _genanki(home: Path, place: Path) -> tuple[float, int]:
    """Seconds in which genanki writes the same notes from memory, and zlib deflates its file; the size of that file."""
    import genanki

    from tui.deck.apkg import make_model
    from tui.deck.note_type import FIELDS

    store = Store.open(home)
    notes: list[Note] = list(each_note(store, _PROFILE))
    store.close()
    plain, deflated = place / "genanki.apkg", place / "deflated.apkg"
    began = time.perf_counter()
    deck, note_type = genanki.Deck(1_234_567_890, "genanki"), make_model(CardOptions())
    for note in notes:
        deck.add_note(genanki.Note(model=note_type, fields=note.fields[: len(FIELDS)], tags=note.tags, guid=note.guid))
    genanki.Package(deck).write_to_file(plain)
    with zipfile.ZipFile(plain) as stored, zipfile.ZipFile(deflated, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("collection.anki2", stored.read("collection.anki2"))
    return time.perf_counter() - began, plain.stat().st_size
