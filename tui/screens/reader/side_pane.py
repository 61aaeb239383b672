"""Side pane of the reader, a part at a time: what the word under the eye means, its clips, its places, its answer.

And a screen of its places, where there is no room for the pane.
"""

from collections.abc import Sequence
from typing import ClassVar, Literal, TypeAlias, get_args

from textual import getters, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen

from tui.records.clips import ConcordanceLine
from tui.records.word_summary import WordSummary
from tui.screens.input_queue import AnswersOnce
from tui.screens.reader.pane_texts import answer_text, clips_text
from tui.screens.reader.questions import MAX_LINES, UnderEye, WordLookUps
from tui.service.protocol import Service
from tui.text.display import count_of, number
from tui.widgets.cards.focus_card import WordPane, word_line
from tui.widgets.chrome.key_line import KeyLine
from tui.widgets.markdown.token_log import TokenLog
from tui.widgets.transcript.concordance_view import Concordance, ConcordanceView

SidePaneName: TypeAlias = Literal["word", "clips", "context", "answer"]
PARTS: Sequence[SidePaneName] = get_args(SidePaneName)
"""Parts of the pane, in the order in which its key goes through them."""
InContextFound: TypeAlias = tuple[Content, Sequence[ConcordanceLine], tuple[str, int]]
"""Head and lines of a concordance, and the transcript and cue that one reads at."""


_TEXTS = {"clips": clips_text, "answer": answer_text}
"""Parts that are texts, each with what reads it."""


class PaneText(TokenLog, can_focus=False):
    """Text of a part of the pane: clips, an answer."""


class SidePane(Vertical):
    """Side pane that shows one of its parts, ``shown``, of what is under the eye."""

    concordance = getters.query_one(Concordance)

    def __init__(self, service: Service, look_ups: WordLookUps, shown: SidePaneName) -> None:
        super().__init__()
        self._service = service
        self._look_ups = look_ups
        self.shown = shown

    def compose(self) -> ComposeResult:
        yield WordPane()
        yield Concordance()
        yield PaneText()

    @property
    def shown(self) -> SidePaneName:
        return next((name for name in PARTS if self.has_class(f"-{name}")), "word")

    @shown.setter
    def shown(self, name: SidePaneName) -> None:
        for each in PARTS:
            self.set_class(each == name, f"-{each}")

    def turn_to(self, name: SidePaneName) -> None:
        """Show another part, empty where it is still to be read."""
        self.shown = name
        if name in _TEXTS:
            self.query_one(PaneText).show("…")

    async def show_of(self, here: UnderEye | None) -> None:
        """Show the clips, places or answer of the word under the eye, where these are what is shown.

        Those of the word before stay until then. Raises ``LodeError``.
        """
        name = self.shown
        if name == "context":
            if (found := await find_in_context(self._look_ups, here)) is not None:
                self.concordance.show(*found)
        elif name in _TEXTS and here is not None and here.text.focus:
            text, log = await _TEXTS[name](self._service, here), self.query_one(PaneText)
            if self.shown == name and log.text != text:
                log.show(text)


async def find_in_context(look_ups: WordLookUps, here: UnderEye | None) -> InContextFound | None:
    """Find every place of the word under the eye; None where there is no word. Raises ``LodeError``."""
    if here is None or not (word := here.text.focus):
        return None
    lines = await look_ups.concordance(word, here.transcript.language)
    head = concordance_head(word, look_ups.known(here.text), lines)
    return head, lines, (here.transcript.id, here.text.cue_index)


def concordance_head(word: str, summary: WordSummary | None, lines: Sequence[ConcordanceLine]) -> Content:
    """The word, what it means in one line, and how often it stands in the library."""
    times = len(lines) if summary is None else summary.occurrences
    said = f"{count_of(times, 'time')} in your library" if times else "not yet in your library"
    if len(lines) >= MAX_LINES:
        said = f"{said}, the latest {number(len(lines))} of them here"
    return Content("\n").join([word_line(word, summary, counted=False), Content(said)])


class InContext(ModalScreen[ConcordanceLine | None], AnswersOnce[ConcordanceLine | None]):
    """Screen of a concordance where there is no room for it beside the text; gives the line that was chosen."""

    CSS_PATH: ClassVar = ["reader.tcss", "concordance.tcss"]
    AUTO_FOCUS = "ConcordanceView"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,P,L,q,ctrl+c", "back", show=False)]

    def __init__(self, head: Content, lines: Sequence[ConcordanceLine], here: tuple[str, int]) -> None:
        super().__init__()
        self._head = head
        self._lines = lines
        self._here = here

    def compose(self) -> ComposeResult:
        yield Concordance()
        yield KeyLine()

    def on_mount(self) -> None:
        self.query_one(Concordance).show(self._head, self._lines, self._here)

    def action_back(self) -> None:
        self.dismiss(None)

    @on(ConcordanceView.Chosen)
    def _open_line(self, message: ConcordanceView.Chosen) -> None:
        message.stop()
        self.dismiss(message.line)
