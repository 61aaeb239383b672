"""Exported transcripts read back as they were, whatever is in them; players get what the formats say."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.hostile import HOSTILE
from tui.errors import InvalidInput
from tui.exporting import formats
from tui.importing.parse import parse
from tui.records.pages import to_json
from tui.records.transcripts import Cue, Ruby, Sentence, Transcript
from tui.text.sanitize import without_controls

FILM = Transcript("abcabcabcabc", None, "Der letzte Zug", "de", "import", 1, 9000, "2026-11-22T10:00:00.000Z")
TEXT = Transcript("abcabcabcabd", None, "Kapitel 1", "de", "import", 1, None, "2026-11-22T10:00:00.000Z")
ODD_LINES = (
    *("<i>", "</font>", "a < b > c", "<<i>b>", "<v Anna>", "&lt;i&gt;", "&amp;", "&#0;", "{\\an8}", "{i}", "{y:b}"),
    *("{{i}\\an8}", "-->", "--&gt;", "00:00:01,000 --> 00:00:02,000", "0:00:01.000,0:00:02.000", "1", "2", "7", " 3 "),
    *("00:00:01.000 --> 00:00:02.000 align:start", "WEBVTT", "NOTE x", "STYLE", "Language: fr", "[br]", "♪", "#"),
    *("\x00", "\x1b[31m", "\ufeff", "\u2028", "\r", "\t", "\n\n", "\u202e", "漢字", "ไทย", "😀", "é", "[a]: b", "- x"),
)
TEXTS = st.lists(st.sampled_from(ODD_LINES) | st.text(max_size=12), min_size=1, max_size=6).flatmap(
    lambda parts: st.sampled_from(("\n", " ", "")).map(lambda glue: glue.join(parts))
)
CUES = st.lists(st.tuples(TEXTS, st.integers(0, 4_000_000), st.integers(1, 9000)), min_size=1, max_size=5)


def written(cues: Sequence[Cue], name: str, transcript: Transcript = FILM) -> str:
    wanted = formats.EXPORT_FORMATS[name]
    return "".join((wanted.head(transcript), *map(wanted.cue, cues), wanted.tail))


def as_kept(text: str) -> str:
    """A text as the library keeps it: no controls, no marks of ruby, no blank lines, no space at the ends of lines."""
    plain = without_controls(text).translate(dict.fromkeys(range(0xFFF9, 0xFFFC)))
    return "\n".join(line for each in plain.split("\n") if (line := each.strip()))


def read_back(text: str, name: str) -> list[tuple[int | None, int | None, str]]:
    parsed = parse(f"film.de.{name}", text.encode(), as_is=True)
    return [(cue.start_ms, cue.end_ms, cue.text) for cue in parsed.transcripts[0].cues]


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", ["srt", "vtt", "json"])
@given(given_cues=CUES)
def test_times_and_texts_read_back_as_they_were(name: str, given_cues: list[tuple[str, int, int]]) -> None:
    cues: list[Cue] = []
    moment = 0
    for text, gap, length in given_cues:
        moment += gap
        if kept := as_kept(text):
            cues.append(Cue(len(cues), moment, moment + length, kept))
    if cues:
        assert read_back(written(cues, name), name) == [(cue.start_ms, cue.end_ms, cue.text) for cue in cues]


@pytest.mark.parametrize("name", ["srt", "vtt", "json"])
def test_hostile_texts_read_back_as_they_were(name: str) -> None:
    for text in filter(None, map(as_kept, HOSTILE.values())):
        cues = [Cue(0, 0, 900, text), Cue(1, 1000, 360_000_000, "behind it")]
        assert read_back(written(cues, name), name) == [(0, 900, text), (1000, 360_000_000, "behind it")], text[:60]


@pytest.mark.parametrize("name", ["srt", "vtt"])
def test_speakers_and_sounds_read_back_into_their_fields(name: str) -> None:
    for speaker in ("Anna", "McDonald", "美咲", "Élise & Bill", "Die alte Frau"):
        cues = [
            Cue(0, 0, 900, "Wo bist du?\nIch suche dich.", speaker, sounds=("door creaks", "♪")),
            Cue(1, 1000, 2000, "Hier.", None, sounds=("WIND HOWLS",)),
        ]
        parsed = parse(f"film.de.{name}", written(cues, name).encode())
        assert list(parsed.transcripts[0].cues) == cues


def test_readings_are_ruby_in_vtt_and_left_out_of_the_others() -> None:
    cue = Cue(0, 0, 900, "美咲は<学校>へ\n行く。", ruby=(Ruby(0, 2, "みさき"), Ruby(4, 6, "がっこう")))
    vtt = written([cue], "vtt")
    assert "<ruby>美咲<rt>みさき</rt></ruby>は&lt;<ruby>学校<rt>がっこう</rt></ruby>&gt;へ\n行く。" in vtt
    assert list(parse("film.ja.vtt", vtt.encode()).transcripts[0].cues) == [cue]
    assert "みさき" not in written([cue], "srt") + written([cue], "txt")


def test_subrip_is_numbered_from_1_and_web_vtt_names_the_language_and_the_voice() -> None:
    cues = [Cue(0, 1400, 4440, "a < b & c", "Anna <3"), Cue(1, 3_600_000, 3_601_000, "Zwei\nZeilen.")]
    assert written([replace(cue, speaker=None) for cue in cues], "srt") == (
        "1\n00:00:01,400 --> 00:00:04,440\na < b & c\n\n2\n01:00:00,000 --> 01:00:01,000\nZwei\nZeilen.\n\n"
    )
    assert written(cues[:1], "vtt") == (
        "WEBVTT\nLanguage: de\n\n00:00:01.400 --> 00:00:04.440\n<v Anna &lt;3>a &lt; b &amp; c\n\n"
    )


def test_a_plain_text_has_a_line_for_each_cue_of_a_text_and_each_sentence() -> None:
    cues = [
        Cue(0, None, None, "Kapitel 1"),
        Cue(1, None, None, "Auf dem Bahnhof\nbrennt Licht."),
        Cue(2, None, None, "第一回\u3000甄士隱"),
        Cue(3, None, None, "美咲は、\n学校へ。"),
    ]
    text = written(cues, "txt", TEXT)
    assert text == "Kapitel 1\n\nAuf dem Bahnhof brennt Licht.\n第一回\u3000甄士隱\n\n美咲は、学校へ。\n"
    read = parse("text.de.txt", text.encode()).transcripts[0].cues
    assert [cue.text for cue in read] == [line for line in text.split("\n") if line]
    write = formats.EXPORT_FORMATS["txt"].sentence
    assert write is not None
    assert write(Sentence(0, 0, 900, "Wo bist du?", "Anna", 0, 1)) == "Anna: Wo bist du?\n"
    assert write(Sentence(0, 0, 900, "\x1b[31m", "Anna", 0, 1)) == ""


def test_json_has_the_fields_of_the_transcript_and_of_its_cues_in_a_line_each() -> None:
    cues = [Cue(0, None, None, 'Ein "Satz".'), Cue(1, None, None, "Noch einer.", "Anna", (Ruby(0, 1, "x"),), ("♪",))]
    text = written(cues, "json", TEXT)
    value: dict[str, Any] = json.loads(text)
    assert value == to_json(TEXT) | {"cues": to_json(cues)}
    assert len(text.splitlines()) == 4
    assert json.loads(written([], "json", TEXT))["cues"] == []


def test_a_text_without_times_can_be_a_text_and_json_and_nothing_else() -> None:
    for name in ("srt", "vtt"):
        with pytest.raises(InvalidInput, match="without times") as caught:
            formats.check_times(TEXT, formats.EXPORT_FORMATS[name])
        assert (caught.value.code, caught.value.hint) == ("no_times", "export it as txt or json")
    for name in ("txt", "json"):
        formats.check_times(TEXT, formats.EXPORT_FORMATS[name])
    assert (formats.choose_default_format(TEXT).name, formats.choose_default_format(FILM).name) == ("txt", "srt")


def test_a_format_goes_by_its_name_or_the_ending_of_a_path() -> None:
    assert formats.find_export_format("SRT").name == formats.find_format_of_path("a/b.c/film.SRT").name == "srt"
    for path in ("film", "film.mp4", "film.srt.gz", "", "."):
        with pytest.raises(InvalidInput) as caught:
            formats.find_format_of_path(path)
        assert caught.value.code == "unknown_format"


def test_a_file_is_called_by_title_and_language_and_nothing_that_a_path_obeys() -> None:
    srt = formats.EXPORT_FORMATS["srt"]
    for title, language, name in (
        ("Der letzte Zug", "de", "Der letzte Zug.de.srt"),
        ("月曜日のカレー", "ja", "月曜日のカレー.ja.srt"),
        ("a/b\\c:d*e?", None, "a b c d e.srt"),
        ("../../etc/passwd", "de", "etc passwd.de.srt"),
        ("\x1b[31m ", None, "transcript.srt"),
        ("...", None, "transcript.srt"),
        ("CON", "en", "CON.en.srt"),
        ("x" * 500, "de", "x" * 120 + ".de.srt"),
    ):
        assert formats.make_file_name(replace(FILM, title=title, language=language), srt) == name
    taken = {"Der letzte Zug.de.srt", "Der letzte Zug (2).de.srt"}
    assert formats.make_file_name(FILM, srt, taken) == "Der letzte Zug (3).de.srt", (
        "files of the same title are numbered"
    )
