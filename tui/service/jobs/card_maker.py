"""Card maker: what the job of mining needs of a profile's service; no other job asks anything there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from tui.events import BreakdownEvents
    from tui.llm.protocol import Provider
    from tui.records.clips import NewClip
    from tui.records.transcripts import Cue
    from tui.records.words import TextPlace
    from tui.service.requests import BreakdownRequest, ExplainRequest


class CardMaker(Protocol):
    """Maker of the cards of a profile, for one job."""

    def find_provider(self, selector: str) -> Provider:
        """Find the provider of a model; raises ``ProviderError`` and ``InvalidInput``."""

    def answers_itself(self, provider: Provider) -> bool:
        """Whether a provider is the library's own, which needs no patience."""

    async def read_cues(self, transcript_id: str, first: int, count: int) -> Sequence[Cue]:
        """Read some cues of a transcript."""

    async def draft(self, place: TextPlace, word: str) -> NewClip:
        """Draft the clip of a word in its sentence, or of the sentence ("")."""

    def ask(self, request: BreakdownRequest | ExplainRequest, adapt: Callable[[Provider], Provider]) -> BreakdownEvents:
        """Ask as the reader does; ``adapt`` makes of a provider the one that is asked."""
