"""A cue is broken by cells between words, and every piece of it is found again in its lines."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from tests.hostile import FORBIDDEN, HOSTILE
from tui.records.transcripts import Cue
from tui.widgets.transcript.cue_layout import lay_out, shown_text


def lines(text: str, width: int, language: str | None = None, speaker: str | None = None) -> list[str]:
    layout = lay_out(Cue(0, None, None, text, speaker), language, width)
    return [layout.text[line.start : line.end] for line in layout.lines]


@pytest.mark.parametrize("width", [1, 2, 7, 20, 80])
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_no_line_is_wider_than_the_width_and_nothing_is_lost(text: str, width: int) -> None:
    found = lines(text, width)
    for line in found:
        assert cell_len(line) <= max(width, 2)  # a wide character cannot be halved
        assert not set(FORBIDDEN) & set(line)
    assert "".join("".join(found).split()) == "".join(shown_text(Cue(0, None, None, text)).split())


def test_lines_break_at_spaces_and_where_the_text_breaks_itself() -> None:
    assert lines("one two three\nfour", 8) == ["one two", "three", "four"]


def test_a_word_that_is_too_long_is_broken_hard() -> None:
    assert lines("a" * 25, 10) == ["a" * 10, "a" * 10, "a" * 5]


def test_japanese_breaks_between_words_and_never_before_a_full_stop() -> None:
    found = lines("彼はもう駅に着いたかな。今日はとても寒いですね。", 14, "ja")
    assert len(found) > 2
    assert not any(line.startswith(("。", "、")) for line in found)
    starts = {word.start for word in lay_out(Cue(0, None, None, "".join(found)), "ja", 14).words}
    assert {len("".join(found[:number])) for number in range(len(found))} <= starts


def test_an_accent_or_a_family_is_never_torn_apart() -> None:
    text = "e\u0301" * 10 + "👩‍👩‍👧‍👦" * 4
    for line in lines(text, 3):
        assert not line.startswith(("\u0301", "\u200d"))


def test_a_speaker_stands_before_the_first_line_only() -> None:
    layout = lay_out(Cue(0, None, None, "one two three", "Anna"), None, 12)
    assert layout.speaker == "Anna: "
    assert [(line.indent, layout.text[line.start : line.end]) for line in layout.lines] == [
        (6, "one"),
        (0, "two three"),
    ]


def test_the_word_under_a_place_is_found_and_beside_words_the_nearest() -> None:
    layout = lay_out(Cue(0, None, None, "Wie, bitte?\n日本 ok"), None, 40)
    named = [word.text for word in layout.words]
    assert named[layout.word_near(0, 0) or 0] == "Wie"
    assert named[layout.word_near(0, 3) or 0] == "Wie"
    assert named[layout.word_near(0, 7) or 0] == "bitte"
    assert named[layout.word_near(0, 99) or 0] == "bitte"
    assert named[layout.word_near(1, 6) or 0] == "ok"
    assert lay_out(Cue(0, None, None, "♪♪"), None, 40).word_near(0, 1) is None


@pytest.mark.parametrize(
    ("text", "language", "width", "shown"),
    [
        ("彼はもう「駅」に着いた。", "ja", 10, ["彼はもう", "「駅」に", "着いた。"]),
        ("เขาไปโรงเรียนทุกวัน", "th", 8, ["เขาไป", "โรงเรียน", "ทุกวัน"]),
    ],
)
def test_brackets_go_with_their_word_and_leading_vowels_are_no_beginning(
    text: str, language: str, width: int, shown: list[str]
) -> None:
    assert lines(text, width, language) == shown
