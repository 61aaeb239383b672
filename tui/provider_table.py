"""Tables of protocols and built-in providers: a provider that speaks a known protocol is one row, a new protocol one
file in ``tui/llm/wires`` and one row.

They are data only, so that the settings can be checked without importing what asks a model.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

PROTOCOLS = {
    "openai": "tui.llm.wires.openai_chat:OpenAiChat",
    "anthropic": "tui.llm.wires.anthropic_messages:AnthropicMessages",
    "gemini": "tui.llm.wires.gemini:Gemini",
    "ollama": "tui.llm.wires.ollama:Ollama",
}
"""Protocol → the class of its wire format."""


@dataclass(frozen=True, slots=True)
class ProviderRow:
    """``base_url_env`` names the variable that overrides ``base_url``; ``key_envs`` those of the key, the first one
    that is set counts.

    ``needs_key``: without a key nothing can be asked. ``parallel``: two requests at once (in the own network never).
    ``options`` are what its wire format is made with, ``key_command`` prints the key. ``well_known``: some of its
    models, as its SDK or documentation names them, without those whose end is announced. ``timeout``: seconds that its
    models may be silent, None for as long as is usual. ``transcribes``: the model that transcribes, "" for none.
    """

    name: str
    label: str
    protocol: str
    base_url: str
    key_envs: tuple[str, ...] = ()
    base_url_env: str = ""
    needs_key: bool = True
    parallel: bool = True
    options: Mapping[str, Any] = field(default_factory=dict)
    key_command: str = ""
    well_known: tuple[str, ...] = ()
    timeout: float | None = None
    transcribes: str = ""


def _speaking_openai(
    name: str,
    label: str,
    base_url: str,
    well_known: tuple[str, ...],
    options: Mapping[str, Any] = {},
    transcribes: str = "",
) -> ProviderRow:
    """Row of a provider that speaks OpenAI's protocol, with its key where all look for it: GROQ_API_KEY."""
    keys = (f"{name.upper()}_API_KEY",)
    return ProviderRow(
        name, label, "openai", base_url, keys, options=options, well_known=well_known, transcribes=transcribes
    )


PROVIDERS = (
    ProviderRow(
        "openai",
        "OpenAI",
        "openai",
        "https://api.openai.com/v1",
        ("OPENAI_API_KEY",),
        base_url_env="OPENAI_BASE_URL",
        options={"effort": "low"},
        well_known=("gpt-6.1-sol", "gpt-6.1-terra", "gpt-6-luna", "gpt-5.5", "gpt-5.4-mini"),
        transcribes="gpt-transcribe",
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
        base_url_env="GOOGLE_GEMINI_BASE_URL",
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
    _speaking_openai(
        "openrouter",
        "OpenRouter",
        "https://openrouter.ai/api/v1",
        ("openrouter/auto", "~anthropic/claude-sonnet-latest", "openai/gpt-oss-120b"),
    ),
    _speaking_openai(
        "groq",
        "Groq",
        "https://api.groq.com/openai/v1",
        ("openai/gpt-oss-120b", "openai/gpt-oss-20b"),
        transcribes="whisper-large-v3-turbo",
    ),
    _speaking_openai(
        "mistral",
        "Mistral",
        "https://api.mistral.ai/v1",
        ("mistral-large-latest", "mistral-medium-latest", "mistral-small-latest"),
        transcribes="voxtral-mini-latest",
    ),
    _speaking_openai(
        "deepseek", "DeepSeek", "https://api.deepseek.com", ("deepseek-v4-flash", "deepseek-v4-pro"), {"schemas": False}
    ),
    _speaking_openai("xai", "xAI", "https://api.x.ai/v1", ("grok-4.6", "grok-4.3")),
    _speaking_openai(
        "together", "Together", "https://api.together.ai/v1", ("openai/gpt-oss-120b", "openai/gpt-oss-20b")
    ),
)
"""The built-in providers beside the lexicon, whose rows the user's settings may replace."""
