"""The fields of a clip as people see them: one table for the form, the preview, the command line and the Anki card.

A new text field of ``NewClip`` shows on all of them once it has its row here and its place in ``deck/note_type.py``.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeVar

from tui.records.clips import Clip, FilledClip, FocusWord, NewClip
from tui.text.readings import is_reading_of
from tui.text.sanitize import one_line

ClipT = TypeVar("ClipT", bound=NewClip)
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


def _read_focus(clip: NewClip) -> str:
    return clip.focus.surface if clip.focus else ""


def _read_meanings(clip: NewClip) -> str:
    return "\n".join(clip.focus.meanings) if clip.focus else ""


def _read_sentence_reading(clip: NewClip) -> str:
    return clip.sentence_reading if is_reading_of(clip.sentence_reading, clip.sentence) else ""


CLIP_FIELDS = (
    ClipField("sentence", "sentence", "Sentence", "the sentence that the front asks about"),
    ClipField("focus", "word", "", "the word in it, or its parts: fährt … ab", is_line=True, read=_read_focus),
    ClipField("meanings", "word", "", "one meaning a line: to leave", read=_read_meanings),
    ClipField("translation", "gloss", "Translation", "what the whole sentence means"),
    ClipField("sentence_reading", "gloss", "SentenceFurigana", read=_read_sentence_reading),
    ClipField("context", "context", "Context", "what is said around it"),
    ClipField("explanation", "body", "Explanation", is_markdown=True),
    ClipField("note", "body", "Notes", "whatever you want to find on the back"),
    ClipField(
        "tags", "origin", "", "separated by spaces: verb a1", is_line=True, read=lambda clip: " ".join(clip.tags)
    ),
    ClipField("source", "origin"),
    ClipField("model", "origin"),
)
"""Fields of a clip, in the order of the form."""
_SIMPLE = ("context", "translation", "tags", "note", "source")
_PLACE = ("transcript_id", "file_id", "cue_index", "start_ms", "end_ms")
_FACTS = ("lemma", "reading", "part_of_speech", "grammar", "level", "language", "commonness")
EDITED = {field.name: field for field in CLIP_FIELDS if field.placeholder}


def split_tags(text: str) -> tuple[str, ...]:
    """The tags of a line, each once: apart by spaces or commas, each with a ``#`` or not."""
    return tuple(dict.fromkeys(text.replace("#", " ").replace(",", " ").split()))


def read_tag_changes(line: str) -> tuple[str, str]:
    """The tags to add and those to take away, each as a line, of one with both: ``verb +a2 -a1``."""
    tags = split_tags(line)
    add = (each.removeprefix("+") for each in tags if not each.startswith("-"))
    return " ".join(filter(None, add)), " ".join(filter(None, (each[1:] for each in tags if each.startswith("-"))))


def with_tags(tags: Sequence[str], add: Sequence[str], remove: Sequence[str]) -> tuple[str, ...]:
    """The tags without some, and with others behind them; upper and lower case are the same, as in Anki."""
    gone = {each.casefold() for each in remove}
    kept = [tag for tag in tags if tag.casefold() not in gone]
    there = {tag.casefold() for tag in kept}
    return (*kept, *(tag for tag in add if tag.casefold() not in there))


def shown(clip: NewClip, *sections: Section) -> Iterator[tuple[ClipField, str]]:
    """The fields of these sections that have a text, each with it."""
    for field in CLIP_FIELDS:
        if field.section in sections and (text := field.text(clip)):
            yield field, text


def completed(clip: ClipT, more: NewClip) -> ClipT:
    """The clip with what it lacks and ``more`` has; what stands in it stays, but for an explanation that goes on."""
    changes: dict[str, Any] = {name: getattr(more, name) for name in _SIMPLE if not getattr(clip, name)}
    if not clip.sentence_reading and is_reading_of(more.sentence_reading, clip.sentence):
        changes["sentence_reading"] = more.sentence_reading
    if more.explanation.startswith(clip.explanation) and more.explanation != clip.explanation:
        changes |= {"explanation": more.explanation, "model": more.model}
    if clip.transcript_id is None and (more.transcript_id is not None or clip.start_ms is None):
        changes |= {name: getattr(more, name) for name in _PLACE}
    if clip.focus is not None and more.focus is not None:
        changes["focus"] = completed_focus(clip.focus, more.focus)
    return replace(clip, **changes)


def completed_focus(focus: FocusWord, more: FocusWord) -> FocusWord:
    """The focus word with what it lacks and ``more`` has: meanings of another lemma only where nothing was known of it.

    What is no user's may be wrong about the lemma ("fahren" of "fährt … ab") as long as it knows no meaning.
    """
    if focus.lemma and more.lemma and focus.lemma.casefold() != more.lemma.casefold():
        if focus.meanings or not more.meanings or focus.origin == "user":
            return focus
        return replace(more, surface=focus.surface)
    changes: dict[str, Any] = {name: getattr(more, name) for name in _FACTS if not getattr(focus, name)}
    if not focus.meanings and more.meanings:
        changes |= {"meanings": more.meanings, "dictionary": more.dictionary, "origin": more.origin}
    return replace(focus, **changes)


def told_filled(filled: FilledClip) -> str:
    """Say what a clip was filled with: "abfahren · separable verb · to leave; to depart"."""
    clip, focus = filled.clip, filled.clip.focus
    texts = [getattr(focus or clip, name, None) or getattr(clip, name, "") for name in filled.filled]
    return " · ".join(one_line(text if isinstance(text, str) else "; ".join(text)) for text in texts if text)


def spoken_by(clip: NewClip) -> str:
    """Say that a machine speaks in the sound of a clip, and which; "" where none does."""
    voice = clip.voice if isinstance(clip, Clip) else None
    return f"spoken by a machine ({voice})" if voice else ""


def sound_of(clip: Clip) -> str:
    """Say what sound a clip has: a recording, or a machine's voice; "" for none."""
    return spoken_by(clip) or ("recorded sound" if clip.audio else "")
