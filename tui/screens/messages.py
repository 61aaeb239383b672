"""Messages of the screens to the app: screens never import it, messages bubble up to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message
from textual.notifications import SeverityLevel

if TYPE_CHECKING:
    from tui.playing.mpv import MpvSource
    from tui.records.clips import NewClip
    from tui.records.jobs import Job
    from tui.records.reviews import Review
    from tui.records.search import View
    from tui.screens.looks import ListLook, ReadingLook
    from tui.service.requests import BreakdownRequest, ExplainRequest

SEVERITIES: Sequence[SeverityLevel] = ("information", "warning", "error")


class Open(Message):
    """Base class of the requests to go somewhere else, from where `esc` leads back."""


@dataclass(eq=False)
class OpenTranscript(Open):
    """Request to open a transcript in the reader, at a place in a cue, to follow an mpv or mark a search there."""

    transcript_id: str
    cue_index: int | None = None
    follow: MpvSource | None = None
    offset: int = 0
    q: str = ""


@dataclass(eq=False)
class OpenBreakdown(Open):
    """Request for a breakdown (or an explanation) on its screen; ``draft`` is the clip that `c` would save there.

    ``shown`` is a finished answer to show instead of asking (a clip's own).
    """

    request: BreakdownRequest | ExplainRequest
    draft: NewClip
    shown: bool = False


@dataclass(eq=False)
class OpenClips(Open):
    """Request to show the clips that match a search."""

    q: str


@dataclass(eq=False)
class OpenWords(Open):
    """Request to show the words that match a search."""

    q: str


@dataclass(eq=False)
class OpenHistory(Open):
    """Request to show the earlier answers that match a search."""

    q: str


@dataclass(eq=False)
class OpenView(Open):
    """Request to show the list of a view, with its filter and in its order."""

    view: View


@dataclass(eq=False)
class OpenReview(Open):
    """Request to go through a review."""

    review: Review


@dataclass(eq=False)
class OpenNextWords(Open):
    """Request to show the words of a transcript that are worth learning next."""

    transcript_id: str
    title: str


class LibraryChanged(Message):
    """Event: records came, changed or went; lists that show such records read them again, the job count too.

    ``kinds`` holds "file", "transcript", "clip", "job", "template", "answer", "dictionary", "bookmark", "review",
    "word" where words got other states or something was written of them, "note" where something was noted at a
    sentence, "mark" where something was marked for the batch, "place" where one has read on, "cue" where a transcript
    that was there got others, or "growth" where one may have got more; ``jobs`` are those that were queued.
    """

    def __init__(self, *kinds: str, jobs: Sequence[Job] = ()) -> None:
        super().__init__()
        self.kinds = frozenset(kinds)
        self.jobs = tuple(jobs)


@dataclass(eq=False)
class News(Message):
    """News of something done, shown as a toast to which the same ``kind`` of news soon after is added.

    ``counts`` says how many of ``noun`` ("": of something that the words say) were done what: {"saved": 1}. ``name``
    is that of the only one, ``hint`` the next step.
    """

    kind: str
    counts: Mapping[str, int]
    noun: str = ""
    name: str = ""
    hint: str = ""
    severity: SeverityLevel = "information"

    def merged_into(self, before: News) -> News:
        """Sum of both; the later one's hint holds."""
        counts = {
            done: before.counts.get(done, 0) + self.counts.get(done, 0) for done in {**before.counts, **self.counts}
        }
        severity = max(self.severity, before.severity, key=SEVERITIES.index)
        return News(self.kind, counts, noun=self.noun, hint=self.hint or before.hint, severity=severity)


@dataclass(eq=False)
class SentenceLookedAt(Message):
    """Event: a sentence was looked at; the template's preview takes its sample values from it."""

    request: BreakdownRequest


@dataclass(eq=False)
class ReadingLookChosen(Message):
    """Event: texts are to look so, now and after the next start."""

    look: ReadingLook


@dataclass(eq=False)
class ListLookChosen(Message):
    """Event: the list with this name is to look so, now and after the next start."""

    name: str
    look: ListLook


class GoBack(Message):
    """Request to return to the section that was shown before: `esc` had nothing left to close."""
