"""Table of imported files; adding one brings transcript, cues, words and the end of its job in one transaction."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import get_args

from tui.records.files import FileKind, ProfileFile
from tui.records.jobs import JobOutcome
from tui.records.library import Deletion
from tui.records.transcripts import CueChange, NewTranscript, Transcript
from tui.store.blobs import BlobFolder
from tui.store.database import Connections
from tui.store.rows import as_json, full_id, new_id, now, profile_for_writing, profile_seq, record, update_row
from tui.store.search import codes_in, folded_words, language_in
from tui.store.tables.transcripts.cue_rows import SentenceSearchTable
from tui.store.tables.transcripts.edit import pair_transcripts
from tui.store.tables.transcripts.reimport import has_cues, imported_transcripts, replace_cues
from tui.store.tables.transcripts.transcripts import (
    CountedTranscript,
    Transcripts,
    insert_transcript,
    shares_of,
    with_progress,
)
from tui.store.tables.words import count_forms
from tui.store.trash_entry import TrashEntry
from tui.text.display import count_of, read_as

ALREADY_THERE = "already in the library"


class Files(SentenceSearchTable[ProfileFile]):
    """Table of imported files, searched by name, language, format and kind, and by the cues of their transcripts."""

    name = "files"
    select = (
        "SELECT r.*, t.id AS transcript_id, t.cue_count FROM files AS r"
        " LEFT JOIN transcripts AS t ON t.seq = (SELECT max(seq) FROM transcripts WHERE file_id = r.id)"
    )
    facets = (language_in("language"), codes_in("format", "kind"))
    kind = ProfileFile
    names = (
        "SELECT f.seq, f.name, '', NULL, NULL, f.name, (SELECT m.path FROM transcript_media AS m"
        " JOIN transcripts AS t ON t.seq = m.transcript WHERE t.file_id = f.id LIMIT 1) FROM files AS f"
        " WHERE f.profile = ?"
    )

    def __init__(self, connections: Connections, blobs: BlobFolder, transcripts: Transcripts) -> None:
        super().__init__(connections)
        self._blobs = blobs
        self._transcripts = transcripts

    def build(self, row: sqlite3.Row) -> ProfileFile:
        return record(ProfileFile, row, cue_count=row["cue_count"] or 0, hit=None)

    def _rows_with(self, connection: sqlite3.Connection, hits: Mapping[int, int]) -> dict[int, tuple[int, int]]:
        rows = connection.execute(  # of several, the chapters of a book, the first one was written last
            "SELECT f.seq, max(t.seq) FROM json_each(?) AS given JOIN transcripts AS t ON t.seq = given.value"
            " JOIN files AS f ON f.id = t.file_id GROUP BY f.seq",
            (as_json(hits),),
        )
        return {seq: (transcript, hits[transcript]) for seq, transcript in rows}

    def by_sha256(self, profile: str, sha256: str) -> ProfileFile | None:
        """The profile's file with these bytes."""
        with self._connections.read() as connection:
            query = f"{self.select} WHERE r.profile = ? AND r.sha256 = ?"
            row = connection.execute(query, (profile_seq(connection, profile), sha256)).fetchone()
        return None if row is None else self.build(row)

    def add(
        self,
        profile: str,
        *,
        name: str,
        kind: FileKind,
        format: str,
        language: str | None,
        size_bytes: int,
        sha256: str,
        duration_ms: int | None,
        transcripts: Sequence[NewTranscript],
        job_id: str | None,
        data: bytes | None = None,
        encoding: str | None = None,
        named_language: str | None = None,
        reread: bool = False,
        languages: Sequence[str] = (),
        mending_codec: str | None = None,
        report: Callable[[float], None] | None = None,
        counted: Sequence[CountedTranscript] | None = None,
    ) -> tuple[ProfileFile, Transcript]:
        """Record an import, all of it or nothing, and keep its bytes in ``data``; the job ends as succeeded.

        A profile has the same bytes once: where it has them already, the file there stays and gets the transcript if
        it has none. One that it has stays as it is or, with ``reread``, gets these cues where they are others, which
        undo takes back. Of several transcripts, the chapters of a book say, the first comes first in every list and is
        the one that is given back. ``named_language`` is the language where it was named and not found out.
        ``languages`` are both of a subtitle that has two; if it was split, its transcripts translate each other.
        ``mending_codec`` is the one to read it in where its text was once stored in a wrong one: the job says so.
        ``report`` gets the progress, from 0 to 1; what it raises ends the work, and nothing of it is kept. ``counted``
        is what ``count_words`` makes of the transcripts, where others are not to wait for that in a transaction.
        """
        parts = count_words(transcripts, report) if counted is None else counted
        with self._connections.write() as connection:
            if data is not None:  # under the lock: whoever removes bytes that nothing needs sees them with their record
                self._blobs.put(data)
            seq = profile_for_writing(connection, profile)
            row = connection.execute(f"{self.select} WHERE r.profile = ? AND r.sha256 = ?", (seq, sha256)).fetchone()
            outcome: JobOutcome = "added"
            read = {
                "kind": kind,
                "format": format,
                "language": language,
                "duration_ms": duration_ms,
                "encoding": encoding,
                "named_language": named_language,
            }
            if row is None:
                file_id = new_id()
                connection.execute(
                    f"INSERT INTO files (id, profile, name, size_bytes, sha256, created_at, folded, {', '.join(read)})"
                    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    (file_id, seq, name, size_bytes, sha256, now(), folded_words(name), *read.values()),
                )
            else:
                file_id = row["id"]
            if row is None or not imported_transcripts(connection, file_id):
                for part in reversed(parts):
                    insert_transcript(connection, seq, file_id, part)
                if row is not None:
                    update_row(connection, "files", "id", file_id, read)
            else:
                outcome = "same"
                is_other = language != row["language"] or not has_cues(connection, file_id, transcripts)
                if reread and is_other:
                    outcome = "reread"
                    replace_cues(connection, seq, {"id": file_id, **read}, parts)
            if outcome != "same" and len(languages) == len(transcripts) == 2:
                pair_transcripts(connection, imported_transcripts(connection, file_id))
            if job_id is not None:
                done = {
                    "state": "succeeded",
                    "progress": 1.0,
                    "message": _message(outcome, transcripts, encoding, languages, file_id)
                    + _mending(mending_codec, file_id),
                    "error": None,
                }
                done |= {"file_id": file_id, "outcome": outcome, "updated_at": now()}
                update_row(connection, "jobs", "id", job_id, done)
            file = self.row(connection, file_id)
            transcript = self._transcripts.row(connection, file["transcript_id"])
            return self.build(file), self._transcripts.build(transcript)

    def read_named_options(self, profile: str, file_id: str) -> tuple[str | None, str | None]:
        """The encoding that the file was read in, and the language where that was named and not found out."""
        with self._connections.read() as connection:
            wanted = full_id(connection, "files", profile, file_id)
            query = "SELECT encoding, named_language FROM files WHERE id = ?"
            encoding, language = connection.execute(query, (wanted,)).fetchone()
        return encoding, language

    def _delete(self, connection: sqlite3.Connection, seqs: Sequence[int]) -> Deletion:
        """Delete files with their jobs; their transcripts and clips stay and no longer say which file they are from."""
        rows = connection.execute(
            "SELECT id, name, profile FROM files WHERE seq IN (SELECT value FROM json_each(?))", (as_json(seqs),)
        ).fetchall()
        ids = [row["id"] for row in rows]
        entry = TrashEntry()
        # A job that was still at work comes back as what it then is.
        connection.execute(
            "UPDATE jobs SET state = 'cancelled' WHERE state IN ('queued', 'running')"
            " AND file_id IN (SELECT value FROM json_each(?))",
            (as_json(ids),),
        )
        entry.delete(connection, "jobs", "file_id", ids)
        for table in ("transcripts", "clips"):
            entry.clear_references(connection, table, "file_id", ids)
        count = entry.delete(connection, "files", "seq", seqs)
        deletion = entry.save(connection, rows[0]["profile"], "files", rows[0]["name"], count)
        return replace(deletion, job_ids=tuple(entry.column("jobs", "id")))


def count_words(
    transcripts: Sequence[NewTranscript], report: Callable[[float], None] | None = None
) -> tuple[CountedTranscript, ...]:
    """Count the words of transcripts, the first half of keeping them; ``report`` gets the progress of both."""

    def count(transcript: NewTranscript, share: Callable[[float], None] | None) -> CountedTranscript:
        texts = (cue.text for cue in with_progress(transcript.cues, share))
        return CountedTranscript(transcript, count_forms(texts, transcript.language), share)

    return tuple(map(count, transcripts, shares_of(report, transcripts)))


def _mending(codec: str | None, file_id: str) -> str:
    return "" if codec is None else f"; its letters look wrong: lode files reread {file_id} --encoding {codec}"


def _message(
    outcome: JobOutcome,
    transcripts: Sequence[NewTranscript],
    encoding: str | None,
    languages: Sequence[str],
    file_id: str,
) -> str:
    changes = Counter(cue.change for each in transcripts for cue in each.originals)
    facts = [
        f"{len(transcripts)} transcripts" if len(transcripts) > 1 else "",
        count_of(sum(len(each.cues) for each in transcripts), "cue"),
        *(f"{changes[change]} {change}" for change in get_args(CueChange) if changes[change]),
    ]
    done = ", ".join(filter(None, facts)) + read_as(encoding)
    if len(languages) == 2:
        is_split = len(transcripts) == 2
        hint = "" if is_split else f"; to split them: lode files reread {file_id} --language {'+'.join(languages)}"
        done += f"; {'split into' if is_split else 'two languages:'} {' and '.join(languages)}{hint}"
    if outcome == "same":
        return f"the same {count_of(sum(len(each.cues) for each in transcripts), 'cue')}"
    return f"read anew: {done}" if outcome == "reread" else done
