"""What a streamed explanation costs, against Textual's ``Markdown.get_stream`` with the same text at the same pace."""

from __future__ import annotations

import sys

from tests.bench.figures import Figure
from tests.bench.stream_app import SECONDS, TOKENS_PER_SECOND, tokens
from tests.bench.terminal import Cost, Program


def cost(kind: str) -> Cost:
    """What the stream alone cost: the run that streams without the run that only waits as long."""
    runs = []
    for mode in ("stream", "idle"):
        with Program([sys.executable, "-m", "tests.bench.stream_app", kind, mode]) as program:
            runs.append(program.finish(timeout=SECONDS * 10))
    streamed, idle = runs
    return Cost(streamed.cpu_seconds - idle.cpu_seconds, streamed.output_bytes - idle.output_bytes)


def measure() -> list[Figure]:
    count = TOKENS_PER_SECOND * SECONDS
    text_bytes = len("".join(tokens()).encode())
    ours, theirs = cost("log"), cost("markdown")
    return [
        Figure(
            name=f"CPU per token at {TOKENS_PER_SECOND} tokens/s",
            value=f"{ours.cpu_seconds / count * 1000:.2f} ms",
            yardstick=f"Markdown.get_stream {theirs.cpu_seconds / count * 1000:.2f} ms",
            ratio=ours.cpu_seconds / theirs.cpu_seconds,
            limit=0.5,
        ),
        Figure(
            name="terminal bytes per byte of text, same stream",
            value=f"{ours.output_bytes / text_bytes:.1f}",
            yardstick=f"Markdown.get_stream {theirs.output_bytes / text_bytes:.1f}",
            ratio=ours.output_bytes / theirs.output_bytes,
            limit=0.3,
        ),
    ]


if __name__ == "__main__":
    for measured in measure():
        print(measured.line())
