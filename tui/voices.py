"""Voices of this machine: programs that speak a sentence, each a child process with limits.

Only ``service`` knows this room, which asks providers for theirs (``llm/http/provider.py``).
"""

import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from tui import bounds
from tui.errors import MediaError
from tui.system.child_process import Ended, run
from tui.text.sanitize import last_line, one_line

MAX_CHARACTERS = 4000
"""Characters of the longest text that is spoken: providers take 4096, and no sentence has as many."""


class Voice(Protocol):
    """A machine's voice; ``name`` is what people and cards are told: "espeak-ng de"."""

    @property
    def name(self) -> str: ...

    async def speak(self, text: str, directory: Path) -> Path:
        """Speak a text, as ``make_speakable`` gives it, into a file in the directory.

        Raises ``LodeError``; nothing says that what is in the file is sound.
        """


def make_speakable(text: str) -> str:
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


SECONDS = bounds.VOICE.seconds
"""Seconds for a sentence; loading a large model takes some of them."""


def is_installed(program: str) -> bool:
    return shutil.which(program) is not None


async def _run(program: str, *arguments: str, text: str = "", install: str) -> Ended:
    """Run a program with the text on its standard input; how it ended is for the caller.

    ``install`` says how to get it. Raises ``MediaError``: ``voice_missing`` where it is not installed, and
    ``voice_failed`` where it takes too long.
    """
    if (path := shutil.which(program)) is None:
        raise MediaError(f"{program} is not installed", hint=install, code="voice_missing")
    try:
        return await run(
            (path, *arguments),
            stdin=f"{text}\n".encode("utf-8", "replace") if text else b"",
            seconds=SECONDS,
            most_bytes=bounds.PRINTED_BY_VOICE.bytes_in,
            most_file_bytes=bounds.VOICE.bytes_in,
        )
    except TimeoutError:
        raise _explain_failure(program, f"took longer than {SECONDS:g} s") from None
    except OSError as error:
        raise MediaError(
            f"{program} cannot be started: {one_line(error.strerror or str(error))}", hint=install, code="voice_missing"
        ) from error


async def _write(program: str, *arguments: str, text: str, install: str, file: Path) -> Path:
    """Have a program write the file with what it says; raises ``MediaError`` as ``_run``, and where it failed."""
    ended = await _run(program, *arguments, str(file), text=text, install=install)
    if ended.returncode:
        how = f"was ended by signal {-ended.returncode}" if ended.returncode < 0 else f"failed ({ended.returncode})"
        said = last_line(ended.errors)
        raise _explain_failure(program, f"{how}: {said}" if said else how)
    if not file.is_file():
        raise _explain_failure(program, "wrote no sound")
    return file


def _explain_failure(program: str, what: str) -> MediaError:
    return MediaError(f"{program} {what}", hint="try it in a shell", code="voice_failed")


# Voices of espeak-ng, which speaks some hundred languages: robotic, small, and without a network.
#
# Options and the table that ``--voices`` prints are those of its manual (espeak-ng(1)). Without ``-m`` it takes tags
# for text, and from standard input it takes no options.

ESPEAK = "espeak-ng"
INSTALL_ESPEAK = "install it: apt install espeak-ng, or brew install espeak-ng"
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
        return f"{ESPEAK} {self.voice}"

    async def speak(self, text: str, directory: Path) -> Path:
        options, file = ("-v", self.voice, "-b", "1", "--stdin", "-w"), directory / "speech.wav"
        return await _write(ESPEAK, *options, text=text, install=INSTALL_ESPEAK, file=file)


async def list_espeak_languages() -> tuple[str, ...]:
    """Codes of the languages that it speaks; raises ``MediaError`` as ``speak`` does."""
    ended = await _run(ESPEAK, "--voices", install=INSTALL_ESPEAK)
    found: dict[str, None] = {}
    for line in ended.out.decode("utf-8", "replace").splitlines():
        row = _ROW.match(line)
        if row is not None and not row["file"].startswith("mb/"):  # those need programs and data of MBROLA
            found |= dict.fromkeys((row["language"].lower(), *map(str.lower, _OTHER.findall(row["others"]))))
    return tuple(found)


def find_voice(language: str, spoken: tuple[str, ...]) -> EspeakVoice:
    """The voice of a language (BCP 47), of those that are ``spoken``; raises ``MediaError``, ``no_voice``."""
    tag = language.lower()
    base = tag.partition("-")[0]
    for code in (tag, base, _OTHER_CODES.get(base, "")):
        if code in spoken:
            return EspeakVoice(code)
    there = ", ".join(map(one_line, spoken[:_SAID])) or "none"
    more = f" and {len(spoken) - _SAID} more ({ESPEAK} --voices)" if len(spoken) > _SAID else ""
    raise MediaError(
        f"{ESPEAK} has no voice for {one_line(language)[:40]}",
        hint=f"there are {there}{more}; or name a provider or a model of piper for it in config.toml:"
        f" [speech.{one_line(base)[:20]}]",
        code="no_voice",
    )


# Voices of piper: neural, one model (``.onnx``) for a language, which the user downloads.
#
# Options are those of piper 1.2 and of piper-tts from 1.3 on; models are called ``de_DE-thorsten-medium.onnx``.

PIPER = "piper"
INSTALL_PIPER = "install it: pipx install piper-tts"
_LANGUAGE = re.compile(r"([a-z]{2,3})_[A-Z]{2}-")


@dataclass(frozen=True, slots=True)
class PiperVoice:
    """The voice of a model; ``speaker`` is the number of one of its speakers, "" for the first."""

    model: Path
    speaker: str = ""

    @property
    def name(self) -> str:
        return " ".join(filter(None, (PIPER, one_line(self.model.stem), self.speaker)))

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
        speaker = ("--speaker", self.speaker) if self.speaker else ()
        options, file = ("--model", str(self.model), *speaker, "--output_file"), directory / "speech.wav"
        return await _write(PIPER, *options, text=text, install=INSTALL_PIPER, file=file)
