"""The lines of a file, decoded piece by piece, are those of the text decoded at once."""

from __future__ import annotations

import tracemalloc

import pytest

from tui.errors import ImportRefused
from tui.importing import cue_list, parse
from tui.importing.encoding import decode as decoding
from tui.importing.encoding.decode import Lines, decode, take_first_part

TEXT = "\n\nEins – zwei\r\n\r\n漢字😀\rdrei\n\r\nÄ" + "x" * 50 + "\r"


@pytest.mark.parametrize("size", [1, 2, 7, 65_536])
def test_pieces_of_any_size_make_the_same_lines(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    monkeypatch.setattr(decoding, "_PIECE_BYTES", size)
    for codec in ("utf-8", "utf-8-sig", "utf-16-le", "utf-16", "utf-32", "gb18030"):
        data = TEXT.encode(codec)
        whole, _ = decode(data, encoding=codec, force=True)
        lines = Lines(data, codec, name="a.txt")
        assert "\n".join(lines) == whole.lstrip("\n"), codec
        assert list(lines) == list(lines), "as often as they are asked for"


def test_a_text_whose_line_ends_were_doubled_has_its_lines_once() -> None:
    data = b"one\r\r\ntwo\r\r\n\r\r\nthree"
    assert list(Lines(data, "utf-8", name="a.txt")) == ["one", "two", "", "three"]


def test_a_line_without_end_is_cut_where_it_has_a_space(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decoding, "MAX_LINE_LENGTH", 10)
    monkeypatch.setattr(decoding, "_PIECE_BYTES", 4)
    assert list(Lines(b"aaaaaa bbbbbb cccccccccccccc\nd", "utf-8", name="a.txt")) == [
        *("aaaaaa ", "bbbbbb ", "cccccccccc", "cccc", "d")
    ]


def test_bytes_that_do_not_fit_are_told_with_their_place() -> None:
    data = b"good\n" * 20_000 + b"b\xffd\n"
    with pytest.raises(
        ImportRefused, match=r"a\.txt is not in the encoding utf-8 throughout \(byte 100001, line 20001"
    ):
        list(Lines(data, "utf-8", name="a.txt"))


def test_how_far_it_is_is_told_and_what_is_raised_ends_it() -> None:
    told: list[float] = []
    list(Lines(b"line\n" * 100_000, "utf-8", name="a.txt", report=told.append))
    assert told == sorted(told) and told[-1] == 1.0 and len(told) > 5

    def stop(part: float) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        list(Lines(b"line\n", "utf-8", name="a.txt", report=stop))


@pytest.mark.parametrize("codec", ["utf-8", "utf-16-le", "utf-16", "utf-32"])
def test_the_first_part_of_a_file_ends_with_a_line(monkeypatch: pytest.MonkeyPatch, codec: str) -> None:
    monkeypatch.setattr(decoding, "_JUDGED_BYTES", 1000)
    data = ("漢字\u0a0a\n" * 400).encode(codec)
    part = take_first_part(data)
    assert 500 < len(part) <= 1000 and data.startswith(part)
    assert part.decode(codec).endswith("\u0a0a\n")
    assert take_first_part(b"short") == b"short"
    assert take_first_part("€".encode() * 1000).decode() == "€" * 333


def srt(count: int) -> bytes:
    return "".join(
        f"{number}\n00:{number // 60 % 10:02}:{number % 60:02},000 --> 01:00:00,000\nZeile {number} vom Zug\n\n"
        for number in range(count)
    ).encode()


def test_many_cues_are_in_the_order_of_their_times_too(monkeypatch: pytest.MonkeyPatch) -> None:
    few_file = parse.parse("a.srt", srt(800))
    monkeypatch.setattr(cue_list, "_FEW", 100)
    many_file = parse.parse("a.srt", srt(800))
    few, many = few_file.transcripts[0].cues, many_file.transcripts[0].cues
    assert isinstance(few, tuple) and not isinstance(many, tuple)
    assert tuple(many) == few == tuple(many[:]) == tuple(many[index] for index in range(800))
    assert [cue.start_ms for cue in many] == sorted(cue.start_ms or 0 for cue in many)
    assert (many[-1], many_file.duration_ms, many[2].index) == (few[-1], few_file.duration_ms, 2)
    assert many[1].text == "Zeile 600 vom Zug", "of those that start together the first comes first"


@pytest.mark.exhaustive
def test_reading_a_file_takes_memory_for_a_part_of_it_only(monkeypatch: pytest.MonkeyPatch) -> None:
    data = srt(6_000)
    monkeypatch.setattr(decoding, "_JUDGED_BYTES", 20_000)
    monkeypatch.setattr(decoding, "_PIECE_BYTES", 4096)
    monkeypatch.setattr("tui.system.spool._IN_MEMORY_BYTES", 20_000)
    monkeypatch.setattr(cue_list, "_FEW", 100)
    parse.parse("a.srt", data[:2000])
    tracemalloc.start()
    try:
        assert len(parse.parse("a.srt", data).transcripts[0].cues) == 6_000
        assert tracemalloc.get_traced_memory()[1] < len(data) * 2
    finally:
        tracemalloc.stop()


def test_hundreds_of_thousands_of_blank_lines_are_no_text_and_no_burden() -> None:
    data = b"1\n00:00:01,000 --> 00:00:02,000\nHallo\n" + b" \n" * 200_000
    (cue,) = parse.parse("a.srt", data).transcripts[0].cues
    assert cue.text == "Hallo"


def test_a_text_without_a_space_is_cut_into_cues() -> None:
    cues = parse.parse("a.txt", ("日本語" * 20_000).encode()).transcripts[0].cues
    assert max(len(cue.text) for cue in cues) <= 4000
    assert "".join(cue.text for cue in cues) == "日本語" * 20_000
