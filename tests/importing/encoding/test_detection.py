"""Older encodings are told by the text alone, rightly or with a question: dialogues in 36 languages, and the corpus."""

from __future__ import annotations

import codecs
import random
import re
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.importing.corpus import CORPUS, EXPECTED, IS_HERE, REASON
from tests.importing.dialogues import DIALOGUES
from tests.importing.encoding.transcodings import excerpts, list_texts, tally, transcodings
from tui.errors import ImportRefused
from tui.importing.encoding.choices import read_in_encodings
from tui.importing.encoding.decode import Lines, decode
from tui.importing.encoding.detection import detect, find_certain_encoding, find_contradiction, find_sample_line
from tui.importing.encoding.legacy_encodings import USUAL_ENCODINGS, list_all_encodings, list_usual_encodings
from tui.text.display import encoding_name

pytestmark = pytest.mark.exhaustive
on_the_corpus = pytest.mark.skipif(not IS_HERE, reason=REASON)

CASES = [
    (language, codec)
    for language, text in DIALOGUES.items()
    for codec in USUAL_ENCODINGS[language]
    if text.encode(codec, "ignore").decode(codec) == text and not text.isascii()
]
MISTAKEN = ("cp1252", "cp1251", "cp1250", "koi8-r", "cp866", "cp932", "gb18030", "big5", "cp949", "cp1253", "mac-roman")
NEAR = {frozenset(("cp1250", "cp1252")), frozenset(("cp1252", "cp1257"))}
"""Codecs with many letters in common: a wrong one of these makes a text with a few misspelt words."""


def refuse(data: bytes, encoding: str | None, language: str | None = None) -> ImportRefused:
    with pytest.raises(ImportRefused) as caught:
        decode(data, encoding=encoding, name="film.srt", language=language)
    return caught.value


def test_every_encoding_is_read_by_the_name_that_people_are_told() -> None:
    for codec in (*list_all_encodings(), "utf-8", "utf-16-le", "utf-16-be", "utf-16", "utf-32"):
        held = [text for text in DIALOGUES.values() if text.encode(codec, "ignore").decode(codec) == text]
        for text in held[:3] or [bytes(range(0xC1, 0xDA)).decode(codec)]:  # cp864 has shapes of letters, not letters
            data = text.encode(codec)
            for name in {codec, encoding_name(codec)}:
                read, said = decode(data, encoding=name, force=True)
                assert (read, codecs.lookup(said)) == (text, codecs.lookup(codec))
            assert "\n".join(Lines(data, codec, name="x")) == text.lstrip("\n")


def test_a_few_lines_of_dialogue_tell_their_encoding() -> None:
    for number, (language, codec) in enumerate(CASES):
        text = DIALOGUES[language]
        for tag in ((language, None), ("en",))[number % 2]:
            best, *others = detect(text.encode(codec), tag).near
            assert text.encode(codec).decode(best.codec) == text, (language, codec, tag)
            assert find_sample_line(best.sample).removesuffix(" …") in text
            assert len(others) <= 2


def test_the_right_encoding_is_never_contradicted() -> None:
    for language, codec in CASES:
        whole, *lines = DIALOGUES[language], *DIALOGUES[language].splitlines(keepends=True)
        for text, tag in ((whole, language), (whole, "ru"), *((line, None) for line in lines)):
            assert find_contradiction(text.encode(codec), text, codec, tag) is None, (text, codec, tag)


def test_what_is_read_without_asking_is_right() -> None:
    """Excerpts of every length in every usual encoding: what is not certain is asked, never guessed."""
    for number, (language, codec) in enumerate(CASES):
        lines = DIALOGUES[language].split("\n")
        data = "\n".join(lines[: (2, 4, None)[number % 3]]).encode(codec)
        certain = None if data.isascii() else find_certain_encoding(data, None)
        assert certain is None or data.decode(certain) == data.decode(codec), (language, codec)


def test_another_encoding_is_contradicted_by_the_right_one() -> None:
    for number, (language, text) in enumerate(DIALOGUES.items()):
        some = [MISTAKEN[(number + step) % len(MISTAKEN)] for step in (0, 3, 6, 9)]
        for right, mistakes in ((USUAL_ENCODINGS[language][0], some), ("utf-8", ("cp1252", "cp1251", "utf-16-le"))):
            data = text.encode(right)
            for mistaken in mistakes:
                wrong = data.decode(mistaken, "ignore")
                if wrong.encode(mistaken, "ignore") != data or wrong == text or {right, mistaken} in NEAR:
                    continue
                better = find_contradiction(data, wrong, mistaken, None)
                assert better, (language, right, mistaken)
                assert data.decode(better[0].codec) == text
        for right in ("utf-8", "utf-16-le"):
            assert find_contradiction(text.encode(right), text, right, "en") is None, language


def test_short_and_mixed_texts_are_taken_as_they_are_told() -> None:
    rows: list[tuple[str, str]] = [
        ("1\n00:00:01,000 --> 00:00:02,000\n42\n", "cp1252"),
        ("Ja.\nÄh …", "cp1252"),
        ("25°C, 3×4 m², £5 – §1", "cp1252"),
        ("I´m naïve", "cp1252"),
        ("♪ ♪ ♪ ♪", "cp932"),
        ("事實 사랑해 너를 あいしてる 君を", "cp949"),
        ("Tシャツ Tシャツ I love you こころ Привет мир", "cp932"),
        ("МОСКВА\nНЕТ!", "cp1251"),
        ("Łódź", "cp1250"),
        ("düşüşü", "cp1254"),
    ]
    for text, codec in rows:
        assert decode(text.encode(codec), encoding=codec)[0] == text, text


def test_a_line_or_two_can_be_enough() -> None:
    rows: list[tuple[str, str]] = [
        ("You don’t often find it, but that’s true.", "cp1252"),
        ("I’m sure they’ve seen us, and that there is nothing that we can do about it now.", "cp1251"),
        ("Wir müssen gehen, und zwar sofort. Hast du mich nicht gehört?", "cp1250"),
        (DIALOGUES["ja"], "iso2022_jp"),
        ("a terminal's \x1b$B is no Japanese", "utf-8"),
    ]
    for text, codec in rows:
        assert decode(text.encode(codec), encoding=None)[0] == text, text


def test_what_a_few_characters_do_not_tell_is_never_read_wrongly() -> None:
    rows: list[tuple[str, str]] = [
        ("I met Luís in García's house, and they were not amused by it.", "mac-roman"),
        ("ÁÁÁ! said the cat, and then it was silent for a while.", "koi8-r"),
        ("soicind ó shin", "cp850"),
        ("¿Emo?\n¡Cuidado!\n¡Oh!", "cp1252"),
    ]
    for text, codec in rows:
        data = text.encode(codec, "replace")
        for tag in (None, "en", "ru"):
            certain = find_certain_encoding(data, tag)
            assert certain is None or data.decode(certain) == data.decode(codec)


def test_utf_8_with_lost_bytes_is_not_taken_for_another_encoding() -> None:
    chance = random.Random(1)
    for number, text in enumerate(DIALOGUES.values()):
        damaged = bytearray(text.encode())
        beyond = [place for place, byte in enumerate(damaged) if byte > 0x7F]
        for place in sorted(chance.sample(beyond, (1, len(beyond) // 20)[number % 2] or 1), reverse=True):
            del damaged[place]
        assert "not UTF-8 or UTF-16" in refuse(bytes(damaged), None).message, text


def test_the_refusal_shows_the_first_line_as_it_would_read() -> None:
    refusal = refuse("1\n00:00:01,000 --> 00:00:02,000\n<i>Слева</i>\n".encode("cp1251"), None, "ru")
    assert refusal.code == "unknown_encoding"
    assert refusal.hint == (
        'it may be windows-1251: "Слева" or iso-8859-5: "быхтр"; '
        "add it with --encoding windows-1251, or another of them"
    )
    none = refuse(bytes(range(128, 256)) * 3, None)
    assert (none.suggested_encoding, "--encoding" in none.hint) == ("", True)


def test_gibberish_is_refused_with_what_it_would_be_and_what_is_right_unless_it_is_forced() -> None:
    data = "Слева мы видим реку.\nСправа мы видим лес.\n".encode("cp1251")
    refusal = refuse(data, "cp1252", "ru")
    assert refusal.message == 'film.srt would read "Ñëåâà ìû âèäèì ðåêó." in the encoding cp1252'
    assert (refusal.code, refusal.suggested_encoding) == ("implausible_encoding", "windows-1251")
    assert "--encoding windows-1251; --force" in refusal.hint
    assert decode(data, encoding="cp1252", force=True) == (data.decode("cp1252"), "cp1252")
    quoted = "Il dit : “mon cœur”… et c’était déjà très tard.".encode("cp1252")
    assert refuse(quoted, "latin-1").suggested_encoding == "windows-1252", "its quotes are controls there"
    for encoding in ("cp1252", "cp932", "utf-16"):
        assert refuse(DIALOGUES["ja"].encode(), encoding).suggested_encoding == "utf-8"
    for wide in ("Schöne Grüße, 東京".encode("utf-16"), "Nichts als ASCII".encode("utf-16-le")):
        for encoding in ("cp1252", "cp932", "utf-16-be"):
            assert refuse(wide, encoding).suggested_encoding in ("utf-16-le", "")


def test_a_tag_says_what_is_usual() -> None:
    tags = ("zh-TW", "zh-Hans", "yue", "zh", "sr-Latn")
    assert [list_usual_encodings(tag)[0] for tag in tags] == ["big5", "gb18030", "big5", "gb18030", "cp1250"]


@pytest.mark.parametrize("filler", [b"plain line\n", b"x"], ids=["lines", "one line"])
def test_a_large_file_is_told_from_a_sample(filler: bytes) -> None:
    data = filler * (8_000_000 // len(filler)) + b"\n" + DIALOGUES["ru"].encode("cp1251") * 200
    assert detect(data, None).near[0].codec == "cp1251"


def test_utf_8_is_read_without_what_detects_older_encodings(run_python: Callable[[str], str]) -> None:
    code = "import sys\nfrom tui.importing.parse import parse\nparse('a.txt', 'Schön.'.encode())\nprint(*sys.modules)"
    loaded = run_python(code).split()
    assert "tui.importing.encoding.decode" in loaded
    assert not {"chardet", "tui.importing.encoding.detection", "tui.importing.encoding.plausibility"} & set(loaded)


@on_the_corpus
def test_the_corpus_is_read_without_a_hint_in_encodings_of_its_languages_and_an_excerpt_never_wrongly() -> None:
    sample = list(transcodings(1))
    counts = tally(sample)
    assert counts["wrong"] == 0
    assert counts["right"] >= 0.97 * counts.total() > 40
    counts = tally(excerpt for whole in sample for excerpt in excerpts(whole))
    assert counts["wrong"] == 0
    assert counts["right"] >= 0.7 * counts.total() > 100


@on_the_corpus
def test_every_file_of_the_corpus_in_an_older_encoding_is_told_right() -> None:
    for name, facts in EXPECTED.items():
        if facts["encoding"] not in ("ascii", "utf-8", "utf-16-le"):
            data, codec = (CORPUS / name).read_bytes(), facts["encoding"]
            candidates = detect(data, None).near
            assert [data.decode(each.codec) for each in candidates] == [data.decode(codec)], name


@on_the_corpus
def test_nearly_all_of_the_corpus_is_told_right_in_encodings_that_hold_it() -> None:
    """At least 95 of 100, in one of them for each text; the rest are those of other languages, and single words."""
    right = total = 0
    for number, (name, language, text) in enumerate(list_texts()):
        usual = list_usual_encodings(language)
        held = [
            codec
            for codec in list_all_encodings()
            if text.encode(codec, "ignore").decode(codec) == text
            and (codec in usual or not ("中".encode(codec, "ignore") or codec == "johab"))
        ]
        for codec in random.Random(f"{name}a").sample(held, min(1, len(held))):
            candidates = detect(text.encode(codec), language if number % 2 else None).near
            right += bool(candidates) and text.encode(codec).decode(candidates[0].codec) == text
            total += 1
    assert right >= 0.95 * total > 40


_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f]")
PIECES = [
    b"1\n00:00:01,000 --> 00:00:02,000\n",
    *(DIALOGUES[language][:60].encode(codec, "ignore") for language, codec in (
        ("de", "cp1252"), ("ru", "cp1251"), ("ru", "koi8-r"), ("ja", "cp932"), ("ja", "iso2022_jp"),
        ("zh-Hans", "gb18030"), ("ko", "cp949"), ("el", "iso8859-7"), ("de", "utf-8"), ("ja", "utf-16-le"),
    )),
    *(b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\x1b$B", b"\x0e", b"\r", b"\x85", b"\xa0"),
]  # fmt: skip
FILES = st.lists(st.one_of(st.sampled_from(PIECES), st.binary(max_size=40)), max_size=12).map(b"".join)


@settings(max_examples=25, deadline=None)
@given(FILES, st.sampled_from([None, "de", "ru", "ja", "zh-TW", "xx"]))
def test_any_bytes_are_read_or_refused_and_have_a_few_readings_with_the_same_lines(
    data: bytes, tag: str | None
) -> None:
    try:
        text, codec = decode(data, encoding=None, name="x.srt", language=tag)
    except ImportRefused as refusal:
        assert "x.srt" in refusal.message
    else:
        assert "\r" not in text
        codecs.lookup(codec)
    readings = read_in_encodings(data, tag)
    assert len({each.encoding for each in readings}) == len(readings) <= 3
    for each in readings:
        assert len(each.lines) <= 6
        assert all(len(line) <= 200 and not _CONTROLS.search(line) for line in each.lines)
