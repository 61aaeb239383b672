"""Dictionary forms by the rules of single languages, over simplemma's real lists."""

from __future__ import annotations

import pytest

from tests.conftest import LEMMAS as UNPACKED
from tui.language.lemmas import Lemmatiser

pytestmark = pytest.mark.exhaustive

LEMMAS = {
    "ar": {"والكتاب": "كتاب", "بالمدرسة": "مدرسة", "كتابهم": "كتاب", "هو": "هو"},
    "de": {"gibt's": "geben", "brach": "brechen", "Kindergartenplätze": "Kindergartenplatz", "dem": "dem"},
    "es": {
        "dámelo": "dar", "decirle": "decir", "lavarse": "lavar", "siéntate": "sentar", "dime": "decir",
        "diciéndome": "decir", "vámonos": "ir", "hazlo": "hacer", "vela": "vela", "sí": "sí", "me": "me",
    },
    "fa": {"می‌روم": "رفتن", "گفت": "گفتن", "کتاب‌هایم": "کتاب", "دست": "دست"},
    "fi": {"minulla": "minulla", "taloissa": "talo"},
    "fr": {"l'": "le", "qu'": "que", "je": "je", "l'homme": "homme"},
    "he": {"והילדים": "ילד", "הספר": "ספר"},
    "it": {"dimmelo": "dire", "andarsene": "andare", "parlargli": "parlare", "l'uomo": "uomo"},
    "ru": {"написан": "написать", "его": "его"},
    "tr": {
        "gidiyorum": "gitmek", "geldim": "gelmek", "atlar": "at", "gözlük": "gözlük",
        "önemli": "önemli", "bana": "bana",
    },
}  # fmt: skip


@pytest.fixture
def lemmatiser() -> Lemmatiser:
    return Lemmatiser(UNPACKED)


@pytest.mark.parametrize("language", LEMMAS)
def test_words_have_the_forms_that_a_dictionary_has_them_under(lemmatiser: Lemmatiser, language: str) -> None:
    lemmatiser.prepare(language)
    assert {form: lemmatiser.lemma(form, language) for form in LEMMAS[language]} == LEMMAS[language]


def test_a_capital_tells_a_german_noun_inside_a_sentence_only(lemmatiser: Lemmatiser) -> None:
    lemmatiser.prepare("de")
    assert lemmatiser.lemma("stand", "de", "Er stand da.") == "stehen"
    assert lemmatiser.lemma("Stand", "de", "Das ist der Stand der Dinge.") == "Stand"
    assert lemmatiser.lemma("Trugen", "de", "Trugen sie die Koffer?") == "tragen"
    assert lemmatiser.lemma("FUHR", "de", "ER FUHR AB.") == "fahren"
