"""Counts of transcripts' words against a slow, obvious way to count, and statistics of a profile's words."""

import asyncio
import random
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from tests.importing import corpus
from tests.language.segmenting import needs_segmenter
from tests.service.libraries import Opened
from tests.service.steps import finished, german, read, refusal
from tui.errors import NotFound
from tui.language.cue_sentences import SAMPLE, cuts_sentences, each_sentence
from tui.records.clips import FocusWord, NewClip
from tui.records.settings import ProfileSettings
from tui.records.word_states import WordState
from tui.records.word_stats import DayCount, StateCount, TranscriptShare, WordStats
from tui.records.words import TextWord, WordCounts, WordMark
from tui.service.protocol import Service
from tui.store.known_words.transcript_words import CutTranscript, TranscriptWords

FILM = "Der Zug fährt ab. Er fährt und fährt.\nDer Zug fuhr um 9 Uhr nach\nBerlin.\nWir fahren."
KNOWN: tuple[WordState, ...] = ("known", "ignored")


async def counted_slowly(service: Service, transcript_id: str, known: tuple[WordState, ...] = KNOWN) -> WordCounts:
    """Look at each word of each sentence."""
    transcript = await service.transcripts.get(transcript_id)
    cues = (await service.transcripts.cues(transcript.id, limit=100_000)).items
    words: dict[int, tuple[TextWord, ...]] = {}
    for offset in range(0, len(cues), 1000):
        for each in await service.known_words.of_cues(transcript.id, offset=offset, limit=1000):
            words[each.index] = each.words
    found = each_sentence(cues, transcript.language, cutting=cuts_sentences(cues[:SAMPLE]))
    sentences = [
        [word for part in each.parts for word in words[part.cue] if part.start <= word.start < part.end]
        for each in found
    ]
    running = [word for sentence in sentences for word in sentence]
    assert len(running) == sum(map(len, words.values()))
    one_new = 0
    for sentence in sentences:
        unknown = {(word.lemma.lower(), word.reading): word.state for word in sentence if word.state not in known}
        one_new += list(unknown.values()) == ["new"]
    return WordCounts(
        words=len(running),
        different=len({(word.lemma.lower(), word.reading) for word in running}),
        new=len({(word.lemma.lower(), word.reading) for word in running if word.state == "new"}),
        known=sum(word.state in known for word in running),
        sentences=sum(bool(sentence) for sentence in sentences),
        one_new=one_new,
    )


async def test_words_are_counted_by_transcript_and_a_change_counts_at_once(library: Opened, tmp_path: Path) -> None:
    service = library.service
    film = await german(service, tmp_path, FILM)
    (counts,) = (await service.known_words.counts(film[:8])).values()
    # der Zug fahren ab / er fahren und fahren / der Zug fahren um 9 Uhr nach Berlin / wir fahren
    assert counts == WordCounts(words=18, different=12, new=11, known=1, sentences=4, one_new=0)
    assert counts.share_known == pytest.approx(1 / 18)
    await service.known_words.mark([WordMark("de", lemma) for lemma in ("fahren", "und", "der", "Zug", "nach")])
    assert await service.known_words.counts(film) == {film: WordCounts(18, 12, 6, 12, 4, 3)}
    await service.known_words.mark([WordMark("de", "er", state="learning")])
    # a sentence with a word that is being learned is not one with a new word
    assert await service.known_words.counts(film) == {film: WordCounts(18, 12, 5, 12, 4, 2)}
    await service.settings.save(ProfileSettings(known_states=("learning", "known")))
    assert await service.known_words.counts(film) == {film: WordCounts(18, 12, 5, 12, 4, 2)}
    await service.undo()
    await service.undo()
    await service.settings.save(ProfileSettings())
    assert await service.known_words.counts(film) == {film: counts}
    other = await german(service, tmp_path, FILM * 2, "other")
    assert list(await service.known_words.counts(other, film, other)) == [other, film]
    assert await service.known_words.counts() == {}
    await service.transcripts.delete(other)
    for gone in (other, "nothing"):
        assert isinstance(await refusal(service.known_words.counts(film, gone)), NotFound)


async def test_a_transcript_that_is_edited_or_read_anew_is_counted_anew(service: Service, tmp_path: Path) -> None:
    film = await german(service, tmp_path, "Die Gift.\nIch bin.")
    await service.known_words.mark([WordMark("en", "gift"), WordMark("de", "ich")])
    assert (await service.known_words.counts(film))[film].known == 1
    await service.transcripts.edit(film, language="en")
    counts = (await service.known_words.counts(film))[film]
    assert (counts.known, counts.words) == (1, 4)
    assert counts == await counted_slowly(service, film)
    await service.undo()
    assert (await service.known_words.counts(film))[film] == await counted_slowly(service, film)


async def test_lemmas_that_come_late_are_counted_by(service: Service, tmp_path: Path) -> None:
    film = await german(service, tmp_path, "Er fährt.\nSie fuhr.")
    await service.known_words.page()
    assert (await service.known_words.counts(film))[film].different == 3  # which waits for them
    words = {word.lemma: word.occurrences for word in (await service.known_words.page()).items}
    assert words == {"er": 1, "fahren": 2, "sie": 1}
    assert await service.known_words.mark([WordMark("de", "fahren")]) == 1
    assert (await service.known_words.counts(film))[film].known == 2


@needs_segmenter("ja")
async def test_japanese_is_counted_by_lemmas_and_readings(service: Service, tmp_path: Path) -> None:
    text = "床に座る。\n学校に行く。\n学校に行った。\n月曜日に3人が座った。"
    film = await read(service, tmp_path / "床.ja.srt", text)
    for marks in ([WordMark("ja", "行く")], [WordMark("ja", "床", "ゆか", "learning"), WordMark("ja", "に")]):
        await service.known_words.mark(marks)
        assert (await service.known_words.counts(film))[film] == await counted_slowly(service, film)


@pytest.mark.exhaustive
@pytest.mark.skipif(not corpus.IS_HERE, reason=corpus.REASON)
async def test_the_counts_of_the_corpus_are_those_of_the_slow_way(service: Service) -> None:
    paths = [corpus.CORPUS / name for name in corpus.files("srt", "vtt", "ass", "txt")]
    small = [path for path in paths if path.exists() and path.stat().st_size < 40_000]
    await finished(service, await service.files.add(random.Random(28).sample(small, 20)))
    films = [each.id for each in (await service.transcripts.page(limit=1000)).items]
    assert len(films) > 15
    for number, state in enumerate(("known", "learning", "seen", "ignored")):
        frequent = await service.known_words.page(order="occurrences", states=("new",), limit=600)
        marks = [
            WordMark(word.language, word.lemma, word.reading, state)  # type: ignore[arg-type]  # one of the states
            for at, word in enumerate(frequent.items)
            if at % 4 == number
        ]
        await service.known_words.mark(marks)
    counts = await service.known_words.counts(*films)
    for film in films:
        assert counts[film] == await counted_slowly(service, film), film


async def test_a_text_being_cut_is_waited_for(library: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    service, saved = library.service, list[str]()
    film = await german(service, tmp_path, FILM)
    save = TranscriptWords.save

    def count(table: TranscriptWords, transcript: CutTranscript, *rest: Any, **named: Any) -> None:
        saved.append(transcript.id)
        save(table, transcript, *rest, **named)

    monkeypatch.setattr(TranscriptWords, "save", count)
    first, *others = await asyncio.gather(*(service.known_words.counts(film) for _ in range(5)))
    assert first[film].words == 18
    assert all(counts == first for counts in others)
    assert saved == [film]


async def test_statistics_tell_states_days_and_shares_of_transcripts(library: Opened, tmp_path: Path) -> None:
    service = library.service
    assert await service.known_words.stats() == WordStats((), (), (), ())
    film = await german(service, tmp_path, "Der Zug kommt um 9.")
    other = await service.transcripts.get(await read(service, tmp_path / "b.fr.srt", "Le train.", "fr"))
    today = datetime.now().date().isoformat()
    await service.known_words.mark(
        [WordMark("de", "Zug"), WordMark("fr", "le"), WordMark("de", "der", state="learning"), WordMark("de", "Haus")]
    )
    await service.known_words.mark([WordMark("de", "Anna", state="ignored")])
    await service.clips.add(NewClip("Der Zug kommt.", focus=FocusWord("kommt", lemma="kommen", language="de")))
    await service.clips.add(NewClip("Satz"))
    stats = await service.known_words.stats()
    assert [count for count in stats.states if count.state != "new"] == [
        *(StateCount("de", "seen", 1), StateCount("de", "learning", 1), StateCount("de", "known", 2)),
        *(StateCount("de", "ignored", 2), StateCount("fr", "known", 1)),
    ]
    assert stats.known == (DayCount(today, 3),)
    assert stats.clips == (DayCount(today, 2),)
    assert [(share.transcript_id, share.title, share.language) for share in stats.transcripts] == [
        *((other.id, other.title, "fr"), (film, "zug", "de"))
    ]
    french = await service.known_words.stats("fr-FR")
    assert {count.language for count in french.states} == {"fr"}
    counts = (await service.known_words.counts(other.id))[other.id]
    assert french.transcripts == (TranscriptShare(other.id, other.title, "fr", counts),)
    assert (french.known, french.clips) == ((DayCount(today, 1),), ())
    titled = await read(service, tmp_path / "de.fr.srt", "Le bus.", "fr-CA")
    austrian = await service.known_words.stats("de-AT", transcripts=1)
    assert [share.transcript_id for share in austrian.transcripts] == [film]
    french = await service.known_words.stats("fr")
    assert [share.transcript_id for share in french.transcripts] == [titled, other.id]
    await service.settings.save(ProfileSettings(known_states=("learning", "known", "ignored")))
    assert (await service.known_words.stats("de", transcripts=0)).known == (DayCount(today, 3),)
    assert (await service.known_words.stats(transcripts=0)).transcripts == ()
