from __future__ import annotations

import pytest

from tests.importing.dialogues import DIALOGUES
from tui.errors import ImportRefused
from tui.importing.encoding.decode import decode, find_unmarked_utf_16


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("language", DIALOGUES)
def test_a_text_without_a_mark_is_recognised(language: str, codec: str) -> None:
    text = DIALOGUES[language]
    assert decode(text.encode(codec), encoding=None) == (text, codec)


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("language", ["ja", "zh-Hans", "zh-Hant"])
def test_a_single_long_line_without_any_nul_is_recognised(language: str, codec: str) -> None:
    text = "".join(DIALOGUES[language].split()) * 20
    text = "".join(char for char in text if ord(char) & 0xFF and ord(char) >> 8)
    assert b"\x00" not in text.encode(codec)
    assert decode(text.encode(codec), encoding=None) == (text, codec)


@pytest.mark.parametrize("data", ["Grüße", "Слева мы видим", "これは日本語です", "this is plain"])
@pytest.mark.parametrize("codec", ["cp1252", "cp1251", "cp932", "euc-jp", "koi8-r"])
def test_other_encodings_are_not_taken_for_it(data: str, codec: str) -> None:
    assert find_unmarked_utf_16(data.encode(codec, "ignore") * 2) is None


def test_bytes_with_nuls_that_are_no_text_are_refused() -> None:
    with pytest.raises(ImportRefused, match="a binary file"):
        decode(bytes(range(256)) * 40, encoding=None)
