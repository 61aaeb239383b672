from __future__ import annotations

import random

from tests.hostile import HOSTILE
from tui.text.sanitize import ControlFilter, is_blank, one_line, without_controls

SEQUENCES = (
    "a\x1b[31mred\x1b[0m b\x1b[?25l\x9b1;2Hc",
    "copy \x1b]52;c;SGVsbG8=\x07 and \x1b]0;title\x1b\\ and \x9d8;;http://x\x9c link",
    "dcs \x1bPq#0\x1b\\ sos \x1bXhid\x1b\\ pm \x1b^hid\x1b\\ apc \x1b_hid\x1b\\ c1 \x90q\x9c",
    "unfinished \x1bPq and then \x1b[31m more \x1b]52;c;AAAA",
    "aborted \x1b]0;ab\x18c\x07 \x1b]0;ab\x1b[1mc\x07",
    "charset \x1b(B \x1b#8 reset \x1bc \x1b= done\x1b",
    "lines\r\nand\rmore\r\r\nend\r bells\x07\x00\x08 del\x7f nel\x85 tab\t keep\nkeep",
    "bidi \u202eevil\u202c \u2066x\u2069 \u200emark\u200f \ufeffbom",
    "pair \ud83d\ude00 half \ud83d and \ude00\ud83d\ud83d\ude00 end\ud83d",
)
REPEATED = ("\x90", "\x9d", "\x1b", "\x1b]", "\x1b[", "\x9b", "\x9b0", "\x1bP0", "\r", "\ud83d", "\x1b ")


def test_what_is_left_has_no_control_characters() -> None:
    for text in (*SEQUENCES, *HOSTILE.values()):
        safe = without_controls(text)
        assert not [
            character
            for character in safe
            if (ord(character) < 32 and character not in "\n\t")
            or 0x7F <= ord(character) < 0xA0
            or character in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff"
        ], text
        assert without_controls(safe) == safe
        safe.encode()  # no half of a pair


def test_sequences_go_whole_and_text_stays() -> None:
    rows: list[tuple[str, str]] = [
        ("a\x1b[31mred\x1b[0m b", "ared b"),
        ("x\x1b]52;c;SGVsbG8=\x07y", "xy"),
        ("x\x1b]0;title\x1b\\y\x9d0;t\x9cz", "xyz"),
        ("x\x1b]52;c;AAAA", "x]52;c;AAAA"),
        ("one\r\ntwo\rthree\n\tfour", "one\ntwo\nthree\n\tfour"),
        ("\u200fشكرا\u200e \u202eabc", "\u200fشكرا\u200e abc"),
        ("[/] [b] [@click=app.quit]", "[/] [b] [@click=app.quit]"),
        ("\ud83d\ude00 \ud83d!", "😀 \ufffd!"),
    ]
    for text, safe in rows:
        assert without_controls(text) == safe, text


def test_a_stream_cut_anywhere_gives_what_the_whole_gives() -> None:
    for text in SEQUENCES:
        whole = without_controls(text)
        for cut in range(len(text) + 1):
            assert _through_a_filter(text[:cut], text[cut : cut + 3], text[cut + 3 :]) == whole
        assert _through_a_filter(*text) == whole
    for unit in REPEATED:
        repeated = _through_a_filter(*[unit] * 5_000)
        assert repeated == _through_a_filter(unit * 5_000) == without_controls(repeated)


def test_a_stream_of_random_control_characters_gives_what_the_whole_gives() -> None:
    chance = random.Random(7)
    alphabet = "\x1b\x1b\x1b[]P\\_^X\x07\x18\x9b\x9c\x9d\x90\r\n;01m@ ab\ud83d\ude00\u202e"
    for _ in range(2000):
        text = "".join(chance.choices(alphabet, k=chance.randrange(1, 24)))
        first, second, third = sorted(chance.randrange(len(text) + 1) for _ in range(3))
        pieces = (text[:first], text[first:second], text[second:third], text[third:])
        assert _through_a_filter(*pieces) == without_controls(text), repr(pieces)


def test_a_sequence_that_never_ends_does_not_hold_the_stream() -> None:
    for length in (4000, 4096, 4097, 9000):
        control = ControlFilter()
        text = "\x1b]" + "x" * length
        given = "".join(control.feed(text[start : start + 50]) for start in range(0, len(text), 50))
        assert bool(given) == (length > 4096)
        assert given + control.finish() == without_controls(text) == "]" + "x" * length


def test_nothing_is_held_of_text_that_is_certain() -> None:
    control = ControlFilter()
    assert [control.feed(piece) for piece in ("Hello \x1b[1", "mworld\x1b[0m!", "日")] == ["Hello ", "world!", "日"]
    assert control.finish() == ""


def test_one_line_folds_white_space_and_puts_none_into_a_script_without_spaces() -> None:
    assert one_line("  a\r\n\tb\u2028c \x1b[1md ") == "a b c d"
    assert one_line("美咲は四月に、\r\n この町へ\x1b[1m\u2028来た。") == "美咲は四月に、この町へ来た。"


def _through_a_filter(*pieces: str) -> str:
    control = ControlFilter()
    return "".join(control.feed(piece) for piece in pieces) + control.finish()


def test_a_text_of_which_nothing_can_be_seen_is_blank() -> None:
    unseen = (" \t\n", "\x00\x00 \x7f", "\u3000\u2028\u00a0", "\u200b\ufeff\u2060", "\u202e\u200e", "\x1b[31m\x1b[0m")
    assert [text for text in ("", "\x85", *unseen) if not is_blank(text)] == []
    seen = ("a", "\x00.", "\u200b字", "\ud83d", "\u0301", "\ue000", "\x1b[31mx")
    assert [text for text in seen if is_blank(text)] == []
