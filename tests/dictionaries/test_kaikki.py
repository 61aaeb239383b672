from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.dictionaries.making import entries_of, entry_of, info_of, json_lines, rows_of, skipped_of, text_file
from tests.dictionaries.making import wiktextract_row as word
from tui.errors import ImportRefused
from tui.records.dictionaries import Example, Sense

pytestmark = pytest.mark.exhaustive


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "German.jsonl"


def test_a_row_is_an_entry_with_senses_forms_and_ipa(path: Path) -> None:
    sense = {"glosses": ["vehicle", "train"], "tags": ["masculine"], "topics": ["rail-transport"]}
    examples = [{"text": "Er fährt ab.", "translation": "It leaves."}, {"text": "Im Zug.", "english": "-"}]
    tagged = (("strong", "table-tags"), ("Züge", "plural"), ("-", "genitive"), ("Zug", "nominative"))
    forms = [{"form": form, "tags": [tag]} for form, tag in tagged]
    sounds = [{"ipa": "/tsuːk/"}, {"audio": "De-Zug.ogg"}]
    more = {"forms": forms, "sounds": sounds, "synonyms": [{"word": "Bahn"}]}
    json_lines(path, [word("Zug", senses=[sense | {"examples": examples}], **more)])
    entry = entry_of(path, "Zug")
    assert entry.part_of_speech == ("noun",)
    shown = (Example("Er fährt ab.", "It leaves."), Example("Im Zug.", "-"))
    assert entry.senses == (Sense(("train",), ("masculine", "rail-transport"), shown),)
    assert (entry.forms, entry.pronunciations, entry.related) == (("Züge",), ("/tsuːk/",), ("Bahn",))


def test_a_form_points_to_its_lemma(path: Path) -> None:
    sense = {"glosses": ["third-person singular of fahren"], "form_of": [{"word": "fahren (“drive”)"}]}
    sense["tags"] = ["form-of"]
    json_lines(path, [word("fährt", pos="verb", senses=[sense, {"alt_of": [{"word": "fahrt"}]}])])
    entry = entry_of(path, "fährt")
    assert entry.lemmas == ("fahren", "fahrt")
    assert entry.senses == (Sense(("third-person singular of fahren",)),)


def test_forms_are_as_texts_have_them(tmp_path: Path) -> None:
    forms = [
        *({"form": form} for form in ("das Haus", "des Hauses", "ich hause")),
        {"form": "haben", "tags": ["auxiliary"]},
        {"form": "avoir + past participle", "tags": ["multiword-construction"]},
    ]
    german = json_lines(tmp_path / "de.jsonl", [word("Haus", "house", forms=forms)])
    assert entry_of(german, "Haus").forms == ("Hauses", "hause")
    sense = {"glosses": ["past of возни́кнуть"], "form_of": [{"word": "возни́кнуть"}]}
    row = word("возник", lang="Russian", lang_code="ru", senses=[sense], forms=[{"form": "возни́кший"}])
    russian = entry_of(json_lines(tmp_path / "ru.jsonl", [row]), "возник")
    assert (russian.lemmas, russian.forms) == (("возникнуть",), ("возникший",))


def test_japanese_is_read_as_its_ruby_says_and_chinese_as_its_pinyin(tmp_path: Path) -> None:
    canonical = {"form": "食べる", "tags": ["canonical"], "ruby": [["食", "た"]]}
    japanese = word("食べる", "to eat", lang="Japanese", lang_code="ja", forms=[canonical])
    pinyin = {"zh-pron": "tiānqì", "tags": ["Mandarin", "Pinyin"]}
    chinese = word("天气", "weather", lang="Chinese", lang_code="zh", sounds=[{"zh-pron": "ㄊ"}, pinyin])
    assert entry_of(json_lines(tmp_path / "ja.jsonl", [japanese]), "食べる").reading == "たべる"
    assert entry_of(json_lines(tmp_path / "zh.jsonl", [chinese]), "天气").reading == "tiānqì"


def test_the_info_names_languages_licence_and_source(path: Path) -> None:
    info = info_of(json_lines(path, [word("Zug", "train")]))
    assert (info.title, info.format) == ("Wiktionary: German – English", "kaikki")
    assert (info.source_language, info.target_language) == ("de", "en")
    assert (info.license, info.url) == ("CC BY-SA 4.0, GFDL", "https://kaikki.org/")
    assert "Wiktionary" in info.attribution


def test_other_editions_explain_in_the_language_of_their_glosses(path: Path) -> None:
    gloss = "die Bewegung, die in eine Richtung geht und nicht aufhört, wenn man es will, und das ist auch gut so"
    info = info_of(json_lines(path, [word("Zug", gloss, lang="Deutsch")] * 3))
    assert (info.source_language, info.target_language) == ("de", "de")


def test_a_file_of_several_languages_is_refused(path: Path) -> None:
    json_lines(path, [word("Zug", "train"), word("tren", "train", lang_code="es")] * 9)
    with pytest.raises(ImportRefused, match=r"words in several languages \(de, es\)") as caught:
        rows_of(path)
    assert "kaikki.org/dictionary" in caught.value.hint


def test_a_stray_language_and_redirections_are_left_out(path: Path) -> None:
    rows = [word(f"Wort{number}", "word") for number in range(30)]
    json_lines(path, [*rows, {"title": "Züge", "redirect": "Zug"}, word("tren", "train", lang_code="es")])
    assert {entry.term for entry in entries_of(path)} == {f"Wort{number}" for number in range(30)}
    assert skipped_of(path) == 0


def test_a_bad_line_is_skipped_and_counted(path: Path) -> None:
    good = json.dumps(word("gut", "good"))
    bad = [
        *("no json", "[]", '{"word": 5, "lang_code": "de"}', "\x00", '{"word": "' + "x" * 4_000_001 + '"}'),
        '{"word": "x", "lang_code": "de", "etymology_number": ' + "[" * 50_000 + "}",
        json.dumps(word("x" * 5_000, "long")),
        *(json.dumps(word("x", senses=senses)) for senses in ("text", [{"glosses": [None]}], [])),
        json.dumps(word("x", forms=[1])),
    ]
    for line in bad:
        text_file(path, f"{good}\n{line}\n\n{good}\n")
        assert [entry.term for entry in entries_of(path)] == ["gut", "gut"], line[:60]
        assert skipped_of(path) == 1, line[:60]


def test_half_a_character_and_a_number_of_any_length_where_none_is_read_lose_no_row(path: Path) -> None:
    for row in (
        json.dumps(word("Zug", "\ud83d train")),
        json.dumps(word("Zug", "\ufffd train"))[:-1] + ', "x": ' + "9" * 100_000 + "}",
    ):
        text_file(path, row + "\n")
        assert entry_of(path, "Zug").senses == (Sense(("\ufffd train",)),)
