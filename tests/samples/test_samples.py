"""The stories that ship with Lode: whole, well timed, easy to read, and in the package."""

from __future__ import annotations

import tomllib
import unicodedata
from collections.abc import Callable, Sequence
from fnmatch import fnmatch
from pathlib import Path

from rich.cells import cell_len

from tui.importing.parse import parse
from tui.records.transcripts import Cue
from tui.samples import SAMPLES, Sample, read

ROOT = Path(__file__).resolve().parents[2]


def cues_of(sample: Sample) -> Sequence[Cue]:
    return parse(sample.name, read(sample)).transcripts[0].cues


def test_there_is_a_story_in_each_of_four_languages() -> None:
    assert {sample.language for sample in SAMPLES} == {"de", "es", "ja", "fr"}
    assert len({sample.name for sample in SAMPLES}) == len(SAMPLES)
    shipped = {path.name for path in (ROOT / "tui" / "samples").glob("*.srt")}
    assert shipped == {sample.name for sample in SAMPLES}


def test_a_story_imports_with_title_and_language_and_nothing_lost() -> None:
    for sample in SAMPLES:
        parsed, data = parse(sample.name, read(sample)), read(sample)
        assert (parsed.transcripts[0].title, parsed.language) == (sample.title, sample.language)
        assert 30 <= len(parsed.transcripts[0].cues) == data.count(b" --> ") <= 60
        assert all(cue.text.strip() == cue.text != "" for cue in parsed.transcripts[0].cues)
        text = data.decode("utf-8")
        assert unicodedata.is_normalized("NFC", text)
        assert text.endswith("\n") and "\r" not in text and not text.startswith("\ufeff")


def test_cues_follow_each_other_without_overlap_in_two_short_lines_at_a_pace_one_can_read() -> None:
    for sample in SAMPLES:
        fastest, widest = (9, 40) if sample.language == "ja" else (20, 42)
        end_before = 0
        for cue in cues_of(sample):
            start, end = cue.start_ms or 0, cue.end_ms or 0
            assert start > end_before
            assert 1_500 <= end - start <= 5_000
            assert len(cue.text.replace("\n", "")) / (end - start) * 1_000 <= fastest
            assert len(lines := cue.text.split("\n")) <= 2
            assert max(map(cell_len, lines)) <= widest
            end_before = end
        assert 120_000 <= end_before <= 360_000


def test_one_word_comes_back_in_many_forms_and_every_mark_that_opens_is_closed() -> None:
    texts = {sample.language: read(sample).decode("utf-8") for sample in SAMPLES}
    for language, forms in (
        ("de", ["fahren", "fährt", "gefahren", "fahre", "fahr", "abgefahren"]),
        ("es", ["dice", "digo", "dicho", "decirle"]),
        ("fr", ["pleut", "pleuvra", "pleuvait"]),
        ("ja", ["食べた", "食べて", "食べたい", "食べながら", "食べられる", "食べません"]),
    ):
        assert [form for form in forms if form not in texts[language]] == []
    for opening, closing in ("„“", "¿?", "¡!", "「」"):
        for cue in (cue for sample in SAMPLES if opening in texts[sample.language] for cue in cues_of(sample)):
            assert cue.text.count(opening) == cue.text.count(closing), cue.text


def test_the_wheel_takes_stories_glossaries_and_guides_along() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    patterns = project["tool"]["setuptools"]["package-data"]["*"]
    glossaries = ROOT / "tui" / "samples" / "glossaries"
    shipped = {path.name for path in glossaries.glob("*.tsv")}
    assert shipped == {f"{sample.language}.tsv" for sample in SAMPLES}
    for name in (*shipped, *(sample.name for sample in SAMPLES), "films.md"):
        assert any(fnmatch(name, pattern) for pattern in patterns)
    assert (glossaries / "__init__.py").exists()  # patterns hold for the files of packages


def test_naming_the_stories_reads_none_of_them(run_python: Callable[[str], str]) -> None:
    loaded = run_python("import sys; before = set(sys.modules); import tui.samples; print(*set(sys.modules) - before)")
    assert not {"importlib.resources", "tui.importing.parse"} & set(loaded.split())
