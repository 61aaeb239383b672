"""Cleaning step: sounds that subtitles for the deaf describe, "[door creaks]", leave the text for a field of the cue.

Square brackets hold little else in subtitles. Round ones hold asides too, which are spoken: only those in capitals, or
a few small words on a line of their own, are taken for a sound. Asterisks stress or shout what is spoken as often as
they describe a sound: only words of sounds are one (``sound_words.toml``). Notes mark singing; what is sung stays text.
"""

import re
from collections.abc import Mapping
from functools import cache

from tui.importing.cue_list import CleanedCue
from tui.language.tags import base_language
from tui.language.word import fold
from tui.language.word_lists import read_lists

_MUSIC = "♪♫♬♩"
_SOUND_SIGNS = re.compile(rf"[\[(（*＊{_MUSIC}]|^#", re.MULTILINE)
_SQUARE = re.compile(r"\[([^\[\]\n]{1,200}(?:\n[^\[\]\n]{1,200})?)\](?!:)")
_NAMED = re.compile(r"\s*[A-ZÀ-ÞΆ-ΫЁ-Я][\w'’.-]*(?: [A-ZÀ-ÞΆ-ΫЁ-Я0-9][\w'’.-]*){0,2}\s*\Z")
"""Pattern of a name in brackets: in front of what is said it is the speaker (``take_out_speakers``)."""
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
_MAX_SOUND_WORDS = 5
_MAX_BEFORE_SPEECH = 2
_SENTENCE = re.compile(r"[.!?…,]")
_SPACES = re.compile(r"[ \t]{2,}")
_TAKEN = "\ufffc"
"""Placeholder for what was taken out, until the spaces around it are set right."""
_GAP = re.compile(rf" ?{_TAKEN} ?")
_CLINGING = (",", ".", ";", ":", "…")
"""Stops that stand at the word before; French puts a space before the others."""


def take_out_sounds(cue: CleanedCue, language: str | None) -> None:
    """Take out what describes a sound; ``language`` is that of the cues, None where nothing tells it."""
    if _SOUND_SIGNS.search(cue.cue.text) and not cue.cue.ruby:
        sounds: list[str] = []
        text = _without_sounds(cue.cue.text, sounds, language)
        if sounds:
            cue.change("sound", text=text, sounds=(*cue.cue.sounds, *dict.fromkeys(sounds)))


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
        is_small = words <= _MAX_SOUND_WORDS if not rest.strip() or found["label"] else words <= _MAX_BEFORE_SPEECH
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


# Words that describe sounds, by language: what stands between asterisks is speech unless it is made of them.
#
# The lists are in ``sound_words.toml``.

_END_MARKS = re.compile("[.!?…。．｡！？｟‼⁇⁈⁉‽¡¿؟۔।॥։՜՞።፧፨။។៕;\u037e]")
_BETWEEN = re.compile(r"[\s\d_,、，・:：/&+~〜～♪♫♬♩'’ʼ\"“”„«»()（）\u2010-\u2015\u2026-]+")
_LISTED_AS = {
    "yue": "zh",
    "ca": "es",
    "gl": "pt",
    "be": "ru",
    "ms": "id",
    **dict.fromkeys(("no", "nn"), "nb"),
    **dict.fromkeys(("bs", "sr"), "hr"),
}
"""Languages without a list of their own → one with nearly the same words."""
_UNBROKEN = ("ja", "zh", "th")
"""Languages that write their words together."""


def describes_sound(text: str, language: str | None) -> bool:
    """Whether a text without end marks has only words of sounds of its language, any one where it has no list."""
    if _END_MARKS.search(text):
        return False
    base = base_language(language) if language else ""
    base = _LISTED_AS.get(base, base)
    return any(_is_made_of(text, each) for each in ((base,) if base in _lists() else _lists()))


def _is_made_of(text: str, base: str) -> bool:
    sound, either = _patterns(base)
    pieces = [piece for piece in _BETWEEN.split(fold(text, base)) if piece]
    said = sound.search if base in _UNBROKEN else sound.fullmatch
    return all(map(either.fullmatch, pieces)) and any(map(said, pieces))


@cache
def _patterns(base: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Patterns of a word that says what is heard, and of these with the words that go with them."""
    lists = _lists()[base]
    sounds = _pattern(lists["sounds"], base)
    both = f"(?:{sounds}|{_pattern(lists['beside'], base)})"
    return re.compile(sounds), re.compile(f"{both}+" if base in _UNBROKEN else both)


def _pattern(words: str, base: str) -> str:
    longest_first = sorted(fold(words, base).split(), key=lambda word: -len(word))
    return f"(?:{'|'.join(re.escape(word).replace(re.escape('*'), '.*') for word in longest_first)})"


def _lists() -> Mapping[str, Mapping[str, str]]:
    return read_lists("sound_words", __file__)


# Cleaning step: who speaks, "JOHN:" or ">> JOHN:", leaves the text for the cue's speaker.
#
# Only names in capitals, or in brackets before what is said, are sure to be one: "Remember: never" is said by somebody.

_SPEAKER_SIGNS = re.compile(r"^(?:[-–—‐]|>>|&gt;|\[|（|[^\na-z]{2,30}:)", re.MULTILINE)
_CHEVRONS = re.compile(r"^[-–—]?[ \t]*(?:>>|&gt;&gt;)+>*[ \t]*", re.MULTILINE)
_CAPITALS = re.compile(
    r"^([-–—]?[ \t]*)([^\W\d_][^\na-z:\[\]()?!]{0,28}[^\s\W]\.?)[ \t]?:(?=\s|[^\W\d_]|$)[ \t]*", re.MULTILINE
)
_BRACKETED = re.compile(r"^([-–—]?[ \t]*)(?:\[([^\[\]\n]{1,40})\]|（([^（）\n]{1,20})）):?[ \t]*(?=\S)", re.MULTILINE)
_DASHED = re.compile(r"^[-–—‐][ \t]*(?=\S)", re.MULTILINE)
_MAX_NAME_WORDS = 4


def take_out_speakers(cue: CleanedCue) -> None:
    text = cue.cue.text
    if _SPEAKER_SIGNS.search(text) and not cue.cue.ruby:
        names: list[str] = []
        spoken = _without_names(text, names)
        if spoken != text:
            speaker = cue.cue.speaker or ", ".join(dict.fromkeys(names)) or None
            cue.change("speaker", text=spoken, speaker=speaker)


def _without_names(text: str, names: list[str]) -> str:
    """The text without names, and without a dash or chevrons that only say that somebody else speaks now.

    Dashes stay where they tell several speakers of one cue apart.
    """

    def capitals(found: re.Match[str]) -> str:
        name = found.group(2)
        if name != name.upper() or name == name.lower() or len(name.split()) > _MAX_NAME_WORDS:
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
