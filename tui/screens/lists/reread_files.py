"""Reading files again from the app, or in another encoding: asks how, and queues a job for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tui.errors import LodeError, in_one_line, no_kept_bytes
from tui.records.files import EncodingReading, ProfileFile
from tui.records.jobs import Job
from tui.screens.dialogs.fields_prompt import FieldsPrompt, PromptField, named_options, reading_refusal
from tui.screens.input_queue import typed_input_kept
from tui.screens.lists.record_list import RecordListScreen
from tui.screens.messages import LibraryChanged
from tui.text.display import count_of, encoding_name, source_name
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


async def ask_encoding_of_job(screen: RecordListScreen[Any], job: Job, *, can_name: bool) -> bool:
    """Ask in which encoding a refused file is, and import it and its neighbours in that; True to name another one.

    Raises ``LodeError`` where its file cannot be read any more.
    """
    with typed_input_kept(screen.app):
        readings = await screen.service.jobs.readings(job.id)
    answer = await _asked(screen, source_name(job.source), readings, can_name=can_name)
    if not answer:
        return answer == ""
    try:
        jobs = await screen.service.jobs.retry_in(job.id, answer)
    except LodeError as error:
        screen.say_error(error)
        return False
    screen.say(f"importing {count_of(len(jobs), 'file')} as {answer}")
    screen.post_message(LibraryChanged("job", jobs=jobs))
    return False


async def ask_encoding_of_file(screen: RecordListScreen[Any], file: ProfileFile) -> None:
    """Ask in which encoding a file is that was imported, and read it again in that."""
    try:
        with typed_input_kept(screen.app):
            readings = await screen.service.files.readings(file.id)
        answer = await _asked(screen, file.name, readings, can_name=False)
        if not answer:
            return
        jobs = await screen.service.files.reread(file.id, encoding=answer, force=True)
    except LodeError as error:
        screen.say_error(error)
        return
    screen.post_message(LibraryChanged("job", jobs=jobs))


async def _asked(
    screen: RecordListScreen[Any], name: str, readings: Sequence[EncodingReading], *, can_name: bool
) -> str | None:
    from tui.screens.dialogs.encoding_doctor import EncodingDoctor

    if not readings:
        screen.say(f"{name} reads the same in every encoding")
        return "" if can_name else None
    question = f'How does "{name}" read right?'
    return await screen.app.push_screen_wait(EncodingDoctor(question, readings, can_name=can_name))
