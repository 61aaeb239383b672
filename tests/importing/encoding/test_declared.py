from __future__ import annotations

import pytest

from tui.errors import ImportRefused
from tui.importing.encoding.decode import decode, find_declared_encoding

RUSSIAN = "Поезд ушёл, и никто не знает, когда будет следующий."
JAPANESE = "電車はもう行ってしまいました。次の電車はいつですか。"


def page(text: str, charset: str) -> bytes:
    html = f"<html><head><meta http-equiv='Content-Type' content='text/html; charset={charset}'></head><p>{text}"
    return html.encode({"gb2312": "gb18030", "shift_jis": "cp932"}.get(charset, charset))


@pytest.mark.parametrize(
    ("text", "charset", "codec"),
    [
        (RUSSIAN, "windows-1251", "cp1251"),
        (RUSSIAN, "koi8-r", "koi8-r"),
        (RUSSIAN, "iso-8859-5", "iso8859-5"),
        (JAPANESE, "shift_jis", "cp932"),
        (JAPANESE, "euc-jp", "euc_jp"),
        ("我们明天再说吧，好吗？", "gb2312", "gb18030"),
        ("Café crème, déjà vu", "iso-8859-1", "cp1252"),
    ],
)
def test_a_page_is_read_in_the_encoding_that_it_names(text: str, charset: str, codec: str) -> None:
    shown, found = decode(page(text, charset), encoding=None)
    assert found == codec
    assert text in shown


def test_a_document_in_xml_names_its_encoding_too() -> None:
    data = f'<?xml version="1.0" encoding="windows-1251"?><tt><p>{RUSSIAN}</p></tt>'.encode("cp1251")
    assert decode(data, encoding=None)[1] == "cp1251"


@pytest.mark.parametrize(
    "data",
    [
        page(RUSSIAN, "windows-1251").replace(b"windows-1251", b"utf-8"),
        page(RUSSIAN, "utf-8").replace(b"utf-8", b"koi8-r"),
        page(RUSSIAN, "windows-1251").replace(b"windows-1251", b"nonsense"),
        page(RUSSIAN, "windows-1251").replace(b"windows-1251", b"hex"),
        page(RUSSIAN, "windows-1251").replace(b"windows-1251", b"ascii"),
        page(RUSSIAN * 5, "koi8-r").replace(b"koi8-r", b"windows-1251"),
        RUSSIAN.encode("cp1251"),
    ],
)
def test_what_its_bytes_contradict_is_not_believed(data: bytes) -> None:
    assert find_declared_encoding(data, None) is None


def test_another_encoding_that_is_named_wins() -> None:
    with pytest.raises(ImportRefused):
        decode(page(RUSSIAN, "windows-1251"), encoding="koi8-r")
