"""Merging a clip's note with the one in Anki, field by field, against what Lode ever sent of it.

A value in Anki that Lode wrote once is replaced by today's; any other is the learner's edit and stays, also where the
clip has changed since, which is a conflict that the report names. What Lode never filled is never emptied.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b

from tui.anki.notes import AnkiNote, AnkiNoteType
from tui.deck.note_type import FIELDS, TEMPLATE_NAME, VALUES
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
    note = None
    if tuple(values) != theirs.fields or set(tags) != set(theirs.tags):
        note = replace(
            ours,
            fields=tuple(values),
            tags=tags,
            changed_at=max(ours.changed_at, theirs.changed_at + 1),
            note_type=note_type.id,
            cards=theirs.cards if note_type.is_cloze else list_cards(note_type, values, theirs.cards),
        )
    return Merged(note, tuple(kept), tuple(conflicts), by_time)


def make_new_note(ours: Note, note_type: AnkiNoteType, places: Sequence[int | None], texts: Mapping[int, str]) -> Note:
    """A note that Anki does not have, in the note type as it is there; ``texts`` are the learner's own, by place."""
    values = [texts.get(at, "") if field is None else ours.fields[field] for at, field in enumerate(places)]
    return replace(ours, fields=tuple(values), note_type=note_type.id, cards=list_cards(note_type, values))


def list_cards(note_type: AnkiNoteType, values: Sequence[str], there: Iterable[int] = ()) -> tuple[int, ...]:
    """Numbers of the cards of a note: those that Anki would make, and those that are there."""
    fields = dict(zip(note_type.fields, values, strict=False))
    made = {number for number, each in enumerate(note_type.templates) if each.is_filled(fields)}
    return tuple(sorted(made.union(there) or {0}))


def find_field_places(note_type: AnkiNoteType, notes: Sequence[tuple[Note, AnkiNote, Sent]]) -> tuple[int | None, ...]:
    """Find for each field of a note type the one of ours that it is, or None: by its name, a renamed one by its values.

    ``notes`` are those of this type, with what is to be in them and what was sent.
    """
    places: list[int | None] = [FIELDS.index(each) if each in FIELDS else None for each in note_type.fields]
    unnamed = [place for place, field in enumerate(places) if field is None]
    left = [field for field in range(len(FIELDS)) if field not in places]
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


def is_changed(note_type: AnkiNoteType) -> bool:
    """Whether the learner changed fields or cards of the note type, so that Anki would not take ours for it."""
    return note_type.fields != FIELDS or tuple(each.name for each in note_type.templates) != (TEMPLATE_NAME,)


def _merged_tags(ours: Sequence[str], theirs: Sequence[str], sent: Sent) -> tuple[str, ...]:
    """Tags of both: without those that Lode sent and has no more, and those that it sent and Anki has no more."""
    mine = {tag.casefold(): tag for tag in ours}
    his = {tag.casefold(): tag for tag in theirs}
    stay = [tag for folded, tag in his.items() if folded in mine or not sent.wrote_tag(folded)]
    added = [tag for folded, tag in mine.items() if folded not in his and not sent.tag_arrived(folded)]
    return (*stay, *added)


_BYTES = 8
_NOTHING = bytes(_BYTES)


@dataclass(frozen=True, slots=True)
class SentVersion:
    """One version of a note: digests of its fields, in the order of the note type, and of its tags, 8 bytes each.

    ``arrived`` tells that this version was seen in Anki, and not only written into a file.
    """

    fields: bytes
    tags: bytes
    arrived: bool = False


class Sent:
    """The versions of a note that Lode ever wrote, the latest last."""

    def __init__(self, versions: Sequence[SentVersion] = ()) -> None:
        self._versions = versions

    def __bool__(self) -> bool:
        return bool(self._versions)

    def wrote(self, field: int, value: str) -> bool:
        """Whether any version had this value in the field."""
        wanted = digest(value)
        return any(_field(version, field) == wanted for version in self._versions)

    def ever_filled(self, field: int) -> bool:
        """Whether any version had something in the field."""
        return any(_field(version, field) != _NOTHING for version in self._versions)

    def changed(self, field: int, value: str) -> bool:
        """Whether the value is another than one that Anki may have got last."""
        wanted = digest(value)
        return any(_field(version, field) != wanted for version in self._candidates)

    def wrote_tag(self, tag: str) -> bool:
        """Whether any version had the tag, in small letters."""
        return any(digest(tag) in _pieces(version.tags) for version in self._versions)

    def tag_arrived(self, tag: str) -> bool:
        """Whether Anki must have got the tag: it is in every version that can be the one that it got last."""
        candidates = self._candidates
        return bool(candidates) and all(digest(tag) in _pieces(version.tags) for version in candidates)

    @property
    def _candidates(self) -> Sequence[SentVersion]:
        """The versions that Anki may have got last: the one that was seen there last, and those written since."""
        at = max((at for at, version in enumerate(self._versions) if version.arrived), default=0)
        return self._versions[at:]


def digest(value: str) -> bytes:
    """Digest of one value, 8 bytes; those of an empty one are zero."""
    return blake2b(value.encode("utf-8", "surrogatepass"), digest_size=_BYTES).digest() if value else _NOTHING


def make_whole_digest(note: Note) -> bytes:
    """Digest of all fields and tags of a note, by which one that was sent before is known at once."""
    return digest("\x1f".join((*note.fields, *note.tags)))


def make_sent_version(note: Note) -> SentVersion:
    """The version of a note that is being sent."""
    tags = sorted(tag.casefold() for tag in note.tags)
    return SentVersion(b"".join(map(digest, note.fields)), b"".join(map(digest, tags)))


def _field(version: SentVersion, field: int) -> bytes:
    """The digest of a field; of one that an older Lode did not have, that of an empty one."""
    return version.fields[field * _BYTES : (field + 1) * _BYTES] or _NOTHING


def _pieces(data: bytes) -> set[bytes]:
    return {data[at : at + _BYTES] for at in range(0, len(data), _BYTES)}
