"""``make bench``: measures everything (or what is named) and prints one table; exits 1 when a figure is not met."""

from __future__ import annotations

import sys
from collections.abc import Callable

from tests.bench import commands, first_visit, preview, provider, server, startup, stream, table
from tests.bench.figures import Figure
from tests.bench.library import million_clips

MEASUREMENTS: dict[str, Callable[[], list[Figure]]] = {
    "startup": lambda: startup.measure(million_clips()),
    "table": lambda: table.measure(million_clips()),
    "first_visit": first_visit.measure,
    "stream": stream.measure,
    "preview": preview.measure,
    "provider": provider.measure,
    "server": lambda: server.measure(million_clips()),
    "commands": lambda: commands.measure(million_clips()),
}


def main(names: list[str]) -> int:
    unknown = set(names) - set(MEASUREMENTS)
    if unknown:
        print(f"there are {', '.join(MEASUREMENTS)}, not {', '.join(sorted(unknown))}", file=sys.stderr)
        return 2
    figures = [figure for name in names or MEASUREMENTS for figure in MEASUREMENTS[name]()]
    rows = [("what", "measured", "against", "ratio", "at most", "")]
    rows += [
        (
            f.name,
            f.value,
            f.yardstick,
            f"{f.ratio:.2f}{f.unit}",
            f"{f.limit:g}{f.unit}",
            "met" if f.is_met else "MISSED",
        )
        for f in figures
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(6)]
    for number, row in enumerate(rows):
        print("| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |")
        if number == 0:
            print("|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return 0 if all(figure.is_met for figure in figures) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
