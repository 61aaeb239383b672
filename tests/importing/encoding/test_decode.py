from __future__ import annotations

import codecs

import pytest

from tui.errors import ImportRefused
from tui.importing.encoding.choices import read_in_encodings
from tui.importing.encoding.decode import decode

TEXT = "1\n00:00:01,000 --> 00:00:02,000\nÄpfel 日本 😀\n"


@pytest.mark.parametrize(
    ("data", "codec"),
    [
        (TEXT.encode(), "utf-8"),
        (codecs.BOM_UTF8 + TEXT.encode(), "utf-8"),
        (codecs.BOM_UTF16_LE + TEXT.encode("utf-16-le"), "utf-16-le"),
        (codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"), "utf-16-be"),
        (codecs.BOM_UTF32_LE + TEXT.encode("utf-32-le"), "utf-32-le"),
        (codecs.BOM_UTF32_BE + TEXT.encode("utf-32-be"), "utf-32-be"),
        (TEXT.encode("utf-16-le"), "utf-16-le"),
        (TEXT.encode("utf-16-be"), "utf-16-be"),
    ],
)
def test_unicode_is_recognised(data: bytes, codec: str) -> None:
    assert decode(data, encoding=None) == (TEXT, codec)


@pytest.mark.parametrize(
    ("encoding", "codec"), [("cp932", "cp932"), ("Shift_JIS", "shift_jis"), ("EUC-JP", "euc_jp"), ("utf-8", "utf-8")]
)
def test_a_named_encoding_wins(encoding: str, codec: str) -> None:
    assert decode("日本\r\n".encode(codec), encoding=encoding) == ("日本\n", codec)


def test_a_named_encoding_drops_the_mark_too() -> None:
    assert decode(codecs.BOM_UTF8 + b"x", encoding="utf-8") == ("x", "utf-8")
    assert decode(codecs.BOM_UTF16_LE + "x".encode("utf-16-le"), encoding="utf-16-le") == ("x", "utf-16-le")


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("a\r\nb\r\n", "a\nb\n"),
        ("a\rb\r", "a\nb\n"),
        ("a\r\nb\rc\nd", "a\nb\nc\nd"),
        ("a\r\r\nb\r\r\n\r\r\nc", "a\nb\n\nc"),
        ("a\rb\r\r\n", "a\nb\n\n"),
        ("a\u2028b\x0bc", "a\u2028b\x0bc"),
    ],
)
def test_all_line_ends_become_line_feeds(raw: str, text: str) -> None:
    assert decode(raw.encode(), encoding=None)[0] == text


@pytest.mark.parametrize("encoding", ["cp1252", "cp1251", "gb18030", "koi8-r"])
def test_older_encodings_that_are_not_certain_are_refused_with_the_next_step(encoding: str) -> None:
    text = {"cp1252": "Äpfel für Ödön", "cp1251": "Привет, мир", "koi8-r": "Привет, мир", "gb18030": "日本"}[encoding]
    with pytest.raises(ImportRefused) as caught:
        decode(text.encode(encoding), encoding=None, name="film.srt")
    assert "film.srt is not UTF-8 or UTF-16" in caught.value.message
    assert text in caught.value.hint
    assert "add it with --encoding" in caught.value.hint
    assert caught.value.suggested_encoding


@pytest.mark.parametrize(
    "encoding",
    [
        *("nonsense", "", "hex", "rot13", "zip", "idna", "undefined", "punycode", "unicode_escape", "utf-7", "charmap"),
        *("a\x00b", "\x1b[31m"),
    ],
)
def test_an_encoding_that_is_none_is_refused(encoding: str) -> None:
    with pytest.raises(ImportRefused) as caught:
        decode(b"abc", encoding=encoding, name="film.srt")
    assert "film.srt" in caught.value.message
    assert "\x1b" not in caught.value.message
    assert "cp1252" in caught.value.hint


def test_an_encoding_that_does_not_fit_is_refused_by_both_names() -> None:
    with pytest.raises(ImportRefused) as caught:
        decode(b"abc \xff\xff", encoding="euc-jp", name="film.srt")
    assert "film.srt" in caught.value.message
    assert "euc-jp" in caught.value.message
    assert "byte 4" in caught.value.message


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"\x89PNG\r\n\x1a\n\x00\x00", "a PNG image"),
        (b"\xff\xd8\xff\xe0\x00\x10JFIF", "a JPEG image"),
        (b"PK\x03\x04\x14\x00", "a ZIP archive"),
        (b"\x1f\x8b\x08\x00", "a gzip archive"),
        (b"%PDF-1.7\n", "a PDF document"),
        (b"SQLite format 3\x00", "an SQLite database"),
        (b"\x00\x00\x00\x20ftypisom", "an MP4 video or audio file"),
        (b"\x1a\x45\xdf\xa3\x01", "a Matroska or WebM video"),
        (b"ID3\x04\x00", "an MP3 audio file"),
        (b"RIFF\x24\x00\x00\x00WAVEfmt ", "a WAV audio file"),
        (b"OggS\x00\x02", "an Ogg audio or video file"),
    ],
)
@pytest.mark.parametrize("encoding", [None, "latin-1"])
def test_binary_files_are_called_what_they_are(data: bytes, kind: str, encoding: str | None) -> None:
    with pytest.raises(ImportRefused) as caught:
        decode(data, encoding=encoding, name="film.srt")
    assert caught.value.message == f"film.srt is {kind}, not a subtitle or a text"


@pytest.mark.parametrize("data", [b"\x00\x01\x02\x03" * 99, b"some text\x00and a stray NUL", bytes(range(256)) * 9])
def test_bytes_with_nuls_that_are_no_utf_16_are_no_text(data: bytes) -> None:
    with pytest.raises(ImportRefused, match=r"film\.srt is a binary file"):
        decode(data, encoding=None, name="film.srt")


def test_a_text_in_russian_is_not_taken_for_music() -> None:
    data = "яы это начало".encode("cp1251")
    assert data.startswith(b"\xff\xfb")
    assert decode(data, encoding="cp1251")[0] == "яы это начало"


@pytest.mark.parametrize(
    ("name", "codec", "language", "line"),
    [
        ("cp720", "cp720", "ar", "أنا بخير والحمد لله وأنت"),
        ("iso-8859-16", "iso8859-16", "ro", "Știu că țara aceasta e frumoasă și mare."),
        ("mac-farsi", "mac-farsi", "fa", "سلام دوست من، در خانه ۱۲ پنجره هست و من از آن"),
        ("mac-arabic", "mac-arabic", "ar", "السلام عليكم يا صديقي، هذا من فضلك"),
    ],
)
def test_rarer_encodings_may_be_named_and_are_offered(name: str, codec: str, language: str, line: str) -> None:
    text = "\n".join([line] * 4) + "\n"
    data = text.encode(codec)
    assert decode(data, encoding=name) == (text, codec)
    assert name in [each.encoding for each in read_in_encodings(data, language)]


def test_hz_is_chinese() -> None:
    text = "1\n00:00:01,000 --> 00:00:02,000\n你好，今天天气怎么样？我不知道该说什么。\n"
    data = text.encode("hz")
    assert data.isascii()
    assert decode(data, encoding=None) == (text, "hz")
    assert decode(data, encoding="hz-gb-2312") == (text, "hz")
    assert [each.encoding for each in read_in_encodings(data, None)] == ["hz"]
    for plain in ("a ~{b~} c\n", "{\\an8}~{\\i1}Wave~\n", "~{!!~}\n"):
        assert decode(plain.encode(), encoding=None) == (plain, "utf-8")
