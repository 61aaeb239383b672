"""Protocol of mining: words and sentences of a transcript that are broken down together, and wait in a review."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from tui.service.protocol.operation import Operation

if TYPE_CHECKING:
    from tui.records.jobs import Job
    from tui.records.mining import MiningMark, MiningPlan
    from tui.service.protocol import arguments as args


class Mining(Protocol):
    """Mining: what is marked or named is broken down by one job, and waits as cards in a review."""

    @Operation("GET", "/profiles/mining/marks", "list_mining_marks")
    async def marks(self, transcript_id: args.MinedTranscript) -> tuple[MiningMark, ...]:
        """List the words and sentences of a transcript that are marked, in the order of the text.

        They are where they stand now; one whose word is gone is left out.
        """

    @Operation("PUT", "/profiles/mining/marks", "put_mining_mark", body="MiningMarkChoice")
    async def mark(
        self,
        transcript_id: args.MinedTranscript,
        cue: args.CueIndexOfMark,
        start: args.CueOffset,
        end: args.CueOffset,
        *,
        focus: args.MarkedWord = "",
        is_sentence: args.MarksSentence = False,
    ) -> MiningMark:
        """Mark a word at its code points, or the sentence that it stands in, instead of what is marked there.

        Undo takes it back. Raises ``InvalidInput`` (``no_word``, ``too_many``).
        """

    @Operation("DELETE", "/profiles/mining/marks", "delete_mining_mark")
    async def unmark(self, transcript_id: args.MinedTranscript, cue: args.CueIndexOfMark, start: args.CueOffset) -> int:
        """Take away the mark that begins at a code point, and give how many there were; undo brings it back."""

    @Operation("POST", "/profiles/mining/plan", "plan_mining", asks=True, body="MiningChoice")
    async def plan(
        self,
        transcript_id: args.MinedTranscript,
        *,
        places: args.MinedPlaces = (),
        words: args.MinedWords = (),
        marked: args.MinesMarks = False,
        commonest: args.Commonest = 0,
        model: args.MiningModel = "",
        tag: args.BatchTag = "",
    ) -> MiningPlan:
        """Plan a batch: what would be broken down, and how much a model would be asked; none is asked.

        Raises ``NotFound``, and ``InvalidInput`` for a model that is none, a place without a word (``no_word``), and
        where nothing tells which words are common.
        """

    @Operation("POST", "/profiles/mining", "mine", 202, body="MiningChoice")
    async def start(
        self,
        transcript_id: args.MinedTranscript,
        *,
        places: args.MinedPlaces = (),
        words: args.MinedWords = (),
        marked: args.MinesMarks = False,
        commonest: args.Commonest = 0,
        model: args.MiningModel = "",
        tag: args.BatchTag = "",
    ) -> Job:
        """Queue the job, which fills a review of cards; a mark goes as its card comes.

        Raises as ``plan`` does, ``InvalidInput`` (``nothing_to_mine``) where there is nothing to break down, and with
        the code ``mining_at_work`` where a batch of marks is under way already.
        """
