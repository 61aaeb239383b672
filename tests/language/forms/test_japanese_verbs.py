"""Verbs behind potentials, as Sudachi has them."""

from __future__ import annotations

from tests.language.segmenting import needs_segmenter
from tui.language.lemmas import find_further_lemmas, find_potential_base

pytestmark = needs_segmenter("ja")


POTENTIALS = {
    "泳げる": "泳ぐ", "書ける": "書く", "読める": "読む", "話せる": "話す", "買える": "買う", "待てる": "待つ",
    "死ねる": "死ぬ", "遊べる": "遊ぶ", "帰れる": "帰る", "見れる": "見る", "食べれる": "食べる", "来れる": "来る",
    "およげる": "泳ぐ", "いける": "行く",
}  # fmt: skip


def test_a_potential_is_looked_up_as_its_verb_too() -> None:
    assert {each: find_potential_base(each) for each in POTENTIALS} == POTENTIALS
    assert list(find_further_lemmas([*POTENTIALS], "ja-JP")) == [*POTENTIALS.values()]


def test_other_verbs_words_and_languages_have_no_further_lemmas() -> None:
    verbs = ("食べる", "入れる", "開ける", "見える", "売れる", "受ける", "出る", "できる", "くれる")
    assert list(find_further_lemmas([*verbs, "猫", "れる", "", "\ud800える"], "ja")) == []
    assert list(find_further_lemmas(["泳げる"], "zh")) == list(find_further_lemmas(["泳げる"], None)) == []
