"""Explanation from a model: its text as it streams, bounded, and asked for once more where it is in a wrong language.

The beginning of an answer is held back until it is clear which language it is in, for half a second or so: nothing
that a reader, a program or the history has got need ever be taken back, and no event says "forget that". Only where an
answer was asked for in another language than English is that worth the wait: English is what models fall back to.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, replace

from tui.errors import ProviderError
from tui.language.detection import can_be_guessed, guess_language
from tui.language.tags import base_language, language_name
from tui.llm.protocol import ANSWER_WITHOUT_END, ChatRequest, Provider, Question, StreamEnd, StreamEvent, TextDelta

_MAX_ANSWER = 400_000
"""Maximum characters of one answer; a model that goes on has lost its way."""
_FIRST_GUESS, _LAST_GUESS = 80, 320
"""Characters of an answer from which on its language is guessed, and with which it is taken as it is."""


@dataclass(frozen=True, slots=True)
class AskedAgain:
    """The answer was in a wrong language, and is asked for once more."""

    message: str


async def explanation(question: Question, provider: Provider) -> AsyncGenerator[StreamEvent | AskedAgain, None]:
    """Stream the explanation; closing the generator closes the connection. Raises what ``Provider.stream`` raises."""
    request = ChatRequest(question.selector.model, question.sys_msg, question.prompt, question, question.turns)
    wanted = question.answer_in
    if wanted is not None and can_be_guessed(base_language(wanted)):
        again = False
        async with aclosing(_checked(_streamed(request, provider), wanted)) as events:
            async for event in events:
                again = isinstance(event, AskedAgain)
                yield event
        if not again:
            return
        insisting = f"{request.system}\n\nWrite the whole answer in {question.explain_in}, and in no other language."
        request = replace(request, system=insisting.lstrip())
    async with aclosing(_streamed(request, provider)) as events:
        async for event in events:
            yield event


async def _checked(
    events: AsyncGenerator[StreamEvent, None], wanted: str
) -> AsyncGenerator[StreamEvent | AskedAgain, None]:
    """The events, of which the text waits until its language is clear; ends with ``AskedAgain`` for a wrong one."""
    held = ""
    guessing = True
    async with aclosing(events):
        try:
            async for event in events:
                if guessing and isinstance(event, TextDelta):
                    held += event.text
                    guess = guess_language(held[:_LAST_GUESS]) if len(held) >= _FIRST_GUESS else None
                    if guess is not None and guess != base_language(wanted):
                        held = ""
                        yield AskedAgain(f"it answered in {language_name(guess)}: asked once more")
                        return
                    if guess is None and len(held) < _LAST_GUESS:
                        continue
                    event, held, guessing = TextDelta(held), "", False
                elif held and isinstance(event, StreamEnd):
                    yield TextDelta(held)
                    held = ""
                yield event
        except ProviderError:
            if held:
                yield TextDelta(held)
            raise


async def _streamed(request: ChatRequest, provider: Provider) -> AsyncGenerator[StreamEvent, None]:
    """The provider's events; raises ``ProviderError`` where they have no end, or none of their own."""
    ended = False
    left = _MAX_ANSWER
    async with aclosing(provider.stream(request)) as events:
        async for event in events:  # to the very end: then the connection can be used again
            if isinstance(event, TextDelta):
                if len(event.text) > left:
                    yield TextDelta(event.text[:left])
                    raise ProviderError(
                        f"{provider.label} talks without end: its answer has more than {_MAX_ANSWER} characters",
                        hint="what had come is kept; ask again, or try another model",
                        code=ANSWER_WITHOUT_END,
                    )
                left -= len(event.text)
            yield event
            ended = ended or isinstance(event, StreamEnd)
    if not ended:
        raise ProviderError(f"{provider.label} broke off in the middle of its answer", code="stream_cut")
