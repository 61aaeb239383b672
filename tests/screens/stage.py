"""A bare app around one screen: it writes down what the screen asks of the app, and has the app's own keys."""

import hashlib
from collections.abc import Iterator, Sequence
from typing import ClassVar, TypeVar

from textual.app import App
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.screen import Screen

from tui.records.files import NewFile
from tui.records.transcripts import Cue, NewTranscript, OriginalCue
from tui.screens.messages import News
from tui.screens.shell.toasts import news_text
from tui.service.local import LocalService
from tui.store.tables.files import count_words
from tui.widgets.chrome import themes

M = TypeVar("M", bound=Message)

STATION = (
    "Warten Sie schon lange hier?",
    "Seit einer Stunde.  Der Zug hat Verspätung.",
    "Das ist der letzte heute,\ndanach kommt bis morgen früh nichts mehr.",
    "Hoffentlich fährt er überhaupt noch ab.",
    "Bestimmt.",
    "Und?  Wohin fahren Sie?",
    "Ich besuche jemanden.",
    "♪♪♪",
    "Einen alten Freund von der Schule.",
    "Der fährt auch bald ab.",
)


class Stage(App[None]):
    """Shows ``screen``; ``asked`` holds its messages, ``pressed`` the keys of the app that no widget took."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(key, f"pressed('{key}')", show=False) for key in ("1", "6", "q", "u")
    ]

    def __init__(self, screen: Screen[None]) -> None:
        super().__init__()
        self.first_screen = screen
        self.asked: list[Message] = []
        self.pressed: list[str] = []
        self.copied: list[str] = []
        self.register_theme(themes.DARK)
        self.theme = themes.DARK.name

    def on_mount(self) -> None:
        self.push_screen(self.first_screen)

    def action_pressed(self, key: str) -> None:
        self.pressed.append(key)

    def copy_to_clipboard(self, text: str) -> None:
        self.copied.append(text)

    def ask(self, message: Message) -> None:
        self.asked.append(message)

    on_go_back = on_library_changed = on_open_breakdown = on_sentence_looked_at = ask

    def on_news(self, message: News) -> None:
        self.notify(news_text(message), markup=False)

    def all_asked(self, kind: type[M]) -> Iterator[M]:
        return (message for message in self.asked if isinstance(message, kind))

    def said(self) -> list[str]:
        """The notifications that were shown."""
        return [notification.message for notification in self._notifications]


def timed(texts: Sequence[str], *, start_ms: int = 107_250, step_ms: int = 4_500) -> tuple[Cue, ...]:
    """The texts as cues, one after the other."""
    return tuple(
        Cue(index, start_ms + index * step_ms, start_ms + index * step_ms + 4_000, text)
        for index, text in enumerate(texts)
    )


async def add_transcript(
    service: LocalService,
    cues: Sequence[Cue],
    *,
    title: str = "Der letzte Zug",
    language: str | None = "de",
    originals: Sequence[OriginalCue] = (),
) -> str:
    """Put a transcript into the library as an import does; its id."""
    data = repr((title, cues)).encode()
    duration = max((cue.end_ms for cue in cues if cue.end_ms is not None), default=None)

    sha256 = hashlib.sha256(data).hexdigest()
    file = NewFile(f"{title}.srt", "subtitle", "srt", language, len(data), sha256, duration)
    counted = count_words([NewTranscript(title, language, cues, originals)])
    _, transcript = await service._library.run(lambda store: store.files.add(service.profile, file, counted, None))
    return transcript.id
