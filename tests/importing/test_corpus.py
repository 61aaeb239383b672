"""The corpus beside the repository: every file is read as other parsers verified it, damaged and in excerpts too."""

from __future__ import annotations

import codecs
import random
import re
from typing import Any

import pytest

from tests.importing.corpus import CORPUS, EXPECTED, IS_HERE, REASON, encoding_of, files
from tui.errors import ImportRefused
from tui.importing.encoding.decode import decode
from tui.importing.parse import parse
from tui.importing.readers.cue_text import bracket_readings
from tui.language.detection import guess_language
from tui.records.transcripts import Cue

pytestmark = [pytest.mark.exhaustive, pytest.mark.skipif(not IS_HERE, reason=REASON)]

BOOKS = files("plain text")
WITH_CUES = [name for name, facts in EXPECTED.items() if facts.get("cues_with_text")]
ONLY_TIMES_COMPARE = ("messy/srt/missing-timecode.srt",)
"""EXPECTED.json gives start, end and first line of these only."""


def read(name: str) -> tuple[str, bytes]:
    """The name of a file of the corpus, and its bytes."""
    return name.rsplit("/", 1)[-1], (CORPUS / name).read_bytes()


def seen(text: str) -> str:
    """As EXPECTED.json compares: runs of spaces collapsed; the brackets that keep ruby apart taken away."""
    return re.sub(r" +", " ", text)


def facts_of(cue: Cue, name: str) -> dict[str, object]:
    text = cue.text.split("\n")[0] if name in ONLY_TIMES_COMPARE else cue.text
    if name.endswith("rubies.vtt"):
        text = bracket_readings(cue).replace("[", "").replace("]", "")
    return {"start_ms": cue.start_ms, "end_ms": cue.end_ms, "text": seen(text)}


def expected_of(fact: dict[str, object]) -> dict[str, object]:
    return {**fact, "text": seen(str(fact["text"]))}


def names_of(facts: dict[str, Any]) -> set[str]:
    """Python's names of the codecs in which a file is read right."""
    encodings = (facts["encoding"].replace("ascii", "utf-8"), *facts.get("encoding_equivalents", ()))
    return {codecs.lookup(encoding).name for encoding in encodings}


def test_every_subtitle_has_the_cues_that_were_verified_whatever_it_is_in() -> None:
    """Nothing is told of it but its name."""
    for name in WITH_CUES:
        facts, (title, data) = EXPECTED[name], read(name)
        file = parse(f"x.{facts['format']}" if "+" in facts["language"] else title, data, as_is=True)
        assert file.encoding in names_of(facts), name
        assert (file.kind, file.format) == ("subtitle", facts["format"]), name
        cues = file.transcripts[0].cues
        assert [cue.index for cue in cues] == list(range(len(cues))), name
        assert len(cues) == facts["cues_with_text"] or len(cues) in facts.get("also_acceptable", ()), name
        if len(cues) == facts["cues_with_text"]:
            by_times = sorted(cues, key=lambda cue: (cue.start_ms, cue.end_ms))
            first, last = ("first", "last") if facts["in_time_order"] else ("earliest", "latest")
            ends = (cues[0], cues[-1]) if facts["in_time_order"] else (by_times[0], by_times[-1])
            assert [facts_of(cue, name) for cue in ends] == [expected_of(facts[each]) for each in (first, last)], name


def test_an_imported_subtitle_is_in_the_order_of_its_times_and_its_language_is_right_or_unknown() -> None:
    for name in WITH_CUES:
        facts, (title, data) = EXPECTED[name], read(name)
        file, guessed = parse(title, data), parse(f"x.{facts['format']}", data)
        cues = file.transcripts[0].cues
        starts = [cue.start_ms or 0 for cue in cues]
        assert starts == sorted(starts), name
        assert file.duration_ms == max(cue.end_ms or 0 for cue in cues), name
        assert bool(guessed.languages) == ("+" in facts["language"]), name
        expected = re.split("[-+]", facts["language"])[0]
        if not name.startswith("messy/"):
            assert guessed.language in (None, expected), name
            assert file.language in (None, facts["language"], expected), "by its name; of two it is the first"
        for encoding in (facts["encoding"], *facts.get("encoding_equivalents", ())) if encoding_of(name) else ():
            assert parse(title, data, encoding=encoding).transcripts[0].cues == cues, (name, encoding)


def test_a_file_without_cues_is_refused_by_name_unless_a_tolerant_reader_finds_some() -> None:
    for name in EXPECTED.keys() - {*WITH_CUES, *BOOKS}:
        title, data = read(name)
        try:
            file = parse(title, data, encoding=encoding_of(name))
        except ImportRefused as refusal:
            assert title in refusal.message and refusal.hint
        else:
            acceptable = EXPECTED[name].get("also_acceptable", ())
            assert acceptable == "any number" or len(file.transcripts[0].cues) in acceptable, name


def test_a_book_becomes_sentences_and_loses_nothing() -> None:
    for name in BOOKS:
        facts, (title, data) = EXPECTED[name], read(name)
        text, _ = decode(data, encoding=encoding_of(name))
        file = parse(title, data)
        cues = file.transcripts[0].cues
        assert (file.kind, file.duration_ms, file.encoding in names_of(facts)) == ("text", None, True), name
        assert file.language in (None, facts["language"].split("-")[0], facts["language"]), name
        assert len(text.removesuffix("\n")) == facts["characters"]
        assert cues[0].text.startswith(facts["first_line"].split(".")[0])
        assert all(cue.start_ms is None and cue.end_ms is None for cue in cues)
        if file.format == "txt":  # of Aozora's, head, colophon and marks are no text
            assert "".join("".join(cue.text for cue in cues).split()) == "".join(text.split())


def test_a_damaged_file_is_read_or_refused() -> None:
    chance = random.Random(1)
    for name in EXPECTED:
        title, data = read(name)
        for encoding in (chance.choice((None, "latin-1")), encoding_of(name) or "utf-8"):
            damaged = bytearray(data[: chance.randrange(min(len(data), 6000) + 1)])
            for _ in range(chance.randrange(4) if damaged else 0):
                damaged[chance.randrange(len(damaged))] = chance.choice(b"\x00\n\r<>{}-:,.[]&\x1b09\xff")
            try:
                file = parse(title, bytes(damaged), encoding=encoding)
            except ImportRefused as refusal:
                assert title in refusal.message
            else:
                for cue in file.transcripts[0].cues:
                    assert cue.text.strip() and (cue.end_ms or 0) >= (cue.start_ms or 0), name


@pytest.mark.parametrize(("cues", "at_least"), [(None, 1.0), (40, 0.98), (12, 0.98), (3, 0.77), (1, 0.35)])
def test_excerpts_of_so_many_cues_are_guessed_right_or_not_at_all(cues: int | None, at_least: float) -> None:
    right, wrong, asked = 0, [], 0
    for name, facts in EXPECTED.items():
        if name.startswith("messy/") or "+" in facts["language"] or "mojibake" in name:
            continue
        expected = facts["language"].split("-")[0]
        (transcript,) = parse(*read(name), encoding=encoding_of(name)).transcripts
        lines = [cue.text for cue in transcript.cues]
        length = cues or len(lines)
        for start in range(0, len(lines) - length + 1, max(length, len(lines) // 8)):
            guess = guess_language("\n".join(lines[start : start + length]))
            asked += 1
            right += guess == expected
            if guess not in (None, expected):
                wrong.append((name, guess, lines[start]))
    assert len(wrong) <= asked // 400, wrong
    assert right / asked >= at_least
