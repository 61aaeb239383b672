"""Film of a transcript in the reader: one sentence of it is played, or an mpv that plays all of it is followed."""

import asyncio
from collections.abc import Callable, Coroutine, MutableMapping
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any, Protocol

from textual.worker import Worker

from tui.errors import LodeError
from tui.playing.mpv import CueTimes, MpvConnection, MpvSource, Playback, join_mpv, start_mpv
from tui.records.transcripts import Transcript
from tui.service.protocol import Service
from tui.text.display import clock
from tui.text.sanitize import one_line
from tui.widgets.transcript.cue_focus import FocusedText
from tui.widgets.transcript.cue_reader import CueReader

_NO_TIME = "–"


class Following:
    """Following of an mpv that plays the film of one transcript, which leads the eye to the cue that is spoken there.

    ``mpv`` is None until there is one.
    """

    def __init__(
        self, service: Service, transcript_id: str, films: MutableMapping[str, MpvSource], eye: CueReader
    ) -> None:
        self.transcript_id = transcript_id
        self.mpv: MpvConnection | None = None
        self.is_hold_told = False
        self._service = service
        self._films = films
        self._eye = eye
        self._times: CueTimes | None = None
        self._playback = Playback()
        self._has_led = False  # since following began, or went on
        self._pauses = False  # mpv is paused since the text is covered
        self._covering = asyncio.Lock()

    async def follow(self, take_mpv: Callable[[], None], take_playback: Callable[[Playback], None]) -> str:
        """Follow, and give the reason why that ended; raises ``LodeError``.

        ``take_mpv`` is called once there is an mpv, ``take_playback`` with all that it says.
        """
        from tui.service.media.playing import cue_times

        transcripts = self._service.transcripts
        transcript = await transcripts.get(self.transcript_id)
        self._times = await cue_times(transcripts, transcript)
        path = ""
        async with await self._mpv(transcript) as self.mpv:
            take_mpv()
            async for playback in self.mpv.states():
                if not path and (path := playback.path):
                    self._remember(transcript, Path(path))
                if playback.path not in ("", path):
                    return f"mpv plays {one_line(Path(playback.path).name)} now"
                if self._times is None:
                    self._times = await cue_times(transcripts, transcript)
                take_playback(playback)
        return "mpv has ended"

    async def _mpv(self, transcript: Transcript) -> AbstractAsyncContextManager[MpvConnection]:
        """The mpv that is to be followed, or one that is to be started with the film where the eye is."""
        from tui.service.media.playing import film_of

        source = self._films.get(transcript.id)
        if source is not None and source.socket is not None:
            return join_mpv(source.socket)
        cue = self._eye.cue if self._eye.cue_index else None
        start_ms = cue.start_ms if cue is not None and cue.start_ms is not None else 0
        film = await film_of(self._service, transcript, source.film if source is not None else None)
        return start_mpv(film, start_ms=start_ms)

    def _remember(self, transcript: Transcript, film: Path) -> None:
        """Remember what an mpv of somebody's plays as the film of the transcript, where nobody named one."""
        source = self._films.get(transcript.id)
        if source is not None and source.film is None and film.is_absolute():
            self._films[transcript.id] = MpvSource(film, source.socket)

    @property
    def moment_ms(self) -> int | None:
        """The moment that mpv plays, as it said last."""
        return self._playback.time_ms

    @property
    def is_leading(self) -> bool:
        """Whether the eye is where mpv led it."""
        return self._has_led and self._eye.is_led

    @property
    def is_held(self) -> bool:
        """Whether the eye was moved by hand, so that it is not led any more."""
        return self._has_led and not self._eye.is_led

    def lead(self, playback: Playback) -> None:
        """Take up what mpv says, and lead the eye to the cue that is spoken."""
        self._playback = playback
        if self._times is None or playback.time_ms is None or self.is_held:
            return
        if (cue := self._times.at(playback.time_ms)) is not None:
            self._has_led = self._eye.lead_to(cue)

    def go_on(self) -> None:
        """Lead the eye again."""
        self._has_led = False
        self.lead(self._playback)

    def forget_times(self) -> None:
        """Read the times of the cues anew: the transcript has other ones."""
        self._times, self._has_led = None, self.is_held

    def toggle_pause(self, mpv: MpvConnection) -> Coroutine[Any, Any, None]:
        self._pauses = False  # at once: it is decided by hand now
        return mpv.toggle_pause()

    def play_from(self, mpv: MpvConnection, time_ms: int) -> Coroutine[Any, Any, None]:
        async def play() -> None:
            await mpv.seek(time_ms)
            await mpv.set_pause(False)

        self._pauses = False
        return play()

    async def pause_where_covered(self, is_covered: Callable[[], bool]) -> None:
        """Pause mpv where the text is covered, and let it play on once it is not; one that is paused anyway stays so.

        Raises ``MediaError``.
        """
        async with self._covering:  # the text may be covered and not any more before mpv has answered
            if self.mpv is None:
                return
            if is_covered() and not self._pauses:
                self._pauses = not await self.mpv.is_paused()
                if self._pauses:
                    await self.mpv.set_pause(True)
            elif self._pauses and not is_covered():
                self._pauses = False
                await self.mpv.set_pause(False)

    def status(self, key: str, *, is_short: bool) -> str:
        """The state in a few words; ``key`` is the one that leads the eye again."""
        if self.mpv is None:
            return "waiting for mpv"
        playback = self._playback
        if is_short:
            word = "held" if self.is_held else "paused" if playback.is_paused else "mpv"
            return f"{word} · {clock(playback.time_ms) or _NO_TIME}"
        time = _clock(playback.time_ms)
        if self.is_held:
            return f"mpv · {time} · {key} follows it"
        return f"mpv paused · {time}" if playback.is_paused else f"following mpv · {time}"


def _clock(milliseconds: int | None) -> str:
    """Format a time so that it is equally wide all the time."""
    if milliseconds is None:
        return _NO_TIME
    minutes, seconds = divmod(milliseconds // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:02}:{minutes:02}:{seconds:02}"


class FilmView(Protocol):
    """Reader's screen as far as its film is concerned; ``is_current`` says that nothing covers the text."""

    transcript_id: str

    @property
    def reader(self) -> CueReader: ...

    @property
    def is_current(self) -> bool: ...

    def follow_status(self, following: Following | None) -> None:
        """Show whether mpv is followed, and how that goes."""

    def run_worker(
        self, work: Coroutine[Any, Any, None], *, group: str, exclusive: bool = False, exit_on_error: bool
    ) -> Worker[None]: ...

    def play_alone(self, playing: Coroutine[Any, Any, None]) -> None: ...

    def say(self, message: str) -> None: ...

    def say_error(self, error: LodeError) -> None: ...


class Film:
    """Film of the transcript that is read: sentences of it are played, or an mpv that plays all of it is followed.

    ``named`` are the films that were named for transcripts in this session: they come before those that are linked.
    """

    def __init__(self, service: Service, named: MutableMapping[str, MpvSource], view: FilmView) -> None:
        self._service = service
        self._named = named
        self._view = view
        self._following: Following | None = None
        self._worker: Worker[None] | None = None

    @property
    def mpv(self) -> MpvConnection | None:
        """The mpv that is followed, once there is one."""
        return self._following.mpv if self._following is not None else None

    @property
    def moment_ms(self) -> int | None:
        """The moment that is played, None where nothing is followed or played."""
        return self._following.moment_ms if self._following is not None else None

    @property
    def leads(self) -> bool:
        """Whether the eye is where mpv led it."""
        return self._following is not None and self._following.is_leading

    def follow_or_end(self) -> None:
        """Follow mpv; go on with it where the eye was moved by hand, else no longer."""
        if (following := self._following) is None:
            self._following = Following(self._service, self._view.transcript_id, self._named, self._view.reader)
            self._worker = self._view.run_worker(
                self._follow(self._following), group="follow", exclusive=True, exit_on_error=False
            )
        elif following.is_held:
            following.go_on()
        else:
            self._end()
        self._view.follow_status(self._following)

    def _end(self) -> None:
        self._following = None
        if self._worker is not None:
            self._worker.cancel()

    def eye_moved(self) -> None:
        """Take note that the eye was moved, by hand or by mpv; another transcript has another film."""
        if (following := self._following) is None:
            return
        if following.transcript_id != self._view.transcript_id:
            self._end()
            self._view.say("another text is read now than that of the film: mpv is not followed any more")
        self._view.follow_status(self._following)

    def cues_changed(self) -> None:
        """Take note that the transcript has other cues."""
        if self._following is not None:
            self._following.forget_times()

    async def _follow(self, following: Following) -> None:
        """Follow an mpv until it ends, or plays something else, and say so."""

        def take_mpv() -> None:
            self._view.follow_status(following)
            self.pause_where_covered()

        def take_playback(playback: Playback) -> None:
            if self._following is following and self._view.transcript_id == following.transcript_id:
                following.lead(playback)
                self._view.follow_status(following)

        try:
            why = await following.follow(take_mpv, take_playback)
        except LodeError as error:
            self._view.say_error(error)
            why = ""
        if self._following is following:
            self._following = None
            self._view.follow_status(None)
            if why:
                self._view.say(f"{why}: it is not followed any more")

    # What mpv is told, each in its turn.

    def pause_where_covered(self) -> None:
        if (following := self._following) is not None and following.mpv is not None:
            self._send(following.pause_where_covered(lambda: not self._view.is_current))

    def toggle_pause(self) -> None:
        """Pause mpv, or play on."""
        if (following := self._following) is not None and following.mpv is not None:
            self._send(following.toggle_pause(following.mpv))

    def play(self, transcript: Transcript, text: FocusedText) -> None:
        """Play the sentence under the eye: mpv goes there where it is followed."""
        if text.start_ms is None or text.end_ms is None:
            self._view.say("this sentence has no time: nobody knows where it is spoken")
        elif (following := self._following) is not None and following.mpv is not None:
            self._send(following.play_from(following.mpv, text.start_ms))
        else:
            self._view.play_alone(self._play(transcript, text, text.start_ms, text.end_ms))

    def _send(self, command: Coroutine[Any, Any, None]) -> None:
        async def send() -> None:
            try:
                await command
            except LodeError as error:
                if error.code != "mpv_gone":  # who follows it hears of that
                    self._view.say_error(error)

        self._view.run_worker(send(), group="mpv", exit_on_error=False)

    async def _play(self, transcript: Transcript, text: FocusedText, start_ms: int, end_ms: int) -> None:
        from tui.service.media.playing import play, sentence_span_of

        cues = text.first_cue, text.last_cue
        span = await sentence_span_of(self._service.transcripts, transcript.id, *cues, start_ms, end_ms)
        named = self._named.get(transcript.id)
        await play(self._service, transcript, span, named.film if named is not None else None)
