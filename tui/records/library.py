"""Records of a whole library: what it holds, what ``lode doctor`` finds, and what a move or an undo did."""

from dataclasses import dataclass
from typing import Literal

FindingState = Literal["ok", "absent", "warning", "broken"]


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
class Moved:
    """Records that went to another profile: ``count`` of those that were named, and of each kind how many in all."""

    count: int
    files: int
    transcripts: int
    clips: int


CUE_STEPS = frozenset(
    (
        *("reading", "edit", "cue", "edited_cue", "split_cue", "merged_cue", "inserted_cue"),
        *("shifted_transcript", "retimed_transcript", "reviewed_transcript", "translated_transcript"),
    )
)
"""Kinds of steps that change the cues of a transcript which is there."""


@dataclass(frozen=True, slots=True)
class Restored:
    """Records that an undo brought back: ``kind`` is file, transcript, clip, template …

    It is reading for the cues that a transcript had before its file was read anew, edit for its title and language,
    word for the states of words before they were marked, own_word for what somebody had written of a word, view for a
    search with a name, saved_view and named_view for one as it was before, added_clip for clips that were made at once
    and are gone, edited_clip and tagged_clip for those that are as before an edit, or with their tags from before;
    moved_file, moved_transcript and moved_clip for those that are in this profile again; set_bookmark and
    named_bookmark for a bookmark as it was before; edited_cue, split_cue, merged_cue, inserted_cue and cue (deleted)
    for cues as they were before, shifted_transcript and retimed_transcript for their times; reviewed_transcript for
    the cues that an applied review has changed, which waits again, translated_transcript for the track that one has
    made, and review for one that was dropped.
    """

    kind: str
    count: int
    summary: str


@dataclass(frozen=True, slots=True)
class UndoStep:
    """Step that undo can take back, or that was done again: ``subject`` is what it changed, as people call it.

    ``kind`` is that of ``Restored``; ``created_at`` is when it was done first.
    """

    id: int
    kind: str
    count: int
    subject: str
    created_at: str
