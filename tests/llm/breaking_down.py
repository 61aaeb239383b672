"""Question, listener and checks that the tests of breakdowns share."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import replace

from tests.llm.library import FewWords
from tui.events import BreakdownEvent, Failed, Finished, FocusReady, StateChanged, Token
from tui.llm.breakdown import AnswerSession, Deadlines
from tui.llm.lexicon import Lexicon
from tui.llm.protocol import Provider, Question
from tui.records.clips import FocusWord

FOCUS = {
    "surface": "fährt … ab", "lemma": "abfahren", "reading": None, "part_of_speech": "verb", "grammar": None,
    "meanings": ["to leave"], "level": None,
}  # fmt: skip
LEXICON = Lexicon(FewWords({"fährt": "fahren"}, {"fährt": 12}))
SOON = Deadlines(cloud=0.05, local=0.05, lexicon=1)


def breakdown(
    question: Question, provider: Provider, lexicon: Lexicon, *, deadlines: Deadlines | None = None
) -> AsyncGenerator[BreakdownEvent, None]:
    return AnswerSession(question, provider, lexicon, deadlines or Deadlines()).run()


def explain(question: Question, provider: Provider) -> AsyncGenerator[BreakdownEvent, None]:
    """The explanation of the question's sentence, whatever its kind."""
    return breakdown(replace(question, kind="explanation"), provider, LEXICON)


async def listen(events: AsyncGenerator[BreakdownEvent, None]) -> list[BreakdownEvent]:
    async with aclosing(events):
        return [event async for event in events]


def checked(events: Sequence[BreakdownEvent], *, focus: bool = True) -> Sequence[BreakdownEvent]:
    """The events, after a look at the order that ``tui.events`` promises."""
    kinds = [type(event) for event in events if not isinstance(event, StateChanged)]
    if focus:
        assert kinds[0] is FocusReady
    assert kinds.count(FocusReady) == int(focus)
    assert kinds[-1] is Finished and kinds.count(Finished) == 1
    assert kinds.count(Failed) <= 1 and (Failed not in kinds or kinds[-2] is Failed)
    assert type(events[-1]) is Finished
    return events


def focus_of(events: Sequence[BreakdownEvent]) -> FocusWord:
    return next(event.focus for event in events if isinstance(event, FocusReady))


def text_of(events: Sequence[BreakdownEvent]) -> str:
    return "".join(event.text for event in events if isinstance(event, Token))


def end_of(events: Sequence[BreakdownEvent]) -> Finished:
    last = events[-1]
    assert isinstance(last, Finished)
    return last


def failure_of(events: Sequence[BreakdownEvent]) -> str:
    return next((event.error.code for event in events if isinstance(event, Failed)), "")
