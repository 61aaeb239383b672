"""What a remote library knows of words."""

from __future__ import annotations

from tui.records import ConcordanceLine
from tui.remote.client import Client
from tui.service.protocol import WordSummary

_PATH = "/profiles/words"
_MOST_LINES = 1000


class RemoteWords:
    def __init__(self, client: Client) -> None:
        self._client = client

    async def summary(self, word: str, *, language: str | None) -> WordSummary:
        return await self._client.get(WordSummary, f"{_PATH}/summary", _asked(word, language))

    async def concordance(self, word: str, *, language: str | None, limit: int = 20) -> tuple[ConcordanceLine, ...]:
        asked = {**_asked(word, language), "limit": str(min(max(1, limit), _MOST_LINES))}
        lines = await self._client.get(tuple[ConcordanceLine, ...], f"{_PATH}/concordance", asked)
        return lines[: max(0, limit)]


def _asked(word: str, language: str | None) -> dict[str, str]:
    return {"word": word} if language is None else {"word": word, "language": language}
