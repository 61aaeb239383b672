"""A small library with something of everything in it, and copies of it of which one byte was flipped."""

from __future__ import annotations

import hashlib
import random
from pathlib import Path

from tests.store.adding_files import add_file
from tests.store.many_clips import add_many
from tui.records.answers import NewAnswer, NewTemplate
from tui.records.clips import FocusWord, NewClip
from tui.records.transcripts import Cue
from tui.store import Store

PAGE = 4096


def small_library(directory: Path) -> bytes:
    """Make it; gives the bytes of its database."""
    store = Store.open(directory)
    data = b"Der Zug kommt."
    add_file(
        store,
        "zug.srt",
        [Cue(n, n * 1000, n * 1000 + 900, f"Der Zug {n} kommt. 東京に行く") for n in range(40)],
        profile="default",
        sha256=hashlib.sha256(data).hexdigest(),
        job_id=store.jobs.add("default", "import", "zug.srt").id,
        data=data,
    )
    focus = FocusWord("fährt", lemma="fahren", meanings=("to go", "to drive"), language="de")
    add_many(
        store,
        "default",
        (
            NewClip(f"Der Zug {n} fährt. 猫", focus=focus, note=f"note {n}", tags=("a", "b"), explanation="**x** " * 40)
            for n in range(60)
        ),
    )
    store.templates.save("default", NewTemplate("lexicon:concordance", "Explain {{ focus }}", "Be brief."))
    answer = store.answers.begin(
        "default", NewAnswer("breakdown", "lexicon:x", "Der Zug fährt.", "fährt", "", "p", "s")
    )
    store.answers.finish(answer.id, "complete", text="goes", focus_word=focus)
    gone = store.clips.add("default", NewClip("weg"))
    store.clips.delete("default", [gone.id])
    store.exports.record("default", "Lode", "2026-01-01T00:00:00.000Z")
    with store.requests.once("default", "key", "f"):
        store.clips.add("default", NewClip("zuletzt", focus=focus))
    store.remove_expired()
    store.close()
    return store.path.read_bytes()


def flips(whole: bytes, count: int, seed: int = 1) -> list[tuple[int, int]]:
    """Positions and bits: of every page some, and of the header and the schema many."""
    dice = random.Random(seed)
    pages = range(len(whole) // PAGE)
    schema = [page for page in pages if b"CREATE " in whole[page * PAGE : page * PAGE + PAGE]]
    chosen = []
    for number in range(count):
        page = 0 if number % 8 == 0 else dice.choice(schema if number % 2 else pages)
        used = [at for at in range(page * PAGE, page * PAGE + PAGE) if whole[at]] or [page * PAGE]
        chosen.append((dice.choice(used), dice.randrange(8)))
    return chosen


def flipped(whole: bytes, at: int, bit: int) -> bytes:
    return whole[:at] + bytes([whole[at] ^ 1 << bit]) + whole[at + 1 :]
