"""The inbox: a note until it is answered, a popup's question at a million clips, and what filling a note takes."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial
from http.client import HTTPConnection
from itertools import count
from pathlib import Path
from typing import Any

from tests.bench.dictionaries import ROWS_OF_DICTIONARY, made_dictionary
from tests.bench.imports import home_with_lemmas
from tests.bench.library import million_clips
from tests.bench.rows import Measured
from tests.bench.served import run_lode
from tests.bench.terminal import percentile
from tests.server_process import ServerProcess, free_port
from tests.vocabulary.fake_anki_connect import running_anki
from tests.waiting import wait_until
from tui.config import Settings
from tui.language.lemmas import Lemmatiser
from tui.records.clips import FocusWord, NewClip
from tui.records.inbox import InboxNote
from tui.service.local import LocalService
from tui.store import Store

_NOTES, _ASKED, _WORDS, _FILLED = 200, 50, 100, 200
_THERE = ("fahren", "Bahnhof", "warten", "gehen", "Fenster", "Wasser", "reden", "lachen", "Regen", "Brot")
"""Words of the million clips."""
_SOUND, _PICTURE = 200_000, 100_000


def measure() -> list[Measured]:
    with tempfile.TemporaryDirectory(dir=".bench") as place:
        return [_adding(Path(place).absolute()), _asking(), _filling(Path(place).absolute())]


def _adding(place: Path) -> Measured:
    """Notes by turns: one to the inbox, one to the yardstick."""
    with (
        ServerProcess(home_with_lemmas(place), command="inbox") as inbox,
        _bare_handler(place) as port,
        _connected(inbox.port) as ours,
        _connected(port) as theirs,
    ):
        taken: list[list[float]] = [[], []]
        for number in range(_NOTES + 10):
            for connection, seconds in zip((ours, theirs), taken, strict=True):
                seconds.append(_ask_seconds(connection, "addNote", note=_make_note(number))[0])
        figure, yardstick = (percentile(each[10:], 0.95) * 1000 for each in taken)
        return Measured(figure, yardstick)


def _make_note(number: int) -> dict[str, Any]:
    sound = base64.b64encode(b"ID3" + os.urandom(_SOUND)).decode()
    picture = base64.b64encode(b"\xff\xd8\xff" + os.urandom(_PICTURE)).decode()
    return {
        "deckName": "Lode::German",
        "modelName": "Lode",
        "fields": {"Expression": f"Wort{number}", "Sentence": f"Da steht Wort{number} an der Tür.", "Source": "Film"},
        "audio": {"filename": f"{number}.mp3", "data": sound, "fields": ["SentenceAudio"]},
        "picture": {"filename": f"{number}.jpg", "data": picture, "fields": ["Picture"]},
        "options": {"allowDuplicate": True},
    }


def _asking() -> Measured:
    """A popup's question, of words of which half are there, to a library of a million clips and an Anki."""
    home = million_clips()
    Lemmatiser(home / "lemmas").prepare("de")
    with tempfile.TemporaryDirectory() as place, running_anki(Path(place) / "collection.anki2") as anki:
        (home / "config.toml").write_text(f'anki_url = "{anki.address}"\n', "utf-8")
        try:
            with ServerProcess(home, command="inbox") as inbox, _connected(inbox.port) as ours:
                return Measured(percentile(_ask_of_words(ours), 0.95) * 1000)
        finally:
            (home / "config.toml").unlink()


def _ask_of_words(inbox: HTTPConnection) -> list[float]:
    words = [_THERE[number // 2 % len(_THERE)] if number % 2 else f"Wort{number}" for number in range(_WORDS)]
    about = {"deckName": "Lode::German", "modelName": "Lode", "options": {"allowDuplicate": False}}
    notes = [{**about, "fields": {"Expression": word}} for word in words]
    seconds = []
    for _ in range(_ASKED + 1):
        taken, answer = _ask_seconds(inbox, "canAddNotesWithErrorDetail", notes=notes)
        assert [each["canAdd"] for each in answer] == [number % 2 == 0 for number in range(_WORDS)]
        seconds.append(taken)
    return seconds[1:]


def _filling(place: Path) -> Measured:
    """Notes of words that a dictionary has, filled by turns with the look-up and the write that this takes at least."""
    home = home_with_lemmas(place)
    run_lode(home, "dictionaries", "add", str(made_dictionary(place / "wty-de-en.zip")))

    async def seconds() -> tuple[list[float], list[float]]:
        service = LocalService(Settings(home=home, config_path=home / "config.toml"), environ={})
        profile, filled, yardstick = service.profile, list[float](), list[float]()
        library = service.clips._library
        try:
            for number, word in zip(range(_FILLED + 10), _iterate_words(), strict=False):
                clips = [_make_clip(f"{which} {number}", word) for which in ("Hier", "Dort")]
                note = await library.run(partial(_add, profile=profile, clip=clips[0]))
                other = await service.clips.add(clips[1])
                begun = time.perf_counter()
                await service.inbox.filling.fill(note)
                filled.append(time.perf_counter() - begun)
                begun = time.perf_counter()
                found, _ = await service.clips._look_up()(word, "de", other.sentence)
                contents = replace(other.contents(), focus=found)
                await library.run(partial(_edit, profile=profile, clip_id=other.id, clip=contents))
                yardstick.append(time.perf_counter() - begun)
                assert found.meanings
        finally:
            await service.close()
        return filled[10:], yardstick[10:]

    filled, yardstick = asyncio.run(seconds())
    return Measured(statistics.median(filled) * 1000, statistics.median(yardstick) * 1000)


def _iterate_words() -> Iterator[str]:
    return (f"Wort{number * 97 % ROWS_OF_DICTIONARY}" for number in count(1))


def _make_clip(begin: str, word: str) -> NewClip:
    return NewClip(f"{begin} steht {word} an der Tür.", focus=FocusWord(word, language="de"), source="Film")


def _add(store: Store, profile: str, clip: NewClip) -> int:
    note = InboxNote(0, "", "Lode::German", "Lode", {"Sentence": clip.sentence}, state="new")
    return store.inbox.add(profile, (), lambda names: (note, clip, "", "")).note.id


def _edit(store: Store, profile: str, clip_id: str, clip: NewClip) -> None:
    store.clips.edit(profile, clip_id, clip)


@contextmanager
def _bare_handler(place: Path) -> Iterator[int]:
    """The yardstick's own process, at this port."""
    files = place / "files"
    files.mkdir()
    port = free_port()
    command = [sys.executable, "-m", "tests.bench.programs.bare_handler", str(files), str(port)]
    with subprocess.Popen(command) as process:
        try:
            wait_until(lambda: _answers(port))
            yield port
        finally:
            process.kill()


def _connected(port: int) -> closing[HTTPConnection]:
    return closing(HTTPConnection("127.0.0.1", port))


def _answers(port: int) -> bool:
    with socket.socket() as place:
        return place.connect_ex(("127.0.0.1", port)) == 0


def _ask_seconds(connection: HTTPConnection, action: str, **params: Any) -> tuple[float, Any]:
    """Ask once; gives the seconds until the answer was there, and its result."""
    body = json.dumps({"action": action, "version": 6, "params": params}).encode()
    begun = time.perf_counter()
    connection.request("POST", "/", body, {"Content-Type": "application/json"})
    content = connection.getresponse().read()
    taken = time.perf_counter() - begun
    answer = json.loads(content)
    assert answer["error"] is None, answer
    return taken, answer["result"]
