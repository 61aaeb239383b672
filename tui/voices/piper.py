"""Voices of piper: neural, one model (``.onnx``) for a language, which the user downloads.

Options are those of piper 1.2 and of piper-tts from 1.3 on; models are called ``de_DE-thorsten-medium.onnx``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from tui.errors import MediaError
from tui.text.sanitize import one_line
from tui.voices.speech_program import check_end, run_program

PROGRAM = "piper"
INSTALL = "install it: pipx install piper-tts"
_LANGUAGE = re.compile(r"([a-z]{2,3})_[A-Z]{2}-")


@dataclass(frozen=True, slots=True)
class PiperVoice:
    """The voice of a model; ``speaker`` is the number of one of its speakers, "" for the first."""

    model: Path
    speaker: str = ""

    @property
    def name(self) -> str:
        return " ".join(filter(None, (PROGRAM, one_line(self.model.stem), self.speaker)))

    def check_language(self, language: str) -> None:
        """Raise ``MediaError``, ``no_voice``, where the model's name says that it speaks another language."""
        named = _LANGUAGE.match(self.model.name)
        if named is not None and language and named[1] != language.partition("-")[0]:
            raise MediaError(
                f"{one_line(self.model.name)} has no voice for {one_line(language)[:40]}",
                hint=f"name what speaks it in config.toml: [speech.{one_line(language.partition('-')[0])[:20]}]",
                code="no_voice",
            )

    def check_model(self) -> None:
        """Raise ``MediaError``, ``voice_missing``, where the model is not there."""
        if not self.model.is_file():
            raise MediaError(
                f"the model {one_line(str(self.model))} is not there",
                hint="download it, with its .onnx.json beside it, or correct model in config.toml",
                code="voice_missing",
            )

    async def speak(self, text: str, directory: Path) -> Path:
        self.check_model()
        file = directory / "speech.wav"
        speaker = ("--speaker", self.speaker) if self.speaker else ()
        ended = await run_program(
            PROGRAM, "--model", str(self.model), *speaker, "--output_file", str(file), text=text, install=INSTALL
        )
        return check_end(PROGRAM, ended, file)
