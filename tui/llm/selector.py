"""Model selectors: ``<provider>:<model>``, cut at the first colon."""

from __future__ import annotations

import difflib
from collections.abc import Collection
from dataclasses import dataclass

from tui.errors import InvalidInput, ProviderError
from tui.text.display import shortened
from tui.text.sanitize import one_line


@dataclass(frozen=True, slots=True)
class Selector:
    """A provider and one of its models; ``str()`` gives the selector."""

    provider: str
    model: str

    def __str__(self) -> str:
        return f"{self.provider}:{self.model}"


def split(selector: str, *, default_provider: str, known: Collection[str]) -> Selector:
    """The two parts of a selector; without a colon it is a model of the default provider.

    Raises ``InvalidInput`` (``invalid_selector``) for an empty part, ``ProviderError`` (``unknown_provider``) for a
    provider that is not ``known``, with the selector that was probably meant.
    """
    provider, colon, model = selector.partition(":")
    if not colon:
        provider, model = default_provider, selector
    _check(selector, provider, model)
    if provider in known:
        return Selector(provider, model)
    meant = ""
    if near := _near(provider, known):
        meant = f"{near}:{model}"
    elif colon:
        # "qwen3:8b" is a model name with a tag, as Ollama writes them.
        owner = "ollama" if "ollama" in known else default_provider
        meant = f"{owner}:{selector}" if owner in known else ""
    raise unknown_provider(provider, known, meant)


def unknown_provider(name: str, known: Collection[str], meant: str = "") -> ProviderError:
    """The error for a provider that does not exist, with what was ``meant``, or the nearest name that does exist."""
    meant = meant or _near(name, known)
    question = f"; did you mean {_short(meant)!r}?" if meant else ""
    return ProviderError(
        f"unknown provider {_short(name)!r}{question}",
        hint=f"there are {', '.join(sorted(known))}; others are added in config.toml under [providers.<name>]",
        code="unknown_provider",
    )


def _near(name: str, known: Collection[str]) -> str:
    lowered = {each.lower(): each for each in sorted(known)}
    found = difflib.get_close_matches(name.strip().lower(), lowered, n=1, cutoff=0.7)
    return lowered[found[0]] if found else ""


def _check(selector: str, provider: str, model: str) -> None:
    if not selector.strip():
        raise invalid_selector(selector, "it is empty")
    for part, called in ((provider, "provider"), (model, "model")):
        if not part.strip():
            raise invalid_selector(selector, f"its {called} is empty")
        if part != part.strip():
            raise invalid_selector(selector, f"there is white space around its {called}")
        if not part.isprintable():
            raise invalid_selector(selector, f"its {called} holds characters that cannot be shown")


def invalid_selector(selector: str, cause: str, *, hint: str = "") -> InvalidInput:
    """Error for an invalid selector; ``hint`` "": how one is written."""
    return InvalidInput(
        f"{_short(selector)!r} is no model selector: {cause}",
        hint=hint or "write provider:model, for example openai:gpt-5-mini or lexicon:concordance",
        code="invalid_selector",
    )


def _short(text: str) -> str:
    return shortened(one_line(text), 120)
