"""Exports of clips, as a deck or in another format: what became of one, and how it was merged with Anki's notes."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class KeptNote:
    """A note whose edits in Anki stay: the clip, the word that it is of, and the names of those fields.

    ``conflicts`` are those of the fields that have changed in the clip as well.
    """

    clip_id: str
    word: str
    fields: tuple[str, ...]
    conflicts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DeletedNote:
    """A note in Anki whose clip was deleted here: the clip's id, the word, and whether it was edited in Anki since."""

    clip_id: str
    word: str
    edited: bool = False


@dataclass(frozen=True, slots=True)
class MergeReport:
    """Result of merging clips with the notes of an Anki.

    ``source`` is the file or the address of Anki. ``added`` notes are not in Anki, ``updated`` ones get what changed
    here, ``same`` are left as they are. Of ``kept_count`` notes edits stay that were made in Anki, in
    ``conflict_count`` of them the clip has changed too: ``kept`` has the first of them, conflicts before others. For
    ``by_time`` notes it was not known what was sent before, and the later time decided. ``note_types`` are names of
    those that the learner has changed or made, ``not_taken`` the notes that Anki has not taken although they were
    handed over. ``deleted_count`` notes are of clips that were deleted here, in any profile, of which ``deleted`` has
    the first; ``removed`` of them have been taken out of Anki.
    """

    source: str
    added: int
    updated: int
    same: int
    kept_count: int = 0
    conflict_count: int = 0
    kept: tuple[KeptNote, ...] = ()
    by_time: int = 0
    note_types: tuple[str, ...] = ()
    not_taken: int = 0
    deleted_count: int = 0
    deleted: tuple[DeletedNote, ...] = ()
    removed: int = 0


@dataclass(frozen=True, slots=True)
class FilmTrouble:
    """A film that nothing could be cut out of, for so many ``clips``; ``code`` says why, ``message`` to people."""

    path: str
    clips: int
    code: str
    message: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class ExportReport:
    """Result of an export, or of a dry run; the three counts add up to the clips in the file.

    ``written`` is False as well where no clip was selected: then nothing is written. ``remembered``: the next export
    will be compared with this one, and not with the one before; only a deck (``format`` "apkg") is. ``merge`` says how
    the clips were merged with Anki's notes, where they were. ``without_media`` are the films that sounds and pictures
    of clips could not be cut out of, which the file then lacks. ``without_meaning`` are clips whose focus word has no
    meaning, which filling them may bring.
    """

    path: str
    deck: str
    new: int
    changed: int
    same: int
    size_bytes: int
    written: bool
    remembered: bool = True
    format: str = "apkg"
    merge: MergeReport | None = None
    without_media: tuple[FilmTrouble, ...] = ()
    without_meaning: int = 0

    @property
    def clips(self) -> int:
        return self.new + self.changed + self.same

    @property
    def is_deck(self) -> bool:
        return self.format == "apkg"


@dataclass(frozen=True, slots=True)
class MergedDeck:
    """A deck that was merged with the notes of an Anki, or is to be: its report, and the moment of what is in it.

    ``orphans`` are the numbers, in Anki, of the notes whose clips are no more.
    """

    report: ExportReport
    as_of: str
    orphans: tuple[int, ...] = ()
