"""What holds for the files of every format: hostile, damaged, cut and packed ones are read cleanly or refused."""

from __future__ import annotations

import gzip
import random
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.dictionaries import making
from tests.dictionaries.making import info_of, rows_of, structured, term_row, wiktextract_row, wiktionary_content
from tests.hostile import FORBIDDEN, HOSTILE
from tui import bounds
from tui.dictionaries.formats import open_dictionary
from tui.errors import ImportRefused

Make = Callable[[Path, str, int], Path]
_DAMAGES = 40


def _yomitan(folder: Path, text: str, count: int) -> Path:
    content = wiktionary_content(text, tags=[text], example=text, translation=text)
    rows = [
        term_row(f"Wort{at} {text}", text, structured(content), [f"Zug {text}", [text]], reading=text, tags=text)
        for at in range(count)
    ]
    index = making.INDEX | dict.fromkeys(("title", "author", "description", "attribution", "url"), text)
    metas = [["Zug", "freq", text], ["Zug", "ipa", {"transcriptions": [{"ipa": text}]}]]
    return making.yomitan(folder / "a.zip", rows, metas=metas, index=index, tags=[[text, text, 0, text, 0]])


def _kaikki(folder: Path, text: str, count: int, *, name: str = "a.jsonl") -> Path:
    sense = {"glosses": [text], "tags": [text], "form_of": [{"word": f"Zug{text}"}]}
    sense["examples"] = [{"text": text, "english": text}]
    more: dict[str, Any] = {"forms": [{"form": text}], "sounds": [{"ipa": text}], "pos": text, "lang": text}
    rows = [wiktextract_row(f"Wort{at} {text}", senses=[sense], **more) for at in range(count)]
    return making.json_lines(folder / name, [*rows, wiktextract_row("Zug", "train")])


def _packed_kaikki(folder: Path, text: str, count: int) -> Path:
    return _kaikki(folder, text, count, name="a.jsonl.gz")


def _cedict(folder: Path, text: str, count: int) -> Path:
    line = " ".join(text.split("\n"))
    rows = (f"人{at}{line} 人{line} [{line}] /{line} 個|个[ge4]/\n" for at in range(count))
    return making.text_file(folder / "a.u8", f"{making.CEDICT_HEADER}# {line}\n人 人 [ren2] /person/\n{''.join(rows)}")


def _dictd_index(folder: Path, text: str, count: int) -> Path:
    definition = f' /{text}/ ({text}) <masc, n>\n [{text}] {text}\n      "{text}"  - {text}\n see: {{{text}}}\n'
    definitions = {f"wort{at}": f"Wort{at}{definition}" for at in range(count)}
    return making.dictd(folder, {"00databaseshort": text, "ok": "ok\nok\n", "x": text} | definitions)


def _dictd_definitions(folder: Path, text: str, count: int) -> Path:
    return _dictd_index(folder, text, count).with_suffix(".dict.dz")


FORMATS = pytest.mark.parametrize(
    "make", [_yomitan, _kaikki, _packed_kaikki, _cedict, _dictd_index, _dictd_definitions]
)
PACKED = pytest.mark.parametrize("make", [_yomitan, _packed_kaikki, _dictd_definitions])


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    for each in value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ():
        yield from _texts(each)


@pytest.mark.parametrize("make", [_yomitan, _kaikki, _cedict, _dictd_index])
def test_no_control_character_comes_through(tmp_path: Path, make: Make) -> None:
    for name, text in HOSTILE.items():
        path = make(tmp_path, text, 2)
        read = [asdict(info_of(path)), *map(asdict, rows_of(path))]
        assert not set(FORBIDDEN) & set("".join(_texts(read))), name


@FORMATS
def test_a_damaged_file_is_read_or_refused(tmp_path: Path, make: Make) -> None:
    drawn = random.Random(13)
    path = make(tmp_path, "word, term", 20)
    whole = path.read_bytes()
    for number in range(_DAMAGES):
        data = bytearray(whole)
        for _ in range(drawn.choice((1, 3, 30))):
            data[drawn.randrange(len(data))] = drawn.randrange(256)
        path.write_bytes(data[: drawn.randrange(len(data))] if number % 5 == 0 else data)
        try:
            assert rows_of(path)
        except ImportRefused as error:
            assert (bool(error.message), bool(error.hint)) == (True, True), f"damage {number}"


@PACKED
def test_a_cut_file_is_refused(tmp_path: Path, make: Make) -> None:
    path = make(tmp_path, "word", 1_000)
    whole = path.read_bytes()
    for share in (0.2, 0.7, 0.98):
        path.write_bytes(whole[: int(len(whole) * share)])
        with pytest.raises(ImportRefused, match=r"is damaged|its end is missing"):
            rows_of(path)


@PACKED
def test_a_bomb_is_refused(tmp_path: Path, make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("KAIKKI", "YOMITAN"):
        monkeypatch.setattr(bounds, name, replace(getattr(bounds, name), free_bytes=1_000))
    path = make(tmp_path, "word", 2)
    if make is _yomitan:
        making.yomitan(path, more={"term_bank_1.json": b"[" + b" " * 3_000_000 + b"]"})
    else:
        path.write_bytes(gzip.compress(gzip.decompress(path.read_bytes()) + (b" " * 999 + b"\n") * 3_000))
        if make is _dictd_definitions:
            with path.with_name("freedict-deu-eng.index").open("a", encoding="utf-8") as index:
                index.write("weit\tLNaA\tQ\n")  # at 2 938 496
    with pytest.raises(ImportRefused, match=r"a hundred times its size|than a dictionary of its size can"):
        rows_of(path)


def test_a_packed_file_reads_the_same(tmp_path: Path) -> None:
    for read in (_kaikki, _cedict):
        path = read(tmp_path, "word", 20)
        packed = tmp_path / f"{path.name}.gz"
        packed.write_bytes(gzip.compress(path.read_bytes()))
        assert rows_of(packed) == rows_of(path)


@FORMATS
def test_progress_goes_up_to_the_end_and_may_cancel(tmp_path: Path, make: Make) -> None:
    path = make(tmp_path, "word", 1_500)
    seen: list[float] = []
    with open_dictionary(path) as dictionary:
        assert len(list(dictionary.rows(seen.append))) >= 1_500
    assert (seen == sorted(seen), seen[-1], len(seen) > 5) == (True, 1.0, True)

    def cancel(share: float) -> None:
        if share > 0.4:
            raise InterruptedError

    with open_dictionary(path) as dictionary, pytest.raises(InterruptedError):
        list(dictionary.rows(cancel))


_json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                ["type", "text", "content", "tag", "reading", "value", "pitches", "word", "glosses", "form"]
            ),
            inner,
        )
    ),
    max_leaves=12,
)
_yomitan_rows = st.one_of(
    _json_values,
    st.lists(_json_values, min_size=3, max_size=8),
    st.builds(lambda *items: term_row("Zug", *items), _json_values, _json_values),
    st.builds(lambda mode, value: ["Zug", mode, value], st.sampled_from(["freq", "pitch", "ipa"]), _json_values),
)
_kaikki_rows = st.dictionaries(
    st.sampled_from(["word", "lang_code", "senses", "forms", "sounds", "pos", "lang"]), _json_values
)
_lines = st.text(alphabet='人天 Zug[]{}()<>/|:;,."-(see variant of12)CLSynonyms: Note: ˈ\n\x1b', max_size=200)


@pytest.mark.exhaustive
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(_yomitan_rows, max_size=5), st.sampled_from([1, 2, 3]), st.lists(_kaikki_rows, max_size=4), _lines)
def test_any_rows_and_lines_are_read_or_skipped(
    tmp_path: Path, rows: list[Any], version: int, objects: list[dict[str, Any]], lines: str
) -> None:
    index = {**making.INDEX, "format": version}
    zipped = making.yomitan(tmp_path / "a.zip", [*rows, term_row("gut", "good")], metas=rows, tags=rows, index=index)
    assert "gut" in {row.term for row in rows_of(zipped)}
    good = wiktextract_row("gut", "good")
    for path, term in (
        (making.json_lines(tmp_path / "a.jsonl", [good, *(good | row for row in objects)]), "gut"),
        (making.text_file(tmp_path / "a.u8", f"人 人 [ren2] /person/\n{lines}"), "人"),
        (making.dictd(tmp_path, {"zug": "Zug" + lines, "ok": "ok\nok\n"}), "ok"),
    ):
        try:
            assert term in {row.term for row in rows_of(path)}
        except ImportRefused as error:
            assert error.hint and path.suffix != ".index"
