"""A kind of job that is half done until it may go on."""

import threading

from tui.service.jobs import kinds
from tui.service.jobs.running_job import JobParts, RunningJob

ROW = kinds.KindRow("tests.service.jobs.halved:Halved", title="Do a half")
may_go_on = threading.Event()


class Halved:
    def __init__(self, parts: JobParts) -> None:
        may_go_on.clear()

    async def run(self, running: RunningJob) -> None:
        await running.report(0.0, "begun")
        await running.report(0.5, "half done")
        await running.run_detached(may_go_on.wait, name="second half")
