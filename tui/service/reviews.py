"""Reviews of transcripts: a correction's plan and start, and what is done with the changes that wait."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

from tui.correcting.alike import find_alike
from tui.correcting.batches import CONTEXT_LINES, Batch, cut_batches
from tui.errors import InvalidInput
from tui.language.tags import base_language, language_name
from tui.prompts.defaults import CORRECTION_SYS_MSG, TRANSLATION_SYS_MSG
from tui.records.jobs import JobSource
from tui.records.reviews import AppliedReview, Change, CorrectionPlan, Review, ReviewItem
from tui.service.clips import check_clip
from tui.service.cues import check_text
from tui.service.jobs.correction import CorrectionOptions, ask_model, find_reader, read_transcript, write_prompt
from tui.service.mined_cards import Ask, complete_card
from tui.service.settings import check_tag
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

KIND, TRANSLATION_KIND = "correct", "translate"
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
        ask_about_card: Ask,
    ) -> None:
        """``begin_cutting`` is called with the profile whose new clips may lack sounds and pictures.

        ``ask_about_card`` asks a model about a word or a sentence.
        """
        self._ask_about_card = ask_about_card
        self._library = library
        self._begin_cutting = begin_cutting
        self._profile = library.profile
        self._runner = runner
        self._find_template = find_template
        self._find_providers = find_providers

    async def plan(self, transcript_id: str, *, model: str = "") -> CorrectionPlan:
        return await self._plan(transcript_id, await self._choose(model))

    async def start(self, transcript_id: str, *, model: str = "") -> Job:
        return await self._start(KIND, transcript_id, await self._choose(model))

    async def plan_translation(self, transcript_id: str, *, into: str = "", model: str = "") -> CorrectionPlan:
        return await self._plan(transcript_id, await self._choose_translation(transcript_id, into, model))

    async def translate(self, transcript_id: str, *, into: str = "", model: str = "") -> Job:
        options = await self._choose_translation(transcript_id, into, model)
        return await self._start(TRANSLATION_KIND, transcript_id, options)

    async def _plan(self, transcript_id: str, options: CorrectionOptions) -> CorrectionPlan:
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
            characters=sum(len(write_prompt(batch, options)) + len(options.sys_msg) for batch in batches),
            is_local=provider.local,
            into=options.into or None,
        )

    async def _start(self, kind: str, transcript_id: str, options: CorrectionOptions) -> Job:
        transcript = await self._library.run(lambda store: store.transcripts.get(self._profile, transcript_id))

        def queue(store: Store) -> tuple[Job, ...]:
            source = str(JobSource("transcript", transcript.title))
            return (store.jobs.add(self._profile, kind, source, asdict(options), None, transcript.id),)

        (job,) = await self._runner.queue_made(self._library, queue)
        return job

    async def _choose(self, model: str) -> CorrectionOptions:
        """Choose what is asked, and how: the template says both where no model is named."""
        template, providers = await self._find_template(), self._find_providers()
        named = model or template.srt_model or template.model
        provider, selector = providers.resolve(named)
        if provider.name == providers.lexicon.name:
            raise InvalidInput(
                "dictionaries cannot correct or translate subtitles: that takes a model",
                hint="name one, PROVIDER:MODEL (lode models lists them), or set the template's model for subtitles",
                code="no_corrector",
                field="model",
            )
        return CorrectionOptions(str(selector), template.srt_sys_msg or CORRECTION_SYS_MSG)

    async def _choose_translation(self, transcript_id: str, into: str, model: str) -> CorrectionOptions:
        """Choose the language too: that of the explanations where none is named.

        The template's message for subtitles says how to correct them: a translation has the built-in one.
        """
        transcript = await self._library.run(lambda store: store.transcripts.get(self._profile, transcript_id))
        settings = await self._library.run(lambda store: store.settings.get(self._profile))
        language = check_tag(into or settings.explain_in, "into")
        if transcript.duration_ms is None:
            raise InvalidInput(
                f"{transcript.title!r} has no times, by which a translation stands beside its lines",
                hint="ask for a word or a sentence instead: each answer has its translation",
                code="no_times",
            )
        if base_language(language) == base_language(transcript.language):
            raise InvalidInput(
                f"it is in {language_name(language)} already",
                hint="name another language",
                code="same_language",
                field="into",
            )
        chosen = await self._choose(model)
        return replace(chosen, sys_msg=TRANSLATION_SYS_MSG, into=language)

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

    async def ask_anew(self, review_id: str, number: int) -> ReviewItem:
        review = await self.get(review_id)
        item = await self._library.run(lambda store: store.reviews.item(self._profile, review.id, number))
        if item.card is not None:
            # It stands by itself, whatever its line says by now.
            card = await complete_card(item.card, self._ask_about_card, review.model, review.language, fresh=True)
            return await self.edit_card(review.id, number, card)
        if item.cue_index is None:
            raise InvalidInput(
                "this line was changed meanwhile",
                hint="drop the change, or edit it",
                code="cue_changed",
                field="number",
            )
        change = await self._ask_about(review, item, item.cue_index)
        if change is None or change.after == item.after:
            raise InvalidInput(
                f"{review.model} has nothing else to say of it", hint="edit it, or leave it", code="nothing_else"
            )
        new = replace(change, cue_index=item.cue_index, number=number)
        return await self._library.change(lambda store: store.reviews.propose(self._profile, review.id, new))

    async def _ask_about(self, review: Review, item: ReviewItem, cue_index: int) -> Change | None:
        """Ask the review's model about one line, alone: a batch would be answered as it was."""
        first = max(0, cue_index - CONTEXT_LINES)
        page = await self._library.run(
            lambda store: store.transcripts.cues(
                self._profile, review.transcript_id, first, cue_index + CONTEXT_LINES + 1 - first
            )
        )
        before = tuple(cue.text for cue in page.items if cue.index < cue_index)
        behind = tuple(cue.text for cue in page.items if cue.index > cue_index)
        batch = Batch(cue_index, (item.before,), before, behind, language=review.language)
        message = (
            TRANSLATION_SYS_MSG if review.into else (await self._find_template()).srt_sys_msg or CORRECTION_SYS_MSG
        )
        options = CorrectionOptions(review.model, message, review.into or "")
        provider, selector = self._find_providers().resolve(review.model)
        answered = await ask_model(provider, selector.model, options, batch, report=_wait_in_silence)
        result = find_reader(options)(batch, answered)
        return result.changes[0] if result.changes else None

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


async def _wait_in_silence(_: str) -> None:
    """Say nothing of a provider that asks for patience: who asked about one line waits for it."""


def _iterate_items(store: Store, profile: str, review_id: str) -> Iterator[ReviewItem]:
    after: str | None = None
    while (page := store.reviews.items(profile, review_id, limit=_PAGE, after=after)).items:
        yield from page.items
        if (after := page.next) is None:
            return
