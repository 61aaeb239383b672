"""A clip as a note: the values of its fields, its tags, its identity and its time of change.

Anki recognises a note by its GUID alone, and updates one only when the package's time of change is the later. Both
therefore come from the clip and never from the export: an unchanged clip is a duplicate, an edited one an update, and
what the learner changed in Anki stays.
"""

from __future__ import annotations

import re
from datetime import datetime

from tui.deck.markup import clean, literal, mark_bold, mark_focus_in_readings, mark_language, mark_words_of, markdown
from tui.deck.note_type import CARD_KINDS, FIELDS_TO_LEARN, VALUES, changed_at
from tui.errors import DeckError
from tui.language.focus import find_verb_spans
from tui.records.clips import Clip, FocusWord, NewClip
from tui.records.notes import Note
from tui.records.settings import DECK_CHOICES, SavedSettings
from tui.text.clip_fields import CLIP_FIELDS, spoken_by
from tui.text.display import clock
from tui.text.readings import word_furigana
from tui.text.sanitize import one_line

GUID_PREFIX = "lode-"
_TAG_BREAK = re.compile(r"[\s\u3000]+")
_NOTHING = "…"
"""Text of a clip that says nothing at all: Anki imports a note with an empty front silently without any card."""


RENDERING = 3
"""Version of what ``make_note`` makes of a clip: move it whenever that changes, so that kept notes are made anew."""


def make_note(clip: Clip) -> Note:
    """Render a clip as a note. Raises ``DeckError`` where its times are no moments."""
    created, changed = _milliseconds(clip, "created_at"), _milliseconds(clip, "updated_at")
    # Its identity is the same for as long as the clip exists; frozen like the note type.
    guid = f"{GUID_PREFIX}{clip.id}"
    return Note(guid, tuple(make_values(clip)), tuple(make_tags(clip)), created, changed // 1000)


def deck_version(settings: SavedSettings) -> str:
    """Version of all that makes a deck of clips."""
    return " ".join((str(RENDERING), str(changed_at(settings)), *(getattr(settings, name) for name in DECK_CHOICES)))


def _milliseconds(clip: Clip, field: str) -> int:
    """A moment of the clip, in milliseconds since 1970. Raises ``DeckError`` where what it says is no moment."""
    said = getattr(clip, field)
    try:
        return int(datetime.fromisoformat(said).timestamp() * 1000)
    except (ValueError, OverflowError) as error:
        raise DeckError(
            f"the clip {clip.id} has {one_line(said)[:40]!r} as {field}, which is no moment",
            hint="the library may be damaged: look with lode doctor --full",
        ) from error


def make_tags(clip: NewClip) -> list[str]:
    """The clip's tags as Anki can hold them: ``_`` for white space, no quotation marks, none twice; ``::`` nests."""
    names = (_TAG_BREAK.sub("_", clean(tag)).replace('"', "") for tag in clip.tags)
    return list({name.casefold(): name for name in names if name}.values())


def make_texts(clip: NewClip) -> dict[str, str]:
    """The texts of the note's fields, cleaned (the explanation is Markdown); empty ones are left out."""
    focus = clip.focus or FocusWord("")
    sentence, surface = clean(clip.sentence), clean(focus.surface)
    content = {field.note_field: clean(field.text(clip)) for field in CLIP_FIELDS if field.note_field} | {
        "Expression": surface or sentence or _NOTHING,
        "ExpressionReading": clean(focus.reading or ""),
        "Lemma": clean(focus.lemma or ""),
        "PartOfSpeech": _joined(" · ", focus.part_of_speech, focus.grammar, focus.level),
        "MainDefinition": _joined("; ", *focus.meanings),
        "Frequency": clean(focus.commonness or ""),  # of the language: a count in one's own library says little of that
        "MiscInfo": _joined(" · ", clip.source, clock(clip.start_ms), focus.dictionary, spoken_by(clip)),
        "ExpressionFurigana": word_furigana(surface, clean(focus.reading or "")),
        CARD_KINDS[0] if surface else CARD_KINDS[1]: "x",
    }
    return {field: text for field, text in content.items() if text}


def make_values(clip: NewClip) -> list[str]:
    """The note's fields as HTML, in the order of ``VALUES``; the first one and the front are never empty.

    Language and direction are in it as far as the language of the clip is known.
    """
    surface = clean(clip.focus.surface) if clip.focus is not None else ""
    written = {
        "Sentence": lambda text: mark_bold(text, find_marked_spans(clip)),
        "SentenceFurigana": lambda text: mark_focus_in_readings(text, surface),
        "Explanation": markdown,
    }
    content = {field: written.get(field, literal)(text) for field, text in make_texts(clip).items()}
    if isinstance(clip, Clip) and clip.audio:
        content["SentenceAudio"] = f"[sound:{make_media_name(clip.audio, 'mp3')}]"
    if isinstance(clip, Clip) and clip.picture:
        content["Picture"] = f'<img src="{make_media_name(clip.picture, "jpg")}">'
    return [
        (mark_language if field in FIELDS_TO_LEARN else mark_words_of)(content.get(field, ""), language_of(clip))
        for field in VALUES
    ]


def language_of(clip: NewClip) -> str | None:
    """The language of a clip's sentence: that of its focus word, else of its transcript."""
    return (clip.focus.language if clip.focus is not None else None) or getattr(clip, "language", None)


def find_marked_spans(clip: NewClip) -> tuple[tuple[int, int], ...]:
    """The places of the focus word in the cleaned sentence: both of a separable verb."""
    focus = clip.focus or FocusWord("")
    return find_verb_spans(clean(clip.sentence), clean(focus.surface), clean(focus.lemma or ""), language_of(clip))


MEDIA_NAME = re.compile(rf"{GUID_PREFIX}[0-9a-f]{{64}}\.(?:mp3|jpg)\b")
"""Names of sounds and pictures in fields, as ``make_media_name`` makes them."""


def make_media_name(sha256: str, ending: str) -> str:
    """Name of a clip's sound or picture in Anki's folder of media, which all its decks share."""
    return f"{GUID_PREFIX}{sha256}.{ending}"


def find_media_sha256(name: str) -> str:
    """The SHA-256 in such a name."""
    return name.removeprefix(GUID_PREFIX).partition(".")[0]


def _joined(separator: str, *parts: str | None) -> str:
    return separator.join(text for part in parts if (text := clean(part or "")))
