"""Memory of the app after many keys on all its lists and in the reader, by what it was after a tenth of them.

Only the app's own counts: the dictionary of lemmas is a file that is mapped into memory (100 MB), and read as it is
needed. It and the words of the library come in with time and not with keys, so both are waited for.
"""

from __future__ import annotations

from pathlib import Path

from tests.bench.library import searched_library
from tests.bench.rows import Measured
from tests.bench.terminal import AnsweringProgram
from tests.server_process import LODE

_FEW, _MANY = 2_000, 20_000
_AT_ONCE = 20
"""Keys sent together; the next ones follow once these are painted."""
_PATIENCE, _QUIET = 1.0, 0.02
"""Seconds without output after which keys are taken to change nothing, and after which they are painted."""
_UNTIL_COUNTED = 20.0
"""Seconds without output after which the words of the library are counted."""
_ESCAPE = "\x1b[27u"
_ROUND = (
    *("1", *"jjjjkkG", "g", "\x1b[6~", "2", *"jjjkj", "\x1b[6~", "3", *"jjjjjjkG", "g"),
    *("5", "H", *"jjjk", _ESCAPE, "6", *"jjjj", "7", *"jjjj", "\r", *"jj", _ESCAPE, "'", *"jjk", _ESCAPE),
    *("2", "g", *"jj", "\r", *"lllhjjjjjlhlhJKkjj", "\x1b[6~", *"jlkh", "G", "g", "P", "P", _ESCAPE, "?", _ESCAPE),
)
"""Through every section, with what is opened there, and back."""


def measure() -> list[Measured]:
    with AnsweringProgram([LODE], environ={"LODE_HOME": str(searched_library())}) as program:
        program.until("Transcripts")
        program.send("7")
        program.settle(_UNTIL_COUNTED, timeout=600.0)
        megabytes = [_after(program, range(_FEW)), _after(program, range(_FEW, _MANY))]
    return [Measured(megabytes[1], megabytes[0])]


def _after(program: AnsweringProgram, numbers: range) -> float:
    """Megabytes in memory after these keys of the round, which begins anew again and again."""
    for first in numbers[::_AT_ONCE]:
        program.send("".join(_ROUND[number % len(_ROUND)] for number in range(first, first + _AT_ONCE)))
        program.read(_PATIENCE)
        program.settle(_QUIET)
        program.output.clear()
    program.settle(3.0, timeout=600.0)
    for line in Path(f"/proc/{program.pid}/status").read_text().splitlines():
        if line.startswith("RssAnon:"):
            return int(line.split()[1]) / 1000
    raise AssertionError("the program has ended")
