"""The glossaries of the sample stories: each word of a story is in its glossary, and nothing else is."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from functools import cache

import pytest

from tests.language.segmenting import needs_segmenter
from tests.samples.test_samples import ROOT, cues_of, each_story
from tui.language.scripts import join_lines
from tui.language.segmentation import words
from tui.language.word import Word
from tui.language.words import fold
from tui.records.dictionaries import DictionaryEntry, Sense
from tui.samples import SAMPLES, Sample
from tui.samples.glossaries import read_entries, read_rows

FOLDER = ROOT / "tui" / "samples" / "glossaries"
JLPT = {"N5", "N4", "N3", "N2", "N1"}
CEFR = {"A1", "A2", "B1", "B2", "C1", "C2"}
KANJI = re.compile("[\u3005\u3400-\u9fff]")
KANA = re.compile("[\u3041-\u309f\u30a1-\u30fc]+")
GAP = " … "
"""Sign of other words between the parts of an expression or a separable verb."""
COLUMNS = ("lemma", "reading", "part_of_speech", "meanings", "forms", "pieces", "level", "note")
GENDER = re.compile(r"noun \((m, der|f, die|n, das)\)")


@dataclass(frozen=True, slots=True)
class Gloss:
    """A row of a glossary."""

    lemma: str
    reading: str
    part_of_speech: str
    meanings: tuple[str, ...]
    forms: tuple[str, ...]
    pieces: tuple[str, ...]
    level: str
    note: str


def read_glossary(language: str) -> tuple[Gloss, ...]:
    def several(cell: str) -> tuple[str, ...]:
        return tuple(filter(None, cell.split("; ")))

    return tuple(
        Gloss(lemma, reading, part, several(meanings), several(forms), several(pieces), level, note)
        for lemma, reading, part, meanings, forms, pieces, level, note in read_rows(language)
    )


@cache
def texts(sample: Sample) -> tuple[str, ...]:
    """The title and the cues, each as one line."""
    return (sample.title, *(join_lines(cue.text.split("\n")) for cue in cues_of(sample)))


def words_of(sample: Sample) -> Iterator[Word]:
    """The words as Lode cuts them, of whole cues and of their lines joined."""
    for text in (*texts(sample), *(cue.text for cue in cues_of(sample))):
        yield from words(text, sample.language)


def japanese_runs() -> dict[str, set[tuple[Word, ...]]]:
    """What stands in the Japanese story as whole words side by side, up to eight of them, with these words."""
    runs: dict[str, set[tuple[Word, ...]]] = {}
    for text in texts(the_japanese()):
        found = words(text, "ja")
        for first in range(len(found)):
            for run in (found[first:last] for last in range(first + 1, first + 9)):
                runs.setdefault(text[run[0].start : run[-1].end], set()).add(run)
    return runs


def is_form_of(run: tuple[Word, ...], lemma: str) -> bool:
    """Whether a word of the run is the inflected one of the lemma, or the run is all that the lemma begins with."""
    whole = "".join(word.text for word in run)
    inflected = ("".join(word.text for word in run[:at]) + (run[at].lemma or "") for at in range(len(run)))
    return lemma.startswith(whole) or lemma in inflected


def found_by(sample: Sample) -> set[str]:
    """Everything that a row of the glossary is found by, folded."""
    rows = read_glossary(sample.language)
    return {fold(term, sample.language) for row in rows for term in (row.lemma, *row.forms, *row.pieces)}


def occurs(sample: Sample, expression: str) -> bool:
    """Whether the expression stands in a sentence of the story, with at least a word in each gap."""
    pattern = r"[^.!?]*\w[^.!?]*".join(re.escape(fold(part, sample.language)) for part in expression.split(GAP))
    if sample.language != "ja":
        pattern = r"(?<!\w)" + pattern + ("" if pattern.endswith("'") else r"(?!\w)")
    return any(re.search(pattern, fold(text, sample.language)) for text in texts(sample))


def the_japanese() -> Sample:
    (sample,) = (sample for sample in SAMPLES if sample.language == "ja")
    return sample


@pytest.mark.parametrize(
    ("language", "form", "lemmas"),
    [
        ("de", "ist", ["sein"]),
        ("de", "Becher", ["Becher"]),
        ("de", "fährt … ab", ["abfahren"]),
        ("es", "entera", ["entero"]),
        ("es", "decirle", ["decir"]),
        ("fr", "l'", ["le"]),
        ("fr", "s'", ["se", "si"]),
        ("ja", "食べ", ["食べる"]),
        ("ja", "おじ", ["おじさん"]),
    ],
)
def test_a_form_leads_to_its_row(language: str, form: str, lemmas: list[str]) -> None:
    rows = read_glossary(language)
    assert [row.lemma for row in rows if form in (row.lemma, *row.forms, *row.pieces)] == lemmas


@each_story
def test_every_word_of_a_story_is_in_its_glossary(sample: Sample) -> None:
    terms = found_by(sample)
    missing = {word.text for word in words_of(sample) if not {word.lemma, fold(word.text, sample.language)} & terms}
    assert missing == set()


@each_story
def test_every_row_is_of_its_story(sample: Sample) -> None:
    unused = [
        row.lemma
        for row in read_glossary(sample.language)
        if not any(occurs(sample, term) for term in (row.lemma, *row.forms))
    ]
    assert unused == []


@each_story
def test_every_form_stands_in_the_story(sample: Sample) -> None:
    missing = [form for row in read_glossary(sample.language) for form in row.forms if not occurs(sample, form)]
    assert missing == []


@needs_segmenter("ja")
def test_every_japanese_lemma_or_form_stands_somewhere_as_whole_words() -> None:
    runs = japanese_runs()
    terms = [(row.lemma, [term for term in (row.lemma, *row.forms) if GAP not in term]) for row in read_glossary("ja")]
    assert [lemma for lemma, whole_terms in terms if not runs.keys() & set(whole_terms)] == []
    assert [form for row in read_glossary("ja") for form in row.forms if form not in runs] == []


@needs_segmenter("ja")
def test_every_japanese_form_is_its_lemma_s_as_the_segmenter_sees_it() -> None:
    runs = japanese_runs()
    others = [
        form
        for row in read_glossary("ja")
        for form in row.forms
        if not any(is_form_of(run, row.lemma) for run in runs[form])
    ]
    # Phrases with another particle or a polite ending in the story, and two verbs in kana that Sudachi does not know.
    assert others == ["しかありません", "たことはあり", "ではありません", "においのする", "におっ", "はっ", "はって"]


@needs_segmenter("ja")
def test_every_piece_is_a_word_that_lode_cuts_and_no_form() -> None:
    cut = {word.text for word in words_of(the_japanese())}
    rows = read_glossary("ja")
    assert [piece for row in rows for piece in row.pieces if piece not in cut] == []
    assert [row.lemma for row in rows if set(row.pieces) & {row.lemma, *row.forms}] == []
    assert [row.lemma for other in ("de", "es", "fr") for row in read_glossary(other) if row.pieces] == []


@each_story
def test_no_row_stands_twice_and_no_form_is_a_row_s_own_lemma(sample: Sample) -> None:
    rows = read_glossary(sample.language)
    assert [key for key, count in Counter((row.lemma, row.part_of_speech) for row in rows).items() if count > 1] == []
    for row in rows:
        terms = [fold(term, sample.language) for term in (row.lemma, *row.forms)]
        assert len(set(terms)) == len(terms), row.lemma


@each_story
def test_the_file_is_utf_8_in_composed_form_with_every_column_in_each_line(sample: Sample) -> None:
    data = (FOLDER / f"{sample.language}.tsv").read_bytes()
    text = data.decode("utf-8")
    assert unicodedata.is_normalized("NFC", text)
    assert text.endswith("\n")
    header, *lines = text.removesuffix("\n").split("\n")
    assert tuple(header.split("\t")) == COLUMNS
    assert [line for line in lines if line.count("\t") != len(COLUMNS) - 1] == []
    assert [
        line for line in lines if any(unicodedata.category(sign) in ("Cc", "Cf") for sign in line.replace("\t", ""))
    ] == []


@each_story
def test_every_row_says_what_a_learner_asks(sample: Sample) -> None:
    for row in read_glossary(sample.language):
        cells = (row.lemma, row.part_of_speech, *row.meanings, *row.forms, *row.pieces)
        assert all(cell and cell == " ".join(cell.split()) for cell in cells), row
        assert 1 <= len(row.meanings) <= 4, row
        assert len(set(row.meanings)) == len(row.meanings), row
        assert all(len(meaning) <= 75 and meaning.count("(") == meaning.count(")") for meaning in row.meanings), row
        assert row.note == row.note.strip(), row
        assert len(row.note) <= 90, row
        assert not row.level or row.level in (JLPT if sample.language == "ja" else CEFR), row


@each_story
def test_readings_are_kana_and_there_where_the_lemma_has_kanji(sample: Sample) -> None:
    for row in read_glossary(sample.language):
        assert bool(row.reading) == (KANJI.search(row.lemma) is not None), row
        assert not row.reading or KANA.fullmatch(row.reading), row


def test_a_row_is_an_entry_of_a_dictionary() -> None:
    (entry,) = (entry for entry in read_entries("ja") if entry.term == "曲がる")
    assert entry == DictionaryEntry(
        term="曲がる",
        reading="まがる",
        part_of_speech=("verb (godan)",),
        senses=(Sense(("to turn (a corner)",)), Sense(("to bend",))),
        forms=("曲がっ", "曲がって"),
        score=entry.score,
        tags=("N5",),
    )


def test_an_entry_has_the_note_as_its_last_sense_and_is_found_by_its_pieces() -> None:
    (entry,) = (entry for entry in read_entries("ja") if entry.term == "おじさん")
    assert entry.senses[-1] == Sense(("花屋のおじさん: the man at the flower shop",), tags=("note",))
    assert entry.forms == ("おじ",)


def test_of_entries_with_one_term_the_first_of_the_file_scores_highest() -> None:
    his, to_be = (entry for entry in read_entries("de") if entry.term == "sein")
    assert (his.part_of_speech, to_be.part_of_speech) == (("determiner",), ("verb",))
    assert his.score > to_be.score


def test_every_german_noun_has_its_article() -> None:
    for row in read_glossary("de"):
        if row.part_of_speech.startswith("noun"):
            assert GENDER.fullmatch(row.part_of_speech), row
            assert row.lemma[0].isupper(), row


def test_the_wheel_takes_the_glossaries_along() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    patterns = project["tool"]["setuptools"]["package-data"]["*"]
    shipped = {path.name for path in FOLDER.glob("*.tsv")}
    assert shipped == {f"{sample.language}.tsv" for sample in SAMPLES}
    assert all(any(fnmatch(name, pattern) for pattern in patterns) for name in shipped)
    assert (FOLDER / "__init__.py").exists()  # patterns hold for the files of packages
