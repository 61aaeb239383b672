"""Cues as rows for the database: texts of JSON, which SQLite itself takes apart.

So a process can hand cues to the one that writes them without that making an object of each, which would hold up what
else it does: an import of a directory has hundreds of thousands.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, overload

from tui.language.scripts import is_spaceless
from tui.records.transcripts import Cue, Ruby
from tui.store.rows import as_json, json_value

ROWS = 256
"""Number of rows in one text."""
COLUMNS = ("position", "start_ms", "end_ms", "text", "speaker", "ruby", "sounds", "spaceless")


class CueRows(Sequence[Cue]):
    """Cues that are kept as rows and made anew whenever they are read; ``last_end_ms`` is the latest of their ends."""

    def __init__(self, cues: Sequence[Cue]) -> None:
        self.parts = tuple(row_texts(cues))
        self.last_end_ms = last_end_ms(cues)
        self._count = len(cues)

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Cue]:
        for part in self.parts:
            for *columns, _ in json_value(part):
                yield cue_of(columns)

    @overload
    def __getitem__(self, index: int) -> Cue: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Cue]: ...
    def __getitem__(self, index: int | slice) -> Cue | Sequence[Cue]:
        return tuple(self)[index]


def row_texts(cues: Iterable[Cue]) -> Iterator[str]:
    """Write cues as rows of ``COLUMNS``, ``ROWS`` in each text."""
    rest, written = iter(cues), 0
    while some := list(islice(rest, ROWS)):
        rows = [_row(position, cue) for position, cue in enumerate(some, written)]
        yield json.dumps(rows, ensure_ascii=False)  # what is no Unicode is refused when it is written
        written += len(some)


def last_end_ms(cues: Iterable[Cue]) -> int | None:
    """The latest end of the cues, None where none has times."""
    return max((cue.end_ms for cue in cues if cue.end_ms is not None), default=None)


def cue_of(columns: Sequence[Any]) -> Cue:
    """Make a cue of the values of ``COLUMNS`` but the last."""
    index, start, end, text, speaker, ruby, sounds = columns
    return Cue(
        *(index, start, end, text, speaker),
        ruby=tuple(Ruby(*each) for each in json_value(ruby)) if ruby else (),
        sounds=tuple(json_value(sounds)) if sounds else (),
    )


def _row(position: int, cue: Cue) -> tuple[object, ...]:
    ruby = as_json([[each.start, each.end, each.text] for each in cue.ruby]) if cue.ruby else None
    sounds = as_json(cue.sounds) if cue.sounds else None
    # SQLite ends a text of JSON at a NUL, which no import leaves in one.
    text, speaker = cue.text.replace("\0", ""), cue.speaker and cue.speaker.replace("\0", "")
    return position, cue.start_ms, cue.end_ms, text, speaker, ruby, sounds, is_spaceless(text)
