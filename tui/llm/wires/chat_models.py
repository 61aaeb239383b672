"""Chat models: tells them by their ids, where a list of models says no more."""

from __future__ import annotations

import re
from typing import Any

from tui.text.sanitize import one_line

_NO_CHAT = re.compile(
    r"embed|whisper|tts|dall-?e|moderation|image|realtime|transcri|sora|davinci|babbage|-instruct-\d{4}|^gpt-3\.5-turbo-instruct"
    r"|rerank|audio|speech|stable-diffusion|flux|\bocr\b|\bbge-|\bcodex\b.*edit|guard|\bveo\b|\bimagen\b|\baqa\b"
    r"|minilm|nano-banana|\blyria\b|computer-use",
    re.IGNORECASE,
)
"""Ids of models that answer no chat."""
_MAX_ID = 200


def plain_id(name: Any) -> str:
    """The id of a model that may chat and can be shown; "" for every other."""
    if not isinstance(name, str) or len(name) > _MAX_ID or name != one_line(name) or _NO_CHAT.search(name):
        return ""
    return name
