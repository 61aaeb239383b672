"""Counts of the house: ``python -m tests.count_lines`` prints modules, lines of code, of imports and of signatures.

A line of code is one that is neither blank nor a comment nor part of a string that stands alone. A thin handler is a
function of ``server/routes`` or ``remote`` that only passes on: its body is one or two simple statements.
"""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from pathlib import Path

ROOT = Path(__file__).parent.parent
_NO_CODE = {
    *(tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT),
    *(tokenize.ENCODING, tokenize.ENDMARKER),
}
_PASSING_ON = ("server/routes", "remote")
_THIN_STATEMENTS = 2
_SIMPLE = (ast.Expr, ast.Return, ast.Assign, ast.AnnAssign)


@dataclass(frozen=True, slots=True)
class Counts:
    """Counts of a module, or of several together."""

    modules: int = 0
    code: int = 0
    imports: int = 0
    signatures: int = 0
    thin: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(*(getattr(self, each.name) + getattr(other, each.name) for each in fields(Counts)))


def count_module(source: str, *, passes_on: bool = False) -> Counts:
    """Count the lines of a module's source; its thin handlers too where it ``passes_on``."""
    tree = ast.parse(source)
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    return Counts(
        modules=1,
        code=len(_token_lines(source) - _lines_of(_lone_strings(tree))),
        imports=len(_lines_of(node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom))),
        signatures=sum(node.body[0].lineno - node.lineno for node in functions),
        thin=sum(map(_is_thin, functions)) if passes_on else 0,
    )


def count_directory(directory: Path) -> Counts:
    """Count all modules below a directory."""
    total = Counts()
    for path in sorted(directory.rglob("*.py")):
        passes_on = path.parent.relative_to(directory).as_posix().startswith(_PASSING_ON)
        total += count_module(path.read_text("utf-8"), passes_on=passes_on)
    return total


def _token_lines(source: str) -> set[int]:
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in _NO_CODE:
            lines.update(range(token.start[0], token.end[0] + 1))
    return lines


def _lone_strings(tree: ast.AST) -> Iterator[ast.stmt]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node


def _lines_of(nodes: Iterable[ast.AST]) -> set[int]:
    return {line for node in nodes for line in range(node.lineno, node.end_lineno + 1)}  # type: ignore[attr-defined]  # nodes of statements have places


def _is_thin(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    body = function.body[1:] if ast.get_docstring(function, clean=False) is not None else function.body
    is_special = function.name.startswith("__")
    return not is_special and 0 < len(body) <= _THIN_STATEMENTS and all(isinstance(each, _SIMPLE) for each in body)


def main() -> None:
    names = [field.name for field in fields(Counts)]
    print("| |", " | ".join(names), "|")
    print("|---|", "--:|" * len(names), sep="")
    for directory in ("tui", "tests"):
        counts = count_directory(ROOT / directory)
        print(f"| {directory} |", " | ".join(f"{getattr(counts, name):,}" for name in names), "|")


if __name__ == "__main__":
    main()
