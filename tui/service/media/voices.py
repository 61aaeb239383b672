"""Voices: which of them speaks a language, by the settings; programs of this machine, and providers that were named.

Nothing goes over a network unless ``[speech]`` in config.toml names a provider.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tui.config import SpeechSettings
from tui.errors import MediaError
from tui.text.sanitize import one_line

if TYPE_CHECKING:
    from tui.llm.http.provider import HttpProvider
    from tui.llm.providers import HttpProviders
    from tui.voices import Voice

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
        from tui.media.container import EXTRA, is_installed
        from tui.voices import is_installed as is_program

        if not is_installed():
            raise MediaError("voices need one more library", hint=EXTRA, code="media_extra_missing")
        if not self._settings and not is_program("espeak-ng"):
            from tui.voices import INSTALL_ESPEAK

            raise MediaError("espeak-ng is not installed", hint=f"{INSTALL_ESPEAK}; {_CHOOSE}", code="voice_missing")

    async def voice(self, language: str) -> Voice:
        """The voice of a language (BCP 47), "" for one that nobody knows.

        Raises ``MediaError`` where none speaks it (``no_voice``, ``language_unknown``, ``voice_missing``), and
        ``ProviderError`` for a provider that there is none of.
        """
        settings = self._of(language)
        match settings.speaker:
            case "" | "espeak-ng":
                return await self._espeak(settings, language)
            case "piper":
                from tui.voices import PiperVoice

                piper = PiperVoice(Path(settings.model), settings.voice)
                piper.check_language(language)
                return piper
            case provider:
                return self._provider(provider, settings)

    def _of(self, language: str) -> SpeechSettings:
        tag = language.lower()
        names = (tag, tag.partition("-")[0], "")
        return next((self._settings[name] for name in names if name in self._settings), SpeechSettings())

    async def _espeak(self, settings: SpeechSettings, language: str) -> Voice:
        from tui.voices import EspeakVoice, find_voice, list_espeak_languages

        if settings.voice:
            return EspeakVoice(settings.voice)
        if not language:
            raise MediaError(
                "the language of a clip is not known",
                hint="give it one in its transcript: lode transcripts edit ID --language xx",
                code="language_unknown",
            )
        self._spoken = self._spoken or await list_espeak_languages()
        return find_voice(language, self._spoken)

    def _provider(self, name: str, settings: SpeechSettings) -> ProviderVoice:
        from tui.llm.selector import unknown_provider

        providers = self._over_http()
        try:
            return ProviderVoice(providers.get(name), settings.model, settings.voice)
        except KeyError:
            raise unknown_provider(name, providers.known()) from None
