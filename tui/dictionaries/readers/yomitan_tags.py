"""Tags of a Yomitan dictionary: their full names, and which of them are parts of speech."""

from __future__ import annotations

from tui.dictionaries.dictionary_file import clean_line, distinct

_PART_OF_SPEECH = "partOfSpeech"
_FORM = "non-lemma"
"""wty's tag of inflected forms."""
_LONGEST_NAME = 60
"""Longest note of a tag bank that can stand for the tag; a longer one explains it."""
_MOST_CACHED = 20_000
_RULES = {
    "v1": "ichidan verb",
    "v5": "godan verb",
    "vk": "kuru verb",
    "vs": "suru verb",
    "vz": "zuru verb",
    "adj-i": "i-adjective",
    "n": "noun",
    "v": "verb",
    "adj": "adjective",
    "adv": "adverb",
    "pron": "pronoun",
    "prep": "preposition",
    "conj": "conjunction",
    "intj": "interjection",
    "num": "numeral",
    "name": "name",
}
"""Rules (yomitan's docs/supported-languages) and tags that are parts of speech where no tag bank says it."""


class TagNames:
    """The tags that a dictionary explains, by their short names."""

    def __init__(self) -> None:
        self._names: dict[str, tuple[bool, str]] = {}
        self._cache: dict[tuple[str, str, str], tuple[tuple[str, ...], tuple[str, ...]]] = {}

    def add(self, name: str, category: str, notes: str) -> None:
        """Take a row of a tag bank."""
        full = clean_line(notes.split("\n", 1)[0])
        self._names[name] = category == _PART_OF_SPEECH, full if 0 < len(full) <= _LONGEST_NAME else clean_line(name)

    def of_row(self, definition: str, rules: str, term: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The parts of speech and the other tags of a row, from its tags of the definition and term and its rules."""
        key = definition, rules, term
        found = self._cache.get(key)
        if found is None:
            found = self._split(*key)
            if len(self._cache) < _MOST_CACHED:
                self._cache[key] = found
        return found

    def _split(self, definition: str, rules: str, term: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        parts: list[str] = []
        tags: list[str] = []
        for name in f"{definition} {term}".split():
            if name.isdecimal() or name == _FORM:  # the number of the sense; what the entry's lemmas say
                continue
            if known := self._names.get(name):
                (parts if known[0] else tags).append(known[1])
            elif name in _RULES:
                parts.append(_RULES[name])
            else:
                tags.append(clean_line(name))
        if not parts:
            parts = [_RULES[rule] for rule in rules.split() if rule in _RULES]
        return distinct(parts), distinct(tags)
