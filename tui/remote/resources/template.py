"""The template of a profile of a remote library."""

from __future__ import annotations

from tui.errors import NotFound
from tui.records import Deletion, LlmTemplate, NewTemplate
from tui.remote.client import Client

_PATH = "/profiles/template"


class RemoteTemplate:
    def __init__(self, client: Client) -> None:
        self._client = client

    async def get(self) -> LlmTemplate | None:
        try:
            return await self._client.get(LlmTemplate, _PATH)
        except NotFound as error:
            if error.code == "template_not_found":
                return None
            raise

    async def save(self, template: NewTemplate) -> LlmTemplate:
        return await self._client.write(LlmTemplate, "POST", _PATH, template)

    async def delete(self) -> Deletion:
        return await self._client.write(Deletion, "POST", f"{_PATH}/delete")

    async def effective(self) -> NewTemplate:
        return await self._client.get(NewTemplate, f"{_PATH}/effective")
