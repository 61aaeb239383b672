"""Every encoding that the decoder claims reads what was written in it, whatever bytes come otherwise."""

from __future__ import annotations

import codecs
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.importing.dialogues import DIALOGUES
from tui.errors import ImportRefused
from tui.importing.encoding.choices import read_in_encodings
from tui.importing.encoding.decode import Lines, decode
from tui.importing.encoding.legacy_encodings import list_all_encodings
from tui.importing.encoding.mojibake import find_mending_codec
from tui.text.display import encoding_name

pytestmark = pytest.mark.exhaustive

_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f]")
CLAIMED = (*list_all_encodings(), "utf-8", "utf-16-le", "utf-16-be", "utf-16", "utf-32")
PIECES = [
    b"1\n00:00:01,000 --> 00:00:02,000\n",
    *(DIALOGUES[language][:60].encode(codec, "ignore") for language, codec in (
        ("de", "cp1252"), ("ru", "cp1251"), ("ru", "koi8-r"), ("ja", "cp932"), ("ja", "iso2022_jp"),
        ("zh-Hans", "gb18030"), ("ko", "cp949"), ("el", "iso8859-7"), ("de", "utf-8"), ("ja", "utf-16-le"),
    )),
    *(b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\x1b$B", b"\x0e", b"\r", b"\x85", b"\xa0"),
]  # fmt: skip
FILES = st.lists(st.one_of(st.sampled_from(PIECES), st.binary(max_size=40)), max_size=12).map(b"".join)


@pytest.mark.parametrize("codec", CLAIMED)
def test_what_was_written_in_an_encoding_is_read_in_it(codec: str) -> None:
    held = [text for text in DIALOGUES.values() if text.encode(codec, "ignore").decode(codec) == text]
    for text in held or [bytes(range(0xC1, 0xDA)).decode(codec)]:  # cp864 has the shapes of letters, not letters
        data = text.encode(codec)
        for name in {codec, encoding_name(codec)}:
            read, said = decode(data, encoding=name, force=True)
            assert (read, codecs.lookup(said)) == (text, codecs.lookup(codec))
        assert "\n".join(Lines(data, codec, name="x")) == text.lstrip("\n")


@settings(max_examples=60, deadline=None)
@given(FILES, st.sampled_from([None, "de", "ru", "ja", "zh-TW", "xx"]))
def test_any_bytes_are_read_or_refused(data: bytes, tag: str | None) -> None:
    try:
        text, codec = decode(data, encoding=None, name="x.srt", language=tag)
    except ImportRefused as refusal:
        assert "x.srt" in refusal.message
    else:
        assert "\r" not in text
        codecs.lookup(codec)


@settings(max_examples=60, deadline=None)
@given(FILES, st.sampled_from([None, "de", "ru", "ja"]))
def test_any_bytes_have_a_few_readings_with_the_same_number_of_lines(data: bytes, tag: str | None) -> None:
    readings = read_in_encodings(data, tag)
    assert len(readings) <= 3
    assert len({each.encoding for each in readings}) == len(readings)
    for each in readings:
        assert len(each.lines) <= 6
        assert all(len(line) <= 200 and not _CONTROLS.search(line) for line in each.lines)


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=200))
def test_a_codec_that_mends_a_text_decodes_all_of_it(text: str) -> None:
    codec = find_mending_codec(text)
    if codec is not None:
        assert text.encode().decode(codec) != text
