"""Which providers there are: one row each; another one that speaks a known protocol is one more row."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tui.config import ProviderSettings
from tui.errors import InvalidInput, ProviderError
from tui.llm.http_errors import Peer, Secret, is_loopback, public_url
from tui.llm.lexicon import Lexicon
from tui.llm.openai_chat import OpenAiChat
from tui.llm.protocol import Provider
from tui.llm.selector import Selector, split, unknown_provider
from tui.records import ProviderStatus


@dataclass(frozen=True, slots=True)
class ProviderRow:
    """``base_url_env`` names the variable that overrides ``base_url``; ``key_env`` "" means that no key is wanted.

    ``effort``: the ``reasoning_effort`` for short structured answers, "" where the provider doesn't know it.
    """

    name: str
    label: str
    protocol: str
    base_url: str
    base_url_env: str = ""
    key_env: str = ""
    effort: str = ""


TABLE = (
    ProviderRow(
        name="openai",
        label="OpenAI",
        protocol="openai",
        base_url="https://api.openai.com/v1",
        base_url_env="OPENAI_BASE_URL",
        key_env="OPENAI_API_KEY",
        effort="low",
    ),
)
"""The built-in providers beside the lexicon."""


_ADAPTERS = {"openai": OpenAiChat}
"""Protocol → adapter; ``tui.config`` refuses every other protocol."""


class Providers:
    """The table, the user's own providers and the lexicon. A provider of the user's may replace a built-in row.

    Raises ``InvalidInput`` when one is called like the lexicon.
    """

    def __init__(
        self,
        custom: Sequence[ProviderSettings],
        environ: Mapping[str, str],
        default_provider: str,
        lexicon: Lexicon,
    ) -> None:
        self.lexicon = lexicon
        self._environ = environ
        self._default_provider = default_provider
        self._rows = {row.name: row for row in TABLE}
        self._custom = {each.name for each in custom}
        for each in custom:
            if each.name == lexicon.name:
                raise InvalidInput(
                    f"[providers.{each.name}] has the name of the built-in lexicon", hint="rename it in config.toml"
                )
            self._rows[each.name] = ProviderRow(
                each.name, each.label or each.name, each.protocol, each.base_url, key_env=each.api_key_env
            )
        self._made: dict[str, Provider] = {lexicon.name: lexicon}

    def known(self) -> tuple[str, ...]:
        return (self.lexicon.name, *self._rows)

    def get(self, name: str) -> Provider:
        """The provider of that name, always the same one. Raises ``ProviderError`` (``unknown_provider``).

        A missing key is no error yet; asking the provider raises it.
        """
        if name not in self._made:
            if name not in self._rows:
                raise unknown_provider(name, self.known())
            self._made[name] = self._make(self._rows[name])
        return self._made[name]

    def resolve(self, selector: str) -> tuple[Provider, Selector]:
        """The provider and the selector in two parts. Raises as ``selector.split`` does."""
        parts = split(selector, default_provider=self._default_provider, known=self.known())
        return self.get(parts.provider), parts

    async def statuses(self) -> tuple[ProviderStatus, ...]:
        """Whether each can be used; all are asked at once, which takes a second at most."""
        return tuple(await asyncio.gather(*(self.get(name).status() for name in self.known())))

    async def close(self) -> None:
        for provider in self._made.values():
            await provider.close()

    def _make(self, row: ProviderRow) -> Provider:
        base_url = (self._environ.get(row.base_url_env, "").strip() if row.base_url_env else "") or row.base_url
        key = self._environ.get(row.key_env, "").strip() if row.key_env else ""
        local = is_loopback(base_url)
        peer = Peer(row.name, row.label, public_url(base_url), row.key_env, local, Secret(key))
        # A built-in row that is pointed at this machine speaks to a server that has no accounts.
        key_wanted = row.key_env and (row.name in self._custom or not local)
        missing = _missing_key(row) if key_wanted and not key else None
        return _ADAPTERS[row.protocol](peer, base_url, missing_key=missing, effort=row.effort)


def _missing_key(row: ProviderRow) -> ProviderError:
    return ProviderError(
        f"{row.label} needs a key, and {row.key_env} is not set",
        hint=f"set it before starting Lode: export {row.key_env}=…",
        code="missing_key",
    )
