"""Phrases of own words on one line, read as they were written."""

from __future__ import annotations

import pytest

from tui.records.own_words import OwnPhrase
from tui.text.display import read_phrases, written_phrases


def test_phrases_are_read_as_they_are_written() -> None:
    phrases = (OwnPhrase("Bescheid sagen", "to let know"), OwnPhrase("Bescheid wissen"))
    assert written_phrases(phrases) == "Bescheid sagen = to let know; Bescheid wissen"
    assert read_phrases(written_phrases(phrases)) == phrases


@pytest.mark.parametrize(("typed", "read"), [("", ()), (" ; ;", ()), ("=x; a=b=c ;", (OwnPhrase("a", "b=c"),))])
def test_what_is_no_phrase_is_passed_over(typed: str, read: tuple[OwnPhrase, ...]) -> None:
    assert read_phrases(typed) == read
