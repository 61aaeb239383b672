"""The places of a word: the sentences of the library that have it, over the list of words."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content

from tui.errors import LodeError
from tui.screens.input_queue import AnswersOnce
from tui.screens.messages import OpenTranscript
from tui.screens.reader.questions import MAX_LINES
from tui.screens.section import SectionScreen
from tui.text.display import count_of
from tui.text.sanitize import one_line
from tui.widgets.chrome.key_line import shown_key
from tui.widgets.chrome.notice import Notice
from tui.widgets.transcript.concordance_view import Concordance, ConcordanceView

if TYPE_CHECKING:
    from tui.records.words import KnownWord
    from tui.service.protocol import Service


class WordPlacesScreen(SectionScreen, AnswersOnce[None]):
    """Screen over the list of words; it shows at most ``MAX_LINES`` places."""

    SECTION = "words"
    SHOWS = frozenset({"transcript", "cue"})
    KEYED_WIDGETS = (ConcordanceView,)
    AUTO_FOCUS = "ConcordanceView"
    CSS_PATH: ClassVar = ["words.tcss", Path(__file__).parents[1] / "reader/concordance.tcss"]
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "back", "back", show=False, id="word_places.back")]

    def __init__(self, service: Service, word: KnownWord) -> None:
        super().__init__(service)
        self._word = word

    def compose_body(self) -> ComposeResult:
        yield Concordance()
        yield Notice()

    def on_mount(self) -> None:
        self.read_anew()

    @work(exclusive=True, group="places", exit_on_error=False)
    async def read_anew(self) -> None:
        word = self._word
        back = (shown_key(self, "word_places.back"), "goes back")
        try:
            lines = await self.service.words.concordance(word.lemma, language=word.language or None, limit=MAX_LINES)
        except LodeError as error:
            self.query_one(Notice).say_error(error, (back,))
            self.add_class("-nothing")
            return
        self.set_class(not lines, "-nothing")
        if not lines:
            self.query_one(Notice).say(f"No sentence of the library has {one_line(word.lemma)}.", (back,))
            return
        said = [word.reading, word.state, count_of(word.occurrences, "time") if word.occurrences else ""]
        if len(lines) == MAX_LINES:
            said.append(f"the newest {MAX_LINES}")
        head = Content.styled(one_line(word.lemma), "bold $foreground")
        self.query_one(Concordance).show(head + Content(" · ".join(["", *filter(None, map(one_line, said))])), lines)

    @on(ConcordanceView.Chosen)
    def _open_line(self, message: ConcordanceView.Chosen) -> None:
        self.post_message(OpenTranscript(message.line.transcript_id, message.line.cue_index))

    def action_back(self) -> None:
        self.dismiss(None)
