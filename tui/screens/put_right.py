"""Putting a transcript right from the app: what a model will be asked and what that costs is said before it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from tui.errors import LodeError
from tui.screens.dialogs.fields_prompt import FieldsPrompt, PromptField
from tui.screens.messages import LibraryChanged
from tui.text.display import describe_correction
from tui.text.sanitize import one_line
from tui.widgets.chrome.key_line import shown_key

if TYPE_CHECKING:
    from tui.records.reviews import CorrectionPlan
    from tui.screens.section import SectionScreen

_FIELDS = (PromptField("model", "Model", "ollama:gemma3 | openai:gpt-5-mini | …"),)


async def put_right(screen: SectionScreen, transcript_id: str) -> None:
    """Have a model correct a transcript, once it was seen what it will be asked; what it proposes waits in a review."""
    reviews = screen.service.reviews
    plan: CorrectionPlan | None = None
    error: LodeError | None = None
    try:
        plan = await reviews.plan(transcript_id)
    except LodeError as refusal:
        if refusal.field != "model":
            screen.say_error(refusal)
            return
        error = refusal
    shown: Mapping[str, str] = {"model": plan.model if plan is not None else ""}
    while True:
        title = f"Correct {one_line(plan.title)}" if plan is not None else "Correct what is written"
        said = f"{describe_correction(plan)} · " if plan is not None else ""
        prompt = FieldsPrompt(title, _FIELDS, value=shown, hint=f"{said}enter asks · esc leaves it", error=error)
        if (answer := await screen.app.push_screen_wait(prompt)) is None:
            return
        try:
            planned = await reviews.plan(transcript_id, model=answer["model"])
            if not planned.is_local and (plan is None or planned.model != plan.model):
                plan, shown, error = planned, answer, None
                continue  # that it is paid is shown before it is asked
            job = await reviews.start(transcript_id, model=answer["model"])
        except LodeError as refusal:
            shown, error = answer, refusal
            continue
        screen.post_message(LibraryChanged("job", jobs=(job,)))
        key = shown_key(screen, "reviews")
        screen.say(f"asking {planned.model}: what it proposes waits{f', {key} shows it' if key else ''}")
        return
