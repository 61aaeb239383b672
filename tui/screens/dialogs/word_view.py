"""Dialog over what a list of words shows: a language, or the words in a state."""

from collections.abc import Collection, Iterator, Sequence

from textual.content import Content

from tui.records.word_states import WordState
from tui.screens.dialogs.list_choice import ListChoice
from tui.text import display
from tui.widgets.chrome.themes import MUTED

View = tuple[str, str]
"""Choice of words: its kind ("all", "state" or "language"), and the state or language."""
_MEANINGS = {
    "new": "in your texts, and not yet yours",
    "seen": "looked up, or clipped",
    "learning": "marked, or young in Anki",
    "known": "",
    "ignored": "names, numbers, other languages",
}


class WordView(ListChoice[View]):
    """Dialog over the languages that are ``learned``, the ``others`` that words are in, and some states."""

    def __init__(self, learned: Collection[str], others: Collection[str], states: Sequence[WordState]) -> None:
        placeholder = "a state or a language" if states else "a language"
        super().__init__("Which words?", placeholder=placeholder, hint="enter chooses · esc leaves it")
        every = "all words" if states or not learned else "all that you learn"
        self._entries = [("all", "", every, ""), *(("state", state, state, _MEANINGS[state]) for state in states)]
        for tags, about in ((learned, "you learn it"), (others, "")):
            self._entries += [("language", tag, display.language(tag), about or tag) for tag in tags if tag]

    def listed(self, typed: str) -> Iterator[tuple[View, Content]]:
        for kind, value, title, about in self._entries:
            if typed.lower() in title.lower():
                yield (kind, value), Content(f"{title}  ") + Content.styled(about, MUTED)
