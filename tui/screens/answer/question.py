"""Question of an answer pane: the request, and the clip that `c` saves of its answer."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from tui.events import FocusReady
from tui.records.clips import Clip, FocusWord, NewClip
from tui.service.protocol.records import Clips
from tui.service.requests import BreakdownRequest, ExplainRequest

OUTCOMES = {"added": "saved", "completed": "completed", "same": "already saved"}
"""Outcomes of keeping a clip as they are told."""
Request: TypeAlias = BreakdownRequest | ExplainRequest


@dataclass(slots=True)
class Question:
    """Request, and the draft of the clip that the answer completes.

    ``is_saved``: the answer that is shown is in a clip, if only as far as it had come. The clip is added once, and
    edited when more of the answer has come.
    """

    request: Request
    draft: NewClip
    is_saved: bool = False
    _clip: Clip | None = None
    _saving: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def has_clip(self) -> bool:
        """Whether a clip was made of it, which the next ``save`` edits."""
        return self._clip is not None

    def completed(self, focus: FocusWord | None, ready: FocusReady | None) -> NewClip:
        """The draft with what is known of the word and its sentence by now."""
        draft, request = self.draft, self.request
        focus = focus or draft.focus
        if focus is None and isinstance(request, BreakdownRequest):
            focus = FocusWord(request.focus, language=request.language)
        if ready is not None:  # what stands in the clip is its own, or the translation track's
            draft = replace(
                draft,
                translation=draft.translation or ready.translation,
                sentence_reading=draft.sentence_reading or ready.sentence_reading,
            )
        return replace(draft, focus=focus)

    async def save(self, clips: Clips, answered: NewClip) -> str:
        """Save the answer as it stands, and say what was done; raises what ``Clips`` raises."""
        self.is_saved = True
        try:
            async with self._saving:
                if self._clip is None:
                    asked = self.request.focus if isinstance(self.request, BreakdownRequest) else ""
                    kept = await clips.keep(answered, asked=asked)
                    self._clip = kept.clip
                    return OUTCOMES[kept.outcome]
                self._clip = await clips.edit(self._clip.id, answered)
                return "brought up to date"
        except Exception:
            self.is_saved = False
            raise
