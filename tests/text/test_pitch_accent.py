"""Pitch accents: an arrow where the pitch falls, counted in morae."""

from __future__ import annotations

import pytest

from tui.records.dictionaries import PitchAccent
from tui.text.display import morae, pitch_text


@pytest.mark.parametrize(
    ("reading", "position", "text"),
    [
        ("はな", 0, "はな [0]"),
        ("はな", 2, "はな↓ [2]"),
        ("はし", 1, "は↓し [1]"),
        ("きょうと", 1, "きょ↓うと [1]"),
        ("がっこう", 3, "がっこ↓う [3]"),
        ("ラーメン", 1, "ラ↓ーメン [1]"),
        ("はな", 9, "はな [9]"),
        ("は\x1b[31mな", 1, "は↓な [1]"),
    ],
)
def test_the_arrow_stands_behind_the_mora_after_which_the_pitch_falls(reading: str, position: int, text: str) -> None:
    assert pitch_text(PitchAccent(reading, position)) == text


def test_a_small_kana_belongs_to_the_one_before_it_but_a_small_tsu_is_a_mora() -> None:
    assert morae("しゅっちょう") == ["しゅ", "っ", "ちょ", "う"]
