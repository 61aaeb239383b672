"""The stories that ship with Lode: whole, well timed, easy to read, and in the package."""

from __future__ import annotations

import tomllib
import unicodedata
from collections.abc import Callable, Sequence
from fnmatch import fnmatch
from pathlib import Path

import pytest
from rich.cells import cell_len

from tui.importing.parse import parse
from tui.records.transcripts import Cue
from tui.samples import SAMPLES, Sample, read

ROOT = Path(__file__).resolve().parents[2]
each_story = pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.language)


def cues_of(sample: Sample) -> Sequence[Cue]:
    return parse(sample.name, read(sample)).transcripts[0].cues


def times_of(cue: Cue) -> tuple[int, int]:
    assert cue.start_ms is not None
    assert cue.end_ms is not None
    return cue.start_ms, cue.end_ms


def test_there_is_a_story_in_each_of_four_languages() -> None:
    assert {sample.language for sample in SAMPLES} == {"de", "es", "ja", "fr"}
    assert len({sample.name for sample in SAMPLES}) == len(SAMPLES)
    shipped = {path.name for path in (ROOT / "tui" / "samples").glob("*.srt")}
    assert shipped == {sample.name for sample in SAMPLES}


@each_story
def test_a_story_imports_with_title_and_language_and_nothing_lost(sample: Sample) -> None:
    parsed = parse(sample.name, read(sample))
    assert (parsed.transcripts[0].title, parsed.language) == (sample.title, sample.language)
    assert 30 <= len(parsed.transcripts[0].cues) <= 60
    assert len(parsed.transcripts[0].cues) == read(sample).count(b" --> ")
    assert all(cue.text.strip() == cue.text and cue.text for cue in parsed.transcripts[0].cues)


@each_story
def test_the_file_is_utf_8_in_composed_form_with_line_feeds(sample: Sample) -> None:
    data = read(sample)
    text = data.decode("utf-8")
    assert unicodedata.is_normalized("NFC", text)
    assert b"\r" not in data
    assert not data.startswith(b"\xef\xbb\xbf")
    assert text.endswith("\n")


@each_story
def test_cues_follow_each_other_without_overlap_at_a_pace_one_can_read(sample: Sample) -> None:
    fastest = 9 if sample.language == "ja" else 20
    end_before = 0
    for cue in cues_of(sample):
        start, end = times_of(cue)
        assert start > end_before
        assert 1_500 <= end - start <= 5_000
        assert len(cue.text.replace("\n", "")) / (end - start) * 1_000 <= fastest
        end_before = end
    assert 120_000 <= end_before <= 360_000


@each_story
def test_no_cue_has_more_than_two_short_lines(sample: Sample) -> None:
    for cue in cues_of(sample):
        lines = cue.text.split("\n")
        assert len(lines) <= 2
        assert max(map(cell_len, lines)) <= (40 if sample.language == "ja" else 42)


@pytest.mark.parametrize(
    ("language", "forms"),
    [
        ("de", ["fahren", "fährt", "gefahren", "fahre", "fahr", "abgefahren"]),
        ("es", ["dice", "digo", "dicho", "decirle"]),
        ("fr", ["pleut", "pleuvra", "pleuvait"]),
        ("ja", ["食べた", "食べて", "食べたい", "食べながら", "食べられる", "食べません"]),
    ],
)
def test_one_word_comes_back_in_many_forms(language: str, forms: list[str]) -> None:
    (sample,) = (sample for sample in SAMPLES if sample.language == language)
    text = read(sample).decode("utf-8")
    assert [form for form in forms if form not in text] == []


@pytest.mark.parametrize(
    ("language", "opening", "closing"), [("de", "„", "“"), ("es", "¿", "?"), ("es", "¡", "!"), ("ja", "「", "」")]
)
def test_every_mark_that_opens_is_closed(language: str, opening: str, closing: str) -> None:
    (sample,) = (sample for sample in SAMPLES if sample.language == language)
    for cue in cues_of(sample):
        assert cue.text.count(opening) == cue.text.count(closing), cue.text


def test_the_wheel_takes_the_stories_along() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    patterns = project["tool"]["setuptools"]["package-data"]["*"]
    for sample in SAMPLES:
        assert any(fnmatch(sample.name, pattern) for pattern in patterns)


def test_naming_the_stories_reads_none_of_them(run_python: Callable[[str], str]) -> None:
    loaded = run_python("import sys; before = set(sys.modules); import tui.samples; print(*set(sys.modules) - before)")
    assert not {"importlib.resources", "tui.importing.parse"} & set(loaded.split())
