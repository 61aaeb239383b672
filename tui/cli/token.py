"""The token of a server: from the environment, or from a file that only its owner should be able to read."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from pathlib import Path

from tui import bounds
from tui.cli.output import console
from tui.errors import InvalidInput
from tui.system import regular_file

VARIABLE = "LODE_TOKEN"
_MAX_BYTES = bounds.TOKEN.bytes_in


def token_of(file: Path | None, environ: Mapping[str, str]) -> str:
    """The token in the file or, without one, in ``LODE_TOKEN``; "" where neither is named.

    Raises ``InvalidInput`` for a file that cannot be read and for what is no token. Warns where others can read it.
    """
    if file is None:
        return _checked(environ[VARIABLE], VARIABLE) if environ.get(VARIABLE) else ""
    file = file.expanduser()
    try:
        with regular_file.open_file(file) as opened:
            if os.name == "posix" and stat.S_IMODE(os.fstat(opened.fileno()).st_mode) & 0o077:
                console.tell(f"warning: others can read the token in {file}")
                console.tell(f"hint: chmod 600 {file}")
            data = regular_file.piece_of(opened, _MAX_BYTES + 1)
    except OSError as error:
        raise InvalidInput(
            f"the token file {file} cannot be read: {error.strerror or error}", hint="check the path"
        ) from error
    return _checked(data.decode("utf-8", "replace"), f"the token file {file}")


def _checked(text: str, where: str) -> str:
    """Return a token that can stand in a header: visible ASCII in one line."""
    token = text.strip()
    if not token:
        raise InvalidInput(f"{where} is empty", hint="put a long random text in it: openssl rand -hex 32")
    if len(token) > _MAX_BYTES or not all("!" <= char <= "~" for char in token):
        raise InvalidInput(
            f"{where} holds no token",
            hint="a token is one line of letters, digits and signs, without spaces: openssl rand -hex 32",
        )
    return token
