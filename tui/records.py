"""Records that Lode keeps, as frozen dataclasses; the fields of the resources are those of INTERFACE.md.

Timestamps are RFC 3339 in UTC (``2026-01-31T12:00:00.000Z``), times in media integer milliseconds, ids opaque strings.
Unknown is ``None`` or an empty tuple, never a guess.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, Generic, Literal, TypeVar

T = TypeVar("T")

ID_LENGTH = 12
"""Letters of every id."""
FileKind = Literal["subtitle", "text", "audio", "video"]
Origin = Literal["import", "transcription", "fix"]
FocusOrigin = Literal["llm", "lexicon", "user"]
JobState = Literal["queued", "running", "succeeded", "failed", "cancelled", "interrupted"]
JobOrder = Literal["newest", "attention"]
"""Newest first, or what wants somebody first: what failed, what runs, what waits, then the rest, each newest first."""
CueChange = Literal["repaired", "merged", "labelled", "dropped"]
"""Change that an import made to a cue of a file: mended, made one with others, a part of it put into a field, left out.
"""
JobOutcome = Literal["added", "same", "reread"]
"""Outcome of an import: a new file, one that was there already, or one that was there and was read anew."""
KEPT_BYTES = "kept:"
"""Beginning of the source of a job that reads a file of the library anew: ``kept:<file id>/<name>``."""
AnswerKind = Literal["breakdown", "explanation"]
AnswerState = Literal["complete", "aborted", "failed"]
FindingState = Literal["ok", "absent", "warning", "broken"]


LONGEST_PAGE = 100_000


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """A part of a list: ``items`` from ``offset`` on, out of ``total`` that match.

    ``next`` is an opaque cursor for the place behind the last item, None when nothing follows it. A page that was asked
    for by a cursor has the offset 0.
    """

    items: tuple[T, ...]
    total: int
    offset: int
    next: str | None = None


@dataclass(frozen=True, slots=True)
class ProfileFile:
    """An imported file; its bytes lie in the blob folder under ``sha256``.

    ``transcript_id`` is the newest transcript made from it, ``cue_count`` its cues (None and 0 once it is gone).
    ``encoding`` is Python's name of the codec that read it, None for what was imported before that was kept.
    """

    id: str
    name: str
    kind: FileKind
    format: str
    language: str | None
    size_bytes: int
    sha256: str
    duration_ms: int | None
    created_at: str
    transcript_id: str | None = None
    cue_count: int = 0
    encoding: str | None = None


@dataclass(frozen=True, slots=True)
class Transcript:
    """A text in cues; ``file_id`` is None once the file is gone, ``duration_ms`` None without times, else the end.

    ``series``, ``season`` and ``episode`` tell where it belongs; the chapters of a book are episodes of it.
    ``translation_id`` is the transcript that has its translation; what that says at a moment is what is said here
    ``translation_offset_ms`` later.
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


@dataclass(frozen=True, slots=True)
class Ruby:
    """Reading that stands beside a part of a cue's text, as furigana does: of its code points ``start`` to ``end``."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Cue:
    """One timed line of a transcript; ``index`` counts from 0, the times are None in plain texts.

    ``sounds`` are those that a subtitle for the deaf describes while it is shown ("door creaks").
    """

    index: int
    start_ms: int | None
    end_ms: int | None
    text: str
    speaker: str | None = None
    ruby: tuple[Ruby, ...] = ()
    sounds: tuple[str, ...] = ()


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
class EncodingReading:
    """Lines of a file as they read in an encoding, the same ones in every reading of it.

    ``encoding`` is its name as it can be given where the file is added, ``language`` the tag of the language that the
    text makes sense in then, None where that is not clear.
    """

    encoding: str
    language: str | None
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TranslationPair:
    """A transcript that was given a translation track, and how many of its cues that has a translation for."""

    transcript: Transcript
    translated_cues: int


@dataclass(frozen=True, slots=True)
class FocusWord:
    """The word under study as it stands in its sentence.

    ``surface`` may leave out words between its parts ("fährt … ab"); ``frequency`` counts in the own library.
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


@dataclass(frozen=True, slots=True)
class NewClip:
    """Contents of a clip: a sentence, its focus word, an explanation (Markdown); all but the sentence may be missing.

    Its fields are said here only: database columns, request bodies and JSON follow. ``text/clip_fields.py`` says how
    people see them. ``source`` is the transcript's title.
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Clip(NewClip):
    """A clip as the library keeps it."""

    id: str
    created_at: str
    updated_at: str

    def contents(self) -> NewClip:
        """The clip without what the library added: to be kept once more, or edited."""
        return NewClip(**{field.name: getattr(self, field.name) for field in fields(NewClip)})


@dataclass(frozen=True, slots=True)
class NewTemplate:
    """The written fields of a profile's template; model selectors are ``provider:model``."""

    model: str
    prompt: str
    sys_msg: str
    srt_model: str = ""
    srt_sys_msg: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LlmTemplate(NewTemplate):
    """A profile's saved template, at most one per profile."""

    created_at: str
    updated_at: str


@dataclass(frozen=True, slots=True)
class Job:
    """Long work that survives its process as a record; ``progress`` runs from 0 to 1, ``source`` is what it works on.

    Where that was fetched from an address, this stands in the second line of ``source``; nothing opens it again.
    ``error`` has the cause in its first line and, where there is one, the next step in its second. ``outcome`` is what
    one that succeeded came to, ``suggested_encoding`` the one to name where a file was refused for want of it.
    """

    id: str
    file_id: str | None
    kind: str
    state: JobState
    progress: float
    message: str
    error: str | None
    source: str
    created_at: str
    updated_at: str
    outcome: JobOutcome | None = None
    suggested_encoding: str | None = None

    @property
    def is_over(self) -> bool:
        return self.state not in ("queued", "running")

    @property
    def is_rereading(self) -> bool:
        """Whether it reads a file that was there anew, from the bytes that are kept of it."""
        return self.source.startswith(KEPT_BYTES)


@dataclass(frozen=True, slots=True)
class UploadJob(Job):
    """The first job of what was sent, and ``jobs``: all of them, one for each file of an archive."""

    jobs: tuple[Job, ...] = ()


def upload_job(jobs: tuple[Job, ...]) -> UploadJob:
    """Make the answer to an upload of its jobs."""
    return UploadJob(**{field.name: getattr(jobs[0], field.name) for field in fields(Job)}, jobs=jobs)


@dataclass(frozen=True, slots=True)
class Answer:
    """One breakdown or explanation as it was given, kept also when aborted; ``prompt`` is the rendered prompt.

    ``first_token_ms`` is how long its first text took, None where none came. The token counts are the provider's, None
    where it gave none; they are a part of the truth for an answer that is not complete. ``cut`` tells that the model
    stopped at its limit of length.
    """

    id: str
    kind: AnswerKind
    model: str
    sentence: str
    focus: str
    context: str
    prompt: str
    sys_msg: str
    focus_word: FocusWord | None
    text: str
    state: AnswerState
    error: str | None
    input_tokens: int | None
    output_tokens: int | None
    duration_ms: int
    created_at: str
    first_token_ms: int | None = None
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens and time that the kept answers of one model took in one month (``2026-11``, in local time).

    ``uncounted`` is how many of them have no token counts, or only some because they were broken off: with any, the
    true sums are higher. The lexicon uses no tokens, so its answers are never among them.
    """

    month: str
    model: str
    answers: int
    uncounted: int
    input_tokens: int
    output_tokens: int
    duration_ms: int


@dataclass(frozen=True, slots=True)
class ProfileSummary:
    """A profile of the library, and how many of each it has."""

    name: str
    files: int
    transcripts: int
    clips: int


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at, what it is like, and the next step where one is needed.

    ``absent`` is what is not set up and need not be. ``first_text_ms`` is how long a model that was asked took.
    """

    group: str
    subject: str
    state: FindingState
    message: str
    hint: str = ""
    first_text_ms: int | None = None


@dataclass(frozen=True, slots=True)
class ProviderStatus:
    """State of a provider: whether it can be used here; ``reason`` says what is missing when it can't, never a secret.

    ``code`` is the same for programs (``missing_key``, ``unreachable`` …), ``hint`` what to do about it.
    ``well_known`` are names of its models that stand in for its own list where it gives none.
    """

    provider: str
    label: str
    available: bool
    reason: str
    local: bool
    well_known: tuple[str, ...] = ()
    code: str = ""
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Deletion:
    """Records that one deletion took; one undo brings all of them back."""

    count: int
    job_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Restored:
    """Records that an undo brought back: ``kind`` is file, transcript, clip, template …

    It is reading for the cues that a transcript had before its file was read anew, edit for its title and language.
    """

    kind: str
    count: int
    summary: str


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


@dataclass(frozen=True, slots=True)
class TranscriptExport:
    """A transcript that was written to a file; ``format`` is the name of one of ``exporting/formats.py``."""

    transcript_id: str
    path: str
    format: str
    size_bytes: int


@dataclass(frozen=True, slots=True)
class ExportReport:
    """Result of an export, or of a dry run; the three counts add up to the notes in the deck.

    ``remembered``: the next export will be compared with this one, and not with the one before.
    """

    path: str
    deck: str
    new: int
    changed: int
    same: int
    size_bytes: int
    written: bool
    remembered: bool = True


def to_json(record: Any) -> Any:
    """The JSON value of a record: dataclasses as objects in field order, tuples as arrays."""
    if is_dataclass(record) and not isinstance(record, type):
        return {field.name: to_json(getattr(record, field.name)) for field in fields(record)}
    if isinstance(record, (list, tuple)):
        return [to_json(item) for item in record]
    return record
