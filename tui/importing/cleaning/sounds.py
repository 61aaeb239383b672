"""Cleaning step: sounds that subtitles for the deaf describe, "[door creaks]", leave the text for a field of the cue.

Square brackets hold little else in subtitles. Round ones hold asides too, which are spoken: only those in capitals, or
a few small words on a line of their own, are taken for a sound. Asterisks stress or shout what is spoken as often as
they describe a sound: only words of sounds are one (``sound_words``). Notes mark singing; what is sung stays text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tui.importing.cleaning.cleaned_cue import CleanedCue
from tui.importing.cleaning.sound_words import describes_sound

_MUSIC = "♪♫♬♩"
_SIGNS = re.compile(rf"[\[(（*＊{_MUSIC}]|^#", re.MULTILINE)
_SQUARE = re.compile(r"\[([^\[\]\n]{1,200}(?:\n[^\[\]\n]{1,200})?)\](?!:)")
_NAMED = re.compile(r"\s*[A-ZÀ-ÞΆ-ΫЁ-Я][\w'’.-]*(?: [A-ZÀ-ÞΆ-ΫЁ-Я0-9][\w'’.-]*){0,2}\s*\Z")
"""Pattern of a name in brackets: in front of what is said it is the speaker (``speakers.py``)."""
_ROUND = re.compile(
    r"^((?:[-–—] ?)?(?P<label>[^\na-z:()\[\]]{2,30}: ?)?)\((?P<inside>[^()\n]{1,80})\) ?:?(?P<rest>[^\n]*)",
    re.MULTILINE,
)
_ALONE = re.compile(r"^[-–—]?（([^（）\n]{1,80})）$", re.MULTILINE)
_STARRED = re.compile(
    r"(?P<before>^[-–—]? ?|[.!?…。！？:] ?)(?P<stars>[*＊]{1,2})(?P<inside>[^*＊\n]{1,80}(?:\n[^*＊\n]{1,80})?)"
    r"(?P=stars)(?= ?(?P<next>[^ ]?))",
    re.MULTILINE,
)
"""Pattern of what asterisks set apart between sentences: within one they stress a word."""
_NOTES = re.compile(rf"[{_MUSIC}]+")
_SUNG = re.compile(r"^# (.*?)(?: #)?$", re.MULTILINE)
_MOST_WORDS = 5
_MOST_BEFORE_SPEECH = 2
_SENTENCE = re.compile(r"[.!?…,]")
_SPACES = re.compile(r"[ \t]{2,}")
_TAKEN = "\ufffc"
"""Placeholder for what was taken out, until the spaces around it are set right."""
_GAP = re.compile(rf" ?{_TAKEN} ?")
_CLINGING = (",", ".", ";", ":", "…")
"""Stops that stand at the word before; French puts a space before the others."""


def take_out_sounds(cues: Iterator[CleanedCue], language: str | None) -> Iterator[CleanedCue]:
    """Take out what describes a sound; ``language`` is that of the cues, None where nothing tells it."""
    for cue in cues:
        if _SIGNS.search(cue.cue.text) and not cue.cue.ruby:
            sounds: list[str] = []
            text = _without_sounds(cue.cue.text, sounds, language)
            if sounds:
                cue.change("sound", text=text, sounds=(*cue.cue.sounds, *dict.fromkeys(sounds)))
        yield cue


def _without_sounds(text: str, sounds: list[str], language: str | None) -> str:
    def square(found: re.Match[str]) -> str:
        inside = found.group(1)
        if not any(char.isalpha() or char in _MUSIC for char in inside):
            return found.group()
        said = text[found.end() :].partition("\n")[0].strip()
        if said and inside != inside.upper() and _NAMED.match(inside):
            return found.group()
        sounds.append(_described(inside))
        return _TAKEN

    def in_round(found: re.Match[str]) -> str:
        inside, rest = found["inside"], found["rest"]
        words = len(inside.split())
        is_shouted = inside == inside.upper() != inside.lower()
        is_small = words <= _MOST_WORDS if not rest.strip() or found["label"] else words <= _MOST_BEFORE_SPEECH
        if _SENTENCE.search(inside) or not (is_shouted or (is_small and inside[:1].islower())):
            return found.group()
        sounds.append(_described(inside))
        return f"{found.group(1)}{rest.lstrip()}"

    def alone(found: re.Match[str]) -> str:
        sounds.append(_described(found.group(1)))
        return ""

    def starred(found: re.Match[str]) -> str:
        if found["next"].islower() or not describes_sound(found["inside"], language):
            return found.group()
        sounds.append(_described(found["inside"]))
        return f"{found['before']}{_TAKEN}"

    for pattern, replacement in ((_SQUARE, square), (_ROUND, in_round), (_ALONE, alone), (_STARRED, starred)):
        text = pattern.sub(replacement, text)
    sung = _NOTES.sub(" ", text)
    if sung == text:
        sung = _SUNG.sub(r"\1", text)
    if sung != text:
        sounds.append("♪")
    return _tidy(sung) if sounds else text


def _described(inside: str) -> str:
    return " ".join(inside.strip(f" :{_MUSIC}").split()) or "♪"


def _tidy(text: str) -> str:
    """The text without what taking something out leaves: lines of a dash or nothing, and stray spaces."""
    lines = (_SPACES.sub(" ", _GAP.sub(_closed, line)).strip() for line in text.split("\n"))
    return "\n".join(line for line in lines if line.strip("-–—: "))


def _closed(gap: re.Match[str]) -> str:
    return "" if gap.string.startswith(_CLINGING, gap.end()) else " "
