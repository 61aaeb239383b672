"""Verbs behind potentials, as Sudachi has them."""

from __future__ import annotations

import pytest

from tests.language.segmenting import needs_segmenter
from tui.language.lemmas import find_further_lemmas, find_potential_base

pytestmark = needs_segmenter("ja")


@pytest.mark.parametrize(
    ("potential", "verb"),
    [
        *(("泳げる", "泳ぐ"), ("書ける", "書く"), ("読める", "読む"), ("話せる", "話す"), ("買える", "買う")),
        *(("待てる", "待つ"), ("死ねる", "死ぬ"), ("遊べる", "遊ぶ"), ("帰れる", "帰る")),
        *(("見れる", "見る"), ("食べれる", "食べる"), ("来れる", "来る")),
        *(("およげる", "泳ぐ"), ("いける", "行く")),
    ],
)
def test_a_potential_is_looked_up_as_its_verb_too(potential: str, verb: str) -> None:
    assert find_potential_base(potential) == verb
    assert list(find_further_lemmas([potential], "ja-JP")) == [verb]


@pytest.mark.parametrize(
    "word",
    [
        "食べる",
        "入れる",
        "開ける",
        "見える",
        "売れる",
        "受ける",
        "出る",
        "できる",
        "くれる",
        "猫",
        "れる",
        "",
        "\ud800える",
    ],
)
def test_other_verbs_and_words_are_no_potentials(word: str) -> None:
    assert list(find_further_lemmas([word], "ja")) == []


def test_other_languages_have_no_further_lemmas() -> None:
    assert list(find_further_lemmas(["泳げる"], "zh")) == list(find_further_lemmas(["泳げる"], None)) == []
