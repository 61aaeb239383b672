"""Job that cuts the sounds and pictures of clips, after a film was linked to the transcript that they are from."""

from __future__ import annotations

from tui.errors import MediaError
from tui.service.jobs.running_job import JobParts, RunningJob
from tui.service.media.clip_media import ClipMedia
from tui.text.display import count_of


class ClipMediaJob:
    """Work of the jobs of the kind ``clip_media``."""

    def __init__(self, parts: JobParts) -> None:
        self._database = parts.database

    async def run(self, running: RunningJob) -> None:
        before = len(await self._database.run(lambda store: store.media.waiting(running.profile)))
        await running.report(0.0, "cutting sounds and pictures", until=1.0)
        cutting = ClipMedia(self._database)
        try:
            trouble = await cutting.complete(running.profile, running.checkpoint)
        finally:
            await cutting.close()
        own = [each for each in trouble if each.path == running.job.source]
        if own:
            raise MediaError(own[0].message, hint=own[0].hint, code=own[0].code)
        await running.succeed(
            f"{count_of(before - sum(each.clips for each in trouble), 'clip')} with sound and picture"
        )
