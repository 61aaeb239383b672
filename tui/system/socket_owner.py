"""Owner of the process at the other end of a connection on this machine, as far as Linux tells it."""

from __future__ import annotations

import os
import stat
from pathlib import Path

_TABLES = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))
_LOCAL, _REMOTE, _OWNER = 1, 2, 7
"""Columns of such a table: addresses as ``0100007F:2251``, and the number of the user."""


def find_owner(client_port: int, server_port: int) -> int | None:
    """The user whose process is connected from one port to the other; None where that cannot be told."""
    wanted = f":{client_port:04X}", f":{server_port:04X}"
    for table in _TABLES:
        try:
            lines = table.read_text("ascii").splitlines()[1:]
        except OSError:
            continue
        for columns in map(str.split, lines):
            if columns[_LOCAL].endswith(wanted[0]) and columns[_REMOTE].endswith(wanted[1]):
                return int(columns[_OWNER])
    return None


def can_everybody_read(path: Path) -> bool:
    """Whether every user of this machine may read a file, and enter the directories that it is in."""
    try:
        place = path.resolve(strict=True)
        if not place.stat().st_mode & stat.S_IROTH:
            return False
        return all(parent.stat().st_mode & stat.S_IXOTH for parent in place.parents)
    except OSError:
        return False


def may_read(path: Path, client_port: int, server_port: int) -> bool:
    """Whether the process at the other end could itself read what this one can."""
    if hasattr(os, "getuid") and find_owner(client_port, server_port) == os.getuid():
        return True
    return can_everybody_read(path)
