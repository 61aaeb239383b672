"""Queue of keys, pastes and clicks (type-ahead): each finds the screen and the field that the one before it opened.

Textual decides for whom a key is when it arrives, and what a binding of that key does only after it has gone from
widget to widget up to the app: of keys that come together, as a slow line delivers them, the later ones would still go
to what had the focus before. What was pressed while a screen that answers was on its way out is dropped: it was not
meant for the one below.
"""

from collections import deque
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from time import monotonic
from typing import Any

from textual import events, on
from textual.app import App, ReturnType
from textual.await_complete import AwaitComplete
from textual.dom import DOMNode
from textual.errors import NoWidget
from textual.screen import Screen, ScreenResultType

from tui.compat.keyboard import KeysTogether

_ROUNDS = 3
"""Rounds of messages that a key may take: enter in a list tells its screen, which tells the app, which opens."""
_OPENING_NOTHING = (events.MouseMove, events.MouseScrollUp, events.MouseScrollDown)
_MANY = 40
"""Letters that wait together where nobody typed them."""
_LETTERS = "letters"
"""Name of a key that stands for several letters; nothing is bound to it."""
_PATIENCE_SECONDS = 2.0
"""Seconds after which a key, whose handler hangs say, holds up the later ones no more."""


class AnswersOnce(Screen[ScreenResultType]):
    """Screen that closes with an answer: the first one counts, whatever else was pressed with it.

    Something may lie over it, or its section may be out of sight, when the answer comes: then it closes when back.
    Stands after the class of the screen: Textual takes styles from the first one.
    """

    _answer: tuple[ScreenResultType | None] | None = None
    _has_closed = False

    @property
    def has_answered(self) -> bool:
        return self._answer is not None

    def dismiss(self, result: ScreenResultType | None = None) -> AwaitComplete:
        if self._answer is None:
            self._answer = (result,)
        if self._has_closed or self.app.screen is not self:
            return AwaitComplete()
        self._has_closed = True
        return super().dismiss(self._answer[0])

    def on_screen_resume(self) -> None:
        if self._answer is not None:
            self.dismiss()


class InputQueue:
    """Queue of the events of ``app``: ``give`` gets the next once everything is done that the one before asked for."""

    def __init__(self, app: App[Any], give: Callable[[events.Event], Awaitable[None]]) -> None:
        self._app = app
        self._give = give
        self._waiting: deque[events.Event] = deque()
        self._has_begun = False
        self._turn = 0
        self._since: float | None = None
        """Time at which the event that is at work was given; None while there is none."""
        self._letters = False
        """Whether there may be letters on their way into a field."""
        self._questions: set[object] = set()
        """Questions that are being prepared."""
        self._closing_since: float | None = None
        """Time at which a screen that answers went, until a frame without it has been drawn."""

    async def begin(self) -> None:
        """Give what was typed while the app started."""
        self._has_begun = True
        await self._next()

    async def take(self, event: events.Event) -> None:
        """Give the event now, or when its turn has come."""
        if not self._app.screen_stack:
            return  # the app ends
        now = monotonic()
        closing = self._closing_since is not None and now - self._closing_since < _PATIENCE_SECONDS
        if closing and not isinstance(event, events.MouseMove):
            return
        late = self._since is not None and now - self._since > _PATIENCE_SECONDS
        if late and self._questions:
            self._questions.clear()  # they do not come
            self._waiting.clear()  # and their answers have no use
        if isinstance(event, KeysTogether):
            self._waiting.extend(event.keys)
        else:
            self._waiting.append(event)
        if self._has_begun and (self._since is None or late):
            await self._next()

    def drop(self) -> None:
        """Drop the waiting events, and those that come until a frame is drawn without the screen that answered."""
        self._waiting.clear()
        self._closing_since = monotonic()

    def drawn(self) -> None:
        """Take input again: a frame has been drawn."""
        self._closing_since = None

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Keep what is typed for the question that is asked right after the block, if one is."""
        question = object()
        self._questions.add(question)
        self._since = self._since or monotonic()
        try:
            yield
        finally:
            if question in self._questions:
                self._questions.discard(question)
                self._go_on()

    def give_up(self) -> None:
        """Keep nothing any longer: a fault has come in the way of what it was kept for."""
        if self._questions and self._app.screen_stack:
            self._questions.clear()
            self._go_on()

    def _go_on(self) -> None:
        path = self._path(())
        self._follow(self._turn, path, path, 1)

    async def _next(self) -> None:
        self._turn += 1
        self._since = None
        while self._waiting and self._since is None:
            event = self._waiting.popleft()
            is_letter = self._is_letter(event)
            if is_letter or isinstance(event, _OPENING_NOTHING):
                self._letters |= is_letter
                await self._give(self._with_next_letters(event) if is_letter else event)
                continue
            below = self._below(event)
            if isinstance(event, events.MouseDown) and below and self._app not in below:
                continue  # on a widget that is just going: Textual would ask it for its parent
            self._since = monotonic()
            path = self._path(below)
            if self._letters:  # a key that goes before what has the focus would overtake them
                self._letters = False
                self._waiting.appendleft(event)
                self._follow(self._turn, path, path, 1)
                return
            try:
                await self._give(event)
            finally:
                self._follow(self._turn, path, path, _ROUNDS)

    def _with_next_letters(self, letter: events.Event) -> events.Event:
        """Make one key of many letters that wait: each by itself takes a millisecond, even where there is no room."""
        if len(self._waiting) < _MANY:
            return letter
        text = []
        while isinstance(letter, events.Key) and letter.character is not None:
            text.append(letter.character)
            if not self._waiting or not self._is_letter(self._waiting[0]):
                break
            letter = self._waiting.popleft()
        return events.Key(_LETTERS, "".join(text))

    def _is_letter(self, event: events.Event) -> bool:
        """Whether a field takes the event as text: one after the other, with nothing to wait for in between."""
        field = self._app.focused
        return (
            isinstance(event, events.Key)
            and event.is_printable
            and field is not None
            and field.check_consume_key(event.key, event.character)
        )

    def _below(self, event: events.Event) -> Sequence[DOMNode]:
        """Widget that is clicked on, and those that it is part of."""
        if isinstance(event, events.MouseEvent):
            with suppress(NoWidget):
                return self._app.get_widget_at(event.x, event.y)[0].ancestors_with_self
        return ()

    def _path(self, before: Sequence[DOMNode]) -> list[DOMNode]:
        """Path of a key from what has the focus up to the app, after the one that it would have gone ``before``."""
        here = self._app.focused or self._app.screen
        nodes = dict.fromkeys((*before, *here.ancestors_with_self))
        del nodes[self._app]
        return [*nodes, self._app]

    def _follow(self, turn: int, path: Sequence[DOMNode], left: Sequence[DOMNode], rounds: int) -> None:
        """Go through the queues on the path, each behind what is there; a widget that is being removed has none."""
        for number, node in enumerate(left):
            if node is self._app:
                node.call_later(self._been_round, turn, path, rounds - 1)
                return
            if node.call_later(self._follow, turn, path, left[number + 1 :], rounds):
                return

    async def _been_round(self, turn: int, before: Sequence[DOMNode], rounds: int) -> None:
        if turn != self._turn or not self._app.screen_stack:
            return  # its patience was at an end, or the app's time
        path = self._path(before)
        if rounds > 0 or len(path) > len(before):
            self._follow(turn, path, path, max(rounds, 1))
        elif not self._questions:
            await self._next()


class QueuedInputApp(App[ReturnType]):
    """App whose input goes through an ``InputQueue``."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.input_queue = InputQueue(self, super().on_event)

    @on(events.Ready)
    async def _begin_with_what_was_typed(self) -> None:
        await self.input_queue.begin()

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, (events.InputEvent, events.Paste)) and not event.is_forwarded:
            await self.input_queue.take(event)
        elif self.screen_stack or not isinstance(event, (events.AppFocus, events.AppBlur)):
            # Textual's own handlers of those two need a screen, which an app that ends has not.
            await super().on_event(event)

    def pop_screen(self) -> AwaitComplete:
        if isinstance(self.screen, AnswersOnce):
            self.input_queue.drop()
        return super().pop_screen()

    def post_display_hook(self) -> None:
        self.input_queue.drawn()


def typed_input_kept(app: App[Any]) -> AbstractContextManager[None]:
    """Context manager around whatever is read before a question is asked, so that its answer may be typed at once."""
    return app.input_queue.kept() if isinstance(app, QueuedInputApp) else nullcontext()
