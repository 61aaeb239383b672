"""An answer as it streams: text for people, or one JSON object per line."""

from __future__ import annotations

import asyncio
import shlex
import time
from contextlib import aclosing
from typing import TYPE_CHECKING

from tui.cli.output import console
from tui.cli.output.details import put_focus
from tui.events import BreakdownEvents, Failed, Finished, FocusReady, StateChanged, Token
from tui.records.clips import FocusWord, NewClip
from tui.records.pages import to_json
from tui.text.display import count_of
from tui.text.sanitize import ControlFilter, one_line

if TYPE_CHECKING:
    from tui.errors import LodeError
    from tui.service.protocol import Service
    from tui.service.requests import BreakdownRequest


async def follow_answer(
    service: Service, events: BreakdownEvents, *, as_json: bool, save: BreakdownRequest | None = None
) -> bool:
    """Print the stream; False when it failed. A complete answer to ``save`` is kept as a clip.

    Cancelled (by Ctrl+C) it closes the stream, which aborts the request, and leaves what was printed.
    """
    printer = _Lines() if as_json else _Text()
    ready: FocusReady | None = None
    text: list[str] = []
    well = False
    try:
        async with aclosing(events) as stream:
            async for event in stream:
                match event:
                    case StateChanged():
                        printer.state(event)
                    case FocusReady():
                        ready = event
                        printer.focus(event)
                    case Token(piece):
                        text.append(piece)
                        printer.token(piece)
                    case Failed(error):
                        printer.failed(error)
                    case Finished():
                        well = event.state == "complete"
                        kept = ("", "")
                        if save is not None and well:
                            kept = await _kept(service, save, ready, "".join(text), event)
                        printer.finished(event, *kept)
    finally:
        printer.stopped()
    return well


async def _kept(
    service: Service, request: BreakdownRequest, ready: FocusReady | None, text: str, end: Finished
) -> tuple[str, str]:
    """Keep a clip; gives its id, and what is to be said of older clips of the word."""
    focus = ready.focus if ready else FocusWord(request.focus, language=request.language)
    name = focus.lemma or focus.surface
    before = (await service.words.summary(name, language=focus.language)).clips
    kept = await service.clips.keep(
        NewClip(
            sentence=request.sentence,
            context=request.context,
            focus=ready.focus if ready else None,
            translation=ready.translation if ready else "",
            sentence_reading=ready.sentence_reading if ready else "",
            explanation="" if end.nothing_known else text,
            model=end.model,
            source=request.source,
        ),
        asked=request.focus,
    )
    clip, word = kept.clip, one_line(name)
    if kept.outcome == "completed":
        return clip.id, "the clip was there, and has got what it lacked; lode undo takes that back"
    if kept.outcome == "same":
        return clip.id, "the clip was there, and lacked nothing"
    if not before:
        return clip.id, ""
    return clip.id, f"{word} had {count_of(before, 'clip')} already: lode clips list --search {shlex.quote(word)}"


class _Text:
    """The focus card, a blank line, the explanation as it comes; what happens meanwhile stands on standard error."""

    def __init__(self) -> None:
        self._status = console.StatusLine()
        self._filter = ControlFilter()
        self._open_line = False
        self._remarks: list[str] = []
        self._began = time.monotonic()
        self._counting: asyncio.TimerHandle | None = None

    def state(self, event: StateChanged) -> None:
        self._stop_counting()
        if event.state in ("connecting", "streaming") and event.message:  # of the whole answer, not of a moment
            self._remarks.append(event.message)
        if event.state != "streaming" and not self._open_line:  # else it would tear apart what is being written
            if event.state == "preparing":
                self._count(event.message or event.state)
                return
            wait = "" if event.seconds is None else f"asking again in {event.seconds:.0f} s"
            parts = (event.model, event.message or event.state, wait)
            self._status.show(" · ".join(filter(None, parts)), now=True)

    def _count(self, said: str) -> None:
        """Show it with the seconds so far, every second anew."""
        from tui.text.cells import cut

        tail = f" · {time.monotonic() - self._began:.0f} s · ctrl+c stops"
        self._status.show(cut(one_line(said), console.width() - 1 - len(tail)) + tail, now=True)
        self._counting = asyncio.get_running_loop().call_later(1.0, self._count, said)

    def _stop_counting(self) -> None:
        if self._counting is not None:
            self._counting.cancel()
            self._counting = None

    def _clear(self) -> None:
        self._stop_counting()
        self._status.clear()

    def focus(self, event: FocusReady) -> None:
        self._clear()
        put_focus(event.focus, event.other)
        for of_sentence in filter(None, (event.sentence_reading, event.translation)):
            console.put("\n" + one_line(of_sentence))
        console.put(flush=True)

    def token(self, text: str) -> None:
        self._clear()
        if safe := self._filter.feed(text):
            console.put(safe, end="", flush=True)
            self._open_line = not safe.endswith("\n")

    def failed(self, error: LodeError) -> None:
        self.stopped()
        console.tell_error(error.message, error.hint)

    def finished(self, event: Finished, clip_id: str, older_clips: str) -> None:
        self.stopped()
        for remark in self._remarks if event.state == "complete" else ():
            console.tell(one_line(remark))
        if event.kept:
            console.tell("from the history; --fresh asks anew")
        if event.cut and event.state == "complete":
            console.tell("the model stopped at its length limit")
        if clip_id:
            console.tell(f"kept as clip {clip_id}")
        if older_clips:
            console.tell(older_clips)
        if console.is_terminal() and not event.kept:
            console.tell(_summary(event))

    def stopped(self) -> None:
        """The stream ended, maybe without a ``Finished``: leave the terminal tidy."""
        self._clear()
        if self._open_line:
            self._open_line = False
            console.put(flush=True)


class _Lines(_Text):
    """Focus, tokens, error and end; the states in between are for people."""

    def state(self, event: StateChanged) -> None:
        pass

    def focus(self, event: FocusReady) -> None:
        of_sentence = {"translation": event.translation, "sentence_reading": event.sentence_reading}
        other = {} if event.other is None else {"other": event.other}  # few have it, as nothing_known below
        console.put_event({"event": "focus", "focus": event.focus, **of_sentence, **other})

    def token(self, text: str) -> None:
        console.put_event({"event": "token", "text": text})

    def failed(self, error: LodeError) -> None:
        console.put_event({"event": "error", "code": error.code, "message": error.message, "hint": error.hint})
        console.tell_error(error.message, error.hint)

    def finished(self, event: Finished, clip_id: str, older_clips: str) -> None:
        fields = {"event": "done", **to_json(event)}
        if not event.nothing_known:
            del fields["nothing_known"]  # few answers have it, and what reads these lines knows the others
        console.put_event(fields | ({"clip_id": clip_id} if clip_id else {}))


def _summary(event: Finished) -> str:
    tokens = [
        f"{number} tokens {way}"
        for number, way in ((event.input_tokens, "in"), (event.output_tokens, "out"))
        if number is not None
    ]
    return " · ".join((event.model, event.state, f"{event.duration_ms / 1000:.1f} s", *tokens))
