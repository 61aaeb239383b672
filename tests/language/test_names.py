"""Words with a capital inside of sentences, by which names are told."""

from __future__ import annotations

from tui.language.word_kinds import find_capitals_inside, has_names

CAPITALS = {
    ("es", "Ayer vino Paco. Manuela no, ¿Qué dice Ana?"): ["Paco", "Ana"],
    ("es", "Hola, Manuela\nPaco, te veo"): ["Manuela"],
    ("en", "So I'm OK, and I saw Mary-Ann in the USA on Monday in French"): ["Mary-Ann"],
    ("fr", "Il vient d'Amérique, avec Jean-Luc, dit-il à L'Ouest"): ["Amérique", "Jean-Luc"],
    ("ru", "Это Анна, а это Пётр. Кто там?"): ["Анна", "Пётр"],
    ("tr", "Merhaba, İpek"): ["İpek"],
}


def test_words_with_a_capital_are_found_where_no_sentence_begins() -> None:
    assert {(tag, text): list(find_capitals_inside(text, tag)) for tag, text in CAPITALS} == CAPITALS


def test_names_are_told_where_a_capital_tells_them() -> None:
    assert [tag for tag in ("de-AT", "lb", "ja", "ar", "", "es-MX", "el", "xx", None) if has_names(tag)] == [
        *("es-MX", "el", "xx")
    ]
