"""Lists of words: what Lode exports, what other programs export, and what people type."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.vocabulary.reading import offer_of, states_of, words_of
from tui.errors import ImportRefused, InvalidInput
from tui.records.vocabulary import VocabularyChoice, VocabularyWord
from tui.vocabulary.formats import open_vocabulary


def file_of(directory: Path, text: str | bytes, name: str = "words.txt") -> Path:
    path = directory / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_each_line_is_a_word_that_is_known_or_in_another_state(tmp_path: Path) -> None:
    path = file_of(tmp_path, "# my words\nHund\n\nder Katze, -n\r\ngehen\n" + "x" * 3_000_000 + "\n\x1b[31mrot\n")
    assert states_of(path) == dict.fromkeys(("Hund", "der Katze, -n", "gehen", "rot"), "known"), "longer is no word"
    assert offer_of(path).format == "list"
    assert set(states_of(path, VocabularyChoice(state="ignored")).values()) == {"ignored"}
    assert list(states_of(path, VocabularyChoice(first=2))) == ["Hund", "der Katze, -n"]


MOMENT = "2026-11-22T10:00:00.000Z"


def test_what_lode_exports_comes_back_the_same(tmp_path: Path) -> None:
    exported = (
        "language,lemma,reading,state,source,date\r\n"
        "de,Hund,,known,user,2026-11-22T10:00:00.000Z\r\n"
        "ja,床,ゆか,learning,anki,2026-11-22T10:00:00.000Z\r\n"
        'de,"a,b",,ignored,user,2026-11-22T10:00:00.000Z\r\n'
        "de,der,,seen,user,\r\n"
    )
    assert words_of(file_of(tmp_path, exported, "words.csv")) == [
        VocabularyWord("Hund", "", "known", "de", is_lemma=True, said_by="user", said_at=MOMENT),
        VocabularyWord("床", "ゆか", "learning", "ja", is_lemma=True, said_by="anki", said_at=MOMENT),
        VocabularyWord("a,b", "", "ignored", "de", is_lemma=True, said_by="user", said_at=MOMENT),
        VocabularyWord("der", "", "seen", "de", is_lemma=True, said_by="user"),
    ]
    assert offer_of(tmp_path / "words.csv").format == "table"


def test_encodings_are_told_as_those_of_subtitles_and_an_older_one_may_be_named(tmp_path: Path) -> None:
    words = ["привет", "собака", "кошка", "лошадь", "дерево", "земля", "который", "говорить", "идти", "большой"]
    for encoding in ("utf-8-sig", "utf-16", "utf-16-le"):
        assert list(states_of(file_of(tmp_path, "\n".join(words).encode(encoding)))) == words, encoding
    path = file_of(tmp_path, "größe\n".encode("cp850"))
    with pytest.raises(ImportRefused) as told:
        words_of(path)
    assert told.value.code == "unknown_encoding"
    with open_vocabulary(path, tmp_path, encoding="cp850") as file:
        assert [word.text for word in file.words(VocabularyChoice(), lambda share: None)] == ["größe"]


def test_of_a_list_of_frequency_the_first_are_taken(tmp_path: Path) -> None:
    for text in (
        "ich 6274354\nsie 4883476\ndas 4000000\n",
        "ich\t6274354\nsie\t4883476\ndas\t4000000\n",
        "ich,6274354\nsie,4883476\ndas,4000000\n",
        "ich,1\nsie,2\ndas,3\n",
        "1\tich\n2\tsie\n3\tdas\n",
        "rank;word\n2;sie\n1;ich\n3;das\n",
        "word,count\ndas,1\nich,70\nsie,50\n",
        "Morph-Lemma,Occurrences\nich,9\nsie,7\ndas,3\n",
        "Morph-Lemma,Morph-Inflection,Lemma-Priority,Inflection-Priority,Occurrence\n"
        "ich,mir,1,1,9\nich,ich,1,2,8\nsie,ihr,2,3,7\nsie,sie,2,4,7\ndas,das,3,5,3\n",
    ):
        path = file_of(tmp_path, text, "words.csv")
        assert offer_of(path).format == "frequency", text
        assert list(states_of(path, VocabularyChoice(first=2))) == ["ich", "sie"], text
        with pytest.raises(InvalidInput) as told:
            words_of(path)
        assert (told.value.code, "--first" in told.value.hint) == ("first_needed", True)


def test_what_other_programs_say_of_a_word_is_its_state(tmp_path: Path) -> None:
    morphs = "Morph-Lemma,Morph-Inflection,"
    for text, states in (
        (
            f"{morphs}Highest-Lemma-Learning-Interval,Highest-Inflection-Learning-Interval\n"
            "gehen,ging,40,3\nsehen,sah,3,3\nneu,neue,0,0\n",
            {"gehen": "known", "sehen": "learning", "neu": "new"},
        ),
        ("Morph-Lemma,Occurrence\ngehen,9\n", {"gehen": "known"}),
        (f"{morphs}Occurrence\ngehen,ging,9\n", {"gehen": "known"}),
        ("morph-lemma,morph-inflection\ngehen,ging\n", {"gehen": "known"}),
        (
            f"{morphs}Learning-status,Occurrence,File\n"
            "gehen,ging,known,9,a.txt\nsehen,sah,learning,3,a.txt\nneu,neue,unknown,2,a.txt\n",
            {"gehen": "known", "sehen": "learning", "neu": "new"},
        ),
        (
            "term,parent,translation,language,tags,added,status,link_status,pronunciation\n"
            "ging,gehen,went,German,,2024-01-01,5,,\n"
            "Hund,,dog,German,,2024-01-01,2,,\n"
            "Anna,,,German,,2024-01-01,I,,\n"
            "gut,,good,German,,2024-01-01,W,,\n"
            "was,,,German,,2024-01-01,?,,\n",
            {"gehen": "known", "Hund": "learning", "Anna": "ignored", "gut": "known"},  # Lute
        ),
    ):
        assert states_of(file_of(tmp_path, text, "known.csv")) == states


def test_terms_of_learning_with_texts_go_by_their_statuses(tmp_path: Path) -> None:
    terms = [("gehen", 1), ("sehen", 4), ("neu", 5), ("Anna", 98), ("gut", 99), ("'-chen", 2)]
    lines = [
        f"{term}\tx\tEin {{{term}}}.\t\t{status}\tGerman\t{7 + number}\t\r\n"
        for number, (term, status) in enumerate(terms)
    ]
    path = file_of(tmp_path, "".join(lines), "lwt.tsv")
    states = ("learning", "learning", "known", "ignored", "known", "learning")
    assert states_of(path) == dict(zip(("gehen", "sehen", "neu", "Anna", "gut", "-chen"), states, strict=True))
    assert {word.language for word in words_of(path)} == {"de"}


def test_a_state_that_is_not_understood_is_counted_and_not_guessed(tmp_path: Path) -> None:
    path = file_of(tmp_path, "word,state\nHund,known\nKatze,perhaps\n,known\n")
    with open_vocabulary(path, tmp_path) as file:
        assert [word.text for word in file.words(VocabularyChoice(), lambda share: None)] == ["Hund"]
        assert file.skipped == 2


def test_a_column_may_be_named(tmp_path: Path) -> None:
    path = file_of(tmp_path, "Nummer\tDeutsch\tEnglisch\n1\tHund\tdog\n")
    assert list(states_of(path)) == ["Nummer", "1"]  # nothing says that its first line is no word
    path = file_of(tmp_path, "Word\tDeutsch\tReading\ndog\tHund\t\n")
    assert list(states_of(path, VocabularyChoice(field="Deutsch"))) == ["Hund"]
    with pytest.raises(InvalidInput) as told:
        words_of(path, VocabularyChoice(field="Spanisch"))
    assert "Deutsch" in told.value.hint


def test_what_is_no_list_is_refused_by_its_name(tmp_path: Path) -> None:
    for data in (b"", b"\n\n", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", b"\0" * 100, b'word,state\n"' + b"x" * 200_000):
        with pytest.raises(ImportRefused, match=r"words\.txt"):
            words_of(file_of(tmp_path, data))
    for path in (tmp_path, tmp_path / "none.txt"):
        with pytest.raises(ImportRefused):
            words_of(path)


@pytest.mark.exhaustive
@settings(deadline=None, max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.one_of(st.binary(max_size=300), st.text('ab,;\t|"\n#0123 語', max_size=200).map(str.encode)))
def test_any_file_is_read_or_refused(tmp_path: Path, data: bytes) -> None:
    path = file_of(tmp_path, data)
    for first in (None, 3):
        try:
            offer = offer_of(path)
            words = words_of(path, VocabularyChoice(first=first))
        except (ImportRefused, InvalidInput):
            continue
        assert len(offer.note_types) == 1
        assert all(word.text and "\n" not in word.text and len(word.text) <= 300 for word in words)
