"""What a screen asks of the app: screens never import it, their messages bubble up to it."""

from __future__ import annotations

from collections.abc import Sequence

from textual.message import Message

from tui.records import Job, NewClip
from tui.service.protocol import BreakdownRequest, ExplainRequest


class OpenTranscript(Message):
    """Read a transcript, from a cue on."""

    def __init__(self, transcript_id: str, cue_index: int | None = None) -> None:
        super().__init__()
        self.transcript_id = transcript_id
        self.cue_index = cue_index


class OpenBreakdown(Message):
    """Ask for a breakdown (or an explanation) on the breakdown screen; ``draft`` is the clip that `c` would save there.

    ``shown`` is a finished answer to show instead of asking (a clip's own).
    """

    def __init__(self, request: BreakdownRequest | ExplainRequest, draft: NewClip, *, shown: bool = False) -> None:
        super().__init__()
        self.request = request
        self.draft = draft
        self.shown = shown


class LibraryChanged(Message):
    """Records came, changed or went: lists that show such records read them again, the job count too.

    ``kinds`` holds "file", "transcript", "clip", "job", "template", "answer" or, where a transcript that was there got
    others, "cue"; ``jobs`` are those that were queued.
    """

    def __init__(self, *kinds: str, jobs: Sequence[Job] = ()) -> None:
        super().__init__()
        self.kinds = frozenset(kinds)
        self.jobs = tuple(jobs)


class SentenceLookedAt(Message):
    """The last sentence looked at: the template's preview takes its sample values from it."""

    def __init__(self, request: BreakdownRequest) -> None:
        super().__init__()
        self.request = request


class GoBack(Message):
    """`esc` with nothing left to close on this screen: return to the section that was shown before."""
