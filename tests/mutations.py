"""Mutation testing: ``python -m tests.mutations`` changes Lode in small ways and looks whether a test tells.

``--choose SEED`` writes a new list of changes, as many for each of ten packages, to ``tests/mutations.tsv``; without
it, the changes of the list are tried, each with the everyday tests that come by it, and what became of them is written
to the list: which test told, ``broken`` (pytest itself ended), ``endless``, ``survived``, ``unreached`` or ``gone``. So
a suite that became lighter is compared with the one before: ``git diff tests/mutations.tsv`` shows what it no longer
tells.
"""

from __future__ import annotations

import argparse
import ast
import csv
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from tests.count_lines import ROOT

_LIST = ROOT / "tests" / "mutations.tsv"
_PACKAGES = (
    *("screens", "service", "store", "importing", "widgets"),
    *("cli", "llm", "dictionaries", "server", "language"),
)
_EACH = 12
_MAX_TESTS = 60
"""Number of tests that a change is tried with, where more come by it: those of its own package first."""
_MAX_SECONDS, _MAX_SECONDS_REACHING = 240, 1800
_FAILED = ("FAILED tests/", "ERROR tests/")
_SWAPPED: Mapping[type[ast.AST], str] = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==", ast.In: "not in",
    ast.NotIn: "in", ast.Is: "is not", ast.IsNot: "is", ast.And: "or", ast.Or: "and", ast.Add: "-", ast.Sub: "+",
}  # fmt: skip
_SWITCH = """
import os
_ON, _REACHED, _seen = int(os.environ.get("LODE_MUTATION", -1)), os.environ.get("LODE_MUTATIONS_REACHED"), set()
def is_on(number):
    if _REACHED and (seen := (number, os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")[0])) not in _seen:
        _seen.add(seen)
        with open(f"{_REACHED}/{os.getpid()}", "a", encoding="utf-8") as file:
            file.write(f"{seen[0]}\\t{seen[1]}\\n")
    return number == _ON
"""


@dataclass(frozen=True, slots=True)
class Mutation:
    """A change of an expression; ``nth`` of those with the same text in the module."""

    module: str
    original: str
    nth: int
    changed: str
    told_by: str = ""


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutations")
    parser.add_argument("--choose", type=int, metavar="SEED")
    given = parser.parse_args(arguments)
    if given.choose is not None:
        chosen = random.Random(given.choose)
        _write([each for package in _PACKAGES for each in _choose(package, chosen)])
        return 0
    with _LIST.open(encoding="utf-8", newline="") as file:
        _, *rows = csv.reader(file, "excel-tab")
    mutations = [Mutation(module, text, int(nth), changed) for module, text, nth, changed, _ in rows]
    with tempfile.TemporaryDirectory() as made:
        tried = _try_all(mutations, Path(made) / "lode")
    _write(tried)
    told = Counter("told" if each.told_by.startswith("tests/") else each.told_by for each in tried)
    print(*(f"{number} {what}" for what, number in told.most_common()), sep="\n")
    return 0


def _write(mutations: Sequence[Mutation]) -> None:
    with _LIST.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, "excel-tab", lineterminator="\n")
        writer.writerow(Mutation.__slots__)
        writer.writerows([getattr(each, name) for name in Mutation.__slots__] for each in mutations)


def _choose(package: str, chosen: random.Random) -> Sequence[Mutation]:
    paths = sorted((ROOT / "tui" / package).rglob("*.py"))
    found = [(path, node, changed) for path in paths for node, changed in _mutable(path.read_text("utf-8"))]
    taken: list[Mutation] = []
    lines: set[tuple[Path, int]] = set()
    while len(taken) < _EACH:
        path, node, changed = chosen.choice(found)
        source = path.read_text("utf-8")
        original = ast.get_source_segment(source, node) or ""
        same = [each for each, _ in _mutable(source) if ast.get_source_segment(source, each) == original]
        nth = [(each.lineno, each.col_offset) for each in same].index((node.lineno, node.col_offset))
        if "\n" not in original and (path, node.lineno) not in lines:
            lines.add((path, node.lineno))
            taken.append(Mutation(path.relative_to(ROOT).as_posix(), original, nth, changed))
    return sorted(taken, key=lambda each: (each.module, each.original))


def _mutable(source: str) -> Iterator[tuple[ast.expr, str]]:
    """Expressions of a module that can be changed, with the text of the change."""
    waiting: list[ast.AST] = [ast.parse(source)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.JoinedStr | ast.pattern):  # their places are not known, or take constants only
            continue
        for name, value in ast.iter_fields(node):
            if name not in ("annotation", "returns", "decorator_list"):
                waiting += [
                    each for each in (value if isinstance(value, list) else [value]) if isinstance(each, ast.AST)
                ]
        match node:
            case ast.Compare(left, [operator], [right]):
                yield node, f"{ast.unparse(left)} {_SWAPPED[type(operator)]} {ast.unparse(right)}"
            case ast.BoolOp(operator, [first, *others]):
                rest = ast.unparse(others[0] if len(others) == 1 else ast.BoolOp(operator, others))
                yield node, f"({ast.unparse(first)}) {_SWAPPED[type(operator)]} ({rest})"
            case ast.UnaryOp(ast.Not(), operand):
                yield node, ast.unparse(operand)
            case ast.BinOp(left, ast.Add() | ast.Sub() as operator, right):
                yield node, f"({ast.unparse(left)}) {_SWAPPED[type(operator)]} ({ast.unparse(right)})"
            case ast.Constant(int() as number) if not isinstance(number, bool):
                yield node, str(number + 1)
            case ast.Constant(bool() as switch):
                yield node, str(not switch)


def _try_all(mutations: Sequence[Mutation], copy: Path) -> Sequence[Mutation]:
    """Try all in a copy of the project that has every change beside what it changes, and a switch for each."""
    shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".*", "__pycache__"))
    (copy.parent / "shared").symlink_to(ROOT.parent / "shared")
    (copy / "tui" / "mutation_switch.py").write_text(_SWITCH, "utf-8")
    of_module: dict[str, list[int]] = defaultdict(list)
    for number, each in enumerate(mutations):
        of_module[each.module].append(number)
    there = {
        number for module, numbers in of_module.items()
        for number in _insert(copy / module, {number: mutations[number] for number in numbers})
    }  # fmt: skip
    reached = copy.parent / "reached"
    reached.mkdir()
    everything = ("-n", "6", "--dist", "worksteal", "tests")
    printed = _run_tests(copy, *everything, seconds=_MAX_SECONDS_REACHING, LODE_MUTATIONS_REACHED=str(reached))
    if " passed" not in printed:
        raise RuntimeError(f"the tests did not run: {printed[-500:]}")
    failing = _find_failures(printed)
    tests: dict[int, set[str]] = defaultdict(set)
    for file in reached.iterdir():
        for line in file.read_text("utf-8").splitlines():
            reached_one, _, test = line.partition("\t")
            if test and test not in failing:  # one that counts the modules, or reads them
                tests[int(reached_one)].add(test)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        tried = pool.map(lambda number: _try(copy, mutations, number, tests[number]), range(len(mutations)))
        return [
            replace(each, told_by=told_by if number in there else "gone")
            for number, (each, told_by) in enumerate(zip(mutations, tried, strict=True))
        ]


def _insert(path: Path, mutations: Mapping[int, Mutation]) -> Sequence[int]:
    """Write the changes into a module, from its end to its beginning; gives those that it has a place for."""
    if not path.exists():
        return []
    lines = path.read_bytes().splitlines(keepends=True)
    source = b"".join(lines).decode()
    places: list[tuple[int, int, int, int]] = []
    for number, mutation in mutations.items():
        same = [node for node, _ in _mutable(source) if ast.get_source_segment(source, node) == mutation.original]
        if mutation.nth < len(same):
            node = same[mutation.nth]
            places.append((node.lineno, node.col_offset, node.end_col_offset or 0, number))
    for line, begin, end, number in sorted(places, reverse=True):
        text = lines[line - 1]
        switched = f"(({mutations[number].changed}) if is_on({number}) else ".encode() + text[begin:end] + b")"
        lines[line - 1] = text[:begin] + switched + text[end:]
    body = ast.parse(source).body
    first = next(
        each.lineno - 1 for each in body
        if not (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant))
        and not (isinstance(each, ast.ImportFrom) and each.module == "__future__")
    )  # fmt: skip
    lines.insert(first, b"from tui.mutation_switch import is_on\n")
    path.write_bytes(b"".join(lines))
    return [place[3] for place in places]


def _try(copy: Path, mutations: Sequence[Mutation], number: int, tests: set[str]) -> str:
    own = f"tests/{mutations[number].module.split('/')[1]}/"
    nearest = sorted(tests, key=lambda test: (not test.startswith(own), test))[:_MAX_TESTS]
    if not nearest:
        return "unreached"
    try:
        printed = _run_tests(copy, "-x", *nearest, LODE_MUTATION=str(number))
        failed = _find_failures(printed)
        told = failed[0] if failed else "survived" if " passed" in printed else "broken"
    except subprocess.TimeoutExpired:
        told = "endless"
    print(number, told, flush=True)
    return told


def _find_failures(printed: str) -> Sequence[str]:
    return [line.partition(" ")[2].partition(" - ")[0] for line in printed.splitlines() if line.startswith(_FAILED)]


def _run_tests(copy: Path, *arguments: str, seconds: int = _MAX_SECONDS, **environ: str) -> str:
    command = [sys.executable, "-m", "pytest", "-m", "not exhaustive", "--tb=no", "-rfE", "-p", "no:cacheprovider"]
    environ = {**os.environ, "PYTHONPATH": str(copy), **environ}
    done = subprocess.run(
        [*command, *arguments], cwd=copy, capture_output=True, text=True, timeout=seconds, env=environ
    )
    return done.stdout


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
