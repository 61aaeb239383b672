"""Yomitan dictionaries that are damaged, hostile or none at all."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.dictionaries import making
from tests.dictionaries.making import structured, term_row
from tests.dictionaries.reading import entries_of, info_of, rows_of, skipped_of
from tests.hostile import FORBIDDEN, HOSTILE
from tests.importing.archives.making import encrypted
from tests.watching import MAX_MB, watch
from tui.errors import ImportRefused
from tui.records.dictionaries import Sense


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "wty-de-en.zip"


def refusal(path: Path) -> ImportRefused:
    with pytest.raises(ImportRefused) as caught:
        rows_of(path)
    return caught.value


BAD_ROWS: list[Any] = [
    None,
    "text",
    {},
    [],
    ["Zug"],
    [1, "", "", "", 0, ["x"], 0, ""],
    ["Zug", [], "", "", 0, ["x"], 0, ""],
    ["Zug", "", "", "", "high", ["x"], 0, ""],
    ["Zug", "", "", "", 10**400, ["x"], 0, ""],
    ["Zug", "", "", "", 0, "x", 0, ""],
    ["Zug", "", "", "", 0, [], 0, ""],
    ["Zug", "", "", "", 0, [None, 1, {"type": 5}, [], [[]], {"type": "text", "text": 3}], 0, ""],
    ["", "", "", "", 0, ["x"], 0, ""],
    ["\x00\x1b", "", "", "", 0, ["x"], 0, ""],
    ["Z" * 10_000, "", "", "", 0, ["x"], 0, ""],
]


@pytest.mark.parametrize("row", BAD_ROWS, ids=range(len(BAD_ROWS)))
def test_a_bad_row_is_skipped_and_counted(path: Path, row: Any) -> None:
    making.yomitan(path, more={"term_bank_1.json": json.dumps([row, term_row("gut", "good")]).encode()})
    assert [entry.term for entry in entries_of(path)] == ["gut"]
    assert skipped_of(path) == 1


def test_half_a_character_does_not_lose_its_row(path: Path) -> None:
    bank = json.dumps([term_row("Zug \ud83d \\ud83d", "\ude80 train \ud83d\ude80")]).encode()
    making.yomitan(path, more={"term_bank_1.json": bank})
    [entry] = entries_of(path)
    assert (entry.term, entry.senses) == ("Zug \ufffd \\ud83d", (Sense(("\ufffd train \U0001f680",)),))


def test_a_dictionary_of_bad_rows_only_is_refused(path: Path) -> None:
    making.yomitan(path, BAD_ROWS[:3])
    assert "without a row that can be understood" in refusal(path).message


@pytest.mark.parametrize(
    ("bank", "said"),
    [
        (b"no json", "is no list of rows"),
        (b"{}", "is no list of rows"),
        (b"[[1,2", "is no list of rows"),
        (b"", "is no list of rows"),
        (b"\xff\xfe\x00", "is no list of rows"),
        (b"[" * 100_000 + b"]" * 100_000, "nested too deeply"),
    ],
)
def test_a_broken_bank_refuses_the_file_and_is_named(path: Path, bank: bytes, said: str) -> None:
    making.yomitan(path, [term_row("Zug", "train")] * 2, rows_a_bank=1, more={"term_bank_2.json": bank})
    error = refusal(path)
    assert said in error.message
    assert "wty-de-en.zip" in error.message
    assert "term_bank_2.json" in error.message
    assert error.hint


@pytest.mark.parametrize("index", [b"", b"[]", b"{}", b'{"title": 5, "format": "x"}', b"[" * 5_000])
def test_an_index_that_is_none_is_refused(path: Path, index: bytes) -> None:
    making.yomitan(path, [term_row("Zug", "train")], more={"index.json": index})
    assert "index.json" in refusal(path).message


def test_a_later_version_is_refused(path: Path) -> None:
    making.yomitan(path, [term_row("Zug", "train")], index={"title": "New", "format": 4})
    assert "later version than 3" in refusal(path).message


def test_banks_outside_of_the_root_are_not_read(path: Path) -> None:
    making.yomitan(
        path,
        [term_row("Zug", "train")],
        more={
            f"{folder}term_bank_2.json": json.dumps([term_row("fort", "x")]).encode() for folder in ("../", "/", "a/")
        },
    )
    assert [entry.term for entry in entries_of(path)] == ["Zug"]


def test_a_dictionary_in_a_directory_of_its_archive_is_told_to_be_packed_again(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("wty/index.json", "{}")
    assert "has its index.json in a directory" in refusal(path).message


def test_kanji_banks_alone_are_refused(path: Path) -> None:
    making.yomitan(path, more={"kanji_bank_1.json": b"[]"})
    assert "those of single kanji are not read" in refusal(path).message


def test_an_encrypted_dictionary_is_refused(path: Path) -> None:
    encrypted(making.yomitan(path, [term_row("Zug", "train")]))
    assert "is locked with a password" in refusal(path).message


@pytest.mark.parametrize("left", [0.2, 0.7, 0.98])
def test_a_cut_dictionary_is_refused(path: Path, left: float) -> None:
    making.yomitan(path, [term_row(f"wort{number}", "word") for number in range(500)])
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * left)])
    assert "is damaged" in refusal(path).message


def test_a_dictionary_with_a_flipped_byte_is_refused(path: Path) -> None:
    making.yomitan(path, [term_row(f"wort{number}", "word") for number in range(500)])
    data = bytearray(path.read_bytes())
    data[data.find(b"term_bank_1.json") + 200] ^= 0xFF
    path.write_bytes(data)
    assert refusal(path).hint


@pytest.mark.exhaustive
def test_a_bomb_is_refused(path: Path) -> None:
    making.yomitan(path, [term_row("Zug", "train")], more={"term_bank_1.json": b"[" + b" " * 150_000_000 + b"]"})
    error = refusal(path)
    assert "than a dictionary of its size can" in error.message


def test_a_row_of_many_megabytes_is_skipped(path: Path) -> None:
    making.yomitan(path, [term_row("lang", "x" * 5_000_000), term_row("Zug", "train")])
    assert [entry.term for entry in entries_of(path)] == ["Zug"]


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_no_control_character_comes_through(path: Path, text: str) -> None:
    content = making.wiktionary_content(text, tags=[text], example=text, translation=text)
    rows = [
        term_row(f"Zug {text}", text, structured(content), ["Zug " + text, [text]], reading=text, tags=text),
        term_row("Zug", text),
    ]
    index = {**making.INDEX, "title": text, "author": text, "description": text, "attribution": text, "url": text}
    making.yomitan(path, rows, metas=[["Zug", "freq", text]], index=index, tags=[[text, text, 0, text, 0]])
    shown = repr((info_of(path), *rows_of(path))) + str(info_of(path))
    for row in rows_of(path):
        for value in (getattr(row, name) for name in row.__dataclass_fields__):
            shown += (
                str(value)
                if isinstance(value, str)
                else "".join(map(_texts, value if isinstance(value, tuple) else ()))
            )
    assert not set(FORBIDDEN) & set(shown)


def _texts(value: Any) -> str:
    match value:
        case str():
            return value
        case Sense(glosses, tags, examples):
            return "".join((*glosses, *tags, *(example.text + example.translation for example in examples)))
        case _:
            return ""


json_values = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.text(max_size=6)
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(st.sampled_from(["type", "text", "content", "tag", "reading", "value", "pitches"]), inner),
    ),
    max_leaves=12,
)
any_row = st.one_of(
    json_values,
    st.lists(json_values, min_size=3, max_size=8),
    st.builds(lambda *items: term_row("Zug", *items), json_values, json_values),
    st.builds(lambda mode, value: ["Zug", mode, value], st.sampled_from(["freq", "pitch", "ipa"]), json_values),
)


@pytest.mark.exhaustive
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(any_row, max_size=5), st.sampled_from([1, 2, 3]))
def test_any_rows_are_read_or_skipped(path: Path, rows: list[Any], version: int) -> None:
    good = term_row("gut", "good")
    making.yomitan(path, [*rows, good], metas=rows, tags=rows, index={**making.INDEX, "format": version})
    assert "gut" in {row.term for row in rows_of(path)}


_READ = """
import sys
from pathlib import Path
from tui.dictionaries.formats import open_dictionary
from tui.errors import ImportRefused
try:
    with open_dictionary(Path(sys.argv[1])) as file:
        print(sum(1 for _ in file.rows(lambda share: None)))
except ImportRefused as error:
    print(error.message)
"""


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("start", "repeated", "times", "end"),
    [
        (b"", b"0,", 30_000_000, b"0"),
        (b"", b"[],", 20_000_000, b"0"),
        (b'["a","","",0,0,["', b"x", 60_000_000, b'"],0,""]'),
    ],
    ids=["numbers", "lists", "one row"],
)
def test_a_bank_of_whatever_takes_little(tmp_path: Path, start: bytes, repeated: bytes, times: int, end: bytes) -> None:
    path = tmp_path / "d.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("index.json", '{"title": "t", "revision": "1", "format": 3}')
        archive.writestr("term_bank_1.json", b"[" + start + times * repeated + end + b"]")
    found = watch(_READ, path)
    assert found.code == 0 and ("has " in found.out or found.out.strip() == "1"), found.out
    assert found.megabytes < MAX_MB
