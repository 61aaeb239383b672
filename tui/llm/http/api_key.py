"""API key: reads a provider's key out of the environment, or printed by a command of the user's (``pass show openai``).

The command runs at the first request that needs the key, and its answer is kept in memory for the session; the key is
never written anywhere.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tui import bounds
from tui.errors import ProviderError
from tui.llm.http.errors import Secret, redact
from tui.system.child_process import run

_COMMAND_SECONDS = bounds.API_KEY.seconds
"""Seconds for the command: a password manager may ask for its own password in a window of its own."""
_MAX_OUTPUT = bounds.API_KEY.bytes_in
"""Maximum bytes that a command may print; a key has a hundred."""


class ApiKey:
    """Key of a provider; ``env`` names its variable ("" for none), without a ``required`` one nothing can be asked.

    ``other_envs`` are the variables that would have done as well. ``secret`` is the key wherever messages have to be
    cleared of it; it is filled in by ``get``.
    """

    def __init__(
        self,
        label: str,
        *,
        env: str = "",
        text: str = "",
        command: str = "",
        required: bool = False,
        other_envs: tuple[str, ...] = (),
    ) -> None:
        self.secret = Secret(text)
        self._label = label
        self._env = env
        self._other_envs = other_envs
        self._command = command
        self._required = required
        self._asking = asyncio.Lock()

    @property
    def known(self) -> str:
        """The key as far as it is known by now."""
        return self.secret.reveal()

    @property
    def is_pending(self) -> bool:
        """Whether a command will print it when it is first needed."""
        return bool(self._command) and not self.known

    def problem(self) -> ProviderError | None:
        """Say what is missing; a command is not run for that, since it may ask its user."""
        if self._command:
            return None
        if self._required and not self.known:
            hint = f"export {self._env}=… before starting Lode"
            return ProviderError(self._not_set, hint=hint, code="missing_key")
        return None if _is_sound(self.known) else _unsound(f"the key in {self._env}")

    async def get(self) -> str:
        """The key, "" where none is wanted. Raises ``ProviderError`` (``missing_key``, ``key_command_failed``)."""
        if self._required and not self.known and not self._command:
            raise ProviderError(
                f"{self._label} needs a key, and {self._not_set}",
                hint=f"set it before starting Lode: export {self._env}=…",
                code="missing_key",
            )
        if self.is_pending:
            async with self._asking:
                if self.is_pending:
                    self.secret.replace(_checked(await self._printed(), f"the key that {self._source} prints"))
        return _checked(self.known, f"the key in {self._env}")

    @asynccontextmanager
    async def forget_if_refused(self) -> AsyncIterator[None]:
        """Context of a request with the key: one that is refused is not kept."""
        try:
            yield
        except ProviderError as error:
            if error.code == "key_refused":
                self.forget()
            raise

    def forget(self) -> None:
        """Forget a key that was refused: the command prints it anew next time."""
        if self._command:
            self.secret.replace("")

    @property
    def _not_set(self) -> str:
        if self._other_envs:
            return f"neither {self._env} nor {' nor '.join(self._other_envs)} is set"
        return f"{self._env} is not set"

    @property
    def _source(self) -> str:
        return f"the api_key_command of {self._label}"

    async def _printed(self) -> str:
        """Run the command; gives the first line that it prints."""
        try:
            ended = await run(self._command, seconds=_COMMAND_SECONDS, most_bytes=_MAX_OUTPUT)
        except TimeoutError:
            raise self._failed(f"took longer than {_COMMAND_SECONDS:.0f} s") from None
        out, errors = ended.out, ended.errors
        if max(len(out), len(errors)) > _MAX_OUTPUT:
            raise self._failed(f"printed more than {_MAX_OUTPUT // 1024} kB")
        first, _, _ = out.decode("utf-8", "replace").strip().partition("\n")
        if ended.returncode:
            # What it printed to standard output may be the key; its complaints are not.
            said = redact(errors.decode("utf-8", "replace").strip(), Secret(first))
            raise self._failed(f"failed ({ended.returncode})" + (f": {said}" if said else ""))
        if not first.strip():
            raise self._failed("printed nothing")
        return first.strip()

    def _failed(self, what: str) -> ProviderError:
        return ProviderError(
            f"{self._source} {what}", hint="run it in a shell, and mend it in config.toml", code="key_command_failed"
        )


def _is_sound(key: str) -> bool:
    return not key or (key.isascii() and key.isprintable() and " " not in key)


def _checked(key: str, called: str) -> str:
    if not _is_sound(key):
        raise _unsound(called)
    return key


def _unsound(called: str) -> ProviderError:
    return ProviderError(
        f"{called} holds characters that no key has",
        hint="set it again, without spaces, quotes and line ends",
        code="key_refused",
    )
