"""Protocol of retimings: other times for the whole of a transcript, which are found or given."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from tui.records.retiming import RetimingPlan
from tui.service.protocol.operation import Operation

if TYPE_CHECKING:
    from tui.records.jobs import Job
    from tui.service.protocol import arguments as args


class Retimings(Protocol):
    """Retimings of transcripts without a model; each is one step of undo, and clips stay as they are.

    A time becomes a factor times itself, and an offset later. Pairs with translations stay right: a factor has their
    offsets found anew, and ends those for which none is found. With ``dry_run`` nothing is changed. All raise
    ``NotFound``, and ``InvalidInput`` with the code ``no_times`` for a text without times, and as a shift does.
    """

    @Operation("POST", "/profiles/transcripts/{transcript_id}/retime", "retime_transcript", body="RetimingChoice")
    async def apply(
        self,
        transcript_id: str,
        *,
        factor: args.TimeFactor = 1.0,
        offset_ms: args.TimeOffset = 0,
        dry_run: args.RetimingDryRun = False,
    ) -> RetimingPlan:
        """Retime a transcript as it is told; raises ``InvalidInput`` (``wrong_factor``) beyond 0.9 and 1.1."""

    @Operation("POST", "/profiles/transcripts/{transcript_id}/retime_by_hand", "retime_by_hand", body="SaidCues")
    async def by_hand(
        self,
        transcript_id: str,
        cue_index: args.CueIndex,
        at_ms: args.SaidMoment,
        *,
        other_index: args.OtherCueIndex = None,
        other_at_ms: args.OtherSaidMoment = None,
        dry_run: args.RetimingDryRun = False,
    ) -> RetimingPlan:
        """Retime a transcript so that one cue, or two, are said at the moments at which somebody heard them.

        One gives the offset, and so do two that are less than five minutes apart; else two give the factor as well.
        Raises ``InvalidInput`` with the code ``wrong_points`` where the text would be a tenth longer or shorter.
        """

    @Operation("POST", "/profiles/transcripts/{transcript_id}/retime_against", "retime_against", body="OtherTrack")
    async def against(
        self, transcript_id: str, track_id: args.ReferenceTrack, *, dry_run: args.RetimingDryRun = False
    ) -> RetimingPlan:
        """Retime a transcript to another one of the same film, whose times are right, in whatever language.

        Raises ``InvalidInput`` with the code ``unsure`` where it is not clear how, ``same_transcript``.
        """

    @Operation("POST", "/profiles/transcripts/{transcript_id}/retime_by_sound", "retime_by_sound", 202, body="ByFilm")
    async def by_sound(self, transcript_id: str, *, dry_run: args.RetimingDryRun = False) -> Job:
        """Queue the job that retimes a transcript to the sound of its film; its message says what it did.

        The job fails where that is not clear. Raises ``MediaError``: ``no_media`` where it has no film,
        ``whisper_extra_missing`` where nothing here can tell where somebody speaks.
        """
