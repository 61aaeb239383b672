from __future__ import annotations

import codecs
import random
import re

import pytest

from tests.importing.corpus import CORPUS, EXPECTED, IS_HERE, REASON, encoding_of, files
from tui.errors import ImportRefused
from tui.importing.encoding.decode import decode
from tui.importing.parse import ParsedFile, parse
from tui.importing.readers.ass import read_ass
from tui.importing.readers.block_formats import read_srt, read_vtt
from tui.importing.readers.cue_text import bracket_readings
from tui.records.transcripts import Cue

pytestmark = [pytest.mark.exhaustive, pytest.mark.skipif(not IS_HERE, reason=REASON)]

READERS = {"srt": read_srt, "vtt": read_vtt, "ass": read_ass, "ssa": read_ass}
SUBTITLES = files(*READERS)
WITH_CUES = [name for name in SUBTITLES if EXPECTED[name]["cues_with_text"]]
LEGACY = [name for name in EXPECTED if encoding_of(name)]
ONLY_TIMES_COMPARE = ("messy/srt/missing-timecode.srt",)
"""EXPECTED.json gives start, end and first line of these only."""


def in_file_order(name: str) -> list[Cue]:
    text, _ = decode((CORPUS / name).read_bytes(), encoding=encoding_of(name), name=name)
    return list(READERS[EXPECTED[name]["format"]](text.lstrip("\n").split("\n")))


def parsed(name: str) -> ParsedFile:
    return parse(name.rsplit("/", 1)[-1], (CORPUS / name).read_bytes(), encoding=encoding_of(name))


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


@pytest.mark.parametrize("name", WITH_CUES)
def test_a_subtitle_has_the_cues_that_were_verified(name: str) -> None:
    facts, cues = EXPECTED[name], in_file_order(name)
    assert [cue.index for cue in cues] == list(range(len(cues)))
    assert len(cues) == facts["cues_with_text"] or len(cues) in facts.get("also_acceptable", ())
    if len(cues) == facts["cues_with_text"]:
        assert facts_of(cues[0], name) == expected_of(facts["first"])
        assert facts_of(cues[-1], name) == expected_of(facts["last"])


@pytest.mark.parametrize("name", WITH_CUES)
def test_an_imported_subtitle_is_in_the_order_of_its_times(name: str) -> None:
    facts, file = EXPECTED[name], parsed(name)
    starts = [cue.start_ms for cue in file.transcripts[0].cues]
    assert starts == sorted(starts, key=lambda start: start or 0)
    assert file.kind == "subtitle"
    assert file.format == facts["format"]
    assert file.encoding == codecs.lookup(facts["encoding"].replace("ascii", "utf-8")).name
    assert file.duration_ms == max(cue.end_ms or 0 for cue in file.transcripts[0].cues)
    by_times = sorted(file.transcripts[0].cues, key=lambda cue: (cue.start_ms, cue.end_ms))
    if "earliest" in facts:
        assert facts_of(by_times[0], name) == expected_of(facts["earliest"])
        assert facts_of(by_times[-1], name) == expected_of(facts["latest"])


@pytest.mark.parametrize("name", [name for name in EXPECTED if name not in SUBTITLES or name in WITH_CUES])
def test_every_file_is_read_as_it_comes(name: str) -> None:
    """Nothing is told of it but its name: neither its encoding nor what it is in."""
    facts = EXPECTED[name]
    is_parted = "+" in facts["language"]  # by what its name says of its languages
    title = f"x.{facts['format']}" if is_parted else name.rsplit("/", 1)[-1]
    file = parse(title, (CORPUS / name).read_bytes(), as_is=True)
    encodings = (facts["encoding"].replace("ascii", "utf-8"), *facts.get("encoding_equivalents", ()))
    assert file.encoding in {codecs.lookup(encoding).name for encoding in encodings}
    if facts["format"] == "plain text":
        assert file.format in ("txt", "aozora")
        return
    assert file.format == facts["format"]
    cues = file.transcripts[0].cues
    assert len(cues) == facts["cues_with_text"] or len(cues) in facts.get("also_acceptable", ())
    if facts["in_time_order"] and len(cues) == facts["cues_with_text"]:
        assert facts_of(cues[0], name) == expected_of(facts["first"])
        assert facts_of(cues[-1], name) == expected_of(facts["last"])


@pytest.mark.parametrize("name", [name for name in SUBTITLES if EXPECTED[name]["cues_with_text"] == 0])
def test_a_file_without_cues_is_refused_by_name_unless_a_tolerant_reader_finds_some(name: str) -> None:
    try:
        file = parsed(name)
    except ImportRefused as refusal:
        assert name.rsplit("/", 1)[-1] in refusal.message
        assert refusal.hint
    else:
        acceptable = EXPECTED[name].get("also_acceptable", ())
        assert acceptable == "any number" or len(file.transcripts[0].cues) in acceptable


@pytest.mark.parametrize("name", LEGACY)
def test_an_old_encoding_is_found_out_or_named(name: str) -> None:
    data, title = (CORPUS / name).read_bytes(), name.rsplit("/", 1)[-1]
    assert parse(title, data).transcripts[0].cues == parsed(name).transcripts[0].cues
    for encoding in (EXPECTED[name]["encoding"], *EXPECTED[name].get("encoding_equivalents", ())):
        assert parse(title, data, encoding=encoding).transcripts[0].cues == parsed(name).transcripts[0].cues


@pytest.mark.parametrize("name", files("plain text"))
def test_a_book_becomes_sentences_and_loses_nothing(name: str) -> None:
    facts, file = EXPECTED[name], parsed(name)
    text, _ = decode((CORPUS / name).read_bytes(), encoding=encoding_of(name))
    cues = file.transcripts[0].cues
    assert (file.kind, file.duration_ms) == ("text", None)
    assert len(text.removesuffix("\n")) == facts["characters"]
    assert cues[0].text.startswith(facts["first_line"].split(".")[0])
    assert all(cue.start_ms is None and cue.end_ms is None for cue in cues)
    if file.format == "aozora":  # head, colophon and marks are no text
        return
    assert file.format == "txt"
    assert "".join("".join(cue.text for cue in cues).split()) == "".join(text.split())
    assert "".join(facts["last_line"].split()) in "".join("".join(cue.text for cue in cues[-3:]).split())


@pytest.mark.parametrize("name", [name for name in EXPECTED if not name.startswith("messy/")])
def test_the_language_is_right_or_unknown(name: str) -> None:
    expected = EXPECTED[name]["language"]
    data, encoding = (CORPUS / name).read_bytes(), encoding_of(name)
    assert parse(f"x.{EXPECTED[name]['format'][:3]}", data, encoding=encoding).language in (
        None,
        re.split("[-+]", expected)[0],
    ), "guessed"
    told = parse(name.rsplit("/", 1)[-1], data, encoding=encoding).language
    assert told in (None, expected, re.split("[-+]", expected)[0]), "by its name; of two languages it is the first"


@pytest.mark.parametrize("name", list(EXPECTED))
def test_a_damaged_file_is_read_or_refused(name: str) -> None:
    chance = random.Random(name)
    data, title, encoding = (CORPUS / name).read_bytes()[:6000], name.rsplit("/", 1)[-1], encoding_of(name)
    for _ in range(12):
        damaged = bytearray(data[: chance.randrange(len(data) + 1)])
        for _ in range(chance.randrange(4)):
            if damaged:
                damaged[chance.randrange(len(damaged))] = chance.choice(b"\x00\n\r<>{}-:,.[]&\x1b09\xff")
        try:
            file = parse(title, bytes(damaged), encoding=chance.choice([None, encoding, "latin-1", "utf-16"]))
        except ImportRefused as refusal:
            assert title in refusal.message
        else:
            assert all(cue.text.strip() for cue in file.transcripts[0].cues)
            assert all((cue.end_ms or 0) >= (cue.start_ms or 0) for cue in file.transcripts[0].cues)
