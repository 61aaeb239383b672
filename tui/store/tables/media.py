"""Table of the films of transcripts, and of sounds and pictures that were cut out of them for clips."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

from tui.errors import NotFound
from tui.store.database import Table
from tui.store.rows import AMONG, PROFILE, Connection, as_json, record, which_rows

if TYPE_CHECKING:  # their records take a while to make, and nothing before the first rows needs them
    from tui.records.media import MediaLink, NewLink, UnspokenClip, WaitingCut

_LINK = "m.path, m.size_bytes, m.modified_ns, m.parts_sha256, m.track, t.id AS transcript_id"
_CUT_FROM = "c.start_ms || '-' || c.end_ms || ' ' || m.parts_sha256 || ' ' || m.track"
_WAITING = (
    f"SELECT c.seq AS number, c.start_ms, c.end_ms, {_CUT_FROM} AS cut_from, coalesce(t.language, '') AS language,"
    " (SELECT max(q.end_ms) FROM cues AS q WHERE q.transcript = t.seq AND q.position = c.cue_index - 1)"
    "  AS previous_end_ms,"
    " (SELECT q.start_ms FROM cues AS q WHERE q.transcript = t.seq AND q.position > c.cue_index"
    "  AND q.start_ms >= c.end_ms ORDER BY q.position LIMIT 1) AS next_start_ms,"
    f" {_LINK} FROM transcript_media AS m CROSS JOIN transcripts AS t ON t.seq = m.transcript"
    " CROSS JOIN clips AS c ON c.transcript_id = t.id"
    f" WHERE t.profile = {PROFILE} AND c.end_ms > c.start_ms AND c.cut_from IS NOT {_CUT_FROM}"
    " ORDER BY m.path, t.seq, c.start_ms"
)
_UNSPOKEN = (
    "SELECT c.seq AS number, c.id, c.sentence, c.voice,"
    " coalesce(json_extract(c.focus, '$.language'), t.language, c.told_language, '') AS language"
    " FROM clips AS c LEFT JOIN all_transcripts AS t ON t.id = c.transcript_id"
    f" WHERE c.profile = {PROFILE} AND (c.audio IS NULL OR c.voice IS NOT NULL AND ?)"
)


class Media(Table):
    def link(self, profile: str, transcript_id: str, link: NewLink) -> MediaLink:
        """Give a transcript its film, instead of the one that it may have. Raises ``NotFound``."""
        from tui.records.media import MediaLink

        with self._connections.write() as connection:
            wanted = connection.full_id("transcripts", profile, transcript_id)
            seq = connection.value("SELECT seq FROM transcripts WHERE id = ?", wanted)
            values = asdict(link)
            connection.insert("transcript_media", {"transcript": seq, **values}, replacing=True)
            return MediaLink(**values, transcript_id=wanted)

    def link_file(self, profile: str, file_id: str, link: NewLink) -> None:
        """Give the transcripts of a file this film, as far as they have none, or this one as it was before."""
        with self._connections.write():
            for transcript in self.timed_transcripts(profile, file_id):
                known = self.of(profile, transcript)
                if known is None or known.path == link.path:
                    self.link(profile, transcript, replace(link, track=known.track if known else link.track))

    def unlink(self, profile: str, transcript_id: str) -> MediaLink | None:
        """Let a transcript have no film any more, and give the one that it had; what was cut out of it stays."""
        with self._connections.write() as connection:
            link = self.of(profile, transcript_id)
            gone = "DELETE FROM transcript_media WHERE transcript = (SELECT seq FROM transcripts WHERE id = ?)"
            connection.execute(gone, (connection.full_id("transcripts", profile, transcript_id),))
            return link

    def of(self, profile: str, transcript_id: str) -> MediaLink | None:
        """The film of a transcript; raises ``NotFound`` for the transcript."""
        from tui.records.media import MediaLink

        with self._connections.read() as connection:
            wanted = connection.full_id("transcripts", profile, transcript_id)
            query = f"SELECT {_LINK} FROM transcript_media AS m JOIN transcripts AS t ON t.seq = m.transcript"
            row = connection.row(f"{query} WHERE t.id = ?", wanted)
        return None if row is None else record(MediaLink, row)

    def timed_transcripts(self, profile: str, record_id: str) -> list[str]:
        """The ids of the transcripts with times that an id means: that of a transcript or of a file with some.

        Raises ``NotFound`` and, of several that it is the beginning of, ``InvalidInput``.
        """
        query = "SELECT id FROM transcripts WHERE duration_ms IS NOT NULL AND "
        with self._connections.read() as connection:
            try:
                wanted, column = connection.full_id("transcripts", profile, record_id), "id"
            except NotFound:
                wanted, column = connection.full_id("files", profile, record_id), "file_id"
            return connection.column(f"{query} {column} = ? ORDER BY seq", wanted)

    def paths(self) -> list[str]:
        """The paths of all films and recordings, of transcripts that are deleted too."""
        return self._connections.column(
            "SELECT path FROM transcript_media UNION SELECT path FROM files WHERE path IS NOT NULL"
        )

    def waiting(self, profile: str) -> list[WaitingCut]:
        """The clips whose sound and picture are not those of their film and their times, film by film."""
        from tui.records.media import MediaLink, WaitingCut

        rows = self._connections.rows(_WAITING, profile)
        return [record(WaitingCut, row, link=record(MediaLink, row)) for row in rows]

    def keep(self, cut: WaitingCut, sound: bytes, picture: bytes) -> None:
        """Keep the sound and the picture of a clip, b"" for none; its time of change stays.

        What it had before goes with the next tidying, unless another clip has it too. A voice that speaks it gives way
        to a recording only.
        """
        with self._connections.write() as connection:
            names = [self._put(connection, content) for content in (sound, picture)]
            connection.execute(
                "UPDATE clips SET audio = coalesce(?1, CASE WHEN voice IS NOT NULL THEN audio END), picture = ?2,"
                " voice = CASE WHEN ?1 IS NULL THEN voice END, cut_from = ?3 WHERE seq = ?4",
                (*names, cut.cut_from, cut.number),
            )
            connection.execute("DELETE FROM rendered_notes WHERE clip = ?", (cut.number,))

    def unspoken(
        self, profile: str, selected: Sequence[int] | None = None, *, again: bool = False
    ) -> list[UnspokenClip]:
        """The clips without a sound, oldest first, or ``again`` also those that a machine speaks.

        Of the clips with these row numbers, where some are ``selected``.
        """
        from tui.records.media import UnspokenClip

        which, given = which_rows("c.seq", selected)
        rows = self._connections.rows(f"{_UNSPOKEN} AND {which} ORDER BY c.seq", profile, again, *given)
        return [record(UnspokenClip, row) for row in rows]

    def unspoken_of(self, profile: str, ids: Sequence[str], *, again: bool) -> list[UnspokenClip]:
        """List those of the clips with these ids that are still ``unspoken``."""
        numbers = self._connections.column(f"SELECT seq FROM clips WHERE id {AMONG}", as_json(ids))
        return self.unspoken(profile, numbers, again=again)

    def keep_voice(self, clip: UnspokenClip, sound: bytes, voice: str) -> bool:
        """Keep a sentence that a machine has spoken; the clip's time of change stays.

        False where the clip is gone, has another sentence by now, or a recording.
        """
        with self._connections.write() as connection:
            is_kept = connection.execute(
                "UPDATE clips SET audio = ?, voice = ? WHERE seq = ? AND id = ? AND sentence = ?"
                " AND (audio IS NULL OR voice IS NOT NULL)",
                (self._put(connection, sound), voice, clip.number, clip.id, clip.sentence),
            ).rowcount
            connection.execute("DELETE FROM rendered_notes WHERE clip = ?", (clip.number,))
            return bool(is_kept)

    def remove_voices(self, profile: str, selected: Sequence[int] | None = None) -> int:
        """Take the sounds that a machine speaks from clips; gives of how many. Their times of change stay."""
        chosen, given = which_rows("seq", selected)
        which = f"profile = {PROFILE} AND voice IS NOT NULL AND {chosen}"
        with self._connections.write() as connection:
            spoken = f"SELECT seq FROM clips WHERE {which}"
            connection.execute(f"DELETE FROM rendered_notes WHERE clip IN ({spoken})", (profile, *given))
            gone = f"UPDATE clips SET audio = NULL, voice = NULL WHERE {which}"
            return connection.execute(gone, (profile, *given)).rowcount

    def content(self, sha256: str) -> bytes | None:
        """The bytes of a sound or picture."""
        content: bytes | None = self._connections.value("SELECT content FROM clip_media WHERE sha256 = ?", sha256)
        return content

    @staticmethod
    def _put(connection: Connection, content: bytes) -> str | None:
        if not content:
            return None
        sha256 = hashlib.sha256(content).hexdigest()
        connection.execute("INSERT OR IGNORE INTO clip_media (sha256, content) VALUES (?, ?)", (sha256, content))
        return sha256
