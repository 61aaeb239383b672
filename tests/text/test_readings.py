"""Readings as text: behind the characters that they read, and those of a focus."""

from __future__ import annotations

from tui.language.word import Word
from tui.language.word_form import WordForm
from tui.records.transcripts import Cue, Ruby
from tui.text.readings import focused_form, furigana, is_reading_of, with_readings

SENTENCE = "昨日お母さんと食べた。"
WORDS = (
    Word("昨日", 0, 2, "昨日", "きのう"),
    Word("お母さん", 2, 6, "お母さん", "おかあさん"),
    Word("と", 6, 7, "と"),
    Word("食べ", 7, 9, "食べる", "たべ"),
    Word("た", 9, 10, "た"),
)


def cue(text: str = SENTENCE, *ruby: Ruby) -> Cue:
    return Cue(0, None, None, text, ruby=ruby)


def test_a_text_has_its_readings_behind_the_characters_that_need_them() -> None:
    assert with_readings(cue(), WORDS) == "昨日[きのう]お母[かあ]さんと食[た]べた。"
    assert with_readings(cue(SENTENCE, Ruby(3, 4, "かあ"), Ruby(7, 8, "く")), ()) == "昨日お母[かあ]さんと食[く]べた。"
    assert with_readings(cue("カレー\n天气"), (Word("天气", 4, 6, None, "tiānqì"),)) == "カレー\n天气[tiānqì]"
    assert with_readings(cue("Der Zug"), ()) == "Der Zug"


def test_kana_at_either_end_are_not_read_again() -> None:
    rows: list[tuple[Word, str]] = [
        (Word("引っ越し", 0, 4, None, "ひっこし"), "引っ越[ひっこ]し"),
        (Word("ティー杯", 0, 4, None, "てぃーはい"), "ティー杯[はい]"),
        (Word("子ども", 0, 3, None, "こども"), "子[こ]ども"),
        (Word("飲み物", 0, 3, None, "のみもの"), "飲み物[のみもの]"),
        (Word("OK", 0, 2, None, "おーけー"), "OK[おーけー]"),
        (Word("いい", 0, 2, None, "いい"), "いい[いい]"),
    ]
    for word, read in rows:
        assert with_readings(cue(word.text), (word,)) == read, word


def test_a_focus_is_read_as_its_cue_and_its_segmenter_say() -> None:
    rows: list[tuple[tuple[Ruby, ...], tuple[Word, ...], WordForm]] = [
        ((), WORDS[3:4], WordForm("食べる", "たべ")),
        ((), WORDS[3:5], WordForm("食べる", "たべた")),
        ((), WORDS[0:2], WordForm(None, "きのうおかあさん")),
        ((), WORDS[2:3], WordForm("と", None)),
        ((Ruby(7, 8, "く"),), WORDS[3:4], WordForm("食べる", "くべ")),
        ((Ruby(0, 2, "さくじつ"),), WORDS[0:1], WordForm("昨日", "さくじつ")),
        ((Ruby(0, 1, "さく"),), WORDS[0:1], WordForm("昨日", "きのう")),
        ((), (), WordForm()),
    ]
    for ruby, focused, expected in rows:
        assert focused_form(cue(SENTENCE, *ruby), SENTENCE, focused, "ja") == expected, ruby


def test_furigana_are_written_as_anki_reads_them() -> None:
    assert furigana(SENTENCE, WORDS) == "昨日[きのう]お 母[かあ]さんと 食[た]べた。"
    assert furigana("今 天气", (Word("天气", 2, 4, None, "tiānqì"),)) == "今  天气[tiānqì]"
    assert furigana("Der Zug", (Word("Der", 0, 3), Word("Zug", 4, 7))) == ""
    assert furigana("[音]昨日", (Word("昨日", 3, 5, None, "きのう"),)) == "", "its own brackets would be readings"


def test_furigana_are_of_a_text_until_it_is_another() -> None:
    written = furigana(SENTENCE, WORDS)
    assert is_reading_of(written, SENTENCE)
    assert is_reading_of(written, SENTENCE + "\n")
    assert not is_reading_of(written, SENTENCE.replace("昨日", "今日"))
    assert not is_reading_of("", "")
