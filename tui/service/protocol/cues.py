"""Protocol of the cues of a transcript as they are edited by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from tui.records.transcripts import EditedCues
from tui.service.protocol.operation import Operation

if TYPE_CHECKING:
    from tui.service.protocol import arguments as args


class Cues(Protocol):
    """Edits of cues; each is one step of undo.

    A cue is named by its index and by the text that was ``seen`` there. Clips, notes, bookmarks and the place of
    reading follow. Raises ``InvalidInput`` for a cue that there is none of, and with the code ``cue_changed`` where
    another text stands there by now.
    """

    @Operation("PATCH", "/profiles/transcripts/{transcript_id}/cues/{index}", "edit_cue", body="CueChanges")
    async def edit(
        self,
        transcript_id: str,
        cue_index: args.CueIndex,
        *,
        seen: args.SeenText,
        text: args.CueText = None,
        start_ms: args.CueTime = None,
        end_ms: args.CueTime = None,
    ) -> EditedCues:
        """Give a cue another text or other times; None leaves them. It is not doubted any more.

        The times of its words stay as far as these do. Raises ``InvalidInput`` with the code ``wrong_time`` for times
        that cannot be, ``wrong_order`` for a start that passes a neighbour's, and ``no_times`` where the text has none.
        """

    @Operation("POST", "/profiles/transcripts/{transcript_id}/cues/{index}/split", "split_cue", body="CueSplit")
    async def split(
        self, transcript_id: str, cue_index: args.CueIndex, *, seen: args.SeenText, at: args.CueOffset
    ) -> EditedCues:
        """Split a cue in two, the second from a code point of its text on.

        Each is said in the time of its words where that is known, else in its share of the letters. Raises
        ``InvalidInput`` with the code ``nothing_to_split`` where one of them would be empty.
        """

    @Operation("POST", "/profiles/transcripts/{transcript_id}/cues/{index}/merge", "merge_cue", body="SeenCue")
    async def merge(self, transcript_id: str, cue_index: args.CueIndex, *, seen: args.SeenText) -> EditedCues:
        """Make one of a cue and the next; raises ``InvalidInput`` with the code ``no_next_cue`` for the last one."""

    @Operation("POST", "/profiles/transcripts/{transcript_id}/cues", "insert_cue", 201, body="NewCue")
    async def insert(
        self,
        transcript_id: str,
        index: args.NewCueIndex,
        text: args.NewCueText,
        *,
        start_ms: args.CueTime = None,
        end_ms: args.CueTime = None,
    ) -> EditedCues:
        """Insert a cue, which gets this index; it has times where the text has some. Raises as ``edit`` does."""

    @Operation("POST", "/profiles/transcripts/{transcript_id}/cues/{index}/delete", "delete_cue", body="SeenCue")
    async def delete(self, transcript_id: str, cue_index: args.CueIndex, *, seen: args.SeenText) -> EditedCues:
        """Delete a cue: clips of it are of no cue then. Raises ``InvalidInput`` with ``only_cue`` for the only one."""

    @Operation("POST", "/profiles/transcripts/{transcript_id}/shift", "shift_transcript", body="CueShift")
    async def shift(self, transcript_id: str, ms: args.ShiftTime) -> EditedCues:
        """Move all times of a transcript by so many milliseconds; what its translation says stays beside it.

        Raises ``InvalidInput`` with the code ``before_beginning`` where a cue would begin before 0, and ``no_times``.
        """
