"""Form of a clip, or of a card that waits: its texts, times and word, and beside it the card that becomes of them."""

from collections.abc import Awaitable, Callable
from typing import ClassVar

from textual import getters, on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, Static, TextArea

from tui.errors import LodeError, in_one_line, in_two_lines
from tui.records.clips import Clip, NewClip
from tui.records.media import Span
from tui.records.settings import CardOptions
from tui.screens.dialogs.questions import Choice
from tui.screens.input_queue import AnswersOnce
from tui.screens.messages import LibraryChanged
from tui.screens.section import SectionScreen
from tui.service.clip_filling import edit_clip, span_of
from tui.service.protocol import Service
from tui.text.clip_fields import EDITED
from tui.text.sanitize import one_line, without_controls
from tui.widgets.cards.clip_cards import CardView
from tui.widgets.chrome.key_line import in_editor
from tui.widgets.forms.span_field import SpanField
from tui.widgets.forms.text_area_field import TextField
from tui.widgets.forms.text_fields import LineField
from tui.widgets.plots import Neighbours, Peaks

_CUES_AFTER = 20
"""Cues that are read after the clip's own to find the next one: it may span several."""


class ClipForm(SectionScreen, AnswersOnce[None]):
    """Form that saves with ctrl+s or F2; esc goes back and asks where something would be lost.

    In a terminal of less than 100 columns F4 lays the card over the form, and takes it away after its back.
    """

    CSS_PATH: ClassVar = ["clip_form.tcss", "fields.tcss"]
    SECTION = "clips"
    AUTO_FOCUS = "#sentence"
    KEYED_WIDGETS = (CardView, SpanField)
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f2,ctrl+s", "save", "save", key_display="F2", id="clip_form.save"),
        Binding("escape", "back", "back", id="clip_form.back"),
        in_editor(),
        Binding("tab", "app.focus_next", "next field", key_display="tab"),
        Binding("f4", "card", "turn card", key_display="F4", tooltip="the card: its other side", id="clip_form.card"),
    ]

    card = getters.query_one(CardView)
    _times = getters.query_one(SpanField)

    def __init__(self, service: Service, clip: NewClip, save: Callable[[NewClip], Awaitable[object]]) -> None:
        """Make the form of a clip, or of a card that is none yet; ``save`` keeps what was typed."""
        super().__init__(service)
        self._clip = clip
        self._save_clip = save
        self._saved = _fields(clip)
        self._saved_span = span_of(clip)
        self._card_options = CardOptions()
        self._heard: Span | None = None
        """Window whose sound was asked for last."""
        self._field_before: Widget | None = None
        """Field that had the focus before the card was laid over it."""

    def compose_body(self) -> ComposeResult:
        with Horizontal(classes="clip-form--body"):
            with VerticalScroll(classes="clip-form", can_focus=False):
                for name, value in self._saved.items():
                    with Horizontal(classes="clip-form--row"):
                        field = EDITED[name]
                        yield Static(Content(field.label), classes="clip-form--label")
                        widget = LineField if field.is_line else TextField
                        yield widget(value, placeholder=field.placeholder, id=name)
                    if name == "sentence" and self._saved_span is not None:
                        with Horizontal(classes="clip-form--row"):
                            yield Static(Content("Times"), classes="clip-form--label")
                            yield SpanField(self._saved_span, id="times")
            yield CardView()
        yield Static(Content(""), classes="clip-form--error")

    def on_mount(self) -> None:
        self._load_card_options()
        self._saved = self._typed()  # as the fields hold it: they know one kind of line end only
        self.show_card()
        if self._saved_span is not None:
            self._load_waveform()
            self._load_neighbours()

    def _typed(self) -> dict[str, str]:
        lines = {str(line.id): line.value for line in self.query(LineField)}
        return lines | {str(area.id): area.text for area in self.query(TextField)}

    # Its times.

    @property
    def _span(self) -> Span | None:
        """The span that is chosen, None of a clip without times."""
        return None if self._saved_span is None else self._times.span

    @on(SpanField.Moved)
    def _moved(self) -> None:
        self.show_card()
        if self._times.window != self._heard:
            self._load_waveform()

    @work(exclusive=True, group="waveform", exit_on_error=False)
    async def _load_waveform(self) -> None:
        """Show the sound around the span; where there is none, why."""
        field = self._times
        transcript_id, window = self._clip.transcript_id, field.window
        self._heard = window
        if transcript_id is None:
            field.show_without("no waveform: the clip belongs to no transcript any more")
            return
        try:
            if await self.service.media.of(transcript_id) is not None:
                field.expect_peaks()  # it takes a while: what stands below does not move then
            field.show_peaks(Peaks(window.start_ms, await self.service.media.waveform(transcript_id, window)))
        except LodeError as error:
            field.show_without(in_one_line(error))

    @work(exclusive=True, group="neighbours", exit_on_error=False)
    async def _load_neighbours(self) -> None:
        """Show where the cues before and after the clip's end and begin; it does without them."""
        clip = self._clip
        if clip.transcript_id is None or clip.cue_index is None or clip.end_ms is None:
            return
        first = max(0, clip.cue_index - 1)
        try:
            page = await self.service.transcripts.cues(clip.transcript_id, offset=first, limit=2 + _CUES_AFTER)
        except LodeError:
            return
        before = [cue.end_ms for cue in page.items if cue.index < clip.cue_index]
        after = (cue.start_ms for cue in page.items if cue.index > clip.cue_index)
        following = (start for start in after if start is not None and start >= clip.end_ms)
        self._times.show_neighbours(Neighbours(before[0] if before else None, next(following, None)))

    @on(SpanField.PlayWanted)
    def _play_wanted(self) -> None:
        self.play_alone(self._play(self._times.span, self._times.neighbours))

    async def _play(self, span: Span, neighbours: Neighbours) -> None:
        """Play the span with the sound around it; of a clip without a transcript what was cut once."""
        from tui.media.cutting import widen_sentence_span
        from tui.playing.players import play_bytes
        from tui.service.media.playing import play

        if self._clip.transcript_id is None:
            if isinstance(self._clip, Clip):
                await play_bytes(await self.service.media.audio(self._clip.id))
            return
        transcript = await self.service.transcripts.get(self._clip.transcript_id)
        around = {"previous_end": neighbours.previous_end, "next_start": neighbours.next_start}
        await play(self.service, transcript, widen_sentence_span(span.start_ms, span.end_ms, **around))

    # The card.

    @work(exclusive=True, group="card_options", exit_on_error=False)
    async def _load_card_options(self) -> None:
        """Show the card with the options of the profile; as usual where they cannot be read."""
        try:
            self._card_options = (await self.service.settings.get()).card
        except LodeError:
            return
        self.show_card()

    @on(Input.Changed)
    @on(TextArea.Changed)
    def show_card(self) -> None:
        """Show the card as an export would make it of what is typed."""
        from tui.deck.card import make_card

        typed = self._typed()
        if not one_line(typed["focus"]):
            typed["meanings"] = ""  # they are no error yet: the word may be on its way
        self.card.show(make_card(edit_clip(self._clip, typed, self._span), self._card_options))

    @property
    def _card_is_over(self) -> bool:
        return self.has_class("-card") and self.has_class("-narrow")

    def main_text(self) -> Widget | None:
        return self.query_one("#sentence")

    def action_card(self) -> None:
        if not self.has_class("-narrow"):
            self.card.action_turn()
        elif not self._card_is_over:
            self._field_before = self.focused
            self.card.turn_to(back=False)
            self.add_class("-card")
            self.call_after_refresh(self.card.focus)
        elif not self.card.shows_back:
            self.card.action_turn()
        else:
            self._take_card_away()

    def _take_card_away(self) -> None:
        self.remove_class("-card")
        self.card.turn_to(back=True)
        self.call_after_refresh((self._field_before or self.query_one("#sentence")).focus)

    # Saving and leaving.

    @property
    def has_unsaved_changes(self) -> bool:
        return self.is_mounted and (self._typed(), self._span) != (self._saved, self._saved_span)

    @work(exclusive=True, group="save", exit_on_error=False)
    async def action_save(self) -> None:
        if await self._save():
            self.dismiss()

    async def _save(self) -> bool:
        """Save what was typed; on a refusal say why, and keep everything as it stands."""
        try:
            await self._save_clip(edit_clip(self._clip, self._typed(), self._span))
        except LodeError as error:
            self.query_one(".clip-form--error", Static).update(Content(in_two_lines(error)))
            return False
        self.post_message(LibraryChanged("clip", "review"))
        return True

    @work(exclusive=True, group="leave", exit_on_error=False)
    async def action_back(self) -> None:
        if self._card_is_over:
            self._take_card_away()
        elif await self.may_leave():
            self.dismiss()

    async def may_leave(self) -> bool:
        if not self.has_unsaved_changes:
            return True
        options = (("s", "Save"), ("d", "Discard"), ("n", "Stay"))
        answer = await self.app.push_screen_wait(Choice("This clip has unsaved changes.", options))
        return await self._save() if answer == "s" else answer == "d"


def _fields(clip: NewClip) -> dict[str, str]:
    """Texts of the form's fields in their order, as a field shows them unchanged."""
    return {
        name: one_line(field.text(clip)) if field.is_line else without_controls(field.text(clip))
        for name, field in EDITED.items()
    }
