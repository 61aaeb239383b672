"""Words from outside get states in the profile: from lists, Anki's files and a running Anki."""

from pathlib import Path

import pytest

from tests.service.libraries import Opened, near_and_far
from tests.service.steps import ended, imported, refusal, undone
from tests.vocabulary.anki_collections import Collection
from tests.vocabulary.fake_anki_connect import running_anki
from tui.errors import ImportRefused, InvalidInput, NotFound
from tui.records.settings import LearnedLanguage, ProfileSettings
from tui.records.vocabulary import RunningAnki, VocabularyChoice
from tui.records.words import WordMark
from tui.service.protocol import Service

GERMAN, JAPANESE = VocabularyChoice(language="de"), VocabularyChoice(language="ja")
READINGS = "word,reading,state\n床,ゆか,known\n床,とこ,learning\n"


def listed(directory: Path, text: str, name: str = "words.txt") -> Path:
    path = directory / name
    path.write_text(text, "utf-8")
    return path


async def add(service: Service, source: Path | RunningAnki, choice: VocabularyChoice = GERMAN) -> str:
    job = await ended(service, await service.vocabulary.add(source, choice))
    assert job.state == "succeeded", job.error
    return job.message


async def states(service: Service) -> dict[str, str]:
    return {word.lemma: word.state for word in (await service.known_words.page()).items if word.source}


async def readings(service: Service) -> dict[str, str]:
    return {word.reading: word.state for word in (await service.known_words.page()).items}


async def test_words_of_a_list_are_known_by_dictionary_forms_until_undone(service: Service, tmp_path: Path) -> None:
    message = await add(service, listed(tmp_path, "der Hund\nKatzen\nzu Hause sein\nging\n"))
    assert message == "3 words: 3 known; 3 changed; left out: 1 of several words"
    known = {"Hund": "known", "Katze": "known", "gehen": "known"}
    assert await states(service) == known
    await add(service, listed(tmp_path, "Hund\nKatze\nVogel\n"), VocabularyChoice(language="de", state="learning"))
    await undone(service)
    assert await states(service) == known


@near_and_far
async def test_what_was_exported_comes_back_the_same(library: Opened, tmp_path: Path) -> None:
    async def export(service: Service, language: str | None = None) -> bytes:
        return b"".join([piece async for piece in service.known_words.stream_export(language)])

    marks = [
        WordMark("de", "Hund", "", "known"),
        WordMark("de", "der", "", "seen"),
        WordMark("de", 'a, "b"', "", "ignored"),
        WordMark("ja", "床", "ゆか", "learning"),
        WordMark("ja", "床", "とこ", "known"),
    ]
    await library.service.known_words.mark(marks, source="list")
    path = tmp_path / "words.csv"
    path.write_bytes(exported := await export(library.service))
    await add(library.other_profile, path, VocabularyChoice())
    assert await export(library.other_profile) == exported, "with who said so, and when"
    head, first, *_, last = lines = exported.decode().splitlines()
    assert (len(lines), head) == (6, "language,lemma,reading,state,source,date")
    assert first.startswith('de,"a, ""b""",,ignored,list,20')
    assert last.startswith("ja,床,ゆか,learning,list,20")
    assert (await export(library.service, "ja-JP")).decode().splitlines() == [head, *lines[-2:]]


@near_and_far
async def test_cards_of_anki_say_what_is_known_and_a_look_changes_nothing(library: Opened, tmp_path: Path) -> None:
    service = library.service
    collection = Collection(tmp_path / "collection.anki2")
    collection.known("der Hund", days=30)
    collection.known("laufen", days=3)
    collection.known("to be or not to be")
    collection.known("[sound:x.mp3]")
    collection.note("neu")
    package = collection.package(tmp_path / "deck.apkg")
    path = collection.close()
    await service.known_words.mark([WordMark("de", "Hund", "", "known")])
    report = await service.vocabulary.preview(path, GERMAN)
    assert (report.format, report.words, report.changed, report.unchanged) == ("anki", 2, 1, 1)
    assert (report.never_shown, report.phrases, report.unread) == (1, 1, 1)
    assert WordMark("de", "Hund", "", "known") in report.samples
    assert await states(service) == {"Hund": "known"}
    assert (await service.vocabulary.offer(path)).note_types[0].word_field == "Front"
    await service.undo()
    message = await add(service, package)
    assert message.startswith("2 words: 1 known, 1 learning; 2 changed; left out: ")
    assert "1 of several words" in message
    assert ("1 never shown" in message) == (service.location == "local"), "which is not sent to a server"
    assert await states(service) == {"Hund": "known", "laufen": "learning"}
    (word, _) = (await service.known_words.page(states=("known", "learning"))).items
    assert word.source == "anki"


@pytest.mark.exhaustive
@near_and_far
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


async def test_a_running_anki_lowers_only_what_was_its_own(service: Service, tmp_path: Path) -> None:
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
        job = await ended(service, await service.vocabulary.add(RunningAnki(anki.address), GERMAN, anew=True))
        assert job.message.startswith("20 words")
        assert (await states(service))["Wort7"] == "learning"


async def test_readings_that_are_known_differently_keep_their_states(service: Service, tmp_path: Path) -> None:
    path = listed(tmp_path, READINGS + "猫,ねこ,known\n", "ja.csv")
    await add(service, path, JAPANESE)
    words = (await service.known_words.page()).items
    assert {(word.lemma, word.reading, word.state) for word in words} == {
        *(("床", "", "known"), ("床", "ゆか", "known"), ("床", "とこ", "learning"), ("猫", "", "known"))
    }
    await service.known_words.mark([WordMark("ja", "床", "", "learning")])
    await add(service, path, JAPANESE)
    after = (await service.known_words.page()).items
    assert [(word.reading, word.state) for word in after] == [(word.reading, word.state) for word in words]


async def test_anki_leaves_alone_a_reading_that_was_ignored_by_hand(service: Service, tmp_path: Path) -> None:
    collection = Collection(tmp_path / "collection.anki2")
    collection.known("床[ゆか]")
    package = collection.package(tmp_path / "deck.apkg")
    collection.close()
    by_hand = [WordMark("ja", "床", "ゆか", "ignored"), WordMark("ja", "床", "とこ", "learning")]
    await service.known_words.mark(by_hand)
    await add(service, package, JAPANESE)
    assert await readings(service) == {"": "known", "ゆか": "ignored", "とこ": "known"}
    restored = await undone(service)
    assert (restored.count, restored.summary) == (2, "2 words")


async def test_too_long_words_sentences_and_the_first_of_a_list(library: Opened, tmp_path: Path) -> None:
    long = listed(tmp_path, f"lemma,reading,state\nHund,{'x' * 201},known\n{'y' * 201},,known\n", "words.csv")
    assert await add(library.service, long) == "1 word: 1 known; 1 changed; left out: 1 without a word"
    (word,) = (await library.service.known_words.page()).items
    assert (word.lemma, word.reading) == ("Hund", "")
    sentences = listed(tmp_path, "Der Hund bellt.\nDie Katze schläft.\n")
    await add(library.service, sentences, VocabularyChoice(language="de", sentences=True))
    assert {"Hund", "bellen", "Katze", "schlafen"} <= set(await states(library.service))
    frequent = listed(tmp_path, "ich 300\nund 200\nHund 100\n")
    await add(library.other_profile, frequent, VocabularyChoice(language="de", first=2))
    assert set(await states(library.other_profile)) == {"ich", "und"}


async def test_the_language_is_told_by_what_is_learned_or_asked_for(service: Service, tmp_path: Path) -> None:
    for learned, text, language in (
        ("de", "Hund\nKatze\nVogel", "de"),
        ("de ja", "猫\n犬\n鳥", "ja"),
        ("de ru", "собака\nкошка", "ru"),
        ("de es", "Hund\nKatze\nVogel", ""),
        ("", "Hund\nKatze\nVogel", ""),
        ("de", "犬\n猫", ""),
    ):
        await service.settings.save(ProfileSettings("en", tuple(map(LearnedLanguage, learned.split()))))
        path = listed(tmp_path, text)
        if language:
            await add(service, path, VocabularyChoice())
            assert {word.language for word in (await service.known_words.page()).items} == {language}
            await service.undo()
        else:
            told = await refusal(service.vocabulary.preview(path, VocabularyChoice()))
            assert (told.code, told.field) == ("language_needed", "language")
            job = await ended(service, await service.vocabulary.add(path, VocabularyChoice()))
            assert job.state == "failed"


@near_and_far
async def test_what_has_no_words_or_means_nothing_marks_nothing(service: Service, tmp_path: Path) -> None:
    path = tmp_path / "picture.png"
    path.write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
    assert isinstance(await refusal(service.vocabulary.preview(path, GERMAN)), ImportRefused)
    if service.location == "local":
        assert (await ended(service, await service.vocabulary.add(path, GERMAN))).state == "failed"
    else:  # a client reads it before it sends anything
        assert isinstance(await refusal(service.vocabulary.add(path, GERMAN)), ImportRefused)
    words = listed(tmp_path, "Hund\n")
    for choice in (VocabularyChoice(known_days=0), VocabularyChoice(first=0), VocabularyChoice(language="no tag")):
        assert isinstance(await refusal(service.vocabulary.preview(words, choice)), InvalidInput)
    assert (await service.known_words.page()).total == 0


async def test_a_word_is_shown_in_an_anki_that_runs(service: Service, tmp_path: Path) -> None:
    with running_anki(tmp_path / "collection.anki2") as anki:
        anki.do(lambda collection: collection.known("der Zug"))
        where = RunningAnki(anki.address)
        assert await service.vocabulary.show_in_anki("Zug\n", where) == 1
        assert anki.browsed == ['"w:Zug"']
        assert isinstance(await refusal(service.vocabulary.show_in_anki("Haus", where)), NotFound)
        assert isinstance(await refusal(service.vocabulary.show_in_anki(" ", where)), InvalidInput)
    nowhere = RunningAnki("http://127.0.0.1:9")
    for call in (service.vocabulary.show_in_anki("Zug", nowhere), service.vocabulary.preview(nowhere, GERMAN)):
        assert (await refusal(call)).code == "unreachable"


async def test_an_import_that_is_cancelled_marks_nothing(service: Service, tmp_path: Path) -> None:
    path = listed(tmp_path, "".join(f"Wort{number}\n" for number in range(20_000)))
    job = await service.vocabulary.add(path, GERMAN)
    (cancelled,) = await service.jobs.cancel(job.id)
    assert cancelled.state in ("cancelled", "interrupted")
    assert (await service.known_words.page()).total == 0


async def test_words_of_the_library_that_are_marked_are_those_of_its_texts(service: Service, tmp_path: Path) -> None:
    await imported(service, tmp_path / "story.de.srt", "1\n00:00:01,000 --> 00:00:02,000\nDer Hund bellt laut.\n")
    await add(service, listed(tmp_path, "bellen\nder Hund\n"))
    (transcript,) = (await service.transcripts.page()).items
    (cue,) = await service.known_words.of_cues(transcript.id)
    told = {word.lemma: word.state for word in cue.words}
    assert told == {"der": "new", "Hund": "known", "bellen": "known", "laut": "new"}
