"""Sound that a provider is asked to transcribe: in the richest form that its server takes, which is remembered."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.llm.asking import KEY, asked, provider_at
from tests.llm.fakes.fake_server import (
    Answering,
    Cut,
    FakeModelServer,
    Gate,
    Reply,
    Request,
    json_reply,
    raw_server,
    status,
)
from tests.llm.fakes.forms import Form, FormFile
from tui.errors import ProviderError
from tui.llm.http import transcription
from tui.llm.http.client import Timeouts
from tui.llm.http.errors import TransientError
from tui.llm.http.provider import HttpProvider
from tui.llm.http.refusals import RefusalMemory
from tui.llm.http.transcription import gives_times
from tui.llm.protocol import SoundPiece
from tui.llm.wires.anthropic_messages import AnthropicMessages
from tui.llm.wires.gemini import Gemini
from tui.llm.wires.ollama import Ollama
from tui.llm.wires.wire_format import WireFormat
from tui.transcribing.heard import read_answer

MP3, WAV = b"\xff\xfb\x90\x64\r\n--sound\r\n\r\n\x00", b"RIFF\x00\r\n\x00\xffWAVE"
"""Bytes that must come as they are, line ends and all."""
MODEL = "whisper-large-v3"
HEARD = {"text": "It is late.", "segments": [{"start": 0.0, "end": 1.5, "text": " It is late."}], "words": None}
TIMES = ["word", "segment"]


async def make_wav() -> bytes:
    return WAV


PIECE = SoundPiece(MP3, make_wav, "de-AT", "Grüße, 食べる")


def form(request: Request) -> Form:
    assert isinstance(request.body, Form)
    return request.body


def shape(request: Request) -> str:
    """What a request asks for, in a line: its path, the form of the answer, the sound, and the language."""
    sent = form(request)
    times = "+times" if sent.all("timestamp_granularities[]") else ""
    language = sent.one("language")
    kind = sent.files["file"].name.partition(".")[2]
    return f"{request.path} {sent.one('response_format')}{times} {kind}{f' {language}' if language else ''}"


def shapes(server: FakeModelServer) -> list[str]:
    return [shape(each).removeprefix("/v1/audio/transcriptions ") for each in server.chats]


@asynccontextmanager
async def listening(answering: Answering, **more: Any) -> AsyncIterator[tuple[FakeModelServer, HttpProvider]]:
    async with asked(**more) as (server, provider):
        server.on_chat = answering
        yield server, provider


def hears(_: Request) -> Reply:
    return json_reply(HEARD)


def refuses(message: str, *, where: str, code: int = 400, **error: Any) -> Answering:
    """Refuses what is asked for in this way, and answers everything else."""

    def answered(request: Request) -> Reply:
        said = {"error": {"message": message, "type": "invalid_request_error", **error}}
        return status(code, said) if where in shape(request) else json_reply(HEARD)

    return answered


async def test_a_piece_is_sent_as_a_form_with_everything_that_helps() -> None:
    async with listening(hears) as (server, provider):
        assert await provider.transcribe(MODEL, PIECE) == HEARD
        (request,) = server.chats
        assert (request.method, request.path) == ("POST", "/v1/audio/transcriptions")
        assert request.headers["authorization"] == f"Bearer {KEY}"
        assert form(request).files == {"file": FormFile("sound.mp3", "audio/mpeg", MP3)}
        assert sorted(form(request).fields) == [
            ("language", "de"),
            ("model", MODEL),
            ("prompt", "Grüße, 食べる"),
            ("response_format", "verbose_json"),
            ("timestamp_granularities[]", "segment"),
            ("timestamp_granularities[]", "word"),
        ]


async def test_what_nobody_knows_is_not_sent() -> None:
    async with listening(hears, key="") as (server, provider):
        await provider.transcribe("tiny", SoundPiece(MP3, make_wav))
        (request,) = server.chats
        assert {name for name, _ in form(request).fields} == {"model", "response_format", "timestamp_granularities[]"}
        assert "authorization" not in request.headers


@pytest.mark.parametrize("model", ["gpt-transcribe", "gpt-4o-transcribe", "openai/GPT-4o-mini-transcribe-2025"])
async def test_models_that_give_a_text_alone_are_asked_for_no_more(model: str) -> None:
    async with listening(lambda _: json_reply({"text": "It is late."})) as (server, provider):
        assert await provider.transcribe(model, PIECE) == {"text": "It is late."}
        assert shapes(server) == ["json mp3 de"]


@pytest.mark.parametrize("model", ["whisper-1", "whisper-large-v3-turbo", "voxtral-mini-latest", "Systran/tiny", ""])
def test_of_other_models_times_are_expected(model: str) -> None:
    assert gives_times(model)


OPENAI_SAYS = "response_format 'verbose_json' is not compatible with model 'x'. Use 'json' or 'text' instead."


@pytest.mark.parametrize(
    ("said", "code"), [(OPENAI_SAYS, 400), ("Invalid request", 400), ("extra fields not permitted", 422), ("", 400)]
)
async def test_a_server_that_gives_no_times_is_asked_for_a_text_once_and_from_then_on(said: str, code: int) -> None:
    async with listening(refuses(said, where="verbose_json", code=code)) as (server, provider):
        for _ in range(3):
            assert await provider.transcribe(MODEL, PIECE) == HEARD
        assert shapes(server) == ["verbose_json+times mp3 de", "json mp3 de", "json mp3 de", "json mp3 de"]
        await provider.transcribe("another", PIECE)
        assert shapes(server)[4:] == ["verbose_json+times mp3 de", "json mp3 de"]


async def test_what_was_found_is_known_to_the_next_process(tmp_path: Path) -> None:
    async with FakeModelServer() as server:
        server.on_chat = refuses(OPENAI_SAYS, where="verbose_json")
        for _ in range(2):
            async with provider_at(server.base_url, refusals=RefusalMemory(tmp_path / "refusals.json")) as provider:
                await provider.transcribe(MODEL, PIECE)
        assert shapes(server) == ["verbose_json+times mp3 de", "json mp3 de", "json mp3 de"]


async def test_a_refusal_is_only_remembered_when_it_led_to_an_answer() -> None:
    async with listening(refuses("no", where="/")) as (server, provider):
        with pytest.raises(ProviderError) as raised:
            await provider.transcribe(MODEL, PIECE)
        assert raised.value.code == "request_refused"
        assert "no" in raised.value.message
        tried = len(server.chats)
        assert tried <= 5
        server.on_chat = hears
        await provider.transcribe(MODEL, PIECE)
        assert shapes(server)[tried:] == ["verbose_json+times mp3 de"]


MISTRAL_SAYS = "`language` and `timestamp_granularities` cannot be set at the same time"


async def test_a_server_that_takes_a_language_only_without_times_is_not_told_the_language() -> None:
    async with listening(refuses(MISTRAL_SAYS, where="+times mp3 de")) as (server, provider):
        for _ in range(2):
            assert await provider.transcribe("voxtral-mini-latest", PIECE) == HEARD
        assert shapes(server) == ["verbose_json+times mp3 de", "verbose_json+times mp3", "verbose_json+times mp3"]


async def test_a_language_that_nobody_told_is_not_left_out() -> None:
    async with listening(refuses(MISTRAL_SAYS, where="+times")) as (server, provider):
        await provider.transcribe(MODEL, replace(PIECE, language=""))
        assert shapes(server) == ["verbose_json+times mp3", "json mp3"]


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ("Invalid file format. Supported formats: ['wav']", 400),
        ("failed to read audio data as wav (Unknown error)", 400),
        ("Unsupported audio codec", 422),
        ("", 415),
    ],
)
async def test_a_server_that_cannot_read_mp3_is_sent_wav_and_still_asked_for_times(said: str, code: int) -> None:
    async with listening(refuses(said, where="mp3", code=code)) as (server, provider):
        for _ in range(2):
            assert await provider.transcribe(MODEL, PIECE) == HEARD
        assert shapes(server) == ["verbose_json+times mp3 de", "verbose_json+times wav de", "verbose_json+times wav de"]
        assert form(server.chats[-1]).files["file"] == FormFile("sound.wav", "audio/wav", WAV)


async def test_a_server_that_does_not_say_that_it_cannot_read_mp3_is_asked_for_times_all_the_same() -> None:
    """Nothing tells what it means: what did not help is asked for again with the sound as WAV."""
    async with listening(refuses("Bad Request", where="mp3")) as (server, provider):
        for _ in range(2):
            assert await provider.transcribe(MODEL, PIECE) == HEARD
        assert shapes(server)[-2:] == ["verbose_json+times wav de"] * 2
        assert len(server.chats) <= 4


async def test_a_server_that_takes_neither_times_nor_mp3_is_sent_what_it_takes() -> None:
    def answered(request: Request) -> Reply:
        return json_reply(HEARD) if shape(request).endswith(" json wav de") else status(400, {"error": "Bad Request"})

    async with listening(answered) as (server, provider):
        for _ in range(2):
            assert await provider.transcribe(MODEL, PIECE) == HEARD
        assert shapes(server)[-1] == "json wav de"
        assert len(server.chats) <= 6


@pytest.mark.parametrize("path", ["", "/v1", "/inference"])
async def test_a_whisper_cpp_server_is_asked_at_its_own_path(path: str) -> None:
    """It has no other path than ``/inference``, whatever the base URL ends in."""

    def answered(request: Request) -> Reply:
        return json_reply(HEARD) if request.path == "/inference" else status(404, "File Not Found")

    async with FakeModelServer() as server:
        server.on_chat = answered
        async with provider_at(server.base_url.removesuffix("/v1") + path, local=True) as provider:
            for _ in range(2):
                assert await provider.transcribe("ggml-base", PIECE) == HEARD
        assert server.chats[-1].path == "/inference"
        assert len(server.chats) == 3
        assert form(server.chats[-1]).all("timestamp_granularities[]") == TIMES


async def test_a_model_that_a_local_server_lacks_is_named() -> None:
    async with listening(lambda _: status(404, {"error": {"message": "Model 'x' is not installed"}}), local=True) as (
        server,
        provider,
    ):
        with pytest.raises(ProviderError) as raised:
            await provider.transcribe("x", PIECE)
        assert raised.value.code == "model_not_found"
        assert len(server.chats) == 2


async def test_a_cloud_is_not_asked_at_another_path() -> None:
    async with listening(lambda _: status(404)) as (server, provider):
        with pytest.raises(ProviderError) as raised:
            await provider.transcribe("x", PIECE)
        assert (raised.value.code, len(server.chats)) == ("model_not_found", 1)


FAILURES: Sequence[tuple[Reply, str, float | None]] = (
    (status(429, headers={"retry-after": "2"}), "rate_limited", 2.0),
    (status(429, headers={"retry-after": "3600"}), "rate_limited", None),
    (status(503), "provider_unavailable", 0.5),
    (status(500, {"error": "the engine fell over"}), "provider_unavailable", 0.5),
    (Reply((b'{"text": "It is', Cut())), "connection_lost", 0.0),
    (status(401, {"error": {"message": f"bad key {KEY}"}}), "key_refused", None),
    (status(402), "no_credit", None),
    (
        status(400, {"error": {"message": "You exceeded your current quota", "code": "insufficient_quota"}}),
        "no_credit",
        None,
    ),
    (status(413, {"error": "too large"}), "request_too_large", None),
    (status(308, headers={"location": "https://elsewhere.example/"}), "provider_redirects", None),
    (Reply((b"\x1f\x8b",), headers={"content-encoding": "gzip"}), "provider_protocol", None),
)


@pytest.mark.parametrize(("reply", "code", "pause"), FAILURES, ids=lambda each: str(each)[:30])
async def test_other_failures_are_told_at_once_and_nothing_is_left_out_for_them(
    reply: Reply, code: str, pause: float | None
) -> None:
    """Whoever asks decides whether to ask again: a piece of sound is no small thing to send."""
    async with listening(lambda _: reply) as (server, provider):
        with pytest.raises(ProviderError) as raised:
            await provider.transcribe(MODEL, PIECE)
        assert raised.value.code == code
        assert KEY not in str(raised.value) + raised.value.hint
        assert (raised.value.pause if isinstance(raised.value, TransientError) else None) == pause
        server.on_chat = hears
        await provider.transcribe(MODEL, PIECE)
        assert shapes(server) == ["verbose_json+times mp3 de"] * 2


async def test_a_bare_text_is_an_answer() -> None:
    async with listening(lambda _: Reply(("Es ist spät.\n".encode(),), headers={"content-type": "text/plain"})) as (
        _,
        provider,
    ):
        assert read_answer(await provider.transcribe(MODEL, PIECE), 2000).text == "Es ist spät."


@pytest.mark.parametrize(
    "body",
    [
        b"<!doctype html><html><head><title>Open WebUI</title></head><body>Please log in</body></html>",
        b" \n<html></html>",
        b'<?xml version="1.0"?><error>no</error>',
        b'{"text": "It is la',
        b'{"text": "a", "segments": [{"start": 0.0, "end": 1',
        b'data: {"type": "transcript.text.delta", "delta": "It"}\n\n',
    ],
)
async def test_what_is_no_text_does_not_become_what_somebody_said(body: bytes) -> None:
    async with listening(lambda _: Reply((body,))) as (_, provider):
        with pytest.raises(ProviderError) as raised:
            await provider.transcribe(MODEL, PIECE)
        assert (raised.value.code, bool(raised.value.hint)) == ("provider_protocol", True)


async def test_an_answer_without_end_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transcription, "_MAX_BYTES", 100_000)
    head = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n"
    async with raw_server(head, forever=b" " * 10_000) as raw, provider_at(raw.url) as provider:
        with pytest.raises(ProviderError, match="no end") as raised:
            await provider.transcribe(MODEL, PIECE)
        assert raised.value.code == "provider_protocol"
        await asyncio.wait_for(raw.left.wait(), 30)


async def test_a_server_that_never_answers_is_given_up() -> None:
    async with asked(timeouts=Timeouts(transcription=0.3)) as (server, provider):
        server.enqueue(Reply(before_head=Gate()))
        with pytest.raises(ProviderError) as raised:
            await provider.transcribe(MODEL, PIECE)
        assert raised.value.code == "timeout"


async def test_no_server_is_no_crash() -> None:
    async with provider_at("http://127.0.0.1:1/v1") as provider:
        with pytest.raises(ProviderError) as raised:
            await provider.transcribe(MODEL, PIECE)
        assert raised.value.code == "unreachable"


@pytest.mark.parametrize("wire", [AnthropicMessages(), Gemini(), Ollama()], ids=lambda wire: type(wire).__name__)
async def test_a_protocol_without_transcriptions_says_so(wire: WireFormat) -> None:
    async with FakeModelServer() as server, provider_at(server.base_url, wire=wire) as provider:
        with pytest.raises(ProviderError) as raised:
            await provider.transcribe(MODEL, PIECE)
        assert (raised.value.code, server.requests) == ("no_transcription", [])
        assert raised.value.hint


async def test_half_a_character_in_names_can_be_sent() -> None:
    async with listening(hears) as (server, provider):
        await provider.transcribe("m\ud83d", replace(PIECE, prompt="Zo\ud83d"))
        assert (form(server.chats[0]).one("model"), form(server.chats[0]).one("prompt")) == ("m\ufffd", "Zo\ufffd")


@pytest.mark.exhaustive
async def test_openais_own_client_asks_in_the_same_way() -> None:
    import openai
    from openai.types.audio import TranscriptionVerbose

    async with listening(lambda _: json_reply({**HEARD, "language": "german", "duration": 1.5})) as (server, provider):
        client = openai.AsyncOpenAI(api_key=KEY, base_url=server.base_url, max_retries=0)
        answer = await client.audio.transcriptions.create(
            file=("sound.mp3", MP3),
            model=MODEL,
            response_format="verbose_json",
            timestamp_granularities=["word", "segment"],
            language="de",
            prompt=PIECE.prompt,
        )
        assert isinstance(answer, TranscriptionVerbose) and answer.text == HEARD["text"]
        await client.close()
        await provider.transcribe(MODEL, PIECE)
        theirs, ours = server.chats
        assert (theirs.method, theirs.path) == (ours.method, ours.path)
        assert theirs.headers["authorization"] == ours.headers["authorization"]
        assert sorted(form(theirs).fields) == sorted(form(ours).fields)
        assert form(theirs).files == form(ours).files
