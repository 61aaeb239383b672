"""Transcripts, their cues and sentences, and what an import changed in them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from tui.records.search import CueHit

MAX_TITLE = 1000
"""Maximum characters of a transcript's title."""
MAX_CUE_NOTE = 2_000
"""Maximum characters of a note at a cue."""
MAX_BOOKMARK_NAME = 200
"""Maximum characters of a bookmark's name."""
MAX_CUE_TEXT = 20_000
"""Maximum characters of a cue's text that is written by hand."""
MAX_TIME_MS = 3_600_000_000
"""Latest time that a cue is given by hand: that of a thousand hours."""
Origin = Literal["import", "transcription", "translation", "fix"]


CueChange = Literal["repaired", "merged", "labelled", "dropped"]
"""Change that an import made to a cue of a file: mended, made one with others, a part of it put into a field, left out.
"""


@dataclass(frozen=True, slots=True)
class Transcript:
    """A text in cues; ``file_id`` is None once the file is gone, ``duration_ms`` None without times, else the end.

    ``series``, ``season`` and ``episode`` tell where it belongs; the chapters of a book are episodes of it.
    ``translation_id`` is the transcript that has its translation; what that says at a moment is what is said here
    ``translation_offset_ms`` later. ``hit`` is set in a list that was searched, where only a cue matches. ``read_cues``
    are those from its start that are read, None where it was never opened. ``fixed_at`` is when a review of its cues
    was applied last, None where none was.
    """

    id: str
    file_id: str | None
    title: str
    language: str | None
    origin: Origin
    cue_count: int
    duration_ms: int | None
    created_at: str
    series: str = ""
    season: int | None = None
    episode: int | None = None
    translation_id: str | None = None
    translation_offset_ms: int | None = None
    hit: CueHit | None = None
    read_cues: int | None = None
    fixed_at: str | None = None


@dataclass(frozen=True, slots=True)
class ReadingPlace:
    """Place at which a transcript was left: a cue and, in it, a word, both counted from 0.

    ``read_cues`` is how many cues from its start are read; of those that were ever told, the most count.
    """

    cue_index: int
    word_index: int = 0
    read_cues: int = 0


@dataclass(frozen=True, slots=True)
class LastRead:
    """A transcript that was read, and where and when it was left; the cue there begins at ``start_ms``."""

    transcript: Transcript
    place: ReadingPlace
    start_ms: int | None
    left_at: str


@dataclass(frozen=True, slots=True)
class CueNote:
    """Note that somebody wrote of a sentence: at the cue in which it begins. ``text`` "" is none."""

    cue_index: int
    text: str
    updated_at: str


@dataclass(frozen=True, slots=True)
class Bookmark:
    """Place in a transcript that somebody wants to come back to: a cue, with its time and its text.

    ``name`` is what they call it, "" for nothing; title, series and language are those of the transcript.
    """

    id: str
    transcript_id: str
    cue_index: int
    name: str
    title: str
    series: str
    season: int | None
    episode: int | None
    language: str | None
    start_ms: int | None
    text: str
    created_at: str


@dataclass(frozen=True, slots=True)
class Ruby:
    """Reading that stands beside a part of a cue's text, as furigana does: of its code points ``start`` to ``end``."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class WordTime:
    """Time at which a word of a cue is said: that of its code points ``start`` to ``end``."""

    start: int
    end: int
    start_ms: int
    end_ms: int


CueDoubt = Literal["loop", "silence"]
"""Reason not to trust a cue that a model has heard: it says the same again and again, or nobody speaks there."""


@dataclass(frozen=True, slots=True)
class Cue:
    """One timed line of a transcript; ``index`` counts from 0, the times are None in plain texts.

    ``sounds`` are those that a subtitle for the deaf describes while it is shown ("door creaks"). ``words`` are the
    times of its words, in order, where a transcription has them.
    """

    index: int
    start_ms: int | None
    end_ms: int | None
    text: str
    speaker: str | None = None
    ruby: tuple[Ruby, ...] = ()
    sounds: tuple[str, ...] = ()
    words: tuple[WordTime, ...] = ()
    doubt: CueDoubt | None = None


@dataclass(frozen=True, slots=True)
class EditedCues:
    """Result of an edit by hand: the ``cues`` that it wrote, how many the transcript has now, and how long it is."""

    cues: tuple[Cue, ...]
    cue_count: int
    duration_ms: int | None


@dataclass(frozen=True, slots=True)
class Sentence:
    """A whole sentence of a transcript, of the cues ``first_cue`` to ``last_cue``, whose span of time it has.

    ``index`` counts the sentences from 0. Its text is on one line.
    """

    index: int
    start_ms: int | None
    end_ms: int | None
    text: str
    speaker: str | None
    first_cue: int
    last_cue: int


@dataclass(frozen=True, slots=True)
class OriginalCue:
    """A cue as it stood in its file, where the import changed it.

    ``cue_index`` is the cue that it became or became a part of, None for one that was left out. ``reasons`` are codes,
    those of ``importing/cleaning/``.
    """

    cue_index: int | None
    change: CueChange
    reasons: tuple[str, ...]
    start_ms: int | None
    end_ms: int | None
    text: str


@dataclass(frozen=True, slots=True)
class NewTranscript:
    """Contents of a transcript to be kept: ``cues`` ordered by start and indexed from 0.

    Many cues may be read from a file each time that they are iterated over. ``originals`` are those that the import
    changed. ``series`` is that of an episode or the book of a chapter, whose number ``episode`` is then.
    """

    title: str
    language: str | None
    cues: Sequence[Cue]
    originals: Sequence[OriginalCue] = ()
    series: str = ""
    season: int | None = None
    episode: int | None = None


@dataclass(frozen=True, slots=True)
class TranslationPair:
    """A transcript that was given a translation track, and how many of its cues that has a translation for."""

    transcript: Transcript
    translated_cues: int


@dataclass(frozen=True, slots=True)
class TranscriptExport:
    """A transcript that was written to a file; ``format`` is the name of one of ``exporting/formats.py``."""

    transcript_id: str
    path: str
    format: str
    size_bytes: int
