"""A server as ``lode serve`` runs one, on any free port: ``python -m tests.bench.served HOME``; its URL on stdout."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import replace
from pathlib import Path

from tests.bench.event_loop import run
from tui import config
from tui.server.options import ServerOptions
from tui.server.running import listening, server
from tui.service.engine import Engine

PROMPT_WORKERS = 8
CONNECTIONS = 1000


async def main(home: Path) -> None:
    options = ServerOptions(port=0)
    place = listening(options)
    options = replace(options, port=place.getsockname()[1])
    engine = Engine(config.load(home), environ={}, prompt_workers=PROMPT_WORKERS, connections=CONNECTIONS)
    running = server(engine, options)
    serving = asyncio.create_task(running.serve([place]))
    while not running.started and not serving.done():
        await asyncio.sleep(0.01)
    print(f"http://127.0.0.1:{options.port}", flush=True)
    await serving


if __name__ == "__main__":
    run(main(Path(sys.argv[1])))
