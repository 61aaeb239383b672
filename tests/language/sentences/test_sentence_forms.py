"""Word forms of cues by sentences."""

from __future__ import annotations

import pytest

from tui.language.cue_sentences import find_sentence_forms
from tui.records.transcripts import Cue


class Left(Exception):
    """Ends what somebody waited for."""


def film(*texts: str) -> list[Cue]:
    return [Cue(at, at * 2000, at * 2000 + 1500, text) for at, text in enumerate(texts)]


def test_sentences_are_places_among_the_different_forms() -> None:
    found = find_sentence_forms(film("Der Zug kommt. Der Zug,", "der Zug steht.", "…", "Komm!"), "de")
    assert [form.form for form in found.different] == ["der", "zug", "kommt", "steht", "komm"]
    assert list(found.sentences) == [(0, 0, (0, 1, 2)), (0, 15, (0, 1, 0, 1, 3)), (2, 0, (4,))]


def test_it_ends_at_the_sentence_at_which_its_check_raises() -> None:
    asked = 0

    def check() -> None:
        nonlocal asked
        asked += 1
        if asked == 3:
            raise Left

    with pytest.raises(Left):
        find_sentence_forms(film(*(f"Der Zug {number} kommt." for number in range(100))), "de", check)
    assert asked == 3
