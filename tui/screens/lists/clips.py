"""Clips section: the list of clips with a preview, and the export of a deck."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical

from tui.errors import LodeError
from tui.records.clip_selection import ClipSelection
from tui.records.clips import Clip
from tui.screens.lists.record_list import RecordListScreen, Total, age_column, language_column
from tui.screens.messages import LibraryChanged, OpenBreakdown
from tui.text import display
from tui.text.clip_fields import Section, read_tag_changes, shown, told_filled
from tui.text.sanitize import one_line, without_controls
from tui.widgets.cards.clip_cards import ClipPreview
from tui.widgets.chrome.key_line import shown_key
from tui.widgets.table.columns import Column
from tui.widgets.table.record_table import RecordTable

if TYPE_CHECKING:
    from tui.records.clips import FilledClip
    from tui.records.exports import ExportReport, MergeReport
    from tui.screens.dialogs.questions import Confirm
    from tui.service.protocol import Service
    from tui.service.protocol.records import Records

DEFAULT_DECK_PATH = "~/lode.apkg"
_DECK_LABELS = {"never": "new", "changed": "changed", "same": "✓"}
"""Labels of clips by the state of the deck: what the next one would bring, and what has been exported as it is."""


class ClipsScreen(RecordListScreen[Clip]):
    # Not a file beside it: Textual reads all style sheets anew for each that comes, on the first visit of a list.
    DEFAULT_CSS = """
    ClipsScreen {
        & .clips-list { width: 2fr; height: 1fr; }
        & ClipPreview { display: none; width: 1fr; max-width: 72; border-left: solid $border-blurred; margin: 1 0 1 1; }
        &.-wide ClipPreview { display: block; }
    }
    """
    SECTION = "clips"
    NOUN = "clip"
    MOVES = True
    SEARCHED = ("clips",)
    LOOK = "clips"
    SHOWS = frozenset({"clip", "review"})
    TOTALS = (
        Total(lambda clip: clip.exported == "never", lambda count: f"{display.number(count)} new"),
        Total(lambda clip: clip.exported == "changed", lambda count: f"{display.number(count)} changed"),
        Total(lambda clip: clip.exported == "same", lambda count: f"{display.number(count)} ✓"),
    )
    EMPTY = "No clips yet. They are kept while you read."
    LONG_WORK: ClassVar[Mapping[str, str]] = {"export": "The deck is being written; there will be no file."}
    RECORD_ACTIONS = ("edit", "tag", "fill", "copy", "play", "push", "speak")
    EMPTY_KEYS = (("section.transcripts", "go to the transcripts"),)
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("E", "edit", "edit", id="clips.edit"),
        Binding("number_sign", "tag", "add tags, or take some away", show=False, id="clips.tag"),
        Binding(
            "e",
            "export",
            "export",
            tooltip="export the marked clips, or all, as an Anki deck or a list",
            id="clips.export",
        ),
        Binding("A", "push", "into Anki", tooltip="put all clips into the Anki that runs here", id="clips.push"),
        Binding(
            "F", "fill", "fill", tooltip="fill what lacks, by dictionaries and tracks", show=False, id="clips.fill"
        ),
        Binding("p", "play", "play", tooltip="play its sound", show=False, id="clips.play"),
        Binding("v", "speak", "voice", tooltip="have a machine speak what has no sound", show=False, id="clips.speak"),
        Binding("y", "copy", "copy", tooltip="copy the sentence", show=False, id="clips.copy"),
    ]

    def __init__(self, service: Service) -> None:
        super().__init__(service)
        self._waiting = 0
        """Cards that wait in reviews, and are no clips yet."""

    def columns(self) -> Sequence[Column[Clip]]:
        return (
            Column("Word", _word, most=16, style="strong", sort="word"),
            Column("Sentence", lambda clip: clip.sentence, share=4, sort="sentence"),
            Column("Meaning", _meaning, share=2, most=40, style="muted", sort="meaning"),
            language_column(lambda clip: clip.focus.language if clip.focus else None),
            Column(
                "Source",
                lambda clip: clip.source,
                most=24,
                style="muted",
                cut="inside",
                minimum_table_width=100,
                sort="source",
            ),
            Column("Deck", lambda clip: _DECK_LABELS[clip.exported], style="muted", sort="exported"),
            Column("Tags", lambda clip: " ".join(clip.tags), most=24, style="muted", sort="tags", usual=False),
            age_column(lambda clip: clip.updated_at, title="Changed", sort="changed", usual=False),
            age_column(lambda clip: clip.created_at, minimum_table_width=70),
        )

    def counts_said(self) -> list[str]:
        return [*super().counts_said(), *([f"{display.number(self._waiting)} wait"] if self._waiting else [])]

    @on(RecordTable.Loaded)
    @work(exclusive=True, group="waiting", exit_on_error=False)
    async def read_waiting(self) -> None:
        """Read how many cards wait, behind the list: it does without that, as where a server is older."""
        before = self._waiting
        with suppress(LodeError):
            self._waiting = await self.service.reviews.count_waiting()
        if self._waiting != before:
            self.set_status(*self.ways_to_say_counts())

    def search_texts(self, record: Clip) -> Sequence[tuple[str, str]]:
        focus = record.focus
        word = filter(None, (focus.surface, focus.lemma, focus.reading)) if focus else ()
        return (
            ("title", record.source),
            *_found(record, "gloss"),
            ("word", " ".join(word)),
            ("meaning", "; ".join(focus.meanings) if focus else ""),
            *_found(record, "body"),
            ("tags", " ".join(record.tags)),
            *_found(record, "context"),
        )

    def compose_body(self) -> ComposeResult:
        with Horizontal():
            with Vertical(classes="clips-list"):
                yield from self.compose_list()
            yield ClipPreview()

    @property
    def records(self) -> Records[Clip]:
        return self.service.clips

    def read_anew(self) -> None:
        self.read_waiting()
        self.table.marks.forget_amounts()  # an export changes the state of clips that are not at hand
        super().read_anew()

    async def deletion_details(self, ids: Sequence[str]) -> Sequence[str]:
        one, many = "Its transcript stays, and so does a note", "Their transcripts stay, and so do notes"
        return (f"{one if len(ids) == 1 else many} that Anki already has.",)

    @on(RecordTable.Highlighted)
    def _highlighted(self, event: RecordTable.Highlighted) -> None:
        self.query_one(ClipPreview).show(event.record)

    @on(RecordTable.Opened)
    def _opened(self, event: RecordTable.Opened) -> None:
        from tui.service.requests import BreakdownRequest, ExplainRequest

        clip: Clip = event.record
        request: BreakdownRequest | ExplainRequest
        request = ExplainRequest(clip.sentence, context=clip.context, source=clip.source)
        if (focus := clip.focus) is not None:
            request = BreakdownRequest(clip.sentence, focus.surface, context=clip.context, language=focus.language)
            request = replace(request, source=clip.source)
        self.post_message(OpenBreakdown(request, clip.contents(), shown=True))

    def action_edit(self) -> None:
        from tui.screens.forms.clip_form import ClipForm

        if (clip := self.table.current) is not None:
            self.app.push_screen(ClipForm(self.service, clip, partial(self.service.clips.edit, clip.id)))

    @work(exclusive=True, group="tag", exit_on_error=False)
    async def action_tag(self) -> None:
        """Ask for tags, and give them to the marked clips or the one under the cursor, or take them away."""
        from tui.screens.clip_keeping import taken_back
        from tui.screens.dialogs.questions import ask_until_taken
        from tui.screens.dialogs.tag_prompt import TagPrompt

        ids, clips = tuple(self.table.marked_or_current), self.service.clips
        if not ids:
            return
        self.table.end_range()
        selection = ClipSelection(ids=ids)

        async def tag(line: str) -> int:
            add, remove = read_tag_changes(line)
            return await clips.tag(selection, add=add, remove=remove)

        prompt = partial(TagPrompt, len(ids), lambda: clips.tags(selection))
        if (changed := await ask_until_taken(self.app, prompt, "", tag)) is None:
            return
        if not changed:
            self.say("nothing is changed by that")
            return
        self.say(" · ".join(filter(None, (f"{display.count_of(changed, 'clip')} tagged", taken_back(self)))))
        self.post_message(LibraryChanged(self.NOUN))

    def action_copy(self) -> None:
        if (clip := self.table.current) is not None:
            self.app.copy_to_clipboard(without_controls(clip.sentence))
            self.say("sent to the clipboard")

    def action_play(self) -> None:
        if (clip := self.table.current) is not None:
            self.play_alone(self._play(clip))

    async def _play(self, clip: Clip) -> None:
        from tui.playing.players import play_bytes

        await play_bytes(await self.service.media.audio(clip.id))

    @work(exclusive=True, group="voice", exit_on_error=False)
    async def action_speak(self) -> None:
        """Have the clips spoken by the voices of the settings, or take away those that they have."""
        from tui.screens.dialogs.questions import Choice

        ids, media = tuple(self.table.marked_or_current), self.service.media
        if not ids:
            return
        selection = ClipSelection(ids=ids)
        job = await media.speak(selection)
        if job is None:
            question = "It has a sound already." if len(ids) == 1 else "All of them have a sound already."
            options = (("v", "Speak again"), ("x", "No voice"), ("esc", "Leave it"))
            details = ("What was recorded stays in any case.",)
            answer = await self.app.push_screen_wait(Choice(question, options, details))
            if answer == "x":
                count = await media.unspeak(selection)
                self.say(f"{display.count_of(count, 'clip')} without the machine's voice")
                self.post_message(LibraryChanged("clip"))
            if answer != "v":
                return
            job = await media.speak(selection, again=True)
        if job is None:
            self.say("what was recorded stays")
        else:
            self.post_message(LibraryChanged("job", jobs=(job,)))

    @work(exclusive=True, group="fill", exit_on_error=False)
    async def action_fill(self) -> None:
        """Show what clips would get, and fill them once that is wanted."""
        from tui.screens.clip_keeping import taken_back
        from tui.screens.dialogs.questions import Confirm

        ids, clips = tuple(self.table.marked_or_current), self.service.clips
        if not ids:
            return
        selection = ClipSelection(ids=ids)
        with self.typed_kept():
            planned = await clips.fill(selection, dry_run=True)
        lacks = display.without_meaning(planned.without_meaning, planned.looked_at) if planned.without_meaning else ""
        if not planned.filled:
            self.say(f"nothing to fill{f': {lacks}, and no dictionary has one' if lacks else ''}")
            return
        question = f"Fill {display.count_of(len(planned.filled), 'clip')} with what dictionaries and tracks say?"
        details = [*map(_line, planned.filled), *([f"{lacks} then."] if lacks else [])]
        if await self.app.push_screen_wait(Confirm(question, details, yes="Fill", no="Not now")):
            report = await clips.fill(selection)
            told = (f"{display.count_of(len(report.filled), 'clip')} filled", taken_back(self))
            self.say(" · ".join(filter(None, told)))
            self.post_message(LibraryChanged("clip"))

    def action_export(self) -> None:
        if not self.is_writing("the deck is still being written"):
            self._export()

    def action_push(self) -> None:
        if not self.is_writing("the deck is still being written"):
            self._push()

    @work(exclusive=True, group="export", exit_on_error=False)
    async def _push(self) -> None:
        """Push the clips into the running Anki, once it is shown what that comes to."""
        from tui.screens.dialogs.questions import Confirm

        with self.typed_kept():
            expected = await self.service.deck.push(dry_run=True)
        planned = expected.merge
        if planned is None:
            return
        question = f"Put the clips into Anki: {merge_counts(planned)}?{self._bare(expected)}"
        is_all_there = not planned.added + planned.updated
        if not is_all_there and not await self.app.push_screen_wait(
            Confirm(question, _details(planned), yes="Put", no="Not now")
        ):
            return
        removes = bool(planned.deleted_count) and await self.app.push_screen_wait(_removal(planned))
        told_already = f"Anki has all of it already{_edits(planned)}" if is_all_there and not removes else ""
        if told_already and not expected.new + expected.changed:
            self.say(told_already)
            return
        # Also where a push broke off before it was noted what Anki had got.
        report = await self.service.deck.push(remove_deleted=removes)
        self._warn_of_films(report)
        self.post_message(LibraryChanged(self.NOUN))
        merge = report.merge
        if told_already:
            self.say(told_already)
        elif merge is not None:
            untaken = f"; {display.number(merge.not_taken)} not taken: look at Anki's window" if merge.not_taken else ""
            removed = f", {display.number(merge.removed)} removed" if merge.removed else ""
            self.say(f"in Anki: {merge_counts(merge)}{removed}{_edits(merge)}{untaken}")

    @work(exclusive=True, group="export", exit_on_error=False)
    async def _export(self) -> None:
        """Export what is marked, or all: show what it is, ask for a path, write it; a refused path can be corrected."""
        from tui.deck.formats import CLIP_ENDINGS
        from tui.screens.dialogs.questions import TextPrompt, ask_until_taken

        marked = tuple(sorted(self.table.marked))
        selection = ClipSelection(ids=marked)
        with self.typed_kept():
            planned = await self.service.deck.export(DEFAULT_DECK_PATH, selection=selection, dry_run=True)
        if not planned.clips:
            self.say("There are no clips to export yet.")
            return
        what = display.count_of(planned.clips, "marked clip") if marked else "all clips"
        title = f'Export {what} to the deck "{planned.deck}": {counts(planned)}{self._bare(planned)}'
        hint = f"{CLIP_ENDINGS}; .apkg is for Anki's File › Import · ⏎ writes it"
        prompt, write = partial(TextPrompt, title, hint=hint), partial(self._write, selection)
        if (report := await ask_until_taken(self.app, prompt, DEFAULT_DECK_PATH, write)) is None:
            return
        unnoted = "" if report.remembered else "; it could not be noted, the next one counts the same as new again"
        told = counts(report) if report.is_deck else display.count_of(report.clips, "clip")
        self.say(f"{report.path} written: {told}, {display.size(report.size_bytes)}{unnoted}")
        self._warn_of_films(report)
        self.post_message(LibraryChanged(self.NOUN))

    def _bare(self, report: ExportReport) -> str:
        """How many clips have no meaning, and the key that fills them; "" for none."""
        lacks = display.without_meaning(report.without_meaning, report.clips)
        return f" · {lacks}, {shown_key(self, 'clips.fill')} fills" if report.without_meaning else ""

    def _warn_of_films(self, report: ExportReport) -> None:
        for film in report.without_media:
            self.notify(display.film_trouble(film), severity="warning", markup=False)

    async def _write(self, selection: ClipSelection, path: str) -> ExportReport | None:
        """Write the file; None where one is there already that is to stay."""
        from tui.screens.dialogs.questions import confirm_replacing

        try:
            return await self.service.deck.export(path, selection=selection)
        except LodeError as error:
            if error.code != "target_exists":
                raise
        if not await self.app.push_screen_wait(confirm_replacing(path)):
            return None
        return await self.service.deck.export(path, selection=selection, overwrite=True)


def _line(filled: FilledClip) -> str:
    clip = filled.clip
    word = clip.focus.surface if clip.focus is not None else clip.sentence
    return f"{one_line(word)} → {told_filled(filled)}"


def counts(report: ExportReport) -> str:
    """Counts of an export: "12 new, 3 changed, 40 same"."""
    new, changed, same = map(display.number, (report.new, report.changed, report.same))
    return f"{new} new, {changed} changed, {same} same"


def merge_counts(merge: MergeReport) -> str:
    """Counts of a merge: "12 new, 3 updated, 40 same"."""
    new, updated, same = map(display.number, (merge.added, merge.updated, merge.same))
    return f"{new} new, {updated} updated, {same} same"


def _details(merge: MergeReport) -> list[str]:
    """What else there is to know before a merge: which edits stay, and what decided where nothing was known."""
    lines = [
        f"{each.word}: {'changed on both sides, that of Anki stays' if each.conflicts else 'edited in Anki, stays'}: "
        + ", ".join(each.conflicts or each.fields)
        for each in merge.kept
    ]
    if merge.by_time:
        notes = display.count_of(merge.by_time, "note")
        lines.append(f"What was sent before is not known of {notes}: the later side wins.")
    return lines


def _removal(merge: MergeReport) -> Confirm:
    """The question whether notes of deleted clips are to go from Anki too."""
    from tui.screens.dialogs.questions import Confirm

    notes = display.count_of(merge.deleted_count, "note")
    lines = [f"{each.word}: edited in Anki" if each.edited else each.word for each in merge.deleted]
    title = f"Remove {notes} from Anki whose clips you deleted here?"
    return Confirm(title, lines, yes="Remove", no="Keep them")


def _edits(merge: MergeReport | None) -> str:
    """What a merge says of the learner's edits; "" where there are none."""
    if merge is None or not merge.kept_count:
        return ""
    both = f", {display.number(merge.conflict_count)} of them changed here too" if merge.conflict_count else ""
    return f"; edits made there stay on {display.count_of(merge.kept_count, 'note')}{both}"


def _found(clip: Clip, section: Section) -> list[tuple[str, str]]:
    return [(field.name, text) for field, text in shown(clip, section) if not field.is_markdown]


def _word(clip: Clip) -> str:
    return (clip.focus.lemma or clip.focus.surface) if clip.focus else ""


def _meaning(clip: Clip) -> str:
    return clip.focus.meanings[0] if clip.focus and clip.focus.meanings else clip.translation
