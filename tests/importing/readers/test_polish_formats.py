from __future__ import annotations

import pytest

from tui.importing.readers.cue_text import MAX_CUE_LENGTH, CueTooLong
from tui.importing.readers.line_formats import is_mpl2, is_tmplayer, read_mpl2, read_tmplayer
from tui.records.transcripts import Cue


def spans(cues: list[Cue]) -> list[tuple[int | None, int | None, str]]:
    return [(cue.start_ms, cue.end_ms, cue.text) for cue in cues]


def mpl2(text: str) -> list[tuple[int | None, int | None, str]]:
    return spans(list(read_mpl2(text.split("\n"))))


def tmplayer(text: str) -> list[tuple[int | None, int | None, str]]:
    return spans(list(read_tmplayer(text.split("\n"))))


def test_mpl2_has_tenths_of_a_second() -> None:
    text = "[10][25]/Dzień dobry.|/Co słychać?\n[ 30 ][40] {y:i}Dobrze.\nI już.\n\n[50][]bez końca"
    text += "\n[60][70]\n[99999999][9]x"
    assert is_mpl2(text)
    assert mpl2(text) == [
        (1000, 2500, "Dzień dobry.\nCo słychać?"),
        (3000, 4000, "Dobrze.\nI już."),
        (5000, 10000, "bez końca"),
        (9_999_999_900, 900, "x"),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "00:00:01:Dzień dobry.|Co słychać?\n00:00:03:Dobrze.",
            [(1000, 3000, "Dzień dobry.\nCo słychać?"), (3000, 8000, "Dobrze.")],
        ),
        ("0:00:01=/Raz\n0:00:02=", [(1000, 2000, "Raz")]),
        ("00:00:01,1=Raz\n00:00:01,2=dwa\n00:10:00,1=trzy", [(1000, 6000, "Raz\ndwa"), (600_000, 605_000, "trzy")]),
        ("00:00:09:later\n00:00:01:earlier\nno time", [(9000, 14000, "later"), (1000, 6000, "earlier")]),
    ],
)  # fmt: skip
def test_tmplayer_has_starts_only(text: str, expected: list[tuple[int, int, str]]) -> None:
    assert is_tmplayer(text)
    assert tmplayer(text) == expected


def test_other_texts_are_neither() -> None:
    for text in (
        "[1] A footnote.\n[2] Another.",
        "12:30:45: started\n12:30:46: stopped",
        "12:30 Lunch",
        "[00:01.00]La",
        "",
    ):
        assert not is_mpl2(text)
        assert not is_tmplayer(text)


@pytest.mark.parametrize(("read", "line"), [(mpl2, "[1][2]"), (tmplayer, "00:00:01:")])
def test_a_cue_of_more_than_a_megabyte_is_too_long(read: object, line: str) -> None:
    with pytest.raises(CueTooLong):
        assert callable(read) and read(f"{line}{'many words ' * (MAX_CUE_LENGTH // 10)}")
