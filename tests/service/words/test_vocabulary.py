"""Words from outside get states in the profile: from lists, Anki's files and a running Anki."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.service.files.test_files import imported
from tests.service.libraries import Opened, both_every_day
from tests.vocabulary.anki_collections import Collection
from tests.vocabulary.fake_anki_connect import running_anki
from tui.errors import ImportRefused, InvalidInput, NotFound, ProviderError
from tui.records.jobs import Job
from tui.records.settings import LearnedLanguage, ProfileSettings
from tui.records.vocabulary import RunningAnki, VocabularyChoice
from tui.records.words import WordMark
from tui.service.protocol import Service

GERMAN = VocabularyChoice(language="de")


def listed(directory: Path, text: str, name: str = "words.txt") -> Path:
    path = directory / name
    path.write_text(text, "utf-8")
    return path


async def done(service: Service, job: Job) -> Job:
    return [change async for change in service.jobs.follow([job.id])][-1]


async def add(service: Service, source: Path | RunningAnki, choice: VocabularyChoice = GERMAN) -> str:
    job = await done(service, await service.vocabulary.add(source, choice))
    assert job.state == "succeeded", job.error
    return job.message


async def states(service: Service, **wanted: str) -> dict[str, str]:
    page = await service.known_words.page(**wanted)  # type: ignore[arg-type]  # the parameters of a page
    return {word.lemma: word.state for word in page.items if word.source}


async def test_the_words_of_a_list_are_known_by_their_dictionary_forms(library: Opened, tmp_path: Path) -> None:
    path = listed(tmp_path, "der Hund\nKatzen\nzu Hause sein\nging\n")
    message = await add(library.service, path)
    assert message == "3 words: 3 known; 3 changed; left out: 1 of several words"
    assert await states(library.service) == {"Hund": "known", "Katze": "known", "gehen": "known"}


async def test_one_undo_takes_an_import_back(library: Opened, tmp_path: Path) -> None:
    await add(library.service, listed(tmp_path, "Hund\n"))
    await add(
        library.service, listed(tmp_path, "Hund\nKatze\nVogel\n"), VocabularyChoice(language="de", state="learning")
    )
    restored = await library.service.undo()
    assert restored is not None
    assert await states(library.service) == {"Hund": "known"}


@both_every_day
async def test_what_was_exported_comes_back_the_same(library: Opened, tmp_path: Path) -> None:
    marks = [
        WordMark("de", "Hund", "", "known"),
        WordMark("de", "der", "", "seen"),
        WordMark("de", "a, b", "", "ignored"),
        WordMark("ja", "床", "ゆか", "learning"),
        WordMark("ja", "床", "とこ", "known"),
    ]
    await library.service.known_words.mark(marks)
    exported = b"".join([piece async for piece in library.service.known_words.stream_export()])
    path = tmp_path / "words.csv"
    path.write_bytes(exported)
    other = library.other_profile
    await add(other, path, VocabularyChoice())
    again = b"".join([piece async for piece in other.known_words.stream_export()])
    assert again == exported, "with who said so, and when"
    assert len(again.splitlines()) == 6


@both_every_day
async def test_cards_of_anki_say_what_is_known_and_what_is_learned(library: Opened, tmp_path: Path) -> None:
    collection = Collection(tmp_path / "collection.anki2")
    collection.known("der Hund", days=30)
    collection.known("laufen", days=3)
    collection.note("neu")
    package = collection.package(tmp_path / "deck.apkg")
    collection.close()
    message = await add(library.service, package)
    # What was never shown is not sent to a server.
    left_out = "; left out: 1 never shown" if library.service.location == "local" else ""
    assert message == f"2 words: 1 known, 1 learning; 2 changed{left_out}"
    assert await states(library.service) == {"Hund": "known", "laufen": "learning"}
    (word, _) = (await library.service.known_words.page(states=("known", "learning"))).items
    assert word.source == "anki"


@both_every_day
async def test_a_look_at_a_package_says_what_would_be_and_changes_nothing(library: Opened, tmp_path: Path) -> None:
    collection = Collection(tmp_path / "collection.anki2")
    collection.known("der Hund")
    collection.known("to be or not to be")
    collection.known("[sound:x.mp3]")
    collection.note("neu")
    path = collection.close()
    await library.service.known_words.mark([WordMark("de", "Hund", "", "known")])
    report = await library.service.vocabulary.preview(path, GERMAN)
    assert (report.format, report.words, report.changed, report.unchanged) == ("anki", 1, 0, 1)
    assert (report.never_shown, report.phrases, report.unread) == (1, 1, 1)
    assert report.samples == (WordMark("de", "Hund", "", "known"),)
    assert await states(library.service) == {"Hund": "known"}
    offer = await library.service.vocabulary.offer(path)
    assert offer.note_types[0].word_field == "Front"


@pytest.mark.exhaustive
@both_every_day
async def test_a_running_anki_leaves_alone_what_was_said_by_hand(library: Opened, tmp_path: Path) -> None:
    service = library.service
    with running_anki(tmp_path / "collection.anki2") as anki:

        def fill(collection: Collection) -> None:
            for word in ("Hund", "Katze", "Vogel", "Fisch", "Maus"):
                collection.known(word, days=5)

        anki.do(fill)
        by_hand = {"Hund": "known", "Katze": "ignored", "Vogel": "new", "Fisch": "seen"}
        await service.known_words.mark([WordMark("de", lemma, "", state) for lemma, state in by_hand.items()])  # type: ignore[arg-type]  # states
        message = await add(service, RunningAnki(anki.address))
        assert "2 changed, 3 kept as marked by hand" in message
        after = {"Hund": "known", "Katze": "ignored", "Fisch": "learning", "Maus": "learning"}  # and Vogel is new
        assert {word.lemma: word.state for word in (await service.known_words.page()).items} == after


async def test_a_running_anki_is_kept_in_step_and_lowers_only_what_was_its_own(library: Opened, tmp_path: Path) -> None:
    service = library.service
    with running_anki(tmp_path / "collection.anki2") as anki:

        def fill(collection: Collection) -> None:
            for number in range(20):
                collection.known(f"Wort{number}")
            collection.col.db.execute("update cards set mod = mod - 1000000")
            collection.col.db.execute("update notes set mod = mod - 1000000")

        def forget(collection: Collection) -> None:
            (card,) = collection.col.find_cards("Front:Wort7")
            collection.set_card(collection.col.get_card(card), type=3, queue=1, ivl=1)

        anki.do(fill)
        assert (await add(service, RunningAnki(anki.address))).startswith("20 words: 20 known; 20 changed")
        assert (await add(service, RunningAnki(anki.address))).startswith("0 words")
        anki.do(forget)
        assert await add(service, RunningAnki(anki.address)) == "1 word: 1 learning; 1 changed"
        assert (await states(service))["Wort7"] == "learning"
        await service.undo()
        job = await service.vocabulary.add(RunningAnki(anki.address), GERMAN, anew=True)
        assert (await done(service, job)).message.startswith("20 words")
        assert (await states(service))["Wort7"] == "learning"


async def test_readings_that_are_known_differently_are_told_apart(library: Opened, tmp_path: Path) -> None:
    path = listed(tmp_path, "word,reading,state\n床,ゆか,known\n床,とこ,learning\n猫,ねこ,known\n", "ja.csv")
    await add(library.service, path, VocabularyChoice(language="ja"))
    words = (await library.service.known_words.page()).items
    assert {(word.lemma, word.reading, word.state) for word in words} == {
        ("床", "", "known"),
        ("床", "ゆか", "known"),
        ("床", "とこ", "learning"),
        ("猫", "", "known"),
    }


async def test_a_reading_that_has_its_state_already_keeps_it_when_its_word_gets_another(
    library: Opened, tmp_path: Path
) -> None:
    path = listed(tmp_path, "word,reading,state\n床,ゆか,known\n床,とこ,learning\n", "ja.csv")
    await add(library.service, path, VocabularyChoice(language="ja"))
    before = (await library.service.known_words.page()).items
    await library.service.known_words.mark([WordMark("ja", "床", "", "learning")])
    await add(library.service, path, VocabularyChoice(language="ja"))
    after = (await library.service.known_words.page()).items
    assert [(word.reading, word.state) for word in after] == [(word.reading, word.state) for word in before]


async def test_anki_leaves_alone_a_reading_that_was_ignored_by_hand(library: Opened, tmp_path: Path) -> None:
    collection = Collection(tmp_path / "collection.anki2")
    collection.known("床[ゆか]")
    package = collection.package(tmp_path / "deck.apkg")
    collection.close()
    by_hand = [WordMark("ja", "床", "ゆか", "ignored"), WordMark("ja", "床", "とこ", "learning")]
    await library.service.known_words.mark(by_hand)
    await add(library.service, package, VocabularyChoice(language="ja"))
    words = (await library.service.known_words.page()).items
    assert {word.reading: word.state for word in words} == {"": "known", "ゆか": "ignored", "とこ": "known"}
    undone = await library.service.undo()
    assert undone is not None
    assert (undone.count, undone.summary) == (2, "2 words")


async def test_a_lemma_that_is_longer_than_any_word_is_left_out(library: Opened, tmp_path: Path) -> None:
    path = listed(tmp_path, f"lemma,reading,state\nHund,{'x' * 201},known\n{'y' * 201},,known\n", "words.csv")
    assert await add(library.service, path) == "1 word: 1 known; 1 changed; left out: 1 without a word"
    (word,) = (await library.service.known_words.page()).items
    assert (word.lemma, word.reading) == ("Hund", "")


async def test_every_word_of_sentences_counts(library: Opened, tmp_path: Path) -> None:
    path = listed(tmp_path, "Der Hund bellt.\nDie Katze schläft.\n")
    await add(library.service, path, VocabularyChoice(language="de", sentences=True))
    assert {"Hund", "bellen", "Katze", "schlafen"} <= set(await states(library.service))


async def test_the_first_of_a_frequency_list_are_known(library: Opened, tmp_path: Path) -> None:
    path = listed(tmp_path, "ich 300\nund 200\nHund 100\n")
    await add(library.service, path, VocabularyChoice(language="de", first=2))
    assert set(await states(library.service)) == {"ich", "und"}


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("learned", "text", "language"),
    [
        (("de",), "Hund\nKatze\nVogel", "de"),
        (("de", "ja"), "猫\n犬\n鳥", "ja"),
        (("de", "es"), "Hund\nKatze\nVogel", ""),
        ((), "Hund\nKatze\nVogel", ""),
        (("de",), "犬\n猫", ""),
        (("de", "ru"), "собака\nкошка", "ru"),
    ],
)
async def test_the_language_is_told_by_what_is_learned_and_asked_for_where_that_leaves_a_doubt(
    library: Opened, tmp_path: Path, learned: tuple[str, ...], text: str, language: str
) -> None:
    service = library.service
    await service.settings.save(ProfileSettings("en", tuple(LearnedLanguage(tag) for tag in learned)))
    path = listed(tmp_path, text)
    if language:
        await add(service, path, VocabularyChoice())
        assert {word.language for word in (await service.known_words.page()).items} == {language}
    else:
        with pytest.raises(InvalidInput) as told:
            await service.vocabulary.preview(path, VocabularyChoice())
        assert (told.value.code, told.value.field) == ("language_needed", "language")
        job = await done(service, await service.vocabulary.add(path, VocabularyChoice()))
        assert job.state == "failed"


@both_every_day
async def test_what_has_no_words_is_refused_and_nothing_is_marked(library: Opened, tmp_path: Path) -> None:
    path = tmp_path / "picture.png"
    path.write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
    with pytest.raises(ImportRefused):
        await library.service.vocabulary.preview(path, GERMAN)
    try:
        job = await done(library.service, await library.service.vocabulary.add(path, GERMAN))
    except ImportRefused:  # a client reads it before it sends anything
        assert library.service.location != "local"
    else:
        assert job.state == "failed"
    assert (await library.service.known_words.page()).total == 0


async def test_a_word_is_shown_in_a_running_anki(library: Opened, tmp_path: Path) -> None:
    with running_anki(tmp_path / "collection.anki2") as anki:
        anki.do(lambda collection: collection.known("der Zug"))
        where = RunningAnki(anki.address)
        assert await library.service.vocabulary.show_in_anki("Zug\n", where) == 1
        assert anki.browsed == ['"w:Zug"']
        with pytest.raises(NotFound):
            await library.service.vocabulary.show_in_anki("Haus", where)
        with pytest.raises(InvalidInput):
            await library.service.vocabulary.show_in_anki(" ", where)
    with pytest.raises(ProviderError) as told:
        await library.service.vocabulary.show_in_anki("Zug", RunningAnki("http://127.0.0.1:9"))
    assert told.value.code == "unreachable"


async def test_an_anki_that_does_not_run_is_told(library: Opened) -> None:
    with pytest.raises(ProviderError) as told:
        await library.service.vocabulary.preview(RunningAnki("http://127.0.0.1:9"), GERMAN)
    assert told.value.code == "unreachable"


@pytest.mark.parametrize(
    "choice", [VocabularyChoice(known_days=0), VocabularyChoice(first=0), VocabularyChoice(language="no tag")]
)
async def test_a_choice_that_means_nothing_is_refused(
    library: Opened, tmp_path: Path, choice: VocabularyChoice
) -> None:
    with pytest.raises(InvalidInput):
        await library.service.vocabulary.preview(listed(tmp_path, "Hund\n"), choice)


async def test_an_import_that_is_cancelled_marks_nothing(library: Opened, tmp_path: Path) -> None:
    path = listed(tmp_path, "".join(f"Wort{number}\n" for number in range(60_000)))
    service = library.service
    job = await service.vocabulary.add(path, GERMAN)
    (cancelled,) = await service.jobs.cancel(job.id)
    assert cancelled.state in ("cancelled", "interrupted")
    assert (await service.known_words.page()).total == 0


async def test_words_of_the_library_that_are_marked_are_those_of_its_texts(library: Opened, tmp_path: Path) -> None:
    srt = "1\n00:00:01,000 --> 00:00:02,000\nDer Hund bellt laut.\n"
    await imported(library.service, tmp_path / "story.de.srt", srt)
    await add(library.service, listed(tmp_path, "bellen\nder Hund\n"))
    (transcript,) = (await library.service.transcripts.page()).items
    (cue,) = await library.service.known_words.of_cues(transcript.id)
    assert {word.lemma: word.state for word in cue.words} == {
        "der": "new",
        "Hund": "known",
        "bellen": "known",
        "laut": "new",
    }
