"""What answers took, summed; and answers that are deleted and come back."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.store.conftest import PROFILE
from tests.store.older_library import lode_before
from tui.errors import InvalidInput, NotFound
from tui.records.answers import Answer, AnswerState, Usage
from tui.records.clips import FocusWord
from tui.records.library import Restored
from tui.store import Store

Clock = Callable[[str], None]


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
    answer = store.answers.begin(profile, "explanation", model, "Der Zug kommt.", "", "", "Explain.", "You teach.")
    answer = store.answers.finish(
        answer.id, state, input_tokens=tokens[0], output_tokens=tokens[1], duration_ms=1500, text="x"
    )
    with closing(sqlite3.connect(store.path)) as connection, connection:
        connection.execute("UPDATE answers SET created_at = ? WHERE id = ?", (moment, answer.id))
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


@pytest.mark.parametrize(
    ("zone", "month"), [("UTC", "2026-10"), ("Pacific/Kiritimati", "2026-11"), ("Pacific/Pago_Pago", "2026-10")]
)
def test_a_month_is_one_of_local_time(store: Store, in_zone: Clock, zone: str, month: str) -> None:
    in_zone(zone)
    given(store, "2026-10-31T23:30:00.000Z")
    (whole,) = store.answers.usage(PROFILE)
    assert whole.month == month
    assert store.answers.usage(PROFILE, month) == (whole,)
    other = {"2026-10": "2026-11", "2026-11": "2026-10"}[month]
    assert store.answers.usage(PROFILE, other) == ()


def test_the_last_month_of_all_can_be_asked_for(store: Store) -> None:
    given(store, "9999-12-15T12:00:00.000Z")
    assert store.answers.usage(PROFILE, "9999-12")[0].answers == 1


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
    from tui.store.tables.answers import _USAGE

    with closing(sqlite3.connect(store.path)) as connection:
        plan = connection.execute(f"EXPLAIN QUERY PLAN {_USAGE}", {"profile": 1, "month": "2026-11"}).fetchall()
    assert "COVERING INDEX answers_usage (profile=? AND created_at>? AND created_at<?)" in plan[0][3]


def test_a_deleted_answer_is_not_shown_again_and_comes_back_whole(store: Store) -> None:
    first, second = (given(store, f"2026-11-0{day}T12:00:00.000Z") for day in (1, 2))
    store.answers.finish(
        first.id, "complete", first_token_ms=420, focus_word=FocusWord("Zug", lemma="Zug", meanings=("train",))
    )
    before = store.answers.page(PROFILE)
    assert store.answers.delete(PROFILE, [first.id[:6]]).count == 1
    assert [answer.id for answer in store.answers.page(PROFILE).items] == [second.id]
    assert store.answers.usage(PROFILE)[0].answers == 1
    assert store.trash.undo(PROFILE) == Restored("answer", 1, "Der Zug kommt.")
    assert store.answers.page(PROFILE) == before
    assert store.answers.page(PROFILE, q="train zug").total == 0
    assert store.answers.get(PROFILE, first.id).first_token_ms == 420
    assert store.answers.delete(PROFILE, [first.id, second.id]).count == 2
    kept = store.answers.kept(
        PROFILE, "explanation", "openai:gpt-5-mini", "Der Zug kommt.", "", "Explain.", "You teach."
    )
    assert kept is None, "what was deleted is not shown as an answer"
    assert store.trash.undo(PROFILE) == Restored("answer", 2, "2 answers")
    assert store.answers.page(PROFILE) == before


def test_deleting_is_for_whole_known_ids_or_nothing(store: Store) -> None:
    answer = given(store, "2026-11-01T12:00:00.000Z")
    with pytest.raises(NotFound):
        store.answers.delete(PROFILE, [answer.id, "nowhere"])
    with pytest.raises(NotFound):
        store.answers.delete("berta", [answer.id])
    assert store.answers.page(PROFILE).total == 1
    assert store.answers.delete(PROFILE, []).count == 0
    given(store, "2026-11-01T12:00:00.000Z")
    with closing(sqlite3.connect(store.path)) as connection, connection:
        connection.execute("UPDATE answers SET id = 'aaaa' || seq")
    with pytest.raises(InvalidInput, match="more than one"):
        store.answers.delete(PROFILE, ["aaaa"])
    assert store.answers.page(PROFILE).total == 2


def test_answers_of_an_older_library_are_kept_and_summed(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with lode_before("m002_usage", monkeypatch):
        store = Store.open(directory)
        with closing(sqlite3.connect(store.path)) as connection, connection:
            connection.execute("INSERT INTO profiles (name, created_at) VALUES (?, '2026-01-01')", (PROFILE,))
            connection.execute(
                "INSERT INTO answers (id, profile, kind, model, sentence, focus, context, prompt, sys_msg, question,"
                " surface, lemma, text, state, input_tokens, output_tokens, duration_ms, created_at, folded) VALUES"
                " ('old', 1, 'explanation', 'ollama:m', 's', '', '', 'p', 'm', 'q', '', '', 't', 'complete', 3, 4, 5,"
                " '2026-01-15T12:00:00.000Z', 's')"
            )
        store.close()
    store = Store.open(directory)
    old = store.answers.get(PROFILE, "old")
    assert (old.text, old.first_token_ms, old.duration_ms, old.cut) == ("t", None, 5, False)
    assert store.answers.usage(PROFILE) == (Usage("2026-01", "ollama:m", 1, 0, 3, 4, 5),)
    store.close()
    assert len(list(directory.glob("lode.db.before-m002_usage-*"))) == 1
