"""The template from the command line: fields from arguments, files and standard input; what isn't given stays."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Lode


def test_without_one_the_built_in_template_is_shown_as_such(lode: Lode) -> None:
    done = lode("template", "show", "--json")
    shown = done.json()
    assert shown["model"] == "lexicon:concordance"
    assert shown["created_at"] is None
    assert "{{" in shown["prompt"]
    assert done.err == "no template is saved; this is the built-in one\n"


def test_what_is_set_is_shown_and_the_rest_stays(lode: Lode) -> None:
    default = lode("template", "show", "--json").json()
    done = lode("template", "set", "--prompt", "Explain {{ focus }} in {{ sentence }}")
    assert (done.code, done.out, done.err) == (0, "", "the template is saved\n")
    first = lode("template", "show", "--json").json()
    assert first["prompt"] == "Explain {{ focus }} in {{ sentence }}"
    assert (first["model"], first["sys_msg"]) == (default["model"], default["sys_msg"])

    saved = lode("template", "set", "--sys-msg", "Be brief.", "--model", "openai:gpt-5-mini", "--json").json()
    assert (saved["prompt"], saved["sys_msg"]) == (first["prompt"], "Be brief.")
    assert saved["model"] == "openai:gpt-5-mini"
    shown = lode("template", "show").out
    assert shown.startswith("model            openai:gpt-5-mini\n")
    assert "\nprompt\n  Explain {{ focus }} in {{ sentence }}\n\nsystem message\n  Be brief.\n" in shown


def test_fields_for_subtitles_are_set_and_emptied(lode: Lode) -> None:
    saved = lode("template", "set", "--srt-model", "lexicon:concordance", "--srt-sys-msg", "Mend.", "--json").json()
    assert (saved["srt_model"], saved["srt_sys_msg"]) == ("lexicon:concordance", "Mend.")
    saved = lode("template", "set", "--srt-model", "", "--srt-sys-msg", "", "--json").json()
    assert (saved["srt_model"], saved["srt_sys_msg"]) == ("", "")


def test_texts_come_from_files_and_from_standard_input(lode: Lode, tmp_path: Path) -> None:
    path = tmp_path / "prompt.txt"
    path.write_bytes("\ufeffWas heißt {{ focus }}?\r\n".encode())
    saved = lode("template", "set", "--prompt", f"@{path}", "--sys-msg", "-", "--json", stdin="Kurz.\n").json()
    assert saved["prompt"] == "Was heißt {{ focus }}?\n"
    assert saved["sys_msg"] == "Kurz."
    assert lode("template", "set", "--sys-msg", "@@home", "--json").json()["sys_msg"] == "@home"


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("args", "stdin", "code", "cause"),
    [
        (["--prompt", "@nowhere.txt"], b"", 1, "the prompt cannot be read from nowhere.txt: No such file"),
        (["--prompt", "@."], b"", 1, "the prompt cannot be read from .: Is a directory"),
        (["--prompt", "@/dev/zero"], b"", 1, "it is a device, not a file"),
        (["--prompt", "-"], b"\xff\xfe\x00", 1, "the prompt in standard input is not UTF-8 text"),
        (["--prompt", "-", "--sys-msg", "-"], b"x", 2, "standard input can't be both the prompt and the system"),
        (["--prompt", "bad \udcff"], b"", 1, "'--prompt' is not UTF-8 text"),
        ([], b"", 2, "nothing was given to set"),
        (["--prompt", " "], b"", 1, "prompt"),
        (["--model", "nobody:x"], b"", 1, "nobody"),
        (["--model", ":"], b"", 1, ""),
        (["--model", "lexicon: Explain it."], b"", 1, "white space"),
        (["--model", "lexicon:big"], b"", 1, "only lexicon:concordance"),
        (["--srt-model", "openai:Mend the lines"], b"", 1, "spaces"),
        (["--prompt", "{% for %}"], b"", 1, "line 1"),
        (["--prompt", "a\n{{ contxt }}"], b"", 1, "contxt"),
        (["--prompt", "{% for a in range(10**9) %}{% endfor %}"], b"", 1, ""),
    ],
)
def test_what_cannot_be_saved_is_refused_and_the_old_one_stays(
    lode: Lode, args: list[str], stdin: bytes, code: int, cause: str
) -> None:
    lode("template", "set", "--prompt", "old {{ focus }}")
    done = lode("template", "set", *args, stdin=stdin)
    assert done.code == code, done.err
    assert done.out == ""
    assert cause in done.err
    assert "error: " in done.err
    assert "\nhint: " in done.err
    assert lode("template", "show", "--json").json()["prompt"] == "old {{ focus }}"


def test_a_deleted_template_comes_back(lode: Lode) -> None:
    lode("template", "set", "--prompt", "mine {{ focus }}")
    assert lode("template", "delete").out == "deleted 1 template\n"
    assert lode("template", "show", "--json").json()["created_at"] is None
    again = lode("template", "delete")
    assert (again.code, again.out) == (1, "")
    assert again.err.startswith("error: no template is saved\nhint: ")
    assert lode("undo").code == 0
    assert lode("template", "show", "--json").json()["prompt"] == "mine {{ focus }}"


def test_each_profile_has_its_own(lode: Lode) -> None:
    lode("template", "set", "--prompt", "anna {{ focus }}", "--profile", "anna")
    assert lode("template", "show", "--json", "--profile", "anna").json()["prompt"] == "anna {{ focus }}"
    assert lode("template", "show", "--json").json()["created_at"] is None
