"""Voices: which of them speaks a language, by the settings, and what it says as the sound of a clip.

They are programs of this machine, and providers that were named: nothing goes over a network unless ``[speech]`` in
config.toml names one.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tui import voices
from tui.config import SpeechSettings
from tui.errors import MediaError
from tui.media.container import EXTRA, is_installed
from tui.media.cutting import cut
from tui.records.media import Cutting, Span
from tui.service.media.media_process import MediaProcess
from tui.system.temporary import TemporaryDirectory, make_in_thread
from tui.text.sanitize import one_line

if TYPE_CHECKING:
    from tui.llm.http.provider import HttpProvider
    from tui.llm.providers import HttpProviders


_CHOOSE = "or say in config.toml what speaks instead: [speech]"


@dataclass(frozen=True, slots=True)
class ProviderVoice:
    """A voice of a provider's model."""

    provider: HttpProvider
    model: str
    voice: str

    @property
    def name(self) -> str:
        return " ".join(map(one_line, (self.provider.name, self.model, self.voice)))

    async def speak(self, text: str, directory: Path) -> Path:
        file = directory / "speech.mp3"
        file.write_bytes(await self.provider.speech(self.model, self.voice, text))
        return file


class Voices:
    """The voices of the settings; without settings of a language espeak-ng speaks it."""

    def __init__(self, settings: Mapping[str, SpeechSettings], over_http: Callable[[], HttpProviders]) -> None:
        self._settings = settings
        self._over_http = over_http
        self._spoken: tuple[str, ...] = ()

    def check(self) -> None:
        """Raise ``MediaError`` where nothing can speak: ``media_extra_missing``, ``voice_missing``."""
        if not is_installed():
            raise MediaError("voices need one more library", hint=EXTRA, code="media_extra_missing")
        if not self._settings and not voices.is_installed("espeak-ng"):
            raise MediaError(
                "espeak-ng is not installed", hint=f"{voices.INSTALL_ESPEAK}; {_CHOOSE}", code="voice_missing"
            )

    async def voice(self, language: str) -> voices.Voice:
        """The voice of a language (BCP 47), "" for one that nobody knows.

        Raises ``MediaError`` where none speaks it (``no_voice``, ``language_unknown``, ``voice_missing``), and
        ``ProviderError`` for a provider that there is none of.
        """
        settings = self._of(language)
        match settings.speaker:
            case "" | "espeak-ng":
                return await self._espeak(settings, language)
            case "piper":
                piper = voices.PiperVoice(Path(settings.model), settings.voice)
                piper.check_language(language)
                return piper
            case provider:
                return ProviderVoice(self._over_http().find(provider), settings.model, settings.voice)

    def _of(self, language: str) -> SpeechSettings:
        tag = language.lower()
        names = (tag, tag.partition("-")[0], "")
        return next((self._settings[name] for name in names if name in self._settings), SpeechSettings())

    async def _espeak(self, settings: SpeechSettings, language: str) -> voices.Voice:
        if settings.voice:
            return voices.EspeakVoice(settings.voice)
        if not language:
            raise MediaError(
                "the language of a clip is not known",
                hint="give it one in its transcript: lode transcripts edit ID --language xx",
                code="language_unknown",
            )
        self._spoken = self._spoken or await voices.list_espeak_languages()
        return voices.find_voice(language, self._spoken)


_MAX_MS = 600_000
"""Milliseconds of a sentence that are kept."""
_NO_SOUND = frozenset(("not_media", "undecodable", "no_audio", "media_unreadable"))
"""Codes of what is wrong with a file; here the voice is named for it."""


class Speaker:
    """Has sentences spoken, one after the other; what comes is read in the process that reads films."""

    def __init__(self) -> None:
        self._place: TemporaryDirectory | None = None
        self._process = MediaProcess()

    async def sound(self, sentence: str, voice: voices.Voice) -> bytes:
        """Speak a sentence; gives the MP3.

        Raises what the voice raises, and ``MediaError``: as ``make_speakable``, ``no_sound`` for what is no sound,
        ``disk_full``, and what the process that reads it raises.
        """
        text = voices.make_speakable(sentence)
        try:
            if self._place is None:
                self._place = await make_in_thread(lambda: TemporaryDirectory(Path(tempfile.gettempdir())))
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
        (cutting,) = self._process.results(cut, file, [Span(0, _MAX_MS)], pictures=False)
        return cutting

    async def close(self) -> None:
        """End what is being read, and remove what is left of it."""
        await asyncio.to_thread(self._process.end)
        if self._place is not None:
            await asyncio.to_thread(self._place.remove)


def _no_sound(voice: str, what: str) -> MediaError:
    return MediaError(
        f"{voice} has not spoken: {what}", hint="try it by itself, or choose another: [speech]", code="no_sound"
    )
