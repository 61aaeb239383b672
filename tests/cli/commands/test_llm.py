"""Asking from the command line: with the offline lexicon, so that no network is needed."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from tests.cli.conftest import Lode, columns

SENTENCE = "Der Zug fährt heute pünktlich ab."


def test_providers_are_listed_with_what_they_miss(lode: Lode) -> None:
    by_name = {row["provider"]: row for row in lode("providers", "--json").json()}
    assert by_name["lexicon"]["available"] is True
    assert by_name["openai"]["available"] is False
    assert "OPENAI_API_KEY" in by_name["openai"]["reason"]
    assert "openai" in [row[0] for row in columns(lode("providers"))]
    assert lode("providers", terminal=True).out.startswith("provider")


def test_models_are_listed_one_a_line(lode: Lode) -> None:
    assert lode("models", "lexicon").out == "concordance\n"
    assert lode("models", "lexicon", "--json").json() == ["concordance"]
    unknown = lode("models", "nobody")
    assert unknown.code == 1
    assert unknown.err.startswith("error: ")
    assert "\nhint: " in unknown.err


def test_a_preview_shows_the_rendered_prompt(lode: Lode, tmp_path: Path) -> None:
    prompt = tmp_path / "prompt.txt"
    prompt.write_text("Was heißt {{ focus }} in: {{ sentence }}{% if context %} ({{ context }}){% endif %}", "utf-8")
    args = ["preview", "--sentence", SENTENCE, "--focus", "Zug", "--context", "Am Bahnhof.", "--prompt", f"@{prompt}"]
    text = f"Was heißt Zug in: {SENTENCE} (Am Bahnhof.)"
    assert lode(*args).out == text + "\n"
    assert lode(*args, "--json").json() == text
    assert SENTENCE in lode("preview", "--sentence", "-", stdin=SENTENCE + "\n").out
    assert lode("preview", "--sentence", "x", "--prompt", "{{ language }}", "--language", "de").out == "German\n"


def test_a_template_error_names_line_column_and_the_values_there_are(lode: Lode) -> None:
    done = lode("preview", "--sentence", SENTENCE, "--prompt", "{{ sentence }}\n{{ contxt }}")
    assert (done.code, done.out) == (1, "")
    assert "line 2" in done.err
    assert "contxt" in done.err
    for name in ("sentence", "focus", "context", "language", "source"):
        assert name in done.err


def test_a_breakdown_prints_the_focus_card_and_then_the_explanation(lode: Lode) -> None:
    done = lode("breakdown", SENTENCE, "--focus", "fährt … ab", "--language", "de")
    assert done.code == 0, done.err
    card, _, explanation = done.out.partition("\n\n")
    assert card.startswith("fährt … ab")
    assert explanation.strip()
    assert done.out.endswith("\n")
    assert "clip" not in done.err


def test_a_breakdown_as_json_is_focus_tokens_and_done(lode: Lode) -> None:
    done = lode("breakdown", "-", "--focus", "Zug", "--language", "de", "--json", stdin=SENTENCE + "\n")
    assert done.code == 0, done.err
    first, *tokens, last = done.events()
    assert first["event"] == "focus"
    assert first["focus"]["surface"] == "Zug"
    assert first["focus"]["origin"] == "lexicon"
    assert tokens
    assert all(set(event) == {"event", "text"} and event["event"] == "token" for event in tokens)
    assert last["event"] == "done"
    assert last["state"] == "complete"
    assert last["model"] == "lexicon:concordance"
    assert "clip_id" not in last
    answer = lode("history", "show", last["answer_id"], "--json").json()
    assert answer["text"] == "".join(event["text"] for event in tokens)
    assert [row[0] for row in columns(lode("history", "list"))] == [last["answer_id"]]
    assert SENTENCE in lode("history", "show", last["answer_id"]).out


def test_a_saved_breakdown_is_a_clip(lode: Lode) -> None:
    given = (SENTENCE, "--focus", "Zug", "--language", "de", "--save")
    last = lode("breakdown", *given, "--context", "Am Bahnhof.", "--json").events()[-1]
    clip = lode("clips", "show", last["clip_id"], "--json").json()
    assert (clip["sentence"], clip["context"], clip["focus"]["surface"]) == (SENTENCE, "Am Bahnhof.", "Zug")
    assert clip["model"] == "lexicon:concordance"
    assert clip["explanation"]
    again = lode("breakdown", *given, "--json").events()[-1]
    assert again["clip_id"] == last["clip_id"], "the same word in the same sentence is one clip"
    told = lode("breakdown", "Der nächste Zug kommt.", *given[1:])
    assert "\nkept as clip " in told.err
    assert told.err.endswith("Zug had 1 clip already: lode clips list --search Zug\n")
    assert len(lode("clips", "list", "--json").json()) == 2


def test_the_command_that_lists_older_clips_can_be_typed_as_it_is_told(lode: Lode) -> None:
    given = ("Der Zug hat wohl Verspätung.", "--focus", "Zug hat", "--language", "de", "--save")
    lode("breakdown", *given)
    told = lode("breakdown", "Heute hat der Zug hat.", *given[1:]).err.splitlines()[-1]
    command = shlex.split(told.partition("already: lode ")[2])
    assert len(columns(lode(*command))) == 2


def test_an_explanation_has_no_focus(lode: Lode) -> None:
    events = lode("explain", SENTENCE, "--json").events()
    assert {event["event"] for event in events} == {"token", "done"}
    assert lode("explain", SENTENCE).out.strip()


def test_a_terminal_sees_what_happens_on_standard_error(lode: Lode) -> None:
    done = lode("breakdown", SENTENCE, "--focus", "Zug", terminal=True)
    assert done.code == 0
    assert "\x1b" not in done.out
    *remarks, end = done.err.rpartition("\x1b[2K")[2].splitlines()
    assert remarks[0].startswith("no dictionary has this word")
    assert end.startswith("lexicon:concordance · complete · ")


@pytest.mark.parametrize("language", [(), ("--language", "de")])
def test_of_an_unknown_word_the_text_says_so_and_a_clip_does_not(lode: Lode, language: tuple[str, ...]) -> None:
    done = lode("breakdown", "Xyzzy hat er gesagt.", "--focus", "Xyzzy", "--save", "--json", *language)
    assert "".join(event["text"] for event in done.events() if event["event"] == "token") == (
        "No dictionary here has the word “Xyzzy”.\n"
    )
    assert done.events()[-1]["nothing_known"] is True
    (kept,) = lode("clips", "list", "--json").json()
    assert kept["explanation"] == ""
    assert "No dictionary here has" in lode("breakdown", "Xyzzy hat er gesagt.", "--focus", "Xyzzy", *language).out


def test_what_the_app_remarks_gets_onto_no_card(lode: Lode) -> None:
    from tui.deck.note import make_values
    from tui.records.clips import NewClip

    done = lode("breakdown", SENTENCE, "--focus", "Zug", "--save", terminal=True)
    assert "no dictionary has this word" in done.err
    (kept,) = lode("clips", "list", "--json").json()
    card = "".join(make_values(NewClip(SENTENCE, explanation=kept["explanation"])))
    assert "no dictionary" not in card + kept["note"]


@pytest.mark.parametrize(
    ("args", "cause"),
    [
        (["breakdown", SENTENCE, "--focus", "Bus"], "the focus 'Bus' does not stand in the sentence"),
        (["breakdown", SENTENCE, "--focus", "ab … fährt"], "does not stand in the sentence"),
        (["breakdown", SENTENCE, "--focus", " "], "the focus word is empty"),
        (["breakdown", "  ", "--focus", "Zug"], "the sentence is empty"),
        (["breakdown", "-", "--focus", "Zug"], "the sentence is empty"),
        (["breakdown", "-", "--focus", "-"], "standard input can't be both"),
        (["explain", ""], "the sentence is empty"),
    ],
)
def test_what_cannot_be_asked_is_wrong_usage(lode: Lode, args: list[str], cause: str) -> None:
    done = lode(*args, stdin="Zug" if args[-1] == "-" else "")
    assert (done.code, done.out) == (2, "")
    assert cause in done.err
    assert done.err.splitlines()[-1].startswith("hint: ")


@pytest.mark.exhaustive
@pytest.mark.parametrize("focus", ["zug", "fährt...ab", "fährt … ab", "pünktlich", "pu\u0308nktlich"])
def test_the_focus_may_be_in_parts_in_capitals_and_composed_otherwise(lode: Lode, focus: str) -> None:
    assert lode("breakdown", SENTENCE, "--focus", focus).code == 0


@pytest.mark.parametrize(
    ("model", "cause"), [("nobody:x", "nobody"), ("openai:gpt-5-mini", "OPENAI_API_KEY"), ("lexicon:", "model")]
)
def test_a_model_that_cannot_answer_is_an_error_in_both_forms(lode: Lode, model: str, cause: str) -> None:
    done = lode("explain", SENTENCE, "--model", model)
    assert (done.code, done.out) == (1, "")
    assert cause in done.err
    assert "\nhint: " in done.err
    as_json = lode("explain", SENTENCE, "--model", model, "--json")
    assert as_json.code == 1
    error, last = as_json.events()
    assert set(error) == {"event", "code", "message", "hint"}
    assert cause in error["message"] + error["hint"]
    assert (last["event"], last["state"]) == ("done", "failed")
