from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui.language.word import fold
from tui.language.words import word_texts, words

CUT: tuple[tuple[str, str | None, str], ...] = (
    ("Don't stop, Karl-Heinz!", "en", "Don't|stop|Karl-Heinz"),
    ("“Haven’t I?” – 1,000.50 €…", "en", "Haven’t|I|1,000.50"),
    ("so -- 'da'", "de", "so|da"),
    ("L'eau d’aujourd'hui n'est pas là.", "fr", "L'|eau|d’|aujourd'hui|n'|est|pas|là"),
    ("Jusqu'à ce qu'il soit là, quelqu'un.", "fr-CA", "Jusqu'|à|ce|qu'|il|soit|là|quelqu'un"),
    ("Un po' d'acqua, c'è nell'anno.", "it", "Un|po'|d'|acqua|c'|è|nell'|anno"),
    ("L'eau", None, "L'eau"),
    ("Lundi-là, dit-il, a-t-il ri, est-ce vrai ?", "fr", "Lundi|là|dit|il|a|il|ri|est|ce|vrai"),
    ("Qu’est‑ce ? Donne-le-moi ! Va-t'en, dis-nous-en.", "fr", "Qu’|est|ce|Donne|le|moi|Va|t'|en|dis|nous|en"),
    ("Peut-être un rendez-vous, grand-mère : celui-là ?", "fr", "Peut-être|un|rendez-vous|grand-mère|celui-là"),
    ("C'est-à-dire là-bas, moi-même, arc-en-ciel.", "fr", "C'|est-à-dire|là-bas|moi-même|arc-en-ciel"),
    ("Disse-me para fazê-lo na segunda-feira.", "pt-BR", "Disse|me|para|fazê|lo|na|segunda-feira"),
    ("Anar-se'n, dir-m'ho, Déu-n'hi-do, gratacels", "ca", "Anar|se'n|dir|m'|ho|Déu-n'hi-do|gratacels"),
    ("M-am dus, dă-mi-l într-o zi, de-a lungul.", "ro", "M-|am|dus|dă|mi|l|într-|o|zi|de-a|lungul"),
    ("E-Mail und Karl-Heinz-la", "de", "E-Mail|und|Karl-Heinz-la"),
    ("My mother-in-law, dit-il", "en", "My|mother-in-law|dit-il"),
    ("cafe\u0301s e\u0301te\u0301", None, "cafe\u0301s|e\u0301te\u0301"),
    ("هذا الكِتابُ جميل", "ar", "هذا|الكِتابُ|جميل"),
    ("می\u200cخواهم", "fa", "می\u200cخواهم"),
    ("안녕하세요 여러분", "ko", "안녕하세요|여러분"),
    ("हिन्दी में", "hi", "हिन्दी|में"),
    ('"צה"ל" של׳ו', "he", 'צה"ל|של׳ו'),
    ("👩\u200d🚀❤️ 1️⃣ ok 🇩🇪", None, "ok"),
    ("私はPythonが好き。スカイツリーに登りました。", None, "私|は|Python|が|好き|スカイツリー|に|登り|まし|た"),
    ("羅生門の下で雨やみを待っていた", "ja", "羅生門|の|下|で|雨やみ|を|待っ|て|い|た"),
    ("今天的天气真的非常好，我们去公园吧！", "zh-Hans", "今天|的|天气|真的|非常|好|我们|去|公园|吧"),
    ("今天的天气", None, "今天|的|天气"),
    ("วันนี้อากาศดีมาก เราไป", "th", "วัน|นี้|อากาศ|ดี|มาก|เรา|ไป"),
    ("", "de", ""),
    ("…!?", None, ""),
)


def test_words_are_what_a_reader_steps_over() -> None:
    for text, language, expected in CUT:
        found = words(text, language)
        assert "|".join(word.text for word in found) == expected
        assert all(word.text == text[word.start : word.end] for word in found)


UNITS = ("a", "漢字かな", "あ", "ไ", "e\u0301", "a'", "1.", "a-", "ー", "\u0301", "ក", "[/b]", "😀")


def test_three_thousand_characters_without_a_space_are_cut() -> None:
    for unit in UNITS:
        text = unit * (3000 // len(unit))
        for language in (None, "fr", "ja", "th"):
            found = words(text, language)
            assert all(word.text == text[word.start : word.end] for word in found), (unit, language)
            assert all(left.end <= right.start for left, right in pairwise(found)), (unit, language)


def test_no_word_begins_with_a_combining_mark_or_a_vowel_that_belongs_to_the_letter_before() -> None:
    for word in words("น้ำใจ เก่า ๆ การทำงานและความสุข", "th"):
        assert word.text[0] not in "ะาำ\u0e31\u0e34\u0e35\u0e48\u0e49ๆ" or word.start == 11


def test_folding_gives_one_key_per_word() -> None:
    assert fold("Straße", "de") == "straße"
    assert fold("Don’t", "en") == "don't"
    assert fold("E\u0301te\u0301", "fr") == "été"
    assert fold("IŞIK", "tr") == "ışık"
    assert fold("İyi", "tr") == "iyi"
    assert fold("ΛΌΓΟΣ", "el") == "λόγος"
    assert fold("Sil\u00adbe", None) == "silbe"


_PIECES = st.sampled_from(
    ("l'eau", "dit-il", "un po'", "don't", "3,14", 'ד"ר', "1\u20e3", "漢字かな", "e\u0301", " ", "\n", ". ")
)


@pytest.mark.exhaustive
@given(
    st.lists(st.one_of(_PIECES, st.text(max_size=5)), max_size=12).map("".join),
    st.sampled_from((None, "de", "fr", "it", "ja")),
)
def test_the_words_without_their_places_are_the_same(text: str, language: str | None) -> None:
    assert word_texts(text, language) == [word.text for word in words(text, language)]
