"""Voices of espeak-ng, which speaks some hundred languages: robotic, small, and without a network.

Options and the table that ``--voices`` prints are those of its manual (espeak-ng(1)). Without ``-m`` it takes tags for
text, and from standard input it takes no options.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tui.errors import MediaError
from tui.text.sanitize import one_line
from tui.voices.speech_program import check_end, run_program

PROGRAM = "espeak-ng"
INSTALL = "install it: apt install espeak-ng, or brew install espeak-ng"
_ROW = re.compile(r"\s*\d+\s+(?P<language>\S+)\s+\S+\s+\S+\s+(?P<file>\S+)\s*(?P<others>.*)")
_OTHER = re.compile(r"\((\S+)\s+\d+\)")
_OTHER_CODES: Mapping[str, str] = {"no": "nb", "iw": "he", "in": "id", "jw": "jv", "sh": "hr"}
"""Codes of languages that it knows by another one."""
_SAID = 12


@dataclass(frozen=True, slots=True)
class EspeakVoice:
    """One of its voices, as ``-v`` names it: "de", "en-us", "de+f2"."""

    voice: str

    @property
    def name(self) -> str:
        return f"{PROGRAM} {self.voice}"

    async def speak(self, text: str, directory: Path) -> Path:
        file = directory / "speech.wav"
        ended = await run_program(
            PROGRAM, "-v", self.voice, "-b", "1", "--stdin", "-w", str(file), text=text, install=INSTALL
        )
        return check_end(PROGRAM, ended, file)


async def languages() -> tuple[str, ...]:
    """Codes of the languages that it speaks; raises ``MediaError`` as ``run_program`` does."""
    ended = await run_program(PROGRAM, "--voices", install=INSTALL)
    found: dict[str, None] = {}
    for line in ended.out.decode("utf-8", "replace").splitlines():
        row = _ROW.match(line)
        if row is not None and not row["file"].startswith("mb/"):  # those need programs and data of MBROLA
            found |= dict.fromkeys((row["language"].lower(), *map(str.lower, _OTHER.findall(row["others"]))))
    return tuple(found)


def voice_for(language: str, spoken: tuple[str, ...]) -> EspeakVoice:
    """The voice of a language (BCP 47), of those that are ``spoken``; raises ``MediaError``, ``no_voice``."""
    tag = language.lower()
    base = tag.partition("-")[0]
    for code in (tag, base, _OTHER_CODES.get(base, "")):
        if code in spoken:
            return EspeakVoice(code)
    there = ", ".join(map(one_line, spoken[:_SAID])) or "none"
    more = f" and {len(spoken) - _SAID} more ({PROGRAM} --voices)" if len(spoken) > _SAID else ""
    raise MediaError(
        f"{PROGRAM} has no voice for {one_line(language)[:40]}",
        hint=f"there are {there}{more}; or name a provider or a model of piper for it in config.toml:"
        f" [speech.{one_line(base)[:20]}]",
        code="no_voice",
    )
