"""Sounds and pictures of clips: cut out of the films of their transcripts, once, and anew when times or film change."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator
from contextlib import closing, suppress
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING

from tui.errors import LodeError, MediaError

if TYPE_CHECKING:
    from tui.records.exports import FilmTrouble
    from tui.records.media import MediaLink, WaitingCut
    from tui.service.library import Database
    from tui.service.media.media_process import MediaProcess
    from tui.store import Store


class ClipMedia:
    """Cuts what waits in a process of its own: one film at a time, and each film in one pass."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = asyncio.Lock()
        self._process: MediaProcess | None = None
        self._wanted: set[str] = set()
        self._task: asyncio.Task[None] | None = None

    def begin(self, profile: str) -> None:
        """Begin to cut what waits in a profile, behind what is being cut; what goes wrong an export tells."""
        self._wanted.add(profile)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._work(), name="lode-clip-media")

    async def complete(
        self, profile: str, report: Callable[[float], None] = lambda share: None
    ) -> tuple[FilmTrouble, ...]:
        """Cut all that waits in a profile, and tell the films that it could not be cut out of.

        ``report`` is called in another thread with the share that is done; what it raises ends the work. What was cut
        until then is kept.
        """
        async with self._lock:
            return await self._database.run_long(lambda store, check: self._cut_all(store, profile, check, report))

    async def close(self) -> None:
        """End what is being cut; it waits for the next time."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        if self._process is not None:
            await asyncio.to_thread(self._process.end)

    async def _work(self) -> None:
        while self._wanted:
            with suppress(LodeError):
                await self.complete(self._wanted.pop())

    def _cut_all(
        self, store: Store, profile: str, check: Callable[[], None], report: Callable[[float], None]
    ) -> tuple[FilmTrouble, ...]:
        from tui.records.exports import FilmTrouble

        waiting, done, trouble = store.media.waiting(profile), 0, list[FilmTrouble]()
        for link, of_film in groupby(waiting, key=attrgetter("link")):
            cuts, begun = list(of_film), done
            try:
                with closing(self._cut(link, cuts)) as results:
                    for cut, sound, picture in results:
                        check()
                        store.media.keep(cut, sound, picture)
                        done += 1
                        report(done / len(waiting))
            except MediaError as error:
                trouble.append(
                    FilmTrouble(link.path, len(cuts) - (done - begun), error.code, error.message, error.hint)
                )
                done = begun + len(cuts)
        return tuple(trouble)

    def _cut(self, link: MediaLink, cuts: list[WaitingCut]) -> Generator[tuple[WaitingCut, bytes, bytes], None, None]:
        """Each cut with its sound and its picture; raises ``MediaError``."""
        from tui.media.cutting import cut as cut_out
        from tui.media.cutting import widen_sentence_span
        from tui.service.media.media_process import MediaProcess

        check_unchanged(link)
        spans = [
            widen_sentence_span(
                cut.start_ms, cut.end_ms, previous_end=cut.previous_end_ms, next_start=cut.next_start_ms
            )
            for cut in cuts
        ]
        language, self._process = cuts[0].language, self._process or MediaProcess()
        for cutting in self._process.results(cut_out, Path(link.path), spans, language=language, track=link.track):
            yield cuts[cutting.index], cutting.sound, cutting.picture


def check_unchanged(link: MediaLink) -> None:
    """Raise ``MediaError`` where the film is gone (``media_missing``) or another one by now (``media_changed``)."""
    from tui.media.films import Fingerprint, take_fingerprint

    path = Path(link.path)
    known = Fingerprint(link.size_bytes, link.modified_ns, link.parts_sha256)
    if take_fingerprint(path, known).parts_sha256 != known.parts_sha256:
        raise MediaError(
            f"{path.name} is another file than the one that was linked",
            hint="link it again if its times are those of the transcript: lode files link TRANSCRIPT FILM",
            code="media_changed",
        )
