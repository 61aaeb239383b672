"""What is sent of a screen makes a terminal show all of it, in few bytes."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pyte
import pytest
from rich.color import ColorSystem
from rich.segment import Segment
from rich.style import Style

from tests.emulator import Emulator
from tui.screen_cells import ScreenCells

COLUMNS, ROWS = 24, 10
WORDS = ("Zug", "fährt", "ab", "日本", "経済学", "e\u0301t\u0301e", "שלום", "سلام", "  ", " ", "          ", "·", "x")
STYLES = (
    None,
    *(
        Style.parse(each)
        for each in (
            *("bold", "dim", "bold dim", "underline", "reverse", "strike italic", "#a0b0c0 on #101010", "on #101010"),
            *("bold #a0b0c0 on #101010", "red", "bright_red on blue", "color(99)", "reverse on #202020"),
        )
    ),
)


class Terminal:
    """A terminal that is sent what changes, which erases in colour as most do; and one that is sent all."""

    def __init__(self, columns: int = COLUMNS, rows: int = ROWS) -> None:
        self.size = columns, rows
        self.cells = ScreenCells(erases_in_colour=True)
        self.screen = pyte.Screen(columns, rows)
        self._stream = pyte.Stream(self.screen)
        self._stream.feed("\x1b[?7l")  # as Textual has it: pyte would wrap the marks of a line's last character

    def draw(self, *lines: list[Segment], row: int = 0, column: int = 0) -> str:
        return self.draw_pieces([(row + y, column, line) for y, line in enumerate(lines)])

    def draw_pieces(self, pieces: Sequence[tuple[int, int, list[Segment]]]) -> str:
        sent = self.cells.draw(pieces, self.size, ColorSystem.TRUECOLOR)
        self._stream.feed(sent)
        return sent

    def shows(self) -> list[list[object]]:
        """Every cell as it looks: of a blank without a line or reverse colours, only the background does."""
        return [[_look(self.screen.buffer[y][x]) for x in range(self.size[0])] for y in range(self.size[1])]


def _look(cell: pyte.screens.Char) -> object:
    if cell.data == " " and not (cell.reverse or cell.underscore or cell.strikethrough):
        return " ", cell.bg
    return cell


def random_line(dice: random.Random, width: int) -> list[Segment]:
    """Segments that fill a line."""
    line, room = list[Segment](), width
    while room > 0:
        text = dice.choice(WORDS)
        if Segment(text).cell_length > room:
            text = " " * room
        line.append(Segment(text, dice.choice(STYLES)))
        room -= line[-1].cell_length
    return line


@pytest.mark.parametrize("seed", range(30))
def test_what_changes_is_sent_and_the_screen_shows_all_of_it(seed: int) -> None:
    dice, terminal = random.Random(seed), Terminal()
    screen = [random_line(dice, COLUMNS) for _ in range(ROWS)]
    terminal.draw(*screen)
    for _ in range(40):
        kind = dice.choice(("line", "part", "up", "down", "all", "none"))
        if kind == "line":
            screen[dice.randrange(ROWS)] = random_line(dice, COLUMNS)
        elif kind == "part":
            y, x = dice.randrange(ROWS), dice.randrange(1, COLUMNS)
            left = Segment.adjust_line_length(screen[y], x, None, pad=True)
            screen[y] = [*left, *random_line(dice, COLUMNS - x)]
        elif kind in ("up", "down"):
            top, bottom = sorted((dice.randrange(ROWS), dice.randrange(ROWS)))
            part = screen[top : bottom + 1]
            new = random_line(dice, COLUMNS)
            screen[top : bottom + 1] = [*part[1:], new] if kind == "up" else [new, *part[:-1]]
        elif kind == "all":
            screen = [random_line(dice, COLUMNS) for _ in range(ROWS)]
        sent = terminal.draw(*screen)
        whole = Terminal()
        whole.draw(*screen)
        assert terminal.shows() == whole.shows(), (seed, kind, sent)
        assert not terminal.draw(*screen)


@pytest.mark.parametrize("seed", range(30))
def test_parts_drawn_over_each_other_again_and_again_show_what_was_drawn_last(seed: int) -> None:
    """Few different ones, so that most have been drawn at that place before, and something over them since."""
    dice, terminal = random.Random(seed), Terminal(rows=3)
    lines = [random_line(dice, width) for width in (COLUMNS, COLUMNS, 5, 9, 9, 14)]
    drawn: list[tuple[int, int, list[Segment]]] = []
    for _ in range(60):
        pieces = [(dice.randrange(3), dice.choice((0, 0, 4, 5, 11)), dice.choice(lines)) for _ in range(3)]
        drawn += pieces
        terminal.draw_pieces(pieces)
        whole = Terminal(rows=3)
        whole.draw_pieces(drawn)
        assert terminal.shows() == whole.shows()


def test_a_part_is_drawn_again_where_another_stood_meanwhile() -> None:
    terminal = Terminal()
    line, over = [Segment("Der Zug fährt ab.")], [Segment("Bus")]
    for _ in range(3):
        terminal.draw(line)
        terminal.draw(over, column=4)
        assert terminal.screen.display[0].rstrip() == "Der Bus fährt ab."
        assert terminal.draw(line) == "\x1b[1;5HZug"
        assert not terminal.draw([*line])


def test_a_part_laid_over_half_of_a_wide_character_leaves_a_blank_of_it() -> None:
    terminal = Terminal()
    terminal.draw([Segment("日本語です")])
    terminal.draw([Segment("ab")], column=3)
    assert terminal.screen.display[0].rstrip() == "日 ab です"
    terminal.draw([Segment("日本語です")])
    assert terminal.screen.display[0].rstrip().replace(" ", "") == "日本語です"


def test_only_what_differs_is_sent() -> None:
    terminal = Terminal()
    terminal.draw([Segment("Der Zug fährt ab.")])
    assert terminal.draw([Segment("Der Bus fährt ab.")]) == "\x1b[1;5HBus"
    assert terminal.draw([Segment("Der Bus fährt an.")]) == "\x1b[1;16Hn"
    bold = Style.parse("bold")
    assert terminal.draw([Segment("Der "), Segment("Bus", bold), Segment(" fährt an.")]) == "\x1b[1;5H\x1b[1mBus\x1b[m"


def test_styles_change_by_what_differs_between_them() -> None:
    terminal = Terminal()
    red, bold = Style.parse("#ff0000 on #000001"), Style.parse("bold #ff0000 on #000001")
    sent = terminal.draw([Segment("a", red), Segment("b", bold), Segment("c", red)])
    assert sent == "\x1b[1;1H\x1b[38;2;255;0;0;48;2;0;0;1ma\x1b[1mb\x1b[22mc\x1b[m"


def test_rows_that_scroll_are_not_sent_again() -> None:
    terminal = Terminal()
    lines = [[Segment(f"row {number} of {number**7}".ljust(COLUMNS))] for number in range(30)]
    whole = len(terminal.draw(*lines[:ROWS]))
    for first in (*range(1, 10), *range(8, -1, -1)):
        assert len(terminal.draw(*lines[first : first + ROWS])) < whole / 3
        assert terminal.screen.display[0].rstrip() == f"row {first} of {first**7}"


def test_text_from_right_to_left_is_sent_as_a_whole() -> None:
    terminal = Terminal()
    terminal.draw([Segment("שלום עולם")])
    assert "שלום" in terminal.draw([Segment("שלום עולה")])


def test_behind_a_character_of_no_sure_width_the_cursor_is_placed() -> None:
    terminal = Terminal()
    assert terminal.draw([Segment("e\u0301ab")]) == "\x1b[1;1He\u0301\x1b[1;2Hab"


def test_a_character_joined_of_several_is_drawn_on_blanks_and_what_follows_is_drawn_over_its_parts() -> None:
    """Terminals that do not join draw ❤️ in one cell and 👩‍🚀 in four."""
    terminal = Terminal()
    terminal.draw([Segment("xx ab")])
    assert terminal.draw([Segment("👩‍🚀 ab")]) == "\x1b[1;1H  \x1b[1G👩‍🚀\x1b[1;3H ab"


def test_a_terminal_that_erases_without_colour_is_sent_the_blanks() -> None:
    line = [Segment("a" + " " * 23, Style.parse("on #101010"))]
    plain = ScreenCells().draw([(0, 0, line)], (24, 1), ColorSystem.TRUECOLOR)
    assert " " * 23 in plain
    assert (
        ScreenCells(erases_in_colour=True).draw([(0, 0, line)], (24, 1), ColorSystem.TRUECOLOR).endswith("\x1b[K\x1b[m")
    )


def test_what_was_forgotten_is_sent_whole() -> None:
    terminal = Terminal()
    line = [Segment("Der Zug fährt ab.")]
    first = terminal.draw(line)
    terminal.cells.forget()
    assert terminal.draw(line) == first


def test_what_was_drawn_in_fewer_colours_is_sent_in_all_of_them() -> None:
    cells, line = ScreenCells(), [Segment("Zug", Style.parse("#a0b0c0"))]
    fewer, more = (cells.draw([(0, 0, line)], (24, 1), each) for each in (ColorSystem.STANDARD, ColorSystem.TRUECOLOR))
    assert "38;2;160;176;192" in more and "38;2" not in fewer


def test_a_mark_on_a_blank_does_not_look_like_the_text_before_it() -> None:
    """It would have to be drawn again when only that text changes."""
    terminal, whole = Terminal(), Terminal()
    for style in ("red", "green"):
        line = [Segment("a", Style.parse(style)), Segment(" "), Segment("\u0301b", Style.parse("blue"))]
        terminal.draw(line)
    whole.draw(line)
    assert terminal.shows() == whole.shows()


def test_the_end_of_a_joined_character_leaves_nothing_on_what_stands_before_it() -> None:
    """A field shows its end, which may begin with what joined it to what is out of sight."""
    screen, cells = Emulator(10, 1), ScreenCells()
    for text in ("\u200d👧\u200d👦 🇩🇪 ok", "👦 🇩🇪 ok"):
        line = [Segment(" "), Segment(text), Segment("|")]
        screen.feed(cells.draw([(0, 0, line)], (10, 1), ColorSystem.TRUECOLOR).encode())
    assert screen.cells()[0][0].data == " "


def test_what_does_not_fit_is_left_out() -> None:
    terminal = Terminal(5, 2)
    terminal.draw([Segment("1234日")], [Segment("abcdefgh")], [Segment("below")])
    assert terminal.screen.display == ["1234 ", "abcde"]
    assert not terminal.draw([Segment("left")], row=-1)
