"""Lists of words and characters by language, out of the TOML files beside this module."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from tui.language.tags import base_language


@cache
def read_lists(name: str) -> Mapping[str, Mapping[str, str]]:
    """Read a file of lists: its sections, each with a text for every language that has one there."""
    import tomllib  # which most of what imports this does without

    return tomllib.loads(Path(__file__).with_name(f"{name}.toml").read_text("utf-8"))


@cache
def list_words(section: str, language: str | None, name: str = "function_words") -> frozenset[str]:
    """List the words of a section for a language, with what counts in any; none of a language that is not listed."""
    lists = read_lists(name)[section]
    return frozenset(f"{lists.get('any', '')} {lists.get(base_language(language), '')}".split())
