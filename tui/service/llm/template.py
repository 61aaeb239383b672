"""Prompt template: at most one per profile; what is saved has been checked."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tui.errors import InvalidInput, LodeError
from tui.prompts.defaults import bring_up_to_date
from tui.records.answers import LlmTemplate, NewTemplate
from tui.records.library import Deletion
from tui.service.library import Library
from tui.text.sanitize import is_blank

if TYPE_CHECKING:
    from tui.service.llm.local_llm import LocalLlm


class LocalTemplate:
    def __init__(self, library: Library, llm: LocalLlm) -> None:
        self._run = library.run
        self._change = library.change
        self._profile = library.profile
        self._llm = llm

    async def get(self) -> LlmTemplate | None:
        saved = await self._run(lambda store: store.templates.get(self._profile))
        return None if saved is None else bring_up_to_date(saved)

    async def save(self, template: NewTemplate) -> LlmTemplate:
        if is_blank(template.prompt):
            raise InvalidInput(
                "the template has no prompt", hint="write what the model should be asked", field="prompt"
            )
        template = bring_up_to_date(template)
        template = replace(template, model=template.model.strip(), srt_model=template.srt_model.strip())
        self._check_selector("model", template.model)
        if template.srt_model:
            self._check_selector("srt_model", template.srt_model)
        await self._llm.check_prompt(template.prompt)
        return await self._change(lambda store: store.templates.save(self._profile, template))

    def _check_selector(self, field: str, selector: str) -> None:
        try:
            self._llm.check_selector(selector)
        except LodeError as error:
            error.field = field
            raise

    async def delete(self) -> Deletion:
        return await self._change(lambda store: store.templates.delete(self._profile))

    async def effective(self) -> NewTemplate:
        return await self._llm.template_in_force()
