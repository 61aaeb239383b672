"""Vocabulary of a remote library: files and a running Anki are read here, and their words are sent there."""

from __future__ import annotations

from dataclasses import replace

from tui.records.jobs import Job
from tui.records.vocabulary import RunningAnki, VocabularyChoice, VocabularyReport
from tui.remote.client import Client
from tui.remote.encoding import Upload
from tui.remote.operations import RemotePart
from tui.remote.uploads import content_upload
from tui.service.protocol.words import Vocabulary
from tui.service.words.vocabulary import ReadVocabulary, VocabularySource, VocabularySources
from tui.text.sanitize import one_line

_NAME = "words.csv"
COLUMNS = ("language", "lemma", "word", "reading", "state", "source", "date")
"""Columns of what is sent: a word stands in the one that says whether it is a dictionary form."""


class RemoteVocabulary(VocabularySources, RemotePart, Vocabulary):
    """Vocabulary of a remote library: words that were read here."""

    def __init__(self, client: Client, anki: RunningAnki) -> None:
        RemotePart.__init__(self, client)
        VocabularySources.__init__(self, anki)

    async def preview(self, source: VocabularySource, choice: VocabularyChoice) -> VocabularyReport:
        read = await self._read(source, choice)
        report = await self.preview_upload(_NAME, *_sent(read, choice), source=read.source)
        never = sum(word.state is None for word in read.words)
        return replace(report, format=read.format, never_shown=never, unread=report.unread + read.skipped)

    async def add(self, source: VocabularySource, choice: VocabularyChoice, *, anew: bool = False) -> Job:
        """Send the words; of a running Anki all, since what was read of it before is not known here."""
        read = await self._read(source, choice)
        job = await self.add_upload(_NAME, *_sent(read, choice), source=read.source)
        return replace(job, source="anki" if isinstance(source, RunningAnki) else str(source))


def _sent(read: ReadVocabulary, choice: VocabularyChoice) -> tuple[Upload, VocabularyChoice]:
    """The words as a table, and what of the choice the server needs: they have been read by all of it here."""
    import csv
    import io

    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(COLUMNS)
    for word in read.words:
        if word.state is not None:
            as_lemma, as_word = (word.text, "") if word.is_lemma else ("", one_line(word.text))
            rows.writerow((word.language, as_lemma, as_word, word.reading, word.state, word.said_by, word.said_at))
    needed = VocabularyChoice(language=choice.language, sentences=choice.sentences, encoding="utf-8")
    return content_upload(text.getvalue().encode()), needed
