"""Looking words up as they stand in their sentences, over a real store of small dictionaries."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tui.dictionaries.lookup import look_up
from tui.records.dictionaries import DictionaryEntry, DictionaryInfo, Sense, TermFrequency, TermPronunciation
from tui.records.lookups import DictionaryRow, LookUp
from tui.store.dictionaries.dictionary_store import DictionaryStore

LEMMAS = {"fährt": "fahren", "Bahnhöfen": "Bahnhof", "Höfen": "Hof", "kam": "kommen", "lachte": "lachen"}

Ask = Callable[..., list[tuple[str, str]]]


def entry(
    term: str, *glosses: str, reading: str = "", lemmas: tuple[str, ...] = (), score: float = 0
) -> DictionaryEntry:
    senses = (Sense(glosses),) if glosses else ()
    return DictionaryEntry(term, reading, senses=senses, lemmas=lemmas, score=score)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[DictionaryStore]:
    store = DictionaryStore.open(tmp_path)
    yield store
    store.close()


def asked(store: DictionaryStore, language: str, *rows: DictionaryRow, title: str = "D") -> Ask:
    """Ask a dictionary with these rows; gives the term and the way of each entry."""
    store.add(DictionaryInfo(title, "yomitan", source_language=language, target_language="en"), rows)

    def ask(word: str, sentence: str = "") -> list[tuple[str, str]]:
        return [(each.entry.term, each.way) for each in found(store, language, word, sentence).entries]

    return ask


def found(store: DictionaryStore, language: str, word: str, sentence: str = "") -> LookUp:
    return look_up(store.find, word, language, LEMMAS.get, sentence)


def test_the_word_comes_before_its_lemma(store: DictionaryStore) -> None:
    ask = asked(store, "de", entry("fahren", "to drive"), entry("fährt", "drives"), entry("Zug", "train"))
    assert ask("fährt") == [("fährt", "surface"), ("fahren", "lemma")]
    assert ask("FAHREN") == [("fahren", "surface")]
    assert ask("nichts") == []


def test_dictionaries_that_explain_in_the_wanted_language_come_first_and_phrases_before_all(
    store: DictionaryStore,
) -> None:
    for title, target, gloss in (
        ("English", "en", "to drive"),
        ("Unknown", None, "?"),
        ("Spanish", "es", "conducir"),
        ("Portuguese", "pt-BR", "dirigir"),
    ):
        info = DictionaryInfo(title, "yomitan", source_language="de", target_language=target)
        more = (entry("abfahren", "to leave"),) if target == "en" else ()
        store.add(info, (entry("fahren", gloss), *more))

    def titles(explain_in: str | None, sentence: str = "") -> list[str]:
        found = look_up(store.find, "fährt", "de", LEMMAS.get, sentence, explain_in=explain_in)
        return [each.dictionary.title for each in found.entries]

    assert titles(None) == ["English", "Unknown", "Spanish", "Portuguese"]
    assert titles("es-MX") == ["Unknown", "Spanish", "English", "Portuguese"]
    assert titles("pt") == ["Unknown", "Portuguese", "English", "Spanish"]
    assert titles("es", "Er fährt ab.") == ["English", "Unknown", "Spanish", "English", "Portuguese"]


def test_what_a_dictionary_calls_a_form_leads_to_what_it_is_a_form_of(store: DictionaryStore) -> None:
    ask = asked(
        store,
        "es",
        entry("dime", lemmas=("di",)),
        entry("di", lemmas=("decir",)),
        entry("decir", "to say", lemmas=("decir",)),
        entry("kreis", lemmas=("kreisa",)),
        entry("kreisa", lemmas=("kreis",)),
    )
    assert ask("dime") == [("decir", "lemma")]
    assert ask("kreis") == [], "one that goes round in circles leads nowhere"


@pytest.mark.parametrize("word", ["fährt", "fährt … ab", "fährt ... ab"])
def test_separable_verbs_are_found_by_their_parts(store: DictionaryStore, word: str) -> None:
    ask = asked(store, "de", entry("fahren", "to drive"), entry("abfahren", "to leave"), entry("ab", "off"))
    assert ask(word, "Hoffentlich fährt er überhaupt noch ab.") == [("abfahren", "phrase"), ("fahren", "lemma")]


def test_a_short_word_between_is_no_verb_with_the_prefix(store: DictionaryStore) -> None:
    ask = asked(
        store, "de", entry("er", "he"), entry("aber", "but"), entry("tun", "to do"), entry("abtun", "to dismiss")
    )
    assert ask("er", "Hoffentlich fährt er überhaupt noch ab.") == [("er", "surface")]
    assert ask("tun", "Sie tun es als Scherz ab.") == [("abtun", "phrase"), ("tun", "surface")]


def test_what_stands_behind_a_term_is_not_explained_by_it(store: DictionaryStore) -> None:
    ask = asked(
        store,
        "ja",
        DictionaryEntry("カレー", senses=(Sense(("curry",)),), forms=("カレーね",)),
        DictionaryEntry("たことがある", senses=(Sense(("to have ever",)),), forms=("たことはあり",)),
        entry("ね", "isn't it"),
    )
    assert ask("ね", "あのカレーね。") == [("ね", "surface")]
    assert ask("は", "食べたことはありますか。") == [("たことがある", "phrase")]


def test_phrases_that_stand_in_the_sentence_are_found_by_any_of_their_words(store: DictionaryStore) -> None:
    ask = asked(store, "de", entry("noch nicht", "not yet"), entry("noch", "still"), entry("zu Hause", "at home"))
    assert ask("noch", "Er ist noch nicht zu Hause.") == [("noch nicht", "phrase"), ("noch", "surface")]
    assert ask("hause", "Er ist noch nicht zu hause.") == [("zu Hause", "phrase")]
    assert ask("noch", "Noch ist er nicht da.") == [("noch", "surface")]


def test_compounds_are_split_at_their_longest_known_last_part(store: DictionaryStore) -> None:
    ask = asked(
        store, "de", entry("Bahn", "rail"), entry("Hof", "yard"), entry("Freund", "friend"), entry("Kreis", "circle")
    )
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
    frequency = TermFrequency("fahren", "", 120, "120")
    spoken = TermPronunciation("fahren", "", ("/ˈfaːʁən/",))
    asked(store, "de", entry("fahren", "to drive"), frequency, spoken, TermFrequency("fähre", "", 9, "9"))
    result = found(store, "de", "fährt")
    assert result.frequencies == (("D", frequency),)
    assert result.pronunciations == (("D", spoken),)


def test_nothing_hangs_on_hostile_words(store: DictionaryStore) -> None:
    ask = asked(store, "de", entry("a", "a"))
    for word in ("", " ", "…", "… …", "a" * 100_000, "\0", "%", "ß" * 5_000, "a … " * 500):
        assert len(ask(word, word * 3)) <= 1
