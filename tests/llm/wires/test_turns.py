"""A conversation in the four formats: what was asked and answered before, then what is asked now."""

from __future__ import annotations

from typing import Any

import pytest

from tui.llm.protocol import ChatRequest, Turn
from tui.llm.wires.anthropic_messages import AnthropicMessages
from tui.llm.wires.gemini import Gemini
from tui.llm.wires.ollama import Ollama
from tui.llm.wires.openai_chat import OpenAiChat
from tui.llm.wires.wire_format import WireFormat

TALK = ChatRequest("m", "Be kind.", "And now?", turns=(Turn("What?", "This.\ud83d"), Turn("Why?", "So.")))
SAID = ["What?", "This.", "Why?", "So.", "And now?"]


def body(wire: WireFormat) -> dict[str, Any]:
    return dict(wire.chat(TALK, streamed=True).body or {})


@pytest.mark.parametrize("wire", [OpenAiChat(), AnthropicMessages(), Ollama()], ids=["openai", "anthropic", "ollama"])
def test_turns_are_messages_of_both_sides(wire: WireFormat) -> None:
    messages = [each for each in body(wire)["messages"] if each["role"] != "system"]
    assert [each["role"] for each in messages] == ["user", "assistant"] * 2 + ["user"]
    assert [each["content"].rstrip("\ufffd") for each in messages] == SAID


def test_gemini_calls_the_other_side_model() -> None:
    contents = body(Gemini())["contents"]
    assert [each["role"] for each in contents] == ["user", "model"] * 2 + ["user"]
    assert [each["parts"][0]["text"].rstrip("\ufffd") for each in contents] == SAID


def test_ollama_makes_room_for_the_whole_conversation() -> None:
    long = ChatRequest("m", "", "x", turns=(Turn("y", "z" * 60_000),))
    options = (Ollama().chat(long, streamed=True).body or {})["options"]
    assert options["num_ctx"] > 60_000 // 4
