"""Questions of an answer pane: the request, the clip that `c` saves of its answer, and what is asked on about it."""

import asyncio
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from tui.events import FocusReady
from tui.records.answers import Answer
from tui.records.clips import Clip, FocusWord, NewClip
from tui.screens.clip_keeping import OUTCOMES
from tui.service.protocol.records import Clips
from tui.service.requests import BreakdownRequest, ExplainRequest, FollowUpRequest
from tui.text.escapes import literal

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


@dataclass(frozen=True, slots=True)
class AskedOn:
    """Latest follow-up question of a pane: the request, and the text of the log before it and with its heading."""

    request: FollowUpRequest
    before: str
    heading: str

    def answered(self, text: str) -> str:
        """The log's text, without a question that nothing was answered to."""
        return self.before if text == self.before + self.heading else text


def heading(question: str) -> str:
    """Markdown that stands between an answer and the next one: a rule, and the question."""
    return f"\n\n---\n\n**{literal(question, at_start=True)}**\n\n"


def conversation(answer: Answer) -> str:
    """An answer of the history with all that was asked on and answered, as Markdown."""
    return answer.text + "".join(heading(each.question) + each.text for each in answer.follow_ups if each.text)
