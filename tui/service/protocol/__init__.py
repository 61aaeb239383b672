"""Service protocol: what Lode does for one profile, as the app and the command line see it, wherever the data is.

Everything that takes an id takes any unambiguous prefix of it; ``NotFound`` and ``InvalidInput`` (ambiguous) say which.
All may raise ``StoreError``.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from tui.service.protocol.decks import Deck
from tui.service.protocol.media import Media
from tui.service.protocol.operation import Operation
from tui.service.protocol.records import Clips, Files, History, Jobs, Transcripts
from tui.service.protocol.words import Dictionaries, KnownWords, OwnWords, Vocabulary, Words

if TYPE_CHECKING:  # dataclasses take a while to make, and nothing before the first frame needs these
    from tui.errors import TemplateError
    from tui.events import BreakdownEvents
    from tui.records.answers import LlmTemplate, NewTemplate, ProviderStatus
    from tui.records.library import Deletion, ProfileSummary, Restored
    from tui.records.settings import ProfileSettings, SavedSettings
    from tui.service.protocol import arguments as args
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

    async def preview_lenient(self, request: PreviewRequest) -> tuple[str, TemplateError | None]:
        """The prompt as far as it can be rendered, and its first error: one that is being written often has one."""

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

    @property
    def files(self) -> Files: ...

    @property
    def transcripts(self) -> Transcripts: ...

    @property
    def clips(self) -> Clips: ...

    @property
    def media(self) -> Media: ...

    @property
    def deck(self) -> Deck: ...

    @property
    def template(self) -> Template: ...

    @property
    def settings(self) -> Settings: ...

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

    @Operation("POST", "/profiles/undo", "undo")
    async def undo(self) -> Restored | None:
        """Take back what was done last: a deletion, clips that were made or edited, marks of words and the like.

        None when there is nothing to undo.
        """

    async def backup(self, path: str | Path) -> Path:
        """Write a consistent copy of the whole database, all profiles; raises ``InvalidInput`` if the path exists."""

    async def close(self) -> None:
        """Stop running work (jobs become interrupted) and let go of the database."""
