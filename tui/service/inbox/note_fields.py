"""Fields of kept notes: what clients are told of them, and what becomes of a clip when a client changes some."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

from tui.deck.note import make_values
from tui.deck.note_type import VALUES
from tui.inbox.fields import fold_name
from tui.records.clips import FocusWord, NewClip

if TYPE_CHECKING:
    from tui.store.tables.inbox import KeptNote

_FOCUS = tuple(field.name for field in fields(FocusWord))
_TEXTS = ("sentence", "context", "translation", "explanation", "source", "start_ms", "sentence_reading")


def put_in_order(sent: Mapping[str, str], known: Sequence[str]) -> dict[str, str]:
    """All fields of a note type in their order, with what was sent; those that it does not have come last."""
    return merge_fields(dict.fromkeys(known, ""), sent)


def merge_fields(there: Mapping[str, str], sent: Mapping[str, str]) -> dict[str, str]:
    """The fields with what was sent in place of what they had; names are the same whatever their case, as for Anki."""
    merged, by_name = dict(there), {fold_name(name): name for name in there}
    for name, text in sent.items():
        merged[name if name in merged else by_name.get(fold_name(name), name)] = text
    return merged


def fields_of(kept: KeptNote) -> dict[str, str]:
    """The fields of a note: as they came, or made of the clip where that is the library's own."""
    if kept.note.arrived or kept.note.fields:
        return dict(kept.note.fields)
    return dict(zip(VALUES, make_values(kept.clip), strict=True))


def describe_note(kept: KeptNote, known: Sequence[str]) -> dict[str, Any]:
    """What ``notesInfo`` tells of a note, with all fields of its note type."""
    ordered = put_in_order(fields_of(kept), known)
    number = kept.note.id
    return {
        "noteId": number,
        "profile": "",
        "tags": list(kept.clip.tags),
        "fields": {name: {"value": text, "order": place} for place, (name, text) in enumerate(ordered.items())},
        "modelName": kept.note.note_type,
        "mod": number // 1000,
        "cards": [number],
    }


def describe_card(kept: KeptNote, known: Sequence[str]) -> dict[str, Any]:
    """What ``cardsInfo`` tells of the card of a note, which has the note's number, and is new."""
    note = describe_note(kept, known)
    about = {"cardId": kept.note.id, "note": kept.note.id, "deckName": kept.note.deck, "modelName": note["modelName"]}
    counts = dict.fromkeys(("flags", "queue", "type", "ord", "interval", "factor", "reps", "lapses", "left", "due"), 0)
    return {**about, **counts, "fields": note["fields"], "mod": note["mod"], "question": "", "answer": "", "css": ""}


def change_clip(clip: NewClip, before: NewClip, after: NewClip) -> NewClip:
    """The clip with what the fields say now, where that is something else than they said before.

    What somebody has changed of the clip since stays, as far as the client says nothing new of it.
    """
    changes: dict[str, Any] = {
        name: getattr(after, name) for name in _TEXTS if getattr(after, name) != getattr(before, name)
    }
    if after.focus != before.focus:
        if clip.focus is None or after.focus is None:
            changes["focus"] = after.focus
        else:
            old = before.focus or FocusWord("")
            new = {
                name: getattr(after.focus, name) for name in _FOCUS if getattr(after.focus, name) != getattr(old, name)
            }
            changes["focus"] = replace(clip.focus, **new)
    return replace(clip, **changes)
