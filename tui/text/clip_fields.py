"""The fields of a clip as people see them: one table for the form, the preview, the command line and the Anki card.

A new text field of ``NewClip`` shows on all of them once it has its row here and its place in ``deck/note_type.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from tui.records.clips import Clip, NewClip
from tui.text.readings import is_reading_of

Section = Literal["sentence", "word", "gloss", "context", "body", "origin"]
"""Section of a field: with the sentence or its word, right below the sentence, or below the word's meanings."""


@dataclass(frozen=True, slots=True)
class ClipField:
    """A field of a clip; ``name`` is its name and label, ``read`` gives the text of one that is no plain text.

    ``placeholder`` says what belongs there while it is empty; a field without one is not edited by hand.
    ``note_field`` is the field of the Anki note that has it.
    """

    name: str
    section: Section
    note_field: str = ""
    placeholder: str = ""
    is_line: bool = False
    is_markdown: bool = False
    read: Callable[[NewClip], str] | None = None

    @property
    def label(self) -> str:
        return self.name.capitalize()

    def text(self, clip: NewClip) -> str:
        return self.read(clip) if self.read is not None else getattr(clip, self.name)


CLIP_FIELDS = (
    ClipField("sentence", "sentence", "Sentence", placeholder="the sentence that the front asks about"),
    ClipField(
        "focus",
        "word",
        placeholder="the word in it, or its parts: fährt … ab",
        is_line=True,
        read=lambda clip: clip.focus.surface if clip.focus else "",
    ),
    ClipField(
        "meanings",
        "word",
        placeholder="one meaning a line: to leave",
        read=lambda clip: "\n".join(clip.focus.meanings) if clip.focus else "",
    ),
    ClipField("translation", "gloss", "Translation", placeholder="what the whole sentence means"),
    ClipField(
        "sentence_reading",
        "gloss",
        "SentenceFurigana",
        read=lambda clip: clip.sentence_reading if is_reading_of(clip.sentence_reading, clip.sentence) else "",
    ),
    ClipField("context", "context", "Context", placeholder="what is said around it"),
    ClipField("explanation", "body", "Explanation", is_markdown=True),
    ClipField("note", "body", "Notes", placeholder="whatever you want to find on the back"),
    ClipField(
        "tags",
        "origin",
        placeholder="separated by spaces: verb a1",
        is_line=True,
        read=lambda clip: " ".join(clip.tags),
    ),
    ClipField("source", "origin"),
    ClipField("model", "origin"),
)
"""Fields of a clip, in the order of the form."""
EDITED = {field.name: field for field in CLIP_FIELDS if field.placeholder}


def shown(clip: NewClip, *sections: Section) -> Iterator[tuple[ClipField, str]]:
    """The fields of these sections that have a text, each with it."""
    for field in CLIP_FIELDS:
        if field.section in sections and (text := field.text(clip)):
            yield field, text


def spoken_by(clip: NewClip) -> str:
    """Say that a machine speaks in the sound of a clip, and which; "" where none does."""
    voice = clip.voice if isinstance(clip, Clip) else None
    return f"spoken by a machine ({voice})" if voice else ""


def sound_of(clip: Clip) -> str:
    """Say what sound a clip has: a recording, or a machine's voice; "" for none."""
    return spoken_by(clip) or ("recorded sound" if clip.audio else "")
