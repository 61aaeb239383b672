"""Merging the clips of a profile with the notes of an Anki: which notes a package has then, and what is said of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from tui.anki.notes import AnkiNote, AnkiNotes, AnkiNoteType, read_notes
from tui.deck import merge
from tui.deck.note import GUID_PREFIX
from tui.deck.note_fields import OURS, NoteFields, check
from tui.deck.note_type import MODEL_ID
from tui.errors import DeckError, InvalidInput
from tui.records.exports import DeletedNote, KeptNote, MergeReport
from tui.records.notes import Note, NoteFieldsCheck, NoteTypeFields
from tui.text.sanitize import one_line
from tui.vocabulary.notes import read_field_text

if TYPE_CHECKING:
    from tui.store.store import Store
    from tui.store.tables.decks import SentRow

_Places = tuple[int | None, ...]
"""Which of Lode's fields each field of a note type is, None for one of the learner's."""
_MAX_SHOWN = 200
"""Notes with edits that a report names."""


def anki_notes(path: Path, place: Path, fields: NoteFields) -> AnkiNotes:
    """The notes of Lode's in a package or a collection. Blocks, and raises ``ImportRefused``."""
    return read_notes(path, place, GUID_PREFIX, MODEL_ID, fields.note_type)


@dataclass
class Merging:
    """One merge: ``notes`` gives what a package is to have, ``report`` and ``sent_rows`` what came of it.

    ``note_types`` are those that the package is to have as they are in Anki, ``target`` is the one of new notes and
    ``fields`` what goes into it. ``orphans`` are notes that were sent from here and whose clips are no more.
    """

    anki: AnkiNotes
    sent: dict[str, merge.Sent]
    fields: NoteFields
    target: int = MODEL_ID
    note_types: tuple[AnkiNoteType, ...] = ()
    orphans: tuple[AnkiNote, ...] = ()
    sent_rows: list[SentRow] = field(default_factory=list)
    to_write: int = 0
    _added: int = 0
    _same: int = 0
    _by_time: int = 0
    _kept: list[KeptNote] = field(default_factory=list)

    @classmethod
    def of(cls, store: Store, anki: AnkiNotes, fields: NoteFields = OURS, source: str = "") -> Merging:
        """Raises ``DeckError`` where new notes are to be of a note type that Anki does not have so."""
        target = _target(anki, fields, source).id if fields.is_own else MODEL_ID
        used = {note.note_type for note in anki.notes.values()} | {MODEL_ID, target}
        changed = (each for number, each in anki.note_types.items() if number in used)
        types = tuple(each for each in changed if each.id != MODEL_ID or merge.is_changed(each))
        sent = _sent(store)
        ids = {guid.removeprefix(GUID_PREFIX): note for guid, note in anki.notes.items()}
        known = store.clips.existing(ids)
        orphans = tuple(note for clip, note in ids.items() if clip in sent and clip not in known)
        return cls(anki, sent, fields, target, types, orphans)

    def notes(self, rendered: Callable[[], Iterable[Note]]) -> Iterator[Note]:
        """The notes that differ from Anki's, and those that it does not have; what is rendered is read twice."""
        places = self._places(rendered())
        for ours in rendered():
            theirs = self._found(ours)
            here = places.get(self.target if theirs is None else theirs.note_type)
            merged = self._merged(ours, theirs, here)
            sent = ours if here is None else _only(ours, here)
            self.sent_rows.append(sent_row(sent, arrived=merged.note is None))
            self._count(ours, merged)
            if merged.note is not None:
                self.to_write += 1
                yield merged.note

    def report(self, source: str) -> MergeReport:
        kept = sorted(self._kept, key=lambda each: not each.conflicts)
        return MergeReport(
            source,
            added=self._added,
            updated=self.to_write - self._added,
            same=self._same,
            kept_count=len(kept),
            conflict_count=sum(bool(each.conflicts) for each in kept),
            kept=tuple(kept[:_MAX_SHOWN]),
            by_time=self._by_time,
            note_types=tuple(one_line(each.name)[:80] for each in self.note_types),
            deleted_count=len(self.orphans),
            deleted=tuple(map(self._deleted, self.orphans[:_MAX_SHOWN])),
        )

    def _deleted(self, note: AnkiNote) -> DeletedNote:
        clip, note_type = note.guid.removeprefix(GUID_PREFIX), self.anki.note_types.get(note.note_type)
        places: _Places = ()
        if note_type is not None:
            own = note.note_type == self.target and self.fields.is_own
            places = self.fields.places(note_type.fields) if own else merge.find_field_places(note_type, ())
        sent = self._sent_of(note.guid)
        values = zip(places, note.fields, strict=False)
        edited = any(value and field is not None and not sent.wrote(field, value) for field, value in values)
        return DeletedNote(clip, _word(note.fields[0]), edited)

    def _merged(self, ours: Note, theirs: AnkiNote | None, places: _Places | None) -> merge.Merged:
        """The note merged; ``places`` are those of its note type, None where Anki has no such note type yet."""
        if places is None:
            return merge.Merged(ours)
        if theirs is None:
            note_type = self.anki.note_types[self.target]
            texts = self.fields.texts(note_type.fields, ours) if self.fields.is_own else {}
            return merge.Merged(merge.make_new_note(ours, note_type, places, texts))
        return merge.merge(ours, theirs, self.anki.note_types[theirs.note_type], places, self._sent_of(ours.guid))

    def _places(self, rendered: Iterable[Note]) -> dict[int, _Places]:
        """Which of our fields the fields of each note type are."""
        samples: dict[int, list[tuple[Note, AnkiNote, merge.Sent]]] = {number: [] for number in self.anki.note_types}
        for ours in rendered if self.note_types else ():
            theirs = self._found(ours)
            if theirs is not None and len(samples[theirs.note_type]) < merge.SAMPLED:
                samples[theirs.note_type].append((ours, theirs, self._sent_of(ours.guid)))
        found = {
            number: merge.find_field_places(self.anki.note_types[number], each) for number, each in samples.items()
        }
        if self.fields.is_own:
            found[self.target] = self.fields.places(self.anki.note_types[self.target].fields)
        return found

    def _found(self, ours: Note) -> AnkiNote | None:
        theirs = self.anki.notes.get(ours.guid)
        return theirs if theirs is not None and theirs.note_type in self.anki.note_types else None

    def _sent_of(self, guid: str) -> merge.Sent:
        return self.sent.get(guid.removeprefix(GUID_PREFIX), merge.Sent())

    def _count(self, ours: Note, merged: merge.Merged) -> None:
        if merged.note is None:
            self._same += 1
        elif ours.guid not in self.anki.notes:
            self._added += 1
        self._by_time += merged.by_time
        if merged.kept:
            word = _word(ours.fields[0])
            self._kept.append(KeptNote(ours.guid.removeprefix(GUID_PREFIX), word, merged.kept, merged.conflicts))


def _word(value: str) -> str:
    """The word of a note as people read it."""
    return one_line(read_field_text(value).text)[:80]


def _only(note: Note, places: _Places) -> Note:
    """The note with what goes into a note type, and nothing in the other fields."""
    used = set(places)
    return replace(note, fields=tuple(value if field in used else "" for field, value in enumerate(note.fields)))


def _target(anki: AnkiNotes, fields: NoteFields, source: str) -> AnkiNoteType:
    """The note type of the learner's own. Raises ``DeckError`` where it is not as the fields say."""
    there = [NoteTypeFields(each.name, each.fields) for each in anki.note_types.values()]
    if not (found := check(fields, there, source)).usable:
        raise unusable(found)
    target = next(each for each in anki.note_types.values() if each.name == fields.note_type)
    if target.is_cloze:
        raise DeckError(
            f"{one_line(target.name)[:80]!r} is a cloze note type, and what Lode writes has no gaps",
            hint="take one with ordinary cards; Lapis and Kiku have such",
            code="cloze_note_type",
        )
    return target


def only_decks_merged() -> InvalidInput:
    """Error of a merge into a file that is no deck."""
    return InvalidInput("only a deck is merged with Anki's notes", hint="name a file that ends in .apkg")


def unusable(found: NoteFieldsCheck) -> DeckError:
    """Error of fields that do not go with the note type that is there."""
    name, hint = repr(one_line(found.note_type)[:80]), "lode deck fields --check says which; mend them with --set"
    if not found.fields:
        hint = "import the deck that it came with into Anki, or lode deck fields --default for Lode's own"
        return DeckError(f"there is no note type {name}", hint=hint, code="no_note_type")
    if found.unknown:
        first = one_line(found.unknown[0].name)[:80]
        return DeckError(f"the note type {name} has no field {first!r}", hint=hint, code="unknown_note_fields")
    first = one_line(found.fields[0])[:80]
    why = f"the note type {name} gets nothing into its first field {first!r}, without which Anki takes no note"
    return DeckError(why, hint=hint, code="first_note_field_empty")


def sent_row(note: Note, *, arrived: bool = False) -> SentRow:
    """What is remembered of a note that is sent."""
    version = merge.make_sent_version(note)
    return note.guid.removeprefix(GUID_PREFIX), merge.make_whole_digest(note), version.fields, version.tags, arrived


def note_sent(notes: Iterable[Note], rows: list[SentRow], store: Store) -> Iterator[Note]:
    """The notes, while what is to be remembered goes to ``rows``: those that are no longer as they were sent last."""
    latest = store.sent_notes.latest()
    for note in notes:
        if latest.get(note.guid.removeprefix(GUID_PREFIX)) != merge.make_whole_digest(note):
            rows.append(sent_row(note))
        yield note


def _sent(store: Store) -> dict[str, merge.Sent]:
    versions: dict[str, list[merge.SentVersion]] = {}
    for clip, _, fields, tags, arrived in store.sent_notes.each():
        versions.setdefault(clip, []).append(merge.SentVersion(fields, tags, arrived))
    return {clip: merge.Sent(each) for clip, each in versions.items()}
