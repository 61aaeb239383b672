from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.dictionaries import making
from tests.dictionaries.making import structured, term_row
from tests.dictionaries.reading import entries_of, entry_of, info_of, rows_of, skipped_of
from tui.dictionaries.formats import open_dictionary
from tui.records.dictionaries import DictionaryEntry, Example, PitchAccent, Sense, TermFrequency, TermPronunciation


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "wty-de-en.zip"


def test_glosses_of_a_row_are_one_sense_with_its_part_of_speech(path: Path) -> None:
    making.yomitan(
        path,
        [term_row("食べる", "to eat", "to live on", reading="たべる", tags="1 v1 arch", rules="v1", score=7)],
        tags=[["v1", "partOfSpeech", 0, "Ichidan verb", 0], ["arch", "archaism", 0, "archaic", 0]],
    )
    assert entries_of(path) == [
        DictionaryEntry(
            "食べる", "たべる", ("Ichidan verb",), (Sense(("to eat", "to live on")),), score=7, tags=("archaic",)
        )
    ]


def test_a_part_of_speech_is_known_by_the_rules_where_no_tag_says_it(path: Path) -> None:
    making.yomitan(path, [term_row("食べる", "to eat", rules="v1")])
    assert entry_of(path, "食べる").part_of_speech == ("ichidan verb",)


def test_a_reading_that_is_the_term_is_none(path: Path) -> None:
    making.yomitan(path, [term_row("Zug", "train", reading="Zug")])
    assert entry_of(path, "Zug").reading == ""


def test_structured_content_of_wiktionary_becomes_senses_labels_and_examples(path: Path) -> None:
    content = making.wiktionary_content(
        "to drive", tags=["transitive"], example="Er fährt den Zug.", translation="He drives the train."
    )
    making.yomitan(path, [term_row("fahren", structured(content))])
    entry = entry_of(path, "fahren")
    assert entry.senses == (
        Sense(("to drive",), ("transitive",), (Example("Er fährt den Zug.", "He drives the train."),)),
    )
    assert entry.html == (
        "<ol><li><i>transitive</i> to drive<div>Er fährt den Zug.<br>He drives the train.</div></li></ol>"
    )


def test_a_form_points_to_its_lemmas_and_names_itself(path: Path) -> None:
    making.yomitan(path, [term_row("fährt", ["fahren", ["third-person singular present"]], ["fahren", []])])
    entry = entry_of(path, "fährt")
    assert (entry.lemmas, entry.tags, entry.senses) == (("fahren",), ("third-person singular present",), ())


def test_a_picture_is_left_out_and_the_text_beside_it_kept(path: Path) -> None:
    making.yomitan(path, [term_row("Zug", {"type": "image", "path": "zug.png"}, {"type": "text", "text": "train"})])
    assert entry_of(path, "Zug").senses == (Sense(("train",)),)


def test_texts_beside_structured_content_are_senses_of_their_own(path: Path) -> None:
    making.yomitan(path, [term_row("Zug", "train", structured({"tag": "b", "content": "draught"}), "procession")])
    assert [sense.glosses for sense in entry_of(path, "Zug").senses] == [("train",), ("draught",), ("procession",)]


def test_html_that_pyglossary_writes_as_text_is_its_text(path: Path) -> None:
    text = "Zug /tsuːk/<br />1. train &amp; <b class='x'>carriage</b><div>2. a &lt; b</div><script>x</script>"
    rows = [term_row("Zug", text)]
    converted = making.yomitan(path, rows, index={**making.INDEX, "revision": "PyGlossary export"})
    assert entry_of(converted, "Zug").senses == (Sense(("Zug /tsuːk/\n1. train & carriage\n2. a < b\nx",)),)
    assert entry_of(making.yomitan(path, rows), "Zug").senses == (Sense((text,)),)


def test_version_one_has_its_glossary_behind_the_score(path: Path) -> None:
    making.yomitan(path, [["Zug", "", "n", "", 3, "train", "draught"]], index={"title": "Old", "version": 1})
    entry = entry_of(path, "Zug")
    assert (entry.senses, entry.part_of_speech, entry.score) == ((Sense(("train", "draught")),), ("noun",), 3)


def test_version_two_is_read_as_version_three(path: Path) -> None:
    making.yomitan(path, [term_row("Zug", "train")], index={"title": "Old", "format": 2, "revision": 2})
    assert (info_of(path).revision, entry_of(path, "Zug").senses) == ("2", (Sense(("train",)),))


def test_tags_of_an_old_index_are_known_too(path: Path) -> None:
    index = {"title": "Old", "version": 1, "tagMeta": {"vt": {"category": "partOfSpeech", "notes": "transitive verb"}}}
    making.yomitan(path, [["essen", "", "vt", "", 0, "to eat"]], index=index)
    assert entry_of(path, "essen").part_of_speech == ("transitive verb",)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (12, TermFrequency("猫", "", 12, "12")),
        ("1,204 (top)", TermFrequency("猫", "", 1204, "1,204 (top)")),
        ("★★★", TermFrequency("猫", "", None, "★★★")),
        ({"value": 5, "displayValue": "5㋕"}, TermFrequency("猫", "", 5, "5㋕")),
        ({"reading": "ねこ", "frequency": {"value": 5}}, TermFrequency("猫", "ねこ", 5, "5")),
        ({"reading": "ねこ", "frequency": "5th"}, TermFrequency("猫", "ねこ", 5, "5th")),
    ],
)
def test_frequencies_are_numbers_with_what_is_shown(path: Path, value: Any, expected: TermFrequency) -> None:
    making.yomitan(path, metas=[["猫", "freq", value]])
    assert rows_of(path) == [expected]


@pytest.mark.parametrize("value", [None, True, [], {}, -1, 10**400, {"value": []}, {"frequency": {}}])
def test_what_is_no_frequency_is_skipped(path: Path, value: Any) -> None:
    making.yomitan(path, metas=[["猫", "freq", value], ["犬", "freq", 1]])
    assert rows_of(path) == [TermFrequency("犬", "", 1, "1")]
    assert skipped_of(path) == 1


@pytest.mark.parametrize(("position", "expected"), [(0, 0), (2, 2), ("LHHL", 3), ("HLL", 1), ("LHHH", 0)])
def test_pitch_accents_are_the_mora_after_which_the_pitch_falls(path: Path, position: Any, expected: int) -> None:
    making.yomitan(path, metas=[["桜", "pitch", {"reading": "さくら", "pitches": [{"position": position}]}]])
    assert rows_of(path) == [TermPronunciation("桜", "さくら", pitch=(PitchAccent("さくら", expected),))]


def test_ipa_stands_beside_the_term(path: Path) -> None:
    making.yomitan(path, metas=[["Zug", "ipa", {"reading": "Zug", "transcriptions": [{"ipa": "/tsuːk/"}]}]])
    assert rows_of(path) == [TermPronunciation("Zug", "", ("/tsuːk/",))]


def test_what_the_index_says_is_the_info(path: Path) -> None:
    index = {
        "title": "JPDB",
        "format": 3,
        "revision": "v2",
        "author": "somebody",
        "url": "https://example.org",
        "description": "Words of novels",
        "attribution": "CC BY-SA 4.0",
        "sourceLanguage": "JPN",
        "targetLanguage": "en",
        "frequencyMode": "rank-based",
    }
    making.yomitan(path, metas=[["猫", "freq", 1]], index=index)
    info = info_of(path)
    assert (info.title, info.revision, info.author, info.format) == ("JPDB", "v2", "somebody", "yomitan")
    assert (info.source_language, info.target_language, info.frequency_mode) == ("ja", "en", "rank-based")
    assert (info.url, info.description, info.attribution) == ("https://example.org", "Words of novels", "CC BY-SA 4.0")


def test_languages_that_the_index_does_not_name_are_found(path: Path) -> None:
    making.yomitan(path, [term_row("食べる", "たべもの", reading="たべる")], index={"title": "辞書", "format": 3})
    assert info_of(path).source_language == "ja"
    making.yomitan(path, [term_row("Zug", "train")], index={"title": "kty-de-en", "format": 3})
    assert (info_of(path).source_language, info_of(path).target_language) == ("de", "en")


def test_banks_are_read_in_the_order_of_their_numbers(path: Path) -> None:
    terms = [f"wort{number}" for number in range(12)]
    making.yomitan(path, [term_row(term, "word") for term in terms], rows_a_bank=1)
    assert [entry.term for entry in entries_of(path)] == terms


def test_progress_goes_up_to_the_end_and_may_cancel(path: Path) -> None:
    making.yomitan(path, [term_row(f"wort{number}", "word") for number in range(2_000)], rows_a_bank=500)
    seen: list[float] = []
    with open_dictionary(path) as dictionary:
        assert len(list(dictionary.rows(seen.append))) == 2_000
    assert seen == sorted(seen)
    assert (seen[0], seen[-1], len(seen) > 5) == (0.0, 1.0, True)

    class Cancelled(Exception):
        pass

    def cancel(share: float) -> None:
        if share > 0.4:
            raise Cancelled

    read = 0
    with open_dictionary(path) as dictionary, pytest.raises(Cancelled):
        for _ in dictionary.rows(cancel):
            read += 1
    assert 0 < read < 2_000
