"""API key: reads a provider's key out of the environment, or printed by a command of the user's (``pass show openai``).

The command runs at the first request that needs the key, and its answer is kept in memory for the session; the key is
never written anywhere.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from tui import bounds
from tui.errors import ProviderError
from tui.llm.wires.wire_format import MAX_READ
from tui.system.child_process import run
from tui.text.sanitize import one_line

_COMMAND_SECONDS = bounds.API_KEY.seconds
"""Seconds for the command: a password manager may ask for its own password in a window of its own."""
_MAX_OUTPUT = bounds.API_KEY.bytes_in
"""Maximum bytes that a command may print; a key has a hundred."""
_MAX_SHOWN = 300
_WORD = re.compile(r"\S+")
_BEARER = re.compile(r"(?i)\b(bearer|basic)\s+\S+")


@dataclass(eq=False)
class ApiKey:
    """Key of a provider; ``env`` names its variable ("" for none), without a ``required`` one nothing can be asked.

    ``other_envs`` are the variables that would have done as well. ``text`` is the key itself, of which messages are
    cleared; ``get`` fills it in where the ``command`` is to print it.
    """

    label: str
    env: str = ""
    text: str = field(default="", repr=False)
    command: str = ""
    required: bool = False
    other_envs: tuple[str, ...] = ()
    _asking: asyncio.Lock = field(default_factory=asyncio.Lock, repr=False)

    @property
    def is_pending(self) -> bool:
        """Whether a command will print it when it is first needed."""
        return bool(self.command) and not self.text

    def problem(self) -> ProviderError | None:
        """Say what is missing; a command is not run for that, since it may ask its user."""
        if self.command:
            return None
        if self.required and not self.text:
            hint = f"export {self.env}=… before starting Lode"
            return ProviderError(self._not_set, hint=hint, code="missing_key")
        return None if _is_sound(self.text) else _unsound(f"the key in {self.env}")

    async def get(self) -> str:
        """The key, "" where none is wanted. Raises ``ProviderError`` (``missing_key``, ``key_command_failed``)."""
        if self.required and not self.text and not self.command:
            raise ProviderError(
                f"{self.label} needs a key, and {self._not_set}",
                hint=f"set it before starting Lode: export {self.env}=…",
                code="missing_key",
            )
        if self.is_pending:
            async with self._asking:
                if self.is_pending:
                    self.text = await self._printed()
        if fault := self.problem():
            raise fault
        return self.text

    @asynccontextmanager
    async def forget_if_refused(self) -> AsyncIterator[None]:
        """Context of a request with the key: one that is refused is not kept."""
        try:
            yield
        except ProviderError as error:
            if error.code == "key_refused" and self.command:
                self.text = ""  # the command prints it anew next time
            raise

    @property
    def _not_set(self) -> str:
        if self.other_envs:
            return f"neither {self.env} nor {' nor '.join(self.other_envs)} is set"
        return f"{self.env} is not set"

    @property
    def _source(self) -> str:
        return f"the api_key_command of {self.label}"

    async def _printed(self) -> str:
        """Run the command; gives the first line that it prints."""
        try:
            ended = await run(self.command, seconds=_COMMAND_SECONDS, most_bytes=_MAX_OUTPUT)
        except TimeoutError:
            raise self._explain_failure(f"took longer than {_COMMAND_SECONDS:.0f} s") from None
        out, errors = ended.out, ended.errors
        if max(len(out), len(errors)) > _MAX_OUTPUT:
            raise self._explain_failure(f"printed more than {_MAX_OUTPUT // 1024} kB")
        first, _, _ = out.decode("utf-8", "replace").strip().partition("\n")
        if ended.returncode:
            # What it printed to standard output may be the key; its complaints are not.
            said = redact(errors.decode("utf-8", "replace").strip(), first)
            raise self._explain_failure(f"failed ({ended.returncode})" + (f": {said}" if said else ""))
        if not first.strip():
            raise self._explain_failure("printed nothing")
        if not _is_sound(first.strip()):
            raise _unsound(f"the key that {self._source} prints")
        return first.strip()

    def _explain_failure(self, what: str) -> ProviderError:
        return ProviderError(
            f"{self._source} {what}", hint="run it in a shell, and mend it in config.toml", code="key_command_failed"
        )


def _is_sound(key: str) -> bool:
    return not key or (key.isascii() and key.isprintable() and " " not in key)


def _unsound(called: str) -> ProviderError:
    return ProviderError(
        f"{called} holds characters that no key has",
        hint="set it again, without spaces, quotes and line ends",
        code="key_refused",
    )


def redact(text: str, key: str, most: int = _MAX_SHOWN) -> str:
    """Foreign text for an error message: one line, no secrets, no controls, at most ``most`` characters."""
    if key:
        text = text.replace(key, "…")
        if len(key) >= 12:
            text = re.sub(re.escape(key[:8]) + r"\S*", "…", text)
    # A half masked key ("sk-ab***yz") is half a key.
    text = _WORD.sub(lambda word: "…" if "***" in word.group() else word.group(), text[:MAX_READ])
    text = one_line(_BEARER.sub(r"\1 …", text))
    return text if len(text) <= most else text[: most - 1] + "…"
