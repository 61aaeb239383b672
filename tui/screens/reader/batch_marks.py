"""Marks for the batch in the reader: a word, then its sentence, then none; and the start of the batch."""

import asyncio

from tui.records.mining import MiningMark
from tui.screens.messages import LibraryChanged
from tui.screens.section import SectionScreen
from tui.service.protocol import Service
from tui.text.display import count_of
from tui.widgets.chrome.key_line import shown_key
from tui.widgets.transcript.cue_focus import FocusedText
from tui.widgets.transcript.cue_lines import WHOLE_CUE, Spans

COMMONEST = 3_000
"""Words of a language that the palette's command takes for its commonest."""


class BatchMarks:
    """Marks of a transcript, as they were read last; keys that follow each other fast go on from one another."""

    def __init__(self) -> None:
        self.marks: tuple[MiningMark, ...] = ()
        self._lock = asyncio.Lock()

    async def read(self, service: Service, transcript_id: str) -> None:
        """Read them anew. Raises ``LodeError``."""
        self.marks = await service.mining.marks(transcript_id)

    @property
    def spans(self) -> dict[int, Spans]:
        """Spans that are marked, by the cues that have some."""
        found: dict[int, Spans] = {}
        for mark in self.marks:
            span = WHOLE_CUE if mark.is_sentence else (mark.start, mark.end)
            found[mark.cue] = (*found.get(mark.cue, ()), span)
        return found

    def status(self, key: str) -> tuple[str, ...]:
        """How many are marked, and the key that breaks them down, the longest way to say it first; "" for none."""
        if not self.marks:
            return ("",)
        said = f"{len(self.marks)} marked"
        return (f"{said} · {key} breaks them down", f"{said} · {key}", said) if key else (said,)

    async def mark_next(self, screen: SectionScreen, transcript_id: str, text: FocusedText) -> None:
        """Mark the focus, then its sentence, then neither. Raises ``LodeError``."""
        mining = screen.service.mining
        async with self._lock:
            await self.read(screen.service, transcript_id)
            here = next((each for each in self.marks if (each.cue, each.start) == (text.cue_index, text.start)), None)
            if here is not None and here.is_sentence:
                await mining.unmark(transcript_id, here.cue, here.start)
            else:
                is_again = here is not None and here.end == text.end
                place = (text.cue_index, text.start, text.end)
                await mining.mark(transcript_id, *place, focus=text.focus, is_sentence=is_again)


async def mine_marked(screen: SectionScreen, transcript_id: str) -> None:
    """Begin to break down what is marked in a transcript. Raises ``LodeError``."""
    count = len(await screen.service.mining.marks(transcript_id))
    if not count:
        screen.say(f"nothing is marked here: {shown_key(screen, 'reader.batch')} marks a word, then its sentence")
        return
    await screen.service.mining.start(transcript_id, marked=True)
    _tell_begun(screen, count)


async def mine_commonest(screen: SectionScreen, transcript_id: str) -> None:
    """Begin to break down the new words of a transcript that are common in its language. Raises ``LodeError``."""
    plan = await screen.service.mining.plan(transcript_id, commonest=COMMONEST)
    if not plan.places:
        screen.say(f"no new word here is among the {COMMONEST:,} commonest")
        return
    await screen.service.mining.start(transcript_id, places=plan.places)
    _tell_begun(screen, plan.word_count)


def _tell_begun(screen: SectionScreen, count: int) -> None:
    screen.say(f"{count_of(count, 'word')} being broken down · the cards wait in a review")
    screen.post_message(LibraryChanged("job"))
