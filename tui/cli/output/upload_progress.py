"""Files of this machine on their way to a server: sent one after the other, with a bar on a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tui.cli.output import console
from tui.cli.output.job_progress import progress_bar
from tui.errors import ImportRefused
from tui.records import Job
from tui.service.protocol import Service
from tui.text.display import count_of


@dataclass(slots=True)
class Sent:
    """``jobs`` import what was sent, ``paths`` are the files that they were made of, by the job's id.

    ``refused`` are the files that were not sent, each with the reason.
    """

    jobs: list[Job] = field(default_factory=list)
    paths: dict[str, str] = field(default_factory=dict)
    refused: list[tuple[str, ImportRefused]] = field(default_factory=list)


async def found(paths: Sequence[str]) -> tuple[Path, ...]:
    """The files that the paths stand for; while they are looked for, a terminal is shown where.

    Raises ``ImportRefused`` where a path is missing or holds nothing to import.
    """
    from tui.importing.sources import find

    status = console.StatusLine()
    try:
        return await find(paths, lambda folder: status.show(f"looking for files in {folder}"))
    finally:
        status.clear()


async def send(
    service: Service, paths: Sequence[str], *, language: str | None, encoding: str | None, force: bool = False
) -> Sent:
    """Send every file that the paths stand for; one that is refused does not keep back the others.

    Raises ``ImportRefused`` where a path is missing or holds nothing to import. What was sent before the connection
    breaks or before Ctrl+C is imported all the same, which is said.
    """
    files = await found(paths)
    sent, status = Sent(), console.StatusLine()
    try:
        for number, file in enumerate(files):
            if len(files) > 1:
                status.show(f"{progress_bar(number / len(files))} sending {number}/{len(files)} {file.name}")
            try:
                jobs = await service.files.add([file], language=language, encoding=encoding, force=force)
            except ImportRefused as error:
                sent.refused.append((str(file), error))
                continue
            sent.jobs += jobs
            sent.paths.update({job.id: str(file) for job in jobs})
    except BaseException:
        status.clear()
        if sent.jobs:
            many = f"{count_of(len(sent.jobs), 'file')} of {len(files)}"
            console.tell(f"{many} were sent, and the server imports them: lode jobs list")
        raise
    finally:
        status.clear()
    return sent
