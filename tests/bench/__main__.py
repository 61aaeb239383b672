"""``make bench``: measures all rows, or the groups that are named (``ARGS=streams``); exits 1 where one is not met.

What was measured is printed, and takes its place in ``BENCHMARKS.md``.
``ARGS=--list`` names the groups with their rows; some are only measured when they are named.
"""

from __future__ import annotations

import sys
import traceback
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from itertools import chain

from tests.bench import (
    app,
    corpus,
    correcting,
    cursor_keys,
    deck,
    dictionaries,
    imports,
    inbox,
    log_size,
    media,
    memory,
    mining,
    reader,
    report,
    retiming,
    search,
    served,
    sorts,
    texts,
    traffic,
    transcription,
    words,
)
from tests.bench.rows import ROWS, Measured, Row

GROUPS: dict[str, Callable[[], Sequence[Measured]]] = {
    "startup": app.measure_startup,
    "table": cursor_keys.measure,
    "traffic": traffic.measure,
    "memory": memory.measure,
    "token-log": app.measure_token_log,
    "preview": app.measure_preview,
    "provider": served.measure_provider,
    "streams": served.measure_streams,
    "lists": served.measure_lists,
    "log-size": log_size.measure,
    "imports": imports.measure,
    "million-cues": imports.measure_many,
    "commands": app.measure_commands,
    "detection": corpus.measure_encodings,
    "reader": reader.measure,
    "continue": reader.measure_continue,
    "side-pane": reader.measure_side_pane,
    "dictionaries": dictionaries.measure,
    "words": corpus.measure_words,
    "anki-words": words.measure_anki,
    "known-words": words.measure_counts,
    "deck": deck.measure,
    "texts": texts.measure,
    "search": search.measure,
    "sorts": sorts.measure,
    "media": media.measure,
    "transcription": transcription.measure,
    "correcting": correcting.measure,
    "retiming": retiming.measure,
    "mining": mining.measure,
    "inbox": inbox.measure,
}
_WHEN_NAMED = frozenset(
    ("memory", "log-size", "million-cues", "side-pane", "search", "sorts", "media", "transcription", "inbox")
)
"""Groups that take minutes, most of them for making a large library or a film."""
_OPEN: Mapping[str, str] = defaultdict(lambda: "…")
"""For what is known of a row only when it is measured."""


def main(names: Sequence[str]) -> int:
    if "--list" in names:
        for group in GROUPS:
            print(group, *(f"  {row.name.format_map(_OPEN)}" for row in ROWS[group]), sep="\n")
        return 0
    if unknown := [name for name in names if name not in GROUPS]:
        print(f"there is no {', '.join(unknown)}; there are {', '.join(GROUPS)}", file=sys.stderr)
        return 2
    measured = names or [name for name in GROUPS if name not in _WHEN_NAMED]
    found: dict[str, list[tuple[Row, Measured]]] = {}
    broken: list[str] = []
    for name in measured:
        try:
            found[name] = list(zip(ROWS[name], GROUPS[name](), strict=True))
        except Exception:  # noqa: BLE001 - what the others took twenty minutes to measure is not lost for it
            traceback.print_exc()
            broken.append(name)
    print(report.write_table(row.cells(measured) for row, measured in chain.from_iterable(found.values())))
    tables = {name: report.write_table(row.cells(each) for row, each in rows) for name, rows in found.items()}
    text = report.PATH.read_text("utf-8")
    machine = report.describe_machine()
    report.PATH.write_text(report.replace_tables(text, tables, tuple(GROUPS), machine=machine), "utf-8")
    if broken:
        print(f"not measured: {', '.join(broken)}", file=sys.stderr)
    return 1 if broken or not all(row.is_met(each) for row, each in chain.from_iterable(found.values())) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
