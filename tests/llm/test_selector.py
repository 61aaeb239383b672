"""Selectors: the decisions of the interface, line by line."""

from __future__ import annotations

import pytest

from tui.errors import InvalidInput, ProviderError
from tui.llm.selector import Selector, split

KNOWN = ("lexicon", "openai", "ollama")


def parts(selector: str, known: tuple[str, ...] = KNOWN) -> Selector:
    return split(selector, default_provider="openai", known=known)


@pytest.mark.parametrize(
    ("selector", "provider", "model"),
    [
        ("openai:gpt-5-mini", "openai", "gpt-5-mini"),
        ("ollama:qwen3:8b", "ollama", "qwen3:8b"),
        ("gpt-5-mini", "openai", "gpt-5-mini"),
        ("ollama:hf.co/bartowski/Llama:Q4_K_M", "ollama", "hf.co/bartowski/Llama:Q4_K_M"),
        ("lexicon:concordance", "lexicon", "concordance"),
    ],
)
def test_a_selector_is_cut_at_its_first_colon(selector: str, provider: str, model: str) -> None:
    assert parts(selector) == Selector(provider, model)


@pytest.mark.parametrize("selector", ["openai:gpt-5-mini", "ollama:qwen3:8b", "openai:a b", "openai::", "ollama:日本"])
def test_what_is_written_is_what_was_cut(selector: str) -> None:
    found = parts(selector)
    assert str(found) == selector
    assert parts(str(found)) == found


@pytest.mark.parametrize(
    "selector", ["", "  ", ":", ":gpt", "openai:", "openai: ", " openai:gpt", "openai:gpt\n", "openai:a\x1bb"]
)
def test_an_empty_or_blank_part_is_refused(selector: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        parts(selector)
    assert refusal.value.code == "invalid_selector"
    assert "provider:model" in refusal.value.hint
    assert "\x1b" not in refusal.value.message


@pytest.mark.parametrize(
    ("selector", "known", "message"),
    [
        ("qwen3:8b", KNOWN, "unknown provider 'qwen3'; did you mean 'ollama:qwen3:8b'?"),
        ("qwen3:8b", ("lexicon", "openai"), "unknown provider 'qwen3'; did you mean 'openai:qwen3:8b'?"),
        ("opnai:gpt-5", KNOWN, "unknown provider 'opnai'; did you mean 'openai:gpt-5'?"),
        ("OpenAI:gpt-5", KNOWN, "unknown provider 'OpenAI'; did you mean 'openai:gpt-5'?"),
        ("qwen3:8b", ("lexicon",), "unknown provider 'qwen3'"),
        ("gpt-5", ("lexicon",), "unknown provider 'openai'"),
    ],
)
def test_an_unknown_provider_comes_with_what_was_probably_meant(
    selector: str, known: tuple[str, ...], message: str
) -> None:
    with pytest.raises(ProviderError) as refusal:
        parts(selector, known)
    assert refusal.value.code == "unknown_provider"
    assert refusal.value.message == message
    assert "lexicon" in refusal.value.hint
