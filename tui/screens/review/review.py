"""Review: the changes of one transcript, one after the other, each of which is taken or left; then all are applied."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.message import Message
from textual.timer import Timer

from tui.correcting.word_diff import DiffRun, diff_words
from tui.errors import LodeError, NotFound
from tui.records.pages import Page
from tui.records.reviews import AppliedReview, Review, ReviewItem
from tui.screens.lists.record_list import RecordListScreen
from tui.screens.messages import LibraryChanged, OpenTranscript
from tui.screens.review.change_view import ChangeView
from tui.screens.review.rows import ReviewRow, write_diff, write_meaning, write_sentence, write_state, write_word
from tui.text import display
from tui.text.sanitize import one_line
from tui.widgets.chrome.key_line import shown_key
from tui.widgets.table.columns import Column
from tui.widgets.table.record_table import RecordTable

if TYPE_CHECKING:
    from tui.service.protocol import Service

_RESTS_SECONDS = 0.4
"""Seconds after the last key until it is recorded what was on the screen."""
_DONE = {"correction": "corrected", "translation": "translated", "cards": "kept"}
_APPLIED_TO = {"correction": "line", "translation": "line", "cards": "clip"}
_diff_words = lru_cache(maxsize=8192)(diff_words)
"""A list is read again after each change of it."""


class ReviewTable(RecordTable[ReviewRow]):
    """Table of changes, in which space takes or leaves instead of marking."""

    class Decided(Message):
        """Sent when what is marked, or the change under the cursor, is to be taken, or left if all of it is taken."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("space", "mark", "take or leave", id="review.take")]

    def action_mark(self) -> None:
        self.post_message(self.Decided())

    def action_mark_range(self) -> None:
        """Begin a range, or end it; one at a time, so that what is marked stands together."""
        if not self.marks.has_range:
            self.clear_marks()
        super().action_mark_range()


class ReviewScreen(RecordListScreen[ReviewRow]):
    """Screen of one review."""

    DEFAULT_CSS = """
    ReviewScreen {
        & .review-body { width: 1fr; height: 1fr; layout: vertical; }
        & ReviewTable { height: 1fr; }
        & ChangeView {
            width: 1fr; max-width: 140; height: 9; padding: 0 1 0 3; border-top: solid $border-blurred;
            color: $foreground;
        }
        &.-short ChangeView { display: none; }
        &.-wide.-cards .review-body { layout: horizontal; }
        &.-wide.-cards ReviewTable { width: 2fr; }
        &.-wide.-cards ChangeView {
            display: block; width: 1fr; max-width: 72; height: 1fr; margin: 1 0 1 1; padding: 0 1 0 2;
            border-top: none; border-left: solid $border-blurred;
        }
    }
    """
    SECTION = "transcripts"
    NOUN = "change"
    SHOWS = frozenset({"review", "cue", "transcript", "clip"})
    TABLE = ReviewTable
    LIES_OVER = True
    CAN_DELETE = True
    KEYLESS = (("Drop this review", "all that it proposes; undo brings it back", "drop_review"),)
    RECORD_ACTIONS = ("alike", "edit", "apply", "ask_anew", "play")
    KEYED_WIDGETS = (ReviewTable,)
    EMPTY = "Nothing is left in this review."
    EMPTY_KEYS = (("review.back", "goes back"),)
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f2", "apply", "apply", tooltip="apply what is taken", id="review.apply"),
        Binding("asterisk", "alike", "all alike", tooltip="take or leave all that are alike", id="review.alike"),
        Binding("E", "edit", "edit", id="review.edit"),
        Binding(
            "r", "ask_anew", "ask anew", tooltip="ask the model about this line alone", show=False, id="review.anew"
        ),
        Binding("D", "senses", "senses", tooltip="another sense of the word", show=False, id="review.senses"),
        Binding("p", "play", "hear", tooltip="play what is said there", show=False, id="review.play"),
        Binding("d", "delete", "drop", tooltip="take it out of the review", show=False, id="review.drop"),
        Binding("escape", "back", "later", tooltip="keep the rest for later", id="review.back"),
    ]

    def __init__(self, service: Service, review: Review) -> None:
        super().__init__(service)
        self._review = review
        self._seen: list[tuple[int, int]] = []
        """Numbers of the first and last change of what was on the screen and is not recorded as seen yet."""
        self._noted: set[int] = set()
        """Numbers of all that was on this screen."""
        self._rest: Timer | None = None
        self._is_applying = False
        self._warned_at = ""
        """Change at which it was said that some were never on the screen: the next key there means these too."""
        self._deciding = asyncio.Lock()
        self.set_class(review.kind == "cards", "-cards")

    @property
    def review(self) -> Review:
        return self._review

    def compose_body(self) -> ComposeResult:
        with Container(classes="review-body"):
            yield from self.compose_list()
            yield ChangeView(self.service, self._review)

    def columns(self) -> Sequence[Column[ReviewRow]]:
        state = Column("Place", write_state, align="right")
        match self._review.kind:
            case "cards":
                word = Column("Word", write_word, most=18, style="strong")
                return (
                    state,
                    word,
                    Column("Sentence", write_sentence, share=3),
                    Column("Meaning", write_meaning, share=2, style="muted"),
                )
            case "translation":
                return (state, Column("Line", write_sentence, share=1), Column("Translation", write_meaning, share=1))
        return (state, Column(f"{one_line(self._review.title)}", write_diff, share=1))

    async def fetch(self, offset: int, limit: int, q: str) -> Page[ReviewRow]:
        try:
            page = await self.service.reviews.items(self._review.id, offset=offset, limit=limit)
            self._review = await self.service.reviews.get(self._review.id)
        except NotFound:  # applied or dropped meanwhile, by this screen's own key or by somebody else
            return Page((), 0, 0, None)
        rows = await asyncio.to_thread(lambda: tuple(map(self._make_row, page.items)))
        return Page(rows, page.total, page.offset, page.next)

    def _make_row(self, item: ReviewItem) -> ReviewRow:
        runs: tuple[DiffRun, ...] = ()
        if self._review.kind == "correction":
            runs = _diff_words(item.before, item.after, self._review.language)
        return ReviewRow(item, runs)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "filter":
            return False  # a change is found by going through them: that is what a review is for
        if action == "senses":
            return self.has_records and self._review.kind == "cards"
        return super().check_action(action, parameters)

    def ways_to_say_counts(self) -> list[str]:
        review = self._review
        said = [f"{display.number(review.taken)} of {display.number(review.total)} taken"]
        said += [f"{display.number(review.unseen)} unseen"] if review.unseen else []
        said += [f"{display.number(review.doubtful)} doubtful"] if review.doubtful else []
        lacks = "without a translation" if review.kind == "translation" else "not asked about"
        said += [f"{display.count_of(review.left, 'line')} {lacks}"] if review.left else []
        said = [*self.marks_said()[:1], *said]
        return [" · ".join(said[:some]) for some in range(len(said), 0, -1)]

    @property
    def is_warned(self) -> bool:
        """Whether the next key that applies means those too that were never on the screen; a move takes that back."""
        row = self.table.current
        return bool(self._warned_at) and row is not None and row.id == self._warned_at

    # What was on the screen

    @on(RecordTable.Highlighted)
    def _highlighted(self, event: RecordTable.Highlighted) -> None:
        self.query_one(ChangeView).show(event.record)
        self._note_seen()

    @on(RecordTable.RowsRead)
    @on(RecordTable.Loaded)
    def _note_seen(self) -> None:
        items = (row.item for row in self.table.visible_records())
        unseen = [item.number for item in items if not (item.is_seen or item.number in self._noted)]
        if not unseen:
            return
        self._noted.update(unseen)
        first, last = unseen[0], unseen[-1]
        if self._seen and first <= self._seen[-1][1] and last >= self._seen[-1][0]:
            first, last = min(first, self._seen[-1][0]), max(last, self._seen[-1][1])
            self._seen.pop()
        self._seen.append((first, last))
        if self._rest is not None:
            self._rest.stop()
        self._rest = self.set_timer(_RESTS_SECONDS, self.record_seen)

    @work(group="seen", exit_on_error=False)
    async def record_seen(self) -> None:
        await self._record_seen()
        self._say_counts()

    async def _record_seen(self) -> None:
        """Record what was on the screen as seen; what somebody has dropped meanwhile is none any more."""
        async with self._deciding:
            seen, self._seen = self._seen, []
            for first, last in seen:
                try:
                    self._review = await self.service.reviews.decide(self._review.id, first, last)
                except LodeError as error:
                    if error.code not in ("no_such_change", "review_not_found"):
                        raise

    def leave(self) -> None:
        """Go back once it is recorded what was seen."""
        self.record_and_leave()

    @work(exclusive=True, group="leave", exit_on_error=False)
    async def record_and_leave(self) -> None:
        try:
            await self._record_seen()
        finally:  # a library that does not answer keeps nobody here
            super().leave()

    # What becomes of them

    @on(ReviewTable.Decided)
    def _decided(self) -> None:
        """Take what is not taken of these, else leave them, and go on; the library hears of it in its own time."""
        table = self.table
        if not (ids := set(table.marked_or_current)):
            return
        places = range(table.total) if table.marked else [table.cursor_row]
        rows = {place: row for place in places if (row := table.record_at(place)) is not None and row.id in ids}
        taken = not all(row.item.is_taken for row in rows.values())
        for place, row in rows.items():
            table.replace(place, replace(row, item=replace(row.item, is_taken=taken, is_seen=True)))
        if table.marked:
            table.clear_marks()
        else:
            table.action_move(1)
        self._warned_at = ""
        numbers = [int(each) for each in ids]
        self.decide(min(numbers), max(numbers), taken=taken)

    @work(group="decide", exit_on_error=False)
    async def decide(self, first: int, last: int, *, taken: bool) -> None:
        async with self._deciding:
            self._review = await self.service.reviews.decide(self._review.id, first, last, taken=taken)
        self._say_counts()

    @work(group="decide", exit_on_error=False)
    async def action_alike(self) -> None:
        """Take all that are like the change under the cursor, or leave them if it is taken."""
        if (row := self.table.current) is None:
            return
        taken = not row.item.is_taken
        before = self._review.taken
        async with self._deciding:
            self._review = await self.service.reviews.decide_alike(self._review.id, row.item.number, taken=taken)
        count = abs(self._review.taken - before)
        self.say(f"{display.count_of(count, display.REVIEW_NOUNS[self._review.kind])} {'taken' if taken else 'left'}")
        self._say_counts()
        self.read_anew()

    @work(exclusive=True, group="edit", exit_on_error=False)
    async def action_edit(self) -> None:
        from tui.screens.dialogs.fields_prompt import FieldsPrompt
        from tui.screens.dialogs.questions import ask_until_taken
        from tui.screens.reader.cue_editing import EDIT_HINT, TEXT_FIELD, read_field, write_field

        if (row := self.table.current) is None:
            return
        number = row.item.number
        if row.item.card is not None:
            from tui.screens.forms.clip_form import ClipForm

            keep = partial(self.service.reviews.edit_card, self._review.id, number)
            self.app.push_screen(ClipForm(self.service, row.item.card, keep))
            return

        async def save(typed: Mapping[str, str]) -> ReviewItem:
            return await self.service.reviews.edit(self._review.id, number, read_field(typed["text"]))

        title = write_field(row.item.before)
        prompt = partial(FieldsPrompt, title, (TEXT_FIELD,), hint=EDIT_HINT)
        if await ask_until_taken(self.app, prompt, {"text": write_field(row.item.after)}, save) is not None:
            self.read_anew()

    @work(exclusive=True, group="senses", exit_on_error=False)
    async def action_senses(self) -> None:
        """Give the card under the cursor another sense of its word."""
        from tui.screens.review.cards import choose_sense

        if (row := self.table.current) is None or (card := row.item.card) is None:
            return
        if (chosen := await choose_sense(self, card, self._review.language)) is not None:
            await self.service.reviews.edit_card(self._review.id, row.item.number, chosen)
            self.read_anew()

    @work(exclusive=True, group="anew", exit_on_error=False)
    async def action_ask_anew(self) -> None:
        """Ask the model about the line under the cursor alone; what it says comes in the place of what it said."""
        if (row := self.table.current) is None:
            return
        self.say(f"asking {self._review.model} …")
        item = await self.service.reviews.ask_anew(self._review.id, row.item.number)
        if item.card is None:
            self.say(item.after or "the line is to go")
        self.read_anew()

    @work(exclusive=True, group="delete", exit_on_error=False)
    async def ask_and_delete(self, ids: Sequence[str]) -> None:
        """Drop changes without a question: undo brings them back, and nothing else was changed."""
        numbers = sorted(map(int, ids))
        async with self._deciding:
            before = self._review.total
            self._review = await self.service.reviews.drop_changes(self._review.id, numbers[0], numbers[-1])
        self.table.clear_marks()
        dropped = display.count_of(before - self._review.total, display.REVIEW_NOUNS[self._review.kind])
        self.say(f"{dropped} dropped · {shown_key(self, 'undo')} undoes it")
        self.post_message(LibraryChanged("review"))

    @work(exclusive=True, group="delete", exit_on_error=False)
    async def action_drop_review(self) -> None:
        await self.service.reviews.drop(self._review.id)
        self.say(f"the review is dropped · {shown_key(self, 'undo')} undoes it")
        self.post_message(LibraryChanged("review"))
        self.leave()

    def action_play(self) -> None:
        if (row := self.table.current) is not None:
            self.play_alone(self._play(row.item))

    async def _play(self, item: ReviewItem) -> None:
        from tui.service.media.playing import play, sentence_span_of

        if item.cue_index is None or item.start_ms is None:
            self.say("this line has no time: nobody knows where it is spoken")
            return
        transcripts = self.service.transcripts
        transcript = await transcripts.get(self._review.transcript_id)
        (cue,) = (await transcripts.cues(transcript.id, offset=item.cue_index, limit=1)).items
        times = item.start_ms, cue.end_ms or item.start_ms
        span = await sentence_span_of(transcripts, transcript.id, item.cue_index, item.cue_index, *times)
        await play(self.service, transcript, span)

    @on(RecordTable.Opened)
    def _opened(self, event: RecordTable.Opened) -> None:
        self.post_message(OpenTranscript(self._review.transcript_id, event.record.item.cue_index))

    # Applying

    @work(group="apply", exit_on_error=False)
    async def action_apply(self) -> None:
        """Apply what is taken, unless that is under way: broken off it would be applied all the same, and not told."""
        if self._is_applying:
            return
        self._is_applying = True
        try:
            await self._apply()
        finally:
            self._is_applying = False

    async def _apply(self) -> None:
        """Apply what is taken; what was never on the screen takes a second key, and clips a question."""
        from tui.screens.dialogs.questions import Choice

        reviews, noun = self.service.reviews, display.REVIEW_NOUNS[self._review.kind]
        await self._record_seen()
        self._review = review = await reviews.get(self._review.id)
        if not review.taken:
            self.say(f"nothing is taken: {shown_key(self, 'review.take')} takes a {noun}")
            return
        if review.unseen and not self.is_warned:
            self._warned_at = row.id if (row := self.table.current) is not None else ""
            verb = "was" if review.unseen == 1 else "were"
            unseen = f"{display.number(review.unseen)} of {display.count_of(review.taken, noun)} {verb}"
            key = shown_key(self, "review.apply")
            self.say(f"{unseen} never on the screen: {key} again applies {'it' if review.unseen == 1 else 'them'} too")
            return
        with_clips = False
        planned = await reviews.apply(review.id, dry_run=True)
        if planned.clips and review.kind != "cards":
            one = planned.clips == 1
            it, clips = "it" if one else "them", display.count_of(planned.clips, "clip")
            is_translation = review.kind == "translation"
            question = f"{clips} {'has' if one else 'have'} {'no translation' if is_translation else 'the old text'}."
            options = (("y", f"Give {it} this one" if is_translation else f"Change {it} too"), ("n", f"Leave {it}"))
            answer = await self.app.push_screen_wait(Choice(question, options))
            if not answer:
                return
            with_clips = answer == "y"
        applied = await reviews.apply(review.id, with_unseen=True, with_clips=with_clips)
        self._tell_applied(applied, with_clips=with_clips)
        self.post_message(LibraryChanged("review", "transcript", "cue", "clip"))
        self.leave()

    def _tell_applied(self, applied: AppliedReview, *, with_clips: bool) -> None:
        kind = self._review.kind
        facts = [f"{display.count_of(applied.changed, _APPLIED_TO[kind])} {_DONE[kind]}"]
        if applied.changed_meanwhile:
            facts.append(f"{display.number(applied.changed_meanwhile)} changed meanwhile, left")
        if with_clips:
            facts.append(f"{display.count_of(applied.clips, 'clip')} too")
        self.say(one_line(" · ".join([*facts, f"{shown_key(self, 'undo')} undoes it"])))
