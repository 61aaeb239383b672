"""Size of the write-ahead log while eight processes write into a library, and two read it, for five minutes."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tests.bench.rows import Measured
from tui.store import Store
from tui.store.write_ahead_log import log_bytes

_WRITERS, _READERS = 8, 2
_SECONDS = 300
_BETWEEN = 0.02


def measure() -> Sequence[Measured]:
    with tempfile.TemporaryDirectory() as directory:
        home = Path(directory)
        Store.open(home).close()
        users = [_user(home, "writes", seed) for seed in range(_WRITERS)]
        users += [_user(home, "reads", seed) for seed in range(_READERS)]
        most = 0
        while any(user.poll() is None for user in users):
            most = max(most, log_bytes(home / "lode.db"))
            time.sleep(_BETWEEN)  # between two looks at the size
        counts = [tuple(map(int, user.communicate()[0].split())) for user in users]
        store = Store.open(home)
        kept = store.clips.page("default").total
        store.close()
    writes, reads = counts[:_WRITERS], counts[_WRITERS:]
    words = {
        "writes": f"{sum(done for done, _ in writes):,}",
        "refused": sum(refused for _, refused in counts),
        "reads": f"{sum(done for done, _ in reads):,}",
        "kept": f"{kept:,}",
    }
    return (Measured(most / 1e6, words=words),)


def _user(home: Path, kind: str, seed: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.bench.programs.library_user", str(home), kind, str(_SECONDS), str(seed)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
