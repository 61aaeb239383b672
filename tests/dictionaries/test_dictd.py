from __future__ import annotations

from pathlib import Path

import pytest

from tests.dictionaries import making
from tests.watching import MAX_MB, watch
from tui.dictionaries import dictd as reader
from tui.dictionaries.freedict_text import drop_placeholders, read_freedict
from tui.errors import ImportRefused
from tui.records.dictionaries import DictionaryEntry, Example, Sense

pytestmark = pytest.mark.exhaustive

INFO = (
    "German - English test dictionary\n\nAvailability:\n\n    Copyright (C) Somebody 1995 - 2020\n    Available under"
    " the terms of the GNU General Public License ver. 2.0 and\n  any later version.\n    This program is free software"
    ".\n\nChangelog:\n\n * none\n"
)
HEADERS = {
    "00databaseinfo": INFO,
    "00databaseshort": "German - English test dictionary ver. 1.9\n",
    "00databaseurl": "https://example.org/\n",
    "00databaseutf8": "\n",
}
STUDENT = """Student /ʃtuːdˈɛnt/ (stud. /ʃtˈuːt/) <masc, n, sg>
 [school]  [Br.] university student <n>, undergraduate (first, second) <n> [Am.]
         Note: at a university
      "Student im ersten Jahr"  - first-year student
   Synonyms: {Studentin}, {Studierende}

 see: {Studenten}, {Werkstudent}

         Note: an einer Universität
"""


def test_a_definition_of_german_english_is_read_with_all_its_parts(tmp_path: Path) -> None:
    index = making.dictd(tmp_path, {**HEADERS, "student": STUDENT})
    sense = Sense(
        ("university student", "undergraduate (first, second) [Am.]"),
        ("school", "Br.", "at a university"),
        (Example("Student im ersten Jahr", "first-year student"),),
    )
    assert making.entries_of(index) == [
        DictionaryEntry(
            term="Student",
            part_of_speech=("noun",),
            senses=(sense,),
            pronunciations=("/ʃtuːdˈɛnt/", "/ʃtˈuːt/"),
            related=("Studentin", "Studierende", "Studenten", "Werkstudent"),
            tags=("masculine", "an einer Universität"),
        )
    ]


def test_numbered_meanings_of_spanish_english_are_senses(tmp_path: Path) -> None:
    making.dictd(tmp_path, {"a": "a /ˈa/\n1. at, to, toward\n2. in, inside\n"}, name="freedict-spa-eng")
    entry = making.entry_of(tmp_path / "freedict-spa-eng.dict.dz", "a")
    assert (entry.senses, entry.pronunciations) == ((Sense(("at", "to", "toward")), Sense(("in", "inside"))), ("/ˈa/",))


def test_headwords_and_glosses_are_without_what_stands_around_them() -> None:
    for definition, term, glosses in (
        ("papel /papˈel/\npaper\n", "papel", ("paper",)),
        ("Amt\noffice <n>, bureau <n>\n", "Amt", ("office", "bureau")),
        ("ja. / doch /ja dɔx/\nyes\n", "ja. / doch", ("yes",)),
        ("Dollar-Zeichen /dɔlˈɑːɾ/ ($) <neut, n, sg>\ndollar sign <n>$\n", "Dollar-Zeichen", ("dollar sign", "$")),
        ("AM <neut>\namplitude modulation <n>AM,  /ˈam/\n", "AM", ("amplitude modulation", "AM")),
        # abbreviations of a translation are glosses of their own
        ("Wort /vˈɔɾt/\nSisterSr.,  /ˌɛsˈɛɾ/\n", "Wort", ("Sister", "Sr.")),
        ("Wort\navenue <n>Ave,  /ˈɑːvɛ/ , alley <n>\n", "Wort", ("avenue", "Ave", "alley")),
        ("Wort\nstop <n> [Am.] , end <n>Sta.,  /ˈɑː/ Stn,  /ˌɛ/\n", "Wort", ("stop [Am.]", "end", "Sta.", "Stn")),
        ("Wort\nseniorSen.,  /zˈeːn/ Snr,  /ˌɛsˌɛnˈɛɾ/ , elder\n", "Wort", ("senior", "Sen.", "Snr", "elder")),
    ):
        entry = read_freedict(definition, [term])
        assert entry is not None
        assert (entry.term, entry.senses[0].glosses) == (term, glosses)


def test_a_definition_that_only_refers_points_to_lemmas() -> None:
    entry = read_freedict("fuhr /fuːɾ/\n see: {fahren}, {fährt}\n", ["fuhr"])
    assert entry is not None
    assert (entry.lemmas, entry.related, entry.senses) == (("fahren", "fährt"), (), ())


def test_a_verb_is_found_without_what_stands_for_its_objects() -> None:
    for headword, found in (
        *(("etw. abrunden", "abrunden"), ("jdn. von etw. befreien", "befreien"), ("sich freuen", "freuen")),
        *(("incriminate sb.", "incriminate"), ("look after sb.", "look after"), ("exchange sth. for sth.", "")),
        *(("etw. für etw. aufs Spiel setzen", ""), ("sich", ""), ("abrunden", "")),
    ):
        assert drop_placeholders(headword) == found


def test_abbreviations_of_the_index_are_forms_as_they_are_written(tmp_path: Path) -> None:
    text = "Amtsgericht /ˈamts/ (AG /ˈɑː/) <neut, n, sg>\ndistrict court\n"
    index = making.dictd(tmp_path, {"amtsgericht": text})
    with index.open("a", encoding="utf-8") as file:
        file.write(index.read_text(encoding="utf-8").replace("amtsgericht", "ag"))
    assert [(entry.term, entry.forms) for entry in making.entries_of(index)] == [("Amtsgericht", ("AG",))]


def test_forms_of_an_irregular_verb_stand_behind_its_headword() -> None:
    text = 'go /ɡˈəʊ/ (went /wˈɛnt/ <>, gone /ɡˈɒn/ <>) <v>\ngehen <v, intr>\n      "go too far"  - zu weit gehen\n'
    entry = read_freedict(text, ["go", "went", "gone"])
    assert entry is not None
    assert (entry.term, entry.part_of_speech, entry.forms) == ("go", ("verb",), ("went", "gone"))
    assert entry.senses == (Sense(("gehen",), examples=(Example("go too far", "zu weit gehen"),)),)


def test_a_headword_without_a_kind_has_that_of_all_its_translations() -> None:
    noun = read_freedict("dog /dˈɒɡ/\nHund <masc> [zool.]\n", ["dog"])
    mixed = read_freedict("light /lˈaɪt/\nLicht <neut>, leicht <adj>\n", ["light"])
    assert noun is not None
    assert mixed is not None
    assert (noun.part_of_speech, mixed.part_of_speech) == (("noun",), ())


def test_a_definition_in_another_layout_is_its_text(tmp_path: Path) -> None:
    index = making.dictd(tmp_path, {"train": "  1. A row of carriages.\n  2. To teach.\n"}, name="gcide", packed=False)
    sense = Sense(("1. A row of carriages.\n  2. To teach.",))
    assert making.entries_of(index) == [DictionaryEntry("train", senses=(sense,))]


def test_headers_are_the_info_and_else_the_name(tmp_path: Path) -> None:
    info = making.info_of(making.dictd(tmp_path, {**HEADERS, "student": STUDENT}))
    assert (info.title, info.revision, info.format) == ("German - English test dictionary", "1.9", "dictd")
    assert (info.source_language, info.target_language, info.url) == ("de", "en", "https://example.org/")
    assert info.license == "GPL 2+"
    assert info.attribution == "German - English test dictionary, © Somebody 1995 - 2020"
    assert "Changelog" not in info.description
    without = making.info_of(making.dictd(tmp_path, {"papel": "papel\npaper\n"}, name="freedict-spa-eng"))
    assert (without.title, without.source_language, without.target_language) == ("freedict-spa-eng", "es", "en")


@pytest.mark.parametrize("packed", [True, False])
def test_either_file_of_the_pair_is_enough_but_both_must_be_there(tmp_path: Path, packed: bool) -> None:
    index = making.dictd(tmp_path, {"student": STUDENT}, packed=packed)
    definitions = next(path for path in tmp_path.iterdir() if path != index)
    assert making.rows_of(index) == making.rows_of(definitions)
    for path, other, said in (
        (index, definitions, "one half of a dictd dictionary"),
        (definitions, index, "beside it"),
    ):
        away = other.rename(tmp_path / "away")
        with pytest.raises(ImportRefused, match=said) as caught:
            making.rows_of(path)
        assert "one directory" in caught.value.hint
        away.rename(other)


def test_an_index_beyond_the_end_or_too_large_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    index = making.dictd(tmp_path, {"student": STUDENT})
    monkeypatch.setattr(reader, "_MAX_WORDS", 3)
    monkeypatch.setattr(reader, "_MAX_INDEX", 1_000)
    for lines, said in (
        ("weit\t//////////\tQ\n", "beyond the end"),
        ("w\tA\tB\n" * 4, "more than 3 rows"),
        (f"{'w' * 500}\tA\tB\n" * 2, "an index of more than 0.001 MB"),
    ):
        index.write_text(lines, encoding="utf-8")
        with pytest.raises(ImportRefused, match=said):
            making.rows_of(index)


def test_a_definition_longer_than_any_is_skipped_and_counted(tmp_path: Path) -> None:
    index = making.dictd(tmp_path, {"lang": "x" * 4_000_001, "student": STUDENT})
    assert ([entry.term for entry in making.entries_of(index)], making.skipped_of(index)) == (["Student"], 1)


def test_lines_of_the_index_that_are_none_are_skipped_and_counted(tmp_path: Path) -> None:
    index = making.dictd(tmp_path, {f"wort{number:03}": f"Wort{number:03}\nword\n" for number in range(30)})
    with index.open("a", encoding="utf-8") as file:
        file.write("no tabs\nwort\t!!\tA\n" + "x" * 5_000_000 + "\n\n")
    assert (len(making.entries_of(index)), making.skipped_of(index)) == (30, 3)


@pytest.mark.parametrize(
    "text", ["(" * 50_000, "Zug /" * 20_000, "[x] " * 20_000, ' "' * 40_000, "word\n" + "         Note: n\n" * 50_000]
)
def test_long_lines_of_marks_take_no_time_that_grows_with_their_square(tmp_path: Path, text: str) -> None:
    index = making.dictd(tmp_path, {"zug": f"Zug\n{text}\n", "zwei": f"Zwei {text}\n{text}\n", "ok": "ok\nok\n"})
    assert "ok" in {entry.term for entry in making.entries_of(index)}


@pytest.mark.parametrize("step", [0, 1], ids=["the same length", "each one less"])
def test_an_index_that_leads_to_the_whole_file_from_each_word_is_refused(tmp_path: Path, step: int) -> None:
    text = b"word /w/ <n>\n" + 340_000 * b" a gloss,\n"
    (tmp_path / "h.dict").write_bytes(text + 20_000 * b"\n")
    places = [(making.base64_number(at), making.base64_number(len(text) - step * at)) for at in range(20_000)]
    lines = (f"word{at}\t{offset}\t{length}\n" for at, (offset, length) in enumerate(places))
    index = making.text_file(tmp_path / "h.index", "".join(lines))
    found = watch(making.READ, index)
    assert "leads to the same text over and over" in found.out
    assert found.megabytes < 100


def test_an_index_as_large_as_any_takes_little(tmp_path: Path) -> None:
    (tmp_path / "h.dict").write_bytes(b"abc\n")
    index = making.text_file(tmp_path / "h.index", "".join(f"word{at}\tA\tE\n" for at in range(999_999)))
    found = watch(making.READ, index)
    assert found.out.strip() == "1"
    assert found.megabytes < MAX_MB
