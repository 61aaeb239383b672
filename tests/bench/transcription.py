"""Transcription of 90 minutes: our own work beside a server that answers at once, voice activity, memory, and a key.

The recording is made once and kept in ``.bench``: tones with pauses, in AAC.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
from array import array
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from math import sin
from pathlib import Path

import av

from tests.bench.cursor_keys import measure_arrows
from tests.bench.rows import Measured
from tests.bench.terminal import AnsweringProgram, percentile
from tests.server_process import LODE
from tests.service.jobs.hearing_server import HearingServer

MINUTES = 90
_RATE = 44_100
_PAUSE_SECONDS = 7
_WITHOUT_SPEECH = (
    "import sys; from tui.service.jobs import transcription; transcription.find_model = lambda: None;"
    "from tui.cli import main; sys.exit(main())"
)
_YARDSTICK = """
import sys, time
from pathlib import Path
from tui.media.container import open_media
from tui.media.sound import Sound
from tui.records.media import Span
from tui.transcribing.pieces import encode, read_samples
media = Path(sys.argv[1])
with open_media(media) as container:
    samples = b"".join(read_samples(Sound(container, "", 0, media.name), Span(0, 1 << 40)))
encode(samples, "mp3")
print(time.process_time())
"""
_SPEECH = """
import sys, time
def peak():
    return int(next(line for line in open("/proc/self/status") if line.startswith("VmHWM")).split()[1]) / 1000
import numpy, onnxruntime
before = peak()
from tui.transcribing.speech import FRAME, RATE, SpeechDetector
frames = int(sys.argv[1]) * 60 * RATE // FRAME
minute = numpy.random.default_rng(1).integers(-9000, 9000, 1024 * FRAME, dtype=numpy.int16).tobytes()
detector, begun = SpeechDetector(), time.process_time()
for at in range(0, frames, 1024):
    detector.judge(memoryview(minute))
print(time.process_time() - begun, peak() - before)
"""


def measure(minutes: int = MINUTES) -> list[Measured]:
    recording, words = _make_recording(minutes), {"minutes": minutes}
    with tempfile.TemporaryDirectory() as place, HearingServer() as server:
        home = Path(place)
        (home / "config.toml").write_text(f'[providers.near]\nbase_url = "{server.url}"\n', "utf-8")
        environ = {**os.environ, "LODE_HOME": place}
        transcribe = ["transcribe", str(recording), "--model", "near:hearer"]
        own = _measure_cpu([sys.executable, "-c", _WITHOUT_SPEECH, *transcribe], environ)
        once = float(_run(_YARDSTICK, str(recording)))
        speech, memory = map(float, _run(_SPEECH, str(minutes)).split())
        # With a model that hears nobody in tones, and without it, where all of it is encoded and sent.
        commands = ([LODE, *transcribe], [sys.executable, "-c", _WITHOUT_SPEECH, *transcribe])
        peak = max(_measure_memory(each, environ) for each in commands)
        subprocess.run([LODE, "profiles", "set", "--transcribe-with", "near:hearer"], env=environ, check=True)
        ours, theirs = _measure_keys(environ)
    return [
        Measured(own, once, words),
        Measured(speech, words=words),
        Measured(memory, words=words),
        Measured(peak, words=words),
        Measured(ours, theirs, words),
    ]


def _run(code: str, *arguments: str) -> str:
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def _measure_cpu(command: list[str], environ: dict[str, str]) -> float:
    """Seconds of a processor that a command takes, with those of its processes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, env=environ, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _measure_memory(command: list[str], environ: dict[str, str]) -> float:
    """The most megabytes that a command has resident, together with its processes."""
    process = subprocess.Popen(command, env=environ, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    most, over = 0.0, threading.Event()
    while process.poll() is None:
        most = max(most, sum(_resident(each) for each in (process.pid, *_children(process.pid))))
        over.wait(0.1)
    return most


def _children(process: int) -> list[int]:
    found: list[int] = []
    for task in Path(f"/proc/{process}/task").glob("*/children"):  # each thread has those that it has started
        with suppress(OSError):
            found += map(int, task.read_text().split())
    return found


def _resident(process: int) -> float:
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return 0.0
    return sum(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1000


def _measure_keys(environ: dict[str, str]) -> tuple[float, float]:
    """Milliseconds of a key in the reader (95 of 100): while the app transcribes, and beside niced busy loops."""
    found = []
    for is_transcribing in (True, False):
        app = [sys.executable, "-c", _WITHOUT_SPEECH]
        with AnsweringProgram(app, environ={"LODE_HOME": environ["LODE_HOME"]}) as lode:
            lode.until("Transcripts")
            lode.settle(1.0)
            if is_transcribing:
                lode.send("t")
                lode.settle(2.0)
                lode.send("\r")
                lode.settle(1.0)
            for keys in ("2", "G", "\r"):
                lode.send(keys)
                lode.settle(1.0)
            with _busy_loops(0 if is_transcribing else os.cpu_count() or 1):
                found.append(percentile(measure_arrows(lode), 0.95) * 1000)
            if is_transcribing:
                jobs = subprocess.run([LODE, "jobs", "list"], env=environ, capture_output=True, text=True, check=True)
                assert "running" in jobs.stdout.partition("\n")[0], "nothing was transcribed meanwhile"
    return found[0], found[1]


@contextmanager
def _busy_loops(count: int) -> Iterator[None]:
    nice = shutil.which("nice") or "nice"
    loops = [subprocess.Popen([nice, "-n", "10", sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for each in loops:
            each.kill()
            each.wait()


def _make_recording(minutes: int) -> Path:
    path = Path(".bench") / f"recording-{minutes}.m4a"
    if path.exists():
        return path
    path.parent.mkdir(exist_ok=True)
    unfinished = path.with_suffix(".part.m4a")
    loud = array("f", (0.3 * sin(at * 0.05) for at in range(_RATE)))
    silence = array("f", bytes(4 * _RATE))
    with av.open(str(unfinished), "w") as container:
        stream = container.add_stream("aac", rate=_RATE)
        stream.layout = "mono"
        for second in range(minutes * 60):
            frame = av.AudioFrame(format="fltp", layout="mono", samples=_RATE)
            frame.planes[0].update((silence if second % _PAUSE_SECONDS == 0 else loud).tobytes())
            frame.sample_rate, frame.pts = _RATE, second * _RATE
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    unfinished.replace(path)
    return path
