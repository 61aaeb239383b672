from __future__ import annotations

from pathlib import Path

import pytest

from tests.dictionaries.making import CEDICT_HEADER, entries_of, entry_of, info_of, skipped_of, text_file
from tui.dictionaries.cedict import add_tone_marks
from tui.records.dictionaries import DictionaryEntry, Sense


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cedict_ts.u8"


def test_both_writings_are_one_entry_with_tone_marks(path: Path) -> None:
    text_file(path, CEDICT_HEADER + "天氣 天气 [tian1 qi4] /weather; climate/mood (fig.; rare)/\r\n")
    assert entries_of(path) == [
        DictionaryEntry(
            "天气", "tiānqì", senses=(Sense(("weather", "climate")), Sense(("mood (fig.; rare)",))), forms=("天氣",)
        )
    ]


def test_the_second_version_with_words_in_two_brackets_is_read(path: Path) -> None:
    text_file(path, "天氣預報 天气预报 [[tian1qi4 yu4bao4]] /forecast, see 天氣|天气[[tian1qi4]]/\n")
    entry = entry_of(path, "天气预报")
    assert (entry.reading, entry.senses) == ("tiānqì yùbào", (Sense(("forecast, see 天气[tiānqì]",)),))


def test_one_writing_has_no_other_form(path: Path) -> None:
    text_file(path, "人 人 [ren2] /person/CL:個|个[ge4],位[wei4]/\n")
    entry = entry_of(path, "人")
    assert (entry.forms, entry.senses) == ((), (Sense(("person",)), Sense(("measure word: 个[gè], 位[wèi]",))))


def test_a_variant_points_to_the_usual_writing_where_that_is_certain(path: Path) -> None:
    for sense, lemmas in (
        ("variant of 著|着[zhe5]", ("着",)),
        ("old variant of 裡|里[li3]", ("里",)),
        ("see 天氣|天气[tian1 qi4]", ("天气",)),
        ("see also 天氣|天气[tian1 qi4]", ()),
        ("see 天氣|天气[tian1 qi4] of the mountains", ()),
        ("used in 天氣|天气[tian1 qi4]", ()),
    ):
        text_file(path, f"某 某 [mou3] /{sense}/\n")
        assert entry_of(path, "某").lemmas == lemmas, sense


def test_numbers_of_pinyin_become_tone_marks() -> None:
    for numbered, marked in (
        *(("tian1 qi4", "tiānqì"), ("nu:3 er2", "nǚ'ér"), ("Xi1 an1", "Xī'ān"), ("Mao2 Ze2 dong1", "Máo Zédōng")),
        *(("liu2 shui3 gou3 xue2", "liúshuǐgǒuxué"), ("zher4 r5 de5", "zhèrrde"), ("A A zhi4", "A A zhì"), ("", "")),
        *(("yi1 , er4", "yī, èr"), ("m2 ng4 xx5", "ḿǹgxx"), ("san1 C", "sān C")),
        ("Ma3 ke4 · Tu3 wen1", "Mǎkè · Tǔwēn"),
    ):
        assert add_tone_marks(numbered) == marked


def test_the_header_says_what_it_is(path: Path) -> None:
    info = info_of(text_file(path, CEDICT_HEADER + "人 人 [ren2] /person/\n"))
    assert (info.title, info.format, info.author) == ("CC-CEDICT", "cedict", "MDBG")
    assert (info.license, info.attribution) == ("CC BY-SA 4.0", "CC-CEDICT, MDBG")
    assert (info.source_language, info.target_language, info.revision) == ("zh", "en", "2026-11-01T00:00:00Z")


def test_the_same_format_in_german_and_with_jyutping_is_read(path: Path) -> None:
    glosses = "/".join(["der Mensch, der auf dem Berg ist und nicht mehr will", "die Person, die das nicht weiß"] * 3)
    text_file(path, f"# HanDeDict\n人 人 [ren2] {{jan4}} /{glosses}/\n")
    assert info_of(path).target_language == "de"
    assert entry_of(path, "人").reading == "rén"


def test_a_bad_line_is_skipped_and_counted(path: Path) -> None:
    bad = ["none", "人 人 /person/", "人 人 [ren2] person", "人 人 [ren2] //", "x" * 50_000, "[" * 9_000, "\0\x1b[2J"]
    text_file(path, "\n".join(("人 人 [ren2] /person/", *bad, "天 天 [tian1] /sky/", "")))
    assert [entry.term for entry in entries_of(path)] == ["人", "天"]
    assert skipped_of(path) == len(bad)
