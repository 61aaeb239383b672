"""Providers made from the table of built-in ones and the user's settings, each when it is first asked."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from pkgutil import resolve_name

from tui.config import ProviderSettings
from tui.errors import InvalidInput
from tui.llm.http.api_key import ApiKey
from tui.llm.http.client import timeouts_for
from tui.llm.http.errors import Endpoint, public_url
from tui.llm.http.provider import HttpProvider
from tui.llm.http.refusals import RefusalMemory
from tui.llm.http.transcription import gives_times
from tui.llm.lexicon import Lexicon
from tui.llm.protocol import Provider
from tui.llm.selector import Selector, invalid_selector, split, unknown_provider
from tui.llm.wires.ollama import base_url as ollama_url
from tui.provider_table import PROTOCOLS, PROVIDERS, ProviderRow
from tui.records.answers import ProviderStatus
from tui.system.net import in_own_network


class HttpProviders:
    """Providers over HTTP: the built-in table and the user's own, which may replace a row of it.

    ``connections`` is how many requests each may have under way, ``refusals`` the file that remembers what servers
    refuse, None for none. Raises ``InvalidInput`` when one is called like the lexicon.
    """

    def __init__(
        self,
        custom: Sequence[ProviderSettings],
        environ: Mapping[str, str],
        *,
        connections: int = 16,
        refusals: Path | None = None,
    ) -> None:
        self._environ = environ
        self._connections = connections
        self._refusals = RefusalMemory(refusals)
        self._rows = {row.name: row for row in PROVIDERS}
        for each in custom:
            if each.name == Lexicon.name:
                raise InvalidInput(
                    f"[providers.{each.name}] has the name of the built-in lexicon", hint="rename it in config.toml"
                )
            self._rows[each.name] = _row(each, self._rows.get(each.name))
        self._made: dict[str, HttpProvider] = {}

    def known(self) -> tuple[str, ...]:
        return tuple(self._rows)

    def get(self, name: str) -> HttpProvider:
        """The provider of that name, always the same one; raises ``KeyError``."""
        if name not in self._made:
            self._made[name] = self._make(self._rows[name])
        return self._made[name]

    def list_transcribing(self) -> list[Selector]:
        """The usual models for transcription of the providers that can be used here, those with times first."""
        rows = [row for row in self._rows.values() if row.transcribes and self.get(row.name).has_key]
        found = [Selector(row.name, row.transcribes) for row in rows]
        return sorted(found, key=lambda each: not gives_times(each.model))

    def find(self, name: str) -> HttpProvider:
        """The provider of that name, as ``get`` gives it; raises ``ProviderError`` (``unknown_provider``)."""
        try:
            return self.get(name)
        except KeyError:
            raise unknown_provider(name, self.known()) from None

    async def close(self) -> None:
        for provider in self._made.values():
            await provider.close()

    def _make(self, row: ProviderRow) -> HttpProvider:
        base_url = (self._environ.get(row.base_url_env, "").strip() if row.base_url_env else "") or row.base_url
        if row.base_url_env == "OLLAMA_HOST":
            base_url = ollama_url(base_url)
        env, text = next(
            ((name, value) for name in row.key_envs if (value := self._environ.get(name, "").strip())),
            (row.key_envs[0] if row.key_envs else "", ""),
        )
        local = in_own_network(base_url)
        # A built-in row that is pointed at a server near by most likely speaks to one that has no accounts.
        overridden = base_url != row.base_url
        required = row.needs_key and bool(row.key_envs) and not (local and overridden)
        text = "" if row.key_command else text
        key = ApiKey(row.label, env, text, row.key_command, required, row.key_envs[1:])
        endpoint = Endpoint(row.name, row.label, public_url(base_url), local, key)
        return HttpProvider(
            resolve_name(PROTOCOLS[row.protocol])(**row.options),
            endpoint,
            base_url,
            parallel=row.parallel and not local,
            timeouts=timeouts_for(local=local, silent=row.timeout),
            connections=self._connections,
            well_known=row.well_known if not (overridden and row.base_url) else (),
            refusals=self._refusals,
        )


class Providers:
    """Providers of a profile: those over HTTP, and the lexicon of its own library."""

    def __init__(self, over_http: HttpProviders, lexicon: Lexicon, *, default_provider: str = "openai") -> None:
        self.lexicon = lexicon
        self.over_http = over_http
        self._default_provider = default_provider

    def known(self) -> tuple[str, ...]:
        return (self.lexicon.name, *self.over_http.known())

    def get(self, name: str) -> Provider:
        """The provider of that name, always the same one. Raises ``ProviderError`` (``unknown_provider``).

        A missing key is no error yet; asking the provider raises it.
        """
        if name == self.lexicon.name:
            return self.lexicon
        if name not in self.over_http.known():
            raise unknown_provider(name, self.known())
        return self.over_http.get(name)

    def resolve(self, selector: str) -> tuple[Provider, Selector]:
        """The provider and the selector in two parts. Raises as ``selector.split`` does."""
        parts = split(selector, default_provider=self._default_provider, known=self.known())
        return self.get(parts.provider), parts

    def check(self, selector: str) -> None:
        """Check a selector, without asking any provider.

        Raises as ``resolve`` does, and ``InvalidInput`` (``invalid_selector``) for a model that the lexicon does not
        have, and for white space in a name where no name has any: a sentence that was meant for another field.
        """
        provider, parts = self.resolve(selector)
        if provider is self.lexicon:
            self.lexicon.check(parts)
        elif self.over_http.get(parts.provider).well_known and any(map(str.isspace, parts.model)):
            raise invalid_selector(selector, "no model has spaces in its name")

    async def statuses(self) -> tuple[ProviderStatus, ...]:
        """Statuses of all providers: whether each can be used, within a second.

        Those on this machine and in its own network are probed, all at once; of the others nothing is asked: they can
        be used when their key is there, or when they name none.
        """
        return tuple(await asyncio.gather(*(self.get(name).status() for name in self.known())))


def _row(own: ProviderSettings, built_in: ProviderRow | None) -> ProviderRow:
    """The row of a provider in the settings; one that only says how a built-in one gets its key keeps the rest of it.

    With an address of its own it never gets the built-in one's key: that belongs to another host.
    """
    if not own.base_url and built_in is not None:
        return replace(
            built_in,
            label=own.label or built_in.label,
            key_envs=(own.api_key_env,) if own.api_key_env else built_in.key_envs,
            key_command=own.api_key_command,
            timeout=own.timeout,
        )
    return ProviderRow(
        own.name,
        own.label or own.name,
        own.protocol,
        own.base_url,
        (own.api_key_env,) if own.api_key_env else (),
        key_command=own.api_key_command,
        timeout=own.timeout,
        parallel=own.protocol != "ollama",
    )
