"""What is underlined is what the search of the library matches."""

from __future__ import annotations

import pytest

from tests.hostile import HOSTILE
from tui.widgets.transcript.cue_lines import CueHits


@pytest.mark.parametrize(
    ("text", "query", "found"),
    [
        ("Er fährt ab.", "fahr", ["fähr"]),
        ("Er fa\u0308hrt ab.", "fähr", ["fa\u0308hr"]),
        ("Hin und her.", "er", []),
        ("ER und er", "Er", ["ER", "er"]),
        ("eins zwei", "zwei eins", ["eins", "zwei"]),
        ("彼は駅に着いた", "駅", ["駅"]),
        ("한국 하늘", "하", ["하"]),
        ("a.b", ".", []),
        ("İstanbul", "istanbul", ["İstanbul"]),
    ],
)
def test_words_are_found_by_their_beginning_and_without_accents(text: str, query: str, found: list[str]) -> None:
    assert [text[start:end] for start, end in CueHits([0], query).spans(text)] == found


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_any_text_can_be_searched_for_in_any_text(text: str) -> None:
    hits = CueHits([0], text)
    assert all(0 <= start < end <= len(text) for start, end in hits.spans(text))


def test_without_hits_there_is_no_next_one() -> None:
    assert CueHits().following(3) is None
    assert CueHits().preceding(3) is None
    assert CueHits([], "x").number(0) == 0


def test_signs_around_a_word_are_left_aside_as_the_stores_search_does() -> None:
    assert list(CueHits([0], "»Zug«").spans("Der Zug fährt")) == [(4, 7)]
    assert list(CueHits([0], "bar").spans("foo_bar")) == [(4, 7)]
