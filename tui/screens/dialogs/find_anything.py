"""Dialog that searches everything as one types, in groups: sentences, titles, clips, notes, words and more.

The letters go into the field; enter or down goes to the hits, where they are keys.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any, ClassVar

from rich.cells import cell_len
from textual import events, on, work
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, OptionList, Static

from tui.errors import LodeError, in_one_line
from tui.records.media import Span
from tui.records.pages import MAX_SEARCH_LENGTH
from tui.records.search import SEARCH_GROUPS, SearchGroup, SearchGroupName, SearchHit
from tui.records.search_fields import SEARCH_FIELDS, ListName
from tui.screens.dialogs.dictionary_entry import DictionaryEntryScreen
from tui.screens.dialogs.questions import Dialog
from tui.screens.last_filters import last_filters
from tui.screens.messages import OpenClips, OpenHistory, OpenTranscript, OpenWords
from tui.service.protocol import Service
from tui.text.cells import cut
from tui.text.display import clock
from tui.text.search_query import parse_query, text_of
from tui.widgets.chrome.themes import MUTED
from tui.widgets.forms.search_suggestions import SearchSuggestions
from tui.widgets.forms.text_fields import LineField

WIDTH = 112
"""Cells of the panel, in a terminal that has as many."""
_TYPED_SECONDS = 0.05
"""Seconds after a key until it is searched, so that a word typed fast is searched once."""
_PATIENCE = 0.1
"""Seconds that the other groups wait for the sentences: two rare Chinese characters are looked for in every text."""
_HITS = {"sentences": 20}
_OTHER_HITS = 5
"""Hits of each group: what is looked for most often gets most."""
_PLACEHOLDER = 'find anything: a word, "in a row", -without, lang:de …'
_COMPLETED: tuple[ListName, ...] = ("sentences", "clips", "words", "answers")
"""Lists whose fields are completed: where two have one of a name, the values of the first."""
_LAST = "anything"
"""Name under which the last searches are kept: those of which a hit was opened."""
_GROUP_CELLS = 14
_SOUND_MS = 8000
"""Milliseconds that are played of a sentence whose end is not known."""


@dataclass(frozen=True, slots=True)
class Found:
    """Choice among the hits of a search: one of them, the group that it is in, and what was searched for."""

    group: SearchGroupName
    hit: SearchHit
    q: str


class FindAnything(Dialog[Found | None]):
    """Dialog whose answer is a hit, None after esc. ``typed`` is what the field begins with."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,ctrl+c", "dismiss(None)", show=False),
        Binding("tab", "group(1)", show=False, priority=True),
        Binding("shift+tab", "group(-1)", show=False, priority=True),
        Binding("down", "step(1)", show=False, priority=True),
        Binding("up", "step(-1)", show=False, priority=True),
        Binding("j", "step(1)", show=False),
        Binding("k", "step(-1)", show=False),
        Binding("slash,ctrl+f", "to_field", show=False),
        Binding("p", "play", show=False),
    ]

    def __init__(self, service: Service, typed: str = "") -> None:
        super().__init__()
        self._service = service
        self._begin = typed
        self._groups: dict[SearchGroupName, SearchGroup] = {}
        self._hits: list[tuple[SearchGroupName, SearchHit]] = []
        self._searched = ""
        self._enters = 0
        """How often ``enter`` was pressed before the hits had come."""
        self._back = 0
        """How many searches it has gone back, with up in the field."""
        self._is_playing = self._plays_on = False

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog-panel"):
            yield LineField(
                self._begin,
                limit=MAX_SEARCH_LENGTH,
                placeholder=_PLACEHOLDER,
                suggester=SearchSuggestions(_COMPLETED, self._service.search_values),
            )
            choices = OptionList(markup=False, compact=True)
            yield choices
            yield Static(id="around")
            yield Static(id="find-hint", classes="dialog-hint")

    def on_mount(self) -> None:
        self.set_focus(self.query_one(LineField))  # at once: what is typed ahead must find it
        self._say()
        if self._begin:
            self.search(self._begin, at_once=True)

    @property
    def q(self) -> str:
        return self.query_one(LineField).value

    @property
    def _list(self) -> OptionList:
        return self.query_one(OptionList)

    # Searching

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self._enters = 0
        self.search(event.value)

    @work(exclusive=True, group="find", exit_on_error=False)
    async def search(self, q: str, *, at_once: bool = False) -> None:
        """Search group by group, the sentences first; where these take long, the others are shown before them."""
        if not at_once:
            await asyncio.sleep(_TYPED_SECONDS)
        if not q.strip():
            self._show(q, {}, is_whole=True)
            return
        groups: dict[SearchGroupName, SearchGroup] = {}
        first, *others = SEARCH_GROUPS
        sentences = asyncio.ensure_future(self._find(q, first))
        try:
            await asyncio.wait((sentences,), timeout=_PATIENCE)
            for name in others:
                if sentences.done():
                    groups |= await sentences
                    self._show(q, groups, is_whole=False)
                groups |= await self._find(q, name)
                self._show(q, groups, is_whole=False)
            if not sentences.done():
                self._say("searching the sentences …")
            groups |= await sentences
            self._show(q, groups, is_whole=True)
        except LodeError as error:
            self._say(in_one_line(error), error=True)
        finally:
            sentences.cancel()

    async def _find(self, q: str, name: SearchGroupName) -> dict[SearchGroupName, SearchGroup]:
        found = await self._service.search(q, group=name, limit=_HITS.get(name, _OTHER_HITS))
        return {group.name: group for group in found}

    def _show(self, q: str, groups: dict[SearchGroupName, SearchGroup], *, is_whole: bool) -> None:
        here = self._highlighted if q == self._searched else None
        self._groups, self._searched = dict(groups), q
        self._hits = [(name, hit) for name in SEARCH_GROUPS if name in groups for hit in groups[name].hits]
        self._draw()
        if self._hits:
            place = self._hits.index(here) if here in self._hits else 0
            self._list.highlighted = place
            self._say()
        elif is_whole and q.strip():
            self._say("nothing has all of this · fewer letters, or other words · esc closes")
        self._show_around()
        self._go_on()
        if is_whole:
            self._enters = 0

    def _draw(self) -> None:
        width = min(WIDTH, self.app.size.width) - 7
        before, lines = "", []
        for name, hit in self._hits:
            label = "" if name == before else f"{name}{' …' if self._groups[name].more else ''}"
            lines.append(_line(label, hit, width))
            before = name
        self._list.set_options(lines)

    def on_resize(self, event: events.Resize) -> None:
        here = self._list.highlighted
        self._draw()
        self._list.highlighted = here

    # Moving among the hits

    @property
    def _highlighted(self) -> tuple[SearchGroupName, SearchHit] | None:
        place = self._list.highlighted
        return self._hits[place] if place is not None and place < len(self._hits) else None

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self._enters += 1
        self._go_on()

    def _go_on(self) -> None:
        """Go to the hits of what stands in the field once they are there, and open one, as ``enter`` was pressed."""
        if self._enters and self._hits and self._searched == self.q:
            self.set_focus(self._list)
            if self._enters > 1:
                self._list.action_select()
            self._enters = 0

    def action_to_field(self) -> None:
        self.set_focus(self.query_one(LineField))

    def action_step(self, step: int) -> None:
        """Go to the hit above or below; from the first one up to the field, and from there to the search before."""
        here = self._list.highlighted or 0
        if not self._list.has_focus:
            if step < 0:
                self._show_earlier()
            elif self._hits:
                self.set_focus(self._list)
        elif here + step < 0:
            self.action_to_field()
        else:
            self._list.highlighted = min(here + step, len(self._hits) - 1)

    def _show_earlier(self) -> None:
        earlier = last_filters(self.app).of(_LAST)
        self._back = min(self._back + 1, len(earlier))
        if self._back:
            field = self.query_one(LineField)
            field.value = earlier[-self._back]
            field.cursor_position = len(field.value)

    def action_group(self, step: int) -> None:
        """Go to the first hit of the next group that has some."""
        if (here := self._highlighted) is None:
            return
        names = [name for name in SEARCH_GROUPS if any(each == name for each, _ in self._hits)]
        wanted = names[(names.index(here[0]) + step) % len(names)]
        self.set_focus(self._list)
        self._list.highlighted = next(place for place, (name, _) in enumerate(self._hits) if name == wanted)

    @on(OptionList.OptionHighlighted)
    def _show_around(self) -> None:
        """Show what stands around the highlighted sentence, below the list."""
        around = Content("")
        if (here := self._highlighted) is not None:
            hit = here[1]
            parts = [Content.styled(hit.before, MUTED), _text(hit, None), Content.styled(hit.after, MUTED)]
            around = Content("\n").join(part for part in parts if part.plain)
        self.query_one("#around", Static).update(around)

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        if (here := self._highlighted) is not None:
            q = self._searched
            last_filters(self.app).keep(_LAST, q)
            if here[0] in ("sentences", "notes"):  # whose fields say which transcript it is, and nothing of the text
                q = text_of(parse_query(q, SEARCH_FIELDS["sentences"]))
            self.dismiss(Found(here[0], here[1], q))

    def _say(self, message: str = "", *, error: bool = False) -> None:
        hint = self.query_one("#find-hint", Static)
        hint.update(Content(message or "enter to the hits, then opens · tab next group · p plays · esc closes"))
        hint.set_class(error, "-error")

    # Hearing

    def action_play(self) -> None:
        """Play the hit; held to, one hit after the other."""
        if self._is_playing:
            self._plays_on = True
        else:
            self.play()

    @work(group="play", exit_on_error=False)
    async def play(self) -> None:
        self._is_playing = True
        try:
            while (here := self._highlighted) is not None:
                self._plays_on = False
                await self._play(*here)
                if not self._plays_on or self._list.highlighted == len(self._hits) - 1:
                    return
                self.action_step(1)
        except LodeError as error:
            self._say(in_one_line(error), error=True)
        finally:
            self._is_playing = False

    async def _play(self, group: SearchGroupName, hit: SearchHit) -> None:
        from tui.playing.players import play_bytes

        if group == "clips":
            await play_bytes(await self._service.media.audio(hit.id))
        elif hit.start_ms is not None and hit.cue_index is not None:
            (cue,) = (await self._service.transcripts.cues(hit.id, offset=hit.cue_index, limit=1)).items
            end = cue.end_ms if cue.end_ms is not None else hit.start_ms + _SOUND_MS
            await play_bytes(await self._service.media.sound(hit.id, Span(hit.start_ms, end)))


def open_found(app: App[Any], service: Service, found: Found) -> None:
    """Open what was found where it belongs."""
    hit, q = found.hit, found.q
    match found.group:
        case "sentences" | "notes":
            offset = hit.spans[0][0] if hit.spans and found.group == "sentences" else 0
            app.post_message(OpenTranscript(hit.id, hit.cue_index, offset=offset, q=q))
        case "transcripts":
            app.post_message(OpenTranscript(hit.id))
        case "clips":
            app.post_message(OpenClips(q))
        case "words":
            app.post_message(OpenWords(hit.text))
        case "answers":
            app.post_message(OpenHistory(q))
        case "dictionaries":
            app.push_screen(DictionaryEntryScreen(service, hit.text, hit.language, ""))


def _line(label: str, hit: SearchHit, width: int) -> Content:
    """A hit in one line: its group, its text around the first match, and where it is from at the right."""
    place = "" if hit.start_ms is None else f" {clock(hit.start_ms)}"
    about = cut(f"{hit.detail or hit.title}" if hit.cue_index is None else f"{hit.title}{place}", width // 3)
    room = max(0, width - _GROUP_CELLS - cell_len(about) - 2)
    text = _text(hit, room)
    space = " " * max(0, room - cell_len(text.plain) + 2)
    return Content.styled(label.ljust(_GROUP_CELLS), MUTED) + text + Content(space) + Content.styled(about, MUTED)


def _text(hit: SearchHit, cells: int | None) -> Content:
    """The text with what was searched for set off; cut so that the first place of it is seen."""
    text, start = hit.text, 0
    if cells is not None and cell_len(text) > cells:
        if hit.spans and cell_len(text[: hit.spans[0][1]]) > cells - 2:
            start = max(0, hit.spans[0][0] - cells // 3)
        text = ("…" if start else "") + text[start:]
        start -= 1 if start else 0
        text = cut(text, cells)
    content = Content(text)
    for begin, end in hit.spans:
        if 0 <= begin - start < len(text):
            content = content.stylize("bold underline", begin - start, min(end - start, len(text)))
    return content
