"""Word forms: counted at import, given lemmas later, found again in their sentences."""

from __future__ import annotations

from tests.store.conftest import PROFILE, AddFilm, remove_discarded
from tui.store import Store


def test_an_import_lists_the_forms_of_its_language_once(store: Store, add_film: AddFilm) -> None:
    add_film("Der Zug fährt.", "der ZUG, der Zug!")
    add_film("Der Bus.", name="Bus.srt", language="de-AT")
    assert store.words.unlemmatised("de-DE", 10) == ("der", "zug", "fährt", "bus")
    assert store.words.unlemmatised("de", 2) == ("der", "zug")
    assert store.words.unlemmatised("es", 10) == ()
    lemmas = {"der": None, "zug": "Zug", "fährt": "fahren", "bus": "Bus"}
    store.words.set_lemmas("de", lemmas)
    assert store.words.unlemmatised("de", 10) == (), "asked for once even when no lemma is known"
    add_film("Er fuhr.")
    store.words.set_lemmas("de", {"er": "er", "fuhr": "fahren"})
    assert store.words.forms_of("de-CH", "fahren") == ("fährt", "fuhr")
    assert store.words.forms_of("es", "fahren") == ()


def test_occurrences_are_words_not_cues_and_come_per_transcript_oldest_first(store: Store, add_film: AddFilm) -> None:
    add_film("Der Zug. Der Zug! Züge fahren.", "Kein Bus.", name="a.srt")
    add_film("Nichts davon, Umzug.", name="b.srt")
    add_film("zug", name="c.srt", language=None)
    add_film("zug zug zug", name="d.srt", language="en")
    add_film("Zug", name="e.srt", profile="berta")
    assert store.words.occurrences(PROFILE, "de", ["Zug"]) == (3, (2, 1))
    assert store.words.occurrences(PROFILE, "de-DE", ["zug", "züge"]) == (4, (3, 1))
    assert store.words.occurrences(PROFILE, "en", ["zug"]) == (4, (1, 3))
    assert store.words.occurrences(PROFILE, None, ["zug"]) == (6, (2, 1, 3))
    assert store.words.occurrences(PROFILE, "de", []) == (0, ())
    assert store.words.occurrences("nobody", "de", ["zug"]) == (0, ())


def test_several_words_in_a_row_are_counted_too(store: Store, add_film: AddFilm) -> None:
    add_film("Er ist überhaupt noch da.", "Überhaupt, noch nie! Noch überhaupt.")
    assert store.words.occurrences(PROFILE, "de", ["überhaupt noch"]) == (2, (2,))


def test_a_concordance_shows_whole_words_with_their_places_newest_first(store: Store, add_film: AddFilm) -> None:
    add_film("Der Zug fährt.", "Ein Umzug.", "👍 Züge, ein Zug!", name="a.srt")
    _, newer = add_film("Im Zug.", "Wohin?", name="b.srt")
    lines = store.words.concordance(PROFILE, "de", ["zug", "züge"], 10, "Der  Zug fährt.")
    assert [line.text[line.start : line.end] for line in lines] == ["Zug", "Züge"]
    assert [(line.title, line.cue_index, line.start_ms) for line in lines] == [("b", 0, 0), ("a", 2, 2000)]
    assert lines[0].transcript_id == newer.id
    assert len(store.words.concordance(PROFILE, "de", ["zug"], 1)) == 1
    assert store.words.concordance(PROFILE, "de", ["zug"], 0) == ()
    assert store.words.concordance(PROFILE, "de", ["um"], 5) == ()
    assert store.words.concordance("berta", "de", ["zug"], 5) == ()


def test_a_concordance_stays_in_its_language_and_in_texts_of_an_unknown_one(store: Store, add_film: AddFilm) -> None:
    add_film("Die Sonne.", name="a.srt", language="de")
    add_film("They die.", name="b.srt", language="en-GB")
    add_film("Die!", name="c.srt", language=None)
    assert [line.title for line in store.words.concordance(PROFILE, "en", ["die"], 9)] == ["c", "b"]
    assert [line.title for line in store.words.concordance(PROFILE, None, ["die"], 9)] == ["c", "b", "a"]


def test_words_with_accents_elisions_and_hyphens_are_told_from_others(store: Store, add_film: AddFilm) -> None:
    add_film("Schon schön.", language="de")
    add_film("L’eau est froide, peut-être.", language="fr")
    assert store.words.occurrences(PROFILE, "fr", ["eau"])[0] == 1
    for language, form in (("de", "schön"), ("fr", "peut-être")):  # although the index folds the accents
        (line,) = store.words.concordance(PROFILE, language, [form], 5)
        assert line.text[line.start : line.end] == form


def test_scripts_without_spaces_are_found_and_counted_by_their_characters(store: Store, add_film: AddFilm) -> None:
    add_film("東京駅で\n電車を待つ。", "東京駅だ。", "何もない。", name="駅.srt", language="ja")
    add_film("京都の電車。", name="京都.srt", language="ja")
    counts = {"電車": (2, (1, 1)), "東京駅": (2, (2,)), "京": (3, (2, 1)), "猫": (0, ())}  # no import counted all
    for form, count in counts.items():
        assert store.words.occurrences(PROFILE, "ja", [form]) == count
        lines = store.words.concordance(PROFILE, "ja", [form], 9)
        assert [line.text[line.start : line.end] for line in lines] == [form] * count[0]
        assert store.words.concordance("berta", "ja", [form], 5) == ()
        assert store.words.concordance(PROFILE, "zh", [form], 5) == ()
    (line,) = store.words.concordance(PROFILE, "ja", ["電車"], 5, "東京駅で電車を待つ。")
    assert line.text == "京都の電車。", "the sentence asked about is left out however its lines were broken"


def test_a_word_in_every_cue_gives_no_more_than_was_asked(store: Store, add_film: AddFilm) -> None:
    add_film(*(f"der Satz {number}" for number in range(300)))
    lines = store.words.concordance(PROFILE, "de", ["der"], 200)
    assert [line.cue_index for line in lines] == list(range(299, 99, -1))


def test_forms_are_found_and_removed_by_transcript_wherever_their_counts_stand(store: Store, add_film: AddFilm) -> None:
    films = [add_film(f'Der Zug {number}. Ein שנה״ל "Wort" ד"ר.', name=f"{number}.srt")[1] for number in range(40)]
    assert store.words.occurrences(PROFILE, "de", ["zug"]) == (40, (1,) * 40)
    assert store.words.occurrences(PROFILE, "de", ['ד"ר']) == (40, (1,) * 40)
    store.transcripts.delete(PROFILE, [films[5].id, films[35].id])
    store.expiry.forget_steps(after_dates=0)
    remove_discarded(store)
    left = [number for number in range(40) if number not in (5, 35)]
    assert [store.words.occurrences(PROFILE, "de", [str(number)])[0] for number in range(40)] == [
        int(number in left) for number in range(40)
    ]
    assert store.words.occurrences(PROFILE, "de", ["zug"]) == (38, (1,) * 38)
