"""Which providers there are: one row each; another one that speaks a known protocol is one more row."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from tui.config import ProviderSettings
from tui.errors import InvalidInput
from tui.llm.http.api_key import ApiKey
from tui.llm.http.chat import HttpChat
from tui.llm.http.client import patience
from tui.llm.http.errors import Peer, public_url
from tui.llm.lexicon import Lexicon
from tui.llm.protocol import Provider
from tui.llm.selector import Selector, invalid_selector, split, unknown_provider
from tui.llm.wires.anthropic_messages import AnthropicMessages
from tui.llm.wires.gemini import Gemini
from tui.llm.wires.ollama import Ollama
from tui.llm.wires.ollama import base_url as ollama_url
from tui.llm.wires.openai_chat import OpenAiChat
from tui.llm.wires.wire_format import Wire
from tui.net import in_own_network
from tui.records import ProviderStatus


@dataclass(frozen=True, slots=True)
class ProviderRow:
    """``base_url_env`` names the variable that overrides ``base_url``; ``key_envs`` those of the key, the first one
    that is set counts.

    ``needs_key``: without a key nothing can be asked. ``parallel``: two requests at once (in the own network never).
    ``effort``: the ``reasoning_effort`` for short structured answers, "" where the provider doesn't know it.
    ``schemas``: its JSON mode takes schemas. ``key_command`` prints the key. ``well_known``: some of its models, as its
    SDK or documentation names them, without those whose end is announced. ``timeout``: seconds that its models may be
    silent, None for as long as is usual.
    """

    name: str
    label: str
    protocol: str
    base_url: str
    key_envs: tuple[str, ...] = ()
    base_url_env: str = ""
    needs_key: bool = True
    parallel: bool = True
    effort: str = ""
    schemas: bool = True
    key_command: str = ""
    well_known: tuple[str, ...] = ()
    timeout: float | None = None


TABLE = (
    ProviderRow(
        "openai",
        "OpenAI",
        "openai",
        "https://api.openai.com/v1",
        ("OPENAI_API_KEY",),
        base_url_env="OPENAI_BASE_URL",
        effort="low",
        well_known=("gpt-6.1-sol", "gpt-6.1-terra", "gpt-6-luna", "gpt-5.5", "gpt-5.4-mini"),
    ),
    ProviderRow(
        "anthropic",
        "Anthropic",
        "anthropic",
        "https://api.anthropic.com",
        ("ANTHROPIC_API_KEY",),
        base_url_env="ANTHROPIC_BASE_URL",
        well_known=("claude-haiku-5-5", "claude-sonnet-5-5", "claude-opus-5-5", "claude-haiku-4-5"),
    ),
    ProviderRow(
        "gemini",
        "Google Gemini",
        "gemini",
        "https://generativelanguage.googleapis.com",
        ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
        well_known=("gemini-flash-latest", "gemini-flash-lite-latest", "gemini-pro-latest", "gemini-3.8-flash"),
    ),
    ProviderRow(
        "ollama",
        "Ollama",
        "ollama",
        "",  # see OLLAMA_HOST
        ("OLLAMA_API_KEY",),
        base_url_env="OLLAMA_HOST",
        needs_key=False,
        parallel=False,
        well_known=("qwen3:8b", "gemma4", "llama3.2"),
    ),
    ProviderRow(
        "openrouter",
        "OpenRouter",
        "openai",
        "https://openrouter.ai/api/v1",
        ("OPENROUTER_API_KEY",),
        well_known=("openrouter/auto", "~anthropic/claude-sonnet-latest", "openai/gpt-oss-120b"),
    ),
    ProviderRow(
        "groq",
        "Groq",
        "openai",
        "https://api.groq.com/openai/v1",
        ("GROQ_API_KEY",),
        well_known=("openai/gpt-oss-120b", "openai/gpt-oss-20b"),
    ),
    ProviderRow(
        "mistral",
        "Mistral",
        "openai",
        "https://api.mistral.ai/v1",
        ("MISTRAL_API_KEY",),
        well_known=("mistral-large-latest", "mistral-medium-latest", "mistral-small-latest"),
    ),
    ProviderRow(
        "deepseek",
        "DeepSeek",
        "openai",
        "https://api.deepseek.com",
        ("DEEPSEEK_API_KEY",),
        schemas=False,
        well_known=("deepseek-v4-flash", "deepseek-v4-pro"),
    ),
    ProviderRow("xai", "xAI", "openai", "https://api.x.ai/v1", ("XAI_API_KEY",), well_known=("grok-4.6", "grok-4.3")),
    ProviderRow(
        "together",
        "Together",
        "openai",
        "https://api.together.ai/v1",
        ("TOGETHER_API_KEY",),
        well_known=("openai/gpt-oss-120b", "openai/gpt-oss-20b"),
    ),
)
"""The built-in providers beside the lexicon."""


_WIRES: Mapping[str, Callable[[ProviderRow], Wire]] = {
    "openai": lambda row: OpenAiChat(effort=row.effort, schemas=row.schemas),
    "anthropic": lambda row: AnthropicMessages(),
    "gemini": lambda row: Gemini(),
    "ollama": lambda row: Ollama(),
}
"""Protocol → wire format; ``tui.config.PROTOCOLS`` names the same four."""


class HttpProviders:
    """The table and the user's own providers, which may replace a built-in row; every profile asks the same ones.

    ``connections`` is how many requests each may have under way. Raises ``InvalidInput`` when one is called like the
    lexicon.
    """

    def __init__(
        self, custom: Sequence[ProviderSettings], environ: Mapping[str, str], *, connections: int = 16
    ) -> None:
        self._environ = environ
        self._connections = connections
        self._rows = {row.name: row for row in TABLE}
        for each in custom:
            if each.name == Lexicon.name:
                raise InvalidInput(
                    f"[providers.{each.name}] has the name of the built-in lexicon", hint="rename it in config.toml"
                )
            self._rows[each.name] = _row(each, self._rows.get(each.name))
        self._made: dict[str, HttpChat] = {}

    def known(self) -> tuple[str, ...]:
        return tuple(self._rows)

    def get(self, name: str) -> HttpChat:
        """The provider of that name, always the same one; raises ``KeyError``."""
        if name not in self._made:
            self._made[name] = self._make(self._rows[name])
        return self._made[name]

    async def close(self) -> None:
        for provider in self._made.values():
            await provider.close()

    def _make(self, row: ProviderRow) -> HttpChat:
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
        wanted = row.needs_key and bool(row.key_envs) and not (local and overridden)
        key = ApiKey(
            row.label,
            env=env,
            text="" if row.key_command else text,
            command=row.key_command,
            wanted=wanted,
            other_envs=row.key_envs[1:],
        )
        peer = Peer(row.name, row.label, public_url(base_url), env, local, key.secret)
        return HttpChat(
            _WIRES[row.protocol](row),
            peer,
            base_url,
            key,
            parallel=row.parallel and not local,
            timeouts=patience(local=local, silent=row.timeout),
            connections=self._connections,
            well_known=row.well_known if not (overridden and row.base_url) else (),
        )


class Providers:
    """All that a profile can ask: the providers over HTTP, and the lexicon of its own library."""

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
        try:
            return self.over_http.get(name)
        except KeyError:
            raise unknown_provider(name, self.known()) from None

    def resolve(self, selector: str) -> tuple[Provider, Selector]:
        """The provider and the selector in two parts. Raises as ``selector.split`` does."""
        parts = split(selector, default_provider=self._default_provider, known=self.known())
        return self.get(parts.provider), parts

    def check(self, selector: str) -> None:
        """Refuse a selector that nothing can be asked with. No provider is asked for it.

        Raises as ``resolve`` does, and ``InvalidInput`` (``invalid_selector``) for a model that the lexicon does not
        have, and for white space in a name where no name has any: a sentence that was meant for another field.
        """
        provider, parts = self.resolve(selector)
        if provider is self.lexicon:
            self.lexicon.check(parts)
        elif self.over_http.get(parts.provider).well_known and any(map(str.isspace, parts.model)):
            raise invalid_selector(selector, "no model has spaces in its name")

    async def statuses(self) -> tuple[ProviderStatus, ...]:
        """Whether each can be used, all within a second.

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
