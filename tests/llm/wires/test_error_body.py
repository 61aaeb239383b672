"""Messages of servers: what is read out of an error body, without what only tells of the server's innards."""

from __future__ import annotations

import json

import pytest

from tui.llm.wires.wire_format import error_text

DUMP = """1 validation error:
  {'type': 'literal_error', 'loc': ('body', 'response_format', 'type'), 'msg': "Input should be 'text' or 'x'", \
'input': 'json_schema', 'ctx': {'expected': "'text' or 'x'"}, 'url': 'https://errors.pydantic.dev/2/v/literal_error'}

  File "/opt/my llama/site-packages/llama_cpp/server/app.py", line 472, in create_chat_completion
    POST /v1/chat/completions"""
VALIDATION = """1 validation error for Request
response_format.type
  Input should be 'text' [type=literal_error, input_value='json_schema', input_type=str]
    For further information visit https://errors.pydantic.dev/2.12/v/literal_error"""
TRACEBACK = """Traceback (most recent call last):
  File "/srv/a b/app.py", line 3, in f
KeyError: 'schema'"""


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        (DUMP, "response_format.type: Input should be 'text' or 'x'"),
        ("[{'loc': ['a'], 'msg': 'no'}, {'loc': ['a'], 'msg': 'no'}]", "a: no"),
        (VALIDATION, "1 validation error for Request response_format.type Input should be 'text'"),
        (TRACEBACK, "KeyError: 'schema'"),
        ("The model `/srv/models/SmolLM2.Q4.gguf` does not exist", "The model `SmolLM2.Q4.gguf` does not exist"),
        (r"C:\Users\me\x.gguf is gone", "x.gguf is gone"),
        ("see https://a.example/b/c.html", "see https://a.example/b/c.html"),
        ("there is no POST /v1/chat/completions", "there is no POST /v1/chat/completions"),
        ("models/gemini-2.5-pro is not found for /v1beta", "models/gemini-2.5-pro is not found for /v1beta"),
    ],
)
@pytest.mark.parametrize("wrapped", [True, False])
def test_a_message_tells_what_is_wrong_and_nothing_of_where_the_server_lies(
    said: str, shown: str, wrapped: bool
) -> None:
    body = json.dumps({"error": {"message": said}}) if wrapped else said
    assert " ".join(error_text(body).split()) == shown


@pytest.mark.parametrize("piece", ["/a", "'loc': (", 'File "', "[type=a, input", "'loc': (), 'msg': '"])
def test_a_message_without_end_is_read_quickly(piece: str) -> None:
    assert len(error_text(piece * 20_000)) <= 16_000
