"""Vocabulary of a remote library: files and a running Anki are read here, and their words are sent there."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Iterable
from dataclasses import replace

from tui.records.jobs import Job
from tui.records.vocabulary import RunningAnki, VocabularyChoice, VocabularyReport, VocabularyWord
from tui.remote.client import Client
from tui.service.words.vocabulary import ReadVocabulary, VocabularySource, VocabularySources
from tui.text.sanitize import one_line

_PATH = "/profiles/vocabulary"
_PIECE = 256 * 1024
_NAME = "words.csv"
COLUMNS = ("language", "lemma", "word", "reading", "state", "source", "date")
"""Columns of what is sent: a word stands in the one that says whether it is a dictionary form."""


class RemoteVocabulary(VocabularySources):
    def __init__(self, client: Client, anki: RunningAnki) -> None:
        super().__init__(anki)
        self._client = client

    async def preview(self, source: VocabularySource, choice: VocabularyChoice) -> VocabularyReport:
        read = await self._read(source, choice)
        report = await self._client.send(VocabularyReport, f"{_PATH}/preview", _asked(read, choice), _pieces(read))
        never = sum(word.state is None for word in read.words)
        return replace(report, format=read.format, never_shown=never, unread=report.unread + read.skipped)

    async def add(self, source: VocabularySource, choice: VocabularyChoice, *, anew: bool = False) -> Job:
        """Send the words; of a running Anki all, since what was read of it before is not known here."""
        read = await self._read(source, choice)
        job = await self._client.send(Job, _PATH, _asked(read, choice), _pieces(read))
        return replace(job, source="anki" if isinstance(source, RunningAnki) else str(source))


def _asked(read: ReadVocabulary, choice: VocabularyChoice) -> dict[str, str]:
    named = {"name": _NAME, "source": read.source, "encoding": "utf-8"}
    if choice.language:
        named["language"] = choice.language
    return {**named, "sentences": "true"} if choice.sentences else named


def _pieces(read: ReadVocabulary) -> Callable[[], AsyncGenerator[bytes, None]]:
    content = _table(word for word in read.words if word.state is not None)

    async def pieces() -> AsyncGenerator[bytes, None]:
        for start in range(0, len(content), _PIECE):
            yield content[start : start + _PIECE]

    return pieces


def _table(words: Iterable[VocabularyWord]) -> bytes:
    import csv
    import io

    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(COLUMNS)
    for word in words:
        as_lemma, as_word = (word.text, "") if word.is_lemma else ("", one_line(word.text))
        rows.writerow((word.language, as_lemma, as_word, word.reading, word.state, word.said_by, word.said_at))
    return text.getvalue().encode()
