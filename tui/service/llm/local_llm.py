"""Questions to models: choice of the provider and the prompt, and which kept answer is to the same question.

What makes a question is its kind, model, sentence and focus, the prompt and the system message; these two not as they
are sent, but as they are with the usual settings (English, no level) and without dictionaries. So neither a changed
setting nor another dictionary asks anything anew unasked: what was kept in English is shown, and asking anew, in the
new language, is a decision of its own, as it costs time and often money. An answer that was asked in exactly today's
words goes before the others.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, suppress
from dataclasses import fields, replace
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING

from tui.dictionaries.focus_word import find_other_word, number_lines, shorten_entries
from tui.errors import InvalidInput, LodeError, StoreError, TemplateError
from tui.events import BreakdownEvent, BreakdownEvents, Failed, Finished
from tui.language.tags import base_language, language_name
from tui.llm.protocol import Question
from tui.prompts import PromptValues, defaults, fill_settings, find_settings
from tui.prompts.defaults import bring_up_to_date
from tui.records.answers import Answer, AnswerKind, LlmTemplate, NewAnswer, NewTemplate, ProviderStatus
from tui.records.clips import FocusWord
from tui.records.deletion import Deletion
from tui.records.dictionaries import EntryText
from tui.records.settings import DEFAULT_EXPLAIN_IN, ProfileSettings
from tui.service.engine import Engine
from tui.service.library import Library
from tui.service.llm.history import Recording, follow_up, follow_up_model, record_question, replay
from tui.service.requests import BreakdownRequest, ExplainRequest, FollowUpRequest, PreviewRequest
from tui.service.words.summaries import LocalWords
from tui.store import Store
from tui.text.sanitize import is_blank

if TYPE_CHECKING:
    from tui.llm.protocol import Provider
    from tui.llm.providers import Providers


MAX_SENTENCE = 10_000
"""Maximum code points of a sentence or context sent to a model; subtitles have a hundred, a paragraph a thousand."""
_LOOK_UP_SECONDS = 1.0
"""Seconds that a question may wait for dictionaries: a look-up takes a few thousandths, unless a segmenter loads."""


class LocalLlm:
    def __init__(self, library: Library, engine: Engine, words: LocalWords) -> None:
        self._library = library
        self._engine = engine
        self._words = words

    async def providers(self) -> tuple[ProviderStatus, ...]:
        return await self.known_providers.statuses()

    async def models(self, provider: str, *, refresh: bool = False) -> tuple[str, ...]:
        return await self.known_providers.get(provider).models(refresh=refresh)

    async def preview(self, request: PreviewRequest) -> str:
        return await _render(*await self._preview(request))

    async def preview_lenient(self, request: PreviewRequest) -> tuple[str, TemplateError | None]:
        prompt, values = await self._preview(request)
        await _import_rendering()
        from tui.prompts import rendering

        return rendering.render_lenient(prompt, values)

    async def _preview(self, request: PreviewRequest) -> tuple[str, PromptValues]:
        """The prompt and its values; dictionaries are asked only where the prompt, right or wrong, names them."""
        prompt = (await self.template_in_force()).prompt if request.prompt is None else request.prompt
        _, _, entries = await self._looked_up(request, request.focus) if "dictionary" in prompt else (None, None, ())
        return prompt, _values(request, request.focus, await self._library.settings(), entries)

    def breakdown(self, request: BreakdownRequest) -> BreakdownEvents:
        return self._ask("breakdown", request, request.focus)

    def explain(self, request: ExplainRequest) -> BreakdownEvents:
        return self._ask("explanation", request, "")

    def ask_in_batch(
        self, request: BreakdownRequest | ExplainRequest, adapt: Callable[[Provider], Provider]
    ) -> BreakdownEvents:
        """As ``breakdown`` or ``explain``, by a job that nobody reads along with: no half of an answer has a deadline.

        ``adapt`` gives the provider that is asked in the place of the model's.
        """
        if isinstance(request, BreakdownRequest):
            return self._ask("breakdown", request, request.focus, adapt)
        return self._ask("explanation", request, "", adapt)

    async def template_in_force(self) -> NewTemplate:
        saved = await self._library.run(lambda store: store.templates.get(self._library.profile))
        if saved is not None:
            written = {field.name: getattr(saved, field.name) for field in fields(NewTemplate)}
            return defaults.bring_up_to_date(NewTemplate(**written))
        return NewTemplate(defaults.MODEL, defaults.BREAKDOWN_PROMPT, defaults.BREAKDOWN_SYS_MSG)

    def check_selector(self, selector: str, field: str) -> None:
        """Check that a selector names a provider and what may be its model; else raises ``LodeError`` of the field."""
        try:
            self.known_providers.check(selector)
        except LodeError as error:
            error.field = field
            raise

    async def _ask(
        self,
        kind: AnswerKind,
        request: BreakdownRequest | ExplainRequest,
        focus: str,
        adapt: Callable[[Provider], Provider] | None = None,
    ) -> AsyncGenerator[BreakdownEvent, None]:
        started = time.monotonic()
        try:
            question, asked = await self._question(kind, request, focus)
            kept = None
            if not request.fresh and question.selector.provider != "lexicon":  # which knows more as the library grows
                kept = await self._library.run(lambda store: store.answers.find_kept(self._library.profile, asked))
        except LodeError as error:
            for event in _refused(error, request.model, started):
                yield event
            return
        if kept is not None:
            for event in replay(kept):
                yield event
            return
        async with aclosing(self._answer(question, asked, adapt)) as events:
            async for event in events:
                yield event

    async def ask_on(self, request: FollowUpRequest) -> AsyncGenerator[BreakdownEvent, None]:
        started = time.monotonic()
        try:
            first = await self._first_answer(request.answer_id)
            model = follow_up_model(request, first, (await self.template_in_force()).model)
            _, selector = self.known_providers.resolve(model)
            question = follow_up(request, first, selector, await self._library.settings())
        except LodeError as error:
            for event in _refused(error, request.model, started):
                yield event
            return
        known_by = (f"{first.id}\n{question.prompt}", question.sys_msg)  # the same as no question that is not asked on
        async with aclosing(self._answer(question, record_question(question, known_by, first.id))) as events:
            async for event in events:
                yield event

    async def _first_answer(self, answer_id: str) -> Answer:
        """The answer that a conversation began with; raises ``NotFound`` for none."""

        def first(store: Store) -> Answer:
            answer = store.answers.get(self._library.profile, answer_id)
            return answer if answer.follows is None else store.answers.get(self._library.profile, answer.follows)

        return await self._library.run(first)

    async def _question(
        self, kind: AnswerKind, request: BreakdownRequest | ExplainRequest, focus: str
    ) -> tuple[Question, NewAnswer]:
        """Make the question of a request, with everything filled in that it leaves open, and the record of it."""
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
        prompt = template.prompt if request.prompt is None else request.prompt
        sys_msg = template.sys_msg if request.sys_msg is None else request.sys_msg
        if kind == "explanation":
            # A profile has one prompt, and it asks about a word: where a whole sentence is to be explained it only
            # serves if it has no use for the focus. Else the built-in explanation prompt takes its place.
            if request.prompt is None and "focus" in await self._names_in(prompt):
                prompt = defaults.EXPLANATION_PROMPT
            if request.sys_msg is None and sys_msg == defaults.BREAKDOWN_SYS_MSG:
                sys_msg = defaults.EXPLANATION_SYS_MSG
        _, selector = self.known_providers.resolve(request.model or template.model)
        settings = await self._library.settings()
        is_lexicon = selector.provider == "lexicon"
        looked_up, other, entries = (None, None, ()) if is_lexicon else await self._looked_up(request, focus)
        values = _values(request, focus, settings, entries)
        usual = values.as_known()
        # The lexicon's own words are those of the interface, and English is what models fall back to.
        is_asked_for = (
            not is_lexicon
            and base_language(settings.explain_in) != DEFAULT_EXPLAIN_IN
            and "explain_in" in find_settings(sys_msg) | await self._names_in(prompt)
        )
        question = Question(
            kind=kind,
            sentence=request.sentence,
            focus=focus,
            context=request.context,
            language=request.language,
            source=request.source,
            selector=selector,
            prompt=await _render(prompt, values),
            sys_msg=fill_settings(sys_msg, values),
            explain_in=values.explain_in,
            level=values.level,
            answer_in=settings.explain_in if is_asked_for else None,
            entries=entries,
            looked_up=looked_up,
            other=other,
        )
        return question, record_question(question, (await _render(prompt, usual), fill_settings(sys_msg, usual)))

    async def _answer(
        self, question: Question, asked: NewAnswer, adapt: Callable[[Provider], Provider] | None = None
    ) -> AsyncGenerator[BreakdownEvent, None]:
        """Ask, and write down what comes while it comes."""
        from tui.llm.breakdown import PATIENT, AnswerSession

        record = Recording(self._engine.writes, self._library.profile, asked)
        provider, _ = self.known_providers.resolve(str(question.selector))
        try:
            await record.begin()
            if adapt is None:
                session = AnswerSession(question, provider, self.known_providers.lexicon)
            else:
                session = AnswerSession(question, adapt(provider), self.known_providers.lexicon, PATIENT)
            async with aclosing(session.run()) as events:
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

    async def _looked_up(
        self, request: BreakdownRequest | ExplainRequest | PreviewRequest, focus: str
    ) -> tuple[FocusWord | None, FocusWord | None, tuple[EntryText, ...]]:
        """What the dictionaries say of a focus word, for a model: the word, its other choice, and their entries.

        Nothing where they take too long or are broken.
        """
        if is_blank(focus):
            return None, None, ()
        try:
            async with asyncio.timeout(_LOOK_UP_SECONDS):
                word, found = await self._words.look_up(focus, request.language, request.sentence)
        except (LodeError, TimeoutError):
            return None, None, ()  # they help a model to answer, which it can without
        return word, find_other_word(word, found), shorten_entries(found)

    async def _names_in(self, prompt: str) -> frozenset[str]:
        await _import_rendering()
        from tui.prompts.template_language import parse

        return parse(prompt).names

    @cached_property
    def known_providers(self) -> Providers:
        from tui.llm.lexicon import Lexicon
        from tui.llm.providers import Providers

        usual = self._engine.settings.default_provider
        return Providers(self._engine.over_http, Lexicon(self._words), default_provider=usual)


def _refused(error: LodeError, model: str, started: float) -> tuple[BreakdownEvent, ...]:
    """The events of a question that could not be asked."""
    milliseconds = round((time.monotonic() - started) * 1000)
    return Failed(error), Finished("failed", None, False, model, None, None, milliseconds)


async def _import_rendering() -> None:
    """Import the renderer in a thread: with it comes Jinja2, which takes a tenth of a second."""
    if "tui.prompts.rendering" not in sys.modules:
        await asyncio.to_thread(import_module, "tui.prompts.rendering")


def _values(
    request: BreakdownRequest | ExplainRequest | PreviewRequest,
    focus: str,
    settings: ProfileSettings,
    entries: tuple[EntryText, ...],
) -> PromptValues:
    return PromptValues(
        sentence=request.sentence,
        focus=focus,
        context=request.context,
        language=language_name(request.language) if request.language else "",
        source=request.source,
        explain_in=language_name(settings.explain_in),
        level=settings.level_in(request.language),
        dictionary=number_lines(entries),
    )


async def _render(prompt: str, values: PromptValues) -> str:
    await _import_rendering()
    from tui.prompts import rendering

    return rendering.render(prompt, values)


class LocalTemplate:
    def __init__(self, library: Library, llm: LocalLlm) -> None:
        self._library = library
        self._llm = llm

    async def get(self) -> LlmTemplate | None:
        saved = await self._library.run(lambda store: store.templates.get(self._library.profile))
        return None if saved is None else bring_up_to_date(saved)

    async def save(self, template: NewTemplate) -> LlmTemplate:
        if is_blank(template.prompt):
            raise InvalidInput(
                "the template has no prompt", hint="write what the model should be asked", field="prompt"
            )
        template = bring_up_to_date(template)
        template = replace(template, model=template.model.strip(), srt_model=template.srt_model.strip())
        self._llm.check_selector(template.model, "model")
        if template.srt_model:
            self._llm.check_selector(template.srt_model, "srt_model")
        await _import_rendering()
        from tui.prompts import rendering

        rendering.check(template.prompt)
        return await self._library.change(lambda store: store.templates.save(self._library.profile, template))

    async def delete(self) -> Deletion:
        return await self._library.change(lambda store: store.templates.delete(self._library.profile))

    async def effective(self) -> NewTemplate:
        return await self._llm.template_in_force()
