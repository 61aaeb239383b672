"""Words to learn next, their sentences and places, and clips of them, on this machine and over HTTP."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.language.segmenting import needs_segmenter
from tests.service.libraries import Opened
from tests.service.words.test_known_words import german, states
from tests.service.words.test_summaries import read
from tui.errors import InvalidInput, NotFound
from tui.records.settings import LearnedLanguage, ProfileSettings
from tui.records.words import TextPlace, WordMark, WordPlace
from tui.service.protocol import Service

FILM = (
    "Der Zug fährt ab. Er fährt und\nfährt immer weiter durch das Land.\nDer Hund bellt.\nDer Hund schläft.\n"
    "Wir fahren im Zug mit dem Hund und dem Koffer, und der Hund bellt, weil der Koffer knarrt.\nWer knarrt?"
)


async def know(service: Service, *lemmas: str) -> None:
    await service.known_words.mark([WordMark("de", lemma) for lemma in lemmas])


async def test_the_next_new_word_is_the_first_behind_the_place(library: Opened, tmp_path: Path) -> None:
    service = library.service
    film = await german(service, tmp_path, FILM)
    await library.engine.word_forms.prepare("de")
    await know(service, "der", "Zug", "fahren", "er", "und", "immer", "Hund")
    places, place = [], WordPlace(0, -1, 0)
    while (found := await service.known_words.next_new(film, place.cue, place.start)) is not None:
        places.append(place := found)
    listed = [
        WordPlace(cue.index, word.start, word.end)
        for cue in await service.known_words.of_cues(film)
        for word in cue.words
        if word.state == "new"
    ]
    assert places == listed
    assert places[:2] == [WordPlace(0, 14, 16), WordPlace(1, 12, 18)]
    assert await service.known_words.next_new(film, 99, 0) is None
    assert await service.known_words.next_new(film[:8], 0, 14) == places[1]
    with pytest.raises(NotFound):
        await service.known_words.next_new("nothing", 0, 0)


async def test_the_next_sentence_with_one_new_word_is_found_with_that_word(service: Service, tmp_path: Path) -> None:
    film = await german(service, tmp_path, FILM)
    assert await service.known_words.next_one_new(film, -1) is None
    await know(service, "der", "Zug", "fahren", "er", "und", "immer", "weit", "weiter", "durch", "das", "Hund", "wer")
    # „ab“ is the one new word of the first sentence, „Land“ of the second, which ends in the next cue
    found, place = [], WordPlace(-1, -1, 0)
    while (following := await service.known_words.next_one_new(film, place.cue)) is not None:
        found.append(place := following)
    assert [each.cue for each in found] == [0, 1, 2, 3, 5]
    text = (await service.transcripts.cues(film)).items[1].text
    assert text[found[1].start : found[1].end] == "Land"
    assert await service.known_words.next_one_new(film, 0, 0) == found[0]
    assert await service.known_words.next_one_new(film, 0, found[0].start) == found[1]


@pytest.mark.parametrize(
    ("language", "text", "known"),
    [
        ("es", "Ayer dijimos algo.", ("decir", "ayer")),
        ("it", "Dirgli qualcosa.\nDissero qualcosa.", ("dire", "dirgli")),
    ],
)
async def test_a_form_of_a_known_word_is_known_in_every_count_and_leaves_one_new_word(
    library: Opened, tmp_path: Path, language: str, text: str, known: tuple[str, ...]
) -> None:
    service = library.service
    film = (await service.transcripts.edit(await read(service, tmp_path / "film.srt", text), language=language)).id
    await library.engine.word_forms.prepare(language)
    await service.known_words.mark([WordMark(language, lemma) for lemma in known])
    states = {word.lemma: word.state for cue in await service.known_words.of_cues(film) for word in cue.words}
    (new,) = (lemma for lemma, state in states.items() if state == "new")
    counts = (await service.known_words.counts(film))[film]
    lines = text.count("\n") + 1
    assert (counts.new, counts.one_new, counts.known) == (1, lines, counts.words - lines)
    assert await service.known_words.next_one_new(film, -1) is not None
    words = await service.known_words.next_words(transcript_id=film)
    assert [(word.word.lemma, word.new_words) for word in words] == [(new, 1)]
    stats = await service.known_words.stats(language)
    assert [share.counts for share in stats.transcripts] == [counts]


async def test_the_most_useful_words_come_first_each_with_its_best_sentence(library: Opened, tmp_path: Path) -> None:
    service = library.service
    film = await german(service, tmp_path, FILM)
    await german(service, tmp_path, "Der Koffer ist weg.\nDer Koffer!", "other")
    await library.engine.word_forms.prepare("de")
    await know(service, "der", "Zug", "fahren", "er", "und", "wer")
    words = await service.known_words.next_words(transcript_id=film, limit=3)
    assert [(word.word.lemma, word.word.occurrences, word.word.transcripts) for word in words] == [
        *(("Koffer", 4, 2), ("Hund", 4, 1), ("bellen", 2, 1))
    ]
    hund = words[1]
    assert (hund.sentence, hund.surface, hund.new_words) == ("Der Hund bellt.", "Hund", 2)
    assert (hund.transcript_id, hund.title, hund.cue, hund.start, hund.end) == (film, "zug", 2, 4, 8)
    assert (hund.start_ms, hund.end_ms) == (2000, 2900)
    await know(service, "Hund")
    knarren = next(
        word for word in await service.known_words.next_words(transcript_id=film) if word.surface == "knarrt"
    )
    assert (knarren.sentence, knarren.new_words) == ("Wer knarrt?", 1)
    everywhere = await service.known_words.next_words(limit=1)
    assert [word.word.lemma for word in everywhere] == ["Koffer"]
    other = await service.known_words.next_words(q="other")
    assert {word.title for word in other} == {"other"}
    assert {word.word.lemma for word in other} == {"Koffer", "sein", "weg"}
    assert await service.known_words.next_words(language="fr") == ()
    assert await service.known_words.next_words(q="nowhere") == ()
    assert await service.known_words.next_words(limit=0) == ()


async def test_words_are_those_of_the_languages_that_are_learned_unless_others_are_named(
    service: Service, tmp_path: Path
) -> None:
    await german(service, tmp_path, FILM)
    for name, language, text in (("loro", "es", "El loro habla."), ("peixe", "pt", "O peixe nada.")):
        other = await read(service, tmp_path / f"{name}.srt", text)
        await service.transcripts.edit(other, language=language)

    async def languages(transcript_id: str = "", q: str = "", language: str | None = None) -> set[str]:
        words = await service.known_words.next_words(transcript_id=transcript_id, q=q, language=language)
        return {each.word.language for each in words}

    assert await languages() == {"de", "es", "pt"}
    await service.settings.save(ProfileSettings(learning=(LearnedLanguage("de", "B1"), LearnedLanguage("pt-BR"))))
    assert await languages() == {"de", "pt"}
    assert await languages(q="loro") == set()
    assert await languages(language="es") == {"es"}
    assert await languages(transcript_id=other) == {"pt"}
    await service.settings.save(ProfileSettings(learning=(LearnedLanguage("ja", "N4"),)))
    assert await languages() == set()
    assert await languages(transcript_id=other) == {"pt"}


async def test_a_word_is_found_in_its_sentence_however_its_language_writes_small_letters(
    service: Service, tmp_path: Path
) -> None:
    transcript = await read(service, tmp_path / "film.srt", "Işık geldi.")
    film = await service.transcripts.edit(transcript, language="tr")
    await service.known_words.mark([WordMark("tr", "Işık", state="new")])
    words = await service.known_words.next_words(transcript_id=film.id)
    assert "Işık" in {word.word.lemma for word in words}


async def test_a_clip_is_made_of_each_and_one_undo_removes_them(service: Service, tmp_path: Path) -> None:
    film = await german(service, tmp_path, FILM)
    await know(service, "der")
    words = await service.known_words.next_words(transcript_id=film, limit=5)
    clips = await service.known_words.clip_words([word.place for word in words])
    assert [clip.sentence for clip in clips] == [word.sentence for word in words]
    assert [clip.focus.surface for clip in clips if clip.focus is not None] == [word.surface for word in words]
    assert all(clip.transcript_id == film and clip.source == "zug" for clip in clips)
    assert [(clip.cue_index, clip.start_ms) for clip in clips] == [(word.cue, word.start_ms) for word in words]
    assert (await service.clips.page()).total == 5
    assert list((await states(service, film)).values()).count("seen") >= 5
    again = await service.known_words.next_words(transcript_id=film, limit=5)
    assert not {word.word.lemma for word in again} & {word.word.lemma for word in words}
    undone = await service.undo()
    assert undone is not None
    assert (undone.count, undone.summary) == (5, "how it was before 5 clips were made")
    assert (await service.clips.page()).total == 0
    assert "seen" not in (await states(service, film)).values()
    assert await service.known_words.next_words(transcript_id=film, limit=5) == words


@needs_segmenter("ja")
async def test_clips_of_japanese_sentences_have_their_readings(service: Service, tmp_path: Path) -> None:
    film = await read(service, tmp_path / "film.ja.srt", "昨日行った。")
    (clip, *_) = await service.known_words.clip_words([TextPlace(film, 0, 0, 2)])
    assert clip.sentence_reading == "昨日[きのう] 行[い]った。"


async def test_of_a_place_without_a_word_no_clip_is_made_and_of_the_others_none_either(
    service: Service, tmp_path: Path
) -> None:
    film = await german(service, tmp_path, FILM)
    for wrong in (TextPlace(film, 99, 0, 3), TextPlace(film, 0, 3, 4), TextPlace(film, 0, 500, 600)):
        with pytest.raises(InvalidInput) as refused:
            await service.known_words.clip_words([TextPlace(film, 0, 0, 3), wrong])
        assert refused.value.code == "no_word"
    with pytest.raises(NotFound):
        await service.known_words.clip_words([TextPlace("nothing", 0, 0, 3)])
    assert (await service.clips.page()).total == 0
    assert await service.known_words.clip_words([]) == ()
