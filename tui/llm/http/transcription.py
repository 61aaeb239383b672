"""Transcription by a provider: one piece of sound at a time, asked for in the richest form that the server takes.

Words and segments with their times first (``verbose_json``), plain JSON where that is refused, without the language
where it is refused beside the times (Mistral), as WAV where the server cannot read MP3, and at ``/inference`` where a
whisper.cpp server is asked. What a server refuses is remembered for a day (``refusals.py``).
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Set
from dataclasses import replace
from typing import Any

from tui import bounds
from tui.errors import ProviderError
from tui.llm.http.errors import RefusedRequest
from tui.llm.http.refusals import Refusals
from tui.llm.protocol import SoundPiece
from tui.llm.wires.wire_format import ApiCall, SentFile, WireFormat, loads
from tui.text.sanitize import whole_characters

_MAX_BYTES = bounds.TRANSCRIPTION.bytes_in
_TEXT_ONLY = re.compile(r"gpt-.*transcribe", re.IGNORECASE)
"""OpenAI's models that give a text alone; asked for times, they refuse the whole request."""
_ABOUT_TIMES = re.compile(r"response_format|verbose_json|timestamp|granularit", re.IGNORECASE)
_ABOUT_LANGUAGE = re.compile(r"\blanguage\b", re.IGNORECASE)
_ABOUT_SOUND = re.compile(
    r"(?:audio|sound|file|media).{0,60}(?:format|type|decod|invalid|unsupported|corrupt|read)"
    r"|(?:format|decod|invalid|unsupported|corrupt|read).{0,60}(?:audio|sound|file|media)|\b(?:mp3|mpeg|codec|wav)\b",
    re.IGNORECASE | re.DOTALL,
)
_TIMES, _LANGUAGE, _MP3, _PATH = "transcription times", "transcription language", "transcription mp3", "transcriptions"
_INFERENCE = "/inference"
"""Path of the server of whisper.cpp, unless it was started with ``--inference-path``."""
_NO_TEXT = re.compile(r"\s*(?:[<{]|(?:data|event):)")
"""How pages, JSON that is cut and streams begin, and what somebody says does not."""
_TYPES = {"mp3": "audio/mpeg", "wav": "audio/wav"}


def gives_times(model: str) -> bool:
    """Whether nothing is known against a model giving times."""
    return _TEXT_ONLY.search(model) is None


class Transcriber:
    """Asks a server what is said; ``fetch`` sends a request and gives the answer's bytes.

    One that is ``local`` may be whisper.cpp's.
    """

    def __init__(
        self,
        wire: WireFormat,
        refusals: Refusals,
        fetch: Callable[[ApiCall, int, str], Awaitable[bytes]],
        *,
        local: bool,
    ) -> None:
        self._wire = wire
        self._refusals = refusals
        self._fetch = fetch
        self._local = local

    async def ask(self, model: str, piece: SoundPiece) -> Any:
        """Ask for what is said in a piece; gives the answer's JSON, or its text.

        Raises ``ProviderError``: ``no_transcription`` where the protocol has no such request.
        """
        refused, found, guessed = set(await self._refusals.of(model)), set[str](), set[str]()
        if not gives_times(model):
            refused.add(_TIMES)
        while True:
            call = await self._make_call(model, piece, refused)
            try:
                body = await self._fetch(call, _MAX_BYTES, model)
            except ProviderError as error:
                meant = self._find_refused(error, refused, piece)
                if not meant:
                    raise
                if meant == _MP3:  # so the times that were left out before may not have been meant
                    refused -= guessed
                    found -= guessed
                if meant == _TIMES and not _is_about(_ABOUT_TIMES, error):
                    guessed.add(_TIMES)
                refused.add(meant)
                found.add(meant)
                continue
            if found:
                await self._refusals.remember(model, found)
            return _read_body(body)

    async def _make_call(self, model: str, piece: SoundPiece, refused: Set[str]) -> ApiCall:
        kind = "wav" if _MP3 in refused else "mp3"
        content = await piece.make_wav() if kind == "wav" else piece.mp3
        fields: dict[str, Any] = {"response_format": "json"}
        if _TIMES not in refused:
            fields = {"response_format": "verbose_json", "timestamp_granularities[]": ["word", "segment"]}
        if piece.language and _LANGUAGE not in refused:
            fields["language"] = piece.language.partition("-")[0]
        if piece.prompt:
            fields["prompt"] = whole_characters(piece.prompt)
        call = self._wire.transcription(model, SentFile(f"sound.{kind}", _TYPES[kind], content), fields)
        if call is None:
            raise ProviderError(
                "this provider cannot be asked to transcribe: its protocol has no request for that",
                hint='name one with protocol = "openai", or whisper:NAME',
                code="no_transcription",
            )
        return replace(call, path=_INFERENCE, has_version=False) if _PATH in refused else call

    def _find_refused(self, error: ProviderError, refused: Set[str], piece: SoundPiece) -> str:
        """Find what to leave out of the next request; "" where nothing is left that the refusal may be about."""
        if error.code == "model_not_found":
            return _PATH if self._local and _PATH not in refused else ""
        if not isinstance(error, RefusedRequest):
            return ""
        asks_times = _TIMES not in refused
        if asks_times and piece.language and _LANGUAGE not in refused and _is_about(_ABOUT_LANGUAGE, error):
            return _LANGUAGE
        is_about_sound = _is_about(_ABOUT_SOUND, error) and not _is_about(_ABOUT_TIMES, error)
        if asks_times and not (is_about_sound and _MP3 not in refused):
            return _TIMES
        return "" if _MP3 in refused else _MP3


def _is_about(what: re.Pattern[str], error: ProviderError) -> bool:
    return isinstance(error, RefusedRequest) and what.search(error.about) is not None


def _read_body(body: bytes) -> Any:
    """Read an answer: JSON, or a text as some servers give it whatever they are asked for."""
    try:
        return loads(body)
    except ValueError:
        text = body.decode("utf-8", "replace")
    if _NO_TEXT.match(text):
        raise ProviderError(
            "the server answers with what is no transcription",
            hint="look at its address: base_url in config.toml; or try another model",
            code="provider_protocol",
        )
    return text
