"""The live preview: from a keystroke in a 4 kB template to the bytes that paint it in the preview, in the real app."""

from __future__ import annotations

import subprocess
import tempfile
import time
from pathlib import Path

import pyte

from tests.bench.rows import Measured
from tests.bench.terminal import Program, TooSlow, percentile
from tests.server_process import LODE

KEYS = 60
_PATIENCE = 5.0
_LETTERS = "bcdfghjklmnpqrstvwxz"
_PROSE = "Say what the word means here, which form it has and why the sentence wants that form. "


def template() -> str:
    """4 kB as people write them: prose with values, a branch and a loop; keys are pressed in its first line."""
    lines = [
        "Zug",
        "{% if context %}Around it: {{ context }}{% endif %}",
        "{% for letter in focus %}{{ letter }}{% endfor %}",
    ]
    lines += ["The word is {{ focus }} in: {{ sentence }} ({{ language }}, {{ source }})"] * 4
    while sum(map(len, lines)) < 4096:
        lines.append(_PROSE)
    return "\n".join(lines)


def measure() -> list[Measured]:
    with tempfile.TemporaryDirectory() as directory:
        home = Path(directory)
        command = [LODE, "--home", directory, "template", "set", "--model", "lexicon:concordance"]
        subprocess.run([*command, "--prompt", template()], check=True, stdout=subprocess.DEVNULL)
        seconds = _key_seconds([LODE], home)
    return [Measured(percentile(seconds, 0.95) * 1000)]


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
        program.send("\r")  # into the prompt
        program.settle()
        program.send("\x1b[1;5H")  # ctrl+home
        program.settle()
        feed.feed(bytes(program.output))
        typed = ""
        for number in range(KEYS):
            letter = _LETTERS[number % len(_LETTERS)]
            if letter == _LETTERS[0]:  # a new word before the line wraps
                program.send("\x15")
                while data := program.read(0.3):
                    feed.feed(data)
                typed = ""
            typed += letter
            pressed = time.monotonic()
            program.send(letter)
            while True:
                data = program.read(2.0)
                came = time.monotonic()
                if not data or came - pressed > _PATIENCE:
                    raise TooSlow(f"the preview does not show {typed!r}:\n" + "\n".join(screen.display))
                feed.feed(data)
                if "\n".join(screen.display).count(typed) >= 2:
                    break
            seconds.append(came - pressed)
            while data := program.read(0.05):
                feed.feed(data)
    return seconds
