"""Transcriptions: a recording as a file that stays where it lies, and its transcript, which grows piece by piece."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from tui.errors import NotFound
from tui.records.files import NewFile
from tui.records.jobs import Job
from tui.records.media import NewLink
from tui.records.transcripts import Cue
from tui.store.database import Connections, Table
from tui.store.rows import Connection, new_id, now
from tui.store.search import cue_scope, folded_words
from tui.store.tables.cue_rows import last_end_ms, row_texts
from tui.store.tables.jobs import Jobs
from tui.store.tables.media import Media
from tui.store.tables.transcripts import insert_cues
from tui.store.tables.words import count_forms, insert_counts
from tui.store.trash_entry import forget_redo

KIND = "transcribe"


class Transcriptions(Table):
    def __init__(self, connections: Connections, jobs: Jobs, media: Media) -> None:
        super().__init__(connections)
        self._jobs = jobs
        self._media = media

    def begin(
        self, profile: str, file: NewFile | str, title: str, link: NewLink, source: str, options: Mapping[str, object]
    ) -> Job:
        """Make the file, unless there is one of the same recording, and its empty transcript, and queue the job.

        ``file`` is a new one, or the id of the one that the recording belongs to.
        """
        with self._connections.write() as connection:
            seq = connection.profile_for_writing(profile)
            file_id = file if isinstance(file, str) else _find_or_insert(connection, seq, file, link)
            language = options.get("language") or None
            about = {"id": new_id(), "profile": seq, "file_id": file_id, "title": title, "language": language}
            about |= {"origin": "transcription", "cue_count": 0, "duration_ms": 0, "created_at": now()}
            connection.insert("all_transcripts", {**about, "folded": folded_words(title, "")})
            forget_redo(connection, seq)
            self._media.link(profile, str(about["id"]), link)
            return self._jobs.add(profile, KIND, source, options, file_id, str(about["id"]))

    def append(self, transcript_id: str, cues: Sequence[Cue], language: str | None) -> None:
        """Append cues to a transcript, whose language is this one if it had none.

        Raises ``NotFound`` where it is gone.
        """
        with self._connections.write() as connection:
            _append_cues(connection, transcript_id, cues, language)


def _find_or_insert(connection: Connection, profile: int, file: NewFile, link: NewLink) -> str:
    query = "SELECT id FROM files WHERE profile = ? AND sha256 = ?"
    if (known := connection.value(query, profile, file.sha256)) is not None:
        connection.update("files", "id", known, {"path": link.path})  # it may have been moved
        return str(known)
    columns = ("name", "kind", "format", "language", "size_bytes", "sha256", "duration_ms")
    about = {name: getattr(file, name) for name in columns}
    about |= {"id": new_id(), "profile": profile, "folded": folded_words(file.name), "created_at": now()}
    connection.insert("files", {**about, "path": link.path})
    return str(about["id"])


def _append_cues(connection: Connection, transcript_id: str, cues: Sequence[Cue], language: str | None) -> None:
    from tui.store.known_words.transcript_words import forget_words

    row = connection.row("SELECT * FROM transcripts WHERE id = ?", transcript_id)
    if row is None:
        raise NotFound("the transcript is gone", code="transcript_not_found")
    seq, first = row["seq"], row["cue_count"]
    known = row["language"] or language
    if not cues and known == row["language"]:
        return
    moved = [replace(cue, index=at) for at, cue in enumerate(cues, first)]
    insert_cues(connection, seq, cue_scope(row["profile"], known), row_texts(moved, first))
    for counts in count_forms((cue.text for cue in cues), known):
        insert_counts(connection, seq, known, counts)
    forget_words(connection, seq)
    changes = {"cue_count": first + len(cues), "language": known}
    changes["duration_ms"] = max(row["duration_ms"] or 0, last_end_ms(cues) or 0)
    connection.update("all_transcripts", "seq", seq, changes)
    if row["language"] is None and known is not None and row["file_id"] is not None:
        connection.execute("UPDATE files SET language = ? WHERE id = ? AND language IS NULL", (known, row["file_id"]))
