"""Counts of the house: ``python -m tests.count_lines`` prints modules, lines of code, of imports and of signatures.

A line of code is one that is neither blank nor a comment nor part of a string that stands alone. A thin handler is a
function of ``server/routes`` or ``remote`` that only passes on. All that its statements, two at most, do is to call or
await one other thing with nothing but names, attributes and constants (or functions of one such call) handed through,
and to give back what comes: as it is, or by one more call that makes an answer of it. Whatever else stands there makes
something: a condition, an operator, a literal of several values, a text with values in it, calls of classes only (an
error with its message), a call of what another call gave. A property that gives an attribute calls nothing.
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
_MAX_CALLS = 2
_MORE = _MAX_CALLS + 1


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
    gives_back = len(body) == 1 or isinstance(body[-1], ast.Return)
    if function.name.startswith("__") or not 0 < len(body) <= _THIN_STATEMENTS or not gives_back:
        return False
    calls = sum(map(_count_calls, body))
    called = [node.func for each in body for node in ast.walk(each) if isinstance(node, ast.Call)]
    return 0 < calls <= _MAX_CALLS and not all(map(_is_class, called))


def _count_calls(node: ast.AST | None) -> int:
    """Count the calls of what hands on nothing but names, attributes and constants; ``_MORE`` for anything else."""
    match node:
        case ast.Name() | ast.Constant():
            return 0
        case ast.Expr(value) | ast.Return(value) | ast.Assign(value=value) | ast.AnnAssign(value=value):
            return _count_calls(value)
        case ast.Await(value) | ast.Starred(value) | ast.keyword(value=value):
            return _count_calls(value)
        case ast.Attribute(value):
            return _MORE * _count_calls(value)
        case ast.Lambda(body=body):
            return _MORE * (_count_calls(body) > 1)
        case ast.Call(func, args, keywords):
            return 1 + _MORE * _count_calls(func) + sum(map(_count_calls, (*args, *keywords)))
    return _MORE


def _is_class(called: ast.expr) -> bool:
    return ast.unparse(called).rpartition(".")[2].lstrip("_")[:1].isupper()


def main() -> None:
    names = [field.name for field in fields(Counts)]
    print("| |", " | ".join(names), "|")
    print("|---|", "--:|" * len(names), sep="")
    for directory in ("tui", "tests"):
        counts = count_directory(ROOT / directory)
        print(f"| {directory} |", " | ".join(f"{getattr(counts, name):,}" for name in names), "|")


if __name__ == "__main__":
    main()
