"""Transcription of a recording from the app: what it will be and cost is said first, and all of it can be changed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from tui.errors import InvalidInput, LodeError
from tui.language.tags import find_tag, language_name
from tui.screens.dialogs.fields_prompt import FieldsPrompt, PromptField
from tui.screens.dialogs.path_prompt import PathPrompt
from tui.screens.messages import LibraryChanged
from tui.text.display import describe_plan
from tui.text.sanitize import one_line
from tui.text.times import read_exact_time
from tui.widgets.chrome.key_line import shown_key

if TYPE_CHECKING:
    from tui.records.files import ProfileFile
    from tui.records.jobs import Job
    from tui.records.transcription import TranscriptionPlan
    from tui.screens.section import SectionScreen
    from tui.service.protocol.arguments import TranscriptionOptions

_FIELDS = (
    PromptField("model", "Model", "whisper:small | groq:whisper-large-v3-turbo | …"),
    PromptField("language", "Language", "found out"),
    PromptField("track", "Track", "of sound, by its number"),
    PromptField("start_ms", "From", "the beginning"),
    PromptField("end_ms", "To", "the end"),
)
_NO_RECORDING = frozenset(("no_media", "media_missing"))
"""Codes that mean that another file may be named."""
_OF_MODELS = frozenset(("no_transcriber", "invalid_selector", "unknown_provider"))
_OF_MODELS |= frozenset(("whisper_extra_missing", "whisper_model_missing", "whisper_model_unknown"))
"""Codes that mean that another model may be named."""


async def transcribe(screen: SectionScreen, file: ProfileFile | None) -> None:
    """Transcribe the recording of a file; asks for one where there is none."""
    resource = screen.service.transcription
    if file is None:
        await transcribe_file(screen, "")
        return
    try:
        await _ask(
            screen,
            file.name,
            lambda choice: resource.plan(file.id, **choice),
            lambda choice: resource.start(file.id, **choice),
        )
    except LodeError as error:
        if error.code in _NO_RECORDING:
            await transcribe_file(screen, "")
        else:
            screen.say_error(error)


async def transcribe_file(screen: SectionScreen, path: str) -> None:
    """Transcribe a file of this machine; asks for its path until it can be read, or the question is closed."""
    resource, error = screen.service.transcription, None
    while True:
        if not path or error is not None:
            prompt = PathPrompt("Transcribe", value=path, hint="a film or a recording · tab completes", error=error)
            if (typed := await screen.app.push_screen_wait(prompt)) is None:
                return
            path = typed
        named = path
        try:
            await _ask(
                screen,
                Path(named).name,
                lambda choice: resource.plan_file(named, **choice),  # noqa: B023 - asked within this round
                lambda choice: resource.start_file(named, **choice),  # noqa: B023 - as above
            )
        except LodeError as refusal:
            error = refusal
        else:
            return


async def _ask(
    screen: SectionScreen,
    name: str,
    make_plan: Callable[[TranscriptionOptions], Awaitable[TranscriptionPlan | None]],
    start: Callable[[TranscriptionOptions], Awaitable[Job]],
) -> None:
    """Show what it will be until it is taken as it is shown; ``name`` is the recording's until there is a plan.

    Raises ``LodeError`` for a recording that cannot be used; what is wrong with a field stands in the dialog.
    """
    plan: TranscriptionPlan | None = None
    error: LodeError | None = None
    try:
        plan = await make_plan({})
    except LodeError as refusal:
        if refusal.code not in _OF_MODELS:
            raise
        error = refusal
    shown: Mapping[str, str] = _fields_of(plan)
    while True:
        title = f"Transcribe {plan.name if plan is not None else one_line(name)}"
        said = f"{describe_plan(plan)} · " if plan is not None else ""
        answer = await screen.app.push_screen_wait(
            FieldsPrompt(title, _FIELDS, value=shown, hint=f"{said}enter starts it · esc leaves it", error=error)
        )
        if answer is None:
            return
        try:
            choice = _read_choice(answer)
            planned = await make_plan(choice)
            if planned is not None and not planned.is_local and answer != shown:
                plan, shown, error = planned, {**_fields_of(planned), **{name: answer[name] for name in _SPAN}}, None
                continue  # what it costs now is shown before it starts
            job = await start(choice)
        except LodeError as refusal:
            shown, error = answer, refusal
            continue
        screen.post_message(LibraryChanged("job", "file", "transcript", jobs=(job,)))
        key = shown_key(screen, "section.transcripts")
        screen.say(f"transcribing · it can be read while it grows{f': {key}' if key else ''}")
        return


_SPAN = ("start_ms", "end_ms")


def _fields_of(plan: TranscriptionPlan | None) -> Mapping[str, str]:
    if plan is None:
        return dict.fromkeys((field.name for field in _FIELDS), "")
    language = language_name(plan.language) if plan.language else ""
    track = str(plan.track.number) if len(plan.tracks) > 1 else ""
    return {"model": plan.model, "language": language, "track": track, "start_ms": "", "end_ms": ""}


def _read_choice(typed: Mapping[str, str]) -> TranscriptionOptions:
    """Read what was typed; raises ``InvalidInput`` with the field that cannot be meant."""
    language = find_tag(typed["language"]) if typed["language"] else ""
    if language is None:
        raise InvalidInput(f"{one_line(typed['language'])[:40]!r} is no language", field="language")
    if typed["track"] and not typed["track"].isdecimal():
        raise InvalidInput("a track is named by its number", field="track")
    moments = {name: read_exact_time(typed[name]) for name in _SPAN if typed[name]}
    if wrong := next((name for name, moment in moments.items() if moment is None), None):
        raise InvalidInput("write a time as 90, 1:30 or 0:01:30.5", field=wrong)
    return {
        "model": typed["model"],
        "language": language,
        "track": int(typed["track"] or 0),
        "start_ms": moments.get("start_ms") or 0,
        "end_ms": moments.get("end_ms"),
    }
