"""Lists of words and characters, by language or by what they stand for, out of TOML files beside their modules."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from tui.language.tags import base_language


@cache
def read_lists(name: str, beside: str = __file__) -> Mapping[str, Mapping[str, str]]:
    """Read the file of lists that lies beside a module: its sections, each with texts by language or another key."""
    import tomllib  # which most of what imports this does without

    return tomllib.loads(Path(beside).with_name(f"{name}.toml").read_text("utf-8"))


@cache
def list_words(section: str, language: str | None, name: str = "function_words") -> frozenset[str]:
    """List the words of a section for a language, with what counts in any; none of a language that is not listed."""
    lists = read_lists(name)[section]
    return frozenset(f"{lists.get('any', '')} {lists.get(base_language(language), '')}".split())
