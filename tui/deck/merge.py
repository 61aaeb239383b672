"""Merging a clip's note with the one in Anki, field by field, against what Lode ever sent of it.

A value in Anki that Lode wrote once is replaced by today's; any other is the learner's edit and stays, also where the
clip has changed since, which is a conflict that the report names. What Lode never filled is never emptied.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from tui.anki.notes import AnkiNote, AnkiNoteType, fields_of
from tui.deck.digests import Sent
from tui.deck.note_type import FIELDS, VALUES
from tui.records.notes import Note

SAMPLED = 500
"""Notes that tell which field of a note type is a renamed one."""


@dataclass(frozen=True, slots=True)
class Merged:
    """A note as it is to be in Anki; ``note`` is None where it is so already.

    ``kept`` are the fields, by their names in Lode, whose edits in Anki stay, and ``conflicts`` those of them that
    have changed in Lode as well. ``by_time`` tells that nothing was known of what was sent: the later time decided.
    """

    note: Note | None
    kept: tuple[str, ...] = ()
    conflicts: tuple[str, ...] = ()
    by_time: bool = False


def merge(ours: Note, theirs: AnkiNote, note_type: AnkiNoteType, places: Sequence[int | None], sent: Sent) -> Merged:
    """Merge a note with the one in Anki; ``places`` has our field, if any, for each of the note type's.

    A note that differs from Anki's is later than it, so that Anki takes it.
    """
    values = list(theirs.fields[: len(note_type.fields)])
    values += [""] * (len(note_type.fields) - len(values))
    # Nothing is known of notes that an older Lode wrote: an edit there is told by its time.
    by_time = not sent and any(
        field is not None and value != ours.fields[field] for field, value in zip(places, values, strict=True)
    )
    theirs_is_later = theirs.changed_at > ours.changed_at
    kept, conflicts = [], []
    for place, field in enumerate(places):
        if field is None or values[place] == ours.fields[field]:
            continue
        if not ours.fields[field] and not sent.ever_filled(field):
            continue  # what Lode never filled is the learner's
        is_edited = not sent.wrote(field, values[place]) if sent else theirs_is_later
        if not is_edited:
            values[place] = ours.fields[field]
            continue
        kept.append(VALUES[field])
        if sent and sent.changed(field, ours.fields[field]):
            conflicts.append(VALUES[field])
    tags = _merged_tags(ours.tags, theirs.tags, sent)
    if tuple(values) == theirs.fields and set(tags) == set(theirs.tags):
        return Merged(None, tuple(kept), tuple(conflicts), by_time)
    cards = theirs.cards if note_type.is_cloze else cards_of(note_type, values, theirs.cards)
    note = replace(
        ours,
        fields=tuple(values),
        tags=tags,
        changed_at=max(ours.changed_at, theirs.changed_at + 1),
        note_type=note_type.id,
        cards=cards,
    )
    return Merged(note, tuple(kept), tuple(conflicts), by_time)


def new_note(
    ours: Note, note_type: AnkiNoteType, places: Sequence[int | None], texts: Mapping[int, str] = MappingProxyType({})
) -> Note:
    """A note that Anki does not have, in the note type as it is there; ``texts`` are the learner's own, by place."""
    values = [texts.get(at, "") if field is None else ours.fields[field] for at, field in enumerate(places)]
    return replace(ours, fields=tuple(values), note_type=note_type.id, cards=cards_of(note_type, values))


def cards_of(note_type: AnkiNoteType, values: Sequence[str], there: Iterable[int] = ()) -> tuple[int, ...]:
    """Numbers of the cards of a note: those that Anki would make, and those that are there."""
    fields = fields_of(note_type.fields, values)
    made = {number for number, each in enumerate(note_type.templates) if each.is_filled(fields)}
    return tuple(sorted(made.union(there) or {0}))


def field_places(
    note_type: AnkiNoteType, notes: Sequence[tuple[Note, AnkiNote, Sent]], *, names: Sequence[str] = FIELDS
) -> tuple[int | None, ...]:
    """Find for each field of a note type the one of ours that it is, or None: by its name, a renamed one by its values.

    ``notes`` are those of this type, with what is to be in them and what was sent.
    """
    places: list[int | None] = [names.index(each) if each in names else None for each in note_type.fields]
    unnamed = [place for place, field in enumerate(places) if field is None]
    left = [field for field in range(len(names)) if field not in places]
    if not unnamed or not left:
        return tuple(places)
    seen: dict[tuple[int, int], int] = {}
    for ours, theirs, sent in notes:
        for place in unnamed:
            value = theirs.fields[place] if place < len(theirs.fields) else ""
            for field in left if value else ():
                if value == ours.fields[field] or sent.wrote(field, value):
                    seen[place, field] = seen.get((place, field), 0) + 1
    for (place, field), _ in sorted(seen.items(), key=lambda each: -each[1]):
        if places[place] is None and field not in places:
            places[place] = field
    return tuple(places)


def is_changed(note_type: AnkiNoteType, templates: Sequence[str]) -> bool:
    """Whether the learner changed fields or cards of the note type, so that Anki would not take ours for it."""
    return note_type.fields != FIELDS or tuple(each.name for each in note_type.templates) != tuple(templates)


def _merged_tags(ours: Sequence[str], theirs: Sequence[str], sent: Sent) -> tuple[str, ...]:
    """Tags of both: without those that Lode sent and has no more, and those that it sent and Anki has no more."""
    mine = {tag.casefold(): tag for tag in ours}
    his = {tag.casefold(): tag for tag in theirs}
    stay = [tag for folded, tag in his.items() if folded in mine or not sent.wrote_tag(folded)]
    added = [tag for folded, tag in mine.items() if folded not in his and not sent.tag_arrived(folded)]
    return (*stay, *added)
