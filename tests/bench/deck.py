"""Deck of 100 000 clips: ``lode export``, the first time and with nothing changed, against genanki and zlib.

The notes of the clips are rendered before, as they are when a clip is kept, or with the first deck of a new Lode.
"""

from __future__ import annotations

import tempfile
import time
import zipfile
from contextlib import closing
from pathlib import Path

from tests.bench.library import clips, keep_library
from tests.bench.rows import Measured
from tests.bench.served import Ran, run_lode
from tests.store.many_clips import add_many
from tui.records.notes import Note
from tui.records.settings import CardOptions
from tui.service.notes import each_note
from tui.store import Store

CLIPS = 100_000
_PROFILE = "default"


def measure() -> list[Measured]:
    home = _library()
    with tempfile.TemporaryDirectory() as place:
        before, plain = _genanki(home, Path(place))
        deck = Path(place) / "lode.apkg"
        first = _export(home, deck)
        size = deck.stat().st_size
        again = _export(home, deck)
        after, _ = _genanki(home, Path(place))
    return [
        Measured(first.seconds, (before + after) / 2),
        Measured(first.peak / 1e6),
        Measured(size / 1e6, plain / 1e6),
        Measured(again.seconds, first.seconds),
    ]


def _library() -> Path:
    """A library with that many clips, their notes rendered as they are now."""
    home = keep_library(f"home-{CLIPS}", f"{CLIPS:,} clips", lambda store: add_many(store, _PROFILE, clips(CLIPS)))
    with closing(Store.open(home)) as store:
        assert sum(1 for _ in each_note(store, _PROFILE)) == CLIPS
    return home


def _export(home: Path, deck: Path) -> Ran:
    return run_lode(home, "export", str(deck), "--deck", deck.parent.name)  # a name that no run before has exported


def _genanki(home: Path, place: Path) -> tuple[float, int]:
    """Seconds in which genanki writes the same notes from memory, and zlib deflates its file; the size of that file."""
    import genanki

    from tui.deck.apkg import make_model
    from tui.deck.note_type import FIELDS

    with closing(Store.open(home)) as store:
        notes: list[Note] = list(each_note(store, _PROFILE))
    plain, deflated = place / "genanki.apkg", place / "deflated.apkg"
    began = time.perf_counter()
    deck, note_type = genanki.Deck(1_234_567_890, "genanki"), make_model(CardOptions())
    for note in notes:
        deck.add_note(genanki.Note(model=note_type, fields=note.fields[: len(FIELDS)], tags=note.tags, guid=note.guid))
    genanki.Package(deck).write_to_file(plain)
    with zipfile.ZipFile(plain) as stored, zipfile.ZipFile(deflated, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("collection.anki2", stored.read("collection.anki2"))
    return time.perf_counter() - began, plain.stat().st_size
