"""What a streamed explanation costs, against Textual's ``Markdown.get_stream`` with the same text at the same pace."""

from __future__ import annotations

import sys

from tests.bench.programs.stream_app import SECONDS, TOKENS_PER_SECOND, tokens
from tests.bench.rows import Measured
from tests.bench.terminal import Cost, Program


def cost(kind: str) -> Cost:
    """What the stream alone cost: the run that streams without the run that only waits as long."""
    runs = []
    for mode in ("stream", "idle"):
        with Program([sys.executable, "-m", "tests.bench.programs.stream_app", kind, mode]) as program:
            runs.append(program.finish(timeout=SECONDS * 10))
    streamed, idle = runs
    return Cost(streamed.cpu_seconds - idle.cpu_seconds, streamed.output_bytes - idle.output_bytes)


def measure() -> list[Measured]:
    count = TOKENS_PER_SECOND * SECONDS
    text_bytes = len("".join(tokens()).encode())
    ours, theirs = cost("log"), cost("markdown")
    return [
        Measured(ours.cpu_seconds / count * 1000, theirs.cpu_seconds / count * 1000),
        Measured(ours.output_bytes / text_bytes, theirs.output_bytes / text_bytes),
    ]
