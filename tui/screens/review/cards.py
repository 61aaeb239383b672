"""Cards of a review: edited in the form of clips, and given another sense of their word."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from textual.content import Content

from tui.dictionaries.focus_word import list_senses
from tui.records.clips import FocusWord, NewClip
from tui.screens.dialogs.list_choice import ListChoice
from tui.text.cells import cut
from tui.text.sanitize import one_line
from tui.widgets.chrome.themes import MUTED

if TYPE_CHECKING:
    from tui.records.dictionaries import LookUp
    from tui.screens.section import SectionScreen


class SenseChoice(ListChoice[FocusWord]):
    """Dialog over what the dictionaries say that a word means, a sense each; its answer is the word with that one."""

    def __init__(self, focus: FocusWord, found: LookUp) -> None:
        super().__init__(f"What {one_line(focus.surface)} means here", hint="enter takes it · esc leaves it")
        self._senses = tuple(list_senses(focus, found))

    def listed(self, typed: str) -> Iterator[tuple[FocusWord, Content]]:
        wanted = typed.casefold().split()
        for sense in self._senses:
            head = one_line(sense.lemma or sense.surface)
            about = f"{head} · {sense.part_of_speech}" if sense.part_of_speech else head
            meaning = "; ".join(sense.meanings)
            if all(word in f"{about} {meaning}".casefold() for word in wanted):
                room = max(8, self.entry_width - len(about) - 2)
                yield sense, Content(f"{cut(one_line(meaning), room)}  ") + Content.styled(about, MUTED)


async def choose_sense(screen: SectionScreen, card: NewClip, language: str | None) -> NewClip | None:
    """Let another sense of a card's word be chosen; None where none was. Raises ``LodeError``."""
    focus = card.focus
    if focus is None:
        screen.say("this card is of a whole sentence")
        return None
    with screen.typed_kept():
        tag = focus.language or language
        found = await screen.service.dictionaries.look_up(focus.surface, language=tag, sentence=card.sentence)
    if not any(each.entry.meanings for each in found.entries):
        screen.say(f"no dictionary knows {one_line(focus.surface)}")
        return None
    chosen = await screen.app.push_screen_wait(SenseChoice(focus, found))
    return None if chosen is None else replace(card, focus=chosen)
