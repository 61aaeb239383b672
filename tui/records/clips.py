"""Clips, their focus words, and the sentences around a word."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Literal

ExportState = Literal["never", "changed", "same"]
"""State of a clip against the decks that it was exported in: in none, in one as it was before, in one as it is."""
EXPORT_STATE_WORDS: Mapping[ExportState, str] = {"never": "new", "changed": "changed", "same": "exported"}
"""Names that people use for the state of a clip against its decks, and search for."""
FocusOrigin = Literal["llm", "lexicon", "user"]
MAX_TAGGED = 100_000
"""Clips that are tagged at once at most."""


@dataclass(frozen=True, slots=True)
class FocusWord:
    """The word under study as it stands in its sentence.

    ``surface`` may leave out words between its parts ("fährt … ab"). ``frequency`` counts in the own library,
    ``commonness`` is what a frequency dictionary says, with its title ("345 in JPDB").
    ``dictionary`` is the title of the dictionary that the meanings are from, and its licence ("Wiktionary · CC BY-SA");
    of a model's focus the one whose entry it chose. None where they are from none.
    """

    surface: str
    lemma: str | None = None
    reading: str | None = None
    part_of_speech: str | None = None
    grammar: str | None = None
    meanings: tuple[str, ...] = ()
    level: str | None = None
    language: str | None = None
    frequency: int | None = None
    origin: FocusOrigin = "user"
    dictionary: str | None = None
    commonness: str | None = None


@dataclass(frozen=True, slots=True)
class NewClip:
    """Contents of a clip: a sentence, its focus word, an explanation (Markdown); all but the sentence may be missing.

    Its fields are said here only: database columns, request bodies and JSON follow. ``text/clip_fields.py`` says how
    people see them. ``source`` is the transcript's title, ``sentence_reading`` the sentence with readings in it as Anki
    writes them: これは 昨日[きのう]の.
    """

    sentence: str
    transcript_id: str | None = None
    file_id: str | None = None
    cue_index: int | None = None
    start_ms: int | None = None
    end_ms: int | None = None
    context: str = ""
    translation: str = ""
    focus: FocusWord | None = None
    explanation: str = ""
    model: str = ""
    tags: tuple[str, ...] = ()
    note: str = ""
    source: str = ""
    sentence_reading: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Clip(NewClip):
    """A clip as the library keeps it; ``stream_export`` is told of all decks of the profile, whatever their names.

    ``audio`` and ``picture`` are the SHA-256 of its sound and picture, None without one: MP3 and JPEG, but for what
    other programs sent, which players and browsers tell by its first bytes. ``voice`` names the machine's voice that
    speaks in the sound, None of one that was recorded. ``language`` is that of its focus word or, where that says none,
    of its transcript.
    """

    id: str
    created_at: str
    updated_at: str
    exported: ExportState = "never"
    audio: str | None = None
    picture: str | None = None
    voice: str | None = None
    language: str | None = None

    def contents(self) -> NewClip:
        """The clip without what the library added: to be kept once more, or edited."""
        return NewClip(**{field.name: getattr(self, field.name) for field in fields(NewClip)})


@dataclass(frozen=True, slots=True)
class KeptClip:
    """A clip that was to be kept: it was added, or one of the same sentence and word was there.

    That was completed with what it lacked, or it lacked nothing ("same").
    """

    clip: Clip
    outcome: Literal["added", "completed", "same"]


@dataclass(frozen=True, slots=True)
class FilledClip:
    """A clip with what it lacked: ``filled`` are names of fields, those of its focus word among them."""

    clip: Clip
    filled: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FillReport:
    """Result of filling clips, or of a dry run: of so many that were ``looked_at`` those that got something.

    ``without_meaning`` are those of them whose focus word still has no meaning.
    """

    looked_at: int
    filled: tuple[FilledClip, ...]
    without_meaning: int


@dataclass(frozen=True, slots=True)
class TagCount:
    """A tag, how many clips of the profile have it, and how many of those that were asked about."""

    tag: str
    clips: int
    chosen: int


@dataclass(frozen=True, slots=True)
class ConcordanceLine:
    """Another sentence of the library with the same word, at the code points ``start`` to ``end`` of ``text``."""

    text: str
    start: int
    end: int
    title: str
    transcript_id: str
    cue_index: int
    start_ms: int | None
