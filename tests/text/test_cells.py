"""Texts cut to terminal cells: a sentence loses its end, a name its inside."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from tests.hostile import WORST
from tui.text.cells import cut, shared_widths


@pytest.mark.parametrize(
    ("text", "width", "shown"),
    [
        ("pepper-and-carrot-episode-12.srt", 32, "pepper-and-carrot-episode-12.srt"),
        ("pepper-and-carrot-episode-12.srt", 23, "pepper-and-…sode-12.srt"),
        ("月曜日のカレー.ja.srt", 14, "月曜日…ja.srt"),
        ("日本語日本語日本語", 9, "日本…本語"),
        ("ab", 1, "…"),
        ("abcd", 3, "ab…"),
        ("abc", 0, ""),
    ],
)
def test_a_name_keeps_the_end_that_tells_it_apart(text: str, width: int, shown: str) -> None:
    assert cut(text, width, inside=True) == shown


@pytest.mark.parametrize("text", [*WORST.values(), "\u200d\u200d漢字 "], ids=[*WORST, "joined to nothing"])
@pytest.mark.parametrize("width", [0, 1, 2, 5, 11, 40])
def test_whatever_is_cut_fits(text: str, width: int) -> None:
    text = text.replace("\n", " ")
    assert cell_len(cut(text, width)) <= width
    assert cell_len(cut(text, width, inside=True)) <= width


def test_no_character_is_torn_apart_where_the_end_begins() -> None:
    family = "👩\u200d👩\u200d👧"
    for width in range(5, 12):
        _, _, end = cut(f"abcdefgh{family}ijk", width, inside=True).partition("…")
        assert end in f"{family}ijk"
        assert not end.startswith(("\u200d", "👧"))


def test_the_widest_columns_give_way_first_and_share_the_rest() -> None:
    assert shared_widths([100, 30, 8], 68, least=6) == [30, 30, 8]
    assert shared_widths([100, 30, 8], 29, least=6) == [10, 10, 8]
    assert shared_widths([100, 30, 8], 1, least=6) == [6, 6, 6]
    assert shared_widths([3, 4], 80, least=6) == [3, 4]
    assert shared_widths([], 80, least=6) == []
