"""Entries as the short texts that a model is handed, and the dictionaries that meanings are from."""

from __future__ import annotations

from dataclasses import replace

from tests.hostile import FORBIDDEN, HOSTILE
from tui.dictionaries.focus_word import make_focus_word, number_lines, shorten_entries
from tui.language.word_form import WordForm
from tui.records.dictionaries import NOTE, Dictionary, DictionaryEntry, FoundEntry, LookUp, Sense, TermFrequency

WIKTIONARY = Dictionary(
    *("d1", "Wiktionary", "yomitan", "1", "de", "en", "", "", "", "by all", "CC BY-SA 4.0", None, 2, 10, "")
)
LEAVE = DictionaryEntry(
    "abfahren",
    part_of_speech=("verb",),
    senses=(Sense(("to leave", "to depart"), ("rail",)), Sense(("to ski down",)), Sense(("with sein",), (NOTE,))),
)
DRIVE = DictionaryEntry("fahren", senses=(Sense(("to drive",)),))


def found(*entries: DictionaryEntry, dictionary: Dictionary = WIKTIONARY) -> LookUp:
    return LookUp("fährt", tuple(FoundEntry(each, dictionary, "lemma") for each in entries))


def test_an_entry_is_a_line_with_its_senses_and_whose_it_is() -> None:
    texts = shorten_entries(found(LEAVE, DRIVE))
    leave = "abfahren (verb): 1. (rail) to leave, to depart 2. to ski down (note: with sein)"
    assert [each.text for each in texts] == [leave, "fahren: to drive"]
    assert {each.dictionary for each in texts} == {"Wiktionary · CC BY-SA 4.0"}
    assert number_lines(texts) == f"1. {leave}\n2. fahren: to drive"
    assert number_lines(()) == ""


def test_what_a_model_is_handed_is_bounded() -> None:
    endless = DictionaryEntry("x" * 90, senses=tuple(Sense((f"{number} " + "y" * 5_000,)) for number in range(500)))
    texts = shorten_entries(found(*(replace(endless, term=f"t{number}") for number in range(200))))
    assert 1 <= len(texts) <= 8
    assert sum(len(each.text) for each in texts) <= 2_400


def test_hostile_entries_are_one_line_without_controls() -> None:
    for text in HOSTILE.values():
        entry = DictionaryEntry(text or "x", text, (text,), (Sense((text, text), (text,)), Sense((text,), (NOTE,))))
        (given,) = shorten_entries(found(entry, dictionary=replace(WIKTIONARY, title=text)))
        assert not set(FORBIDDEN) & set(given.text + given.dictionary)
        assert len((given.text + given.dictionary).splitlines()) == 1


def test_a_focus_word_says_how_common_it_is_as_the_first_frequency_dictionary_does() -> None:
    count, films = (("Count", TermFrequency("fahren", "", 102, "№102")), ("Films", TermFrequency("fahren", "", 7, "7")))
    for frequencies, said in (
        ((count, films), "№102 in Count"),
        ((("Count", TermFrequency("abfahren", "", 5, "5")),), None),
        ((), None),
    ):
        look_up = replace(found(DRIVE), frequencies=frequencies)
        assert make_focus_word("fährt", "de", WordForm("fahren"), look_up).commonness == said


def test_a_focus_word_names_the_dictionaries_that_its_meanings_are_from() -> None:
    def of(look_up: LookUp) -> str | None:
        return make_focus_word("fährt", "de", WordForm("fahren"), look_up).dictionary

    assert of(found(DRIVE)) == "Wiktionary · CC BY-SA 4.0"
    assert of(found()) is None
    other = replace(WIKTIONARY, id="d2", title="Other", license="")
    go = DictionaryEntry("fahren", senses=(Sense(("to go",)), Sense(("to drive",))))
    both = LookUp("fährt", (*found(DRIVE).entries, *found(go, dictionary=other).entries))
    assert of(both) == "Wiktionary · CC BY-SA 4.0; Other"
    spanish = replace(other, target_language="es")
    in_two_languages = LookUp("fährt", (*found(DRIVE).entries, *found(go, dictionary=spanish).entries))
    assert of(in_two_languages) == of(found(DRIVE)), "meanings of one word are in one language"
