"""The live preview: from a keystroke in a 4 kB template to the bytes that paint it in the preview, in the real app."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pyte

from tests.bench.figures import Figure
from tests.bench.terminal import Program, TooSlow, percentile

KEYS = 60
_LETTERS = "bcdfghjklmnpqrstvwxz"
_SENTENCE = "Der Zug fährt heute leider nicht mehr ab, sagt {{ focus }} in {{ sentence }}. "


def template() -> str:
    """4 kB with values, branches and loops; its first line is short, and there the keys are pressed."""
    lines = ["Zug", "{% if context %}{{ context }}{% endif %}", "{% for letter in focus %}{{ letter }}{% endfor %}"]
    while sum(map(len, lines)) < 4096:
        lines.append(_SENTENCE)
    return "\n".join(lines)


def measure() -> list[Figure]:
    lode = str(Path(sys.executable).with_name("lode"))
    with tempfile.TemporaryDirectory() as directory:
        home = Path(directory)
        command = [lode, "--home", directory, "template", "set", "--model", "lexicon:concordance"]
        subprocess.run([*command, "--prompt", template()], check=True, stdout=subprocess.DEVNULL)
        seconds = _key_seconds([lode], home)
    value = percentile(seconds, 0.95) * 1000
    return [
        Figure(
            name=f"preview after a keystroke, p95 of {KEYS}, 4 kB template",
            value=f"{value:.0f} ms",
            yardstick="–",
            ratio=value,
            limit=30,
            unit=" ms",
        )
    ]


def _key_seconds(command: list[str], home: Path) -> list[float]:
    """Type a word letter by letter at the start of the template; each letter has come when both sides show it."""
    screen = pyte.Screen(120, 40)
    feed = pyte.ByteStream(screen)
    seconds: list[float] = []
    with Program(command, environ={"LODE_HOME": str(home)}) as program:
        program.until("Transcripts")
        program.send("4")
        program.until("Zug")
        program.settle()
        program.send("\t\t\r")  # to the prompt, and into it
        program.settle()
        program.send("\x1b[1;5H")  # ctrl+home
        program.settle()
        feed.feed(bytes(program.output))
        typed = ""
        for number in range(KEYS):
            letter = _LETTERS[number % len(_LETTERS)]
            typed = (typed + letter)[-30:]
            pressed = time.monotonic()
            program.send(letter)
            while True:
                data = program.read(2.0)
                came = time.monotonic()
                if not data:
                    raise TooSlow(f"the preview does not show {typed!r}:\n" + "\n".join(screen.display))
                feed.feed(data)
                if "\n".join(screen.display).count(typed) >= 2:
                    break
            seconds.append(came - pressed)
            while data := program.read(0.05):
                feed.feed(data)
    return seconds
