"""Reviews: what is proposed for a transcript and waits until somebody takes or leaves it, one thing after the other."""

from dataclasses import dataclass
from typing import Literal

ReviewKind = Literal["correction"]


@dataclass(frozen=True, slots=True)
class Change:
    """Change of a cue from the text ``before`` to ``after``, "" for a cue that is to go, or its translation.

    A doubtful one may be nonsense: it is never taken beforehand.
    """

    cue_index: int
    before: str
    after: str
    is_doubtful: bool = False


@dataclass(frozen=True, slots=True)
class Review:
    """Changes of a transcript that wait, ``taken`` of them to be applied, and ``unseen`` of these never on a screen.

    ``model`` made them, a selector. ``refused`` counts what it answered that fits no cue, ``left`` the cues that it
    could not be asked about.
    """

    id: str
    kind: ReviewKind
    transcript_id: str
    title: str
    language: str | None
    model: str
    created_at: str
    total: int
    taken: int
    unseen: int
    doubtful: int
    refused: int
    left: int


@dataclass(frozen=True, slots=True)
class ReviewItem:
    """Change in a review, whose ``number`` is that of its cue when it was read; ``start_ms`` None without times.

    ``cue_index`` is where the cue is now, None where there is no cue with the text ``before`` any more: somebody has
    changed it meanwhile, and the change goes nowhere.
    """

    number: int
    cue_index: int | None
    start_ms: int | None
    before: str
    after: str
    is_doubtful: bool
    is_taken: bool
    is_seen: bool


@dataclass(frozen=True, slots=True)
class AppliedReview:
    """Result of applying a review: how many cues have another text now, and how many had one already."""

    changed: int
    changed_meanwhile: int


@dataclass(frozen=True, slots=True)
class CorrectionPlan:
    """Plan of a correction: the model (a selector), the lines it is sent, and in how many requests at least.

    ``characters`` is about how many it is sent in all: a token has three or four. ``is_local``: nothing is paid.
    """

    transcript_id: str
    title: str
    language: str | None
    model: str
    line_count: int
    request_count: int
    characters: int
    is_local: bool
