"""Table of imported files; adding one brings transcript, cues, words and the end of its job in one transaction."""

import sqlite3
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import ClassVar, get_args

from tui.errors import ImportRefused
from tui.records.deletion import Deletion
from tui.records.files import NewFile, ProfileFile
from tui.records.jobs import JobOutcome
from tui.records.transcripts import CueChange, NewTranscript, Transcript
from tui.store.blobs import BlobFolder
from tui.store.database import Connections
from tui.store.rows import AMONG, PROFILE, Connection, as_json, new_id, now, record
from tui.store.search import Field, codes_in, field_of, flags, folded_words, language_in, words_in
from tui.store.tables.cue_rows import SentenceSearchTable
from tui.store.tables.reimport import FILE_COLUMNS, has_cues, imported_transcripts, replace_cues
from tui.store.tables.sorting import text_key
from tui.store.tables.transcript_edit import pair_transcripts
from tui.store.tables.transcripts import (
    READ,
    CountedTranscript,
    Transcripts,
    insert_transcript,
    share_read,
    shares_of,
    with_progress,
)
from tui.store.tables.words import count_forms
from tui.store.trash_entry import TrashEntry, forget_redo, take_out_jobs
from tui.text.display import count_of, read_as

ALREADY_THERE = "already in the library"
_TRANSCRIPT = "(SELECT max(seq) FROM transcripts WHERE file_id = r.id)"
"""Number of a file's transcript, the newest."""
_OF_TRANSCRIPT = "(SELECT {} FROM transcripts AS t WHERE t.file_id = r.id ORDER BY t.seq DESC LIMIT 1)"


class Files(SentenceSearchTable[ProfileFile]):
    """Table of imported files, searched by name, language, format and kind, and by the cues of their transcripts."""

    name = "files"
    select = (
        "SELECT r.*, t.id AS transcript_id, t.cue_count, min(p.read, t.cue_count) AS read_cues FROM files AS r"
        f" LEFT JOIN transcripts AS t ON t.seq = {_TRANSCRIPT}"
        " LEFT JOIN reading_places AS p ON p.transcript_id = t.id"
    )
    facets = (language_in("language"), codes_in("format", "kind"))
    fields: Mapping[str, Field] = {
        "lang": field_of(language_in("language")),
        "title": field_of(words_in("folded")),
        "source": field_of(words_in("folded")),
        "kind": field_of(codes_in("format", "kind")),
        "read": flags(**{name: f"id IN (SELECT file_id FROM transcripts WHERE {each})" for name, each in READ.items()}),
        "has": flags(transcript="id IN (SELECT file_id FROM transcripts)"),
    }
    sort_keys: ClassVar[Mapping[str, str]] = {
        "name": text_key("r.folded"),
        "kind": text_key("coalesce(nullif(r.format, ''), r.kind)"),
        "lang": text_key("r.language"),
        "encoding": text_key("r.encoding"),
        "cues": _OF_TRANSCRIPT.format("t.cue_count"),
        "length": "r.duration_ms",
        "size": "r.size_bytes",
        "read": _OF_TRANSCRIPT.format(share_read("t.id", "t.cue_count")),
    }
    counted_row = _TRANSCRIPT
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
        sha256 = None if row["path"] else row["sha256"]
        return record(ProfileFile, row, sha256=sha256, cue_count=row["cue_count"] or 0, hit=None)

    def _rows_with(self, connection: Connection, hits: Mapping[int, int]) -> dict[int, tuple[int, int]]:
        rows = connection.execute(  # of several, the chapters of a book, the first one was written last
            "SELECT f.seq, max(t.seq) FROM json_each(?) AS given JOIN transcripts AS t ON t.seq = given.value"
            " JOIN files AS f ON f.id = t.file_id GROUP BY f.seq",
            (as_json(hits),),
        )
        return {seq: (transcript, hits[transcript]) for seq, transcript in rows}

    def content(self, profile: str, file_id: str) -> tuple[ProfileFile, bytes]:
        """A file with its bytes; raises ``NotFound``, and ``ImportRefused`` for a recording, which is not kept."""
        file = self.get(profile, file_id)
        if file.sha256 is None:
            raise ImportRefused(
                f"{file.name} is a recording, of which no text is kept", hint=f"lode transcribe {file.id}"
            )
        return file, self._blobs.get(file.sha256, file.name)

    def by_sha256(self, profile: str, sha256: str) -> ProfileFile | None:
        """The profile's file with these bytes."""
        row = self._connections.row(f"{self.select} WHERE r.profile = {PROFILE} AND r.sha256 = ?", profile, sha256)
        return None if row is None else self.build(row)

    def add(
        self,
        profile: str,
        new: NewFile,
        parts: Sequence[CountedTranscript],
        job_id: str | None,
        data: bytes | None = None,
    ) -> tuple[ProfileFile, Transcript]:
        """Record an import, all of it or nothing, and keep its bytes in ``data``; the job ends as succeeded.

        A profile has the same bytes once: where it has them already, the file there stays and gets the transcript if
        it has none. One that it has gets these cues where they are others, which undo takes back. Of several
        transcripts in ``parts``, the chapters of a book say, the first one comes first in every list and is given back.
        """
        transcripts = [each.contents for each in parts]
        with self._connections.write() as connection:
            if data is not None:  # under the lock: whoever removes bytes that nothing needs sees them with their record
                self._blobs.put(data)
            seq = connection.profile_for_writing(profile)
            row = connection.row(f"{self.select} WHERE r.profile = ? AND r.sha256 = ?", seq, new.sha256)
            outcome: JobOutcome = "added"
            read = {name: getattr(new, name) for name in FILE_COLUMNS}
            file_id = new_id() if row is None else row["id"]
            if row is None:
                about = {"id": file_id, "profile": seq, "name": new.name, "folded": folded_words(new.name)}
                about |= {"size_bytes": new.size_bytes, "sha256": new.sha256, "created_at": now()}
                connection.insert("files", {**about, **read})
            if row is None or not imported_transcripts(connection, file_id):
                for part in reversed(parts):
                    insert_transcript(connection, seq, file_id, part)
                if row is not None:
                    connection.update("files", "id", file_id, read)
            elif new.language != row["language"] or not has_cues(connection, file_id, transcripts):
                outcome = "reread"
                replace_cues(connection, seq, {"id": file_id, **read}, parts)
            else:
                outcome = "same"
            if outcome != "same":
                forget_redo(connection, seq)
            if outcome != "same" and len(new.languages) == len(transcripts) == 2:
                pair_transcripts(connection, imported_transcripts(connection, file_id))
            if job_id is not None:
                message = _message(outcome, new, transcripts, file_id)
                done = {"state": "succeeded", "progress": 1.0, "message": message, "error": None}
                done |= {"file_id": file_id, "outcome": outcome, "updated_at": now()}
                connection.update("jobs", "id", job_id, done)
            file = self.row(connection, file_id)
            transcript = self._transcripts.row(connection, file["transcript_id"])
            return self.build(file), self._transcripts.build(transcript)

    def read_named_options(self, profile: str, file_id: str) -> tuple[str | None, str | None]:
        """The encoding that the file was read in, and the language where that was named and not found out."""
        with self._connections.read() as connection:
            wanted = connection.full_id("files", profile, file_id)
            ((encoding, language),) = connection.rows("SELECT encoding, named_language FROM files WHERE id = ?", wanted)
        return encoding, language

    def _delete(self, connection: Connection, seqs: Sequence[int]) -> Deletion:
        """Delete files with their jobs; their transcripts and clips stay and no longer say which file they are from."""
        entry = self.take_out(connection, seqs)
        profile, name = (entry.column("files", column)[0] for column in ("profile", "name"))
        deletion = entry.save(connection, profile, "files", name, len(seqs))
        return replace(deletion, job_ids=tuple(entry.column("jobs", "id")))

    def take_out(self, connection: Connection, seqs: Sequence[int]) -> TrashEntry:
        ids = connection.column(f"SELECT id FROM files WHERE seq {AMONG}", as_json(seqs))
        entry = TrashEntry()
        take_out_jobs(connection, entry, "file_id", ids)
        for table in ("transcripts", "clips"):
            entry.clear_references(connection, table, "file_id", ids)
        entry.delete(connection, "files", "seq", seqs)
        return entry


def count_words(
    transcripts: Sequence[NewTranscript], report: Callable[[float], None] | None = None
) -> tuple[CountedTranscript, ...]:
    """Count the words of transcripts, the first half of keeping them; ``report`` gets the progress of both."""

    def count(transcript: NewTranscript, share: Callable[[float], None] | None) -> CountedTranscript:
        texts = (cue.text for cue in with_progress(transcript.cues, share))
        return CountedTranscript(transcript, count_forms(texts, transcript.language), share)

    return tuple(map(count, transcripts, shares_of(report, transcripts)))


def _message(outcome: JobOutcome, new: NewFile, transcripts: Sequence[NewTranscript], file_id: str) -> str:
    done = count_of(sum(len(each.cues) for each in transcripts), "cue")
    if outcome == "same":
        done = f"the same {done}"
    else:
        changes = Counter(cue.change for each in transcripts for cue in each.originals)
        facts = [done, *(f"{changes[change]} {change}" for change in get_args(CueChange) if changes[change])]
        if len(transcripts) > 1:
            facts.insert(0, f"{len(transcripts)} transcripts")
        done = ", ".join(facts) + read_as(new.encoding)
        if len(new.languages) == 2:
            is_split = len(transcripts) == 2
            split = f"; to split them: lode files reread {file_id} --language {'+'.join(new.languages)}"
            done += f"; {'split into' if is_split else 'two languages:'} {' and '.join(new.languages)}"
            done += "" if is_split else split
        done = f"read anew: {done}" if outcome == "reread" else done
    if new.mending_codec is not None:
        done += f"; its letters look wrong: lode files reread {file_id} --encoding {new.mending_codec}"
    return done
