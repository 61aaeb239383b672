"""The history: answers tell the truth about themselves at every moment."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from tests.store.conftest import PROFILE
from tests.store.older_library import MOMENT, library_before
from tui.errors import NotFound
from tui.records.answers import Answer
from tui.records.clips import FocusWord
from tui.store import Store

FOCUS = FocusWord("fährt", lemma="fahren", meanings=("to go",), origin="llm")


def begin(store: Store, *, focus: str = "fährt", prompt: str = "Explain fährt.", model: str = "ollama:qwen3") -> Answer:
    sentence = "Wohin fährt der Zug?"
    return store.answers.begin(PROFILE, "breakdown", model, sentence, focus, "Er wartet.", prompt, "You teach.")


def kept(
    store: Store, *, focus: str = "fährt", prompt: str = "Explain fährt.", sys_msg: str = "You teach."
) -> Answer | None:
    return store.answers.kept(PROFILE, "breakdown", "ollama:qwen3", "Wohin fährt der Zug?", focus, prompt, sys_msg)


def test_an_answer_is_aborted_until_it_is_finished_and_keeps_what_came(store: Store) -> None:
    answer = begin(store)
    assert (answer.state, answer.text, answer.focus_word) == ("aborted", "", None)
    store.answers.update(answer.id, focus_word=FOCUS)
    store.answers.update(answer.id, text="**fährt** is")
    half = store.answers.get(PROFILE, answer.id[:7])
    assert (half.state, half.text, half.focus_word) == ("aborted", "**fährt** is", FOCUS)
    done = store.answers.finish(
        answer.id,
        "complete",
        error=None,
        input_tokens=12,
        output_tokens=34,
        duration_ms=560,
        focus_word=FOCUS,
        text="**fährt** is a verb.",
    )
    assert done == store.answers.page(PROFILE).items[0]
    assert (done.state, done.input_tokens, done.output_tokens, done.duration_ms) == ("complete", 12, 34, 560)
    assert (done.text, done.context, done.prompt, done.sys_msg) == (
        "**fährt** is a verb.",
        "Er wartet.",
        "Explain fährt.",
        "You teach.",
    )


def test_a_failure_keeps_its_cause_and_the_text_so_far(store: Store) -> None:
    answer = begin(store)
    store.answers.update(answer.id, text="half")
    failed = store.answers.finish(answer.id, "failed", error="the connection broke", duration_ms=3)
    assert (failed.state, failed.error, failed.text) == ("failed", "the connection broke", "half")


def test_an_answer_that_was_cut_at_the_models_limit_says_so_wherever_it_is_read(store: Store) -> None:
    cut, whole = begin(store), begin(store, focus="Zug")
    assert cut.cut is False
    assert store.answers.finish(cut.id, "complete", text="and then", cut=True).cut is True
    assert store.answers.finish(whole.id, "complete", text="done.").cut is False
    assert [answer.cut for answer in store.answers.page(PROFILE).items] == [False, True]
    found = kept(store)
    assert found is not None
    assert found.cut is True
    store.answers.delete(PROFILE, [cut.id, whole.id])
    store.trash.undo(PROFILE)
    assert [answer.cut for answer in store.answers.page(PROFILE).items] == [False, True]


def test_an_answer_that_was_deleted_before_answers_knew_of_being_cut_comes_back_whole(store: Store) -> None:
    answer = store.answers.finish(begin(store).id, "complete", text="done.", cut=True)
    store.answers.delete(PROFILE, [answer.id])
    with closing(sqlite3.connect(store.path)) as connection, connection:
        connection.execute(
            "UPDATE trash SET bundle = json_remove(bundle"
            # and before they knew of the sentence's translation and reading, and of what they follow
            + ", '$.tables.answers.columns[#-1]', '$.tables.answers.rows[0][#-1]'" * 4
            + ")"
        )
    store.trash.undo(PROFILE)
    assert store.answers.get(PROFILE, answer.id) == replace(answer, cut=False)


def test_the_newest_complete_answer_to_exactly_the_same_question_is_found_again(store: Store) -> None:
    assert kept(store) is None
    aborted = begin(store)
    assert kept(store) is None, "an aborted answer is not one to show again"
    for text in ("first", "second"):
        store.answers.finish(begin(store).id, "complete", text=text)
    store.answers.finish(aborted.id, "failed", error="x")
    found = kept(store)
    assert found is not None
    assert found.text == "second"
    assert kept(store, focus="Zug") is None
    assert kept(store, prompt="Explain fährt!") is None
    assert kept(store, sys_msg="") is None


def test_answers_are_found_by_sentence_focus_lemma_and_model(store: Store) -> None:
    answer = begin(store)
    for q in ("wohin zug", "FAHRT", "qwen3"):
        assert [found.id for found in store.answers.page(PROFILE, q=q).items] == [answer.id]
    assert store.answers.page(PROFILE, q="fahren").total == 0
    store.answers.update(answer.id, focus_word=FOCUS)
    assert store.answers.page(PROFILE, q="fahren").total == 1
    assert store.answers.page(PROFILE, q="auto").total == 0


def test_complete_breakdowns_are_counted_by_word_and_lemma(store: Store) -> None:
    for focus in ("fährt", "Fahren"):
        store.answers.finish(begin(store, focus=focus).id, "complete", focus_word=FOCUS, text="x")
    begin(store)
    assert store.answers.count_with(PROFILE, "fahren") == 2
    assert store.answers.count_with(PROFILE, "FÄHRT") == 1
    assert store.answers.count_with("berta", "fahren") == 0


def test_an_unknown_answer_says_so(store: Store) -> None:
    with pytest.raises(NotFound) as caught:
        store.answers.get(PROFILE, "nowhere")
    assert caught.value.code == "answer_not_found"
    with pytest.raises(NotFound):
        store.answers.finish("nowhere", "complete")


def test_an_answer_is_found_by_what_it_is_known_by_and_one_in_the_same_words_first(store: Store) -> None:
    usual = ("Explain in English.", "You teach.")
    english = begin(store, prompt="Explain in English.")
    store.answers.finish(english.id, "complete", text="It means to go.")

    def find(prompt: str) -> str | None:
        sentence, model = "Wohin fährt der Zug?", "ollama:qwen3"
        found = store.answers.kept(PROFILE, "breakdown", model, sentence, "fährt", prompt, "You teach.", usual)
        return found.id if found is not None else None

    assert find("Explain in Spanish.") == english.id
    spanish = store.answers.begin(
        *(PROFILE, "breakdown", "ollama:qwen3", "Wohin fährt der Zug?", "fährt", "Er wartet."),
        *("Explain in Spanish.", "You teach.", usual),
    )
    store.answers.finish(spanish.id, "complete", text="Significa ir.")
    assert find("Explain in Spanish.") == find("Explain in French.") == spanish.id
    assert find("Explain in English.") == english.id


def test_what_an_answer_says_of_its_sentence_is_kept_with_it(store: Store) -> None:
    answer = begin(store)
    assert (answer.translation, answer.sentence_reading) == ("", "")
    store.answers.update(answer.id, translation="Where is it going?", sentence_reading="昨日[きのう]")
    done = store.answers.finish(answer.id, "complete", text="ok")
    assert (done.translation, done.sentence_reading) == ("Where is it going?", "昨日[きのう]")


def test_answers_that_follow_one_stand_below_it_and_in_no_list(store: Store) -> None:
    first, other = begin(store), begin(store, focus="Zug")
    for number in range(3):
        asked = f"Why? {number}"
        follow_up = store.answers.begin(
            PROFILE, "explanation", "m", first.sentence, "fährt", "", asked, "", (first.id + asked, ""), first.id
        )
        store.answers.finish(follow_up.id, "complete", text=f"Because {number}.", cut=number == 1)
    page = store.answers.page(PROFILE)
    assert ([each.id for each in page.items], page.total) == ([other.id, first.id], 2)
    found = store.answers.page(PROFILE, q="qwen3")
    assert ([each.id for each in found.items], found.total) == ([other.id, first.id], 2)
    told = store.answers.get(PROFILE, first.id).follow_ups
    assert [(each.question, each.text, each.cut) for each in told] == [
        *(("Why? 0", "Because 0.", False), ("Why? 1", "Because 1.", True), ("Why? 2", "Because 2.", False))
    ]
    store.answers.delete(PROFILE, [told[1].id])
    assert len(store.answers.get(PROFILE, first.id).follow_ups) == 2
    assert store.answers.page(PROFILE).total == 2
    store.answers.delete(PROFILE, [first.id, other.id])
    assert store.answers.page(PROFILE).total == 0
    restored = store.trash.undo(PROFILE)
    assert restored is not None
    assert restored.count == 2
    store.trash.undo(PROFILE)
    assert store.answers.get(PROFILE, first.id).follow_ups == told
    assert store.answers.page(PROFILE).total == 2


def test_answers_of_an_older_library_follow_none_and_are_counted_as_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with library_before("m013_own_words", tmp_path, monkeypatch) as connection:
        connection.execute(
            "INSERT INTO answers (id, profile, kind, model, sentence, focus, context, prompt, sys_msg, question,"
            " surface, lemma, text, state, duration_ms, created_at, folded)"
            " VALUES ('a', 1, 'breakdown', 'm', 'Der Zug.', 'Zug', '', 'p', 's', 'q', '', '', 't', 'complete', 1, ?1,"
            " '')",
            (MOMENT,),
        )
    with closing(Store.open(tmp_path)) as store:
        (answer,) = store.answers.page(PROFILE).items
        assert (answer.id, answer.follows, answer.follow_ups) == ("a", None, ())
        assert store.answers.page(PROFILE).total == 1
        store.answers.delete(PROFILE, ["a"])
        assert store.answers.page(PROFILE).total == 0
