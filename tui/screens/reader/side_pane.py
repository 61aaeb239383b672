"""Side pane of the reader: what the word under the eye means, or every place where it stands; a screen in its stead."""

from collections.abc import Sequence
from typing import ClassVar, Literal, TypeAlias

from textual import getters, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen

from tui.records.clips import ConcordanceLine
from tui.records.words import WordSummary
from tui.screens.input_queue import AnswersOnce
from tui.screens.reader.questions import MAX_LINES, UnderEye, WordLookUps
from tui.text.display import count_of, number
from tui.widgets.cards.focus_card import WordPane, word_line
from tui.widgets.chrome.key_line import KeyLine
from tui.widgets.transcript.concordance_view import Concordance, ConcordanceView

SidePaneName: TypeAlias = Literal["word", "context"]
InContextFound: TypeAlias = tuple[Content, Sequence[ConcordanceLine], tuple[str, int]]
"""Head and lines of a concordance, and the transcript and cue that one reads at."""


class SidePane(Vertical):
    """Side pane that shows one of the two; what it shows of a word is handed in."""

    concordance = getters.query_one(Concordance)

    def compose(self) -> ComposeResult:
        yield WordPane()
        yield Concordance()

    @property
    def shown(self) -> SidePaneName:
        return "context" if self.has_class("-context") else "word"

    @shown.setter
    def shown(self, name: SidePaneName) -> None:
        self.set_class(name == "context", "-context")


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
