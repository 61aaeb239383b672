"""Dialog that chooses which words are listed: of a state, of a language, or all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from textual.content import Content

from tui.records.word_states import WORD_STATES
from tui.screens.dialogs.list_choice import ListChoice
from tui.text.display import language as language_name
from tui.widgets.chrome.themes import MUTED

View = tuple[str, str]
"""What is chosen ("all", "state" or "language"), and its value."""
_MEANINGS = {
    "new": "in your texts, and not yet yours",
    "seen": "looked up, or clipped",
    "learning": "marked, or young in Anki",
    "known": "",
    "ignored": "names, numbers, other languages",
}


class WordView(ListChoice[View]):
    """Dialog over the states and the languages that words are in."""

    def __init__(self, languages: Sequence[str]) -> None:
        super().__init__("Which words?", placeholder="a state or a language", hint="enter chooses · esc leaves it")
        self._languages = languages

    def listed(self, typed: str) -> Iterator[tuple[View, Content]]:
        wanted = typed.lower()
        entries = [("all", "", "all words", "")]
        entries += [("state", state, state, _MEANINGS[state]) for state in WORD_STATES]
        entries += [("language", tag, language_name(tag), tag) for tag in self._languages if tag]
        for kind, value, title, about in entries:
            if wanted in title.lower():
                yield (kind, value), Content(f"{title}  ") + Content.styled(about, MUTED)
