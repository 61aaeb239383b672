from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import LEMMAS as UNPACKED
from tui.language.lemmas import Lemmatiser

pytestmark = pytest.mark.exhaustive


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    folder = tmp_path / "lemmas"
    folder.mkdir()
    return folder


@pytest.fixture(scope="module")
def lemmatiser(tmp_path_factory: pytest.TempPathFactory) -> Lemmatiser:
    """One that has prepared Malay, whose list is the smallest."""
    lemmatiser = Lemmatiser(tmp_path_factory.mktemp("lemmas"))
    lemmatiser.prepare("ms")
    return lemmatiser


LEMMAS = {
    ("étaient", "fr"): "être", ("Étaient", "fr"): "être", ("l'", "fr"): "le", ("went", "en"): "go",
    ("Went", "en"): "go", ("don't", "en-GB"): "do", ("xyzzyplugh", "en"): None, ("", "en"): None,
}  # fmt: skip


def test_a_form_has_the_lemma_of_the_dictionary() -> None:
    lemmatiser = Lemmatiser(UNPACKED)
    for language in ("fr", "en", "lb"):
        lemmatiser.prepare(language)
    assert {asked: lemmatiser.lemma(*asked) for asked in LEMMAS} == LEMMAS
    assert [lemmatiser.lemma(form, "lb") for form in ("Haiser", "haiser", "HAUS")] == ["Haus", "Haus", "Haus"]


def test_what_is_not_prepared_is_not_known(cache: Path) -> None:
    lemmatiser = Lemmatiser(cache / "not yet there")
    assert lemmatiser.supports("de")
    assert not lemmatiser.is_prepared("de")
    assert lemmatiser.lemma("Häuser", "de") is None


def test_every_word_list_of_simplemma_is_found_also_under_other_codes_and_none_that_it_lacks(cache: Path) -> None:
    from simplemma.strategies.dictionaries.dictionary_factory import SUPPORTED_LANGUAGES

    lemmatiser = Lemmatiser(cache)
    assert len(SUPPORTED_LANGUAGES) > 40
    for language in (*SUPPORTED_LANGUAGES, "pt-BR", "no", "nb", "sr", "hr", "bs", "de"):
        assert lemmatiser.supports(language), language
    for language in ("ja", "zh-Hans", "th", "ko", "", "../de", "xx"):
        assert not lemmatiser.supports(language), language
        lemmatiser.prepare(language)
        assert not lemmatiser.is_prepared(language)
    assert list(cache.iterdir()) == []


def test_a_prepared_language_is_there_for_the_next_process(lemmatiser: Lemmatiser) -> None:
    again = Lemmatiser(lemmatiser.cache_dir)
    assert again.is_prepared("ms")
    assert again.lemma("berjalan", "ms") == "jalan"
    assert not list(lemmatiser.cache_dir.glob(".lode-tmp-*"))


def test_two_processes_may_prepare_the_same_language(cache: Path) -> None:
    command = [sys.executable, "-m", "tui.language.lemmas", str(cache), "cy"]  # a longer list, so that both are at it
    running = [subprocess.Popen(command) for _ in range(2)]
    assert [process.wait(60) for process in running] == [0, 0]
    assert Lemmatiser(cache).is_prepared("cy")
    assert len(list(cache.iterdir())) == 1


def test_a_killed_process_leaves_no_broken_trie(cache: Path) -> None:
    process = subprocess.Popen([sys.executable, "-m", "tui.language.lemmas", str(cache), "de"])
    while not list(cache.glob(".lode-tmp-*")):
        assert process.poll() is None
    process.send_signal(signal.SIGKILL)
    process.wait()
    lemmatiser = Lemmatiser(cache)
    assert not lemmatiser.is_prepared("de")
    (left,) = cache.glob(".lode-tmp-*")
    lemmatiser.prepare("ms")
    assert lemmatiser.is_prepared("ms")
    assert not left.exists()


@pytest.mark.parametrize("kept_bytes", [0, 5000])
def test_a_damaged_trie_is_thrown_away_and_made_anew(lemmatiser: Lemmatiser, cache: Path, kept_bytes: int) -> None:
    (whole,) = lemmatiser.cache_dir.glob("ms-*.dic")
    (cache / whole.name).write_bytes(whole.read_bytes()[:kept_bytes])
    damaged = Lemmatiser(cache)
    assert damaged.lemma("berjalan", "ms") is None
    assert not damaged.is_prepared("ms")
    damaged.prepare("ms")
    assert damaged.lemma("berjalan", "ms") == "jalan"
