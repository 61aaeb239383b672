"""What is measured: the rows of ``rows.tsv``, each with the group it belongs to, its yardstick and its limit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, cast

Kind = Literal["ratio", "difference", "alone"]
"""What the limit bounds: the figure by its yardstick, what it has beyond it, or the figure itself."""


@dataclass(frozen=True, slots=True)
class Measured:
    """A figure and its yardstick, in the unit of their row; ``words`` are filled into the row's texts."""

    figure: float
    yardstick: float = 0.0
    words: Mapping[str, object] | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """``measured`` and ``yardstick`` say how the two numbers (``{}``) are written; any text may have named words."""

    name: str
    measured: str
    yardstick: str
    limit: float
    kind: Kind

    def cells(self, found: Measured) -> tuple[str, ...]:
        words = found.words or {}
        unit = "×" if self.kind == "ratio" else self.measured.rpartition("}")[2]
        return (
            self.name.format(**words),
            self.measured.format(found.figure),
            self.yardstick.format(found.yardstick, **words),
            f"{self._held(found):.2f}{unit}",
            f"{self.limit:g}{unit}",
            "met" if self.is_met(found) else "MISSED",
        )

    def is_met(self, found: Measured) -> bool:
        return self._held(found) <= self.limit

    def _held(self, found: Measured) -> float:
        match self.kind:
            case "ratio":
                return found.figure / found.yardstick
            case "difference":
                return found.figure - found.yardstick
            case "alone":
                return found.figure


def _read_rows() -> Mapping[str, Sequence[Row]]:
    rows: dict[str, list[Row]] = {}
    for line in Path(__file__).with_suffix(".tsv").read_text("utf-8").splitlines()[1:]:
        group, name, measured, yardstick, limit, kind = line.split("\t")
        rows.setdefault(group, []).append(Row(name, measured, yardstick, float(limit), cast(Kind, kind)))
    return rows


ROWS = _read_rows()
"""By group, in the order in which its function in ``__main__.GROUPS`` measures them."""
