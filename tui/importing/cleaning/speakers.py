"""Cleaning step: who speaks, "JOHN:" or ">> JOHN:", leaves the text for the cue's speaker.

Only names in capitals, or in brackets before what is said, are sure to be one: "Remember: never" is said by somebody.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tui.importing.cleaning.cleaned_cue import CleanedCue

_SIGNS = re.compile(r"^(?:[-–—‐]|>>|&gt;|\[|（|[^\na-z]{2,30}:)", re.MULTILINE)
_CHEVRONS = re.compile(r"^[-–—]?[ \t]*(?:>>|&gt;&gt;)+>*[ \t]*", re.MULTILINE)
_CAPITALS = re.compile(
    r"^([-–—]?[ \t]*)([^\W\d_][^\na-z:\[\]()?!]{0,28}[^\s\W]\.?)[ \t]?:(?=\s|[^\W\d_]|$)[ \t]*", re.MULTILINE
)
_BRACKETED = re.compile(r"^([-–—]?[ \t]*)(?:\[([^\[\]\n]{1,40})\]|（([^（）\n]{1,20})）):?[ \t]*(?=\S)", re.MULTILINE)
_DASHED = re.compile(r"^[-–—‐][ \t]*(?=\S)", re.MULTILINE)
_MOST_WORDS = 4


def take_out_speakers(cues: Iterator[CleanedCue]) -> Iterator[CleanedCue]:
    for cue in cues:
        text = cue.cue.text
        if _SIGNS.search(text) and not cue.cue.ruby:
            names: list[str] = []
            spoken = _without_names(text, names)
            if spoken != text:
                speaker = cue.cue.speaker or ", ".join(dict.fromkeys(names)) or None
                cue.change("speaker", text=spoken, speaker=speaker)
        yield cue


def _without_names(text: str, names: list[str]) -> str:
    """The text without names, and without a dash or chevrons that only say that somebody else speaks now.

    Dashes stay where they tell several speakers of one cue apart.
    """

    def capitals(found: re.Match[str]) -> str:
        name = found.group(2)
        if name != name.upper() or name == name.lower() or len(name.split()) > _MOST_WORDS:
            return found.group()
        names.append(_name(name))
        return found.group(1)

    def bracketed(found: re.Match[str]) -> str:
        names.append(_name(found.group(2) or found.group(3)))
        return found.group(1)

    spoken = _CHEVRONS.sub("- " if len(_CHEVRONS.findall(text)) > 1 else "", text)
    spoken = _BRACKETED.sub(bracketed, spoken)
    spoken = _CAPITALS.sub(capitals, spoken)
    if len(_DASHED.findall(spoken)) == 1 and _DASHED.match(spoken):
        spoken = _DASHED.sub("", spoken)
    return spoken.strip() if any(map(str.isalnum, spoken)) else text


def _name(name: str) -> str:
    """A name as people write it; of several letters, capitals are shouting."""
    name = " ".join(name.split())
    return name.title() if name.isupper() and len(name) > 2 else name
