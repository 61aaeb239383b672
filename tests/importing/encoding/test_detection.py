from __future__ import annotations

import codecs
import random
from collections.abc import Callable

import pytest

from tests.importing.corpus import CORPUS, EXPECTED, IS_HERE, REASON
from tests.importing.dialogues import DIALOGUES
from tui.errors import ImportRefused
from tui.importing.encoding.decode import decode
from tui.importing.encoding.detection import find_contradiction, find_fitting_encodings, find_sample_line
from tui.importing.encoding.legacy_encodings import USUAL_ENCODINGS, list_all_encodings, list_usual_encodings
from tui.text.display import encoding_name

pytestmark = pytest.mark.exhaustive

CASES = [
    (language, codec)
    for language, text in DIALOGUES.items()
    for codec in USUAL_ENCODINGS[language]
    if text.encode(codec, "ignore").decode(codec) == text and not text.isascii()
]
MISTAKEN = ("cp1252", "cp1251", "cp1250", "koi8-r", "cp866", "cp932", "gb18030", "big5", "cp949", "cp1253", "mac-roman")
NEAR = {frozenset(("cp1250", "cp1252")), frozenset(("cp1252", "cp1257"))}
"""Codecs with many letters in common: a wrong one of these makes a text with a few misspelt words."""


def test_every_name_told_to_people_is_one_that_can_be_typed() -> None:
    assert [codecs.lookup(encoding_name(codec)).name for codec in list_all_encodings()] == list(list_all_encodings())


@pytest.mark.parametrize(("language", "codec"), CASES)
def test_a_few_lines_of_dialogue_tell_their_encoding(language: str, codec: str) -> None:
    text = DIALOGUES[language]
    data = text.encode(codec)
    for tag in (language, None, "en"):
        best, *others = find_fitting_encodings(data, tag)
        assert data.decode(best.codec) == text
        assert find_sample_line(best.sample).removesuffix(" …") in text
        assert len(others) <= 2


@pytest.mark.parametrize(("language", "codec"), CASES)
def test_the_right_encoding_is_never_contradicted(language: str, codec: str) -> None:
    lines = DIALOGUES[language].splitlines(keepends=True)
    for text in ("".join(lines), *lines):
        for tag in (language, None, "ru"):
            assert find_contradiction(text.encode(codec), text, codec, tag) is None


@pytest.mark.parametrize("language", DIALOGUES)
def test_another_encoding_is_contradicted_by_the_right_one(language: str) -> None:
    text, (codec, *_) = DIALOGUES[language], USUAL_ENCODINGS[language]
    data = text.encode(codec)
    for mistaken in MISTAKEN:
        wrong = data.decode(mistaken, "ignore")
        if wrong.encode(mistaken, "ignore") != data or wrong == text or {codec, mistaken} in NEAR:
            continue
        better = find_contradiction(data, wrong, mistaken, None)
        assert better, mistaken
        assert data.decode(better[0].codec) == text


@pytest.mark.parametrize("language", DIALOGUES)
def test_utf_8_is_not_taken_for_anything_else(language: str) -> None:
    text = DIALOGUES[language]
    for mistaken in ("cp1252", "iso8859-1", "cp1251", "utf-16-le"):
        wrong = text.encode().decode(mistaken, "ignore")
        if wrong.encode(mistaken, "ignore") == text.encode():
            better = find_contradiction(text.encode(), wrong, mistaken, None)
            assert better is not None
            assert [each.codec for each in better] == ["utf-8"]
    assert find_contradiction(text.encode(), text, "utf-8", "en") is None
    assert find_contradiction(text.encode("utf-16-le"), text, "utf-16-le", "en") is None


@pytest.mark.parametrize(
    ("text", "codec"),
    [
        ("1\n00:00:01,000 --> 00:00:02,000\n42\n", "cp1252"),
        ("Nothing but ASCII.", "cp932"),
        ("été", "cp1252"),
        ("Ja.\nÄh …", "cp1252"),
        ("25°C, 3×4 m², £5 – §1", "cp1252"),
        ("I´m naïve", "cp1252"),
        ("¶ Oh ¶", "cp1252"),
        ("♪ ♪ ♪ ♪", "cp932"),
        ("事實 사랑해 너를 あいしてる 君を", "cp949"),
        ("Tシャツ Tシャツ I love you こころ Привет мир", "cp932"),
        ("МОСКВА\nНЕТ!", "cp1251"),
        ("Łódź", "cp1250"),
        ("düşüşü", "cp1254"),
    ],
)
def test_short_and_mixed_texts_are_taken_as_they_are_told(text: str, codec: str) -> None:
    assert decode(text.encode(codec), encoding=codec)[0] == text


def test_without_controls_of_latin_1_quotes_are_not_lost() -> None:
    data = "Il dit : “mon cœur”… et c’était déjà très tard.".encode("cp1252")
    with pytest.raises(ImportRefused) as caught:
        decode(data, encoding="latin-1", name="film.srt")
    assert caught.value.suggested_encoding == "windows-1252"


def test_the_refusal_shows_the_first_line_as_it_would_read() -> None:
    data = "1\n00:00:01,000 --> 00:00:02,000\n<i>Слева</i>\n".encode("cp1251")
    with pytest.raises(ImportRefused) as caught:
        decode(data, encoding=None, name="film.srt", language="ru")
    assert caught.value.code == "unknown_encoding"
    assert caught.value.hint == (
        'it may be windows-1251: "Слева" or iso-8859-5: "быхтр"; '
        "add it with --encoding windows-1251, or another of them"
    )


def test_gibberish_is_refused_with_what_it_would_be_and_what_is_right_unless_it_is_forced() -> None:
    data = "Слева мы видим реку.\nСправа мы видим лес.\n".encode("cp1251")
    with pytest.raises(ImportRefused) as caught:
        decode(data, encoding="cp1252", name="film.ru.srt", language="ru")
    assert caught.value.message == 'film.ru.srt would read "Ñëåâà ìû âèäèì ðåêó." in the encoding cp1252'
    assert caught.value.code == "implausible_encoding"
    assert caught.value.suggested_encoding == "windows-1251"
    assert "--encoding windows-1251; --force" in caught.value.hint
    assert decode(data, encoding="cp1252", force=True) == (data.decode("cp1252"), "cp1252")


def test_japanese_in_seven_bits_is_not_taken_for_ascii() -> None:
    data = DIALOGUES["ja"].encode("iso2022_jp")
    assert decode(data, encoding=None) == (DIALOGUES["ja"], "iso2022_jp")
    assert decode(b"a terminal's \x1b$B is no Japanese", encoding=None)[1] == "utf-8"


@pytest.mark.parametrize(
    ("tag", "first"),
    [
        ("zh-TW", "big5"),
        ("zh-Hans", "gb18030"),
        ("yue", "big5"),
        ("zh", "gb18030"),
        ("sr-Latn", "cp1250"),
        ("pt-BR", "cp1252"),
    ],
)
def test_a_tag_says_what_is_usual(tag: str, first: str) -> None:
    assert list_usual_encodings(tag)[0] == first


def test_what_no_encoding_fits_is_told_without_a_guess() -> None:
    with pytest.raises(ImportRefused) as caught:
        decode(bytes(range(128, 256)) * 3, encoding=None, name="film.srt")
    assert caught.value.suggested_encoding == ""
    assert "--encoding" in caught.value.hint


@pytest.mark.parametrize("filler", [b"plain line\n", b"x"], ids=["lines", "one line"])
def test_a_large_file_is_told_from_a_sample(filler: bytes) -> None:
    data = filler * (8_000_000 // len(filler)) + b"\n" + DIALOGUES["ru"].encode("cp1251") * 2000
    assert find_fitting_encodings(data, None)[0].codec == "cp1251"


def test_utf_8_is_read_without_what_detects_older_encodings(run_python: Callable[[str], str]) -> None:
    code = "import sys\nfrom tui.importing.parse import parse\nparse('a.txt', 'Schön.'.encode())\nprint(*sys.modules)"
    loaded = run_python(code).split()
    assert "tui.importing.encoding.decode" in loaded
    assert not {"chardet", "tui.importing.encoding.detection", "tui.importing.encoding.plausibility"} & set(loaded)


LEGACY = [name for name, facts in EXPECTED.items() if facts["encoding"] not in ("ascii", "utf-8", "utf-16-le")]


@pytest.mark.skipif(not IS_HERE, reason=REASON)
@pytest.mark.parametrize("name", LEGACY)
def test_every_file_of_the_corpus_in_an_older_encoding_is_told_right(name: str) -> None:
    data, codec = (CORPUS / name).read_bytes(), EXPECTED[name]["encoding"]
    for tag in (None, EXPECTED[name]["language"]):
        candidates = find_fitting_encodings(data, tag)
        assert [data.decode(each.codec) for each in candidates] == [data.decode(codec)]
    assert find_contradiction(data, data.decode(codec), codecs.lookup(codec).name, None) is None


@pytest.mark.skipif(not IS_HERE, reason=REASON)
def test_nearly_all_of_the_corpus_is_told_right_in_encodings_that_hold_it() -> None:
    """At least 95 of 100, of half of the encodings for each text.

    What is left are texts in encodings of other languages, and single words.
    """
    right = total = 0
    for name, facts in EXPECTED.items():
        encoding = "utf-16" if facts["encoding"] == "utf-16-le" else facts["encoding"]
        text = (CORPUS / name).read_bytes().decode(encoding).removeprefix("\ufeff")
        if name.endswith("mojibake.srt") or text.isascii():
            continue
        language = facts["language"].split("+")[0]
        for codec in random.Random(name).sample(list_all_encodings(), len(list_all_encodings()) // 2):
            is_of_another = len("中".encode(codec, "ignore")) > 0 or codec == "johab"
            if text.encode(codec, "ignore").decode(codec) != text or (
                is_of_another and codec not in list_usual_encodings(language)
            ):
                continue
            for tag in (None, language):
                total += 1
                candidates = find_fitting_encodings(text.encode(codec), tag)
                right += bool(candidates) and text.encode(codec).decode(candidates[0].codec) == text
    assert total > 300
    assert right >= 0.95 * total


@pytest.mark.parametrize("encoding", ["cp1252", "cp932", "gb18030", "utf-16-be", "koi8-r"])
@pytest.mark.parametrize("data", ["Schöne Grüße, 東京".encode("utf-16"), "Nichts als ASCII".encode("utf-16-le")])
def test_utf_16_is_not_taken_for_anything_else(data: bytes, encoding: str) -> None:
    with pytest.raises(ImportRefused) as caught:
        decode(data, encoding=encoding, name="film.srt")
    assert caught.value.suggested_encoding in ("utf-16-le", "")
    assert decode(data, encoding="utf-16-le") == decode(data, encoding=None)


@pytest.mark.parametrize("encoding", ["cp1252", "cp932", "euc-jp", "utf-16"])
@pytest.mark.parametrize("language", ["ja", "ko", "pl", "de"])
def test_what_is_utf_8_is_told_to_be_that(language: str, encoding: str) -> None:
    with pytest.raises(ImportRefused) as caught:
        decode(DIALOGUES[language].encode(), encoding=encoding, name="film.srt")
    assert caught.value.suggested_encoding == "utf-8"
