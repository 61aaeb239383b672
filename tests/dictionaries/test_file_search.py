"""Dictionaries that the system has for other programs, and the names of those to get."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.dictionaries.making import dictd
from tui.dictionaries.file_search import find_named_dictionaries, find_offered_dictionaries, list_recommended
from tui.dictionaries.formats import open_dictionary
from tui.errors import ImportRefused
from tui.records.dictionaries import Dictionary, DictionaryEntry, OfferedDictionary
from tui.records.settings import LearnedLanguage, ProfileSettings

pytestmark = pytest.mark.exhaustive

KNOWN = Dictionary(
    *("id", "title", "dictd", "", "de", "en", "", "", "", "", "", None, 1, 1, "2026-11-22T00:00:00.000Z"),
    file_name="freedict-deu-eng.index",
)
DEBIAN = Path("/usr/share/dictd")


@pytest.fixture
def system(tmp_path: Path) -> Path:
    """A data directory with three dictionaries of FreeDict, one of another name, and what is none."""
    folder = tmp_path / "share" / "dictd"
    folder.mkdir(parents=True)
    for name in ("freedict-deu-eng", "freedict-spa-eng", "freedict-spa-deu", "wn"):
        dictd(folder, {"word": "meaning"}, name=name)
    (folder / "half.index").write_text("a\tA\tB\n")
    (folder / "db.list").write_text("")
    return folder.parent


def names(offered: tuple[OfferedDictionary, ...]) -> list[str]:
    return [each.name for each in offered]


def test_those_of_the_system_are_offered_what_is_learned_first(system: Path) -> None:
    environ = {"XDG_DATA_DIRS": f"{system}:relative:{system.parent}/none:{system}"}
    offered = find_offered_dictionaries((), ProfileSettings("de", (LearnedLanguage("es-MX"),)), environ)
    assert names(offered) == ["freedict-spa-deu", "freedict-spa-eng", "freedict-deu-eng", "wn"]
    first, last = offered[0], offered[-1]
    assert (first.source_language, first.target_language) == ("es", "de")
    assert Path(first.path) == system / "dictd" / "freedict-spa-deu.index"
    parts = [system / "dictd" / f"freedict-spa-deu{ending}" for ending in (".index", ".dict.dz")]
    assert first.size_bytes == sum(part.stat().st_size for part in parts)
    assert (last.source_language, last.target_language) == (None, None)


def test_what_the_library_has_is_not_offered(system: Path) -> None:
    for file_name in ("freedict-deu-eng.index", "freedict-deu-eng.zip"):
        known = (replace(KNOWN, file_name=file_name), replace(KNOWN, file_name=""))
        offered = find_offered_dictionaries(known, ProfileSettings(), {"XDG_DATA_DIRS": str(system)})
        assert "freedict-deu-eng" not in names(offered)


def test_a_system_without_any_offers_none(tmp_path: Path) -> None:
    (tmp_path / "dictd").write_text("no directory")
    for place in (str(tmp_path), str(tmp_path / "none"), "::"):
        assert find_offered_dictionaries((), ProfileSettings(), {"XDG_DATA_DIRS": place}) == ()


def test_what_is_no_path_is_refused() -> None:
    for given in ("", " ", "a\0b", "a\0b/*"):
        with pytest.raises(ImportRefused, match="is no path"):
            find_named_dictionaries([given])


@pytest.mark.skipif(not DEBIAN.is_dir(), reason="Debian's dict-freedict-* are not installed")
def test_those_of_debian_are_found_and_can_be_read() -> None:
    offered = find_offered_dictionaries((), ProfileSettings(), {})
    freedict = [each for each in offered if each.name.startswith("freedict-")]
    assert freedict
    for each in freedict:
        (path,) = find_named_dictionaries([each.path])
        with open_dictionary(path) as dictionary:
            info = dictionary.info
            assert (info.source_language, info.target_language) == (each.source_language, each.target_language)
            assert info.license
            if each.name == "freedict-spa-eng":
                rows = [row for row in dictionary.rows(lambda share: None) if isinstance(row, DictionaryEntry)]
                assert dictionary.skipped < 0.001 * len(rows), "it is read nearly whole"
                assert sum(bool(row.pronunciations) for row in rows) > 0.9 * len(rows)
                assert any("paper" in sense.glosses for row in rows if row.term == "papel" for sense in row.senses)


def test_those_to_get_are_named_for_each_language() -> None:
    for language, explain_in, expected in (
        ("de", "en", ["dict-freedict-deu-eng", "wty-de-en.zip"]),
        ("de-AT", "es-MX", ["dict-freedict-deu-spa", "dict-freedict-deu-eng", "wty-de-en.zip"]),
        ("pt-BR", "de", ["dict-freedict-por-deu", "dict-freedict-por-eng", "wty-pt-en.zip"]),
        ("nb", "en", ["wty-nb-en.zip"]),
        ("ja", "en", ["dict-freedict-jpn-eng", "Jitendex"]),
        ("zh-Hant", "en", ["CC-CEDICT"]),
        ("zh", "fr", ["CC-CEDICT"]),
        ("en", "de", ["dict-freedict-eng-deu", "wty-en-en.zip"]),
    ):
        assert [name.split(" ")[0] for name in list_recommended(language, explain_in)] == expected
