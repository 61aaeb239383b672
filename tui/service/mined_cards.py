"""Mined cards: a model or the dictionaries are asked about the word of a draft, or its sentence, and complete it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import aclosing
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from tui.events import Failed, Finished, FocusReady, Token
from tui.service.requests import BreakdownRequest, ExplainRequest

if TYPE_CHECKING:
    from tui.errors import LodeError
    from tui.events import BreakdownEvents
    from tui.records.clips import NewClip

Ask: TypeAlias = Callable[[BreakdownRequest | ExplainRequest], "BreakdownEvents"]


async def complete_card(
    draft: NewClip, ask: Ask, model: str, language: str | None, *, focus: str = "", fresh: bool = False
) -> NewClip:
    """Ask about the word of a draft (``focus``, as it is asked about), or its sentence, as the reader does.

    What stands in the draft besides the word is its own, or the translation track's. ``fresh`` asks anew what the
    history has. Raises the ``LodeError`` for which there is no explanation.
    """
    request: BreakdownRequest | ExplainRequest
    if draft.focus is None:
        request = ExplainRequest(draft.sentence, model, language=language, source=draft.source, fresh=fresh)
    else:
        word = focus or draft.focus.surface
        request = BreakdownRequest(draft.sentence, word, model, language=language, source=draft.source, fresh=fresh)
    ready: FocusReady | None = None
    failure: LodeError | None = None
    texts, nothing_known = list[str](), False
    async with aclosing(ask(request)) as events:
        async for event in events:
            match event:
                case FocusReady():
                    ready = event
                case Token(text):
                    texts.append(text)
                case Failed():
                    failure = event.error
                case Finished():
                    nothing_known = event.nothing_known
    if failure is not None:
        raise failure
    card = replace(draft, explanation="" if nothing_known else "".join(texts), model=model)
    if ready is None:
        return card
    return replace(
        card,
        focus=ready.focus,
        translation=card.translation or ready.translation,
        sentence_reading=card.sentence_reading or ready.sentence_reading,
    )
