"""The vendors' own clients read the fake server without complaint, and ask it as we do: so it is faithful."""

from __future__ import annotations

from typing import Any

import pytest

from tests.llm.asking import ASK, KEY, SCHEMA, Form, asked, collect
from tests.llm.fakes import dialects
from tests.llm.fakes.dialects import MODELS, answer, fault, stream
from tests.llm.fakes.fake_anthropic import ANTHROPIC
from tests.llm.fakes.fake_gemini import GEMINI
from tests.llm.fakes.fake_ollama import OLLAMA
from tests.llm.fakes.fake_openai import OPENAI

pytestmark = pytest.mark.exhaustive

GOOD = '{"lemma": "abfahren"}'


SPOKEN = ("Häl", "食べ")
THOUGHTS = ("hm, ", "so")


async def test_openais() -> None:
    import openai
    from openai.types.chat import ChatCompletion, ChatCompletionChunk

    system, user = {"role": "system", "content": ASK.system}, {"role": "user", "content": ASK.prompt}
    question: dict[str, Any] = {"model": ASK.model, "messages": [system, user]}
    async with asked(OPENAI) as (server, provider):
        client = openai.AsyncOpenAI(api_key=KEY, base_url=server.base_url, max_retries=0)
        ask = client.chat.completions.create
        server.enqueue(*[stream(OPENAI, *SPOKEN, thoughts=THOUGHTS, tokens=(11, 4))] * 2)
        streamed = await ask(**question, stream=True, stream_options={"include_usage": True})
        chunks = [ChatCompletionChunk.model_validate(chunk.to_dict()) async for chunk in streamed]
        choices = [chunk.choices[0] for chunk in chunks if chunk.choices]
        assert "".join(choice.delta.content or "" for choice in choices) == "Häl食べ"
        assert choices[-1].finish_reason == "stop"
        assert chunks[-1].usage is not None and chunks[-1].usage.prompt_tokens == 11
        await collect(provider)
        assert server.chats[0].body == server.chats[1].body
        assert server.chats[0].headers["authorization"] == server.chats[1].headers["authorization"]

        server.enqueue(dialects.denial(OPENAI, "I cannot."))
        refused = await ask(**question, stream=True)
        assert "".join([chunk.choices[0].delta.refusal or "" async for chunk in refused]) == "I cannot."

        server.enqueue(*[answer(OPENAI, GOOD)] * 2)
        form: Any = {"name": "answer", "schema": SCHEMA, "strict": True}
        whole = await ask(**question, response_format={"type": "json_schema", "json_schema": form})
        assert ChatCompletion.model_validate(whole.to_dict()).choices[0].message.content == GOOD
        await provider.structured(ASK, Form)
        assert server.chats[-2].body == server.chats[-1].body

        assert [model.id async for model in client.models.list()] == list(MODELS)
        server.enqueue(fault(OPENAI, 429, "slow down"), dialects.error_mid_stream(OPENAI, "Hal", said="boom"))
        with pytest.raises(openai.RateLimitError, match="slow down"):
            await ask(**question)
        with pytest.raises(openai.APIError, match="boom"):
            async for _ in await ask(**question, stream=True):
                pass
        await client.close()


async def test_anthropics() -> None:
    import anthropic
    from anthropic.types import Message, ModelInfo

    async with asked(ANTHROPIC) as (server, provider):
        client = anthropic.AsyncAnthropic(api_key=KEY, base_url=server.base_url, max_retries=0)
        question: dict[str, Any] = {
            "model": ASK.model,
            "max_tokens": 16384,
            "system": ASK.system,
            "messages": [{"role": "user", "content": ASK.prompt}],
        }
        server.enqueue(*[stream(ANTHROPIC, *SPOKEN, thoughts=THOUGHTS, tokens=(11, 4))] * 2)
        async with client.messages.stream(**question) as streamed:
            assert "".join([text async for text in streamed.text_stream]) == "Häl食べ"
            message = Message.model_validate((await streamed.get_final_message()).to_dict())
        assert [block.type for block in message.content] == ["thinking", "text"]
        assert message.stop_reason == "end_turn"
        assert (message.usage.input_tokens, message.usage.output_tokens) == (11, 4)
        await collect(provider)
        assert server.chats[0].body == server.chats[1].body
        # Either header will do; compatible servers know the older one, and the older version, better.
        assert server.chats[0].headers["authorization"] == f"Bearer {server.chats[1].headers['x-api-key']}"

        server.enqueue(dialects.denial(ANTHROPIC, "This could do harm."))
        async with client.messages.stream(**question) as streamed:
            refused = await streamed.get_final_message()
        assert refused.stop_reason == "refusal"

        server.enqueue(*[answer(ANTHROPIC, GOOD, thoughts=("hm",))] * 2)
        output: Any = {"format": {"type": "json_schema", "schema": SCHEMA}}
        whole = await client.messages.create(**question, thinking={"type": "disabled"}, output_config=output)
        assert Message.model_validate(whole.to_dict()).content[-1].to_dict()["text"] == GOOD
        await provider.structured(ASK, Form)
        assert server.chats[-2].body == server.chats[-1].body

        models = [ModelInfo.model_validate(model.to_dict()) async for model in client.models.list(limit=2)]
        assert [model.id for model in models] == list(MODELS)
        server.enqueue(
            fault(ANTHROPIC, 529, "Overloaded"), dialects.error_mid_stream(ANTHROPIC, "Hal", said="boom", status=529)
        )
        with pytest.raises(anthropic.APIStatusError, match="Overloaded"):
            await client.messages.create(**question)
        with pytest.raises(anthropic.APIStatusError, match="boom"):
            async with client.messages.stream(**question) as streamed:
                await streamed.get_final_message()
        await client.close()


async def test_googles() -> None:
    from google import genai
    from google.genai import errors, types

    async with asked(GEMINI) as (server, provider):
        options = types.HttpOptions(base_url=server.base_url, api_version="v1beta")
        client = genai.Client(api_key=KEY, http_options=options).aio
        instruction = types.Content(parts=[types.Part(text=ASK.system)])
        config = types.GenerateContentConfig(system_instruction=instruction)
        question: dict[str, Any] = {"model": ASK.model, "contents": ASK.prompt}
        server.enqueue(*[stream(GEMINI, *SPOKEN, thoughts=THOUGHTS, tokens=(11, 4))] * 2)
        streamed = await client.models.generate_content_stream(**question, config=config)
        chunks = [chunk async for chunk in streamed]
        contents = [candidate.content for chunk in chunks for candidate in chunk.candidates or []]
        parts = [part for content in contents for part in (content and content.parts) or []]
        assert "".join(part.text or "" for part in parts if not part.thought) == "Häl食べ"
        assert "".join(part.text or "" for part in parts if part.thought) == "hm, so"
        usage = chunks[-1].usage_metadata
        assert usage is not None and (usage.prompt_token_count, usage.total_token_count) == (11, 15)
        assert chunks[-1].candidates and chunks[-1].candidates[0].finish_reason == types.FinishReason.STOP
        await collect(provider)
        assert server.chats[0].path == server.chats[1].path
        assert plain(server.chats[0].body) == plain(server.chats[1].body)
        assert server.chats[0].headers["x-goog-api-key"] == server.chats[1].headers["x-goog-api-key"]

        server.enqueue(dialects.denial(GEMINI, "no poems"))
        async for chunk in await client.models.generate_content_stream(**question):
            assert chunk.prompt_feedback is not None
            assert chunk.prompt_feedback.block_reason == types.BlockedReason.PROHIBITED_CONTENT

        server.enqueue(*[answer(GEMINI, GOOD, thoughts=("hm",))] * 2)
        config.response_mime_type = "application/json"
        config.response_json_schema = SCHEMA
        config.thinking_config = types.ThinkingConfig(thinking_budget=0)
        whole = await client.models.generate_content(**question, config=config)
        assert whole.text == GOOD
        await provider.structured(ASK, Form)
        assert plain(server.chats[-2].body) == plain(server.chats[-1].body)

        pager = await client.models.list(config=types.ListModelsConfig(page_size=2))
        assert [model.name async for model in pager] == [f"models/{name}" for name in MODELS]
        server.enqueue(
            fault(GEMINI, 404, "no such model"), dialects.error_mid_stream(GEMINI, "Hal", said="boom", status=503)
        )
        with pytest.raises(errors.ClientError, match="no such model"):
            await client.models.generate_content(**question)
        with pytest.raises(errors.ServerError, match="boom"):
            async for _ in await client.models.generate_content_stream(**question):
                pass
        await client.aclose()


def plain(body: Any) -> Any:
    """Without what a client sends though it says nothing: empty objects and lists, and the role of an instruction."""
    body = {name: value for name, value in body.items() if value not in ({}, [])}
    if isinstance(instruction := body.get("systemInstruction"), dict):
        body["systemInstruction"] = {"parts": instruction["parts"]}
    config = body.get("generationConfig", {})
    if (budget := config.get("thinkingConfig", {}).pop("thinking_budget", None)) is not None:
        config["thinkingConfig"]["thinkingBudget"] = budget  # the API takes names in either style
    return body


async def test_ollamas() -> None:
    import ollama

    messages = [{"role": "system", "content": ASK.system}, {"role": "user", "content": ASK.prompt}]
    context = {"num_ctx": 8192}
    async with asked(OLLAMA) as (server, provider):
        client = ollama.AsyncClient(host=server.base_url)
        server.enqueue(*[stream(OLLAMA, *SPOKEN, thoughts=THOUGHTS, tokens=(11, 4))] * 2)
        lines = [line async for line in await client.chat(ASK.model, messages, stream=True, options=context)]
        assert "".join(line.message.content or "" for line in lines) == "Häl食べ"
        assert "".join(line.message.thinking or "" for line in lines) == "hm, so"
        assert (lines[-1].done, lines[-1].done_reason) == (True, "stop")
        assert (lines[-1].prompt_eval_count, lines[-1].eval_count) == (11, 4)
        await collect(provider)
        assert plain(server.chats[0].body) == server.chats[1].body

        server.enqueue(*[answer(OLLAMA, GOOD)] * 2)
        whole = await client.chat(ASK.model, messages, format=SCHEMA, think=False, options=context)
        assert whole.message.content == GOOD
        await provider.structured(ASK, Form)
        assert plain(server.chats[-2].body) == server.chats[-1].body

        assert [model.model for model in (await client.list()).models] == list(MODELS)
        server.enqueue(fault(OLLAMA, 404, "model 'x' not found"), dialects.error_mid_stream(OLLAMA, "Hal", said="boom"))
        with pytest.raises(ollama.ResponseError, match="model 'x' not found"):
            await client.chat("x", messages)
        with pytest.raises(ollama.ResponseError, match="boom"):
            async for _ in await client.chat(ASK.model, messages, stream=True):
                pass
