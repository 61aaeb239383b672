"""Questions to models: choice of the provider and the prompt, and what of the answer is kept in the history."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from dataclasses import dataclass, replace
from importlib import import_module
from typing import TYPE_CHECKING, Literal

from tui.errors import InvalidInput, LodeError, NotFound, StoreError, TemplateError
from tui.events import BreakdownEvent, BreakdownEvents, Failed, Finished, FocusReady, StateChanged, Token
from tui.prompts.values import PromptValues
from tui.records.answers import Answer, AnswerKind, NewTemplate, ProviderStatus
from tui.records.clips import FocusWord
from tui.service.library import Library
from tui.service.requests import BreakdownRequest, ExplainRequest, PreviewRequest
from tui.text.sanitize import is_blank

if TYPE_CHECKING:
    from tui.llm.breakdown import Question
    from tui.llm.providers import Providers
    from tui.service.engine import Engine
    from tui.service.words import LocalWords
    from tui.service.write_batcher import WriteBatcher
    from tui.store import Store
    from tui.store.tables.answers import AnswerChanges

MAX_SENTENCE = 10_000
"""Maximum code points of a sentence or context sent to a model; subtitles have a hundred, a paragraph a thousand."""


class LocalLlm:
    def __init__(self, library: Library, engine: Engine, words: LocalWords) -> None:
        self._library = library
        self._engine = engine
        self._words = words
        self._providers: Providers | None = None

    async def providers(self) -> tuple[ProviderStatus, ...]:
        return await self._known_providers().statuses()

    async def models(self, provider: str, *, refresh: bool = False) -> tuple[str, ...]:
        return await self._known_providers().get(provider).models(refresh=refresh)

    async def preview(self, request: PreviewRequest) -> str:
        return await self._render(await self._previewed(request), request, focus=request.focus)

    async def preview_lenient(self, request: PreviewRequest) -> tuple[str, TemplateError | None]:
        prompt = await self._previewed(request)
        await _import_rendering()
        from tui.prompts import rendering

        return rendering.render_lenient(prompt, _values(request, request.focus))

    async def _previewed(self, request: PreviewRequest) -> str:
        return (await self.template_in_force()).prompt if request.prompt is None else request.prompt

    def breakdown(self, request: BreakdownRequest) -> BreakdownEvents:
        return self._ask("breakdown", request, request.focus)

    def explain(self, request: ExplainRequest) -> BreakdownEvents:
        return self._ask("explanation", request, "")

    async def template_in_force(self) -> NewTemplate:
        from tui.prompts import defaults

        saved = await self._library.run(lambda store: store.templates.get(self._library.profile))
        if saved is not None:
            return NewTemplate(saved.model, saved.prompt, saved.sys_msg, saved.srt_model, saved.srt_sys_msg)
        return NewTemplate(defaults.MODEL, defaults.BREAKDOWN_PROMPT, defaults.BREAKDOWN_SYS_MSG)

    def check_selector(self, selector: str) -> None:
        """Check that a selector names a provider and what may be its model; else raises ``LodeError``."""
        self._known_providers().check(selector)

    async def check_prompt(self, prompt: str) -> None:
        """Check that the prompt can be rendered; else raises ``TemplateError``."""
        await _import_rendering()
        from tui.prompts import rendering

        rendering.check(prompt)

    async def _ask(
        self, kind: AnswerKind, request: BreakdownRequest | ExplainRequest, focus: str
    ) -> AsyncGenerator[BreakdownEvent, None]:
        started = time.monotonic()
        try:
            question = await self._question(kind, request, focus)
            kept = None if request.fresh else await self._kept(question)
        except LodeError as error:
            yield Failed(error)
            milliseconds = round((time.monotonic() - started) * 1000)
            yield Finished("failed", None, False, request.model, None, None, milliseconds)
            return
        if kept is not None:
            for event in _replay(kept):
                yield event
            return
        async with aclosing(self._answer(question)) as events:
            async for event in events:
                yield event

    async def _question(self, kind: AnswerKind, request: BreakdownRequest | ExplainRequest, focus: str) -> Question:
        """Make the question of a request, with everything filled in that it leaves open."""
        from tui.llm.breakdown import Question
        from tui.prompts import defaults

        if is_blank(request.sentence):
            raise InvalidInput("there is no sentence to ask about", hint="give one sentence")
        if kind == "breakdown" and is_blank(focus):
            raise InvalidInput("there is no focus word", hint="choose a word of the sentence")
        if max(len(request.sentence), len(request.context), len(focus)) > MAX_SENTENCE:
            raise InvalidInput(
                f"a sentence, its word or its context has at most {MAX_SENTENCE} characters",
                hint="ask about a part of it",
            )
        template = await self.template_in_force()
        prompt, sys_msg = request.prompt, request.sys_msg
        if kind == "breakdown":
            prompt = template.prompt if prompt is None else prompt
            sys_msg = template.sys_msg if sys_msg is None else sys_msg
        else:
            # A profile has one prompt, and it asks about a word: where a whole sentence is to be explained it only
            # serves if it has no use for the focus. Else the built-in explanation prompt takes its place.
            if prompt is None:
                uses_focus = "focus" in await self._names_in(template.prompt)
                prompt = defaults.EXPLANATION_PROMPT if uses_focus else template.prompt
            is_default = template.sys_msg == defaults.BREAKDOWN_SYS_MSG
            own_sys_msg = defaults.EXPLANATION_SYS_MSG if is_default else template.sys_msg
            sys_msg = own_sys_msg if sys_msg is None else sys_msg
        _, selector = self._known_providers().resolve(request.model or template.model)
        return Question(
            kind=kind,
            sentence=request.sentence,
            focus=focus,
            context=request.context,
            language=request.language,
            source=request.source,
            selector=selector,
            prompt=await self._render(prompt, request, focus=focus),
            sys_msg=sys_msg,
        )

    async def _kept(self, question: Question) -> Answer | None:
        """The newest complete answer to exactly this question; the lexicon is always asked, since the library grows."""
        if question.selector.provider == "lexicon":
            return None
        return await self._library.run(
            lambda store: store.answers.kept(
                self._library.profile,
                question.kind,
                str(question.selector),
                question.sentence,
                question.focus,
                question.prompt,
                question.sys_msg,
            )
        )

    async def _answer(self, question: Question) -> AsyncGenerator[BreakdownEvent, None]:
        """Ask, and write down what comes while it comes."""
        from tui.llm.breakdown import answer

        record = _Recording(self._engine.writes, self._library.profile, question)
        provider, _ = self._known_providers().resolve(str(question.selector))
        try:
            await record.begin()
            async with aclosing(answer(question, provider, self._known_providers().lexicon)) as events:
                async for event in events:
                    await record.note(event)
                    yield replace(event, answer_id=record.answer_id) if isinstance(event, Finished) else event
        except Exception as error:
            # A defect of ours, which whoever asked is not to blame for: it must not look as if they had stopped it.
            record.state, record.error = "failed", f"something unforeseen went wrong ({type(error).__name__})"
            raise
        finally:
            # Also when the asker went away: what had come stays in the history, as aborted.
            with suppress(StoreError):
                await asyncio.shield(record.end())

    async def _render(
        self, prompt: str, request: BreakdownRequest | ExplainRequest | PreviewRequest, focus: str
    ) -> str:
        await _import_rendering()
        from tui.prompts import rendering

        return rendering.render(prompt, _values(request, focus))

    async def _names_in(self, prompt: str) -> frozenset[str]:
        await _import_rendering()
        from tui.prompts import rendering

        return rendering.names_in(prompt)

    def _known_providers(self) -> Providers:
        if self._providers is None:
            from tui.llm.lexicon import Lexicon
            from tui.llm.providers import Providers

            self._providers = Providers(
                self._engine.over_http,
                Lexicon(self._words),
                default_provider=self._engine.settings.default_provider,
            )
        return self._providers


@dataclass(slots=True, eq=False)
class _Recording:
    """Records one answer in the history while it comes. A history that cannot be written never stops an answer."""

    writes: WriteBatcher
    profile: str
    question: Question
    answer_id: str | None = None
    state: Literal["complete", "aborted", "failed"] = "aborted"
    error: str | None = None
    focus: FocusWord | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    first_token_ms: int | None = None
    cut: bool = False
    pieces: list[str] | None = None
    started: float = 0.0
    beginning: asyncio.Task[None] | None = None

    async def begin(self) -> None:
        """Write the row before the model is asked: whatever happens from then on, the history knows of it."""
        self.started = time.monotonic()
        self.pieces = []
        self.beginning = asyncio.create_task(self._begin())
        await asyncio.shield(self.beginning)  # who goes away meanwhile has a row too, whose end needs its id

    async def _begin(self) -> None:
        asked = self.question
        with suppress(StoreError):
            answer = await self.writes.write(
                lambda store: store.answers.begin(
                    self.profile,
                    asked.kind,
                    str(asked.selector),
                    asked.sentence,
                    asked.focus,
                    asked.context,
                    asked.prompt,
                    asked.sys_msg,
                )
            )
            self.answer_id = answer.id

    async def note(self, event: BreakdownEvent) -> None:
        match event:
            case FocusReady(focus, input_tokens, output_tokens):
                self.focus = focus
                self.input_tokens, self.output_tokens = input_tokens, output_tokens
            case Token(text):
                assert self.pieces is not None
                if self.first_token_ms is None:
                    self.first_token_ms = self._milliseconds()
                self.pieces.append(text)
                if self.answer_id is not None:
                    self.writes.progress(self, self._written)
            case Failed(error):
                self.error = error.message
            case Finished():
                self.state, self.cut = event.state, event.cut
                self.input_tokens, self.output_tokens = event.input_tokens, event.output_tokens
                await self.end()
            case StateChanged():
                pass

    def _written(self, store: Store) -> None:
        """Write down the text that has come so far; runs in a thread of the store."""
        answer_id, pieces = self.answer_id, self.pieces
        if answer_id is not None and pieces is not None:
            store.answers.update(answer_id, **self._so_far(pieces))

    def _so_far(self, pieces: list[str]) -> AnswerChanges:
        return {
            "focus_word": self.focus,
            "text": "".join(pieces),
            "duration_ms": self._milliseconds(),
            "first_token_ms": self.first_token_ms,
        }

    def _milliseconds(self) -> int:
        return round((time.monotonic() - self.started) * 1000)

    async def end(self) -> None:
        """Write the end down, once."""
        if self.beginning is not None:
            await asyncio.wait((self.beginning,))
        answer_id, pieces = self.answer_id, self.pieces
        if answer_id is None or pieces is None:
            return
        self.pieces = None
        self.writes.drop_progress(self)
        changes = self._so_far(pieces)
        changes |= {"error": self.error, "cut": self.cut}
        changes |= {"input_tokens": self.input_tokens, "output_tokens": self.output_tokens}
        with suppress(StoreError, NotFound):  # it may have been deleted meanwhile
            await self.writes.write(lambda store: store.answers.finish(answer_id, self.state, **changes))


async def _import_rendering() -> None:
    """Import the renderer in a thread: with it comes Jinja2, which takes a tenth of a second."""
    if "tui.prompts.rendering" not in sys.modules:
        await asyncio.to_thread(import_module, "tui.prompts.rendering")


def _values(request: BreakdownRequest | ExplainRequest | PreviewRequest, focus: str) -> PromptValues:
    from tui.language.tags import language_name

    return PromptValues(
        sentence=request.sentence,
        focus=focus,
        context=request.context,
        language=language_name(request.language) if request.language else "",
        source=request.source,
    )


def _replay(answer: Answer) -> list[BreakdownEvent]:
    """Replay a kept answer as the stream it once was, marked as kept."""
    events: list[BreakdownEvent] = []
    if answer.kind == "breakdown":
        events.append(FocusReady(answer.focus_word or FocusWord(answer.focus)))
    if answer.text:
        events.append(Token(answer.text))
    counts = (answer.input_tokens, answer.output_tokens, answer.duration_ms)
    return [*events, Finished("complete", answer.id, True, answer.model, *counts, answer.cut)]
