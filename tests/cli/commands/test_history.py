"""``lode history`` from the command line: list, show, delete, undo."""

from __future__ import annotations

from tests.cli.conftest import Lode, columns
from tui.records.answers import Answer, AnswerState
from tui.store import Store


def given(store: Store, sentence: str = "Der Zug kommt.", *, state: AnswerState = "complete") -> Answer:
    answer = store.answers.begin("default", "explanation", "work:m", sentence, "", "", "Explain.", "You teach.")
    return store.answers.finish(
        answer.id, state, input_tokens=9, output_tokens=3, duration_ms=2500, first_token_ms=420, text="A train."
    )


def test_an_answer_is_shown_with_its_tokens_and_times(lode: Lode, store: Store) -> None:
    answer = given(store)
    lines = lode("history", "show", answer.id[:5]).out.splitlines()
    assert lines[:3] == ["Der Zug kommt.", "", "A train."]
    assert "tokens in   9" in lines
    assert "first text  after 0.4 s" in lines
    assert "took        2.5 s" in lines
    whole = lode("history", "show", answer.id, "--json").json()
    assert (whole["first_token_ms"], whole["duration_ms"], whole["input_tokens"]) == (420, 2500, 9)


def test_the_tokens_of_a_broken_answer_are_a_lower_bound(lode: Lode, store: Store) -> None:
    shown = lode("history", "show", given(store, state="aborted").id).out
    assert "tokens in   at least 9" in shown
    assert "tokens out  at least 3" in shown


def test_answers_are_deleted_by_prefix_and_come_back(lode: Lode, store: Store) -> None:
    first, second = given(store, "Eins."), given(store, "Zwei.")
    done = lode("history", "delete", first.id[:6])
    assert (done.code, done.out, done.err) == (0, "deleted 1 answer\n", "lode undo brings back what was deleted\n")
    assert [row[0] for row in columns(lode("history", "list"))] == [second.id]
    assert lode("undo").out == "back again: Eins.\n"
    assert [row[0] for row in columns(lode("history", "list"))] == [second.id, first.id]
    many = lode("history", "delete", first.id, second.id, "--json")
    assert many.json() == {"count": 2, "deleted_job_ids": []}
    assert lode("undo", "--json").json() == {"kind": "answer", "count": 2, "summary": "2 answers"}


def test_a_person_is_asked_first(lode: Lode, store: Store) -> None:
    answer = given(store)
    asked = lode("history", "delete", answer.id, stdin="n\n", terminal=True)
    assert asked.code == 1
    assert "Delete 1 answer? [y/N]" in asked.err
    assert lode("history", "delete", answer.id, stdin="y\n", terminal=True).out == "deleted 1 answer\n"
    assert lode("history", "list").out == ""


def test_an_unknown_id_deletes_nothing(lode: Lode, store: Store) -> None:
    answer = given(store)
    done = lode("history", "delete", answer.id, "zzzz")
    assert done.code == 1
    assert done.err.startswith("error: there is no answer 'zzzz'")
    assert len(columns(lode("history", "list"))) == 1
