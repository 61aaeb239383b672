"""What a measurement gives: a value, what it is held against, and how far apart the two may be."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """``value`` and ``yardstick`` are written for people; ``ratio`` (in the unit of ``limit``) is what must be met."""

    name: str
    value: str
    yardstick: str
    ratio: float
    limit: float
    unit: str = "×"

    @property
    def is_met(self) -> bool:
        return self.ratio <= self.limit

    def line(self) -> str:
        """The figure in one line: what, against what, the ratio, and whether it is met."""
        verdict = "met" if self.is_met else "MISSED"
        return (
            f"{self.name}: {self.value} against {self.yardstick}; {self.ratio:.3g} of at most {self.limit:g}  {verdict}"
        )
