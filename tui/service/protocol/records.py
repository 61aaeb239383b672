"""Protocols of what is kept and listed: files, transcripts, clips, answers and jobs.

Lists come in pages, newest first or as ``sort`` says (``records/sorting.py``): ``limit`` rows from ``offset`` on or,
whatever is added and deleted meanwhile, those that follow the page whose ``next`` is given as ``after``. They are
searched with ``q``: words are matched as prefixes in any order, in scripts without spaces as substrings.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterable, Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypedDict, TypeVar, Unpack

from tui.errors import ImportRefused
from tui.records import transcripts
from tui.records.answers import Answer, Usage
from tui.records.clip_selection import ALL_CLIPS, ClipSelection
from tui.records.clips import Clip, FillReport, KeptClip, NewClip, TagCount
from tui.records.files import EncodingReading, ProfileFile
from tui.service.protocol.operation import Operation

if TYPE_CHECKING:
    from tui.records.deletion import Deletion
    from tui.records.jobs import Job, UploadJob
    from tui.records.library import Moved
    from tui.records.pages import Page
    from tui.records.sorting import RowGroup
    from tui.service.protocol import arguments as args
    from tui.service.protocol.words import CueWords

T = TypeVar("T")

AddProgress = Callable[[str, int, int], None]
"""Callback with a folder that is searched or an address that is fetched (and 0, 0), or a file that is sent: its name,
its number, of how many."""


class ImportChoice(TypedDict, total=False):
    """Options of files that are added: their language and encoding, and whether that encoding is forced."""

    language: str | None
    encoding: str | None
    force: bool


class PartlySent(ImportRefused):
    """Files that could not be sent to the server, ``refused`` with the reasons; ``jobs`` import the others."""

    jobs: tuple[Job, ...] = ()
    refused: tuple[tuple[str, ImportRefused], ...] = ()


class Records(Protocol[T]):
    """Operations on the records of every kind."""

    @Operation("GET", "{path}", "list_{many}")
    async def page(
        self, *, offset: int = 0, limit: int = 100, q: str = "", after: str | None = None, sort: args.SortName = ""
    ) -> Page[T]:
        """Newest first unless told otherwise."""

    @Operation("GET", "{path}/groups", "{many}_groups")
    async def find_groups(self, sort: args.SortName, *, q: args.Search = "") -> tuple[RowGroup, ...]:
        """What the rows of a sorted list have in common, in their order, with how many they are.

        By series, source, tags or age, which gives days. Raises ``InvalidInput`` for other columns, and for a list of
        more than 20000 rows.
        """

    @Operation("GET", "{path}/{{one}_id}", "get_{one}")
    async def get(self, record_id: str, /) -> T:
        """The one with this id."""

    @Operation("DELETE", "{path}/{{one}_id}", "delete_{one}", 204)
    @Operation("POST", "{path}/delete", "delete_{many}")
    async def delete(self, *record_ids: str) -> Deletion:
        """Delete them, all or none; one undo brings all of them back. The clips of a transcript stay."""


class NamedRecords(Records[T], Protocol[T]):
    """Operations on records that have names."""

    @Operation("GET", "{path}/named", "{many}_named")
    async def find_named(self, name: args.Named) -> tuple[T, ...]:
        """The records that a name can mean, newest first: several where it does not say which, none for no such name.

        A name is the title; the whole path of the film; the file's name or a path that ends in it; or a beginning of
        the title. Each of these counts only where none before it is there. Case is nothing, but in the paths of films.
        """


class Files(NamedRecords[ProfileFile], Protocol):
    async def add(
        self, paths: Sequence[str | Path], *, on_progress: AddProgress | None = None, **choice: Unpack[ImportChoice]
    ) -> tuple[Job, ...]:
        """Queue one import job per file; directories, archives and globs are expanded (sorted, files of known endings
        only), the episodes of a series put together, the last first. What is at an address is fetched here, by this
        process.

        An encoding under which a file would be gibberish is refused by its job, unless it is forced.
        Raises ``ImportRefused`` and queues nothing when a path is missing or holds nothing to import, and
        ``PartlySent`` where files that were to be sent to a server could not be read.
        """

    async def add_content(self, name: str, content: bytes, **choice: Unpack[ImportChoice]) -> tuple[Job, ...]:
        """Queue the import of what is in no file, pasted or piped: ``name`` is what its file is to be called.

        Raises ``ImportRefused`` for more bytes than a file may have.
        """

    @Operation("POST", "/profiles/files", "upload_file", 202)
    async def add_upload(
        self,
        name: args.UploadName,
        pieces: AsyncIterable[bytes],
        *,
        language: args.UploadLanguage = None,
        encoding: args.UploadEncoding = None,
        force: args.UploadForced = False,
    ) -> UploadJob:
        """The body is the file; the answer is the job that imports it.

        An archive (ZIP, tar, also with gzip, bzip2 or xz) is taken for the files in it, each of which has a job of its own:
        the answer is the first of them, and `jobs` are all. One that cannot be imported fails by itself and says why.
        """  # noqa: E501 - its lines are those of /openapi.json

    @Operation("POST", "/profiles/files/samples", "add_samples", 202)
    async def add_samples(self) -> tuple[Job, ...]:
        """Queue the import of the sample library that ships with Lode."""

    @Operation("POST", "/profiles/files/{file_id}/reread", "reread_file", 202, body="Rereading")
    @Operation("POST", "/profiles/files/reread", "reread_files", 202, body="RereadingFiles")
    async def reread(
        self,
        *file_ids: str,
        language: args.FileLanguage = None,
        encoding: args.FileEncoding = None,
        force: args.Forced = False,
        as_is: args.AsIs = False,
    ) -> tuple[Job, ...]:
        """Queue one job per file that reads it anew from its kept bytes, wherever the file itself is by now.

        Its transcripts keep their ids and get other cues where they are others, which undo takes back; clips keep their
        text, and say which of the new cues they are of. What was named before holds unless it is named anew. ``as_is``
        leaves the cues as the file has them, uncleaned. Raises ``NotFound`` and queues nothing where there is no file.
        """

    @Operation("GET", "/profiles/files/{file_id}/readings", "readings_of_file")
    async def readings(self, file_id: str) -> tuple[EncodingReading, ...]:
        """Readings of the kept bytes of a file in the encodings that it is likeliest to be in, the likeliest first."""

    @Operation("DELETE", "/profiles/files/{file_id}", "delete_file")
    @Operation("POST", "/profiles/files/delete", "delete_files")
    async def delete(self, *file_ids: str) -> Deletion:
        """Delete files with their jobs (running ones are cancelled first); transcripts and clips stay.

        One undo brings all of them back.
        """

    @Operation("POST", "/profiles/files/jobs_of", "jobs_of", asks=True)
    async def jobs_of(self, *file_ids: str) -> tuple[Job, ...]:
        """The jobs that would go with these files."""

    @Operation("POST", "/profiles/files/move", "move_files", body="MovedFiles")
    async def move(self, *file_ids: str, to: args.TargetProfile, dry_run: args.MoveDryRun = False) -> Moved:
        """Move files to another profile, with their jobs, transcripts and the clips of these; all or none.

        What is known of words, answers and decks stay with the profile. One undo takes it back.
        Raises ``InvalidInput`` where the other profile has such a file (``file_exists``), while one is imported
        (``file_at_work``), and for more than half a million cues (``too_much``).
        """


class Transcripts(NamedRecords[transcripts.Transcript], Protocol):
    @Operation("GET", "/profiles/transcripts", "list_transcripts", by_hand=True)
    async def page(
        self, *, offset: int = 0, limit: int = 100, q: str = "", after: str | None = None, sort: args.SortName = ""
    ) -> Page[transcripts.Transcript]:
        """Newest first unless told otherwise; over HTTP with the counts of their words where they are asked for."""

    @Operation("GET", "/profiles/transcripts/{transcript_id}/cues", "list_cues")
    async def cues(
        self, transcript_id: str, *, offset: int = 0, limit: int = 200, after: str | None = None
    ) -> Page[transcripts.Cue]:
        """The cues in their order."""

    @Operation("GET", "/profiles/transcripts/{transcript_id}/sentences", "list_sentences")
    async def sentences(
        self, transcript_id: str, *, offset: int = 0, limit: int = 200, after: str | None = None
    ) -> Page[transcripts.Sentence]:
        """The whole sentences, each with the span of the cues that it stands in.

        Ask for the next page with its cursor: one that is asked for by its offset has to count all before it.
        """

    @Operation("GET", "/profiles/transcripts/{transcript_id}/changes", "list_changes")
    async def changes(
        self, transcript_id: str, *, offset: int = 0, limit: int = 200, after: str | None = None
    ) -> Page[transcripts.OriginalCue]:
        """The cues that the import changed, as they stood in the file."""

    @Operation("GET", "/profiles/transcripts/{transcript_id}/words", "words_of_cues")
    async def words(
        self, transcript_id: str, *, offset: args.Offset = 0, limit: args.Limit = 200
    ) -> tuple[CueWords, ...]:
        """The words of these cues, where a segmenter of the transcript's language is installed; else nothing.

        Nothing means that they are cut as ``language.words`` does it, wherever that is called. A reading of Japanese is
        in hiragana, of Chinese in pinyin, and None where the text says it.
        """

    @Operation("GET", "/profiles/transcripts/{transcript_id}/find", "find_cues")
    async def find(self, transcript_id: str, q: args.Search, *, limit: args.Hits = 10_000) -> tuple[int, ...]:
        """The indexes of the cues that match, in order."""

    @Operation("GET", "/profiles/transcripts/{transcript_id}/place", "get_place")
    async def place(self, transcript_id: str) -> transcripts.ReadingPlace | None:
        """The place at which the transcript was left, wherever it was read; None before that."""

    @Operation("PUT", "/profiles/transcripts/{transcript_id}/place", "leave_at")
    async def leave_at(self, transcript_id: str, place: transcripts.ReadingPlace) -> transcripts.ReadingPlace:
        """Keep the place at which the transcript is left. No undo takes it back."""

    @Operation("GET", "/profiles/transcripts/last_read", "list_last_read")
    async def last_read(self, *, limit: args.Limit = 1) -> tuple[transcripts.LastRead, ...]:
        """The transcripts that were left last, wherever they were read, the last one first."""

    @Operation("GET", "/profiles/transcripts/{transcript_id}/notes", "list_notes")
    async def notes(self, transcript_id: str) -> tuple[transcripts.CueNote, ...]:
        """The notes at its cues, in order."""

    @Operation("PUT", "/profiles/transcripts/{transcript_id}/cues/{index}/note", "note_at", body="CueNoteText")
    async def note(self, transcript_id: str, cue_index: args.CueIndex, text: args.NoteText) -> transcripts.CueNote:
        """Put a note at a cue in the place of the one that is there; "" takes it away. Undo brings back what was.

        Another reading of the file moves it to the cue of that moment. Raises ``InvalidInput`` for a cue that there is
        none of, and for a text that is too long.
        """

    @Operation("PATCH", "/profiles/transcripts/{transcript_id}", "edit_transcript", body="TranscriptChanges")
    async def edit(
        self, transcript_id: str, *, title: args.Title = None, language: args.NewTag = None
    ) -> transcripts.Transcript:
        """Give a transcript another title or language; None leaves it as it is, "" is an unknown language.

        Its cues and clips stay as they are; searches and word counts go by the new language. Undo takes it back. Some
        seconds for a hundred thousand cues. Raises ``InvalidInput`` for what is no title or no language tag.
        """

    @Operation("PUT", "/profiles/transcripts/{transcript_id}/translation", "pair_transcript", body="TranslationTrack")
    async def pair(
        self, transcript_id: str, translation_id: str, *, offset_ms: args.Milliseconds = None
    ) -> transcripts.TranslationPair:
        """Give a transcript another one as its translation track, instead of the one that it may have.

        What the track says at a moment is what is said ``offset_ms`` later; without it the offset is found by their
        times. Raises ``InvalidInput`` with the code ``no_offset`` where there is none at which they go together,
        ``no_times`` where one has none, and ``same_transcript``.
        """

    @Operation("DELETE", "/profiles/transcripts/{transcript_id}/translation", "unpair_transcript")
    async def unpair(self, transcript_id: str) -> transcripts.Transcript:
        """Let a transcript have no translation track any more; the other transcript stays."""

    @Operation("GET", "/profiles/transcripts/{transcript_id}/translations", "list_translations")
    async def translations(
        self, transcript_id: str, *, offset: args.Offset = 0, limit: args.Limit = 200
    ) -> tuple[str, ...]:
        """The translations of the cues from ``offset`` on, "" where the track says nothing or there is none."""

    @Operation("GET", "/profiles/transcripts/{transcript_id}/export", "export_transcript", by_hand=True, streams=True)
    def stream_export(self, transcript_id: str, format: args.ExportFormat) -> AsyncGenerator[bytes, None]:
        """Yield the transcript as a file of a format (``srt``, ``vtt``, ``txt``, ``json``), piece by piece.

        Raises ``InvalidInput``, before anything is yielded, for a format that there is none of (``unknown_format``) or
        that needs times where there are none (``no_times``).
        """

    async def export(
        self, transcript_id: str, path: str | Path, *, format: str = "", overwrite: bool = False
    ) -> transcripts.TranscriptExport:
        """Write the transcript to a file of this machine, in the format that its ending names unless one is given.

        Raises as ``stream_export`` does, and ``InvalidInput`` where it cannot be written, with ``target_exists``
        where there is a file already that is not to be overwritten. Then all is as it was.
        """

    @Operation("POST", "/profiles/transcripts/move", "move_transcripts", body="MovedTranscripts")
    async def move(self, *transcript_ids: str, to: args.TargetProfile, dry_run: args.MoveDryRun = False) -> Moved:
        """Move transcripts to another profile, with their clips, and with a file whose last ones they are; all or none.

        One undo takes it back. Raises ``InvalidInput`` as the move of files does.
        """


class Bookmarks(Records[transcripts.Bookmark], Protocol):
    @Operation("GET", "/profiles/transcripts/{transcript_id}/bookmarks", "bookmarks_of", tag="transcripts")
    async def of(self, transcript_id: str) -> tuple[transcripts.Bookmark, ...]:
        """The bookmarks of a transcript, in the order of its cues."""

    @Operation(
        "PUT", "/profiles/transcripts/{transcript_id}/cues/{index}/bookmark", "put_bookmark", body="BookmarkName"
    )
    async def put(
        self, transcript_id: str, cue_index: args.CueIndex, *, name: args.BookmarkName = None
    ) -> transcripts.Bookmark:
        """Set a bookmark at a cue, or give the one that is there another name; without one it keeps what it has.

        Another reading of the file moves it to the cue of that moment. Undo takes it back. Raises ``InvalidInput`` for
        a cue that there is none of, and for a name that is too long.
        """


class Clips(Records[Clip], Protocol):
    @Operation("GET", "/profiles/transcripts/{transcript_id}/clip_cues", "cues_with_clips", tag="transcripts")
    async def cues_of(self, transcript_id: str) -> tuple[int, ...]:
        """The indexes of the transcript's cues that have clips, in order."""

    @Operation("GET", "/profiles/transcripts/{transcript_id}/cues/{index}/has_clip", "has_clip", tag="transcripts")
    async def has(self, transcript_id: str, cue_index: args.CueIndex, surface: args.WordText = "") -> bool:
        """Whether a cue has a clip with exactly this focus word ("": a clip without one)."""

    @Operation("POST", "/profiles/clips", "add_clip", 201)
    async def add(self, clip: NewClip) -> Clip:
        """Add a clip, which undo takes back."""

    @Operation("POST", "/profiles/clips/keep", "keep_clip")
    async def keep(self, clip: NewClip, *, asked: args.AskedWord = "") -> KeptClip:
        """Add a clip, unless there is one of the same sentence (the same cue) and focus word: that gets what it lacks.

        Nothing that stands in it is replaced; an explanation that goes on where it ends is. ``asked`` is the word as
        it was asked about, where the clip's own is more of it ("fährt … ab"). Undo takes back whichever it was.
        """

    @Operation("PUT", "/profiles/clips/{clip_id}", "edit_clip")
    async def edit(self, clip_id: str, clip: NewClip) -> Clip:
        """Replace the clip's contents; ``updated_at`` moves only when something changed. Undo takes it back."""

    @Operation("POST", "/profiles/clips/fill", "fill_clips")
    async def fill(self, selection: ClipSelection = ALL_CLIPS, *, dry_run: args.DryRun = False) -> FillReport:
        """Fill what these clips lack with what dictionaries and translation tracks say by now; one undo takes it back.

        What stands in them stays, and ``updated_at`` moves only of those that got something. Some milliseconds a clip.
        """

    @Operation("POST", "/profiles/clips/tags", "count_tags", asks=True)
    async def tags(self, selection: ClipSelection = ALL_CLIPS) -> tuple[TagCount, ...]:
        """The tags of the profile's clips, the most frequent first, and how many of a selection have each.

        All clips are read for it, a million in some seconds.
        """

    @Operation("POST", "/profiles/clips/tag", "tag_clips")
    async def tag(
        self, selection: ClipSelection = ALL_CLIPS, *, add: args.NewTags = "", remove: args.OldTags = ""
    ) -> int:
        """Give the clips of a selection tags, and take others away; gives how many have other tags then.

        Tags stand apart by spaces or commas; upper and lower case are the same. ``updated_at`` moves only where
        something changed, and one undo takes it back. Raises ``InvalidInput`` where there is no tag (``no_tag``) and
        for more than 100 000 clips (``too_many_clips``).
        """

    @Operation("POST", "/profiles/clips/move", "move_clips", body="MovedClips")
    async def move(self, *clip_ids: str, to: args.TargetProfile, dry_run: args.MoveDryRun = False) -> Moved:
        """Move clips to another profile, with sound and picture; all or none.

        They do not say any more which transcript they are from, as that stays. To the decks of the other profile they
        are new. One undo takes it back. Raises ``InvalidInput`` for more than 100 000 (``too_much``).
        """


class History(Records[Answer], Protocol):
    @Operation("GET", "/profiles/usage", "usage")
    async def usage(self, *, month: args.Month = "") -> tuple[Usage, ...]:
        """Tokens and time of the kept answers per month and model, newest month first; ``month`` ("2026-11") names one.

        Raises ``InvalidInput`` for what is no month.
        """


class Jobs(Protocol):
    @Operation("GET", "/profiles/jobs", "list_jobs")
    async def page(
        self,
        *,
        offset: int = 0,
        limit: int = 100,
        q: str = "",
        after: str | None = None,
        sort: args.SortName = "",
        order: args.JobsFirst = "newest",
    ) -> Page[Job]:
        """Newest first unless told otherwise."""

    @Operation("GET", "/profiles/jobs/{job_id}", "get_job")
    async def get(self, job_id: str) -> Job:
        """The one with this id."""

    @Operation("GET", "/profiles/jobs_running", "running_jobs")
    async def running(self) -> int:
        """Number of jobs that are queued or running."""

    @Operation("POST", "/profiles/jobs", "start_job", 202, body="NewJob")
    async def start(self, kind: args.JobKind, source: str = "") -> Job:
        """Queue a job of a kind that people start, on what ``source`` names; raises ``NotFound`` for no such kind."""

    @Operation("POST", "/profiles/jobs/{job_id}/cancel", "cancel_job")
    @Operation("POST", "/profiles/jobs/cancel", "cancel_jobs")
    async def cancel(self, *job_ids: str) -> tuple[Job, ...]:
        """Stop jobs, and wait for those at work here; those that are over stay as they are."""

    @Operation("POST", "/profiles/jobs/{job_id}/retry", "retry_job")
    async def retry(self, job_id: str) -> Job:
        """Queue the work of a job that is over again; raises ``InvalidInput`` for one that succeeded or still runs."""

    @Operation("GET", "/profiles/jobs/{job_id}/readings", "readings_of_job")
    async def readings(self, job_id: str) -> tuple[EncodingReading, ...]:
        """Readings of an import's file in the encodings that it is likeliest to be in, the likeliest first.

        Raises ``ImportRefused`` where the file is gone.
        """

    @Operation("POST", "/profiles/jobs/{job_id}/retry_in", "retry_job_in", body="ChosenEncoding")
    async def retry_in(self, job_id: str, encoding: args.EncodingName) -> tuple[Job, ...]:
        """Queue a refused import again in this encoding; with it those of its directory that can be in it too.

        The first job is the one that was named, which is imported in it whatever it reads like. Raises
        ``InvalidInput`` for no such encoding, and as ``retry`` does.
        """

    def follow(self, job_ids: Sequence[str]) -> AsyncGenerator[Job, None]:
        """Iterate over the changes of these jobs, until all of them are over."""
