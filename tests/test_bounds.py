"""Every reader of what comes from outside has its row of bounds, and its numbers stand nowhere else."""

from __future__ import annotations

import ast
from dataclasses import fields
from pathlib import Path

import pytest

import tui
from tui import bounds
from tui.bounds import Bounds
from tui.dictionaries import formats as dictionaries
from tui.importing import formats as importing
from tui.vocabulary import formats as vocabulary

ROWS = {name: row for name, row in vars(bounds).items() if isinstance(row, Bounds)}
READERS = [
    (f"{table.__name__}: {row.name}", row.bounds)
    for table, rows in (
        (importing, (*importing.FORMATS, *importing.DOCUMENTS)),
        (dictionaries, dictionaries.FORMATS),
        (vocabulary, vocabulary.FORMATS),
    )
    for row in rows
]
_UNPACKING = {"bz2", "gzip", "httpx", "lzma", "tarfile", "zipfile", "zlib"}
"""Modules of Python and of others by which bytes from outside come, or become more."""
_NOT_READERS = {
    "tui.zip_bounds": "counts what zipfile would hold",
    "tui.compat": "of Textual",
    "tui.deck": "writes",
    "tui.exporting": "writes",
    "tui.remote": "the own server's answers, bounded in remote/responses.py",
    "tui.server": "serves: bodies are bounded in server/uploads.py",
    "tui.service": "asks readers",
    "tui.store": "packs and unpacks what it has written itself",
    "tui.cli": "asks readers",
}


@pytest.mark.parametrize(("reader", "row"), READERS, ids=[reader for reader, _ in READERS])
def test_a_reader_has_bounds_that_hold(reader: str, row: Bounds) -> None:
    assert row in ROWS.values(), f"{reader} has a row of its own: put it into tui/bounds.py"
    assert row.entry_bytes <= row.bytes_in


def test_no_row_is_without_use() -> None:
    used = "".join(path.read_text("utf-8") for path in Path(tui.__file__).parent.rglob("*.py") if path.stem != "bounds")
    assert [name for name in ROWS if name not in used] == []


@pytest.mark.parametrize("name", ROWS)
def test_a_row_bounds_bytes_and_entries(name: str) -> None:
    row = ROWS[name]
    assert all(getattr(row, field.name) >= 0 for field in fields(row))
    assert min(row.bytes_in, row.entries, row.entry_bytes) > 0
    assert not row.ratio or row.free_bytes, "small files are packed to nothing"


def test_whatever_unpacks_or_asks_for_what_is_outside_takes_its_bounds_from_the_table() -> None:
    root = Path(tui.__file__).parent
    without = []
    for path in sorted(root.rglob("*.py")):
        module = ".".join(("tui", *path.relative_to(root).with_suffix("").parts))
        if any(f"{module}.".startswith(f"{each}.") for each in _NOT_READERS):
            continue
        imported = _imported(ast.parse(path.read_text("utf-8")))
        if imported & _UNPACKING and not imported & {"tui.bounds"} and module not in _BOUNDED_BY_CALLERS:
            without.append(module)
    assert without == []


_BOUNDED_BY_CALLERS = {
    "tui.dictionaries.formats",
    "tui.importing.web.unpacking",
    "tui.llm.http.httptools_transport",
    "tui.llm.http.probe",
    "tui.llm.http.refusals",
}
"""Modules that give pieces, or read a beginning, and whose callers count."""


def _imported(tree: ast.Module) -> set[str]:
    """What a module imports when it is used; not for types only."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            node.body.clear()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {each.name.partition(".")[0] for each in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module == "tui":
            found |= {f"tui.{each.name}" for each in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module if node.module.startswith("tui.") else node.module.partition(".")[0])
    return found
