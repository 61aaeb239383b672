"""Two hundred mistakes planted in subtitles of the corpus come back right, and nothing else changes.

The model knows what is right, and answers it as badly as one can: it shifts numbers, repeats them, invents lines and
leaves some out.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

import pytest

from tests.correcting.fake_model import Entry, FakeModel, shift
from tests.importing.corpus import CORPUS, IS_HERE, REASON
from tui.correcting.answers import read_corrections
from tui.correcting.asking import work_through
from tui.correcting.batches import cut_batches
from tui.importing.parse import parse
from tui.records.transcripts import Cue

pytestmark = pytest.mark.skipif(not IS_HERE, reason=REASON)

FILMS = ("tears-of-steel.de.srt", "elephants-dream.de.srt", "pepper-and-carrot-ep6.de.srt", "elephants-dream.fr.srt")
MISTAKES, SEEDS = 200, 100
_UMLAUTS = str.maketrans("äöüÄÖÜéèàç", "aouAOUeeac")


@cache
def read_films() -> tuple[Cue, ...]:
    """All cues of some films as those of one transcript."""
    found = (cue for name in FILMS for cue in parse(name, (CORPUS / "films" / name).read_bytes()).transcripts[0].cues)
    return tuple(
        replace(cue, index=index, start_ms=index * 2000, end_ms=index * 2000 + 1900) for index, cue in enumerate(found)
    )


def make_mistakes(text: str, rng: random.Random) -> Iterator[str]:
    """Texts with a mistake of each kind, in any order; some are not possible in it, and change nothing."""
    places = [place for place in range(len(text) - 1) if text[place : place + 2].isalpha()]
    place = rng.choice(places) if places else 0
    kinds = [
        text[:place] + text[place : place + 2][::-1] + text[place + 2 :],
        text[: place + 1] + text[place:],
        text.replace("I", "l", 1),
        text.translate(_UMLAUTS),
        text[:-1],
    ]
    rng.shuffle(kinds)
    yield from kinds


def plant(cues: Sequence[Cue], rng: random.Random) -> dict[int, str]:
    """Choose cues and their texts with a mistake, each of which stands nowhere else."""
    taken, planted = {cue.text for cue in cues}, dict[int, str]()
    for cue in rng.sample(cues, len(cues)):
        for wrong in make_mistakes(cue.text, rng):
            if wrong.strip() == wrong and wrong not in taken and len(planted) < MISTAKES:
                planted[cue.index] = wrong
                taken.add(wrong)
                break
    assert len(planted) == MISTAKES
    return planted


class BadCounter:
    """Model that knows what is right; ``dropped`` are the wrong texts that it has left out."""

    def __init__(self, right: dict[str, str], rng: random.Random) -> None:
        self.dropped: set[str] = set()
        self.invented = 0
        self._right, self._rng = right, rng

    def answer(self, lines: Sequence[Entry]) -> list[Entry]:
        rng, entries = self._rng, list[Entry]()
        for line in lines:
            if line.original not in self._right:
                if rng.random() < 0.1:
                    entries.append(line)  # named for nothing
            elif rng.random() < 0.1:
                self.dropped.add(line.original)
            else:
                entries.append(line._replace(text=self._right[line.original]))
        entries = shift(entries, rng.choice((0, 0, 1, 3, -1, -3)))
        if entries:
            entries = [each._replace(number=rng.choice((each.number, entries[0].number))) for each in entries]
        return self._invent(entries, lines)

    def _invent(self, entries: list[Entry], lines: Sequence[Entry]) -> list[Entry]:
        """Put entries between them that quote what stands nowhere, or what has been answered before."""
        rng = self._rng
        for _ in range(rng.randrange(3)):
            number = rng.randint(-2, len(lines) + 30)
            entries.insert(rng.randint(0, len(entries)), Entry(number, "Das hat niemand gesagt.", "Gar nichts."))
            self.invented += 1
        answered = [each for each in entries if each.original in self._right]
        if answered:
            entries.append(rng.choice(answered)._replace(text="Noch einmal, aber anders."))
            self.invented += 1
        return entries


@pytest.mark.parametrize("seed", range(SEEDS))
async def test_what_comes_back_is_what_was_planted(seed: int) -> None:
    rng, films = random.Random(seed), read_films()
    planted = plant(films, rng)
    cues = [replace(cue, text=planted.get(cue.index, cue.text)) for cue in films]
    bad = BadCounter({wrong: films[index].text for index, wrong in planted.items()}, rng)
    model = FakeModel(bad.answer)
    refused = 0
    for batch in cut_batches(cues, "de"):
        result = await work_through(batch, model.correct, read_corrections)
        refused += result.refused
        assert result.left == ()
        for change in result.changes:
            assert cues[change.cue_index].text == change.before
            cues[change.cue_index] = replace(cues[change.cue_index], text=change.after)
    assert {cue.index for cue in cues if cue != films[cue.index]} == {
        index for index, wrong in planted.items() if wrong in bad.dropped
    }
    assert refused == bad.invented
    assert len(bad.dropped) < MISTAKES / 4
