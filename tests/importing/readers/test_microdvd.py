from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tui.importing.readers.cue_text import CueTooLong
from tui.importing.readers.line_formats import is_microdvd, read_microdvd


def cues(text: str) -> list[tuple[int | None, int | None, str]]:
    return [(cue.start_ms, cue.end_ms, cue.text) for cue in read_microdvd(text.split("\n"))]


@pytest.mark.parametrize(
    ("head", "start_ms", "end_ms"),
    [
        ("{1}{1}25\n", 4000, 6000),
        ("{1}{1}23.976\n", 4171, 6256),
        ("{1}{1} 29,97 \n\n", 3337, 5005),
        ("{0}{0}50\n", 2000, 3000),
        ("{DEFAULT}{}{C:$FFFFFF}\n{1}{}25.000\n", 4000, 6000),
        ("", 4171, 6256),
    ],
)
def test_frames_are_counted_at_the_rate_of_the_first_cue(head: str, start_ms: int, end_ms: int) -> None:
    assert cues(f"{head}{{100}}{{150}}Hello") == [(start_ms, end_ms, "Hello")]


@pytest.mark.parametrize("said", ["4", "1984", "121", "25 trains", "0"])
def test_what_is_no_rate_is_text(said: str) -> None:
    assert [text for _, _, text in cues(f"{{1}}{{1}}{said}\n{{100}}{{150}}Hello")] == [said, "Hello"]


def test_a_number_later_or_longer_is_text() -> None:
    assert [text for _, _, text in cues("{1}{50}25\n{1}{1}30")] == ["25", "30"]


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("Hello|you", "Hello\nyou"),
        ("{y:i}Hello|{Y:b}you", "Hello\nyou"),
        ("{c:$0000FF}{f:Arial}{s:10}{P:1}{o:1,2}{H:ANSI}Hello", "Hello"),
        ("/Hello|/you", "Hello\nyou"),
        ("{c:$0000FF}/Hello", "Hello"),
        ("and/or {sic} {x:y}", "and/or {sic} {x:y}"),
        ("<i>Hello</i>", "Hello"),
        ("Hello||", "Hello"),
        ("Hello\nyou", "Hello\nyou"),
        ("Hello {y:", "Hello {y:"),
    ],
)
def test_codes_are_taken_out_of_the_text(raw: str, text: str) -> None:
    assert [said for _, _, said in cues(f"{{1}}{{1}}25\n{{25}}{{50}}{raw}")] == [text]


def test_a_cue_without_an_end_lasts_up_to_the_next() -> None:
    assert cues("{1}{1}25\n{25}{}one\n{75}{100}two\n{125}{}three") == [
        (1000, 3000, "one"),
        (3000, 4000, "two"),
        (5000, 10_000, "three"),
    ]


def test_odd_frames_are_read() -> None:
    assert cues("{1}{1}25\n { 50 }{ 25 } back\n{25}{50}\n{999999999}{}last") == [
        (2000, 1000, "back"),
        (39_999_999_960, 40_000_004_960, "last"),
    ]


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("{0}{25}Hello\n\n{30}{50}You", True),
        ("{0}{}Hello", True),
        ("{DEFAULT}{}{C:$FFFFFF}\n{0}{25}Hello\n{30}{50}You", True),
        ("A text\nof {1}{2}\n{3}{4} and so on", False),
        ("", False),
    ],
)
def test_most_lines_tell_what_it_is(text: str, is_one: bool) -> None:
    assert is_microdvd(text) is is_one


def test_lines_of_more_than_a_cue_may_have_are_refused() -> None:
    with pytest.raises(CueTooLong):
        list(read_microdvd(["{1}{2}", *["x" * 100_000] * 11]))


PIECES = st.sampled_from(["{", "}", "{1}", "{25}", "{}", "{y:i}", "|", "/", "\n", " ", "25", "5", ".", "a", "\0"])


@settings(deadline=None, database=None)  # a busy machine is slow, and no example is kept
@given(st.lists(PIECES | st.text(max_size=3)).map("".join))
def test_any_text_is_read(text: str) -> None:
    is_microdvd(text)
    for start, end, said in cues(text):
        assert said.strip()
        assert start is not None
        assert end is not None
        assert min(start, end) >= 0  # an end before its start is mended with the cues of all formats
