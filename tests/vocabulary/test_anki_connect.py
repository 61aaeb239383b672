"""A running Anki asked over AnkiConnect: the words of its file, later only what has changed, and its failures."""

from __future__ import annotations

import gzip
import socket
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from threading import Thread

import pytest

from tests.importing.web.web_server import Answer, WebServer, web
from tests.vocabulary.anki_collections import Collection
from tests.vocabulary.fake_anki_connect import FakeAnkiConnect, running_anki
from tests.vocabulary.test_anki_files import EVERY_STATE
from tests.watching import MAX_MB, watch
from tui.bounds import ANKI_CONNECT
from tui.errors import InvalidInput, ProviderError
from tui.records.vocabulary import VocabularyChoice
from tui.vocabulary.anki_connect import AnkiVocabulary, AnkiWords, CardTimes

__all__ = ["web"]


@pytest.fixture
def anki(tmp_path: Path) -> Iterator[FakeAnkiConnect]:
    with running_anki(tmp_path / "collection.anki2") as fake:
        yield fake


async def read(
    anki: FakeAnkiConnect, choice: VocabularyChoice | None = None, after: AnkiWords | None = None
) -> AnkiWords:
    return await AnkiVocabulary(anki.address).words(
        choice or VocabularyChoice(),
        lambda share: None,
        known_times={} if after is None else after.card_times,
        edited_days=0 if after is None else 2,
    )


def states(found: AnkiWords) -> dict[str, str | None]:
    return {word.text: word.state for word in found.words}


async def test_cards_say_the_same_as_in_the_file(anki: FakeAnkiConnect) -> None:
    anki.do(Collection.in_every_state)
    told = {word: state for word, state in EVERY_STATE.items() if state is not None}
    assert states(await read(anki)) == told
    found = states(await read(anki, VocabularyChoice(suspended="known")))
    assert (found["still"], found["ruhend"], found["jung"]) == ("known", "known", "learning")


async def test_decks_and_fields_are_chosen_as_in_a_file(anki: FakeAnkiConnect) -> None:
    def fill(collection: Collection) -> None:
        collection.note_type("My: type_1", "Sentence", "Word")
        collection.known("Der Hund bellt.", "Hund", note_type="My: type_1", deck='A "b"::c_d')
        collection.known("x", "Katze", note_type="My: type_1", deck="Deutsch")
        collection.known("Vogel")

    anki.do(fill)
    assert set(states(await read(anki))) == {"Hund", "Katze", "Vogel"}
    assert set(states(await read(anki, VocabularyChoice(deck='A "b"')))) == {"Hund"}
    assert set(states(await read(anki, VocabularyChoice(note_type="My: type_1", field="Sentence")))) == {
        "Der Hund bellt.",
        "x",
    }
    offer = await AnkiVocabulary(anki.address).offer()
    assert [(each.name, each.notes, each.word_field) for each in offer.note_types] == [
        ("My: type_1", 2, "Word"),
        ("Basic", 1, "Front"),
    ]
    with pytest.raises(InvalidInput) as told:
        await read(anki, VocabularyChoice(deck="B"))
    assert told.value.code == "deck_not_found"


async def test_its_browser_is_opened_at_the_notes_of_a_word(anki: FakeAnkiConnect) -> None:
    def fill(collection: Collection) -> None:
        for front in ("der <b>Zug</b>", "Der Zug fährt ab.", "Zugang", "電車が来る", '"a_*:b\\', "aXbb:b"):
            collection.note(front)

    anki.do(fill)
    one, two, none = ("fährt ab", "電車", '"a_*:b\\', "*", "a_*:b"), ("Zug", "zug"), ("Haus", "Zu")
    for word, notes in {**dict.fromkeys(one, 1), **dict.fromkeys(two, 2), **dict.fromkeys(none, 0)}.items():
        anki.browsed.clear()
        assert await AnkiVocabulary(anki.address).browse(word) == notes, word
        assert len(anki.browsed) == (1 if notes else 0)  # what its learner looks at is left alone


async def test_the_next_time_only_cards_that_have_changed_are_read(anki: FakeAnkiConnect) -> None:
    def fill(collection: Collection) -> None:
        for number in range(50):
            collection.known(f"Wort{number}")
        collection.col.db.execute("update cards set mod = mod - 100000")
        collection.col.db.execute("update notes set mod = mod - 1000000")

    anki.do(fill)
    first = await read(anki)
    assert len(first.words) == 50
    anki.asked.clear()
    second = await read(anki, after=first)
    assert second.words == ()
    assert dict(anki.asked)["notesInfo"] == 40, "the samples only"

    def review(collection: Collection) -> None:
        (card,) = collection.col.find_cards("Front:Wort7")
        collection.set_card(collection.col.get_card(card), ivl=3)

    anki.do(review)
    third = await read(anki, after=second)
    assert states(third) == {"Wort7": "learning"}

    def edit(collection: Collection) -> None:
        note = collection.col.get_note(collection.col.find_notes("Front:Wort8")[0])
        note["Front"] = "Hund"
        collection.col.update_note(note)

    anki.do(edit)
    assert states(await read(anki, after=third)) == {"Hund": "known"}


def test_times_are_kept_for_just_one_choice(tmp_path: Path) -> None:
    choice = VocabularyChoice(deck="Deutsch")
    kept = CardTimes(tmp_path, "default", "http://127.0.0.1:8765", choice)
    assert kept.load().card_times == {}
    kept.save({1: 10, 2: 20})
    assert CardTimes(tmp_path, "default", "http://127.0.0.1:8765", choice).load().card_times == {1: 10, 2: 20}
    assert kept.load().days >= 1
    assert CardTimes(tmp_path, "default", "http://127.0.0.1:8765", VocabularyChoice()).load().card_times == {}
    assert CardTimes(tmp_path, "anna", "http://127.0.0.1:8765", choice).load().card_times == {}
    (tmp_path / "anki" / "default.json").write_text('{"of": [')
    assert kept.load().card_times == {}


_LOAD = """
import sys
from pathlib import Path
from tui.records.vocabulary import VocabularyChoice
from tui.vocabulary.anki_connect import CardTimes
print(len(CardTimes(Path(sys.argv[1]), "p", "", VocabularyChoice()).load().card_times))
"""


@pytest.mark.exhaustive
def test_a_file_of_times_takes_little_whoever_wrote_it_and_may_have_the_most_cards(tmp_path: Path) -> None:
    most = ANKI_CONNECT.entries
    times = {1_700_000_000_000 + card: 1_700_000_000 for card in range(most)}
    CardTimes(tmp_path, "p", "", VocabularyChoice()).save(times)
    found = watch(_LOAD, tmp_path)
    assert (found.code, found.out.strip()) == (0, str(most))
    assert found.megabytes < MAX_MB
    for lists in (3_500_000, 40_000_000):
        (tmp_path / "anki" / "p.json").write_bytes(b'{"of": 1, "cards": [' + lists * b"[]," + b"0]}")
        found = watch(_LOAD, tmp_path)
        assert (found.code, found.out.strip()) == (0, "0")
        assert found.megabytes < 100


async def test_what_does_not_answer_as_anki_is_told(anki: FakeAnkiConnect) -> None:
    for status, body, code in (
        (200, b'{"detail": "Not Found"}', "not_anki"),
        (404, b"", "not_anki"),
        (200, b"AnkiConnect v.6", "not_anki"),
        (200, b"[" * 100_000, "not_anki"),
        (200, b'{"result": 7, "error": null}', "not_anki"),
        (403, b"", "anki_refused"),
        (200, b'{"result": null, "error": "collection is not available\\u001b[31m"}', "anki_refused"),
    ):
        anki.answer = status, body
        with pytest.raises(ProviderError) as told:
            await read(anki)
        assert told.value.code == code, body[:100]
        assert told.value.hint and "\x1b" not in told.value.message


async def test_an_answer_without_an_end_is_not_read_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tui.anki.connect._MAX_BYTES", 100_000)

    def answer_without_end(server: socket.socket) -> None:
        connection, _ = server.accept()
        with connection, suppress(OSError):  # until nobody reads any more
            connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
            while True:
                connection.sendall(b" " * 65_536)

    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        answering = Thread(target=answer_without_end, args=(server,), daemon=True)
        answering.start()
        with pytest.raises(ProviderError) as told:
            await AnkiVocabulary(f"http://127.0.0.1:{server.getsockname()[1]}").offer()
        answering.join()
    assert told.value.code == "too_large"


_OFFER = """
import asyncio, sys
from tui.errors import ProviderError
from tui.vocabulary.anki_connect import AnkiVocabulary
try:
    asyncio.run(AnkiVocabulary(sys.argv[1]).offer())
    print("read")
except ProviderError as error:
    print(error.code)
"""


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("make_body", "headers", "code"),
    [
        (lambda: gzip.compress(gzip.compress(150_000_000 * b" ", 1)), {"Content-Encoding": "gzip, gzip"}, "not_anki"),
        (lambda: b'{"error": null, "result": [' + 5_000_000 * b"[]," + b"0]}", {}, "too_large"),
        (lambda: b'{"error": null, "result": ["' + 11_900_000 * b"x" + '😀"]}'.encode(), {}, "read"),
    ],
    ids=["packed twice", "five million lists", "one long text"],
)
def test_an_answer_takes_little_memory_whatever_it_is(
    web: WebServer, make_body: Callable[[], bytes], headers: dict[str, str], code: str
) -> None:
    web.answers["/"] = Answer(make_body(), headers=headers)
    found = watch(_OFFER, web.url)
    assert found.out.strip() == code
    assert found.megabytes < MAX_MB


async def test_large_notes_are_asked_for_in_parts(anki: FakeAnkiConnect, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tui.anki.connect._MAX_BYTES", 100_000)

    def fill(collection: Collection) -> None:
        for number in range(8):
            collection.known(f"Wort{number}", 30_000 * "x")

    anki.do(fill)
    assert len(states(await read(anki))) == 8
    asked = [count for action, count in anki.asked if action == "notesInfo"]
    assert max(asked) == 8 and min(asked) == 2


async def test_the_key_of_the_add_on_is_asked_for_and_sent(anki: FakeAnkiConnect) -> None:
    anki.key = "s3cret"
    with pytest.raises(ProviderError) as told:
        await read(anki)
    assert (told.value.code, "LODE_ANKICONNECT_KEY" in told.value.hint) == ("key_refused", True)
    await AnkiVocabulary(anki.address, "s3cret").offer()


async def test_an_anki_that_does_not_run_is_told_with_what_to_do() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{free.getsockname()[1]}"
    with pytest.raises(ProviderError) as told:
        await AnkiVocabulary(address).offer()
    assert told.value.code == "unreachable"
    assert "2055492159" in told.value.hint


async def test_an_anki_that_is_busy_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tui.anki.connect._SECONDS", 0.2)
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        with pytest.raises(ProviderError) as told:
            await AnkiVocabulary(f"http://127.0.0.1:{silent.getsockname()[1]}").offer()
    assert told.value.code == "timeout"
