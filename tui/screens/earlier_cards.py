"""Cards that a word has before a new clip of it: what the clip is told with, and the way to them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from textual.screen import Screen

from tui.errors import LodeError, in_two_lines
from tui.records.clips import FocusWord
from tui.service.protocol import Service
from tui.service.protocol.words import Words
from tui.text.display import count_of
from tui.text.sanitize import one_line
from tui.widgets.chrome.key_line import shown_key


@dataclass(frozen=True, slots=True)
class EarlierCards:
    """Cards that a word has, in whatever form: the number of its clips, and whether Anki had one of its own."""

    word: str = ""
    clips: int = 0
    in_anki: bool = False

    def told(self, clips_key: str, anki_key: str) -> str:
        """Tell beside the news of a clip that there are others, and the keys that show them; "" for none."""
        said = []
        if self.clips:
            shown = f", {clips_key} shows them" if clips_key else ""
            said.append(f"{self.word} had {count_of(self.clips, 'clip')} already{shown}")
        if self.in_anki:
            shown = f", {anki_key} shows it" if anki_key else ""
            said.append(f"Anki has a card of {self.word}{shown}")
        return " · ".join(said)


def taken_back(screen: Screen[Any]) -> str:
    """Say which key takes back what was just done; "" where none does."""
    key = shown_key(screen, "undo")
    return f"{key} takes it back" if key else ""


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


async def show_in_anki(screen: Screen[Any], service: Service, word: str) -> None:
    """Open Anki's browser, on the machine of the app, at the notes that have a word; say what came of it."""
    try:
        notes = await service.vocabulary.show_in_anki(word)
    except LodeError as error:
        screen.notify(in_two_lines(error), severity="error", markup=False)
    else:
        screen.notify(f"Anki shows {count_of(notes, 'note')} with {one_line(word)}", markup=False)
