"""Protocol of corrections by a model, and of the reviews in which what is proposed waits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from tui.records.pages import Page
from tui.records.reviews import AppliedReview, CorrectionPlan, Review, ReviewItem
from tui.service.protocol.operation import Operation

if TYPE_CHECKING:
    from tui.records.clips import NewClip
    from tui.records.jobs import Job
    from tui.service.protocol import arguments as args


class Reviews(Protocol):
    """Reviews: what a model proposes for a transcript waits in one, and nothing is changed before it is applied."""

    @Operation("GET", "/profiles/correction", "plan_correction")
    async def plan(
        self, transcript_id: args.CorrectedTranscript, *, model: args.CorrectionModel = ""
    ) -> CorrectionPlan:
        """Plan the correction of a transcript: the model, and how much it will be asked; no model is asked.

        Raises ``NotFound``, and ``InvalidInput`` for a model that is none, and with the code ``no_corrector`` where
        neither the call nor the template names one that could.
        """

    @Operation("POST", "/profiles/correction", "correct", 202, body="CorrectionChoice")
    async def start(self, transcript_id: args.CorrectedTranscript, *, model: args.CorrectionModel = "") -> Job:
        """Queue the job, which fills a review of the transcript; raises as ``plan`` does."""

    @Operation("GET", "/profiles/translation", "plan_translation")
    async def plan_translation(
        self,
        transcript_id: args.CorrectedTranscript,
        *,
        into: args.TranslatedInto = "",
        model: args.CorrectionModel = "",
    ) -> CorrectionPlan:
        """Plan the translation of a transcript into a language, that of the explanations where none is named.

        Raises as ``plan`` does, and ``InvalidInput`` for a language that is none, or its own (``same_language``), and
        for a text without times (``no_times``).
        """

    @Operation("POST", "/profiles/translation", "translate", 202, body="TranslationChoice")
    async def translate(
        self,
        transcript_id: args.CorrectedTranscript,
        *,
        into: args.TranslatedInto = "",
        model: args.CorrectionModel = "",
    ) -> Job:
        """Queue the job, which fills a review with translations; raises as ``plan_translation`` does."""

    @Operation("GET", "/profiles/reviews", "list_reviews")
    async def page(self, *, offset: int = 0, limit: int = 100, after: str | None = None) -> Page[Review]:
        """List the reviews that wait, newest first."""

    @Operation("GET", "/profiles/reviews/{review_id}", "get_review")
    async def get(self, review_id: str) -> Review:
        """Get a review; raises ``NotFound``."""

    @Operation("GET", "/profiles/reviews/{review_id}/changes", "list_review_changes")
    async def items(
        self, review_id: str, *, offset: int = 0, limit: int = 100, after: str | None = None
    ) -> Page[ReviewItem]:
        """List the changes of a review in the order of their cues; raises ``NotFound``."""

    @Operation("POST", "/profiles/reviews/{review_id}/changes", "decide_review_changes", body="ReviewDecision")
    async def decide(
        self, review_id: str, first: args.ChangeNumber, last: args.ChangeNumber, *, taken: args.TakenOrSeen = None
    ) -> Review:
        """Take or leave the changes from one number to another, which were seen; null only says that they were.

        Raises ``NotFound``, and ``InvalidInput`` (``no_such_change``) where there are none.
        """

    @Operation("POST", "/profiles/reviews/{review_id}/changes/{number}/alike", "decide_alike", body="ReviewAlike")
    async def decide_alike(self, review_id: str, number: args.ChangeNumber, *, taken: args.Taken) -> Review:
        """Take or leave a change, which was seen, and all that are like it: the same words, or the same line.

        Raises as ``decide`` does.
        """

    @Operation("DELETE", "/profiles/reviews/{review_id}/changes", "drop_review_changes")
    async def drop_changes(self, review_id: str, first: args.ChangeNumber, last: args.ChangeNumber) -> Review:
        """Drop the changes from one number to another; undo brings them back. Raises as ``decide`` does."""

    @Operation("POST", "/profiles/reviews/{review_id}/changes/{number}/anew", "ask_anew")
    async def ask_anew(self, review_id: str, number: args.ChangeNumber) -> ReviewItem:
        """Ask the model about one line again, alone, and put what it says in the place of the change.

        Raises as ``decide`` does, the model's ``ProviderError``, and ``InvalidInput``: ``nothing_else`` where it says
        the same or nothing, ``cue_changed`` where the line is another one by now.
        """

    @Operation("PATCH", "/profiles/reviews/{review_id}/changes/{number}", "edit_review_change", body="ReviewEdit")
    async def edit(self, review_id: str, number: args.ChangeNumber, text: args.NewCueText) -> ReviewItem:
        """Give a change another text, or a card another meaning, and take it; raises as ``decide``, as cues do."""

    @Operation("PATCH", "/profiles/reviews/{review_id}/cards/{number}", "edit_review_card")
    async def edit_card(self, review_id: str, number: args.ChangeNumber, clip: NewClip) -> ReviewItem:
        """Replace the card of a change, and take it; raises as ``decide`` does, and as an edit of a clip."""

    @Operation("GET", "/profiles/waiting", "count_waiting_cards")
    async def count_waiting(self) -> int:
        """Count the cards that wait in reviews: they are no clips, and no export has them."""

    @Operation("POST", "/profiles/reviews/{review_id}/apply", "apply_review", body="ReviewEnd")
    async def apply(
        self,
        review_id: str,
        *,
        with_unseen: args.WithUnseen = False,
        with_clips: args.WithClips = False,
        dry_run: args.DryRun = False,
    ) -> AppliedReview:
        """Give the cues the texts that are taken, or make a transcript of translations, or clips of cards, in one step.

        Undo brings the review back as well.
        A dry run only says what would come of it. Raises ``InvalidInput``: ``unseen_changes`` where some that are taken
        were never on a screen, unless these are to be applied as well, and ``only_cue`` where no cue would be left.
        """

    @Operation("DELETE", "/profiles/reviews/{review_id}", "drop_review", 204)
    async def drop(self, review_id: str) -> None:
        """Drop a review with all that it proposes; undo brings it back. Raises ``NotFound``."""
