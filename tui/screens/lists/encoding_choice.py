"""Choosing the encoding of files from the lists: of a refused import and its neighbours, or of a file that is there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tui.errors import LodeError
from tui.records.files import EncodingReading, ProfileFile
from tui.records.jobs import Job
from tui.screens.input_queue import typed_input_kept
from tui.screens.lists.record_list import RecordListScreen
from tui.screens.messages import LibraryChanged
from tui.text.display import count_of, source_name


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
