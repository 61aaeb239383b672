"""Counts of transcripts' words against a slow, obvious way to count, on this machine and over HTTP."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.importing import corpus
from tests.language.segmenting import needs_segmenter
from tests.service.files.test_files import finished
from tests.service.libraries import Opened
from tests.service.words.test_known_words import german
from tests.service.words.test_summaries import read
from tui.errors import InvalidInput, NotFound
from tui.language.cue_sentences import SAMPLE, SentenceForms, cuts_sentences, each_sentence
from tui.records.settings import ProfileSettings
from tui.records.word_states import WordState
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


async def test_counts_are_those_of_the_transcripts_that_are_asked_for(service: Service, tmp_path: Path) -> None:
    films = [await german(service, tmp_path, FILM * count, f"film{count}") for count in (1, 2)]
    assert list(await service.known_words.counts(*films, films[0])) == films
    assert await service.known_words.counts() == {}
    with pytest.raises(NotFound):
        await service.known_words.counts(films[0], "nothing")
    await service.transcripts.delete(films[0])
    with pytest.raises(NotFound):
        await service.known_words.counts(films[0])


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


async def test_lemmas_that_come_late_are_counted_by(library: Opened, tmp_path: Path) -> None:
    service = library.service
    film = await german(service, tmp_path, "Er fährt.\nSie fuhr.")
    assert (await service.known_words.counts(film))[film].different == 3
    assert await service.known_words.mark([WordMark("de", "fahren")]) == 1
    assert (await service.known_words.counts(film))[film].known == 2


@pytest.mark.parametrize("wrong", ["new", "nonsense", "\x1b[31m"])
async def test_what_cannot_count_as_known_is_refused(service: Service, wrong: WordState) -> None:
    with pytest.raises(InvalidInput):
        await service.settings.save(ProfileSettings(known_states=("known", wrong)))
    assert (await service.settings.get()).known_states == KNOWN


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
    await finished(service, await service.files.add([path for path in paths if path.exists()]))
    films = [each.id for each in (await service.transcripts.page(limit=1000)).items if each.cue_count < 3000]
    assert len(films) > 20
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


async def test_who_counts_a_text_that_is_being_cut_waits_for_it(
    library: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    service, saved = library.service, list[str]()
    film = await german(service, tmp_path, FILM)
    save = TranscriptWords.save

    def count(table: TranscriptWords, transcript: CutTranscript, forms: SentenceForms, *, has_lemmas: bool) -> None:
        saved.append(transcript.id)
        save(table, transcript, forms, has_lemmas=has_lemmas)

    monkeypatch.setattr(TranscriptWords, "save", count)
    first, *others = await asyncio.gather(*(service.known_words.counts(film) for _ in range(5)))
    assert first[film].words == 18
    assert all(counts == first for counts in others)
    assert saved == [film]
