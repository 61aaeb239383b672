"""Voice: what speaks a sentence into a file; the interface that programs and providers have in common."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from tui.errors import MediaError
from tui.text.sanitize import one_line

MAX_CHARACTERS = 4000
"""Characters of the longest text that is spoken: providers take 4096, and no sentence has as many."""


class Voice(Protocol):
    """A machine's voice; ``name`` is what people and cards are told: "espeak-ng de"."""

    @property
    def name(self) -> str: ...

    async def speak(self, text: str, directory: Path) -> Path:
        """Speak a text, as ``speakable`` gives it, into a file in the directory.

        Raises ``LodeError``; nothing says that what is in the file is sound.
        """


def speakable(text: str) -> str:
    """The text as a voice gets it: one line, without controls, and nothing that a program could take for a command.

    ``[[`` begins phonemes, for espeak-ng and for piper. Raises ``MediaError``: ``nothing_to_speak`` where there is no
    letter or digit, ``too_long_to_speak``.
    """
    line = one_line(text)
    if not any(map(str.isalnum, line)):
        raise MediaError("the sentence has no word to be spoken", code="nothing_to_speak")
    if len(line) > MAX_CHARACTERS:
        raise MediaError(
            f"a text of more than {MAX_CHARACTERS} characters is not spoken",
            hint="keep the sentence alone",
            code="too_long_to_speak",
        )
    while "[[" in line:
        line = line.replace("[[", "[ [")
    return line
