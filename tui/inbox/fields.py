"""Fields of notes as a clip: the names that note types have for them, and what is made of what stands in them.

Names are compared without case, spaces, ``_`` and ``-``. They are those of Lode's own note type, of Lapis, of what
Yomitan fills in by itself, and of the note types that asbplayer, mpvacious, GameSentenceMiner, JL and KOReader's plugin
create or suggest.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from tui.importing.file_name import read_file_name
from tui.importing.formats import ENDINGS
from tui.inbox.markup import bold_in, lines_of, text_of
from tui.inbox.media import find_pictures, find_sounds
from tui.language.focus import find_focus_spans
from tui.records.clips import FocusWord, NewClip
from tui.text.readings import is_reading_of
from tui.text.sanitize import is_blank, one_line

_ROLES: Mapping[str, tuple[str, ...]] = {
    "sentence": ("sentence", "sentkanji", "sentenceclean", "examplesentence"),
    "word": ("expression", "word", "vocabkanji", "lemma", "vocab", "vocabulary", "targetword", "term"),
    "reading": ("expressionreading", "wordreading", "vocabreading", "reading"),
    "furigana": ("expressionfurigana", "vocabfurigana", "wordfurigana", "furigana"),
    "sentence_reading": ("sentencefurigana", "sentfurigana", "sentencereading"),
    "meanings": ("maindefinition", "definition", "glossary", "meaning", "vocabdef", "worddefinition", "selectiontext"),
    "translation": ("translation", "senteng", "sentencetranslation", "sentenceenglish"),
    "part_of_speech": ("partofspeech",),
    "commonness": ("frequency", "freqsort", "frequencysort"),
    "context": ("context",),
    "explanation": ("explanation",),
    "source": ("source", "documenttitle", "miscinfo", "notes", "url", "sourceurl"),
    "audio": ("sentenceaudio", "sentaudio", "audio", "sentenceaudiofile"),
    "picture": ("picture", "image", "screenshot"),
    "tags": ("tags",),
}
"""Roles of fields in a clip → the names that each goes by, the surest first."""
_LEMMA = "lemma"
_MAX_MEANINGS, _MAX_MEANING_CHARS, _MAX_TEXT_CHARS = 24, 500, 20_000
_MAX_WORD_CHARS, _MAX_READING_CHARS, _MAX_LOOKED_THROUGH = 200, 2_000, 5_000
_FURIGANA = re.compile(r" ?[^ \[\]]+\[([^\]]*)\]")
_IN_BRACKETS = re.compile(r"\A[(（［\[【][^)）］\]】]*[)）］\]】]\Z")
_BULLET = re.compile(r"\A[•・▪◦*-]\s+|\A\d{1,2}[.)]\s+")
_TIME = re.compile(
    r"(?:(\d{1,2})h)?(\d{1,2})m(\d{1,2})(?:\.(\d{1,3}))?s(?:(\d{1,3})ms)?"
    r"|(?:(\d{1,2}):)?(\d{1,2}):(\d{2})(?:[.,](\d{1,3}))?(?![:\d])"
)
"""Times as asbplayer (1h02m03.4s), mpvacious (1h02m03s400ms) and players (1:02:03.400) write them."""
_FILE_ENDINGS = (*ENDINGS, ".mkv", ".mp4", ".m4v", ".webm", ".avi", ".mp3", ".m4a")
_AROUND_TIME = " \t()[]-–—|·,;"


@dataclass(frozen=True, slots=True)
class FieldClip:
    """The clip that fields say, and the names of the sound and the picture in them, "" for none."""

    clip: NewClip
    audio: str
    picture: str


def find_role(name: str) -> str:
    """Find the role of a field by its name, "" for one that no clip has a place for."""
    folded = fold_name(name)
    return next((role for role, names in _ROLES.items() if folded in names), "")


def fold_name(name: str) -> str:
    """A field's name as it is compared."""
    return re.sub(r"[\s_-]", "", name).casefold()


def make_clip(fields: Mapping[str, str], tags: tuple[str, ...] = (), language: str | None = None) -> FieldClip:
    """Make the clip that the fields of a note say; what they do not say is missing in it.

    A clip of a word alone has it as its sentence too; without either its sentence is "".
    """
    found = _by_role(fields)
    html = found.get("sentence", "")
    sentence, word = text_of(html)[:_MAX_TEXT_CHARS], text_of(found.get("word", ""))[:_MAX_WORD_CHARS]
    reading = text_of(found.get("reading", ""))[:_MAX_WORD_CHARS]
    surface = _find_surface(sentence, bold_in(html), word, reading) if sentence else word
    lemma = text_of(_by_name(fields, _LEMMA))[:_MAX_WORD_CHARS] or word or None
    called, start_ms = read_source(fields)
    focus = None
    if surface or word:
        reading = reading or _FURIGANA.sub(r"\1", text_of(found.get("furigana", ""))[:_MAX_READING_CHARS])
        focus = FocusWord(
            surface or word,
            lemma=lemma,
            reading=one_line(reading)[:_MAX_WORD_CHARS] or None,
            part_of_speech=text_of(found.get("part_of_speech", ""))[:100] or None,
            meanings=read_meanings(found.get("meanings", "")),
            language=language,
            commonness=next(iter(lines_of(found.get("commonness", ""))), "")[:60] or None,
        )
    written = text_of(found.get("sentence_reading", ""))
    clip = NewClip(
        sentence or surface or word,
        start_ms=start_ms,
        context=text_of(found.get("context", ""))[:_MAX_TEXT_CHARS],
        translation=text_of(found.get("translation", ""))[:_MAX_TEXT_CHARS],
        focus=focus,
        explanation="\n\n".join(lines_of(found.get("explanation", "")))[:_MAX_TEXT_CHARS],
        tags=tuple(dict.fromkeys((*tags, *text_of(found.get("tags", "")).split()))),
        source=_find_title(called),
        sentence_reading=written if _is_reading(written, sentence) else "",
    )
    return FieldClip(clip, *(_first_media(fields, role) for role in ("audio", "picture")))


def read_word(fields: Mapping[str, str]) -> str:
    """The word of a note, in its dictionary form where it says that; "" for a note of a sentence."""
    found = _by_role(fields)
    return (text_of(found.get("word", "")) or bold_in(found.get("sentence", "")))[:_MAX_WORD_CHARS]


def read_meanings(html: str) -> tuple[str, ...]:
    """The meanings of a glossary, one of each line; a line in brackets only says what kind of word it is."""
    lines = (_BULLET.sub("", line)[:_MAX_MEANING_CHARS] for line in lines_of(html))
    return tuple(dict.fromkeys(line for line in lines if line and not _IN_BRACKETS.match(line)))[:_MAX_MEANINGS]


def read_source(fields: Mapping[str, str]) -> tuple[str, int | None]:
    """Read the source of a note, as it is called there, and its time: "Film.de.srt (5m12s)" → "Film.de.srt", 312 000.

    An address alone gives the name of its host.
    """
    title, start_ms, address = "", None, ""
    for name in _ROLES["source"]:
        text = text_of(_by_name(fields, name))[:500]
        if not text:
            continue
        if text.lower().startswith(("http://", "https://")):
            address = address or _host_of(text.split()[0])
            continue
        if start_ms is None and (found := _find_time(text)) is not None:
            at, start_ms = found
            text = text[: at[0]].rstrip(_AROUND_TIME) or text[at[1] :].lstrip(_AROUND_TIME)
        title = title or text
    return one_line(title or address), start_ms


def _find_title(called: str) -> str:
    """The title of a film or text: without a file's language and ending, so that all cards of a film say the same."""
    return read_file_name(called).title if called.lower().endswith(_FILE_ENDINGS) else called


def _is_reading(written: str, sentence: str) -> bool:
    """Whether a text is the sentence with readings in it; of a long one it takes too long to tell."""
    return len(written) <= _MAX_READING_CHARS and is_reading_of(written, sentence)


def _find_time(text: str) -> tuple[tuple[int, int], int] | None:
    """The last time of a text: where it stands, and in milliseconds."""
    last = None
    for last in _TIME.finditer(text):  # noqa: B007 - the last of them is asked for
        pass
    if last is None:
        return None
    hours, minutes, seconds, fraction, milliseconds, *clock = last.groups()
    if minutes is None:
        hours, minutes, seconds, fraction = clock
    total = (int(hours or 0) * 60 + int(minutes)) * 60 + int(seconds)
    return last.span(), total * 1000 + int((fraction or "0").ljust(3, "0")) + int(milliseconds or 0)


def _host_of(address: str) -> str:
    try:
        return (urlsplit(address).hostname or "").removeprefix("www.")
    except ValueError:
        return ""


def _find_surface(sentence: str, bold: str, word: str, reading: str) -> str:
    """The word as it stands in its sentence: what is bold there, else the word or its reading; "" where it is not."""
    sentence = sentence[:_MAX_LOOKED_THROUGH]
    if bold and len(bold) <= _MAX_WORD_CHARS and find_focus_spans(sentence, bold):
        return bold
    for each in (word, reading):
        if each and (spans := find_focus_spans(sentence, each)):
            return " … ".join(sentence[start:end] for start, end in spans)
    return ""


def _by_role(fields: Mapping[str, str]) -> dict[str, str]:
    """Find the text of the surest field of each role that has something in it."""
    folded = {fold_name(name): text for name, text in fields.items()}
    found = {}
    for role, names in _ROLES.items():
        for name in names:
            if not is_blank(folded.get(name, "")):
                found[role] = folded[name]
                break
    return found


def _by_name(fields: Mapping[str, str], wanted: str) -> str:
    return next((text for name, text in fields.items() if fold_name(name) == wanted and text.strip()), "")


def _first_media(fields: Mapping[str, str], role: str) -> str:
    """The first sound or picture of the fields of this role, "" for none."""
    find = find_sounds if role == "audio" else find_pictures
    texts = (_by_name(fields, name) for name in _ROLES[role])
    return next((name for text in texts for name in find(text)), "")
