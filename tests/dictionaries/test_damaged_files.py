"""Files of every format with bytes changed and cut: each is read or refused, and nothing else."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.dictionaries import making
from tests.dictionaries.making import structured, term_row, wiktextract_row, wiktionary_content
from tests.dictionaries.reading import rows_of
from tui.errors import ImportRefused

_DAMAGES = 60


def _yomitan(folder: Path) -> Path:
    content = structured(wiktionary_content("train", tags=["rail"], example="Im Zug.", translation="On the train."))
    rows = [term_row(f"Wort{number}", content) for number in range(100)]
    metas = [["Zug", "freq", 1], ["Zug", "ipa", {"transcriptions": [{"ipa": "/tsuːk/"}]}]]
    return making.yomitan(folder / "a.zip", rows, metas=metas, tags=[["n", "partOfSpeech", 0, "noun", 0]])


def _kaikki(folder: Path) -> Path:
    return making.json_lines(folder / "a.jsonl", [wiktextract_row(f"Wort{number}", "word") for number in range(50)])


def _packed_kaikki(folder: Path) -> Path:
    return making.json_lines(folder / "a.jsonl.gz", [wiktextract_row(f"Wort{number}", "word") for number in range(99)])


def _cedict(folder: Path) -> Path:
    return making.text_file(folder / "a.u8", making.CEDICT_HEADER + "人 人 [ren2] /person/CL:個|个[ge4]/\n" * 30)


def _dictd_index(folder: Path) -> Path:
    text = "Wort /vɔɾt/ <neut, n>\n [ling.] word <n>, term\n see: {Wörter}\n"
    return making.dictd(folder, {f"wort{number}": text for number in range(60)})


def _dictd_definitions(folder: Path) -> Path:
    return _dictd_index(folder).with_suffix(".dict.dz")


@pytest.mark.parametrize("made", [_yomitan, _kaikki, _packed_kaikki, _cedict, _dictd_index, _dictd_definitions])
def test_a_damaged_file_is_read_or_refused(tmp_path: Path, made: Callable[[Path], Path]) -> None:
    drawn = random.Random(13)
    path = made(tmp_path)
    whole = path.read_bytes()
    for number in range(_DAMAGES):
        data = bytearray(whole)
        for _ in range(drawn.choice((1, 3, 30))):
            data[drawn.randrange(len(data))] = drawn.randrange(256)
        path.write_bytes(data[: drawn.randrange(len(data))] if number % 5 == 0 else data)
        try:
            assert rows_of(path)
        except ImportRefused as error:
            assert (bool(error.message), bool(error.hint)) == (True, True)
