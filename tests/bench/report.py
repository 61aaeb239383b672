"""``BENCHMARKS.md``: the newest table of every group; one that was not measured keeps the table that it has."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

PATH = Path(__file__).resolve().parents[2] / "BENCHMARKS.md"
_HEAD = ("what", "measured", "against", "ratio", "at most", "")
_HEADING = "\n## "


def write_table(rows: Iterable[Sequence[str]]) -> str:
    """Markdown table of the cells of rows, aligned to be read as it is."""
    cells = [_HEAD, *rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = [f"| {' | '.join(cell.ljust(width) for cell, width in zip(line, widths, strict=True))} |" for line in cells]
    lines.insert(1, f"|{'|'.join('-' * (width + 2) for width in widths)}|")
    return "\n".join(lines)


def replace_tables(text: str, tables: Mapping[str, str], order: Sequence[str], *, machine: str) -> str:
    """The text of the file with new tables (group → table) for what was measured; the groups stand in ``order``."""
    introduction, *sections = text.rstrip("\n").split(_HEADING)
    kept = dict(section.split("\n", 1) for section in sections)
    kept |= {group: f"\n{machine}\n\n{table}\n" for group, table in tables.items()}
    return "".join(
        [
            introduction.rstrip("\n") + "\n",
            *(f"{_HEADING}{name}\n{kept[name].rstrip()}\n" for name in order if name in kept),
        ]
    )


def describe_machine() -> str:
    """The day, and what it was measured on."""
    version = platform.python_version().rpartition(".")[0]
    return f"{datetime.now(UTC):%Y-%m-%d}, {os.cpu_count()} cores, Python {version}"
