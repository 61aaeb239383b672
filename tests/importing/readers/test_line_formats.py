"""Readers with a line for each cue: frames, tenths of a second, clocks, and the lyrics of songs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import pytest

from tui.importing.readers import line_formats as formats
from tui.records.transcripts import Cue

Span = tuple[int | None, int | None, str]


def spans(read: Callable[[Iterable[str]], Iterator[Cue]], text: str) -> list[Span]:
    return [(cue.start_ms, cue.end_ms, cue.text) for cue in read(text.split("\n"))]


def test_frames_are_counted_at_the_rate_of_the_first_cue() -> None:
    rows: list[tuple[str, int, int]] = [
        ("{1}{1}25\n", 4000, 6000),
        ("{1}{1}23.976\n", 4171, 6256),
        ("{1}{1} 29,97 \n\n", 3337, 5005),
        ("{0}{0}5\n", 20_000, 30_000),
        ("{DEFAULT}{}{C:$FFFFFF}\n{1}{}25.000\n", 4000, 6000),
        ("", 4171, 6256),
    ]
    for head, start_ms, end_ms in rows:
        assert spans(formats.read_microdvd, f"{head}{{100}}{{150}}Hello") == [(start_ms, end_ms, "Hello")], head


def test_what_is_no_rate_is_text() -> None:
    for said in ("4", "1984", "121", "25 trains", "0"):
        assert [text for _, _, text in spans(formats.read_microdvd, f"{{1}}{{1}}{said}\n{{1}}{{1}}30")] == [said, "30"]


def test_codes_are_taken_out_of_the_text() -> None:
    rows: list[tuple[str, str]] = [
        ("{y:i}Hello|{Y:b}you", "Hello\nyou"),
        ("{c:$0000FF}{f:Arial}{s:10}{P:1}{o:1,2}{H:ANSI}/Hello|/you||", "Hello\nyou"),
        ("and/or {sic} {x:y} {y:", "and/or {sic} {x:y} {y:"),
        ("<i>Hello</i>\nyou", "Hello\nyou"),
    ]
    for raw, text in rows:
        assert spans(formats.read_microdvd, f"{{1}}{{1}}25\n{{25}}{{50}}{raw}") == [(1000, 2000, text)], raw


def test_a_cue_without_an_end_lasts_up_to_the_next_and_odd_frames_are_read() -> None:
    text = "{1}{1}25\n{25}{}one\n { 75 }{ 50 } back\n{25}{50}\n{999999999}{}last"
    assert spans(formats.read_microdvd, text) == [
        (1000, 3000, "one"),
        (3000, 2000, "back"),
        (39_999_999_960, 40_000_004_960, "last"),
    ]


def test_mpl2_has_tenths_of_a_second() -> None:
    text = "[10][25]/Dobry.|/Co tam?\n[ 30 ][40] {y:i}Dobrze.\nI już.\n\n[50][]bez końca\n[60][70]\n[99999999][9]x"
    assert formats.is_mpl2(text)
    assert spans(formats.read_mpl2, text) == [
        (1000, 2500, "Dobry.\nCo tam?"),
        (3000, 4000, "Dobrze.\nI już."),
        (5000, 10000, "bez końca"),
        (9_999_999_900, 900, "x"),
    ]


def test_tmplayer_has_starts_only() -> None:
    rows: list[tuple[str, list[Span]]] = [
        ("00:00:01:Raz.|Dwa?\n00:00:03:Trzy.", [(1000, 3000, "Raz.\nDwa?"), (3000, 8000, "Trzy.")]),
        ("0:00:01=/Raz\n0:00:02=", [(1000, 2000, "Raz")]),
        ("00:00:01,1=Raz\n00:00:01,2=dwa\n00:10:00,1=trzy", [(1000, 6000, "Raz\ndwa"), (600_000, 605_000, "trzy")]),
        ("00:00:09:later\n00:00:01:earlier\nno time", [(9000, 14000, "later"), (1000, 6000, "earlier")]),
    ]
    for text, expected in rows:
        assert formats.is_tmplayer(text), text
        assert spans(formats.read_tmplayer, text) == expected, text


SONG = """\
[ti:Der Zug]
[length: 00:40]

[00:12.00]Der Zug fährt ab
[00:15.30]und keiner winkt.
[00:18]

[00:21.5][01:02:03.25]Wir fahren heim.
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            SONG,
            [
                *((12_000, 15_300, "Der Zug fährt ab"), (15_300, 18_000, "und keiner winkt.")),
                *((21_500, 3_723_250, "Wir fahren heim."), (3_723_250, 3_728_250, "Wir fahren heim.")),
            ],
        ),
        (
            "[00:01.00][00:05.00]chorus\n[00:03.00]verse",
            [(1000, 3000, "chorus"), (5000, 10_000, "chorus"), (3000, 5000, "verse")],
        ),
        (
            "[00:01.00]你好\n[00:01.00]Hello\n[00:02.00]再见\nGoodbye",
            [(1000, 2000, "你好"), (1000, 2000, "Hello"), (2000, 7000, "再见\nGoodbye")],
        ),
        ("[00:01.00]a < b [Chorus] <3 x>", [(1000, 6000, "a < b [Chorus] <3 x>")]),
        ("Lyrics by X\n[00:01.00]a\n\nfrom a site\n[re:Editor]\n", [(1000, 6000, "a")]),
        ("[00:01.00]<00:01.00> Wir <00:01.50> fah<00:01.70>ren<00:02> ab <00:03>", [(1000, 6000, "Wir fahren ab")]),
    ],
    ids=["song", "chorus", "translation", "brackets", "notes", "words"],
)  # fmt: skip
def test_lines_of_lyrics_last_up_to_the_next_time(text: str, expected: list[Span]) -> None:
    assert formats.is_lrc(text) or text.startswith("Lyrics by")
    assert spans(formats.read_lrc, text) == expected


def test_a_positive_offset_lets_lines_come_sooner() -> None:
    for text in ("[offset:{}]\n[00:01.00]a\n[00:02.00]", "[00:01.00]a\n[00:02.00]\n[Offset:{}]"):
        assert spans(formats.read_lrc, text.format("+500")) == [(500, 1500, "a")]
        assert spans(formats.read_lrc, text.format(" - 500 ")) == [(1500, 2500, "a")]
        assert spans(formats.read_lrc, text.format("1500")) == [(0, 500, "a")]


def test_a_long_line_with_many_times_does_not_grow_without_bounds() -> None:
    assert len(spans(formats.read_lrc, "[0:1]" * 20_000 + "x" * 10_000)) == 1
    assert len(spans(formats.read_lrc, "[0:1]" * 100 + "x" * 39)) == 100


def test_other_texts_are_none_of_these() -> None:
    rows: list[str] = [
        *("[1] A footnote.\n[2] Another.", "12:30:45: started\n12:30:46: stopped", "12:30 Lunch", "\n"),
        *("[ti:a]\n[ar:b]", "[10:30] Ann: Hi\n[10:31] Bob: Hi", "A [00:01.00]\nB"),
        "A text\nof {1}{2}\n{3}{4} and so on",
    ]
    for text in rows:
        assert [
            is_one(text) for is_one in (formats.is_microdvd, formats.is_mpl2, formats.is_tmplayer, formats.is_lrc)
        ] == [False] * 4, text
