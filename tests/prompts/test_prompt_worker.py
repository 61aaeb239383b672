"""The process in which prompts are rendered, from outside."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def test_the_worker_ends_with_its_input() -> None:
    worker = subprocess.Popen(
        [sys.executable, "-m", "tui.prompts.prompt_worker"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT
    )
    assert worker.stdin is not None and worker.stdout is not None
    assert worker.stdout.read(4) == (15).to_bytes(4, "big")
    assert worker.stdout.read(15) == b'{"ready": true}'
    worker.stdin.close()
    assert worker.wait(timeout=10) == 0
    worker.stdout.close()


def test_the_worker_imports_little() -> None:
    code = "import sys, tui.prompts.prompt_worker, tui.prompts.template_sandbox; print(*sys.modules)"
    modules = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True).stdout
    ours = {name for name in modules.split() if name.startswith("tui")}
    assert ours == {"tui", "tui.prompts", "tui.prompts.prompt_worker", "tui.prompts.template_sandbox"}
    assert not {"asyncio.subprocess", "httpx", "textual"} & set(modules.split())


def test_asking_imports_nothing_heavy_before_it_is_needed() -> None:
    code = (
        "import sys, tui.llm.breakdown, tui.prompts.rendering, tui.llm.providers, tui.prompts.defaults, tui.llm.focus\n"
        "print(*sys.modules)"
    )
    modules = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True).stdout
    assert not {"httpx", "jinja2", "budoux", "simplemma", "textual"} & set(modules.split())


def test_no_worker_outlives_a_killed_parent() -> None:
    if not hasattr(os, "kill"):
        pytest.skip("no signals here")
    code = (
        "import asyncio, os\n"
        "from tui.prompts.rendering import PromptRenderer\n"
        "async def main():\n"
        "    renderer = PromptRenderer()\n"
        "    await renderer.warm()\n"
        "    print(renderer._pool.processes[0].pid, flush=True)\n"
        "    os.kill(os.getpid(), 9)\n"
        "asyncio.run(main())\n"
    )
    parent = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=False)
    worker = int(parent.stdout)
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        try:
            os.kill(worker, 0)
        except ProcessLookupError:
            return
        if Path(f"/proc/{worker}/stat").exists() and Path(f"/proc/{worker}/stat").read_text().split()[2] == "Z":
            return  # over, and only not collected by whoever inherited it
        time.sleep(0.01)  # nothing tells the end of a process that is not ours
    pytest.fail("the worker still runs")


def test_the_watchdog_ends_what_cannot_be_interrupted() -> None:
    code = (
        "from tui.prompts import prompt_worker\n"
        "prompt_worker._WATCHDOG_SECONDS = 0.2\n"
        "with prompt_worker._watched():\n"
        "    pass\n"
        "print('ended in time', flush=True)\n"
        "with prompt_worker._watched():\n"
        "    10 ** 10 ** 10\n"
    )
    worker = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=False, timeout=30
    )
    assert worker.stdout == "ended in time\n"
    assert worker.returncode != 0
