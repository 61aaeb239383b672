"""The history: answers tell the truth about themselves at every moment; what they took is summed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from tests.store.conftest import PROFILE, run_sql, undo
from tui.errors import NotFound
from tui.records.answers import Answer, AnswerState, NewAnswer, Usage
from tui.records.clips import FocusWord
from tui.records.library import Restored
from tui.store import Store
from tui.store.tables.answers import _USAGE

Clock = Callable[[str], None]
FOCUS = FocusWord("fährt", lemma="fahren", meanings=("to go",), origin="llm")
SENTENCE = "Wohin fährt der Zug?"


def begin(store: Store, *, focus: str = "fährt", prompt: str = "Explain fährt.", model: str = "ollama:qwen3") -> Answer:
    asked = NewAnswer("breakdown", model, SENTENCE, focus, "Er wartet.", prompt, "You teach.")
    return store.answers.begin(PROFILE, asked)


def kept(
    store: Store, *, focus: str = "fährt", prompt: str = "Explain fährt.", sys_msg: str = "You teach."
) -> Answer | None:
    return store.answers.find_kept(
        PROFILE, NewAnswer("breakdown", "ollama:qwen3", SENTENCE, focus, "", prompt, sys_msg)
    )


def ids(store: Store, q: str = "") -> list[str]:
    page = store.answers.page(PROFILE, q=q)
    assert page.total == len(page.items)
    return [answer.id for answer in page.items]


def test_an_answer_is_aborted_until_it_is_finished_and_keeps_what_came(store: Store) -> None:
    answer = begin(store)
    assert (answer.state, answer.text, answer.focus_word) == ("aborted", "", None)
    assert (answer.translation, answer.sentence_reading) == ("", "")
    store.answers.update(answer.id, focus_word=FOCUS)
    store.answers.update(
        answer.id, text="**fährt** is", translation="Where is it going?", sentence_reading="昨日[きのう]"
    )
    half = store.answers.get(PROFILE, answer.id[:7])
    assert (half.state, half.text, half.focus_word) == ("aborted", "**fährt** is", FOCUS)
    done = store.answers.finish(
        answer.id, "complete", input_tokens=12, output_tokens=34, duration_ms=560, text="**fährt** is a verb."
    )
    assert done == store.answers.page(PROFILE).items[0]
    assert (done.state, done.input_tokens, done.output_tokens, done.duration_ms) == ("complete", 12, 34, 560)
    assert (done.text, done.focus_word) == ("**fährt** is a verb.", FOCUS)
    assert (done.context, done.prompt, done.sys_msg) == ("Er wartet.", "Explain fährt.", "You teach.")
    assert (done.translation, done.sentence_reading) == ("Where is it going?", "昨日[きのう]")


def test_an_answer_that_was_cut_at_the_models_limit_says_so_wherever_it_is_read(store: Store) -> None:
    cut, whole = begin(store), begin(store, focus="Zug")
    assert cut.cut is False
    assert store.answers.finish(cut.id, "complete", text="and then", cut=True).cut is True
    assert store.answers.finish(whole.id, "complete", text="done.").cut is False
    found = kept(store)
    assert found is not None and found.cut is True
    store.answers.delete(PROFILE, [cut.id, whole.id])
    store.trash.undo(PROFILE)
    assert [answer.cut for answer in store.answers.page(PROFILE).items] == [False, True]


def test_an_answer_that_was_deleted_before_answers_knew_of_being_cut_comes_back_whole(store: Store) -> None:
    answer = store.answers.finish(begin(store).id, "complete", text="done.", cut=True)
    store.answers.delete(PROFILE, [answer.id])
    # and before they knew of the sentence's translation and reading, and of what they follow
    last_columns = ", '$.tables.answers.columns[#-1]', '$.tables.answers.rows[0][#-1]'" * 4
    run_sql(store, f"UPDATE trash SET bundle = json_remove(bundle{last_columns})")
    store.trash.undo(PROFILE)
    assert store.answers.get(PROFILE, answer.id) == replace(answer, cut=False)


def test_the_newest_complete_answer_to_exactly_the_same_question_is_found_again(store: Store) -> None:
    assert kept(store) is None
    aborted = begin(store)
    assert kept(store) is None, "an aborted answer is not one to show again"
    for text in ("first", "second"):
        store.answers.finish(begin(store).id, "complete", text=text)
    store.answers.update(aborted.id, text="half")
    failed = store.answers.finish(aborted.id, "failed", error="the connection broke", duration_ms=3)
    assert (failed.state, failed.error, failed.text) == ("failed", "the connection broke", "half")
    found = kept(store)
    assert found is not None and found.text == "second"
    assert kept(store, focus="Zug") is None
    assert kept(store, prompt="Explain fährt!") is None
    assert kept(store, sys_msg="") is None
    store.answers.delete(PROFILE, ids(store))
    assert kept(store) is None, "what was deleted is not shown as an answer"


def test_an_answer_is_found_by_what_it_is_known_by_and_one_in_the_same_words_first(store: Store) -> None:
    usual = ("Explain in English.", "You teach.")
    english = begin(store, prompt="Explain in English.")
    store.answers.finish(english.id, "complete", text="It means to go.")

    def ask(prompt: str) -> NewAnswer:
        return NewAnswer("breakdown", "ollama:qwen3", SENTENCE, "fährt", "Er wartet.", prompt, "You teach.", usual)

    def find(prompt: str) -> str | None:
        found = store.answers.find_kept(PROFILE, ask(prompt))
        return found.id if found is not None else None

    assert find("Explain in Spanish.") == english.id
    spanish = store.answers.begin(PROFILE, ask("Explain in Spanish."))
    store.answers.finish(spanish.id, "complete", text="Significa ir.")
    assert find("Explain in Spanish.") == find("Explain in French.") == spanish.id
    assert find("Explain in English.") == english.id


def test_answers_are_found_by_sentence_focus_lemma_and_model_and_by_how_they_ended(store: Store) -> None:
    answer = begin(store)
    for q in ("wohin zug", "FAHRT", "qwen3", "stopped", "breakdown"):
        assert ids(store, q) == [answer.id]
    assert ids(store, "fahren") == ids(store, "failed") == []
    store.answers.update(answer.id, focus_word=FOCUS)
    assert (ids(store, "fahren"), ids(store, "auto")) == ([answer.id], [])


def test_complete_breakdowns_are_counted_by_word_and_lemma(store: Store) -> None:
    for focus in ("fährt", "Fahren"):
        store.answers.finish(begin(store, focus=focus).id, "complete", focus_word=FOCUS, text="x")
    begin(store)
    assert store.answers.count_with(PROFILE, "fahren") == 2
    assert store.answers.count_with(PROFILE, "FÄHRT") == 1
    assert store.answers.count_with("berta", "fahren") == 0


def test_answers_that_follow_one_stand_below_it_and_in_no_list(store: Store) -> None:
    first, other = begin(store), begin(store, focus="Zug")
    for number in range(3):
        asked = f"Why? {number}"
        question = NewAnswer("explanation", "m", SENTENCE, "fährt", "", asked, "", (first.id + asked, ""), first.id)
        follow_up = store.answers.begin(PROFILE, question)
        store.answers.finish(follow_up.id, "complete", text=f"Because {number}.", cut=number == 1)
    assert ids(store) == ids(store, "qwen3") == [other.id, first.id]
    told = store.answers.get(PROFILE, first.id).follow_ups
    assert [(each.question, each.text, each.cut) for each in told] == [
        *(("Why? 0", "Because 0.", False), ("Why? 1", "Because 1.", True), ("Why? 2", "Because 2.", False))
    ]
    store.answers.delete(PROFILE, [told[1].id])
    assert len(store.answers.get(PROFILE, first.id).follow_ups) == 2
    assert ids(store) == [other.id, first.id]
    store.answers.delete(PROFILE, [first.id, other.id])
    assert ids(store) == []
    assert undo(store).count == 2
    store.trash.undo(PROFILE)
    assert store.answers.get(PROFILE, first.id).follow_ups == told
    assert ids(store) == [other.id, first.id]


@pytest.fixture
def in_zone(monkeypatch: pytest.MonkeyPatch) -> Iterator[Clock]:
    """Set the time zone of this process."""

    def set_zone(name: str) -> None:
        monkeypatch.setenv("TZ", name)
        time.tzset()

    yield set_zone
    monkeypatch.undo()
    time.tzset()


def given(
    store: Store,
    moment: str,
    model: str = "openai:gpt-5-mini",
    *,
    tokens: tuple[int | None, int | None] = (10, 20),
    state: AnswerState = "complete",
    profile: str = PROFILE,
) -> Answer:
    """An answer that was asked for at this moment."""
    asked = NewAnswer("explanation", model, "Der Zug kommt.", "", "", "Explain.", "You teach.")
    answer = store.answers.begin(profile, asked)
    answer = store.answers.finish(
        answer.id, state, input_tokens=tokens[0], output_tokens=tokens[1], duration_ms=1500, text="x"
    )
    run_sql(store, "UPDATE answers SET created_at = ? WHERE id = ?", (moment, answer.id))
    return answer


def test_answers_tokens_and_time_are_summed_per_month_and_model(store: Store, in_zone: Clock) -> None:
    in_zone("UTC")
    given(store, "2026-10-31T23:59:59.999Z")
    given(store, "2026-11-01T00:00:00.000Z", tokens=(1, 2))
    given(store, "2026-11-30T12:00:00.000Z", tokens=(3, 4))
    given(store, "2026-11-02T12:00:00.000Z", "ollama:qwen3:8b", tokens=(5, 6))
    given(store, "2026-11-02T12:00:00.000Z", "ollama:qwen3:8b", profile="berta")
    november = (
        Usage("2026-11", "openai:gpt-5-mini", 2, 0, 4, 6, 3000),
        Usage("2026-11", "ollama:qwen3:8b", 1, 0, 5, 6, 1500),
    )
    assert store.answers.usage(PROFILE) == (*november, Usage("2026-10", "openai:gpt-5-mini", 1, 0, 10, 20, 1500))
    assert store.answers.usage(PROFILE, "2026-11") == november
    assert store.answers.usage(PROFILE, "2026-12") == ()
    assert store.answers.usage("nobody") == ()
    given(store, "9999-12-15T12:00:00.000Z")
    assert store.answers.usage(PROFILE, "9999-12")[0].answers == 1, "the last month of all"


def test_a_month_is_one_of_local_time(store: Store, in_zone: Clock) -> None:
    given(store, "2026-10-31T23:30:00.000Z")
    for zone, month, other in (
        ("Pacific/Kiritimati", "2026-11", "2026-10"),
        ("Pacific/Pago_Pago", "2026-10", "2026-11"),
    ):
        in_zone(zone)
        (whole,) = store.answers.usage(PROFILE)
        assert whole.month == month
        assert store.answers.usage(PROFILE, month) == (whole,)
        assert store.answers.usage(PROFILE, other) == ()


def test_what_was_not_counted_or_broken_off_is_said_and_the_lexicon_counts_nothing(store: Store) -> None:
    moment = "2026-11-15T12:00:00.000Z"
    given(store, moment, tokens=(7, 8))
    given(store, moment, tokens=(None, None))
    given(store, moment, tokens=(7, None))
    given(store, moment, tokens=(1, 1), state="aborted")
    given(store, moment, tokens=(None, None), state="failed")
    given(store, moment, "lexicon:concordance", tokens=(None, None))
    model, lexicon = store.answers.usage(PROFILE)
    assert (model.answers, model.uncounted, model.input_tokens, model.output_tokens) == (5, 4, 15, 9)
    assert (lexicon.answers, lexicon.uncounted, lexicon.input_tokens) == (1, 0, 0)


def test_the_sums_are_read_from_an_index_alone(store: Store) -> None:
    plan = run_sql(store, f"EXPLAIN QUERY PLAN {_USAGE}", {"profile": 1, "month": "2026-11"})
    assert "COVERING INDEX answers_usage (profile=? AND created_at>? AND created_at<?)" in plan[0][3]


def test_a_deleted_answer_comes_back_whole(store: Store) -> None:
    first, second = (given(store, f"2026-11-0{day}T12:00:00.000Z") for day in (1, 2))
    store.answers.finish(first.id, "complete", first_token_ms=420, focus_word=FOCUS)
    before = store.answers.page(PROFILE)
    assert store.answers.delete(PROFILE, [first.id[:6]]).count == 1
    assert ids(store) == [second.id]
    assert store.answers.usage(PROFILE)[0].answers == 1
    assert store.trash.undo(PROFILE) == Restored("answer", 1, "Der Zug kommt.")
    assert store.answers.page(PROFILE) == before
    assert store.answers.page(PROFILE, q="train zug").total == 0
    assert store.answers.get(PROFILE, first.id).first_token_ms == 420
    assert store.answers.delete(PROFILE, [first.id, second.id]).count == 2
    assert store.trash.undo(PROFILE) == Restored("answer", 2, "2 answers")
    assert store.answers.page(PROFILE) == before


def test_deleting_is_for_whole_known_ids_or_nothing(store: Store) -> None:
    answer = begin(store)
    with pytest.raises(NotFound) as caught:
        store.answers.delete(PROFILE, [answer.id, "nowhere"])
    assert caught.value.code == "answer_not_found"
    for missing in (
        lambda: store.answers.delete("berta", [answer.id]),
        lambda: store.answers.get(PROFILE, "nowhere"),
        lambda: store.answers.finish("nowhere", "complete"),
    ):
        with pytest.raises(NotFound):
            missing()
    assert ids(store) == [answer.id]
    assert store.answers.delete(PROFILE, []).count == 0
    assert store.answers.delete(PROFILE, [answer.id, answer.id[:11]]).count == 1
