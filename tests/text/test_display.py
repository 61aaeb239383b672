"""Ages, times, sizes, progress, phrases and pitch accents as they are written for people."""

from __future__ import annotations

from datetime import UTC, datetime

from rich.cells import cell_len

from tui.records.dictionaries import PitchAccent
from tui.records.own_words import OwnPhrase
from tui.text import display

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


def test_an_age_is_one_number_and_a_unit() -> None:
    days = ("03-01T11:59:30", "03-01T07:00:00", "02-27T11:00:00", "02-01T12:00:00", "03-01T12:30:00")
    assert [display.age(f"2026-{day}.000Z", NOW) for day in days] == ["now", "5 h", "2 d", "4 wk", "now"]
    others = ("2025-11-01T12:00:00.000Z", "2023-01-01T12:00:00.000Z", "2026-03-01T11:57:00", "", "yesterday")
    assert [display.age(moment, NOW) for moment in others] == ["4 mo", "3 y", "3 min", "", ""]


def test_a_place_and_a_length_read_like_a_clock() -> None:
    places = (None, -5, 888_000, 59_999, 3_600_000, 360_000_000)
    assert [display.clock(each) for each in places] == ["", "0:00", "14:48", "0:59", "1:00:00", "100:00:00"]


def test_the_time_that_is_left_is_as_exact_as_it_is_short() -> None:
    told = ["", "5 s left", "55 s left", "1 min left", "59 min left", "1 h left", "2 h 5 min left"]
    assert [display.time_left(seconds) for seconds in (None, 5, 55, 60, 3565, 3575, 7500)] == told


def test_where_a_second_is_too_long_a_place_has_tenths() -> None:
    assert [display.clock_with_tenths(each) for each in (-50, 59_999, 3_723_450)] == ["0:00.0", "0:59.9", "1:02:03.4"]


def test_a_size_has_one_decimal_and_a_unit() -> None:
    sizes = (0, 999, 1000, 12_345, 999_960, 4_000_000_000, 5 * 10**16)
    told = ["0 B", "999 B", "1.0 kB", "12.3 kB", "1.0 MB", "4.0 GB", "50000.0 TB"]
    assert [display.size(count) for count in sizes] == told


def test_a_bar_is_as_wide_as_asked_and_grows_in_eighths_of_a_cell() -> None:
    assert {cell_len(display.bar(progress, 10)) for progress in (-1.0, 0.0, 0.05, 0.5, 0.999, 1.0, 7.0)} == {10}
    assert [display.bar(progress, 4) for progress in (0.5, 0.53125, 1.0)] == ["██  ", "██▏ ", "████"]


def test_a_source_is_shown_by_its_files_name() -> None:
    sources = ("/films/Der Zug.srt", "sample:el-faro.srt", r"C:\a.srt", "")
    assert [display.source_name(source) for source in sources] == ["Der Zug.srt", "el-faro.srt", "a.srt", ""]


def test_counts_say_their_noun_in_the_right_number() -> None:
    assert display.count_of(1, "clip") == "1 clip"
    assert display.count_of(0, "clip") == "0 clips"
    assert display.count_of(12_345, "clip") == "12\u00a0345 clips"


def test_a_language_without_a_name_is_shown_by_its_code_on_one_line() -> None:
    assert display.language("de") == "German"
    assert display.language(None) == ""
    assert display.language("\x1b[31mx\ny") == "x y"


def test_phrases_are_read_as_they_are_written() -> None:
    phrases = (OwnPhrase("Bescheid sagen", "to let know"), OwnPhrase("Bescheid wissen"))
    assert display.written_phrases(phrases) == "Bescheid sagen = to let know; Bescheid wissen"
    assert display.read_phrases(display.written_phrases(phrases)) == phrases


def test_what_is_no_phrase_is_passed_over() -> None:
    rows: list[tuple[str, tuple[OwnPhrase, ...]]] = [("", ()), (" ; ;", ()), ("=x; a=b=c ;", (OwnPhrase("a", "b=c"),))]
    for typed, read in rows:
        assert display.read_phrases(typed) == read, typed


def test_the_arrow_stands_behind_the_mora_after_which_the_pitch_falls() -> None:
    rows: list[tuple[str, int, str]] = [
        ("はな", 0, "はな [0]"),
        ("はな", 2, "はな↓ [2]"),
        ("はし", 1, "は↓し [1]"),
        ("きょうと", 1, "きょ↓うと [1]"),
        ("がっこう", 3, "がっこ↓う [3]"),
        ("ラーメン", 1, "ラ↓ーメン [1]"),
        ("はな", 9, "はな [9]"),
        ("は\x1b[31mな", 1, "は↓な [1]"),
    ]
    for reading, position, text in rows:
        assert display.pitch_text(PitchAccent(reading, position)) == text, reading


def test_a_small_kana_belongs_to_the_one_before_it_but_a_small_tsu_is_a_mora() -> None:
    assert display.morae("しゅっちょう") == ["しゅ", "っ", "ちょ", "う"]
