"""Keyword in context: the word stands in one column whatever is around it, in cells and without anything hostile."""

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from tests.hostile import FORBIDDEN, HOSTILE
from tui.records.clips import ConcordanceLine
from tui.widgets.transcript.concordance_view import KwicLine, aligned, sorted_by_what_follows, word_column


def line(text: str, word: str) -> ConcordanceLine:
    start = text.index(word)
    return ConcordanceLine(text, start, start + len(word), "Der letzte Zug", "t1", 0, 0)


def column_of(line: KwicLine, column: int, width: int) -> tuple[str, str]:
    """What is drawn before the word, and the word with all that is drawn behind it."""
    before, word, after = aligned(line, column, width)
    return before, word + after


def test_the_word_stands_in_one_column_and_what_is_before_it_ends_there() -> None:
    lines = [KwicLine.of(line("Warten Sie schon lange hier?", "schon")), KwicLine.of(line("schon wieder", "schon"))]
    column = word_column(lines, 25)
    assert [column_of(each, column, 25) for each in lines] == [
        ("…rten Sie ", "schon lange hi…"),
        ("          ", "schon wieder   "),
    ]


def test_wide_characters_count_two_cells() -> None:
    found = KwicLine.of(line("美咲は、においのする方へ歩いていきました。", "の"))
    before, rest = column_of(found, word_column([found], 21), 21)
    assert (cell_len(before), cell_len(rest)) == (9, 12)
    assert before.endswith("、におい")
    assert rest.startswith("のする方")


def test_a_line_break_in_a_cue_is_a_space_where_its_script_has_any() -> None:
    assert KwicLine.of(line("bis morgen\nfrüh nichts", "früh")).before == "bis morgen "
    assert KwicLine.of(line("まず、\n花屋に", "花屋")).before == "まず、"


def test_text_from_right_to_left_has_what_comes_before_at_the_right() -> None:
    before, word, after = aligned(KwicLine.of(line("هذا كتاب جديد", "كتاب")), 10, 24)
    assert "جديد" in before
    assert "كتاب" in word
    assert "هذا" in after
    assert sum(map(cell_len, (before, word, after))) == 24


def test_lines_are_sorted_by_what_follows_the_word() -> None:
    texts = ("Er fährt ab.", "Sie fährt, an dem Tag, mit.", "Wer fährt?", "Er fährt „ab“ und zu.")
    found = sorted_by_what_follows(line(text, "fährt") for text in texts)
    assert [each.line.text for each in found] == [texts[2], texts[0], texts[3], texts[1]]


def test_nothing_of_a_line_commands_the_terminal() -> None:
    for hostile in HOSTILE.values():
        parts = aligned(KwicLine.of(line(f"{hostile} schon {hostile}", "schon")), 12, 40)
        assert not set("".join(parts)) & set(FORBIDDEN + "\n\r\t"), hostile


@given(st.text(max_size=60), st.text(min_size=1, max_size=12), st.text(max_size=60), st.integers(4, 60))
def test_a_line_has_exactly_the_cells_that_it_is_given(before: str, word: str, after: str, width: int) -> None:
    found = KwicLine.of(ConcordanceLine(before + word + after, len(before), len(before + word), "", "t", 0, None))
    assert sum(map(cell_len, aligned(found, word_column([found], width), width))) == width
