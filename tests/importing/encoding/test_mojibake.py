from __future__ import annotations

import codecs

import pytest

from tests.importing.corpus import CORPUS, EXPECTED, IS_HERE, REASON
from tests.importing.dialogues import DIALOGUES
from tui.importing.encoding import try_decode
from tui.importing.encoding.choices import read_in_encodings
from tui.importing.encoding.decode import Lines, decode
from tui.importing.encoding.mojibake import find_mending_codec
from tui.importing.parse import parse

READ_WRONG = ("cp1252", "latin-1", "cp1251", "cp1250", "mac-roman", "cp437")


def test_texts_as_they_were_meant_are_left_alone() -> None:
    for text in (each for whole in DIALOGUES.values() for each in (whole, *whole.split("\n"))):
        assert find_mending_codec(text) is None, text
    mended_to_begin_with = "SchÃ¶ne GrÃ¼ÃŸe\n" * 400
    assert find_mending_codec(mended_to_begin_with) == "mojibake-cp1252"
    assert find_mending_codec(mended_to_begin_with + "日本") is None, "all of it has to be"


@pytest.mark.parametrize("language", ["de", "fr", "ru", "ja", "pl", "el"])
def test_utf_8_that_was_read_as_something_else_is_mended(language: str) -> None:
    text, mended = DIALOGUES[language], 0
    for wrong in READ_WRONG:
        if (stored := try_decode(text.encode(), wrong)) is not None:
            codec = find_mending_codec(stored)
            assert codec is not None, wrong
            assert decode(stored.encode(), encoding=codec) == (text, codec)
            assert "\n".join(Lines(stored.encode(), codec, name="x")) == text.lstrip("\n")
            mended += 1
    assert mended >= 3


def test_an_older_encoding_that_was_read_as_another_is_mended() -> None:
    rows: list[tuple[str, str, str]] = [
        ("cp1250", "cp1251", "sk"),
        ("cp1251", "cp1252", "ru"),
        ("cp1253", "cp1252", "el"),
    ]
    for right, wrong, language in rows:
        text = DIALOGUES[language]
        stored = text.encode(right).decode(wrong)
        codec = find_mending_codec(stored)
        assert codec == f"mojibake-{wrong}-{right}", right
        assert stored.encode().decode(codec) == text, right
        assert text.encode(codec) == stored.encode(), right


def test_no_other_names_are_codecs() -> None:
    find_mending_codec("ä")  # the module is imported
    for name in ("mojibake", "mojibake-", "mojibake-utf8", "mojibake-cp1252-cp1252", "mojibake-a-b-c"):
        with pytest.raises(LookupError):
            codecs.lookup(name)


def test_a_mended_text_is_offered_and_never_made_silently() -> None:
    text = "1\n00:00:01,000 --> 00:00:02,000\nSchöne Grüße aus Köln.\n"
    stored = text.encode().decode("cp1252").encode()
    file = parse("film.de.srt", stored)
    assert (file.encoding, file.mending_codec) == ("utf-8", "mojibake-cp1252")
    assert file.transcripts[0].cues[0].text == "SchÃ¶ne GrÃ¼ÃŸe aus KÃ¶ln."
    mended = parse("film.de.srt", stored, encoding="mojibake-cp1252")
    assert (mended.encoding, mended.transcripts[0].cues[0].text) == ("mojibake-cp1252", "Schöne Grüße aus Köln.")
    first, second = read_in_encodings(stored, "de")
    assert (first.encoding, first.lines) == ("mojibake-cp1252", ("Schöne Grüße aus Köln.",))
    assert (second.encoding, second.lines) == ("utf-8", ("SchÃ¶ne GrÃ¼ÃŸe aus KÃ¶ln.",))


def test_a_long_line_takes_no_longer_than_it_is() -> None:
    assert find_mending_codec("x" * 200_000 + "ü" + "y" * 200_000) is None


@pytest.mark.exhaustive
@pytest.mark.skipif(not IS_HERE, reason=REASON)
def test_of_the_corpus_only_the_damaged_file_is_mended() -> None:
    for name, facts in EXPECTED.items():
        encoding = "utf-16" if facts["encoding"] == "utf-16-le" else facts["encoding"]
        codec = find_mending_codec((CORPUS / name).read_bytes().decode(encoding))
        assert codec == ("mojibake-cp1251-cp1250" if name.endswith("mojibake.srt") else None)
