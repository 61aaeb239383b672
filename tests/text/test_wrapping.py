"""Lines break where a reader of that script expects it, and never pass the width."""

from __future__ import annotations

from rich.cells import cell_len

from tests.hostile import HOSTILE
from tui.text.wrapping import chop, wrap


def lines(text: str, width: int) -> list[str]:
    return [text[first:last] for first, last in wrap(text, width)]


def test_lines_break_where_the_script_allows_it() -> None:
    rows: list[tuple[str, int, list[str]]] = [
        ("", 10, [""]),
        ("one two three", 7, ["one two", "three"]),
        ("one  two   three", 8, ["one  two", "three"]),
        ("one\ntwo\n\nthree", 20, ["one", "two", "", "three"]),
        ("abcdefgh", 3, ["abc", "def", "gh"]),
        ("ab abcdefgh", 5, ["ab ab", "cdefg", "h"]),
        ("a\u00a0b c", 3, ["a\u00a0b", "c"]),
        ("彼はもう駅に着いた", 10, ["彼はもう駅", "に着いた"]),
        ("そうですか。はい", 10, ["そうです", "か。はい"]),
        ("彼は「そう」と", 6, ["彼は", "「そ", "う」と"]),
        ("コーヒーとちょっと", 6, ["コー", "ヒーと", "ちょっ", "と"]),
        ("Wort、Wort", 6, ["Wort、", "Wort"]),
        ("เขาไปโรงเรียน", 5, ["เขาไป", "โรงเรี", "ยน"]),
        ("👍🏽👍🏽👍🏽", 4, ["👍🏽👍🏽", "👍🏽"]),
        ("한국어 공부", 6, ["한국어", "공부"]),
    ]
    for text, width, expected in rows:
        assert lines(text, width) == expected, text


def test_no_line_passes_the_width_and_no_character_is_lost() -> None:
    for text in HOSTILE.values():
        for width in (2, 7, 40):
            wrapped = lines(text, width)
            assert all(cell_len(line) <= width for line in wrapped), text
            assert "".join("".join(wrapped).split()) == "".join(text.split())


def test_code_is_chopped_where_its_cells_run_out() -> None:
    text = "    if a:  b食食"
    assert [text[first:last] for first, last in chop(text, 6)] == ["    if", " a:  b", "食食"]
    assert chop("", 5) == [(0, 0)]
