from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.dictionaries.making import base64_number, dictd
from tests.dictionaries.reading import entries_of, entry_of, info_of, rows_of, skipped_of
from tests.hostile import FORBIDDEN, HOSTILE
from tests.watching import MAX_MB, watch
from tui.dictionaries.formats import open_dictionary
from tui.dictionaries.freedict_text import drop_placeholders, read_freedict
from tui.errors import ImportRefused
from tui.records.dictionaries import DictionaryEntry, Example, Sense

pytestmark = pytest.mark.exhaustive

DEBIAN = Path("/usr/share/dictd")
INFO = """German - English test dictionary

Availability:

    Copyright (C) Somebody 1995 - 2020
    Available under the terms of the GNU General Public License ver. 2.0 and
  any later version.
    This program is free software.

Changelog:

 * none
"""
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
    index = dictd(tmp_path, {**HEADERS, "student": STUDENT})
    assert entries_of(index) == [
        DictionaryEntry(
            term="Student",
            part_of_speech=("noun",),
            senses=(
                Sense(
                    ("university student", "undergraduate (first, second) [Am.]"),
                    ("school", "Br.", "at a university"),
                    (Example("Student im ersten Jahr", "first-year student"),),
                ),
            ),
            pronunciations=("/ʃtuːdˈɛnt/", "/ʃtˈuːt/"),
            related=("Studentin", "Studierende", "Studenten", "Werkstudent"),
            tags=("masculine", "an einer Universität"),
        )
    ]


def test_numbered_meanings_of_spanish_english_are_senses(tmp_path: Path) -> None:
    dictd(tmp_path, {"a": "a /ˈa/\n1. at, to, toward\n2. in, inside\n"}, name="freedict-spa-eng")
    entry = entry_of(tmp_path / "freedict-spa-eng.dict.dz", "a")
    assert (entry.senses, entry.pronunciations) == ((Sense(("at", "to", "toward")), Sense(("in", "inside"))), ("/ˈa/",))


@pytest.mark.parametrize(
    ("definition", "term", "glosses"),
    [
        ("papel /papˈel/\npaper\n", "papel", ("paper",)),
        ("Amt\noffice <n>, bureau <n>\n", "Amt", ("office", "bureau")),
        ("ja. / doch /ja dɔx/\nyes\n", "ja. / doch", ("yes",)),
        ("Dollar-Zeichen /dɔlˈɑːɾ/ ($) <neut, n, sg>\ndollar sign <n>$\n", "Dollar-Zeichen", ("dollar sign", "$")),
        ("AM <neut>\namplitude modulation <n>AM,  /ˈam/\n", "AM", ("amplitude modulation", "AM")),
    ],
)
def test_headwords_and_glosses_are_without_what_stands_around_them(
    definition: str, term: str, glosses: tuple[str, ...]
) -> None:
    entry = read_freedict(definition, [term])
    assert entry is not None
    assert (entry.term, entry.senses[0].glosses) == (term, glosses)


def test_a_definition_that_only_refers_points_to_lemmas() -> None:
    entry = read_freedict("fuhr /fuːɾ/\n see: {fahren}, {fährt}\n", ["fuhr"])
    assert entry is not None
    assert (entry.lemmas, entry.related, entry.senses) == (("fahren", "fährt"), (), ())


@pytest.mark.parametrize(
    ("headword", "found"),
    [
        ("etw. abrunden", "abrunden"),
        ("jdn. von etw. befreien", "befreien"),
        ("sich freuen", "freuen"),
        ("incriminate sb.", "incriminate"),
        ("look after sb.", "look after"),
        ("exchange sth. for sth.", ""),
        ("etw. für etw. aufs Spiel setzen", ""),
        ("sich", ""),
        ("abrunden", ""),
    ],
)
def test_a_verb_is_found_without_what_stands_for_its_objects(headword: str, found: str) -> None:
    assert drop_placeholders(headword) == found


def test_abbreviations_of_the_index_are_forms_as_they_are_written(tmp_path: Path) -> None:
    text = "Amtsgericht /ˈamts/ (AG /ˈɑː/) <neut, n, sg>\ndistrict court\n"
    index = dictd(tmp_path, {"amtsgericht": text})
    with index.open("a", encoding="utf-8") as file:
        file.write(index.read_text(encoding="utf-8").replace("amtsgericht", "ag"))
    assert [(entry.term, entry.forms) for entry in entries_of(index)] == [("Amtsgericht", ("AG",))]


def test_forms_of_an_irregular_verb_stand_behind_its_headword() -> None:
    text = 'go /ɡˈəʊ/ (went /wˈɛnt/ <>, gone /ɡˈɒn/ <>) <v>\ngehen <v, intr>\n      "go too far"  - zu weit gehen\n'
    entry = read_freedict(text, ["go", "went", "gone"])
    assert entry is not None
    assert (entry.term, entry.part_of_speech, entry.forms) == ("go", ("verb",), ("went", "gone"))
    assert entry.senses == (Sense(("gehen",), examples=(Example("go too far", "zu weit gehen"),)),)


@pytest.mark.parametrize(
    ("line", "glosses"),
    [
        ("SisterSr.,  /ˌɛsˈɛɾ/", ("Sister", "Sr.")),
        ("avenue <n>Ave,  /ˈɑːvɛ/ , alley <n>", ("avenue", "Ave", "alley")),
        ("train station <n> [Am.] , station <n>Sta.,  /ʃtˈɑː/ Stn,  /ˌɛstˌeːˈɛn/", None),
        ("seniorSen.,  /zˈeːn/ Snr,  /ˌɛsˌɛnˈɛɾ/ , elder", ("senior", "Sen.", "Snr", "elder")),
    ],
)
def test_abbreviations_of_a_translation_are_glosses_of_their_own(line: str, glosses: tuple[str, ...] | None) -> None:
    entry = read_freedict(f"Wort /vˈɔɾt/\n{line}\n", ["wort"])
    assert entry is not None
    assert entry.senses[0].glosses == (glosses or ("train station [Am.]", "station", "Sta.", "Stn"))


def test_a_headword_without_a_kind_has_that_of_all_its_translations() -> None:
    noun = read_freedict("dog /dˈɒɡ/\nHund <masc> [zool.]\n", ["dog"])
    mixed = read_freedict("light /lˈaɪt/\nLicht <neut>, leicht <adj>\n", ["light"])
    assert noun is not None
    assert mixed is not None
    assert (noun.part_of_speech, mixed.part_of_speech) == (("noun",), ())


def test_a_definition_in_another_layout_is_its_text(tmp_path: Path) -> None:
    index = dictd(tmp_path, {"train": "  1. A row of carriages.\n  2. To teach.\n"}, name="gcide", packed=False)
    assert entries_of(index) == [DictionaryEntry("train", senses=(Sense(("1. A row of carriages.\n  2. To teach.",)),))]


def test_headers_are_the_info(tmp_path: Path) -> None:
    info = info_of(dictd(tmp_path, {**HEADERS, "student": STUDENT}))
    assert (info.title, info.revision, info.format) == ("German - English test dictionary", "1.9", "dictd")
    assert (info.source_language, info.target_language, info.url) == ("de", "en", "https://example.org/")
    assert info.license == "GPL 2+"
    assert info.attribution == "German - English test dictionary, © Somebody 1995 - 2020"
    assert "Changelog" not in info.description


def test_languages_are_those_of_the_name_where_no_header_says_them(tmp_path: Path) -> None:
    info = info_of(dictd(tmp_path, {"papel": "papel\npaper\n"}, name="freedict-spa-eng"))
    assert (info.title, info.source_language, info.target_language) == ("freedict-spa-eng", "es", "en")


@pytest.mark.parametrize("packed", [True, False])
def test_either_file_of_the_pair_is_enough(tmp_path: Path, packed: bool) -> None:
    index = dictd(tmp_path, {"student": STUDENT}, packed=packed)
    other = next(path for path in tmp_path.iterdir() if path != index)
    assert rows_of(index) == rows_of(other)
    index.unlink()
    with pytest.raises(ImportRefused, match="beside it") as caught:
        rows_of(other)
    assert "one directory" in caught.value.hint


def test_an_index_alone_is_half_a_dictionary(tmp_path: Path) -> None:
    index = dictd(tmp_path, {"student": STUDENT}, packed=False)
    index.with_suffix(".dict").unlink()
    with pytest.raises(ImportRefused, match="one half of a dictd dictionary"):
        rows_of(index)


def test_an_index_that_leads_beyond_the_end_is_refused(tmp_path: Path) -> None:
    index = dictd(tmp_path, {"student": STUDENT})
    with index.open("a", encoding="utf-8") as file:
        file.write("weit\t//////////\tQ\n")
    with pytest.raises(ImportRefused, match="beyond the end"):
        rows_of(index)


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("line", "said"),
    [("w\tA\tB\n", "more than 1,000,000 rows"), (f"{'w' * 500}\tA\tB\n", "an index of more than 50 MB")],
)
def test_an_index_that_is_too_large_says_which_limit(tmp_path: Path, line: str, said: str) -> None:
    index = dictd(tmp_path, {"student": STUDENT})
    index.write_text(line * 1_000_001, encoding="utf-8")
    with pytest.raises(ImportRefused, match=said):
        rows_of(index)


def test_a_definition_longer_than_any_is_skipped_and_counted(tmp_path: Path) -> None:
    index = dictd(tmp_path, {"lang": "x" * 4_500_000, "student": STUDENT})
    assert ([entry.term for entry in entries_of(index)], skipped_of(index)) == (["Student"], 1)


def test_lines_of_the_index_that_are_none_are_skipped_and_counted(tmp_path: Path) -> None:
    index = dictd(tmp_path, {f"wort{number:03}": f"Wort{number:03}\nword\n" for number in range(30)})
    with index.open("a", encoding="utf-8") as file:
        file.write("no tabs\nwort\t!!\tA\n" + "x" * 5_000_000 + "\n\n")
    assert (len(entries_of(index)), skipped_of(index)) == (30, 3)


@pytest.mark.parametrize("left", [0.5, 0.95])
def test_cut_definitions_are_refused(tmp_path: Path, left: float) -> None:
    index = dictd(
        tmp_path, {f"wort{number * 7919}": f"Wort{number * 7919}\nword {number**3}\n" for number in range(5_000)}
    )
    packed = index.with_suffix(".dict.dz")
    packed.write_bytes(packed.read_bytes()[: int(packed.stat().st_size * left)])
    with pytest.raises(ImportRefused):
        rows_of(index)


def test_a_bomb_is_refused(tmp_path: Path) -> None:
    index = dictd(tmp_path, {"student": STUDENT})
    text = STUDENT.encode()
    index.with_suffix(".dict.dz").write_bytes(gzip.compress(text) + gzip.compress(b"\0" * 50_000_000) * 3)
    with index.open("a", encoding="utf-8") as file:
        file.write("weit\tIAAAA\tQ\n")  # at 134 217 728
    with pytest.raises(ImportRefused, match="unpacks to a hundred times its size"):
        rows_of(index)


def test_progress_goes_up_and_may_cancel(tmp_path: Path) -> None:
    index = dictd(tmp_path, {f"wort{number}": f"Wort{number}\nword\n" for number in range(2_000)})
    seen: list[float] = []
    with open_dictionary(index) as dictionary:
        assert len(list(dictionary.rows(seen.append))) == 2_000
    assert (seen == sorted(seen), seen[-1], len(seen) > 5) == (True, 1.0, True)


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_no_control_character_comes_through(tmp_path: Path, text: str) -> None:
    definition = f'Zug /{text}/ ({text}) <masc, n>\n [{text}] {text}\n      "{text}"  - {text}\n see: {{{text}}}\n'
    index = dictd(tmp_path, {**HEADERS, "00databaseshort": text, "zug": definition, "x": text, "ok": "ok\nok\n"})
    for entry in entries_of(index):
        texts = [entry.term, *entry.forms, *entry.pronunciations, *entry.related, *entry.lemmas, *entry.tags]
        for sense in entry.senses:
            texts += [*sense.glosses, *sense.tags, *(each.text + each.translation for each in sense.examples)]
        assert not set(FORBIDDEN) & set("".join(texts))
    assert not set(FORBIDDEN) & set(info_of(index).title)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(alphabet='Zug /ˈ()<>[]{}",;.- 1\nsee:Synonyms: Note: \x1b', max_size=200))
def test_any_definition_is_read_or_skipped(tmp_path: Path, text: str) -> None:
    index = dictd(tmp_path, {"zug": "Zug" + text, "ok": "ok\nok\n"})
    assert "ok" in {entry.term for entry in entries_of(index)}


@pytest.mark.parametrize(
    "text",
    [
        "(" * 50_000,
        "Zug /" * 20_000,
        "[x] " * 20_000,
        "<" * 90_000,
        ' "' * 40_000,
        "word\n" + "         Note: n\n" * 50_000,
    ],
)
def test_long_lines_of_marks_take_no_time_that_grows_with_their_square(tmp_path: Path, text: str) -> None:
    index = dictd(tmp_path, {"zug": f"Zug\n{text}\n", "zwei": f"Zwei {text}\n{text}\n", "ok": "ok\nok\n"})
    assert "ok" in {entry.term for entry in entries_of(index)}


def test_a_dictionary_of_debian_is_read_nearly_whole() -> None:
    index = DEBIAN / "freedict-spa-eng.index"
    if not index.exists():
        pytest.skip("dict-freedict-spa-eng is not installed")
    with open_dictionary(index) as dictionary:
        assert (dictionary.info.source_language, dictionary.info.target_language) == ("es", "en")
        assert dictionary.info.license in ("GPL 2+", "GPL 3, AGPL 3")
        entries = [row for row in dictionary.rows(lambda share: None) if isinstance(row, DictionaryEntry)]
        assert dictionary.skipped < 0.001 * len(entries)
    assert sum(bool(entry.pronunciations) for entry in entries) > 0.9 * len(entries)
    assert any("paper" in sense.glosses for entry in entries if entry.term == "papel" for sense in entry.senses)


_READ = """
import sys
from pathlib import Path
from tui.dictionaries.formats import open_dictionary
from tui.errors import ImportRefused
try:
    with open_dictionary(Path(sys.argv[1])) as file:
        print(sum(1 for _ in file.rows(lambda share: None)))
except ImportRefused as error:
    print(error.message)
"""


@pytest.mark.parametrize("step", [0, 1], ids=["the same length", "each one less"])
def test_an_index_that_leads_to_the_whole_file_from_each_word_is_refused(tmp_path: Path, step: int) -> None:
    text = b"word /w/ <n>\n" + 340_000 * b" a gloss,\n"
    definitions = tmp_path / "h.dict"
    definitions.write_bytes(text + 20_000 * b"\n")
    index = tmp_path / "h.index"
    index.write_bytes(
        b"".join(
            b"word%d\t%s\t%s\n" % (at, base64_number(at).encode(), base64_number(len(text) - step * at).encode())
            for at in range(20_000)
        )
    )
    found = watch(_READ, index)
    assert "leads to the same text over and over" in found.out
    assert found.megabytes < 100


@pytest.mark.exhaustive
def test_an_index_as_large_as_any_takes_little(tmp_path: Path) -> None:
    (tmp_path / "h.dict").write_bytes(b"abc\n")
    index = tmp_path / "h.index"
    index.write_bytes(b"".join(b"word%d\tA\tE\n" % at for at in range(999_999)))
    found = watch(_READ, index)
    assert found.out.strip() == "1"
    assert found.megabytes < MAX_MB
    with index.open("ab") as file:
        file.write(b"a\tA\tE\nb\tA\tE\n")
    assert "holds more than" in watch(_READ, index).out
