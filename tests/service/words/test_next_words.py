"""Words to learn next with their sentences and clips, and the frequent words of a language."""

from contextlib import closing
from pathlib import Path

import pytest

from tests.language.segmenting import needs_segmenter
from tests.service.libraries import Opened
from tests.service.steps import german, read, refusal, states, undone
from tui.errors import InvalidInput, NotFound
from tui.records.dictionaries import DictionaryInfo, FrequencyMode, TermFrequency
from tui.records.settings import LearnedLanguage, ProfileSettings
from tui.records.words import FrequencyMark, TextPlace, WordMark, WordPlace
from tui.service.protocol import Service
from tui.store.dictionaries.dictionary_store import DictionaryStore

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
    assert isinstance(await refusal(service.known_words.next_new("nothing", 0, 0)), NotFound)


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
    [("es", "Ayer dijimos algo.", "decir ayer"), ("it", "Dirgli qualcosa.\nDissero qualcosa.", "dire dirgli")],
)
async def test_a_form_of_a_known_word_is_known_in_every_count_and_leaves_one_new_word(
    library: Opened, tmp_path: Path, language: str, text: str, known: str
) -> None:
    service = library.service
    film = await read(service, tmp_path / "film.srt", text, language)
    await library.engine.word_forms.prepare(language)
    await service.known_words.mark([WordMark(language, lemma) for lemma in known.split()])
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
    found = await service.known_words.next_words(transcript_id=film)
    knarren = next(word for word in found if word.surface == "knarrt")
    assert (knarren.sentence, knarren.new_words) == ("Wer knarrt?", 1)
    everywhere = await service.known_words.next_words(limit=1)
    assert [word.word.lemma for word in everywhere] == ["Koffer"]
    other = await service.known_words.next_words(q="other")
    assert {word.title for word in other} == {"other"}
    assert {word.word.lemma for word in other} == {"Koffer", "sein", "weg"}
    assert await service.known_words.next_words(language="fr") == ()
    assert await service.known_words.next_words(q="nowhere") == ()
    assert await service.known_words.next_words(limit=0) == ()


async def test_words_are_those_of_learned_languages_unless_others_are_named(service: Service, tmp_path: Path) -> None:
    await german(service, tmp_path, FILM)
    for name, language, text in (("loro", "es", "El loro habla."), ("peixe", "pt", "O peixe nada.")):
        other = await read(service, tmp_path / f"{name}.srt", text, language)

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


async def test_a_word_is_found_however_its_language_writes_small_letters(service: Service, tmp_path: Path) -> None:
    film = await read(service, tmp_path / "film.srt", "Işık geldi.", "tr")
    await service.known_words.mark([WordMark("tr", "Işık", state="new")])
    words = await service.known_words.next_words(transcript_id=film)
    assert "Işık" in {word.word.lemma for word in words}


async def test_a_clip_is_made_of_each_and_one_undo_removes_them(service: Service, tmp_path: Path) -> None:
    film = await german(service, tmp_path, FILM)
    await know(service, "der")
    for wrong in (TextPlace(film, 99, 0, 3), TextPlace(film, 0, 3, 4), TextPlace(film, 0, 500, 600)):
        assert (await refusal(service.known_words.clip_words([TextPlace(film, 0, 0, 3), wrong]))).code == "no_word"
    assert isinstance(await refusal(service.known_words.clip_words([TextPlace("nothing", 0, 0, 3)])), NotFound)
    assert (await service.clips.page()).total == 0, "of a place without a word, and of the others none either"
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
    restored = await undone(service)
    assert (restored.count, restored.summary) == (5, "how it was before 5 clips were made")
    assert (await service.clips.page()).total == 0
    assert "seen" not in (await states(service, film)).values()
    assert await service.known_words.next_words(transcript_id=film, limit=5) == words


@needs_segmenter("ja")
async def test_clips_of_japanese_sentences_have_their_readings(service: Service, tmp_path: Path) -> None:
    film = await read(service, tmp_path / "film.ja.srt", "昨日行った。")
    (clip, *_) = await service.known_words.clip_words([TextPlace(film, 0, 0, 2)])
    assert clip.sentence_reading == "昨日[きのう] 行[い]った。"


TRAINS = "Der Koffer kommt.\nDer Zug kommt.\nDer Zug hält.\n9 9 9 9 9"


def add_frequencies(
    directory: Path,
    *terms: tuple[str, int | None],
    mode: FrequencyMode = "occurrence-based",
    language: str | None = "de",
    title: str = "Frequent German",
) -> None:
    with closing(DictionaryStore.open(directory)) as store:
        info = DictionaryInfo(title, "yomitan", source_language=language, frequency_mode=mode)
        store.add(info, [TermFrequency(term, "", value, str(value)) for term, value in terms])


async def test_words_have_the_ranks_of_a_dictionary_and_lose_them_with_it(library: Opened, tmp_path: Path) -> None:
    service = library.service
    await german(service, tmp_path, TRAINS)
    await library.engine.word_forms.prepare("de")
    add_frequencies(library.engine.database.directory, ("Koffer", 5), ("der", 900), ("Zug", 70), ("x", None))
    words = (await service.known_words.page(order="rank", language="de")).items
    assert [(word.lemma, word.rank) for word in words[:4]] == [*(("der", 1), ("Zug", 2), ("Koffer", 3), ("9", None))]
    next_words = await service.known_words.next_words(language="de")
    assert next_words[0].word.rank == 1
    # „kommen“ and „Zug“ occur as often; what is in no frequency dictionary counts for less
    lemmas = [word.word.lemma for word in next_words]
    assert lemmas.index("Zug") < lemmas.index("kommen")
    with closing(DictionaryStore.open(library.engine.database.directory)) as store:
        store.delete("Frequent German")
    assert {word.rank for word in (await service.known_words.page(order="rank")).items} == {None}


async def test_the_first_words_of_a_dictionary_are_marked_by_their_lemmas(library: Opened, tmp_path: Path) -> None:
    service = library.service
    film = await german(service, tmp_path, TRAINS)
    directory = library.engine.database.directory
    terms = (("kommt", 2), ("kam", 3), ("9", 1), ("Koffer", 5), ("Zug", 4), ("hält", 6))
    add_frequencies(directory, *terms, mode="rank-based", language=None)
    await service.known_words.mark([WordMark("de", "Zug", state="learning")])
    marked = await service.known_words.mark_frequent("de-DE", 3)
    assert marked == FrequencyMark(2, 3, "Frequent German")
    now = await states(service, film)
    assert (now["kommen"], now["koffer"], now["zug"], now["halten"]) == ("known", "known", "learning", "new")
    assert (await undone(service)).count == 2


async def test_without_a_dictionary_the_own_counts_say_what_is_frequent(library: Opened, tmp_path: Path) -> None:
    service = library.service
    film = await german(service, tmp_path, TRAINS)
    await library.engine.word_forms.prepare("de")
    add_frequencies(library.engine.database.directory, ("車", 5), ("駅", 900), language=None)
    marked = await service.known_words.mark_frequent("de", 2, "ignored")
    assert marked == FrequencyMark(2, 2, "")
    now = await states(service, film)
    assert {lemma for lemma in now if now[lemma] == "ignored"} == {"der", "kommen", "9"}
    page = await service.known_words.page(states=("ignored",))
    assert {word.source for word in page.items if word.lemma != "9"} == {"frequency"}


async def test_what_cannot_be_marked_by_frequency_is_refused(service: Service) -> None:
    for language, count, field in (
        ("de", 5, "language"),
        ("", 5, "language"),
        ("de", 0, "count"),
        ("de", 9**9, "count"),
    ):
        assert (await refusal(service.known_words.mark_frequent(language, count))).field == field


async def test_what_a_mark_would_do_is_told_before_it_is_done(library: Opened, tmp_path: Path) -> None:
    service = library.service
    await german(service, tmp_path, TRAINS)
    add_frequencies(library.engine.database.directory, *((f"wort{n}", n) for n in range(1, 1500)), mode="rank-based")
    await service.known_words.mark([WordMark("de", "wort3"), WordMark("de", "wort4", state="learning")])
    offer = await service.known_words.frequent("de", level="b1")
    assert (offer.count, offer.changed, offer.dictionary) == (1300, 1298, "Frequent German")
    assert offer.rarest[-1] == "wort1300"
    marked = await service.known_words.mark_frequent("de", offer.count)
    assert marked == FrequencyMark(1298, 1300, "Frequent German")
    assert (await service.known_words.frequent("de", count=1300)).changed == 0
    await service.undo()
    assert await service.known_words.frequent("de", level="B1") == offer
    assert (await service.known_words.frequent("de", level="A1")).count == 0
    for wrong in ({"level": "N4"}, {"count": 0}):
        assert isinstance(await refusal(service.known_words.frequent("de", **wrong)), InvalidInput)


async def test_a_few_texts_tell_only_the_commonest_words_below_a_level(library: Opened, tmp_path: Path) -> None:
    service = library.service
    words = [f"wort{chr(97 + number // 26)}{chr(97 + number % 26)}" for number in range(99)]
    await german(service, tmp_path, " ".join(["und"] * 20 + words))
    offer = await service.known_words.frequent("de", level="B1")
    assert (offer.count, offer.changed, offer.dictionary, offer.rarest[0]) == (10, 10, "", "wortad")
    assert (await service.known_words.frequent("de", count=50)).count == 50
