"""Reviews: what is proposed for a transcript and waits until somebody takes or leaves it, one thing after the other."""

from dataclasses import dataclass
from typing import Literal

from tui.records.clips import NewClip

ReviewKind = Literal["correction", "translation", "cards"]


@dataclass(frozen=True, slots=True)
class Change:
    """Change that is proposed for the cue with the text ``before``: to ``after``, which is "" for a cue that is to go.

    In a review of translations ``after`` is that of the cue; in one of cards ``card`` is the clip that is to be made,
    and ``after`` its first meaning. A doubtful one may be nonsense: it is never taken beforehand. ``number`` is its
    place in the review, None for that of its cue.
    """

    cue_index: int
    before: str
    after: str
    is_doubtful: bool = False
    card: NewClip | None = None
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Review:
    """Changes of a transcript that wait, ``taken`` of them to be applied, and ``unseen`` of these never on a screen.

    ``model`` made them, a selector. ``refused`` counts what it answered that fits no cue, ``left`` the cues that it
    could not be asked about. ``into`` is the tag of the language of translations, None of others.
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
    into: str | None = None


@dataclass(frozen=True, slots=True)
class ReviewItem:
    """Change in a review, as ``Change`` says, in the order of the numbers; ``start_ms`` is None without times.

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
    card: NewClip | None = None

    @property
    def id(self) -> str:
        """Name of the change in its review."""
        return str(self.number)


@dataclass(frozen=True, slots=True)
class AppliedReview:
    """Result of applying a review: how many of its changes were made, and of how many the cue was another one by now.

    A card is kept all the same: it stands by itself.

    ``clips`` counts the clips that were made, or that have the new text of their cue. ``translation_id`` is the
    transcript that the translations are in.
    """

    changed: int
    changed_meanwhile: int
    clips: int = 0
    translation_id: str | None = None


@dataclass(frozen=True, slots=True)
class CorrectionPlan:
    """Plan of a correction, or a translation: the model (a selector), its lines, and in how many requests at least.

    ``characters`` is about how many it is sent in all: a token has three or four. ``is_local``: nothing is paid.
    ``into`` is the tag of the language that is translated into, None of a correction.
    """

    transcript_id: str
    title: str
    language: str | None
    model: str
    line_count: int
    request_count: int
    characters: int
    is_local: bool
    into: str | None = None
