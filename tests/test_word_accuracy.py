"""The word that is meant, over the sentences of the corpus: each language keeps what it has reached."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import word_accuracy
from tests.language.segmenting import needs_segmenter
from tests.word_accuracy import AT_LEAST, CORPUS, FIRST_AT_LEAST, FREEDICT

pytestmark = [pytest.mark.exhaustive, pytest.mark.skipif(not CORPUS.exists(), reason="the corpus is not here")]
_SEGMENTED = ("ja", "ko", "zh")
_MEASURED = ("de", "es", "fr")
"""Languages whose first entries are measured here; English, as large as German, is in the script's table."""


@pytest.mark.parametrize(
    "language", [pytest.param(each, marks=needs_segmenter(each) if each in _SEGMENTED else ()) for each in AT_LEAST]
)
def test_words_are_given_their_lemmas(home: Path, language: str) -> None:
    tally = word_accuracy.measure_lemmas(word_accuracy.opened(home, {}), language)
    assert tally.percent("lemma") >= AT_LEAST[language], tally.mistakes.most_common(20)
    if language == "es":
        assert tally.percent("clitic") >= 75


@pytest.mark.parametrize("language", _MEASURED)
def test_the_first_entry_is_on_the_word_that_is_meant(home: Path, language: str) -> None:
    dictionaries = word_accuracy.opened(home, {language: FREEDICT[language]}, is_whole=False)
    dictionaries._word_forms._lemmatiser.prepare(language)
    store = dictionaries.opened()
    if store is None or not any(each.source_language == language for each in store.all()):
        pytest.skip(f"Debian's dict-freedict-{FREEDICT[language]} is not here")
    tally = word_accuracy.measure_first_entries(dictionaries, language)
    assert tally.percent("first") >= FIRST_AT_LEAST[language], tally.mistakes.most_common(20)
    if language == "de":
        assert tally.percent("VERB") >= 85
        assert tally.percent("separable") >= 88
        assert tally.percent("wrong") <= 4
