from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.dictionaries import making
from tests.dictionaries.making import READ, entries_of, entry_of, info_of, rows_of, skipped_of, structured, term_row
from tests.importing.archives.making import encrypted
from tests.watching import MAX_MB, watch
from tui.errors import ImportRefused
from tui.records import dictionaries as records


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "wty-de-en.zip"


def test_glosses_of_a_row_are_one_sense_with_its_part_of_speech(path: Path) -> None:
    row = term_row("食べる", "to eat", "to live on", reading="たべる", tags="1 v1 arch", rules="v1", score=7)
    tags = [["v1", "partOfSpeech", 0, "Ichidan verb", 0], ["arch", "archaism", 0, "archaic", 0]]
    making.yomitan(path, [row], tags=tags)
    sense = records.Sense(("to eat", "to live on"))
    wanted = records.DictionaryEntry("食べる", "たべる", ("Ichidan verb",), (sense,), score=7, tags=("archaic",))
    assert entries_of(path) == [wanted]


def test_structured_content_of_wiktionary_becomes_senses_labels_and_examples(path: Path) -> None:
    content = making.wiktionary_content("to drive", tags=["transitive"], example="Er fährt.", translation="He drives.")
    making.yomitan(path, [term_row("fahren", structured(content))])
    entry = entry_of(path, "fahren")
    assert entry.senses == (
        records.Sense(("to drive",), ("transitive",), (records.Example("Er fährt.", "He drives."),)),
    )
    assert entry.html == "<ol><li><i>transitive</i> to drive<div>Er fährt.<br>He drives.</div></li></ol>"


def test_items_of_a_glossary_are_told_by_their_types(path: Path) -> None:
    picture, text = {"type": "image", "path": "zug.png"}, {"type": "text", "text": "train"}
    three = tuple(records.Sense((gloss,)) for gloss in "abc")
    rows: dict[str, tuple[list[Any], dict[str, Any]]] = {
        "rules": (["to eat"], {"part_of_speech": ("ichidan verb",), "reading": ""}),  # the reading is the term
        "form": ([["gehen", ["present"]], ["gehen", []]], {"lemmas": ("gehen",), "tags": ("present",), "senses": ()}),
        "picture": ([picture, text], {"senses": (records.Sense(("train",)),)}),
        "beside": (["a", structured({"tag": "b", "content": "b"}), "c"], {"senses": three}),
    }
    making.yomitan(path, [term_row(term, *items, reading=term, rules="v1") for term, (items, _) in rows.items()])
    for entry in entries_of(path):
        wanted = rows[entry.term][1]
        assert {name: getattr(entry, name) for name in wanted} == wanted


def test_html_that_pyglossary_writes_as_text_is_its_text(path: Path) -> None:
    text = "Zug /tsuːk/<br />1. train &amp; <b class='x'>carriage</b><div>2. a &lt; b</div><script>x</script>"
    rows = [term_row("Zug", text)]
    converted = making.yomitan(path, rows, index={**making.INDEX, "revision": "PyGlossary export"})
    assert entry_of(converted, "Zug").senses == (records.Sense(("Zug /tsuːk/\n1. train & carriage\n2. a < b\nx",)),)
    assert entry_of(making.yomitan(path, rows), "Zug").senses == (records.Sense((text,)),)


def test_older_versions_are_read_too(path: Path) -> None:
    tags = {"vt": {"category": "partOfSpeech", "notes": "transitive verb"}}
    old = [["Zug", "", "n", "", 3, "train", "draught"], ["essen", "", "vt", "", 0, "to eat"]]
    making.yomitan(path, old, index={"title": "Old", "version": 1, "tagMeta": tags})  # glosses behind the score
    noun, verb = entries_of(path)
    assert (noun.senses, noun.part_of_speech, noun.score) == ((records.Sense(("train", "draught")),), ("noun",), 3)
    assert verb.part_of_speech == ("transitive verb",)
    making.yomitan(path, [term_row("Zug", "train")], index={"title": "Old", "format": 2, "revision": 2})
    assert (info_of(path).revision, entry_of(path, "Zug").senses) == ("2", (records.Sense(("train",)),))


def test_frequencies_are_numbers_with_what_is_shown_and_what_is_none_is_skipped(path: Path) -> None:
    values = [12, "1,204 (top)", "★★★", {"value": 5, "displayValue": "5㋕"}]
    values += [{"reading": "ねこ", "frequency": {"value": 5}}, {"reading": "ねこ", "frequency": "5th"}]
    none: list[Any] = [None, True, [], {}, -1, 10**400, {"value": []}, {"frequency": {}}]
    making.yomitan(path, metas=[["猫", "freq", value] for value in (*none, *values)])
    assert rows_of(path) == [
        records.TermFrequency("猫", reading, number, shown)
        for reading, number, shown in (
            *(("", 12, "12"), ("", 1204, "1,204 (top)"), ("", None, "★★★"), ("", 5, "5㋕")),
            *(("ねこ", 5, "5"), ("ねこ", 5, "5th")),
        )
    ]
    assert skipped_of(path) == len(none)


def test_pitch_accents_are_the_mora_after_which_the_pitch_falls(path: Path) -> None:
    falls: dict[Any, int] = {0: 0, 2: 2, "LHHL": 3, "HLL": 1, "LHHH": 0}
    pitches = [{"reading": "さくら", "pitches": [{"position": position}]} for position in falls]
    making.yomitan(path, metas=[["桜", "pitch", pitch] for pitch in pitches])
    assert rows_of(path) == [
        records.TermPronunciation("桜", "さくら", pitch=(records.PitchAccent("さくら", at),)) for at in falls.values()
    ]


def test_ipa_stands_beside_the_term(path: Path) -> None:
    making.yomitan(path, metas=[["Zug", "ipa", {"reading": "Zug", "transcriptions": [{"ipa": "/tsuːk/"}]}]])
    assert rows_of(path) == [records.TermPronunciation("Zug", "", ("/tsuːk/",))]


def test_what_the_index_says_is_the_info(path: Path) -> None:
    index = {"title": "JPDB", "format": 3, "revision": "v2", "author": "somebody", "url": "https://example.org"}
    index |= {"description": "Words of novels", "attribution": "CC BY-SA 4.0", "frequencyMode": "rank-based"}
    languages = {"sourceLanguage": "JPN", "targetLanguage": "en"}
    making.yomitan(path, metas=[["猫", "freq", 1]], index=index | languages)
    assert info_of(path) == records.DictionaryInfo(
        *("JPDB", "yomitan", "v2", "ja", "en", "somebody", "https://example.org", "Words of novels", "CC BY-SA 4.0"),
        frequency_mode="rank-based",
    )


def test_languages_that_the_index_does_not_name_are_found(path: Path) -> None:
    making.yomitan(path, [term_row("食べる", "たべもの", reading="たべる")], index={"title": "辞書", "format": 3})
    assert info_of(path).source_language == "ja"
    making.yomitan(path, [term_row("Zug", "train")], index={"title": "kty-de-en", "format": 3})
    assert (info_of(path).source_language, info_of(path).target_language) == ("de", "en")


def test_banks_are_read_in_the_order_of_their_numbers(path: Path) -> None:
    terms = [f"wort{number}" for number in range(12)]
    making.yomitan(path, [term_row(term, "word") for term in terms], rows_a_bank=1)
    assert [entry.term for entry in entries_of(path)] == terms


def refusal(path: Path) -> ImportRefused:
    with pytest.raises(ImportRefused) as caught:
        rows_of(path)
    return caught.value


BAD_ROWS: list[Any] = [
    None,
    "text",
    {},
    [],
    ["Zug"],
    [1, "", "", "", 0, ["x"], 0, ""],
    ["Zug", [], "", "", 0, ["x"], 0, ""],
    ["Zug", "", "", "", "high", ["x"], 0, ""],
    ["Zug", "", "", "", 10**400, ["x"], 0, ""],
    ["Zug", "", "", "", 0, "x", 0, ""],
    ["Zug", "", "", "", 0, [], 0, ""],
    ["Zug", "", "", "", 0, [None, 1, {"type": 5}, [], [[]], {"type": "text", "text": 3}], 0, ""],
    ["", "", "", "", 0, ["x"], 0, ""],
    ["\x00\x1b", "", "", "", 0, ["x"], 0, ""],
    ["Z" * 10_000, "", "", "", 0, ["x"], 0, ""],
]


def test_a_bad_row_is_skipped_and_counted_and_a_dictionary_of_such_only_is_refused(path: Path) -> None:
    for row in BAD_ROWS:
        making.yomitan(path, [row, term_row("gut", "good")])
        assert ([entry.term for entry in entries_of(path)], skipped_of(path)) == (["gut"], 1), str(row)[:60]
    making.yomitan(path, BAD_ROWS)
    assert "without a row that can be understood" in refusal(path).message


def test_half_a_character_does_not_lose_its_row(path: Path) -> None:
    bank = json.dumps([term_row("Zug \ud83d \\ud83d", "\ude80 train \ud83d\ude80")]).encode()
    making.yomitan(path, more={"term_bank_1.json": bank})
    [entry] = entries_of(path)
    assert (entry.term, entry.senses) == ("Zug \ufffd \\ud83d", (records.Sense(("\ufffd train \U0001f680",)),))


def test_a_broken_bank_or_index_refuses_the_file_and_is_named(path: Path) -> None:
    for member, content, said in (
        *(("term_bank_2", bank, "is no list of rows") for bank in (b"no json", b"{}", b"[[1,2", b"", b"\xff\xfe\x00")),
        ("term_bank_2", b"[" * 100_000 + b"]" * 100_000, "nested too deeply"),
        *(("index", index, "") for index in (b"", b"[]", b"{}", b'{"title": 5, "format": "x"}', b"[" * 5_000)),
    ):
        more = {f"{member}.json": content}
        making.yomitan(path, [term_row("Zug", "train")] * 2, rows_a_bank=1, more=more)
        error = refusal(path)
        assert said in error.message and "wty-de-en.zip" in error.message and f"{member}.json" in error.message
        assert error.hint


def test_a_later_version_is_refused(path: Path) -> None:
    making.yomitan(path, [term_row("Zug", "train")], index={"title": "New", "format": 4})
    assert "later version than 3" in refusal(path).message


def test_banks_outside_of_the_root_are_not_read(path: Path) -> None:
    bank = json.dumps([term_row("fort", "x")]).encode()
    more = {f"{folder}term_bank_2.json": bank for folder in ("../", "/", "a/")}
    making.yomitan(path, [term_row("Zug", "train")], more=more)
    assert [entry.term for entry in entries_of(path)] == ["Zug"]


def test_kanji_banks_alone_are_refused(path: Path) -> None:
    making.yomitan(path, more={"kanji_bank_1.json": b"[]"})
    assert "those of single kanji are not read" in refusal(path).message


def test_an_encrypted_dictionary_is_refused(path: Path) -> None:
    encrypted(making.yomitan(path, [term_row("Zug", "train")]))
    assert "is locked with a password" in refusal(path).message


def test_a_dictionary_with_a_flipped_byte_is_refused(path: Path) -> None:
    making.yomitan(path, [term_row(f"wort{number}", "word") for number in range(500)])
    data = bytearray(path.read_bytes())
    data[data.find(b"term_bank_1.json") + 200] ^= 0xFF
    path.write_bytes(data)
    assert refusal(path).hint


def test_a_row_of_many_megabytes_is_skipped(path: Path) -> None:
    making.yomitan(path, [term_row("lang", "x" * 5_000_000), term_row("Zug", "train")])
    assert [entry.term for entry in entries_of(path)] == ["Zug"]


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("start", "repeated", "times", "end"),
    [
        (b"", b"1000,", 8_000_000, b"0"),
        (b"", b"[],", 6_000_000, b"0"),
        (b'["a","","",0,0,["', b"x", 60_000_000, b'"],0,""]'),
    ],
    ids=["numbers", "lists", "one row"],
)
def test_a_bank_of_whatever_takes_little(tmp_path: Path, start: bytes, repeated: bytes, times: int, end: bytes) -> None:
    path = tmp_path / "d.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("index.json", '{"title": "t", "revision": "1", "format": 3}')
        archive.writestr("term_bank_1.json", b"[" + start + times * repeated + end + b"]")
    found = watch(READ, path)
    assert found.code == 0 and ("has " in found.out or found.out.strip() == "1"), found.out
    assert found.megabytes < MAX_MB
