from __future__ import annotations

import pytest

from tui.importing.readers.cue_text import CueTooLong
from tui.importing.readers.tables import is_csv_cues, read_csv_cues

Span = tuple[int | None, int | None, str, str | None]
HELLO: list[Span] = [(0, 2500, "Hello, you.", None), (2500, 4000, "Yes?", None)]


def read(text: str) -> list[Span]:
    return [(cue.start_ms, cue.end_ms, cue.text, cue.speaker) for cue in read_csv_cues(text.split("\n"))]


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ('start,end,text\n0,2.5,"Hello, you."\n2.5,4,Yes?\n', HELLO),
        ("start\tend\ttext\n0\t2500\tHello, you.\n2500\t4000\tYes?", HELLO),
        ('"Start";"End";"Text"\n"0";"2,5";"Hello, you."\n"2,5";"4";"Yes?"', HELLO),
        ("START|STOP|CAPTION\n0|2500|Hello, you.\n2500|4000|Yes?", HELLO),
        ("#,Start time,End time,Subtitle\n1,00:00:00.000,00:00:02.500,\"Hello, you.\"\n2,0:02.5,0:04,Yes?", HELLO),
        (
            "Time\tSubtitle\tTranslation\n0:00\tHello.\tHallo.\n0:02\tYes?",
            [(0, 2000, "Hello.", None), (2000, 7000, "Yes?", None)],
        ),
        ("start (ms),duration (ms),text\n0,2500,\"Hello, you.\"\n2500,1500,Yes?", HELLO),
        ("0.000000\t2.500000\tHello, you.\n2.5\t4.0\tYes?", HELLO),
        ("start,end,speaker,text\n0s,2.5s,Ann,One\n3s,4s,,Two", [(0, 2500, "One", "Ann"), (3000, 4000, "Two", None)]),
        (
            'start,end,text\n0:01,0:02,"He said ""no"",\nand left."\n0:03,0:04,b',
            [(1000, 2000, 'He said "no",\nand left.', None), (3000, 4000, "b", None)],
        ),
        (
            'start\tend\ttext\n0:01\t0:02\t"No," he said\n0:03\t0:04\t"All ""quoted"""',
            [(1000, 2000, '"No," he said', None), (3000, 4000, 'All "quoted"', None)],
        ),
        ("start,end,text\n00:00:01:12,00:00:02:00,frames", [(1480, 2000, "frames", None)]),
        ("text,translation\nHello.,Hallo.\nYes?,Ja?", [(None, None, "Hello.", None), (None, None, "Yes?", None)]),
        ("start,end,text\nsoon,2,lost\n1.5,2,kept two\n\n,,\n7\n", [(1500, 2000, "kept two", None)]),
    ],
)  # fmt: skip
def test_rows_are_cues_by_their_columns(text: str, spans: list[Span]) -> None:
    assert read(text) == spans


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("start,end,text\n", True),
        ("\nBegin;Ende;Text\n", True),
        ("from\tto\tcontent", True),
        ("Hello, you. And text.\n", False),
        ("text,translation\n", False),
        ("start of a text, and its end", False),
        ("1,2,3\n", False),
        ("", False),
    ],
)
def test_a_table_is_known_by_its_header(text: str, is_one: bool) -> None:
    assert is_csv_cues(text) is is_one


def test_tables_of_other_things_have_no_cues() -> None:
    assert read("name,price\nTea,2\n") == []
    assert read("") == []
    assert read(",\n,\n") == []


def test_a_quote_that_is_never_closed_is_too_long_a_cue() -> None:
    with pytest.raises(CueTooLong):
        read('start,end,text\n0,1,"' + "many words\n" * 20_000)
