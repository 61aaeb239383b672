"""Dialog that chooses which words are listed: of a state, of a language, or all; what is learned comes first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from textual.content import Content

from tui.language.tags import base_language
from tui.records.word_states import WORD_STATES, WordState
from tui.screens.dialogs.list_choice import ListChoice
from tui.service.protocol import Service
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


@dataclass(frozen=True, slots=True)
class WordLanguages:
    """Languages of words, primary subtags: those that the profile learns, and others that its words are in."""

    learned: Sequence[str]
    others: Sequence[str]

    @classmethod
    async def of(cls, service: Service) -> WordLanguages:
        """Read them. Raises ``LodeError``."""
        learned = dict.fromkeys(base_language(each.language) for each in (await service.settings.get()).learning)
        stats = await service.known_words.stats(transcripts=0)
        others = dict.fromkeys(each.language for each in stats.states if each.language not in learned)
        return cls(tuple(learned), tuple(others))


class WordView(ListChoice[View]):
    """Dialog over the languages that words are in, and the states where the list has words in all of them."""

    def __init__(self, languages: WordLanguages, *, states: Sequence[WordState] = WORD_STATES) -> None:
        placeholder = "a state or a language" if states else "a language"
        super().__init__("Which words?", placeholder=placeholder, hint="enter chooses · esc leaves it")
        self._languages = languages
        self._states = states

    def listed(self, typed: str) -> Iterator[tuple[View, Content]]:
        wanted = typed.lower()
        learns = bool(self._languages.learned)
        every = "all words" if self._states or not learns else "all that you learn"
        entries = [("all", "", every, "")]
        entries += [("state", state, state, _MEANINGS[state]) for state in self._states]
        for tags, about in ((self._languages.learned, "you learn it"), (self._languages.others, "")):
            entries += [("language", tag, language_name(tag), about or tag) for tag in tags if tag]
        for kind, value, title, about in entries:
            if wanted in title.lower():
                yield (kind, value), Content(f"{title}  ") + Content.styled(about, MUTED)
