"""Cards that a word has before a new clip of it: what the clip is told with, and the way to them."""

from __future__ import annotations

from dataclasses import dataclass

from tui.errors import LodeError
from tui.records.clips import FocusWord
from tui.service.word_protocols import Words
from tui.text.display import count_of
from tui.text.sanitize import one_line


@dataclass(frozen=True, slots=True)
class EarlierCards:
    """Cards that a word has, in whatever form: the number of its clips, and whether Anki had one of its own."""

    word: str = ""
    clips: int = 0
    in_anki: bool = False

    def told(self, key: str) -> str:
        """Tell beside the news of a clip that there are others, and the key that shows the clips; "" for none."""
        said = []
        if self.clips:
            shown = f", {key} shows them" if key else ""
            said.append(f"{self.word} had {count_of(self.clips, 'clip')} already{shown}")
        if self.in_anki:
            said.append(f"Anki has a card of {self.word}")
        return " · ".join(said)


async def earlier_cards(words: Words, focus: FocusWord | None) -> EarlierCards:
    """Look for the cards that this word has; none where that cannot be told."""
    if focus is None:
        return EarlierCards()
    word = focus.lemma or focus.surface
    try:
        summary = await words.summary(word, language=focus.language)
    except LodeError:
        return EarlierCards()  # a clip is not kept from anybody because older ones could not be counted
    return EarlierCards(one_line(word), summary.clips, summary.in_anki)
