"""What is typed into the fields of a clip, and the clip that becomes of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tui.errors import InvalidInput
from tui.records.clips import Clip, FocusWord
from tui.records.media import Span
from tui.service.clip_filling import edit_clip
from tui.text.clip_fields import EDITED


def clip(focus: FocusWord | None) -> Clip:
    moment = "2026-01-31T12:00:00.000Z"
    return Clip("s", focus=focus, id="c1", created_at=moment, updated_at=moment)


def typed(focus: str, meanings: str = "") -> dict[str, str]:
    return {**dict.fromkeys(EDITED, ""), "sentence": "s", "focus": focus, "meanings": meanings}


def test_another_word_loses_what_was_known_of_the_old_one() -> None:
    old = FocusWord("fährt", lemma="fahren", level="A1", language="de", meanings=("to drive",), origin="llm")
    assert edit_clip(clip(old), typed("ab", "off")).focus == FocusWord("ab", meanings=("off",), language="de")


def test_the_same_word_keeps_what_is_known_of_it() -> None:
    old = FocusWord("fährt", lemma="fahren", level="A1", meanings=("to drive",), origin="llm")
    assert edit_clip(clip(old), typed("fährt", "to go")).focus == FocusWord(
        "fährt", lemma="fahren", level="A1", meanings=("to go",), origin="llm"
    )


def test_meanings_without_a_word_are_refused() -> None:
    with pytest.raises(InvalidInput, match="no word"):
        edit_clip(clip(None), typed("", "to drive"))
    assert edit_clip(clip(None), typed("")).focus is None


def test_what_is_not_named_stays_as_it_is_whatever_it_is() -> None:
    old = replace(clip(FocusWord("fährt", meanings=("to drive",))), sentence=" s\x1b[31m", tags=("a b",), start_ms=5)
    assert edit_clip(old, {}) == old.contents()
    assert edit_clip(old, {"tags": "#verb verb  a1"}) == replace(old.contents(), tags=("verb", "a1"))
    meant = edit_clip(old, {"meanings": "to go\n\n to leave "}).focus
    assert meant == FocusWord("fährt", meanings=("to go", "to leave"))
    assert edit_clip(old, {"focus": "fährt"}).focus == old.focus
    assert edit_clip(old, {"focus": "ab"}).focus == FocusWord("ab")
    assert edit_clip(old, {"focus": " "}).focus is None
    timed = edit_clip(old, {"note": " x "}, Span(10, 20))
    assert (timed.start_ms, timed.end_ms, timed.note, timed.sentence) == (10, 20, "x", old.sentence)
