"""Fields of Anki notes: what their HTML, clozes and furigana show."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tui.vocabulary.notes import read_field_text, read_field_words, strip_readings


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("Hund", "Hund"),
        ("<b>der</b> Hund", "der Hund"),
        ("der&nbsp;Hund &amp; die Katze", "der Hund & die Katze"),
        ("Hund<br>Hunde", "Hund\nHunde"),
        ("<div>Hund</div><div>Hunde</div>", "Hund\n\nHunde"),
        ("Hund[sound:hund.mp3]", "Hund"),
        ("Hund [anki:tts lang=de_DE]", "Hund"),
        ("<style>.x { color: red }</style>Hund<!-- <b> -->", "Hund"),
        ('<img src="x.jpg">', ""),
        ("2 < 3", "2 < 3"),
        ("\x1b[31mHund\u202e", "Hund"),
        ("{{c1::Hund::dog}} und {{c2::Katze}}", "Hund und Katze"),
        ("{{c1::der {{c2::Hund}}}}", "der Hund"),
        ("", ""),
    ],
)
def test_the_text_is_what_a_card_shows(html: str, text: str) -> None:
    assert read_field_text(html).text == text


@pytest.mark.parametrize(
    ("html", "text", "reading"),
    [
        ("決[き]まり", "決まり", "きまり"),
        (" 決[き]まり 事[ごと]", "決まり事", "きまりごと"),
        ("決[き]まり事[ごと]", "決まり事", "きまりごと"),
        ("これは 昨日[きのう]の", "これは昨日の", "これはきのうの"),
        ("食[た,たべる;h]べる", "食べる", "たべる"),
        ("你好[nǐ hǎo]", "你好", "nǐ hǎo"),
        ("<ruby>漢<rt>かん</rt></ruby><ruby>字<rt>じ</rt></ruby>", "漢字", "かんじ"),
        ("Hund[m]", "Hund", ""),
        ("Hund [der]", "Hund", ""),
        ("漢[]字", "漢字", ""),
    ],
)
def test_furigana_is_a_reading(html: str, text: str, reading: str) -> None:
    found = read_field_text(html)
    assert (found.text, found.reading) == (text, reading)


def test_a_reading_written_with_furigana_is_kana() -> None:
    assert [strip_readings(each) for each in ("決[き]まり", "<b>きまり</b>")] == ["きまり", "きまり"]


def test_words_are_what_clozes_hide() -> None:
    found = read_field_words("Der {{c2::<b>Hund</b>::dog}} {{c1::bellt}}, {{c3::sagt {{c4::er}}}}")
    assert {(each.text, each.cloze) for each in found} == {("Hund", 2), ("bellt", 1), ("sagt er", 3), ("er", 4)}
    assert [each.text for each in read_field_words("der Hund")] == ["der Hund"]


@settings(deadline=None)
@given(st.text("<>{}[]c1:;/&!-brstyle決き \n", max_size=200))
def test_any_text_is_read(html: str) -> None:
    for found in (read_field_text(html), *read_field_words(html)):
        assert found.text == found.text.strip()


@pytest.mark.parametrize(
    "piece", ["<", "{{c1::", "[", "漢[", "<style>", "<!--", "]", "&", "<rt>", "決き", "-- ", "{{c1::}}"]
)
def test_hostile_repetitions_take_no_time(piece: str) -> None:
    """Four times the text may take eight times as long, not sixteen: of a processor, which others may use beside it."""

    def seconds(count: int) -> float:
        started = time.thread_time()
        read_field_words(piece * count)
        return time.thread_time() - started

    size = 20_000 // len(piece)
    short, long = (min(seconds(count) for _ in range(3)) for count in (size // 4, size))
    assert long < max(8 * short, 0.05)
