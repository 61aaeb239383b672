"""Writes that are asked for twice are done once, and a key is there exactly when its write is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.hostile import HOSTILE
from tests.store.conftest import PROFILE, Child, run_sql
from tui.errors import InvalidInput, NotFound
from tui.records.clips import NewClip
from tui.store import Store
from tui.store.tables.requests import KeptRequest


def sentences(store: Store, profile: str = PROFILE) -> list[str]:
    return [clip.sentence for clip in store.clips.each(profile)]


def test_a_key_is_kept_with_the_write_and_its_answer_afterwards(store: Store) -> None:
    assert store.requests.find(PROFILE, "k1") is None
    with store.requests.once(PROFILE, "k1", "POST /clips abc"):
        store.clips.add(PROFILE, NewClip("Der Zug."))
    kept = store.requests.find(PROFILE, "k1")
    assert kept == KeptRequest("POST /clips abc", None, None)
    store.requests.record(PROFILE, "k1", 201, b'{"id": "\xc3\xa4\x00"}')
    store.requests.record(PROFILE, "k1", 500, b"a second answer")
    kept = store.requests.find(PROFILE, "k1")
    assert kept is not None
    assert (kept.status, kept.body) == (201, b'{"id": "\xc3\xa4\x00"}')


def test_the_second_write_with_a_key_is_refused_and_writes_nothing(store: Store) -> None:
    with store.requests.once(PROFILE, "k", "f"):
        store.clips.add(PROFILE, NewClip("eins"))
    before = store.requests.find(PROFILE, "k")
    for fingerprint in ("f", "another"):
        with (
            pytest.raises(InvalidInput, match="was carried out before") as caught,
            store.requests.once(PROFILE, "k", fingerprint),
        ):
            store.clips.add(PROFILE, NewClip("zwei"))
        assert caught.value.code == "already_done"
        assert caught.value.hint
    assert sentences(store) == ["eins"]
    assert store.requests.find(PROFILE, "k") == before
    with pytest.raises(InvalidInput) as caught, store.requests.once(PROFILE, "k", "f"):
        store.clips.delete(PROFILE, ["nowhere"])
    assert caught.value.code == "already_done", "before anything of the write is looked at"
    store.clips.add(PROFILE, NewClip("drei"))
    assert sentences(store) == ["eins", "drei"], "outside of the block all is as ever"


def test_what_was_not_kept_carries_no_key(store: Store) -> None:
    with pytest.raises(NotFound), store.requests.once(PROFILE, "k", "f"):
        store.clips.add(PROFILE, NewClip("eins"))
        store.clips.add(PROFILE, NewClip("keiner", transcript_id="nowhere"))
    with pytest.raises(RuntimeError), store.requests.once(PROFILE, "k", "f"):
        store.clips.add(PROFILE, NewClip("eins"))
        raise RuntimeError
    assert (sentences(store), store.requests.find(PROFILE, "k")) == ([], None)
    store.requests.record(PROFILE, "k", 404, b"{}")
    assert store.requests.find(PROFILE, "k") is None, "nothing was done, so nothing need be remembered"
    with store.requests.once(PROFILE, "k", "f"):
        store.clips.add(PROFILE, NewClip("eins"))
        store.clips.add(PROFILE, NewClip("zwei"))
    assert sentences(store) == ["eins", "zwei"]
    assert store.requests.find(PROFILE, "k") is not None


def test_keys_belong_to_profiles(store: Store) -> None:
    for profile in ("anna", "berta"):
        with store.requests.once(profile, "k", "f"):
            store.clips.add(profile, NewClip(profile))
    assert sentences(store, "anna") == ["anna"]
    assert sentences(store, "berta") == ["berta"]
    store.requests.record("anna", "k", 201, b"a")
    other = store.requests.find("berta", "k")
    assert other is not None and other.body is None


def test_any_text_is_a_key_but_one_that_is_no_unicode(store: Store) -> None:
    for key in ("", "'; DROP TABLE requests; --", "x" * 100_000, *HOSTILE.values()):
        with store.requests.once(PROFILE, key, repr(key)):
            store.clips.add(PROFILE, NewClip("eins"))
        assert store.requests.find(PROFILE, key) == KeptRequest(repr(key), None, None)
        with pytest.raises(InvalidInput) as caught, store.requests.once(PROFILE, key, "f"):
            store.clips.add(PROFILE, NewClip("zwei"))
        assert len(caught.value.message) < 300
    with pytest.raises(InvalidInput, match="is not a character"), store.requests.once(PROFILE, "k\udcff", "f"):
        store.clips.add(PROFILE, NewClip("zwei"))
    assert "zwei" not in sentences(store)


def test_keys_are_forgotten_after_their_time(store: Store) -> None:
    for key in ("old", "new"):
        with store.requests.once(PROFILE, key, "f"):
            store.clips.add(PROFILE, NewClip(key))
    run_sql(store, "UPDATE requests SET opening = opening - 1 WHERE key = 'old'")
    assert store.requests.empty() == 0
    assert store.requests.empty(after_dates=1) == 1
    assert store.requests.find(PROFILE, "old") is None
    assert store.requests.find(PROFILE, "new") is not None
    run_sql(store, "INSERT INTO openings (date) VALUES ('2037-01-01')")
    assert store.requests.empty(after_dates=1) == 1
    with store.requests.once(PROFILE, "new", "f"):
        store.clips.add(PROFILE, NewClip("again"))
    assert store.clips.page(PROFILE).total == 3


DYING = """
import os, signal, sys
from pathlib import Path
from tui.records.clips import NewClip
from tui.store import Store
def die_before(number):
    steps = [0]
    def step(statement):
        steps[0] += 1
        if steps[0] == number:
            os.kill(os.getpid(), signal.SIGKILL)
        if "INTO requests" in statement or statement == "COMMIT":
            print(number, statement.split()[0], flush=True)
    store = Store.open(Path(sys.argv[1]))
    with store._connections.read() as connection:
        connection.set_trace_callback(step)
    with store.requests.once("anna", f"key {number}", "f"):
        store.clips.add("anna", NewClip(f"key {number}"))
    store.clips.page("anna")
number = 0
while True:
    number += 1
    child = os.fork()
    if not child:
        die_before(number)
        os._exit(0)
    if os.waitpid(child, 0)[1] == 0:
        break
print("all", number)
"""
"""Dies before its first statement, before its second …, the triggers' own included, until it lives."""


def test_wherever_a_write_is_killed_key_and_clip_are_both_there_or_neither(directory: Path, run_child: Child) -> None:
    Store.open(directory).close()
    done = run_child(DYING, directory)
    assert done.returncode == 0, done.stderr
    attempts = int(re.findall(r"all (\d+)", done.stdout)[0])
    assert attempts > 8, done.stdout
    store = Store.open(directory)
    numbers = range(1, attempts + 1)
    with_clip = [n for n in numbers if f"key {n}" in sentences(store)]
    with_key = [n for n in numbers if store.requests.find(PROFILE, f"key {n}") is not None]
    assert with_clip == with_key
    assert with_clip == list(range(with_clip[0], attempts + 1)), "from some statement on it is kept: after the COMMIT"
    half = [n for n in numbers if n < with_clip[0] and f"{n} INSERT" in done.stdout]
    assert len(half) >= 3, "some died between the key and the COMMIT"
    store.close()
