"""Batches: every line is in one, they end where sentences end, and half a batch is one too."""

from __future__ import annotations

from itertools import chain

from hypothesis import given, settings
from hypothesis import strategies as st

from tui.correcting.batches import CONTEXT_LINES, MAX_BATCH_LINES, Batch, cut_batches, halve
from tui.records.transcripts import Cue

WORDS = st.sampled_from(
    ["Ja.", "Ich habe", "dich gesucht.", "und", "Wer?", "- Nein.", "<i>Oh,</i>", "昨日の夜は", "行った。"]
)
TEXTS = st.lists(WORDS, max_size=70)


def timed(texts: list[str], first: int = 0) -> list[Cue]:
    return [Cue(first + at, at * 2000, at * 2000 + 1900, text) for at, text in enumerate(texts)]


def check_context(batch: Batch, texts: list[str]) -> None:
    end = batch.first + len(batch.lines)
    assert batch.lines == tuple(texts[batch.first : end])
    assert batch.before == tuple(texts[max(0, batch.first - CONTEXT_LINES) : batch.first])
    assert batch.behind == tuple(texts[end : end + CONTEXT_LINES])


@settings(max_examples=100, deadline=None)
@given(TEXTS, st.sampled_from(["de", "ja", None]))
def test_every_line_is_in_one_batch_and_has_its_neighbours_as_context(texts: list[str], language: str | None) -> None:
    batches = cut_batches(timed(texts), language)
    assert list(chain.from_iterable(batch.lines for batch in batches)) == texts
    for batch in batches:
        assert 1 <= len(batch.lines) <= MAX_BATCH_LINES
        check_context(batch, texts)


@settings(max_examples=100, deadline=None)
@given(TEXTS)
def test_halves_of_halves_down_to_single_lines_are_batches_with_their_own_context(texts: list[str]) -> None:
    todo, single = cut_batches(timed(texts), "de"), list[Batch]()
    while todo:
        batch = todo.pop()
        check_context(batch, texts)
        assert all(0 < start < len(batch.lines) for start in batch.sentence_starts)
        if len(batch.lines) == 1:
            single.append(batch)
        else:
            todo += halve(batch)
    assert sorted(batch.first for batch in single) == list(range(len(texts)))


SENTENCE = ["Ich habe dich", "die ganze Nacht", "lang gesucht."]


def test_batches_end_where_a_sentence_does() -> None:
    batches = cut_batches(timed(["Ja.", *SENTENCE * 10], first=100), "de")
    assert [(batch.first, len(batch.lines)) for batch in batches] == [(100, 13), (113, 15), (128, 3)]
    assert {batch.lines[-1] for batch in batches} == {"lang gesucht."}


def test_a_sentence_that_is_longer_than_a_batch_is_cut() -> None:
    batches = cut_batches(timed(["Ja.", *["und dann"] * 40, "Schluss."]), "de")
    assert [len(batch.lines) for batch in batches] == [1, 15, 15, 11]


def test_a_batch_is_halved_between_sentences_and_a_sentence_in_the_middle() -> None:
    [batch] = cut_batches(timed(["Ja.", *SENTENCE, *SENTENCE]), "de")
    left, right = halve(batch)
    assert (len(left.lines), right.lines) == (4, tuple(SENTENCE))
    assert [half.lines for half in halve(right)] == [("Ich habe dich",), ("die ganze Nacht", "lang gesucht.")]
    assert halve(left)[0].lines == ("Ja.",)


def test_in_japanese_a_sentence_goes_on_where_the_transcript_cuts_its_sentences() -> None:
    texts = ["昨日の夜は友達と", "ご飯を食べた。"] * 10
    assert {batch.lines[-1] for batch in cut_batches(timed(texts), "ja")} == {"ご飯を食べた。"}


def test_of_no_cues_there_is_no_batch() -> None:
    assert cut_batches([], "de") == []
