"""Programs that speak, as small scripts on PATH: they take the options that espeak-ng and piper document, and write a
WAV whose tone is as high as the text is long.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

VOICES = """\
Pty Language       Age/Gender VoiceName          File                 Other Languages
 5  af              --/M      Afrikaans          gmw/af
 5  cmn             --/M      Chinese_(Mandarin,_latin_as_English) sit/cmn              (zh-cmn 5)(zh 5)
 5  de              --/M      German             gmw/de
 2  en-gb           --/M      English_(Great_Britain) gmw/en               (en 2)
 5  nb              --/M      Norwegian_Bokmål   gmq/nb
 5  tlh             --/M      klingon-mb-1       mb/mb-tlh1
"""
_SPEAKS = """
import math, os, struct, sys, wave
log = os.path.join(os.path.dirname(os.path.abspath(sys.argv[0])), "log.txt")
def speak(voice, file, text):
    with open(log, "a", encoding="utf-8") as out:
        out.write(voice + "|" + text + "\\n")
    step = 2 * math.pi * pitch(text) / 22050
    with wave.open(file, "wb") as out:
        out.setnchannels(1); out.setsampwidth(2); out.setframerate(22050)
        out.writeframes(b"".join(struct.pack("<h", round(9000 * math.sin(step * at))) for at in range(22050)))
def pitch(text):
    return 300 + 10 * len(text)
"""
_ESPEAK = (
    _SPEAKS
    + """
import getopt
options, rest = getopt.gnu_getopt(sys.argv[1:], "v:b:w:", ["stdin", "voices", "version"])
given = dict(options)
VOICES = open(os.path.join(os.path.dirname(os.path.abspath(sys.argv[0])), "voices.txt"), encoding="utf-8").read()
if "--voices" in given:
    print(VOICES, end="")
    sys.exit()
codes = {part.strip("()") for line in VOICES.splitlines()[1:] for part in line.split()}
if given["-v"].partition("+")[0] not in codes:
    sys.exit("Error: The specified espeak-ng voice does not exist.")
assert "--stdin" in given and given["-b"] == "1" and not rest, sys.argv
speak(given["-v"], given["-w"], sys.stdin.buffer.read().decode("utf-8").rstrip("\\n"))
"""
)
_PIPER = (
    _SPEAKS
    + """
import argparse
parser = argparse.ArgumentParser()
parser.add_argument("-m", "--model", required=True)
parser.add_argument("-f", "--output-file", "--output_file")
parser.add_argument("-s", "--speaker", type=int, default=0)
given = parser.parse_args()
for line in sys.stdin.buffer.read().decode("utf-8").splitlines():
    speak(os.path.basename(given.model) + " " + str(given.speaker), given.output_file, line)
"""
)


def pitch(text: str) -> int:
    """The tone of a text, in hertz."""
    return 300 + 10 * len(text)


class Programs:
    """A directory at the beginning of PATH; ``said`` is what was spoken in it, each as (voice, text)."""

    def __init__(self, place: Path) -> None:
        self.place = place

    def espeak(self) -> None:
        (self.place / "voices.txt").write_text(VOICES, "utf-8")
        self.put("espeak-ng", f"#!{sys.executable} -IS\n{_ESPEAK}")

    def piper(self) -> None:
        self.put("piper", f"#!{sys.executable} -IS\n{_PIPER}")

    def put(self, name: str, script: str) -> None:
        """Put an executable there, in the place of one of that name."""
        path = self.place / name
        path.write_text(script, "utf-8")
        path.chmod(0o755)

    @property
    def said(self) -> list[tuple[str, str]]:
        log = self.place / "log.txt"
        lines = log.read_text("utf-8").splitlines() if log.exists() else []
        return [(voice, text) for voice, _, text in (line.partition("|") for line in lines)]


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Programs:
    """A directory before all others of PATH, with espeak-ng in it."""
    place = tmp_path / "programs"
    place.mkdir()
    monkeypatch.setenv("PATH", f"{place}{os.pathsep}{os.environ.get('PATH', os.defpath)}")
    programs = Programs(place)
    programs.espeak()
    return programs
