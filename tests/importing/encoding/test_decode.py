"""Bytes become a text, at once or line by line: Unicode, what a page declares, what is named, never what is no text."""

from __future__ import annotations

import tracemalloc

import pytest

from tests.importing.dialogues import DIALOGUES
from tui.errors import ImportRefused
from tui.importing import cue_list
from tui.importing.encoding import decode as decoding
from tui.importing.encoding.choices import read_in_encodings
from tui.importing.encoding.decode import Lines, decode, find_declared_encoding, find_unmarked_utf_16, take_first_part
from tui.importing.parse import parse

TEXT = "1\n00:00:01,000 --> 00:00:02,000\nÄpfel 日本 😀\n"
RUSSIAN = "Поезд ушёл, и никто не знает, когда будет следующий."
JAPANESE = "電車はもう行ってしまいました。次の電車はいつですか。"


def refuse(data: bytes, encoding: str | None = None) -> ImportRefused:
    with pytest.raises(ImportRefused) as caught:
        decode(data, encoding=encoding, name="film.srt")
    assert caught.value.message.startswith("film.srt ")
    return caught.value


@pytest.mark.parametrize("codec", ["utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_unicode_is_recognised_and_its_mark_dropped(codec: str) -> None:
    marked = "\ufeff".encode(codec) + TEXT.encode(codec)
    assert decode(marked, encoding=None) == decode(marked, encoding=codec) == (TEXT, codec)
    if "32" not in codec:
        assert decode(TEXT.encode(codec), encoding=None) == (TEXT, codec)


def test_utf_16_without_a_mark_or_any_nul_is_recognised_in_every_language_and_nothing_else_is() -> None:
    for language, text in DIALOGUES.items():
        for codec in ("utf-16-le", "utf-16-be"):
            assert decode(text.encode(codec), encoding=None) == (text, codec), language
            if language in ("ja", "zh-Hans", "zh-Hant"):
                line = "".join(char for char in text if char > "\xff" and ord(char) & 0xFF) * 20
                assert b"\x00" not in line.encode(codec)
                assert decode(line.encode(codec), encoding=None) == (line, codec), language
    for text in ("Grüße", "Слева мы видим", "これは日本語です", "this is plain"):
        for codec in ("cp1252", "cp1251", "cp932", "euc-jp", "koi8-r"):
            assert find_unmarked_utf_16(text.encode(codec, "ignore") * 2) is None, (text, codec)


@pytest.mark.parametrize(("encoding", "codec"), [("cp932", "cp932"), ("Shift_JIS", "shift_jis"), ("EUC-JP", "euc_jp")])
def test_a_named_encoding_wins(encoding: str, codec: str) -> None:
    assert decode("日本\r\n".encode(codec), encoding=encoding) == ("日本\n", codec)


def test_all_line_ends_become_line_feeds() -> None:
    rows: list[tuple[str, str]] = [
        ("a\r\nb\rc\nd\r", "a\nb\nc\nd\n"),
        ("a\r\r\nb\r\r\n\r\r\nc", "a\nb\n\nc"),
        ("a\rb\r\r\n", "a\nb\n\n"),
        ("a\u2028b\x0bc", "a\u2028b\x0bc"),
    ]
    for raw, text in rows:
        assert decode(raw.encode(), encoding=None)[0] == text, raw


def test_an_older_encoding_that_is_not_certain_is_refused_with_the_next_step() -> None:
    rows: list[tuple[str, str]] = [("Äpfel für Ödön", "cp1252"), ("Привет, мир", "koi8-r"), ("日本", "gb18030")]
    for text, encoding in rows:
        refusal = refuse(text.encode(encoding))
        assert "is not UTF-8 or UTF-16" in refusal.message, text
        assert text in refusal.hint and "add it with --encoding" in refusal.hint, text
        assert refusal.suggested_encoding, text


def test_an_encoding_that_is_none_is_refused() -> None:
    rows: list[str] = ["nonsense", "", "hex", "idna", "unicode_escape", "utf-7", "a\x00b", "\x1b[31m"]
    for encoding in rows:
        refusal = refuse(b"abc", encoding)
        assert "\x1b" not in refusal.message, encoding
        assert "cp1252" in refusal.hint, encoding


def test_an_encoding_that_does_not_fit_is_refused_with_its_name_and_the_place() -> None:
    message = refuse(b"abc \xff\xff", "euc-jp").message
    assert "euc-jp" in message and "byte 4" in message


def test_a_binary_file_is_called_what_it_is() -> None:
    rows: list[tuple[bytes, str, str]] = [
        (b"\x89PNG\r\n\x1a\n\x00\x00", "a PNG image", "OCR"),
        (b"\xff\xd8\xff\xe0\x00\x10JFIF", "a JPEG image", "OCR"),
        (b"\x1f\x8b\x08\x00", "a gzip archive", "unpack"),
        (b"%PDF-1.7\n", "a PDF document", "pdftotext"),
        (b"SQLite format 3\x00", "an SQLite database", "add the subtitle"),
        (b"\x00\x00\x00\x20ftypisom", "an MP4 video or audio file", "not transcribed yet"),
        (b"\x1a\x45\xdf\xa3\x01", "a Matroska or WebM video", "not transcribed yet"),
        (b"ID3\x04\x00", "an MP3 audio file", "not transcribed yet"),
        (b"RIFF\x24\x00\x00\x00WAVEfmt ", "a WAV audio file", "not transcribed yet"),
        (b"x" * 60 + b"BOOKMOBI", "a Kindle book", "Calibre"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office document", "save it as .docx"),
        (b"{\\rtf1", "an RTF document", "save it as .docx"),
        (b"\x00\x00\x01\xba\x44\x02", "an MPEG video or the pictures of a VobSub subtitle", ".srt"),
        (b"PG" + bytes(8) + b"\x16\x00", "a Blu-ray subtitle", "Subtitle Edit"),
    ]
    for data, kind, hint in rows:
        for encoding in (None, "latin-1"):
            refusal = refuse(data, encoding)
            assert refusal.message == f"film.srt is {kind}, not a subtitle or a text"
            assert hint in refusal.hint


def test_bytes_with_nuls_that_are_no_utf_16_are_no_text_and_russian_is_no_music() -> None:
    for data in (b"\x00\x01\x02\x03" * 99, b"some text\x00and a stray NUL", bytes(range(256)) * 9):
        assert "is a binary file" in refuse(data).message
    russian = "яы это начало".encode("cp1251")
    assert russian.startswith(b"\xff\xfb")
    assert decode(russian, encoding="cp1251")[0] == "яы это начало"


def test_rarer_encodings_may_be_named_and_are_offered() -> None:
    rows: list[tuple[str, str, str, str]] = [
        ("cp720", "cp720", "ar", "أنا بخير والحمد لله وأنت"),
        ("iso-8859-16", "iso8859-16", "ro", "Știu că țara aceasta e frumoasă și mare."),
        ("mac-farsi", "mac-farsi", "fa", "سلام دوست من، در خانه ۱۲ پنجره هست و من از آن"),
    ]
    for name, codec, language, line in rows:
        text = 4 * f"{line}\n"
        data = text.encode(codec)
        assert decode(data, encoding=name) == (text, codec), name
        assert name in [each.encoding for each in read_in_encodings(data, language)], name


def test_hz_is_chinese() -> None:
    text = "1\n00:00:01,000 --> 00:00:02,000\n你好，今天天气怎么样？我不知道该说什么。\n"
    data = text.encode("hz")
    assert data.isascii()
    assert decode(data, encoding=None) == decode(data, encoding="hz-gb-2312") == (text, "hz")
    assert [each.encoding for each in read_in_encodings(data, None)] == ["hz"]
    for plain in ("a ~{b~} c\n", "{\\an8}~{\\i1}Wave~\n", "~{!!~}\n"):
        assert decode(plain.encode(), encoding=None) == (plain, "utf-8")


def page(text: str, codec: str, charset: str) -> bytes:
    html = f"<html><head><meta http-equiv='Content-Type' content='text/html; charset={charset}'></head><p>{text}"
    return html.encode(codec)


def test_a_page_is_read_in_the_encoding_that_it_names() -> None:
    rows: list[tuple[str, str, str]] = [
        (RUSSIAN, "windows-1251", "cp1251"),
        (RUSSIAN, "iso-8859-5", "iso8859-5"),
        (JAPANESE, "shift_jis", "cp932"),
        ("我们明天再说吧，好吗？", "gb2312", "gb18030"),
        ("Café crème, déjà vu", "iso-8859-1", "cp1252"),
    ]
    for text, charset, codec in rows:
        shown, found = decode(page(text, codec, charset), encoding=None)
        assert (found, text in shown) == (codec, True), text


def test_a_document_in_xml_names_its_encoding_too_and_another_that_is_named_wins() -> None:
    data = f'<?xml version="1.0" encoding="windows-1251"?><tt><p>{RUSSIAN}</p></tt>'.encode("cp1251")
    assert decode(data, encoding=None)[1] == "cp1251"
    with pytest.raises(ImportRefused):
        decode(data, encoding="koi8-r")


def test_what_its_bytes_contradict_is_not_believed() -> None:
    rows: list[tuple[str, str]] = [
        ("cp1251", "utf-8"),
        ("utf-8", "koi8-r"),
        ("cp1251", "nonsense"),
        ("cp1251", "ascii"),
        ("koi8-r", "windows-1251"),
    ]
    for codec, charset in rows:
        assert find_declared_encoding(page(5 * RUSSIAN, codec, charset), None) is None, codec


MIXED = "\n\nEins – zwei\r\n\r\n漢字😀\rdrei\n\r\nÄ" + "x" * 50 + "\r"


@pytest.mark.parametrize("size", [1, 2, 7, 65_536])
def test_pieces_of_any_size_make_the_same_lines(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    monkeypatch.setattr(decoding, "_PIECE_BYTES", size)
    for codec in ("utf-8", "utf-8-sig", "utf-16-le", "utf-16", "utf-32", "gb18030"):
        data = MIXED.encode(codec)
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
    few_file = parse("a.srt", srt(800))
    monkeypatch.setattr(cue_list, "_FEW", 100)
    many_file = parse("a.srt", srt(800))
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
    parse("a.srt", data[:2000])
    tracemalloc.start()
    try:
        assert len(parse("a.srt", data).transcripts[0].cues) == 6_000
        assert tracemalloc.get_traced_memory()[1] < len(data) * 2
    finally:
        tracemalloc.stop()


def test_hundreds_of_thousands_of_blank_lines_are_no_text_and_no_burden() -> None:
    data = b"1\n00:00:01,000 --> 00:00:02,000\nHallo\n" + b" \n" * 200_000
    (cue,) = parse("a.srt", data).transcripts[0].cues
    assert cue.text == "Hallo"


def test_a_text_without_a_space_is_cut_into_cues() -> None:
    cues = parse("a.txt", ("日本語" * 20_000).encode()).transcripts[0].cues
    assert max(len(cue.text) for cue in cues) <= 4000
    assert "".join(cue.text for cue in cues) == "日本語" * 20_000
