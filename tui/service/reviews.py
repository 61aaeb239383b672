"""Reviews of transcripts: a correction's plan and start, and what is done with the changes that wait."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING

from tui.correcting.alike import find_alike
from tui.correcting.batches import cut_batches
from tui.correcting.prompts import write_correction_prompt
from tui.errors import InvalidInput
from tui.prompts.defaults import CORRECTION_SYS_MSG
from tui.records.jobs import JobSource
from tui.records.reviews import AppliedReview, CorrectionPlan, Review, ReviewItem
from tui.service.clips import check_clip
from tui.service.cues import check_text
from tui.service.jobs.correction import CorrectionOptions, read_transcript
from tui.text.display import count_of

if TYPE_CHECKING:
    from tui.llm.providers import Providers
    from tui.records.answers import NewTemplate
    from tui.records.clips import NewClip
    from tui.records.jobs import Job
    from tui.records.pages import Page
    from tui.service.jobs.queue import JobRunner
    from tui.service.library import Library
    from tui.store import Store

KIND = "correct"
_PAGE = 1000


class LocalReviews:
    """The resource of reviews."""

    def __init__(
        self,
        library: Library,
        runner: JobRunner,
        find_template: Callable[[], Awaitable[NewTemplate]],
        find_providers: Callable[[], Providers],
        begin_cutting: Callable[[str], None],
    ) -> None:
        """``begin_cutting`` is called with the profile whose new clips may lack sounds and pictures."""
        self._library = library
        self._begin_cutting = begin_cutting
        self._profile = library.profile
        self._runner = runner
        self._find_template = find_template
        self._find_providers = find_providers

    async def plan(self, transcript_id: str, *, model: str = "") -> CorrectionPlan:
        options = await self._choose(model)
        transcript, cues = await self._library.run(lambda store: read_transcript(store, self._profile, transcript_id))
        batches = cut_batches(cues, transcript.language)
        provider, _ = self._find_providers().resolve(options.model)
        return CorrectionPlan(
            transcript.id,
            transcript.title,
            transcript.language,
            options.model,
            line_count=len(cues),
            request_count=len(batches),
            characters=sum(len(write_correction_prompt(batch)) + len(options.sys_msg) for batch in batches),
            is_local=provider.local,
        )

    async def start(self, transcript_id: str, *, model: str = "") -> Job:
        options = await self._choose(model)
        transcript = await self._library.run(lambda store: store.transcripts.get(self._profile, transcript_id))

        def queue(store: Store) -> tuple[Job, ...]:
            source = str(JobSource("transcript", transcript.title))
            return (store.jobs.add(self._profile, KIND, source, asdict(options), None, transcript.id),)

        (job,) = await self._runner.queue_made(self._library, queue)
        return job

    async def _choose(self, model: str) -> CorrectionOptions:
        """Choose what is asked, and how: the template says both where no model is named."""
        template, providers = await self._find_template(), self._find_providers()
        named = model or template.srt_model or template.model
        provider, selector = providers.resolve(named)
        if provider.name == providers.lexicon.name:
            raise InvalidInput(
                "dictionaries cannot correct subtitles: that takes a model",
                hint="name one, PROVIDER:MODEL (lode models lists them), or set the template's model for subtitles",
                code="no_corrector",
                field="model",
            )
        return CorrectionOptions(str(selector), template.srt_sys_msg or CORRECTION_SYS_MSG)

    async def page(self, *, offset: int = 0, limit: int = 100, after: str | None = None) -> Page[Review]:
        return await self._library.run(lambda store: store.reviews.page(self._profile, offset, limit, after))

    async def get(self, review_id: str) -> Review:
        return await self._library.run(lambda store: store.reviews.get(self._profile, review_id))

    async def items(
        self, review_id: str, *, offset: int = 0, limit: int = 100, after: str | None = None
    ) -> Page[ReviewItem]:
        return await self._library.run(
            lambda store: store.reviews.items(self._profile, review_id, offset, limit, after)
        )

    async def decide(self, review_id: str, first: int, last: int, *, taken: bool | None = None) -> Review:
        return await self._library.change(
            lambda store: store.reviews.decide(self._profile, review_id, first, last, taken=taken)
        )

    async def decide_alike(self, review_id: str, number: int, *, taken: bool) -> Review:
        review = await self.get(review_id)

        def find(store: Store) -> list[int]:
            items = list(_iterate_items(store, self._profile, review.id))
            item = next((each for each in items if each.number == number), None)
            # The change itself is asked for at the end: it says what is wrong with a number that is none.
            return [] if item is None else find_alike(item, items, review.language)

        numbers = await self._library.run(find)

        def decide(store: Store) -> Review:
            store.reviews.decide(self._profile, review.id, number, number, taken=taken)
            return store.reviews.decide_all(self._profile, review.id, numbers, taken=taken)

        return await self._library.change(decide)

    async def drop_changes(self, review_id: str, first: int, last: int) -> Review:
        return await self._library.change(lambda store: store.reviews.drop_items(self._profile, review_id, first, last))

    async def edit(self, review_id: str, number: int, text: str) -> ReviewItem:
        new = check_text(text)
        return await self._library.change(lambda store: store.reviews.edit(self._profile, review_id, number, new))

    async def edit_card(self, review_id: str, number: int, clip: NewClip) -> ReviewItem:
        check_clip(clip)
        return await self._library.change(lambda store: store.reviews.edit_card(self._profile, review_id, number, clip))

    async def count_waiting(self) -> int:
        return await self._library.run(lambda store: store.reviews.count_waiting(self._profile))

    async def apply(
        self, review_id: str, *, with_unseen: bool = False, with_clips: bool = False, dry_run: bool = False
    ) -> AppliedReview:
        review = await self.get(review_id)
        if dry_run:
            return await self._library.run(lambda store: store.reviews.apply(self._profile, review.id, dry_run=True))
        if review.unseen and not with_unseen:
            raise InvalidInput(
                f"{count_of(review.unseen, 'change')} of {review.taken} were never on a screen",
                hint="look at them, or apply these too",
                code="unseen_changes",
                field="with_unseen",
            )
        applied = await self._library.change(
            lambda store: store.reviews.apply(self._profile, review.id, with_clips=with_clips)
        )
        if review.kind == "cards":
            self._begin_cutting(self._profile)
        return applied

    async def drop(self, review_id: str) -> None:
        await self._library.change(lambda store: store.reviews.drop(self._profile, review_id))


def _iterate_items(store: Store, profile: str, review_id: str) -> Iterator[ReviewItem]:
    after: str | None = None
    while (page := store.reviews.items(profile, review_id, limit=_PAGE, after=after)).items:
        yield from page.items
        if (after := page.next) is None:
            return
