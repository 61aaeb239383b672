"""Texts cut to terminal cells: a sentence loses its end, a name its inside."""

from __future__ import annotations

from rich.cells import cell_len

from tests.hostile import HOSTILE
from tui.text.cells import cut, shared_widths


def test_a_name_keeps_the_end_that_tells_it_apart() -> None:
    name = "pepper-and-carrot-episode-12.srt"
    assert [cut(name, width, inside=True) for width in (32, 23)] == [name, "pepper-and-…sode-12.srt"]
    assert cut("月曜日のカレー.ja.srt", 14, inside=True) == "月曜日…ja.srt"
    assert cut("日本語日本語日本語", 9, inside=True) == "日本…本語"
    assert [cut("abcd", width, inside=True) for width in (3, 1, 0)] == ["ab…", "…", ""]


def test_whatever_is_cut_fits() -> None:
    for text in (*HOSTILE.values(), "\u200d\u200d漢字 "):
        for width in (0, 1, 2, 5, 11, 40):
            for inside in (False, True):
                assert cell_len(cut(text.replace("\n", " "), width, inside=inside)) <= width, text


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
