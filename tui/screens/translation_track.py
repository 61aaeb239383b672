"""Choice of a transcript's translation track in the app: another subtitle of the same film, the likeliest first."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import PurePath

from textual import on, work
from textual.content import Content
from textual.widgets import Input

from tui.errors import InvalidInput, LodeError, in_one_line
from tui.records.transcripts import Transcript
from tui.screens.dialogs.list_choice import MAX_ENTRIES, ListChoice
from tui.screens.dialogs.questions import TextPrompt
from tui.screens.input_queue import typed_input_kept
from tui.screens.messages import LibraryChanged
from tui.screens.section import SectionScreen
from tui.service.protocol import Service
from tui.text.cells import cut, fit
from tui.text.display import clock, count_of, language
from tui.text.sanitize import one_line
from tui.widgets.chrome.themes import MUTED

_NO_TRACK = ""
_FACTS_CELLS = 26
_LONGEST_OFFSET_S = 1e9


class TrackChoice(ListChoice[str]):
    """Dialog whose answer is the id of a transcript, "" for no track any more, None after esc."""

    def __init__(self, service: Service, transcript: Transcript) -> None:
        super().__init__(
            f'Translation of "{one_line(transcript.title)}"',
            placeholder="type to narrow the list",
            hint="enter takes it as the translation · esc leaves it",
        )
        self._service = service
        self._transcript = transcript
        self._found: tuple[Transcript, ...] | None = None

    def on_mount(self) -> None:
        super().on_mount()
        self.read_transcripts()

    @on(Input.Changed)
    def _typed_on(self) -> None:
        self.read_transcripts()

    @work(exclusive=True, group="transcripts", exit_on_error=False)
    async def read_transcripts(self) -> None:
        """Read those that fit what is typed; a library may have more than are listed."""
        try:
            found = await self._service.transcripts.page(limit=5 * MAX_ENTRIES, q=self.typed)
        except LodeError as error:
            self.say(in_one_line(error), error=True)
            return
        self._found = found.items
        self.refresh_list()

    def listed(self, typed: str) -> Iterator[tuple[str, Content]]:
        if self._found is None:  # enter, typed ahead, is not to mean the one entry that needs no reading
            return
        ours = self._transcript
        others = [each for each in self._found if each.id != ours.id and each.duration_ms is not None]
        others.sort(key=lambda each: _likeliness(each, ours), reverse=True)
        entries = ((each.id, self._entry(each)) for each in others)
        yield from islice(entries, 1)
        if ours.translation_id and not typed:  # below the track that it is now: the list may be cut at its end
            yield _NO_TRACK, Content("  no translation any more")
        yield from entries

    def _entry(self, transcript: Transcript) -> Content:
        facts = (language(transcript.language), clock(transcript.duration_ms))
        mark = "● " if transcript.id == self._transcript.translation_id else "  "
        width = max(8, self.entry_width - _FACTS_CELLS - len(mark))
        title = fit(cut(one_line(transcript.title), width, inside=True), width)
        return Content(f"{mark}{title}  ") + Content.styled(" · ".join(filter(None, facts)), MUTED)


def _likeliness(other: Transcript, ours: Transcript) -> tuple[bool, bool, bool, bool]:
    """Whether it is the track already, the same episode, of the same name, and as long as ours."""
    place, its_place = ((each.series, each.season, each.episode) for each in (ours, other))
    is_episode = bool(ours.series) and its_place == place
    longer = max(other.duration_ms or 0, ours.duration_ms or 0)
    is_as_long = abs((other.duration_ms or 0) - (ours.duration_ms or 0)) * 20 <= longer
    is_named_so = PurePath(other.title).stem.casefold() == PurePath(ours.title).stem.casefold()
    return other.id == ours.translation_id, is_episode, is_named_so, is_as_long


async def choose_track(screen: SectionScreen, transcript_id: str) -> bool:
    """Let the user choose a transcript's track, and pair them; whether anything changed."""
    service = screen.service
    try:
        with typed_input_kept(screen.app):
            transcript = await service.transcripts.get(transcript_id)
        chosen = await screen.app.push_screen_wait(TrackChoice(service, transcript))
        if chosen is None:
            return False
        if chosen == _NO_TRACK:
            await service.transcripts.unpair(transcript.id)
            screen.notify("no translation any more", markup=False)
        elif not await _paired(screen, transcript, chosen):
            return False
    except LodeError as error:
        screen.notify(in_one_line(error), severity="error", markup=False)
        return False
    screen.post_message(LibraryChanged("transcript"))
    return True


async def _paired(screen: SectionScreen, transcript: Transcript, track_id: str) -> bool:
    """Pair them; where no offset is found, by one that is asked for."""
    offset_ms: int | None = None
    while True:
        try:
            pair = await screen.service.transcripts.pair(transcript.id, track_id, offset_ms=offset_ms)
        except InvalidInput as error:
            if error.code != "no_offset":
                raise
            offset_ms = await _asked_offset(screen)
            if offset_ms is None:
                return False
            continue
        moved = pair.transcript.translation_offset_ms or 0
        said = f"{pair.translated_cues} of {count_of(transcript.cue_count, 'cue')} have a translation"
        screen.notify(said + (f", moved by {moved / 1000:+.1f} s" if moved else ""), markup=False)
        return True


async def _asked_offset(screen: SectionScreen) -> int | None:
    refusal, typed = "", "0"
    title = "Their times do not go together: seconds to move the translation by"
    hint = "-1.5, say, where it comes too late · esc leaves it"
    while True:
        answer = await screen.app.push_screen_wait(TextPrompt(title, value=typed, hint=hint, error=refusal))
        if answer is None:
            return None
        try:
            seconds = float(answer.replace(",", "."))
        except ValueError:
            seconds = float("nan")
        if abs(seconds) <= _LONGEST_OFFSET_S:
            return round(seconds * 1000)
        refusal, typed = "type a number of seconds", answer
