"""Fields of Anki notes: what their HTML, clozes and furigana show, and the headwords in them."""

from __future__ import annotations

import time

from hypothesis import given, settings
from hypothesis import strategies as st

from tui.vocabulary.marks import find_headword
from tui.vocabulary.notes import read_field_text, read_field_words, strip_readings


def test_the_text_is_what_a_card_shows_and_furigana_is_a_reading() -> None:
    for html, text, reading in (
        ("Hund", "Hund", ""),
        ("<b>der</b> Hund", "der Hund", ""),
        ("der&nbsp;Hund &amp; die Katze", "der Hund & die Katze", ""),
        ("Hund<br>Hunde", "Hund\nHunde", ""),
        ("<div>Hund</div><div>Hunde</div>", "Hund\n\nHunde", ""),
        ("Hund[sound:hund.mp3]", "Hund", ""),
        ("Hund [anki:tts lang=de_DE]", "Hund", ""),
        ("<style>.x { color: red }</style>Hund<!-- <b> -->", "Hund", ""),
        ('<img src="x.jpg">', "", ""),
        ("2 < 3", "2 < 3", ""),
        ("\x1b[31mHund\u202e", "Hund", ""),
        ("{{c1::Hund::dog}} und {{c2::Katze}}", "Hund und Katze", ""),
        ("{{c1::der {{c2::Hund}}}}", "der Hund", ""),
        ("", "", ""),
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
    ):
        found = read_field_text(html)
        assert (found.text, found.reading) == (text, reading), html
    assert [strip_readings(each) for each in ("決[き]まり", "<b>きまり</b>")] == ["きまり", "きまり"]


def test_words_are_what_clozes_hide() -> None:
    found = read_field_words("Der {{c2::<b>Hund</b>::dog}} {{c1::bellt}}, {{c3::sagt {{c4::er}}}}")
    assert {(each.text, each.cloze) for each in found} == {("Hund", 2), ("bellt", 1), ("sagt er", 3), ("er", 4)}
    assert [each.text for each in read_field_words("der Hund")] == ["der Hund"]


@settings(deadline=None, max_examples=50)
@given(st.text("<>{}[]c1:;/&!-brstyle決き \n", max_size=200))
def test_any_text_is_read(html: str) -> None:
    for found in (read_field_text(html), *read_field_words(html)):
        assert found.text == found.text.strip()


def test_hostile_repetitions_take_no_time() -> None:
    """Four times the text may take eight times as long, not sixteen: of a processor, which others may use beside it."""

    def seconds(text: str) -> float:
        started = time.thread_time()
        read_field_words(text)
        return time.thread_time() - started

    for piece in ("<", "{{c1::", "[", "漢[", "<style>", "<!--", "]", "&", "<rt>", "決き", "-- ", "{{c1::}}"):
        size = 20_000 // len(piece)
        short, long = (min(seconds(piece * count) for _ in range(3)) for count in (size // 4, size))
        assert long < max(8 * short, 0.05), piece


def test_of_a_headword_articles_forms_and_notes_are_left_out() -> None:
    for language, text, word in (
        ("de", "der Hund, -e", "Hund"),
        ("de", "Hund (m.)", "Hund"),
        ("de", "sich freuen", "freuen"),
        ("de", "die", "die"),
        ("de", "Haus; Gebäude", "Haus"),
        ("de-AT", "das Haus / die Häuser", "Haus"),
        ("en", "to go", "go"),
        ("en", "well-known", "well-known"),
        ("en", "to take off", "take off"),
        ("fr", "l'eau", "eau"),
        ("fr", "l’eau (f)", "eau"),
        ("fr", "s'asseoir", "asseoir"),
        ("fr", "se laver", "laver"),
        ("fr", "aujourd'hui", "aujourd'hui"),
        ("it", "un'amica", "amica"),
        ("es", "el agua", "agua"),
        ("sv", "att gå", "gå"),
        ("ja", "〜まで", "まで"),
        ("ja", "食べる（たべる）", "食べる"),
        ("ja", "する、やる", "する"),
        ("zh", "你好！", "你好"),
        ("", "Hund\nHunde", "Hund"),
        ("de", "1. Hund", "Hund"),
        ("de", "MP3", "MP3"),
        ("de", "(m.)", ""),
        ("de", "…", ""),
    ):
        assert find_headword(text, language) == word, (language, text)
