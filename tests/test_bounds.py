"""Every reader of what comes from outside has its row of bounds, and its numbers stand nowhere else."""

import ast
import re
from dataclasses import fields
from pathlib import Path

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
_UNPACKING = {"av", "bz2", "gzip", "httpx", "lzma", "tarfile", "zipfile", "zlib", "tui.system.child_process"}
"""Modules of Python and of others by which bytes from outside come, or become more."""
_READING = {
    *("regular_file.open_file", "regular_file.read", "regular_file.piece_of", "tomllib.loads", "pickle.load"),
    *("asyncio.open_unix_connection", "asyncio.open_connection", "asyncio.create_subprocess_exec", "stdin.buffer"),
    *("stdin.read", "stdin.readline", "urllib.urlopen", "socket.create_connection"),
}
"""What reads a file, a socket or the output of a program."""
_NAMED = re.compile(rf"\b({'|'.join(each.split('.')[0] for each in _READING)}|{'|'.join(_UNPACKING)})\b")
"""What a module that does either names: the others need not be parsed."""
_NOT_READERS = {
    "tui.system.zip_bounds": "counts what zipfile would hold",
    "tui.compat": "of Textual",
    "tui.deck": "writes",
    "tui.language": "reads tables of its own",
    "tui.exporting": "writes",
    "tui.store": "packs and unpacks what it has written itself",
}


def test_every_row_bounds_bytes_and_entries_and_a_reader_has_no_other() -> None:
    for name, row in ROWS.items():
        assert all(getattr(row, field.name) >= 0 for field in fields(row)), name
        assert min(row.bytes_in, row.entries, row.entry_bytes) > 0, name
        assert not row.ratio or row.free_bytes, f"{name}: small files are packed to nothing"
    for reader, row in READERS:
        assert row in ROWS.values(), f"{reader} has a row of its own: put it into tui/bounds.py"
        assert row.entry_bytes <= row.bytes_in, reader


def test_no_row_is_without_use() -> None:
    used = "".join(path.read_text("utf-8") for path in Path(tui.__file__).parent.rglob("*.py") if path.stem != "bounds")
    assert [name for name in ROWS if name not in used] == []


def test_whatever_unpacks_or_asks_for_what_is_outside_takes_its_bounds_from_the_table() -> None:
    root = Path(tui.__file__).parent
    without = []
    for path in sorted(root.rglob("*.py")):
        module = ".".join(("tui", *path.relative_to(root).with_suffix("").parts))
        if any(f"{module}.".startswith(f"{each}.") for each in _NOT_READERS):
            continue
        source = path.read_text("utf-8")
        if not _NAMED.search(source):
            continue
        tree = ast.parse(source)
        imported = _imported(tree)
        if (imported & _UNPACKING or _called(tree) & _READING) and "tui.bounds" not in imported:
            without.append(module)
    assert sorted(without) == sorted(_BOUNDED_ELSEWHERE), "give it a row in tui/bounds.py, or say here who counts"


_IN_PIECES = "reads in pieces of which none is kept"
_LAST_LINES = "of a program that runs on system/child_process.py keeps the last lines"
_OF_FILMS = "in a process of its own, which media_process.py bounds"
_BOUNDED_ELSEWHERE = {
    "tui.cli.commands.add": "counts by importing/parse.py",
    "tui.cli.commands.settings": "of config.toml, which config.py has read",
    "tui.cli.output.details": "an answer of a thousand characters",
    "tui.llm.http.httptools_transport": "gives pieces, which client.py counts",
    "tui.media.cutting": _OF_FILMS,
    "tui.media.films": _IN_PIECES,
    "tui.media.sound": _OF_FILMS,
    "tui.playing.players": _LAST_LINES,
    "tui.remote.connection": "gives pieces, which encoding.py and client.py count",
    "tui.screens.shell.external_editor": "the user's own editor, on the terminal",
    "tui.server.documentation.openapi": "a table of its own",
    "tui.service.decks.deck": _IN_PIECES,
    "tui.service.jobs.dictionary_import": _IN_PIECES,
    "tui.service.jobs.file_import": "counts by importing/parse.py",
    "tui.system.child_process": "is given its bounds, or keeps the last lines",
    "tui.system.python_process": "asks a process of Lode's own",
    "tui.transcribing.pieces": _OF_FILMS,
    "tui.text.toml_lines": "of config.toml, which config.py has read",
}
"""Modules that read and whose bounds are not their own: whose they are."""


def _called(tree: ast.Module) -> set[str]:
    """The attributes that a module uses, each after the last name before it: "stdin.buffer" of sys.stdin.buffer."""
    return {
        f"{before}.{node.attr}"
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and (before := getattr(node.value, "id", None) or getattr(node.value, "attr", None))
    }


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
