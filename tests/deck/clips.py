"""Clips to make decks of."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from tui.deck.apkg import USUAL, write_deck
from tui.deck.note import make_note
from tui.records.clips import Clip, FocusWord
from tui.records.settings import SavedSettings

ABFAHREN = FocusWord(
    "fährt … ab",
    lemma="abfahren",
    part_of_speech="separable verb",
    grammar="3. Person Singular Präsens",
    meanings=("to leave", "to depart"),
    level="A1",
    language="de",
    origin="llm",
)
PLAIN = Clip(
    id="0",
    transcript_id="t1",
    file_id="f1",
    cue_index=3,
    start_ms=121_750,
    end_ms=125_000,
    sentence="Hoffentlich fährt er überhaupt noch ab.",
    context="Das ist der letzte heute.\nHoffentlich fährt er überhaupt noch ab.",
    translation="I do hope it leaves at all.",
    focus=replace(ABFAHREN, frequency=12),
    explanation="The prefix **ab** goes to the *very* end.",
    model="lexicon:lexicon",
    tags=("zug", "sein oder haben"),
    note="ask Anna",
    source="Der letzte Zug",
    created_at="2026-01-31T12:00:00.000Z",
    updated_at="2026-01-31T12:00:00.000Z",
)


def clip(number: int | str = 0, /, **changes: Any) -> Clip:
    """A whole clip with the id ``clip<number>``."""
    return replace(PLAIN, id=f"clip{number}", **changes)


def bare(number: int | str, sentence: str, **changes: Any) -> Clip:
    """A clip of a sentence and nothing else."""
    nothing: dict[str, Any] = dict.fromkeys(("transcript_id", "file_id", "cue_index", "start_ms", "end_ms", "focus"))
    nothing |= dict.fromkeys(("context", "translation", "explanation", "model", "note", "source"), "")
    return clip(number, **{**nothing, "tags": (), "sentence": sentence, **changes})


def write_clips(
    path: Path, name: str, clips: Iterable[Clip], *, settings: SavedSettings = USUAL, overwrite: bool = False
) -> int:
    return write_deck(path, name, map(make_note, clips), settings=settings, overwrite=overwrite)
