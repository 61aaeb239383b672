"""Levels: those of the CEFR everywhere, those of an exam for its language alone."""

from __future__ import annotations

from tui.language.levels import count_words_below, list_levels, normalise_level

LEVELS = {
    ("de", "b1"): "B1", ("pt-BR", " C2 "): "C2", ("ja", "n5"): "N5", ("ja", "A1"): "A1", ("zh-Hant", "hsk 9"): "HSK9",
    ("ko", "TOPIK-6"): "TOPIK6", ("de", " "): "", ("de", "N4"): None, ("ja", "N6"): None, ("zh", "HSK10"): None,
    ("ko", "TOPIK7"): None, ("ko", "HSK1"): None, ("de", "B3"): None, ("de", "fluent"): None,
}  # fmt: skip


def test_a_level_is_one_of_its_language() -> None:
    assert {given: normalise_level(*given) for given in LEVELS} == LEVELS
    for language in ("de", "ja", "zh", "ko"):
        assert [normalise_level(language, level) for level in list_levels(language)] == list(list_levels(language))


def test_higher_levels_have_more_words_below_them_and_the_lowest_none() -> None:
    assert (count_words_below("B1"), count_words_below("N4"), count_words_below("")) == (1_300, 800, 0)
    for language in ("de", "ja", "zh", "ko"):
        exam = [level for level in list_levels(language) if language == "de" or level not in list_levels("de")]
        sizes = [count_words_below(level) for level in exam]
        assert sizes[0] == 0
        assert sizes == sorted(set(sizes))
