"""Speaker: a sentence in a machine's voice, as the sound of a clip: an MP3 like those that are cut out of films."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from tui.errors import MediaError
from tui.records.media import Cutting, Span
from tui.system.temporary import TemporaryDirectory, made_in_thread
from tui.text.sanitize import one_line

if TYPE_CHECKING:
    from tui.service.media.media_process import MediaProcess
    from tui.voices import Voice

_MOST_MS = 600_000
"""Milliseconds of a sentence that are kept."""
_NO_SOUND = frozenset(("not_media", "undecodable", "no_audio", "media_unreadable"))
"""Codes of what is wrong with a file; here the voice is named for it."""


class Speaker:
    """Has sentences spoken, one after the other; what comes is read in the process that reads films."""

    def __init__(self) -> None:
        self._place: TemporaryDirectory | None = None
        self._process: MediaProcess | None = None

    async def sound(self, sentence: str, voice: Voice) -> bytes:
        """Speak a sentence; gives the MP3.

        Raises what the voice raises, and ``MediaError``: as ``make_speakable``, ``no_sound`` for what is no sound,
        ``disk_full``, and what the process that reads it raises.
        """
        from tui.voices import make_speakable

        text = make_speakable(sentence)
        try:
            if self._place is None:
                self._place = await made_in_thread(lambda: TemporaryDirectory(Path(tempfile.gettempdir())))
            # One for each sentence: what a voice that fails leaves there is never taken for the next one.
            with tempfile.TemporaryDirectory(dir=self._place.path) as directory:
                cutting = await asyncio.to_thread(self._read, await voice.speak(text, Path(directory)))
        except OSError as error:
            raise MediaError(
                f"the sound cannot be written: {one_line(error.strerror or str(error))}",
                hint=f"make room in {one_line(tempfile.gettempdir())}",
                code="disk_full",
            ) from error
        except MediaError as error:
            if error.code in _NO_SOUND:
                raise _no_sound(voice.name, "what comes is no sound") from error
            raise
        if not cutting.sound:
            raise _no_sound(voice.name, "what comes is empty")
        return cutting.sound

    def _read(self, file: Path) -> Cutting:
        from tui.service.media.media_process import MediaProcess
        from tui.service.media.requests import CutRequest

        self._process = self._process or MediaProcess()
        (cutting,) = self._process.results(CutRequest(file, [Span(0, _MOST_MS)], pictures=False))
        return cutting

    async def close(self) -> None:
        """End what is being read, and remove what is left of it."""
        if self._process is not None:
            await asyncio.to_thread(self._process.end)
        if self._place is not None:
            await asyncio.to_thread(self._place.remove)


def _no_sound(voice: str, what: str) -> MediaError:
    return MediaError(
        f"{voice} has not spoken: {what}", hint="try it by itself, or choose another: [speech]", code="no_sound"
    )
