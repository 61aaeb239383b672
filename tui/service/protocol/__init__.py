"""Service protocol: what Lode does for one profile, as the app and the command line see it, wherever the data is.

Everything that takes an id takes any unambiguous prefix of it; ``NotFound`` and ``InvalidInput`` (ambiguous) say which.
All may raise ``StoreError``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, Unpack

from tui.records.clip_selection import ALL_CLIPS, ClipSelection
from tui.service.protocol.operation import Operation

if TYPE_CHECKING:  # dataclasses take a while to make, and nothing before the first frame needs these
    from tui.errors import TemplateError
    from tui.events import BreakdownEvents
    from tui.records.answers import LlmTemplate, NewTemplate, ProviderStatus
    from tui.records.deletion import Deletion
    from tui.records.exports import ExportReport
    from tui.records.jobs import Job
    from tui.records.library import Finding, ProfileSummary, Restored, UndoStep
    from tui.records.media import LinkedMedia, MediaLink, Span
    from tui.records.notes import NoteFieldsCheck, NoteTypeFields
    from tui.records.search import SearchGroup, View
    from tui.records.settings import ProfileSettings, SavedSettings
    from tui.records.transcription import TranscriptionPlan, WhisperModel
    from tui.records.vocabulary import RunningAnki
    from tui.service.protocol import arguments as args
    from tui.service.protocol.cues import Cues
    from tui.service.protocol.mining import Mining
    from tui.service.protocol.records import Bookmarks, Clips, Files, History, Jobs, Transcripts
    from tui.service.protocol.retiming import Retimings
    from tui.service.protocol.reviews import Reviews
    from tui.service.protocol.words import Dictionaries, KnownWords, OwnWords, Vocabulary, Words
    from tui.service.requests import BreakdownRequest, ExplainRequest, FollowUpRequest, PreviewRequest


class Template(Protocol):
    async def get(self) -> LlmTemplate | None: ...

    @Operation("POST", "/profiles/template", "save_template")
    async def save(self, template: NewTemplate) -> LlmTemplate:
        """Create or update; raises ``TemplateError`` or ``InvalidInput`` and keeps the old one when it is not valid."""

    @Operation("DELETE", "/profiles/template", "delete_template", 204)
    @Operation("POST", "/profiles/template/delete", "delete_template_counted")
    async def delete(self) -> Deletion:
        """Delete it: the built-in one is in force then. Undo brings it back; a count of 0 says that there was none."""

    @Operation("GET", "/profiles/template/effective", "effective_template")
    async def effective(self) -> NewTemplate:
        """The template in force: the saved one, else the built-in default."""


class Llm(Protocol):
    @Operation("GET", "/llm/providers", "list_providers")
    async def providers(self) -> tuple[ProviderStatus, ...]:
        """Every provider, whether it can be used here, and what is missing where it can't."""

    @Operation("GET", "/llm/models", "list_models", is_slow=True)
    async def models(self, provider: args.ProviderId, *, refresh: args.Refresh = False) -> tuple[str, ...]:
        """The ids of its chat models, asked for once and anew with ``refresh``."""

    @Operation("POST", "/llm/breakdown/preview", "preview_breakdown", asks=True)
    async def preview(self, request: PreviewRequest) -> str:
        """The rendered prompt, without asking any model; raises ``TemplateError``."""

    @Operation("POST", "/llm/breakdown/preview_lenient", "preview_lenient", asks=True)
    async def preview_lenient(self, request: PreviewRequest) -> tuple[str, TemplateError | None]:
        """As much as can be shown of a prompt that is being written, and the first error in it (or `null`)."""

    @Operation("POST", "/llm/breakdown", "breakdown", asks=True, streams=True)
    def breakdown(self, request: BreakdownRequest) -> BreakdownEvents:
        """The focus word (`event: focus`), then tokens (JSON strings), then `event: done`."""

    @Operation("POST", "/llm/explain_sentence", "explain_sentence", asks=True, streams=True)
    def explain(self, request: ExplainRequest) -> BreakdownEvents:
        """Tokens (JSON strings), then `event: done`."""

    # There is no ``FocusReady``, and it is always asked anew.
    @Operation("POST", "/llm/follow_up", "follow_up", asks=True, streams=True)
    def ask_on(self, request: FollowUpRequest) -> BreakdownEvents:
        """Asks on about an answer, with what was said so far: tokens (JSON strings), then `event: done`.

        The answer is kept below the first one, as one of its `follow_ups`.
        """


class Settings(Protocol):
    @Operation("GET", "/profiles/settings", "get_settings")
    async def get(self) -> SavedSettings:
        """The profile's settings, the usual ones where none were ever saved, which ``updated_at`` tells."""

    @Operation("PUT", "/profiles/settings", "save_settings")
    async def save(self, settings: ProfileSettings) -> SavedSettings:
        """Replace them; raises ``InvalidInput`` with the field that cannot be, and changes nothing then.

        Undo does not take it back: nothing is lost by it, and saving the old ones is the same step.
        """


class Views(Protocol):
    """Searches with a name, each of a list; every change can be undone."""

    @Operation("GET", "/profiles/views", "list_views")
    async def all(self) -> tuple[View, ...]:
        """The views, by name."""

    @Operation("PUT", "/profiles/views", "save_view")
    async def save(self, view: View) -> View:
        """Put it in the place of the one of its name; gives it as it is kept.

        Raises ``InvalidInput`` for one without a name, and for one with neither a filter nor an order.
        """

    @Operation("POST", "/profiles/views/rename", "rename_view", body="ViewRenaming")
    async def rename(self, name: args.ViewName, new_name: str) -> View:
        """Give it another name; raises ``NotFound``, and ``InvalidInput`` with the code `view_exists`."""

    @Operation("POST", "/profiles/views/delete", "delete_view", body="NamedView")
    async def delete(self, name: args.ViewName) -> Deletion:
        """Delete it; a count of 0 says that there was none."""


class Media(Protocol):
    """Films of transcripts, which stay where they lie; what is cut out of them for clips is kept in the library."""

    async def link(self, record_id: str, film: str | Path, *, track: int = 0, copy: bool = False) -> LinkedMedia:
        """Link a film to a transcript, or to those of a file, instead of the one that they may have.

        ``track`` is the number of its track of sound, 0 for the one in the transcript's language. The sounds and
        pictures of the clips that there are are cut by the job that is queued. ``copy`` keeps a copy of the film in the
        library. Raises ``MediaError`` for a film that cannot be used and, with the code ``no_times``, where no
        transcript has times.
        """

    @Operation("DELETE", "/profiles/media", "unlink_media")
    async def unlink(self, record_id: args.FilmOf) -> tuple[MediaLink, ...]:
        """Let transcripts have no film any more, and give the links that there were; clips keep what they have."""

    @Operation("GET", "/profiles/media", "media_of")
    async def of(self, transcript_id: args.FilmOf) -> MediaLink | None:
        """The film of a transcript, None where it has none."""

    @Operation("GET", "/profiles/media/waveform", "waveform", media_type="application/octet-stream")
    async def waveform(self, transcript_id: args.FilmOf, span: Span) -> bytes:
        """The peaks of a span of the transcript's film, fifty a second, a byte each; of ten minutes at most over HTTP.

        Raises ``MediaError``, with the code ``no_media`` for a transcript without a film.
        """

    @Operation("GET", "/profiles/media/sound", "sound", media_type="audio/mpeg")
    async def sound(self, transcript_id: args.FilmOf, span: Span) -> bytes:
        """The sound of a span of the transcript's film, an MP3; of ten minutes at most over HTTP.

        Raises as ``waveform`` does.
        """

    @Operation("GET", "/profiles/clips/{clip_id}/audio", "clip_audio", tag="clips", media_type="audio/mpeg")
    async def audio(self, clip_id: str) -> bytes:
        """The sound of a clip, an MP3; raises ``NotFound`` with the code ``media_not_found`` where it has none."""

    @Operation("GET", "/profiles/clips/{clip_id}/picture", "clip_picture", tag="clips", media_type="image/jpeg")
    async def picture(self, clip_id: str) -> bytes:
        """The picture of a clip, a JPEG; raises as ``audio`` does."""

    @Operation("POST", "/profiles/clips/speak", "speak_clips", 202, tag="clips")
    async def speak(self, selection: ClipSelection = ALL_CLIPS, *, again: args.Spoken = False) -> Job | None:
        """Have a machine speak the clips of a selection that have no sound; None where all of them have one.

        ``again`` means those too that another machine's voice speaks; a recording stays in any case. Which voice speaks
        a language is said in the settings of whoever has the library. Raises ``MediaError`` where nothing can speak:
        ``voice_missing``, ``media_extra_missing``.
        """

    @Operation("POST", "/profiles/clips/unspeak", "unspeak_clips", tag="clips")
    async def unspeak(self, selection: ClipSelection = ALL_CLIPS) -> int:
        """Take their sound from the clips of a selection that a machine speaks; gives how many those are."""


class Transcription(Protocol):
    """Transcriptions of recordings and films: each is a job, which fills a transcript that can be read meanwhile."""

    @Operation("GET", "/profiles/transcription", "plan_transcription")
    async def plan(
        self,
        record_id: args.RecordingOf,
        *,
        model: args.TranscriptionModel = "",
        language: args.SpokenLanguage = "",
        track: args.SoundTrack = 0,
        start_ms: args.Moment = 0,
        end_ms: args.EndMoment = None,
    ) -> TranscriptionPlan:
        """Plan the transcription of the recording of a file or transcript: what it will be and cost; no model is asked.

        Raises ``MediaError``: ``no_media``, ``no_transcriber`` where no model can be used, ``no_audio``,
        ``no_such_track``, and as films that cannot be read; ``InvalidInput`` for a model that is none.
        """

    @Operation("POST", "/profiles/transcription", "transcribe", 202, body="TranscriptionChoice")
    async def start(
        self,
        record_id: args.RecordingOf,
        *,
        model: args.TranscriptionModel = "",
        language: args.SpokenLanguage = "",
        track: args.SoundTrack = 0,
        start_ms: args.Moment = 0,
        end_ms: args.EndMoment = None,
    ) -> Job:
        """Queue the job, whose `transcript_id` is that of the new transcript; raises as ``plan`` does."""

    @Operation("GET", "/profiles/transcription/models", "list_whisper_models", is_slow=True)
    async def models(self) -> tuple[WhisperModel, ...]:
        """List the Whisper models that have names, those on the server's disk first; `folder` is null of the others.

        Raises ``MediaError`` (``whisper_extra_missing``).
        """

    async def fetch_model(self, name: str) -> str:
        """Fetch a Whisper model to this machine, and give its folder; raises ``MediaError`` and ``InvalidInput``."""

    async def plan_file(
        self, path: str | Path, **choice: Unpack[args.TranscriptionOptions]
    ) -> TranscriptionPlan | None:
        """As ``plan``, of a file of this machine; None where the library is elsewhere and has to be sent it first."""

    async def start_file(self, path: str | Path, **choice: Unpack[args.TranscriptionOptions]) -> Job:
        """As ``start``, of a file of this machine, which stays where it lies, or is sent to where the library is."""


class Deck(Protocol):
    """Clips on their way to Anki, and to files."""

    async def export(
        self,
        path: str | Path,
        *,
        name: str = "",
        selection: ClipSelection = ALL_CLIPS,
        dry_run: bool = False,
        overwrite: bool = False,
        merge_with: str | Path | None = None,
    ) -> ExportReport:
        """Export clips of the profile in the format that the path ends in (``deck/formats.py``): a deck as .apkg.

        New, changed and same are against the last deck of that name; ``name`` "" is ``Lode`` for the default profile,
        else ``Lode::<profile>``. Only a deck counts as exported, and of it the clips that are in it. An older deck at
        ``path`` is replaced; another file only with ``overwrite``: else that is an error with the code ``not_a_deck``
        or, where no deck is to be written, ``target_exists``. Raises ``InvalidInput`` for an ending that names no
        format and for a date that is none, ``NotFound`` for an id. A selection without clips writes nothing.

        ``merge_with`` is a package or a collection of Anki's: the deck then has the notes that are new there or differ,
        with what was edited in Anki, and in the note types as they are there.
        """

    async def push(
        self, anki: RunningAnki | None = None, *, name: str = "", dry_run: bool = False, remove_deleted: bool = False
    ) -> ExportReport:
        """Merge the profile's clips with the notes of an Anki that runs on this machine, and let it import them.

        Its notes keep what was edited there, and what is the same is left alone. Those of deleted clips are told, and
        taken out of Anki with ``remove_deleted``; a clip that is restored comes there anew. Raises ``ProviderError``
        with a code for each way not to answer, and with ``collection_out_of_reach`` where its collection cannot be read
        from here.
        """

    async def check_fields(self, source: Path | RunningAnki) -> NoteFieldsCheck:
        """Compare the profile's ``note_fields`` with the note types in a deck, a collection or an Anki that runs here.

        Raises ``ImportRefused`` for a file that is none, and ``ProviderError`` as ``push`` does.
        """

    @Operation("POST", "/profiles/note_fields_check", "check_note_fields", body="NoteTypes", asks=True)
    async def check_note_types(self, note_types: Sequence[NoteTypeFields], source: str = "") -> NoteFieldsCheck:
        """Compare the profile's ``note_fields`` with note types of an Anki, which somebody else has read.

        ``source`` is what they are of.
        """


class Service(Protocol):
    """Lode's service for one profile. ``location`` is "local" or the address of a server.

    ``trouble`` says in a few words what keeps the library from answering ("" for nothing), and whoever gave a function
    to ``on_trouble`` is called, on the event loop, whenever that has changed.
    """

    @property
    def profile(self) -> str: ...

    @property
    def location(self) -> str: ...

    @property
    def trouble(self) -> str: ...

    def on_trouble(self, notify: Callable[[], None]) -> None: ...

    def import_parts(self) -> None:
        """Import what parts need at their first use, that nobody waits for it then; belongs in a thread."""

    @property
    def files(self) -> Files: ...

    @property
    def transcripts(self) -> Transcripts: ...

    @property
    def cues(self) -> Cues: ...

    @property
    def bookmarks(self) -> Bookmarks: ...

    @property
    def clips(self) -> Clips: ...

    @property
    def media(self) -> Media: ...

    @property
    def transcription(self) -> Transcription: ...

    @property
    def retiming(self) -> Retimings: ...

    @property
    def reviews(self) -> Reviews: ...

    @property
    def mining(self) -> Mining: ...

    @property
    def deck(self) -> Deck: ...

    @property
    def template(self) -> Template: ...

    @property
    def settings(self) -> Settings: ...

    @property
    def views(self) -> Views: ...

    @property
    def llm(self) -> Llm: ...

    @property
    def words(self) -> Words: ...

    @property
    def own_words(self) -> OwnWords: ...

    @property
    def dictionaries(self) -> Dictionaries: ...

    @property
    def known_words(self) -> KnownWords: ...

    @property
    def vocabulary(self) -> Vocabulary: ...

    @property
    def history(self) -> History: ...

    @property
    def jobs(self) -> Jobs: ...

    def of(self, profile: str) -> Service:
        """The same library for another profile; closing this service closes that one too, never the other way round.

        Raises ``InvalidInput`` for what is no profile name.
        """

    @Operation("GET", "/profiles/summaries", "summarize_profiles")
    async def profiles(self) -> tuple[ProfileSummary, ...]:
        """Profiles of the library by name that something was written to, and how many files and the like each has."""

    @Operation("GET", "/profiles/revisions", "list_revisions")
    async def revisions(self) -> dict[str, str]:
        """Revisions of what the lists show, by kind of record: "file", "transcript", "clip", "job", "answer", "word",
        "dictionary". One is another text after every change, whoever made it; a kind without records may have none.
        """

    @Operation("GET", "/profiles/search", "search")
    async def search(
        self, q: args.Search, *, group: args.SearchGroup = "", limit: args.Limit = 10
    ) -> tuple[SearchGroup, ...]:
        """The first hits of a search of everything, in groups; those of one ``group``, or of all that have some.

        ``q`` has words, phrases in quotation marks and ``field:value``, each left out behind a ``-``; the last word is
        a beginning, the others stand for all forms of their lemma that are in the library. Sentences are the newest.
        """

    @Operation("GET", "/profiles/search_values", "search_values")
    async def search_values(self, listed: args.SearchedList, field: args.SearchField) -> tuple[str, ...]:
        """Values that a field of a list's queries has in its newest records, the most frequent first.

        At most 200, and none of fields whose values are not names: a sentence, a meaning.
        """

    @Operation("POST", "/profiles/undo", "undo")
    async def undo(self) -> Restored | None:
        """Take back what was done last: a deletion, clips that were made or edited, marks of words and the like.

        None when there is nothing to undo.
        """

    @Operation("POST", "/profiles/undo/{step}", "undo_step")
    async def undo_step(self, step: args.StepNumber) -> Restored:
        """Take an older step back alone, by its `id` in the list of them.

        Raises ``InvalidInput`` with the code `undo_blocked` where later steps touch the same records, and names them.
        """

    @Operation("GET", "/profiles/undo", "list_undo_steps")
    async def undo_steps(self, *, limit: args.Limit = 100) -> tuple[UndoStep, ...]:
        """The steps that undo can take back, newest first."""

    @Operation("POST", "/profiles/redo", "redo")
    async def redo(self) -> UndoStep | None:
        """Do again what undo took back last, as long as nothing has been changed since.

        None when there is nothing to redo. Raises ``InvalidInput`` with the code `redo_impossible` where not all of it
        had come back.
        """

    @Operation("GET", "/doctor", "doctor", is_slow=True)
    async def doctor(self, *, live: args.Live = False, full: args.Full = False) -> tuple[Finding, ...]:
        """Findings where the server is: settings, library, providers."""

    async def backup(self, path: str | Path) -> Path:
        """Write a consistent copy of the whole database, all profiles; raises ``InvalidInput`` if the path exists."""

    async def close(self) -> None:
        """Stop running work (jobs become interrupted) and let go of the database."""
