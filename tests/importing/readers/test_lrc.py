from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tui.importing.readers.cue_text import CueTooLong
from tui.importing.readers.line_formats import is_lrc, read_lrc

SONG = """\
[ti:Der Zug]
[ar: Die Reisenden]
[length: 00:40]
[by:somebody]

[00:12.00]Der Zug fährt ab
[00:15.30]und keiner winkt.
[00:18]

[00:21.5][01:02:03.25]Wir fahren heim.
"""


def cues(text: str) -> list[tuple[int | None, int | None, str]]:
    return [(cue.start_ms, cue.end_ms, cue.text) for cue in read_lrc(text.split("\n"))]


def test_lines_last_up_to_the_next_time_and_the_last_one_five_seconds() -> None:
    assert is_lrc(SONG)
    assert cues(SONG) == [
        (12_000, 15_300, "Der Zug fährt ab"),
        (15_300, 18_000, "und keiner winkt."),
        (21_500, 3_723_250, "Wir fahren heim."),
        (3_723_250, 3_728_250, "Wir fahren heim."),
    ]


def test_a_line_of_several_times_ends_where_the_next_in_time_begins() -> None:
    assert cues("[00:01.00][00:05.00]chorus\n[00:03.00]verse") == [
        (1000, 3000, "chorus"),
        (5000, 10_000, "chorus"),
        (3000, 5000, "verse"),
    ]


def test_a_line_and_its_translation_end_together() -> None:
    assert cues("[00:01.00]你好\n[00:01.00]Hello\n[00:02.00]再见\nGoodbye") == [
        (1000, 2000, "你好"),
        (1000, 2000, "Hello"),
        (2000, 7000, "再见\nGoodbye"),
    ]


@pytest.mark.parametrize(
    ("offset", "start_ms", "end_ms"),
    [("+500", 500, 1500), ("500", 500, 1500), ("-500", 1500, 2500), (" - 500 ", 1500, 2500), ("1500", 0, 500)],
)
@pytest.mark.parametrize("text", ["[offset:{}]\n[00:01.00]a\n[00:02.00]", "[00:01.00]a\n[00:02.00]\n[Offset:{}]"])
def test_a_positive_offset_lets_lines_come_sooner(text: str, offset: str, start_ms: int, end_ms: int) -> None:
    assert cues(text.format(offset)) == [(start_ms, end_ms, "a")]


@pytest.mark.parametrize(
    "line",
    [
        "<00:01.00>Wir <00:01.50>fahren <00:02.00>heim",
        "<00:01.00> Wir <00:01.50> fahren <00:02.00> heim <00:02.50>",
        "Wir <00:01.50>fah<00:01.70>ren<00:01.80> heim",
    ],
)
def test_times_of_words_are_taken_out(line: str) -> None:
    assert cues(f"[00:01.00]{line}") == [(1000, 6000, "Wir fahren heim")]


def test_what_is_no_time_stays_in_the_text() -> None:
    assert cues("[00:01.00]a < b [Chorus] <3 x>") == [(1000, 6000, "a < b [Chorus] <3 x>")]


def test_notes_before_the_song_and_behind_a_blank_line_are_left_out() -> None:
    assert cues("Lyrics by X\n[00:01.00]a\n\nfrom a site\n[re:Editor]\n") == [(1000, 6000, "a")]


@pytest.mark.parametrize("text", ["", "\n", "[ti:a]\n[ar:b]", "[10:30] Ann: Hi\n[10:31] Bob: Hi", "A [00:01.00]\nB"])
def test_other_texts_are_no_lyrics(text: str) -> None:
    assert not is_lrc(text)


def test_a_long_line_with_many_times_does_not_grow_without_bounds() -> None:
    assert len(cues("[0:1]" * 100_000 + "x" * 10_000)) == 1
    assert len(cues("[0:1]" * 100 + "x" * 39)) == 100


def test_lines_of_more_than_a_cue_may_have_are_refused() -> None:
    with pytest.raises(CueTooLong):
        list(read_lrc(["[00:01.00]", *["x" * 100_000] * 11]))


PIECES = st.sampled_from(
    ["[", "]", "<", ">", ":", ".", "0", "59", "9999", "[0:1]", "[offset:", "-", "\n", " ", "a", "\0"]
)


@settings(deadline=None, database=None)  # a busy machine is slow, and no example is kept
@given(st.lists(PIECES | st.text(max_size=3)).map("".join))
def test_any_text_is_read(text: str) -> None:
    is_lrc(text)
    for start, end, said in cues(text):
        assert said.strip()
        assert start is not None
        assert end is not None
        assert 0 <= start <= end
