"""A kind of job as somebody would add it: one module, and one row in the table."""

import os
import signal

from tui.service.jobs import kinds
from tui.service.jobs.running_job import JobParts, RunningJob

ROW = kinds.KindRow("tests.service.jobs.word_count:WordCount", title="Count the words")
counted: list[str] = []
"""The transcripts that this process went through, each time it did."""


class WordCount:
    """Counts the words of all transcripts, each of which is a part; one with the source ``kill`` ends its process
    in the second, as long as ``LODE_TEST_KILLS`` is set.
    """

    def __init__(self, parts: JobParts) -> None:
        self._database = parts.database

    async def run(self, running: RunningJob) -> None:
        page = await self._database.run(lambda store: store.transcripts.page(running.profile))
        texts = {each.id: each.title for each in page.items}
        for number, part in enumerate(texts):
            if part in running.done:
                continue
            await running.report((number + 0.5) / len(texts), f"counting {texts[part]}")
            if running.done and running.job.source == "kill" and os.environ.get("LODE_TEST_KILLS"):
                os.kill(os.getpid(), signal.SIGKILL)
            counted.append(part)
            await running.finish(part, len(texts[part].split()))
        await running.succeed(f"{sum(running.done.values())} words")


if __name__ == "__main__":
    from tui.cli import main

    kinds.KINDS["word_count"] = ROW
    main()
