from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.dictionaries.making import json_lines, text_file, wiktextract_row
from tests.dictionaries.reading import entries_of, entry_of, info_of, rows_of, skipped_of
from tests.hostile import FORBIDDEN, HOSTILE
from tui.dictionaries.formats import open_dictionary
from tui.errors import ImportRefused
from tui.records.dictionaries import Example, Sense

pytestmark = pytest.mark.exhaustive


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "German.jsonl"


def test_a_row_is_an_entry_with_senses_forms_and_ipa(path: Path) -> None:
    sense = {
        "glosses": ["vehicle", "train"],
        "tags": ["masculine"],
        "topics": ["rail-transport"],
        "examples": [
            {"text": "Der Zug fährt ab.", "translation": "The train leaves."},
            {"text": "Im Zug.", "english": "-"},
        ],
    }
    forms = [
        {"form": "strong", "tags": ["table-tags"]},
        {"form": "Züge", "tags": ["plural"]},
        {"form": "-", "tags": ["genitive"]},
        {"form": "Zug", "tags": ["nominative"]},
    ]
    sounds = [{"ipa": "/tsuːk/"}, {"audio": "De-Zug.ogg"}]
    json_lines(path, [wiktextract_row("Zug", senses=[sense], forms=forms, sounds=sounds, synonyms=[{"word": "Bahn"}])])
    entry = entry_of(path, "Zug")
    assert entry.part_of_speech == ("noun",)
    assert entry.senses == (
        Sense(
            ("train",),
            ("masculine", "rail-transport"),
            (Example("Der Zug fährt ab.", "The train leaves."), Example("Im Zug.", "-")),
        ),
    )
    assert (entry.forms, entry.pronunciations, entry.related) == (("Züge",), ("/tsuːk/",), ("Bahn",))


def test_a_form_points_to_its_lemma(path: Path) -> None:
    sense = {
        "glosses": ["third-person singular of fahren"],
        "tags": ["form-of"],
        "form_of": [{"word": "fahren (“drive”)"}],
    }
    json_lines(path, [wiktextract_row("fährt", pos="verb", senses=[sense, {"alt_of": [{"word": "fahrt"}]}])])
    entry = entry_of(path, "fährt")
    assert entry.lemmas == ("fahren", "fahrt")
    assert entry.senses == (Sense(("third-person singular of fahren",)),)


def test_forms_are_as_texts_have_them(tmp_path: Path) -> None:
    forms = [
        *({"form": form} for form in ("das Haus", "des Hauses", "ich hause")),
        {"form": "haben", "tags": ["auxiliary"]},
        {"form": "avoir + past participle", "tags": ["multiword-construction"]},
    ]
    german = json_lines(tmp_path / "de.jsonl", [wiktextract_row("Haus", "house", forms=forms)])
    assert entry_of(german, "Haus").forms == ("Hauses", "hause")
    sense = {"glosses": ["past of возни́кнуть"], "form_of": [{"word": "возни́кнуть"}]}
    row = wiktextract_row("возник", lang="Russian", lang_code="ru", senses=[sense], forms=[{"form": "возни́кший"}])
    russian = entry_of(json_lines(tmp_path / "ru.jsonl", [row]), "возник")
    assert (russian.lemmas, russian.forms) == (("возникнуть",), ("возникший",))


def test_japanese_is_read_as_its_ruby_says_and_chinese_as_its_pinyin(tmp_path: Path) -> None:
    canonical = {"form": "食べる", "tags": ["canonical"], "ruby": [["食", "た"]]}
    japanese = wiktextract_row("食べる", "to eat", lang="Japanese", lang_code="ja", forms=[canonical])
    pinyin = {"zh-pron": "tiānqì", "tags": ["Mandarin", "Pinyin"]}
    chinese = wiktextract_row("天气", "weather", lang="Chinese", lang_code="zh", sounds=[{"zh-pron": "ㄊ"}, pinyin])
    assert entry_of(json_lines(tmp_path / "ja.jsonl", [japanese]), "食べる").reading == "たべる"
    assert entry_of(json_lines(tmp_path / "zh.jsonl", [chinese]), "天气").reading == "tiānqì"


def test_the_info_names_languages_licence_and_source(path: Path) -> None:
    info = info_of(json_lines(path, [wiktextract_row("Zug", "train")]))
    assert (info.title, info.format) == ("Wiktionary: German – English", "kaikki")
    assert (info.source_language, info.target_language) == ("de", "en")
    assert (info.license, info.url) == ("CC BY-SA 4.0, GFDL", "https://kaikki.org/")
    assert "Wiktionary" in info.attribution


def test_other_editions_explain_in_the_language_of_their_glosses(path: Path) -> None:
    gloss = "die Bewegung, die in eine Richtung geht und nicht aufhört, wenn man es will, und das ist auch gut so"
    info = info_of(json_lines(path, [wiktextract_row("Zug", gloss, lang="Deutsch")] * 3))
    assert (info.source_language, info.target_language) == ("de", "de")


def test_packed_lines_read_the_same(tmp_path: Path) -> None:
    rows = [wiktextract_row(f"Wort{number}", "word") for number in range(50)]
    plain, packed = json_lines(tmp_path / "a.jsonl", rows), json_lines(tmp_path / "a.jsonl.gz", rows)
    assert rows_of(plain) == rows_of(packed)
    assert len(rows_of(plain)) == 50


def test_a_file_of_several_languages_is_refused(path: Path) -> None:
    json_lines(path, [wiktextract_row("Zug", "train"), wiktextract_row("tren", "train", lang_code="es")] * 9)
    with pytest.raises(ImportRefused, match=r"words in several languages \(de, es\)") as caught:
        rows_of(path)
    assert "kaikki.org/dictionary" in caught.value.hint


def test_a_stray_language_and_redirections_are_left_out(path: Path) -> None:
    rows = [wiktextract_row(f"Wort{number}", "word") for number in range(30)]
    json_lines(path, [*rows, {"title": "Züge", "redirect": "Zug"}, wiktextract_row("tren", "train", lang_code="es")])
    assert {entry.term for entry in entries_of(path)} == {f"Wort{number}" for number in range(30)}
    assert skipped_of(path) == 0


@pytest.mark.parametrize(
    "line",
    [
        "no json",
        "[]",
        '{"word": 5, "lang_code": "de"}',
        json.dumps(wiktextract_row("x", senses="text")),
        json.dumps(wiktextract_row("x", senses=[{"glosses": [None]}])),
        json.dumps(wiktextract_row("x", forms=[1])),
        json.dumps(wiktextract_row("x")),
        json.dumps(wiktextract_row("x" * 5_000, "long")),
        '{"word": "x", "lang_code": "de", "etymology_number": ' + "[" * 50_000 + "}",
        "\x00",
        '{"word": "' + "x" * 9_000_000 + '"}',
    ],
    ids=range(11),
)
def test_a_bad_line_is_skipped_and_counted(path: Path, line: str) -> None:
    good = json.dumps(wiktextract_row("gut", "good"))
    text_file(path, f"{good}\n{line}\n\n{good}\n")
    assert [entry.term for entry in entries_of(path)] == ["gut", "gut"]
    assert skipped_of(path) == 1


def test_a_number_of_any_length_where_none_is_read_does_no_harm(path: Path) -> None:
    text_file(path, json.dumps(wiktextract_row("Zug", "train"))[:-1] + ', "x": ' + "9" * 1_000_000 + "}\n")
    assert entry_of(path, "Zug").senses == (Sense(("train",)),)


def test_half_a_character_does_not_lose_its_row(path: Path) -> None:
    text_file(path, json.dumps(wiktextract_row("Zug", "\ud83d train")) + "\n")
    assert entry_of(path, "Zug").senses == (Sense(("\ufffd train",)),)


@pytest.mark.parametrize("left", [0.5, 0.9])
def test_a_cut_file_is_refused(tmp_path: Path, left: float) -> None:
    path = tmp_path / "German.jsonl.gz"
    rows = [wiktextract_row(f"Wort{number * 7919}", f"word {number**3}") for number in range(20_000)]
    data = json_lines(path, rows).read_bytes()
    path.write_bytes(data[: int(len(data) * left)])
    with pytest.raises(ImportRefused, match="its end is missing"):
        rows_of(path)


def test_a_bomb_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "German.jsonl.gz"
    row = json.dumps(wiktextract_row("Zug", "train")).encode() + b"\n"
    path.write_bytes(gzip.compress(row) + gzip.compress((b" " * 999 + b"\n") * 40_000) * 3)
    with pytest.raises(ImportRefused, match="unpacks to a hundred times its size"):
        rows_of(path)


def test_progress_goes_up_and_may_cancel(path: Path) -> None:
    json_lines(path, [wiktextract_row(f"Wort{number}", "word " * 50) for number in range(3_000)])
    seen: list[float] = []
    with open_dictionary(path) as dictionary:
        assert len(list(dictionary.rows(seen.append))) == 3_000
    assert (seen == sorted(seen), seen[-1], len(seen) > 5) == (True, 1.0, True)


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_no_control_character_comes_through(path: Path, text: str) -> None:
    sense = {
        "glosses": [text],
        "tags": [text],
        "form_of": [{"word": "Zug" + text}],
        "examples": [{"text": text, "english": text}],
    }
    more: dict[str, Any] = {"forms": [{"form": text}], "sounds": [{"ipa": text}], "pos": text, "lang": text}
    json_lines(path, [wiktextract_row(f"Zug {text}", senses=[sense], **more), wiktextract_row("Zug", "train")])
    for entry in entries_of(path):
        texts = [entry.term, *entry.part_of_speech, *entry.lemmas, *entry.forms, *entry.pronunciations]
        for each in entry.senses:
            texts += [
                *each.glosses,
                *each.tags,
                *(part for example in each.examples for part in (example.text, example.translation)),
            ]
        assert not set(FORBIDDEN) & set("".join(texts))
    assert not set(FORBIDDEN) & set(info_of(path).title)


json_values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=5)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(["word", "glosses", "form"]), inner)
    ),
    max_leaves=8,
)


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.dictionaries(
            st.sampled_from(["word", "lang_code", "senses", "forms", "sounds", "pos", "lang"]), json_values
        ),
        max_size=4,
    )
)
def test_any_json_is_read_or_skipped(path: Path, rows: list[Any]) -> None:
    json_lines(path, [wiktextract_row("Zug", "train"), *(wiktextract_row("Zug", "train") | row for row in rows)])
    try:
        assert "Zug" in {entry.term for entry in entries_of(path)}
    except ImportRefused as error:
        assert error.hint
