"""Corrections and translations from the app: what a model will be asked and what that costs is said before it is."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from tui.errors import InvalidInput, LodeError
from tui.language.tags import find_tag, language_name
from tui.screens.dialogs.fields_prompt import FieldsPrompt, PromptField
from tui.screens.messages import LibraryChanged
from tui.text.display import describe_correction
from tui.text.sanitize import one_line
from tui.widgets.chrome.key_line import shown_key

if TYPE_CHECKING:
    from tui.records.jobs import Job
    from tui.records.reviews import CorrectionPlan
    from tui.screens.section import SectionScreen

_MODEL = PromptField("model", "Model", "ollama:gemma3 | openai:gpt-5-mini | …")
_INTO = PromptField("into", "Into", "what explanations are given in")


async def correct(screen: SectionScreen, transcript_id: str) -> bool:
    """Have a model correct a transcript, once it was seen what it will be asked; what it proposes waits in a review.

    Gives whether it is asked.
    """
    reviews = screen.service.reviews

    async def plan(typed: Mapping[str, str]) -> CorrectionPlan:
        return await reviews.plan(transcript_id, model=typed["model"])

    async def start(typed: Mapping[str, str]) -> Job:
        return await reviews.start(transcript_id, model=typed["model"])

    return await _ask(screen, "Correct", (_MODEL,), plan, start)


async def translate(screen: SectionScreen, transcript_id: str) -> None:
    """Have a model translate a transcript, once it was seen what it will be asked; what it says waits in a review."""
    reviews = screen.service.reviews

    async def plan(typed: Mapping[str, str]) -> CorrectionPlan:
        return await reviews.plan_translation(transcript_id, model=typed["model"], into=read_language(typed))

    async def start(typed: Mapping[str, str]) -> Job:
        return await reviews.translate(transcript_id, model=typed["model"], into=read_language(typed))

    await _ask(screen, "Translate", (_MODEL, _INTO), plan, start)


def read_language(typed: Mapping[str, str]) -> str:
    """Read the language that was typed, by its tag or its name; raises ``InvalidInput`` where it is none."""
    given = typed["into"]
    if not given or (tag := find_tag(given)) is not None:
        return given and str(tag)
    raise InvalidInput(f"{one_line(given)[:40]!r} is no language", field="into")


async def _ask(
    screen: SectionScreen,
    verb: str,
    fields: Sequence[PromptField],
    make_plan: Callable[[Mapping[str, str]], Awaitable[CorrectionPlan]],
    start: Callable[[Mapping[str, str]], Awaitable[Job]],
) -> bool:
    """Show what a model will be asked until it is taken as it is shown, and have it asked; gives whether it is."""
    plan: CorrectionPlan | None = None
    error: LodeError | None = None
    shown: Mapping[str, str] = {field.name: "" for field in fields}
    try:
        plan = await make_plan(shown)
    except LodeError as refusal:
        if refusal.field not in shown:
            screen.say_error(refusal)
            return False
        error = refusal
    else:
        shown = _list_values(plan, fields)
    while True:
        title = f"{verb} {one_line(plan.title)}" if plan is not None else f"{verb} what is written"
        said = f"{describe_correction(plan)} · " if plan is not None else ""
        prompt = FieldsPrompt(title, fields, value=shown, hint=f"{said}enter asks · esc leaves it", error=error)
        if (answer := await screen.app.push_screen_wait(prompt)) is None:
            return False
        try:
            planned = await make_plan(answer)
            if not planned.is_local and (plan is None or planned.model != plan.model):
                plan, shown, error = planned, _list_values(planned, fields), None
                continue  # that it is paid is shown before it is asked
            job = await start(answer)
        except LodeError as refusal:
            shown, error = answer, refusal
            continue
        screen.post_message(LibraryChanged("job", jobs=(job,)))
        key = shown_key(screen, "reviews")
        screen.say(f"asking {planned.model}: what it proposes waits{f', {key} shows it' if key else ''}")
        return True


def _list_values(plan: CorrectionPlan, fields: Sequence[PromptField]) -> Mapping[str, str]:
    values = {"model": plan.model, "into": language_name(plan.into) if plan.into else ""}
    return {field.name: values[field.name] for field in fields}
