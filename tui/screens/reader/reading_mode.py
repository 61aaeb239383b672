"""One-sentence mode of transcripts: kept for as long as their service is open, and shown on the key line."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from tui.service.protocol import Service
from tui.widgets.transcript.cue_reader import CueReader

_one_sentence: WeakKeyDictionary[Service, set[str]] = WeakKeyDictionary()
"""Ids of the transcripts that are read by whole sentences."""


def is_one_sentence(service: Service, transcript_id: str) -> bool:
    return transcript_id in _one_sentence.get(service, ())


def remember_mode(service: Service, transcript_id: str, *, one_sentence: bool) -> None:
    known = _one_sentence.setdefault(service, set())
    (known.add if one_sentence else known.discard)(transcript_id)


def mode_name(reader: CueReader) -> str:
    """What the keys do at the moment beside their own, "" for nothing special."""
    modes = {"SENTENCE": reader.is_one_sentence, "EXTEND": reader.cue_focus.anchor is not None}
    return " ".join(name for name, is_on in modes.items() if is_on)
