"""Processes of Lode's own that work beside it: Python runs one thread at a time, and the app's keys need theirs."""

from __future__ import annotations

import subprocess
import sys


def started(module: str) -> subprocess.Popen[bytes]:
    """Start a process that does ``serve`` of a module, with pipes to it and from it; raises ``OSError``."""
    # "-P": this directory may have a "tui" of its own. The session is for Ctrl+C, which is for the program alone.
    return subprocess.Popen(
        [sys.executable, "-P", "-c", f"from {module} import serve; serve()"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
