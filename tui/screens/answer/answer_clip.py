"""The clip that `c` saves of an answer: added once, edited when more of the answer has come."""

from __future__ import annotations

import asyncio

from tui.records import Clip, NewClip
from tui.service.protocol import Clips


class AnswerClip:
    """``is_saved``: the answer that is shown is in a clip, if only as far as it had come."""

    def __init__(self, *, is_saved: bool = False) -> None:
        self.is_saved = is_saved
        self._clip: Clip | None = None
        self._saving = asyncio.Lock()

    async def save(self, clips: Clips, draft: NewClip) -> str:
        """Save the answer as it stands, and say what was done; raises what ``Clips`` raises."""
        self.is_saved = True
        try:
            async with self._saving:
                if self._clip is None:
                    self._clip = await clips.add(draft)
                    return "saved"
                self._clip = await clips.edit(self._clip.id, draft)
                return "brought up to date"
        except Exception:
            self.is_saved = False
            raise
