"""Reading files again from the app: asks how, and queues a job for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tui.errors import LodeError, in_one_line, no_kept_bytes
from tui.records.files import ProfileFile
from tui.screens.dialogs.fields_prompt import FieldsPrompt, PromptField
from tui.screens.dialogs.reading_options import named_options, reading_refusal
from tui.screens.input_queue import typed_input_kept
from tui.screens.lists.record_list import RecordListScreen
from tui.screens.messages import LibraryChanged
from tui.text.display import count_of, encoding_name
from tui.text.sanitize import one_line

_HINT = "what is left empty stays as it was · clips keep their text · enter reads, u undoes"


class RereadPrompt(FieldsPrompt):
    """Dialog for how files are to be read again."""

    def refusal(self, typed: Mapping[str, str]) -> tuple[str, str] | None:
        return reading_refusal(typed["language"], typed["encoding"])


async def reread_files(screen: RecordListScreen[Any], file_ids: Sequence[str]) -> None:
    """Ask how these are to be read until they can be, or the question is closed."""
    typed: Mapping[str, str] = {}
    error = ""
    try:
        with typed_input_kept(screen.app):
            first = await screen.service.files.get(file_ids[0])
    except LodeError as failure:
        screen.say_error(failure)
        return
    while True:
        answer = await screen.app.push_screen_wait(_prompt(first, len(file_ids), typed, error))
        if answer is None:
            return
        typed = answer
        try:
            as_is = bool(typed["as_is"])
            jobs = await screen.service.files.reread(*file_ids, **named_options(typed), as_is=as_is)
        except LodeError as failure:
            error = in_one_line(failure)
            continue
        screen.table.clear_marks()
        if len(jobs) > 1:
            screen.say(f"reading {count_of(len(jobs), 'file')} again")
        screen.post_message(LibraryChanged("job", jobs=jobs))
        return


async def reread_files_of(screen: RecordListScreen[Any], transcript_ids: Sequence[str]) -> None:
    """Read the files again that these transcripts came from; of those that have none any more, say so."""
    try:
        with typed_input_kept(screen.app):
            transcripts = [await screen.service.transcripts.get(each) for each in transcript_ids]
    except LodeError as error:
        screen.say_error(error)
        return
    file_ids = list(dict.fromkeys(each.file_id for each in transcripts if each.file_id is not None))
    for orphan in (each for each in transcripts if each.file_id is None):
        screen.say_error(no_kept_bytes(orphan.title))
        break
    if file_ids:
        await reread_files(screen, file_ids)


def _prompt(file: ProfileFile, count: int, typed: Mapping[str, str], error: str) -> RereadPrompt:
    language = encoding = "as it was"
    title = f"Read {count_of(count, 'file')} again"
    if count == 1:
        title = f'Read "{one_line(file.name)}" again'
        language = f"as it was: {file.language or 'unknown'}"
        encoding = f"as it was: {encoding_name(file.encoding or 'utf-8')}"
    fields = (
        PromptField("language", "Language", typed.get("language", ""), language),
        PromptField("encoding", "Encoding", typed.get("encoding", ""), encoding),
    )
    box = PromptField("as_is", "as it stands in the file, uncleaned", typed.get("as_is", ""))
    return RereadPrompt(title, fields, box=box, hint=_HINT, error=error)
