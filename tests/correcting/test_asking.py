"""Asking about a batch: what does not fit is halved, nothing is asked twice, and every line has an end."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pytest

from tests.correcting.fake_model import Entry, FakeModel, shift
from tui.correcting.answers import AnsweredLine, BatchResult, read_corrections, read_translations
from tui.correcting.asking import work_through
from tui.correcting.batches import MAX_BATCH_LINES, Batch
from tui.errors import ProviderError

LINES = tuple(f"Das ist Zeile {number}" for number in range(MAX_BATCH_LINES))
BATCH = Batch(100, LINES, language="de")
INDEXES = range(100, 100 + MAX_BATCH_LINES)
into_english = partial(read_translations, into="en")
CODES = ("answer_cut", "request_too_large", "invalid_structured", "empty_answer")


def translate_all(entries: Sequence[Entry]) -> list[Entry]:
    return [each._replace(text=each.text.replace("Das ist Zeile", "This is line")) for each in entries]


def check_asked(asked: Sequence[Batch], lines: int) -> None:
    """Check that no two questions were the same, and their bound."""
    assert len({(batch.first, len(batch.lines)) for batch in asked}) == len(asked) <= 2 * lines - 1


class SmallModel(FakeModel):
    """Model that fails with a code where a batch has more lines than it can take, or one of those that it cannot."""

    def __init__(self, most: int, code: str, unable: Sequence[str] = ()) -> None:
        super().__init__(translate_all)
        self._most, self._code, self._unable = most, code, unable

    async def translate(self, batch: Batch) -> tuple[AnsweredLine, ...]:
        answer = await super().translate(batch)
        if len(batch.lines) > self._most or set(batch.lines) & set(self._unable):
            raise ProviderError("does not fit", code=self._code)
        return answer


async def test_a_batch_that_fits_is_asked_about_once() -> None:
    model = FakeModel(translate_all)
    result = await work_through(BATCH, model.translate, into_english)
    assert [change.cue_index for change in result.changes] == list(INDEXES)
    assert result.changes[3].after == "This is line 3"
    assert len(model.asked) == 1


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("most", [0, 1, 4, 14])
async def test_what_does_not_fit_is_halved_until_it_does(code: str, most: int) -> None:
    model = SmallModel(most, code)
    result = await work_through(BATCH, model.translate, into_english)
    assert len(result.changes) == (MAX_BATCH_LINES if most else 0)
    assert result.left == (() if most else tuple(INDEXES))
    check_asked(model.asked, MAX_BATCH_LINES)


@pytest.mark.parametrize("code", CODES)
async def test_a_line_that_cannot_be_answered_is_left_and_takes_no_other_with_it(code: str) -> None:
    model = SmallModel(MAX_BATCH_LINES, code, unable=(LINES[6],))
    result = await work_through(BATCH, model.translate, into_english)
    assert result.left == (106,)
    assert [change.cue_index for change in result.changes] == [index for index in INDEXES if index != 106]
    check_asked(model.asked, MAX_BATCH_LINES)


async def test_a_line_that_is_left_stays_as_it_was_in_a_correction_too() -> None:
    async def refuse(batch: Batch) -> Sequence[AnsweredLine]:
        raise ProviderError("cut", code="answer_cut")

    one = Batch(5, ("Jaa.",))
    assert await work_through(one, refuse, read_corrections) == BatchResult(left=(5,))


@pytest.mark.parametrize("code", ["key_refused", "rate_limited", "provider_unavailable", "content_filtered"])
async def test_an_error_that_has_nothing_to_do_with_the_size_ends_it(code: str) -> None:
    model = SmallModel(4, code)
    with pytest.raises(ProviderError) as error:
        await work_through(BATCH, model.translate, into_english)
    assert error.value.code == code
    assert len(model.asked) == 1


async def test_a_batch_that_comes_back_short_each_time_ends_with_what_came() -> None:
    without_last = FakeModel(lambda entries: translate_all(entries[:-1]))
    result = await work_through(BATCH, without_last.translate, into_english)
    assert {change.cue_index for change in result.changes} == {*INDEXES} - {114}
    assert result.left == (114,)
    check_asked(without_last.asked, MAX_BATCH_LINES)
    nothing = FakeModel(lambda entries: [])
    assert await work_through(BATCH, nothing.translate, into_english) == BatchResult(left=tuple(INDEXES))
    assert len(nothing.asked) == 2 * MAX_BATCH_LINES - 1


async def test_only_the_half_that_lacks_a_line_is_asked_about_again_and_its_new_answer_counts() -> None:
    """Two lines that became one in the long answer stand each by itself in that of the half."""

    def merging(entries: Sequence[Entry]) -> list[Entry]:
        if len(entries) < MAX_BATCH_LINES:
            return translate_all(entries)
        return [entries[0]._replace(text="This is line 0, this is line 1"), *translate_all(entries[2:])]

    model = FakeModel(merging)
    result = await work_through(BATCH, model.translate, into_english)
    assert [change.after for change in result.changes][:2] == ["This is line 0", "This is line 1"]
    assert (len(result.changes), result.left) == (MAX_BATCH_LINES, ())
    assert [len(batch.lines) for batch in model.asked] == [15, 7]


async def test_a_line_that_only_the_long_answer_has_keeps_that() -> None:
    def answer(entries: Sequence[Entry]) -> list[Entry]:
        lacking = LINES[0] if len(entries) == MAX_BATCH_LINES else LINES[3]
        return [each for each in translate_all(entries) if each.original != lacking]

    result = await work_through(BATCH, FakeModel(answer).translate, into_english)
    assert (len(result.changes), result.left) == (MAX_BATCH_LINES, ())


async def test_what_was_refused_is_counted_over_both_questions() -> None:
    def inventing(entries: Sequence[Entry]) -> list[Entry]:
        return [*translate_all(entries[:-1]), Entry(1, "Das steht nirgends", "That is nowhere")]

    two = Batch(0, LINES[:2], language="de")
    result = await work_through(two, FakeModel(inventing).translate, into_english)
    assert (len(result.changes), result.refused, result.left) == (1, 2, (1,))


async def test_a_correction_that_names_few_lines_is_whole() -> None:
    model = FakeModel(lambda entries: shift([entries[2]._replace(text="Das ist Zeile 2.")], 3))
    result = await work_through(BATCH, model.correct, read_corrections)
    assert [(change.cue_index, change.after) for change in result.changes] == [(102, "Das ist Zeile 2.")]
    assert len(model.asked) == 1
