"""The glossaries of the sample stories: each word of a story is in its glossary, and nothing else is."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from tests.language.segmenting import needs_segmenter
from tests.samples.test_samples import ROOT, cues_of
from tui.language.scripts import join_lines
from tui.language.segmentation import words
from tui.language.word import Word, fold
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
GENDER = re.compile(r"noun \((m, der|f, die|n, das)\)")


class Gloss(NamedTuple):
    """A row of a glossary."""

    lemma: str
    reading: str
    part_of_speech: str
    meanings: Sequence[str]
    forms: Sequence[str]
    pieces: Sequence[str]
    level: str
    note: str


@cache
def read_glossary(language: str) -> Sequence[Gloss]:
    def several(cell: str) -> Sequence[str]:
        return tuple(filter(None, cell.split("; ")))

    return tuple(
        Gloss(lemma, reading, part, several(meanings), several(forms), several(pieces), level, note)
        for lemma, reading, part, meanings, forms, pieces, level, note in read_rows(language)
    )


def each_row() -> Iterator[tuple[Sample, Gloss]]:
    return ((sample, row) for sample in SAMPLES for row in read_glossary(sample.language))


@cache
def texts(sample: Sample) -> tuple[str, ...]:
    """The title and the cues, each as one line."""
    return (sample.title, *(join_lines(cue.text.split("\n")) for cue in cues_of(sample)))


def words_of(sample: Sample) -> Iterator[Word]:
    """The words as Lode cuts them, of whole cues and of their lines joined."""
    for text in (*texts(sample), *(cue.text for cue in cues_of(sample))):
        yield from words(text, sample.language)


def japanese_runs() -> set[str]:
    """What stands in the Japanese story as whole words side by side, up to eight of them."""
    runs: set[str] = set()
    for text in texts(the_japanese()):
        found = words(text, "ja")
        for first in range(len(found)):
            runs |= {text[found[first].start : last.end] for last in found[first : first + 8]}
    return runs


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


def test_a_form_leads_to_its_row() -> None:
    for language, form, lemmas in (
        ("de", "ist", ["sein"]),
        ("de", "fährt … ab", ["abfahren"]),
        ("es", "decirle", ["decir"]),
        ("fr", "s'", ["se", "si"]),
        ("ja", "食べ", ["食べる"]),
        ("ja", "おじ", ["おじさん"]),
    ):
        rows = read_glossary(language)
        assert [row.lemma for row in rows if form in (row.lemma, *row.forms, *row.pieces)] == lemmas


def test_every_word_of_a_story_is_in_its_glossary_and_every_row_and_form_of_it_in_the_story() -> None:
    for sample in SAMPLES:
        terms = found_by(sample)
        missing = {word.text for word in words_of(sample) if not {word.lemma, fold(word.text, sample.language)} & terms}
        assert missing == set()
        rows = read_glossary(sample.language)
        assert [form for row in rows for form in row.forms if not occurs(sample, form)] == []
        assert [row.lemma for row in rows if not row.forms and not occurs(sample, row.lemma)] == []


@needs_segmenter("ja")
def test_every_japanese_lemma_or_form_stands_somewhere_as_whole_words() -> None:
    runs = japanese_runs()
    rows = read_glossary("ja")
    assert [row.lemma for row in rows if not runs & {row.lemma, *row.forms}] == []
    assert [form for row in rows for form in row.forms if form not in runs] == []


@needs_segmenter("ja")
def test_every_piece_is_a_word_that_lode_cuts_and_no_form() -> None:
    cut = {word.text for word in words_of(the_japanese())}
    rows = read_glossary("ja")
    assert [piece for row in rows for piece in row.pieces if piece not in cut] == []
    assert [row.lemma for row in rows if set(row.pieces) & {row.lemma, *row.forms}] == []
    assert [row.lemma for other in ("de", "es", "fr") for row in read_glossary(other) if row.pieces] == []


def test_no_row_stands_twice_and_no_form_is_a_row_s_own_lemma() -> None:
    counts = Counter((sample.language, row.lemma, row.part_of_speech) for sample, row in each_row())
    assert [key for key, count in counts.items() if count > 1] == []
    for sample, row in each_row():
        terms = [fold(term, sample.language) for term in (row.lemma, *row.forms)]
        assert len(set(terms)) == len(terms), row.lemma


def test_the_file_is_utf_8_in_composed_form_with_every_column_in_each_line() -> None:
    for sample in SAMPLES:
        text = (FOLDER / f"{sample.language}.tsv").read_bytes().decode("utf-8")
        assert unicodedata.is_normalized("NFC", text)
        assert text.endswith("\n")
        header, *lines = text.removesuffix("\n").split("\n")
        assert tuple(header.split("\t")) == Gloss._fields
        assert [line for line in lines if line.count("\t") != len(Gloss._fields) - 1] == []
        assert {unicodedata.category(sign) for line in lines for sign in line.replace("\t", "")} & {"Cc", "Cf"} == set()


def test_every_row_says_what_a_learner_asks() -> None:
    for sample, row in each_row():
        cells = (row.lemma, row.part_of_speech, *row.meanings, *row.forms, *row.pieces)
        assert all(cell and cell == " ".join(cell.split()) for cell in cells), row
        assert 1 <= len(row.meanings) <= 4, row
        assert len(set(row.meanings)) == len(row.meanings), row
        assert all(len(meaning) <= 75 and meaning.count("(") == meaning.count(")") for meaning in row.meanings), row
        assert row.note == row.note.strip(), row
        assert len(row.note) <= 90, row
        assert not row.level or row.level in (JLPT if sample.language == "ja" else CEFR), row
        # Readings are kana, and there where the lemma has kanji.
        assert bool(row.reading) == (KANJI.search(row.lemma) is not None), row
        assert not row.reading or KANA.fullmatch(row.reading), row
        if sample.language == "de" and row.part_of_speech.startswith("noun"):
            assert GENDER.fullmatch(row.part_of_speech) and row.lemma[0].isupper(), row


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
    his, to_be = (entry for entry in read_entries("de") if entry.term == "sein")  # the first of the file scores highest
    assert (his.part_of_speech, to_be.part_of_speech) == (("determiner",), ("verb",))
    assert his.score > to_be.score
