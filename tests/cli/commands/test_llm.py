"""Asking from the command line with the offline lexicon, so that no network is needed; the prompt template."""

from __future__ import annotations

import shlex
from pathlib import Path

from tests.cli.conftest import Lode, columns
from tui.deck.note import make_values
from tui.records.clips import NewClip

SENTENCE = "Der Zug fährt heute pünktlich ab."


def test_providers_and_models_are_listed_with_what_they_miss(lode: Lode) -> None:
    by_name = {row["provider"]: row for row in lode("providers", "--json").json()}
    assert (by_name["lexicon"]["available"], by_name["openai"]["available"]) == (True, False)
    assert "OPENAI_API_KEY" in by_name["openai"]["reason"]
    assert "openai" in [row[0] for row in columns(lode("providers"))]
    title, *rows = lode("providers", terminal=True).out.splitlines()
    assert title.split() == ["provider", "usable", "where", "missing"]
    assert len(rows) == len(by_name)
    assert all(len(row) <= 80 and "…" not in row for row in rows)
    assert lode("models", "lexicon").out == "concordance\n"
    assert lode("models", "lexicon", "--json").json() == ["concordance"]
    for provider, said, hint in (
        ("openai", "OpenAI needs a key, and OPENAI_API_KEY is not set", "export OPENAI_API_KEY=…"),
        ("opnai", "unknown provider 'opnai'; did you mean 'openai'?", "config.toml"),
    ):
        lode("models", provider).check_refused(f"error: {said}\nhint: ", hint)


def test_a_preview_shows_the_rendered_prompt(lode: Lode, tmp_path: Path) -> None:
    prompt = tmp_path / "prompt.txt"
    prompt.write_text("Was heißt {{ focus }} in: {{ sentence }}{% if context %} ({{ context }}){% endif %}", "utf-8")
    args = ["preview", "--sentence", SENTENCE, "--focus", "Zug", "--context", "Am Bahnhof.", "--prompt", f"@{prompt}"]
    text = f"Was heißt Zug in: {SENTENCE} (Am Bahnhof.)"
    assert lode(*args).out == text + "\n"
    assert lode(*args, "--json").json() == text
    assert SENTENCE in lode("preview", "--sentence", "-", stdin=SENTENCE + "\n").out
    assert lode("preview", "--sentence", "x", "--prompt", "{{ language }}", "--language", "de").out == "German\n"
    wrong = lode("preview", "--sentence", SENTENCE, "--prompt", "{{ sentence }}\n{{ contxt }}")
    wrong.check_refused("line 2", "contxt", "sentence", "focus", "context", "language", "source")


def test_a_breakdown_is_focus_card_and_explanation_or_for_programs_focus_tokens_and_done(lode: Lode) -> None:
    done = lode("breakdown", SENTENCE, "--focus", "fährt … ab", "--language", "de")
    assert (done.code, done.out[-1]) == (0, "\n")
    card, _, explanation = done.out.partition("\n\n")
    assert card.startswith("fährt … ab")
    assert explanation.strip()
    assert "clip" not in done.err
    done = lode("breakdown", "-", "--focus", "Zug", "--language", "de", "--json", stdin=SENTENCE + "\n")
    assert done.code == 0, done.err
    first, *tokens, last = done.events()
    assert (first["event"], first["focus"]["surface"], first["focus"]["origin"]) == ("focus", "Zug", "lexicon")
    assert tokens
    assert all(set(event) == {"event", "text"} and event["event"] == "token" for event in tokens)
    assert (last["event"], last["state"], last["model"]) == ("done", "complete", "lexicon:concordance")
    assert "clip_id" not in last
    answer = lode("history", "show", last["answer_id"], "--json").json()
    assert answer["text"] == "".join(event["text"] for event in tokens)
    assert columns(lode("history", "list"))[0][0] == last["answer_id"]
    assert SENTENCE in lode("history", "show", last["answer_id"]).out
    events = lode("explain", SENTENCE, "--json").events()
    assert {event["event"] for event in events} == {"token", "done"}
    assert lode("explain", SENTENCE).out.strip()


def test_a_saved_breakdown_is_a_clip_and_older_ones_of_the_word_are_told(lode: Lode) -> None:
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
    two_words = ("--focus", "Zug hat", "--language", "de", "--save")
    lode("breakdown", "Der Zug hat wohl Verspätung.", *two_words)
    told = lode("breakdown", "Heute hat der Zug hat.", *two_words)
    command = shlex.split(told.err.splitlines()[-1].partition("already: lode ")[2])
    assert len(columns(lode(*command))) == 2


def test_a_terminal_sees_what_happens_on_standard_error_and_none_of_it_gets_onto_a_card(lode: Lode) -> None:
    done = lode("breakdown", SENTENCE, "--focus", "Zug", "--save", terminal=True)
    assert done.code == 0
    assert "\x1b" not in done.out
    remarks = done.err.rpartition("\x1b[2K")[2].splitlines()
    assert remarks[0].startswith("no dictionary has this word")
    assert remarks[-1].startswith("lexicon:concordance · complete · ")
    (kept,) = lode("clips", "list", "--json").json()
    card = "".join(make_values(NewClip(SENTENCE, explanation=kept["explanation"])))
    assert "no dictionary" not in card + kept["note"]


def test_of_an_unknown_word_the_text_says_so_and_a_clip_does_not(lode: Lode) -> None:
    for language in ((), ("--language", "de")):
        done = lode("breakdown", "Xyzzy hat er gesagt.", "--focus", "Xyzzy", "--save", "--json", *language)
        assert "".join(event["text"] for event in done.events() if event["event"] == "token") == (
            "No dictionary here has the word “Xyzzy”.\n"
        )
        assert done.events()[-1]["nothing_known"] is True
        (kept,) = lode("clips", "list", "--json").json()
        assert kept["explanation"] == ""


def test_what_cannot_be_asked_is_wrong_usage(lode: Lode) -> None:
    for args, cause in (
        (["breakdown", SENTENCE, "--focus", "Bus"], "the focus 'Bus' does not stand in the sentence"),
        (["breakdown", SENTENCE, "--focus", "ab … fährt"], "does not stand in the sentence"),
        (["breakdown", SENTENCE, "--focus", " "], "the focus word is empty"),
        (["breakdown", "-", "--focus", "Zug"], "the sentence is empty"),
        (["breakdown", "-", "--focus", "-"], "standard input can't be both"),
        (["explain", ""], "the sentence is empty"),
    ):
        lode(*args, stdin="Zug" if args[-1] == "-" else "").check_refused(cause, code=2)
    for focus in ("zug", "fährt...ab", "pu\u0308nktlich"):
        assert lode("breakdown", SENTENCE, "--focus", focus).code == 0, focus


def test_a_model_that_cannot_answer_is_an_error_in_both_forms(lode: Lode) -> None:
    for model, cause in (("nobody:x", "nobody"), ("openai:gpt-5-mini", "OPENAI_API_KEY"), ("lexicon:", "model")):
        lode("explain", SENTENCE, "--model", model).check_refused(cause)
    as_json = lode("explain", SENTENCE, "--model", "nobody:x", "--json")
    assert as_json.code == 1
    error, last = as_json.events()
    assert set(error) == {"event", "code", "message", "hint"}
    assert "nobody" in error["message"]
    assert (last["event"], last["state"]) == ("done", "failed")


# The template


def test_a_template_is_set_shown_and_deleted_and_what_is_not_given_stays(lode: Lode) -> None:
    built_in = lode("template", "show", "--json")
    assert built_in.err == "no template is saved; this is the built-in one\n"
    usual = built_in.json()
    assert (usual["model"], usual["created_at"]) == ("lexicon:concordance", None)
    done = lode("template", "set", "--prompt", "Explain {{ focus }} in {{ sentence }}")
    assert (done.code, done.out, done.err) == (0, "", "the template is saved\n")
    first = lode("template", "show", "--json").json()
    assert (first["model"], first["sys_msg"]) == (usual["model"], usual["sys_msg"])
    saved = lode("template", "set", "--sys-msg", "Be brief.", "--model", "openai:gpt-5-mini", "--json").json()
    assert (saved["prompt"], saved["sys_msg"], saved["model"]) == (first["prompt"], "Be brief.", "openai:gpt-5-mini")
    shown = lode("template", "show").out
    assert shown.startswith("model            openai:gpt-5-mini\n")
    assert "\nprompt\n  Explain {{ focus }} in {{ sentence }}\n\nsystem message\n  Be brief.\n" in shown
    for model, message in (("lexicon:concordance", "Mend."), ("", "")):
        saved = lode("template", "set", "--srt-model", model, "--srt-sys-msg", message, "--json").json()
        assert (saved["srt_model"], saved["srt_sys_msg"]) == (model, message)
    assert lode("template", "show", "--json", "--profile", "anna").json()["created_at"] is None
    assert lode("template", "delete").out == "deleted 1 template\n"
    lode("template", "delete").check_refused("error: no template is saved\nhint: ")
    assert lode("undo").code == 0
    assert lode("template", "show", "--json").json()["prompt"] == first["prompt"]


def test_texts_come_from_files_and_from_standard_input(lode: Lode, tmp_path: Path) -> None:
    path = tmp_path / "prompt.txt"
    path.write_bytes("\ufeffWas heißt {{ focus }}?\r\n".encode())
    saved = lode("template", "set", "--prompt", f"@{path}", "--sys-msg", "-", "--json", stdin="Kurz.\n").json()
    assert (saved["prompt"], saved["sys_msg"]) == ("Was heißt {{ focus }}?\n", "Kurz.")
    assert lode("template", "set", "--sys-msg", "@@home", "--json").json()["sys_msg"] == "@home"


def test_a_template_that_cannot_be_saved_is_refused_and_the_old_one_stays(lode: Lode) -> None:
    lode("template", "set", "--prompt", "old {{ focus }}")
    for args, stdin, code, cause in (
        (["--prompt", "@nowhere.txt"], b"", 1, "the prompt cannot be read from nowhere.txt: No such file"),
        (["--prompt", "@."], b"", 1, "the prompt cannot be read from .: Is a directory"),
        (["--prompt", "@/dev/zero"], b"", 1, "it is a device, not a file"),
        (["--prompt", "-"], b"\xff\xfe\x00", 1, "the prompt in standard input is not UTF-8 text"),
        (["--prompt", "-", "--sys-msg", "-"], b"x", 2, "standard input can't be both the prompt and the system"),
        (["--prompt", "bad \udcff"], b"", 1, "'--prompt' is not UTF-8 text"),
        ([], b"", 2, "nothing was given to set"),
        (["--model", "nobody:x"], b"", 1, "nobody"),
        (["--prompt", "a\n{{ contxt }}"], b"", 1, "contxt"),
    ):
        lode("template", "set", *args, stdin=stdin).check_refused("error: ", cause, code=code)
    assert lode("template", "show", "--json").json()["prompt"] == "old {{ focus }}"
