"""Headwords of flashcards."""

from __future__ import annotations

import pytest

from tui.vocabulary.marks import find_headword


@pytest.mark.parametrize(
    ("language", "text", "word"),
    [
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
    ],
)
def test_articles_forms_and_notes_are_left_out(language: str, text: str, word: str) -> None:
    assert find_headword(text, language) == word
