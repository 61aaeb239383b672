"""Labels of what can be reached: short letters over words, rows, fields and lines; typing one goes there."""

import string
from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from tui.screens.input_queue import AnswersOnce
from tui.widgets.chrome.targets import Target

_LETTERS = "asdfghjkl" + "qwertyuiop" + "zxcvbnm"
assert set(_LETTERS) == set(string.ascii_lowercase)


def make_labels(count: int) -> list[str]:
    """Make so many labels of one letter or two, the short ones first; none begins as another one goes on.

    As few letters as will do begin the long ones. More than 676 places get no label.
    """
    letters = len(_LETTERS)
    for long in range(letters + 1):
        short = letters - long
        if short + long * letters >= count:
            break
    first = list(_LETTERS[: letters - long])
    second = [head + tail for head in _LETTERS[letters - long :] for tail in _LETTERS]
    return (first + second)[:count]


def label_targets(targets: Sequence[Target]) -> list[tuple[str, Target]]:
    """Give each target a label: those that are wanted most get the short ones."""
    order = sorted(targets, key=lambda target: not target.is_wanted)
    return list(zip(make_labels(len(order)), order, strict=False))


class Labels(ModalScreen[Target | None], AnswersOnce[Target | None]):
    """Labels over the screen below; gives the target whose label was typed, None after esc or any other key."""

    AUTO_FOCUS = ""
    DEFAULT_CSS = """
    Labels {
        background: $background 35%; layers: labels;
        .place-label {
            layer: labels; position: absolute; width: auto; height: 1;
            background: $warning; color: $background; text-style: bold reverse;
        }
        .-short { background: $accent; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,ctrl+c", "dismiss(None)", show=False)]

    def __init__(self, targets: Sequence[Target]) -> None:
        super().__init__()
        self._labelled = label_targets(targets)
        self._typed = ""

    def compose(self) -> ComposeResult:
        for label, target in self._labelled:
            shown = Static(Content(label), classes="place-label" + (" -short" if len(label) == 1 else ""))
            shown.styles.offset = (target.x, target.y)
            yield shown

    def on_key(self, event: events.Key) -> None:
        if event.key in ("escape", "ctrl+c"):
            return
        event.stop()
        self._typed += event.character or "\0"
        found = next((target for label, target in self._labelled if label == self._typed), None)
        if found is not None or not any(label.startswith(self._typed) for label, _ in self._labelled):
            self.dismiss(found)
            return
        for shown, (label, _) in zip(self.query(".place-label"), self._labelled, strict=True):
            shown.display = label.startswith(self._typed)
