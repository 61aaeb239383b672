"""Editing of a transcript from the app: its title, its language, and the encoding that its file is read in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tui.errors import LodeError, in_one_line
from tui.records.files import ProfileFile
from tui.records.transcripts import MAX_TITLE, Transcript
from tui.screens.dialogs.fields_prompt import FieldsPrompt, PromptField, named_options, reading_refusal
from tui.screens.input_queue import typed_input_kept
from tui.screens.messages import LibraryChanged
from tui.screens.section import SectionScreen
from tui.text.display import count_of, encoding_name

_MANY_CUES = 5000
"""Cues from which on another language takes so long that it has to be said."""


class TranscriptPrompt(FieldsPrompt):
    """Dialog of a transcript's title, language and encoding."""

    def refusal(self, typed: Mapping[str, str]) -> tuple[str, str] | None:
        return reading_refusal(typed["language"], typed.get("encoding", ""))


async def edit_transcript(screen: SectionScreen, transcript_id: str) -> None:
    """Ask what is to change until it can be, or the question is closed; another encoding reads the file anew."""
    service = screen.service
    try:
        with typed_input_kept(screen.app):
            transcript = await service.transcripts.get(transcript_id)
            file = await service.files.get(transcript.file_id) if transcript.file_id is not None else None
    except LodeError as error:
        screen.notify(in_one_line(error), severity="error", markup=False)
        return
    shown = _shown(transcript, file)
    typed, refusal = shown, ""
    while True:
        answer = await screen.app.push_screen_wait(_prompt(typed, refusal))
        if answer is None or answer == shown:
            return
        typed = dict(answer)
        changes: dict[str, Any] = {name: typed[name] for name in ("title", "language") if typed[name] != shown[name]}
        if "language" in changes and transcript.cue_count > _MANY_CUES:
            screen.notify(f"counting the words of {count_of(transcript.cue_count, 'cue')} …", markup=False)
        try:
            if changes:
                await service.transcripts.edit(transcript.id, **changes)
                screen.post_message(LibraryChanged("transcript", "file", "cue"))
            if file is not None and typed["encoding"] != shown["encoding"]:
                options = named_options({"encoding": typed["encoding"]})
                jobs = await service.files.reread(file.id, **options)
                screen.post_message(LibraryChanged("job", jobs=jobs))
        except LodeError as error:
            refusal = in_one_line(error)
            continue
        return


def _shown(transcript: Transcript, file: ProfileFile | None) -> dict[str, str]:
    shown = {"title": transcript.title, "language": transcript.language or ""}
    return shown if file is None else shown | {"encoding": encoding_name(file.encoding or "")}


def _prompt(typed: Mapping[str, str], refusal: str) -> TranscriptPrompt:
    fields = [
        PromptField("title", "Title", typed["title"], limit=MAX_TITLE),
        PromptField("language", "Language", typed["language"], "unknown"),
    ]
    if "encoding" in typed:
        fields.append(PromptField("encoding", "Encoding", typed["encoding"], "found out"))
    hint = "another encoding reads the file again · enter saves, u undoes"
    return TranscriptPrompt("Edit transcript", fields, hint=hint, error=refusal)
