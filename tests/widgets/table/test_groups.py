"""Headings between rows: every line is a row or a heading, and each row is on one line."""

from __future__ import annotations

import random

from tui.records.sorting import RowGroup
from tui.widgets.table.groups import GroupHeadings


def test_without_groups_each_row_is_its_line() -> None:
    headings = GroupHeadings()
    assert [(headings.line(row), headings.row(row), headings.heading(row)) for row in (0, 7)] == [
        (0, 0, None),
        (7, 7, None),
    ]


def test_the_lines_are_those_of_the_groups_one_after_the_other() -> None:
    dice = random.Random(4)
    for _ in range(50):
        groups = [RowGroup(f"g{number}", dice.randint(1, 4)) for number in range(dice.randint(1, 6))]
        headings, lines, row = GroupHeadings(groups), list[RowGroup | int](), 0
        for group in groups:
            lines += [group, *range(row, row + group.count)]
            row += group.count
        lines += [row, row + 1]  # more rows than the groups were counted with
        for line, stands in enumerate(lines):
            if isinstance(stands, RowGroup):
                assert headings.heading(line) is stands
                assert headings.row(line) == lines[line + 1], "a heading leads to the row below it"
            else:
                assert headings.heading(line) is None
                assert (headings.row(line), headings.line(stands)) == (stands, line)
        assert len(headings) == len(groups)
