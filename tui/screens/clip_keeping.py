"""Keeping clips: the news of one, with the cards that its word had before, and the way to those in Anki."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from textual.screen import Screen

from tui.errors import LodeError
from tui.records.clips import Clip, FocusWord, NewClip
from tui.screens.messages import LibraryChanged, News
from tui.screens.section import SectionScreen
from tui.service.protocol.words import Words
from tui.text.display import count_of
from tui.text.sanitize import one_line
from tui.widgets.chrome.key_line import shown_key

OUTCOMES: Mapping[str, str] = {"added": "saved", "completed": "completed", "same": "already saved"}
"""Outcomes of keeping a clip as they are told."""


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


def tell_kept(screen: Screen[Any], keys: str, done: str, clip: NewClip | Clip, before: EarlierCards) -> None:
    """Tell of a clip, of a new one with the cards that there were ``before``; ``keys`` begins the ids of their keys."""
    if done == OUTCOMES["same"]:
        screen.notify("it is already saved", markup=False)
        return
    told = before.told(shown_key(screen, f"{keys}.word_clips"), shown_key(screen, f"{keys}.in_anki"))
    hint = " · ".join(filter(None, (taken_back(screen), told if done == OUTCOMES["added"] else "")))
    name = clip.focus.surface if clip.focus is not None else clip.sentence
    screen.post_message(News(f"clip {done}", {done: 1}, noun="clip", name=name, hint=hint))


def taken_back(screen: Screen[Any]) -> str:
    """Say which key takes back what was just done; "" where none does."""
    key = shown_key(screen, "undo")
    return f"{key} takes it back" if key else ""


async def show_in_anki(screen: SectionScreen, word: str) -> None:
    """Open Anki's browser, on the machine of the app, at the notes that have a word; say what came of it."""
    notes = await screen.service.vocabulary.show_in_anki(word)
    screen.say(f"Anki shows {count_of(notes, 'note')} with {word}")


class ClipKeeping:
    """Keeping of clips on one screen, one after the other: a key pressed twice is no second clip.

    ``keys`` begins the ids of the keys that show the clips and the notes of a word.
    """

    def __init__(self, screen: SectionScreen, keys: str) -> None:
        self._screen = screen
        self._keys = keys
        self._lock = asyncio.Lock()

    async def keep(self, draft: NewClip) -> None:
        """Keep a word in its cue, and say so; a clip of it that is there gets what it lacks."""
        screen, service = self._screen, self._screen.service
        async with self._lock:
            before = await earlier_cards(service.words, draft.focus)
            kept = await service.clips.keep(draft)
        tell_kept(screen, self._keys, OUTCOMES[kept.outcome], kept.clip, before)
        if kept.outcome != "same":
            screen.post_message(LibraryChanged("clip"))
