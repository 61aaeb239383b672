"""A provider's key: out of the environment, or printed by a command of the user's (``pass show openai``).

The command runs at the first request that needs the key, and its answer is kept in memory for the session; the key is
never written anywhere.
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
from contextlib import suppress

from tui.errors import ProviderError
from tui.llm.http_errors import Secret, for_message

_COMMAND_SECONDS = 60.0
"""A password manager may ask for its own password in a window of its own."""
_MAX_OUTPUT = 16 * 1024


class ApiKey:
    """``env`` names the variable ("" for none), ``wanted`` tells that nothing can be asked without a key.

    ``secret`` is the key wherever messages have to be cleared of it; it is filled in by ``get``.
    """

    def __init__(self, label: str, *, env: str = "", text: str = "", command: str = "", wanted: bool = False) -> None:
        self.secret = Secret(text)
        self._label = label
        self._env = env
        self._command = command
        self._wanted = wanted
        self._asking = asyncio.Lock()

    def lack(self) -> str:
        """What is missing, "" where nothing is; the command is not run for that, since it may ask its user."""
        if self._wanted and not self.secret.reveal() and not self._command:
            return f"{self._env} is not set"
        return ""

    async def get(self) -> str:
        """The key, "" where none is wanted. Raises ``ProviderError`` (``missing_key``, ``key_command_failed``)."""
        if self.lack():
            raise ProviderError(
                f"{self._label} needs a key, and {self._env} is not set",
                hint=f"set it before starting Lode: export {self._env}=…",
                code="missing_key",
            )
        if self._command and not self.secret.reveal():
            async with self._asking:
                if not self.secret.reveal():
                    self.secret.hold(_checked(await self._printed(), f"the key that {self._source} prints"))
        return _checked(self.secret.reveal(), f"the key in {self._env}")

    def forget(self) -> None:
        """The key was refused: let the command print it anew next time."""
        if self._command:
            self.secret.hold("")

    @property
    def _source(self) -> str:
        return f"the api_key_command of {self._label}"

    async def _printed(self) -> str:
        """The first line that the command prints."""
        process = await asyncio.create_subprocess_shell(
            self._command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        try:
            async with asyncio.timeout(_COMMAND_SECONDS):
                out, errors = await process.communicate()
        except TimeoutError:
            raise self._failed(f"took longer than {_COMMAND_SECONDS:.0f} s") from None
        finally:
            if process.returncode is None:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                await asyncio.shield(process.wait())
        first, _, _ = out[:_MAX_OUTPUT].decode("utf-8", "replace").strip().partition("\n")
        if process.returncode:
            # What it printed to standard output may be the key; its complaints are not.
            said = for_message(errors[:_MAX_OUTPUT].decode("utf-8", "replace").strip(), Secret(first))
            raise self._failed(f"failed ({process.returncode})" + (f": {said}" if said else ""))
        if not first.strip():
            raise self._failed("printed nothing")
        return first.strip()

    def _failed(self, what: str) -> ProviderError:
        return ProviderError(
            f"{self._source} {what}", hint="run it in a shell, and mend it in config.toml", code="key_command_failed"
        )


def _checked(key: str, called: str) -> str:
    if key and not (key.isascii() and key.isprintable() and " " not in key):
        raise ProviderError(
            f"{called} holds characters that no key has",
            hint="set it again, without spaces, quotes and line ends",
            code="key_refused",
        )
    return key
