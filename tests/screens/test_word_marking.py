"""Marks of words without a screen: each goes on from the one before it, and only where its text is still read."""

import asyncio
from dataclasses import dataclass, field

import pytest
from textual.message import Message

from tests.screens.stage import add_transcript, timed
from tui.errors import StoreError
from tui.records.transcripts import Transcript
from tui.records.words import WordMark
from tui.screens.messages import LibraryChanged
from tui.screens.word_marking import TextMarking, WordMarking
from tui.service.local import LocalService
from tui.widgets.transcript.pages import TranscriptPages, WordStatePages

TEXT = ("Der Zug wartet.", "Der Bus wartet.")
WHOLE = tuple((cue, 0, len(text)) for cue, text in enumerate(TEXT))


@dataclass
class View:
    """A text that is read, and what was said and sent."""

    service: LocalService
    transcript: Transcript
    pages: TranscriptPages = field(default_factory=TranscriptPages)
    read: str = ""
    sent: list[Message] = field(default_factory=list)

    def post_message(self, message: Message) -> bool:
        self.sent.append(message)
        return True

    async def show_marks(self) -> None:
        self.pages = TranscriptPages.of(self.service.transcripts, self.service.known_words, self.transcript)
        await self.pages.states.read(0, len(TEXT))

    def states_of(self, transcript_id: str) -> WordStatePages | None:
        return self.pages.states if transcript_id == self.read else None


@pytest.fixture
async def view(service: LocalService) -> View:
    transcript = await service.transcripts.get(await add_transcript(service, timed(TEXT)))
    view = View(service, transcript, read=transcript.id)
    await view.show_marks()
    return view


def state(view: View, cue: int, start: int) -> str:
    word = view.pages.states.word_at(cue, start)
    assert word is not None
    return word.state


async def test_marks_asked_for_at_once_go_on_from_each_other(view: View) -> None:
    marking = TextMarking(view.service.known_words, view, view.states_of)
    await asyncio.gather(*(marking.mark_next(view.transcript, 0, 4) for _ in range(3)))
    assert (state(view, 0, 4), state(view, 1, 4)) == ("ignored", "new")
    assert [message.kinds for message in view.sent if isinstance(message, LibraryChanged)] == [{"word"}] * 3


async def test_a_sentence_is_known_but_for_what_is_learned(view: View) -> None:
    marking = TextMarking(view.service.known_words, view, view.states_of)
    await marking.mark_next(view.transcript, 0, 4)
    assert await marking.know(view.transcript, WHOLE) == 3, "each once"
    assert [state(view, 0, start) for start in (0, 4, 8)] == ["known", "learning", "known"]
    assert await marking.know(view.transcript, WHOLE) == 0


async def test_nothing_is_marked_in_a_text_that_is_left_or_told(view: View, monkeypatch: pytest.MonkeyPatch) -> None:
    marking = TextMarking(view.service.known_words, view, view.states_of)
    view.read = "another"
    await marking.mark_next(view.transcript, 0, 0)
    assert await marking.know(view.transcript, WHOLE) is None
    assert (state(view, 0, 0), view.sent) == ("new", [])

    async def fail(*_: object, **__: object) -> int:
        raise StoreError("the disk is full")

    monkeypatch.setattr(view.service.known_words, "mark", fail)
    with pytest.raises(StoreError):
        await WordMarking(view.service.known_words, view).mark(lambda: [WordMark("de", "Zug")])
    assert not view.sent
