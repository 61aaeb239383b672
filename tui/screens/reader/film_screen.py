"""Base class of the reader's screen: plays its sentences out of the film, and follows an mpv that plays it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, ClassVar

from textual import on, work
from textual.binding import Binding, BindingType

from tui.errors import LodeError
from tui.playing.mpv import MpvConnection
from tui.playing.mpv_process import MpvSource
from tui.records.transcripts import Transcript
from tui.screens.following import Following
from tui.screens.playing import play_alone
from tui.screens.reader.word_state_screen import WordStateScreen
from tui.service.protocol import Service
from tui.text.sanitize import one_line
from tui.widgets.chrome.key_line import shown_key
from tui.widgets.transcript.cue_lines import PlaceInCue
from tui.widgets.transcript.cue_reader import CueReader
from tui.widgets.transcript.focused_text import FocusedText


class FilmScreen(WordStateScreen):
    """Screen of a transcript whose film is heard; ``follow`` is the mpv to be followed from the beginning.

    While it is covered, by a breakdown say, the mpv that it follows is paused.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("p", "play", "play the sentence, out of its film", show=False, id="reader.play"),
        Binding("o", "follow", "follow the film in mpv: begin, go on, end", show=False, id="reader.follow"),
    ]

    def __init__(
        self,
        service: Service,
        transcript_id: str,
        start: tuple[int, PlaceInCue] | None,
        follow: MpvSource | None = None,
    ) -> None:
        super().__init__(service, transcript_id, start)
        self._following: Following | None = None
        self._follow_at_once = follow

    def on_mount(self) -> None:
        if self._follow_at_once is not None:
            self._memory.films[self._transcript_id] = self._follow_at_once
            self.action_follow()

    # Following.

    @property
    def is_led(self) -> bool:
        """Whether the eye is where mpv led it."""
        return self._following is not None and self._following.has_led and self.reader.is_led

    def action_follow(self) -> None:
        """Follow mpv; go on with it where the eye was moved by hand, else no longer."""
        if self._following is None:
            self._following = Following(self.reader, self._transcript_id)
            self.follow(self._following)
        elif self._following.is_held:
            self._following.go_on()
        else:
            self._end_following()
        self._show_following()

    def _end_following(self) -> None:
        self._following = None
        self.workers.cancel_group(self, "follow")
        self.refresh_bindings()

    def _show_following(self) -> None:
        if (following := self._following) is None:
            self.set_status("")
            return
        key = shown_key(self, "reader.follow")
        self.set_status(following.status(key, is_short=self.has_class("-narrow")))
        if following.is_held and not following.is_hold_told:
            following.is_hold_told = True
            self.notify(f"the text stays where you are; {key} follows mpv again", markup=False)

    @on(CueReader.WordFocused)
    def _moved(self) -> None:
        if self._following is None:
            return
        if self._following.transcript_id != self._transcript_id:
            self._end_following()
            self.notify("another text is read now than that of the film: mpv is not followed any more", markup=False)
        self._show_following()

    @work(exclusive=True, group="follow", exit_on_error=False)
    async def follow(self, following: Following) -> None:
        """Follow an mpv until it ends, or plays something else."""
        try:
            why = await self._follow(following)
        except LodeError as error:
            self._complain(error)
            why = ""
        if self._following is following:
            self._following = None
            self._show_following()
            self.refresh_bindings()
            if why:
                self.notify(f"{why}: it is not followed any more", markup=False)

    async def _follow(self, following: Following) -> str:
        """Follow, and give the reason why that ended."""
        from tui.service.media.playing import cue_times

        transcript = await self.service.transcripts.get(following.transcript_id)
        following.times = await cue_times(self.service.transcripts, transcript)
        path = ""
        async with self._mpv(transcript) as mpv:
            following.mpv = mpv
            self.refresh_bindings()
            self._pause_where_covered()
            async for playback in mpv.states():
                if not path and (path := playback.path):
                    self._remember(transcript, Path(path))
                if playback.path not in ("", path):
                    return f"mpv plays {one_line(Path(playback.path).name)} now"
                if following.times is None:
                    following.times = await cue_times(self.service.transcripts, transcript)
                if self._following is following and self._transcript_id == transcript.id:
                    following.show(playback)
                    self._show_following()
        return "mpv has ended"

    def _remember(self, transcript: Transcript, film: Path) -> None:
        """Remember what an mpv of somebody's plays as the film of the transcript, where nobody named one."""
        source = self._memory.films.get(transcript.id)
        if source is not None and source.film is None and film.is_absolute():
            self._memory.films[transcript.id] = MpvSource(film, source.socket)

    @asynccontextmanager
    async def _mpv(self, transcript: Transcript) -> AsyncIterator[MpvConnection]:
        """The mpv that is to be followed, or one that is started with the film where the eye is."""
        from tui.playing import mpv_process
        from tui.service.media.playing import film_of

        source = self._memory.films.get(transcript.id)
        if source is not None and source.socket is not None:
            opened = mpv_process.join_mpv(source.socket)
        else:
            cue = self.reader.cue if self.reader.cue_index else None
            start_ms = cue.start_ms if cue is not None and cue.start_ms is not None else 0
            film = await film_of(self.service, transcript, self._named_film(transcript))
            opened = mpv_process.start_mpv(film, start_ms=start_ms)
        async with opened as mpv:
            yield mpv

    def action_pause(self) -> None:
        """Pause mpv, or play on."""
        if (following := self._following) is not None and following.mpv is not None:
            following.pauses = False
            self._send(following.mpv.toggle_pause())

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "pause":
            return self._following is not None and self._following.mpv is not None
        return super().check_action(action, parameters)

    def on_screen_suspend(self) -> None:
        self._pause_where_covered()

    def on_screen_resume(self) -> None:
        self._pause_where_covered()

    def _pause_where_covered(self) -> None:
        if (following := self._following) is not None and following.mpv is not None:
            self._send(following.pause_where_covered(lambda: not self.is_current))

    def _send(self, command: Coroutine[Any, Any, object]) -> None:
        """Send a command to mpv; commands go in their order."""

        async def send() -> None:
            try:
                await command
            except LodeError as error:
                if error.code != "mpv_gone":  # who follows it hears of that
                    self._complain(error)

        self.run_worker(send(), group="mpv", exit_on_error=False)

    def read_anew(self) -> None:
        if self._has_other_cues and self._following is not None:
            self._following.times, self._following.has_led = None, False
        super().read_anew()

    # Playing.

    def action_play(self) -> None:
        """Play the sentence under the eye: mpv goes there where it is followed."""
        transcript, focused = self._transcript, self.reader.focused
        if transcript is None or focused is None:
            return
        if focused.start_ms is None or focused.end_ms is None:
            self.notify("this sentence has no time: nobody knows where it is spoken", markup=False)
        elif (following := self._following) is not None and following.mpv is not None:
            following.pauses = False
            self._send(following.mpv.seek(focused.start_ms))
            self._send(following.mpv.set_pause(False))
        else:
            playing = self._play(transcript, focused, focused.start_ms, focused.end_ms)
            play_alone(self.app, playing, self._complain)

    async def _play(self, transcript: Transcript, focused: FocusedText, start_ms: int, end_ms: int) -> None:
        from tui.service.media.playing import play, sentence_span_of

        cues = focused.first_cue, focused.last_cue
        span = await sentence_span_of(self.service.transcripts, transcript.id, *cues, start_ms, end_ms)
        await play(self.service, transcript, span, self._named_film(transcript))

    def _named_film(self, transcript: Transcript) -> Path | None:
        """The film that was named for a transcript in this session, which comes before the one that is linked."""
        named = self._memory.films.get(transcript.id)
        return named.film if named is not None else None
