"""Looking words up as they stand in their sentences, over a real store of small dictionaries."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.hostile import HOSTILE
from tui.dictionaries.lookup import look_up
from tui.records import dictionaries as records
from tui.store.dictionaries.dictionary_store import DictionaryStore

LEMMAS = {same: same for same in ("melden", "Melden", "essen")}
LEMMAS |= {"Sie": "sie", "fährt": "fahren", "Bahnhöfen": "Bahnhof", "Höfen": "Hof"}
LEMMAS |= {"trugen": "tragen", "steht": "stehen", "war": "sein"}

Ask = Callable[..., list[tuple[str, str]]]


def entry(
    term: str, *glosses: str, reading: str = "", kind: str = "", lemmas: tuple[str, ...] = (), score: float = 0
) -> records.DictionaryEntry:
    senses = (records.Sense(glosses),) if glosses else ()
    kinds = (kind,) if kind else ()
    return records.DictionaryEntry(term, reading, part_of_speech=kinds, senses=senses, lemmas=lemmas, score=score)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[DictionaryStore]:
    store = DictionaryStore.open(tmp_path)
    yield store
    store.close()


def asked(store: DictionaryStore, language: str, *rows: records.DictionaryRow, title: str = "D") -> Ask:
    """Ask a dictionary with these rows; gives the term and the way of each entry."""
    store.add(records.DictionaryInfo(title, "yomitan", source_language=language, target_language="en"), rows)

    def ask(word: str, sentence: str = "") -> list[tuple[str, str]]:
        return [(each.entry.term, each.way) for each in found(store, language, word, sentence).entries]

    return ask


def found(store: DictionaryStore, language: str, word: str, sentence: str = "") -> records.LookUp:
    return look_up(store.find, word, language, LEMMAS.get, sentence)


def test_a_pronoun_of_politeness_is_told_by_its_capital_inside_a_sentence(store: DictionaryStore) -> None:
    rows = entry("sie", "she", kind="pronoun"), entry("Sie", "you (formal)", kind="pronoun")
    ask = asked(store, "de", *rows)
    assert ask("Sie", "Warten Sie schon lange hier?")[0] == ("Sie", "surface")
    assert ask("sie", "Hier wartet sie.")[0] == ("sie", "surface")
    assert ask("Sie", "Sie wartet.")[0][0] == "sie"


def test_the_dictionary_form_comes_before_the_word(store: DictionaryStore) -> None:
    ask = asked(store, "de", entry("fahren", "to drive"), entry("fährt", "drives"), entry("Zug", "train"))
    assert ask("fährt") == [("fahren", "lemma"), ("fährt", "surface")]
    assert ask("FAHREN") == [("fahren", "surface")]
    assert ask("nichts") == []


def test_headwords_that_only_look_alike_without_their_capital_come_last(store: DictionaryStore) -> None:
    rows = entry("Tragen", "stretchers", kind="noun"), entry("tragen", "to carry", kind="verb"), entry("Essen", "food")
    ask = asked(store, "de", *rows, entry("essen", "to eat"))
    assert ask("trugen", "Sie trugen Koffer.")[0] == ("tragen", "lemma")
    assert ask("essen", "Wir essen gern.")[0] == ("essen", "surface")
    assert ask("Essen", "Das Essen ist gut.")[0] == ("Essen", "surface")
    assert ask("tragen", "Ich muss tragen.")[0] == ("tragen", "surface")


def test_a_headword_with_placeholders_is_on_its_verb_and_no_phrase(store: DictionaryStore) -> None:
    free = replace(entry("etw. tragen", "to carry", kind="verb"), forms=("tragen",))
    other = replace(entry("auf etw. tragen", "to put on"), forms=("auf tragen",))
    ask = asked(store, "de", entry("Tragen", "stretchers"), free, other)
    assert ask("trugen", "Sie trugen es.")[0] == ("etw. tragen", "lemma")
    assert ask("tragen", "Wir wollen es auf tragen.")[0] == ("etw. tragen", "surface")


def test_only_a_particle_at_the_end_of_a_clause_belongs_to_the_verb(store: DictionaryStore) -> None:
    ask = asked(store, "de", *(entry(f"{prefix}stehen", prefix or "to stand") for prefix in ("", "auf", "um", "vor")))
    for sentence in ("Er steht jeden Tag um sechs auf.", "Er steht auf und geht."):
        assert ask("steht", sentence)[0][0] == "aufstehen"
    for sentence in ("Er steht um sechs vor dem Haus.", "Er steht auf dem Dach.", "Er steht. Auf!"):
        assert ask("steht", sentence)[0][0] == "stehen"


def test_a_verb_at_the_beginning_of_a_sentence_has_its_particle_too_but_no_noun(store: DictionaryStore) -> None:
    ask = asked(store, "de", *(entry(each, "?") for each in ("Melden", "melden", "anmelden", "Anklage", "Klage")))
    assert ask("Melden", "Melden Sie die Gäste an!")[0] == ("anmelden", "phrase")
    assert ask("Klage", "Die Klage nahm er an.")[0] == ("Klage", "surface")


def test_pronouns_and_auxiliaries_show_their_own_entry_before_phrases(store: DictionaryStore) -> None:
    ask = asked(
        store, "de", *(entry(each, "?") for each in ("das Sein", "er ist", "sein", "freut sich", "sich", "das"))
    )
    assert ask("war", "Das war gut.") == [("sein", "lemma"), ("das Sein", "phrase")]
    assert ask("sich", "Er freut sich.") == [("sich", "surface"), ("freut sich", "phrase")]


def test_a_phrase_with_the_word_in_another_form_stands_below(store: DictionaryStore) -> None:
    ask = asked(store, "de", entry("Auto fahren", "to go by car"), entry("fahren", "to drive"))
    assert ask("fährt", "Weil er Auto fährt.") == [("fahren", "lemma"), ("Auto fahren", "phrase")]
    assert ask("fahren", "Auto fahren ist teuer.")[0] == ("Auto fahren", "phrase")


def test_the_word_before_tells_a_verb_from_a_noun_or_leaves_another_choice(store: DictionaryStore) -> None:
    asked(store, "en", entry("work", "Arbeit", kind="noun"), entry("work", "arbeiten", kind="verb"), entry("a", "ein"))
    asked(store, "de", entry("Essen", "food", kind="noun"), entry("essen", "to eat", kind="verb"), title="German")
    for language, word, sentence, kind, other in (
        *(("en", "work", "They work here.", "verb", 0), ("en", "work", "I want to work.", "verb", 0)),
        *(("en", "work", "The work is done.", "noun", 0), ("en", "work", "I like my work.", "noun", 0)),
        *(("en", "work", "Work hard!", "noun", 1), ("de", "Essen", "Essen wir!", "noun", 1)),  # only a tagger could
        *(("de", "Essen", "Das Essen ist fertig.", "noun", 0), ("de", "essen", "Wir essen.", "verb", 0)),
    ):
        result = found(store, language, word, sentence)
        assert (result.entries[0].entry.part_of_speech, result.other) == ((kind,), other), sentence
    assert found(store, "en", "a", "A day.").other == 0


def test_explanations_in_the_wanted_language_come_first_and_phrases_before_all(store: DictionaryStore) -> None:
    for title, target in {"English": "en", "Unknown": None, "Spanish": "es", "Portuguese": "pt-BR"}.items():
        info = records.DictionaryInfo(title, "yomitan", source_language="de", target_language=target)
        more = (entry("abfahren", "to leave"),) if target == "en" else ()
        store.add(info, (entry("fahren", "?"), *more))

    def titles(explain_in: str | None, sentence: str = "") -> list[str]:
        found = look_up(store.find, "fährt", "de", LEMMAS.get, sentence, explain_in=explain_in)
        return [each.dictionary.title for each in found.entries]

    assert titles(None) == ["English", "Unknown", "Spanish", "Portuguese"]
    assert titles("es-MX") == ["Unknown", "Spanish", "English", "Portuguese"]
    assert titles("pt") == ["Unknown", "Portuguese", "English", "Spanish"]
    assert titles("es", "Er fährt ab.") == ["English", "Unknown", "Spanish", "English", "Portuguese"]


def test_what_a_dictionary_calls_a_form_leads_to_what_it_is_a_form_of(store: DictionaryStore) -> None:
    forms = {"dime": "di", "di": "decir", "kreis": "kreisa", "kreisa": "kreis"}
    entries = (entry(form, lemmas=(lemma,)) for form, lemma in forms.items())
    ask = asked(store, "es", entry("decir", "to say", lemmas=("decir",)), *entries)
    assert ask("dime") == [("decir", "lemma")]
    assert ask("kreis") == [], "one that goes round in circles leads nowhere"


def test_separable_verbs_are_found_by_their_parts(store: DictionaryStore) -> None:
    ask = asked(store, "de", entry("fahren", "to drive"), entry("abfahren", "to leave"), entry("ab", "off"))
    for word in ("fährt", "fährt … ab", "fährt ... ab"):
        assert ask(word, "Hoffentlich fährt er überhaupt noch ab.") == [("abfahren", "phrase"), ("fahren", "lemma")]


def test_a_short_word_between_is_no_verb_with_the_prefix(store: DictionaryStore) -> None:
    ask = asked(store, "de", *(entry(each, "?") for each in ("er", "aber", "tun", "abtun")))
    assert ask("er", "Hoffentlich fährt er überhaupt noch ab.") == [("er", "surface")]
    assert ask("tun", "Sie tun es als Scherz ab.") == [("abtun", "phrase"), ("tun", "surface")]


def test_what_stands_behind_a_term_is_not_explained_by_it(store: DictionaryStore) -> None:
    curry = replace(entry("カレー", "curry"), forms=("カレーね",))
    have_ever = replace(entry("たことがある", "to have ever"), forms=("たことはあり",))
    ask = asked(store, "ja", curry, have_ever, entry("ね", "isn't it"))
    assert ask("ね", "あのカレーね。") == [("ね", "surface")]
    assert ask("は", "食べたことはありますか。") == [("たことがある", "phrase")]


def test_phrases_that_stand_in_the_sentence_are_found_by_any_of_their_words(store: DictionaryStore) -> None:
    ask = asked(store, "de", entry("noch nicht", "not yet"), entry("noch", "still"), entry("zu Hause", "at home"))
    assert ask("noch", "Er ist noch nicht zu Hause.") == [("noch nicht", "phrase"), ("noch", "surface")]
    assert ask("hause", "Er ist noch nicht zu hause.") == [("zu Hause", "phrase")]
    assert ask("noch", "Noch ist er nicht da.") == [("noch", "surface")]


def test_compounds_are_split_at_their_longest_known_last_part(store: DictionaryStore) -> None:
    ask = asked(store, "de", *(entry(each, "?") for each in ("Bahn", "Hof", "Freund", "Kreis")))
    assert sorted(ask("Bahnhof")) == [("Bahn", "part"), ("Hof", "part")]
    assert sorted(ask("Freundeskreis")) == [("Freund", "part"), ("Kreis", "part")]
    assert ask("Freundschaft") == [], "half of a word is no meaning"
    asked(store, "de", entry("Bahnhof", "station"), title="Other")
    assert ask("Bahnhöfen") == [("Bahnhof", "lemma")]


def test_other_accents_are_a_last_resort(store: DictionaryStore) -> None:
    ask = asked(store, "es", entry("está", "is"), entry("esta", "this"), entry("más", "more"))
    assert ask("esta") == [("esta", "surface")]
    assert ask("mas") == [("más", "accents")]
    assert ask("mãs") == [("más", "accents")]


def test_kana_find_what_is_written_in_characters_or_the_other_kana(store: DictionaryStore) -> None:
    ask = asked(store, "ja", entry("床", "floor", reading="ゆか"), entry("ゆっくり", "slowly"), entry("ゆか", "a name"))
    assert ask("ゆか") == [("ゆか", "surface"), ("床", "surface")], "what has it as its term comes first"
    assert ask("ユックリ") == [("ゆっくり", "surface")]


def test_entries_go_by_the_order_of_the_dictionaries_and_then_by_score(store: DictionaryStore) -> None:
    ask = asked(store, "de", entry("Bank", "bench", score=1), entry("Bank", "bank", score=5), title="A")
    asked(store, "de", entry("Bank", "shoal", score=9), title="B")
    glosses = [each.entry.senses[0].glosses[0] for each in found(store, "de", "Bank").entries]
    assert glosses == ["bank", "bench", "shoal"]
    store.reorder("B")
    assert [each.dictionary.title for each in found(store, "de", "Bank").entries] == ["B", "A", "A"]
    assert len(ask("Bank")) == 3


def test_frequencies_and_pronunciations_are_those_of_the_entries(store: DictionaryStore) -> None:
    frequency = records.TermFrequency("fahren", "", 120, "120")
    spoken = records.TermPronunciation("fahren", "", ("/ˈfaːʁən/",))
    asked(store, "de", entry("fahren", "to drive"), frequency, spoken, records.TermFrequency("fähre", "", 9, "9"))
    result = found(store, "de", "fährt")
    assert result.frequencies == (("D", frequency),)
    assert result.pronunciations == (("D", spoken),)


def test_nothing_hangs_on_hostile_words(store: DictionaryStore) -> None:
    ask = asked(store, "de", entry("a", "a"))
    for word in ("", " ", "…", "… …", "a" * 100_000, "%", "ß" * 5_000, "a … " * 500, *HOSTILE.values()):
        assert len(ask(word, word * 3)) <= 1
