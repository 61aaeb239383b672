"""Steps that the tests of this folder share: a file is imported, a call is refused, a change is undone."""

from collections.abc import Awaitable, Sequence
from pathlib import Path

import pytest

from tui.errors import LodeError
from tui.records.jobs import Job
from tui.records.library import Restored
from tui.records.transcripts import Transcript
from tui.records.word_states import WordState
from tui.service.protocol import Service

STORY = """1
00:00:01,000 --> 00:00:02,500
Der Zug fährt ab.

2
00:00:03,000 --> 00:00:05,000
Wir fahren mit.
"""


async def finished(service: Service, jobs: Sequence[Job]) -> dict[str, Job]:
    """The jobs as they ended, by the name of what they work on."""
    ends = {job.id: job async for job in service.jobs.follow([job.id for job in jobs])}
    return {Path(job.source).name: ends[job.id] for job in jobs}


async def ended(service: Service, *jobs: Job | None) -> Job:
    """The only job as it ended."""
    (job,) = jobs
    assert job is not None
    return [change async for change in service.jobs.follow([job.id])][-1]


async def imported(service: Service, path: Path, text: str = STORY) -> Job:
    path.write_text(text, "utf-8")
    job = await ended(service, *await service.files.add([path]))
    assert job.state == "succeeded", job.error
    return job


async def story(service: Service, directory: Path, text: str = STORY, name: str = "Der Zug.de.srt") -> Transcript:
    """The transcript of a text that is imported."""
    await imported(service, directory / name, text)
    return (await service.transcripts.page()).items[0]


async def read(service: Service, path: Path, text: str, language: str = "") -> str:
    """Import a text of one cue a line, in a language for certain; gives the id of its transcript."""
    cues = (f"{n + 1}\n00:00:{n:02},000 --> 00:00:{n:02},900\n{line}\n" for n, line in enumerate(text.splitlines()))
    transcript = await story(service, path.parent, "\n".join(cues), path.name)
    if language:
        await service.transcripts.edit(transcript.id, language=language)
    return transcript.id


async def german(service: Service, directory: Path, text: str, name: str = "zug") -> str:
    return await read(service, directory / f"{name}.de.srt", text, "de")


async def states(service: Service, transcript_id: str) -> dict[str, WordState]:
    """States of a transcript's words by their lemmas in small letters."""
    cues = await service.known_words.of_cues(transcript_id)
    return {word.lemma.lower(): word.state for cue in cues for word in cue.words}


async def refusal(call: Awaitable[object]) -> LodeError:
    """The error that a call ends with."""
    with pytest.raises(LodeError) as refused:
        await call
    return refused.value


async def undone(service: Service) -> Restored:
    restored = await service.undo()
    assert restored is not None
    return restored
