"""Completion in real shells, what completes what, and that it is fast, silent and leaves nothing behind."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pexpect
import pytest

from tests.cli import written
from tests.cli.conftest import STORY, Lode, Process, add_file
from tests.server_process import LODE
from tests.waiting import HANGS
from tui.cli.completion import SHELLS, complete
from tui.cli.completion.values import _LISTS
from tui.store.record_names import KINDS


def completed(line: str) -> list[str]:
    """The values that may stand in place of the last word of a line."""
    *words, typed = line.split(" ")
    return [each.value for each in complete(words, typed).candidates]


@pytest.fixture
def films(lode: Lode, tmp_path: Path) -> dict[str, str]:
    """Ids of two transcripts by their titles."""
    added = [
        add_file(lode, tmp_path / f"{title}.srt", STORY.replace("Zug", title), "--language", "de")
        for title in ("Der letzte Zug", "Der Umzug")
    ]
    return {each["title"]: each["transcript_id"] for each in added}


# What completes what


def test_the_table_and_the_man_page_are_up_to_date() -> None:
    assert written.COMMANDS.read_text("utf-8") == written.write_commands(), "run: make man"
    assert written.MAN_PAGE.read_text("utf-8") == written.write_man_page(), "run: make man"


def test_every_kind_of_value_is_known_and_used() -> None:
    def kinds(node: Any) -> Iterator[str]:
        for part in (*node.get("options", {}).values(), *node.get("arguments", ())):
            if isinstance(part["values"], str) and part["values"] not in ("", "file", "dir"):
                yield part["values"]
        for each in node.get("commands", {}).values():
            yield from kinds(each)

    import json

    tree = json.loads(written.COMMANDS.read_text("utf-8"))
    used = {*kinds(tree), *kinds({"options": tree["common"]})}
    assert used == KINDS | _LISTS.keys()


def test_commands_and_options_are_those_that_may_come_next() -> None:
    assert completed("tr") == ["transcribe", "transcripts", "translate"]
    assert completed("transcripts s") == ["show", "shift"]
    assert completed("--profile anna transcripts sh") == ["show", "shift"]
    assert completed("transcripts list --se") == ["--search"]
    assert "--search" not in completed("transcripts list --search x --")
    assert completed("words list --state known --sta") == ["--state"]  # it may be repeated
    assert completed("words list --state k") == ["known"]
    assert completed("words list --state=k") == ["--state=known"]
    assert completed("transcripts list --columns title,l") == ["title,lang", "title,length"]
    assert completed("clips list --format ") == ["table", "json", "jsonl", "csv", "tsv"]
    assert completed("nothing sh") == completed("clips list --search ") == completed("clips list x") == []
    assert "--json" in completed("clips show x ")
    assert completed("clips show -- --js") == []
    assert (complete(["add"], "").paths, complete(["--home"], "").paths) == ("file", "dir")
    assert complete(["add", "-h"], "x").paths == "file"


def test_records_go_by_ids_with_titles_and_by_titles(lode: Lode, films: dict[str, str], home: Path) -> None:
    last, moving = films["Der letzte Zug"], films["Der Umzug"]
    (first, second) = complete(["read"], "").candidates
    assert [first.value, second.value] == [moving[:8], last[:8]]  # the newest first
    assert second.about == "Der letzte Zug · de"
    assert completed(f"transcripts show {last[:3]}") == [last[:8]]
    assert completed(f"transcripts show {last[:9]}") == [last]
    assert [each.value for each in complete(["follow"], "der l").candidates] == ["Der letzte Zug"]
    assert completed("transcripts show %") == []
    assert complete(["transcripts", "export", "x"], "./").paths == "file"
    assert completed(f"transcripts export {last} {moving[:3]}") == [moving[:8]]
    assert len(completed("files delete ")) == len(completed("jobs retry ")) == 2
    assert completed("--profile anna read ") == completed("read --profile anna ") == []
    assert completed(f"read --home {home.parent} ") == []
    assert completed("read --url http://127.0.0.1:9 ") == []
    assert completed("read --url local ") == [moving[:8], last[:8]]
    assert completed("--profile ") == ["default"]


def test_languages_models_providers_guides_and_settings_are_completed(
    lode: Lode, films: dict[str, str], home: Path
) -> None:
    assert completed("add --language ") == ["de"]  # the library's first, all others once something is typed
    assert completed("add --language pt") == ["pt"]
    assert completed("explain x --model ol") == ["ollama:"]
    assert "ollama:qwen3:8b" in completed("explain x --model ollama:")
    assert lode("explain", "Der Zug.", "--model", "lexicon:concordance").code == 0
    assert completed("explain x --model lexicon:c") == ["lexicon:concordance"]
    assert completed("models oll") == ["ollama"]
    assert completed("help fil") == ["films"]
    assert completed("config set word") == ["word_tints"]
    assert completed("add --encoding windows-125") != []
    (home / "config.toml").write_text('[providers.own]\nbase_url = "http://x"\n[keys]\nquit = "Q"\n', "utf-8")
    assert completed("models ow") == ["own"]
    assert completed("config set keys.") == ["keys.quit", "keys."]


# Fast, silent, without a trace


def test_completing_imports_neither_the_commands_nor_what_they_need(
    lode: Lode, films: dict[str, str], run_python: Callable[[str], str]
) -> None:
    code = """
import os, sys
sys.argv = ["lode", *{args}]
os.environ["_LODE_COMPLETE"] = "zsh"
from tui.cli import main
try:
    main()
except SystemExit:
    print("modules:", *sys.modules)
"""
    for args, may in ((["transcripts", "s"], set()), (["read", ""], {"sqlite3"})):
        out, _, modules = run_python(code.format(args=args)).rpartition("modules:")
        assert out.startswith("plain\n"), out
        assert len(out.splitlines()) > 1
        heavy = {"click", "asyncio", "sqlite3", "msgspec", "textual", "httpx", "tui.service", "tui.store.store"}
        assert not (heavy - may) & {*modules.split()}


def test_what_fails_is_silent_and_no_library_comes_into_being(process: Process, home: Path, tmp_path: Path) -> None:
    def answer(*args: str, **environ: str) -> tuple[int, str, str]:
        done = process(*args, env={**os.environ, "_LODE_COMPLETE": "zsh", **environ})
        return done.returncode, done.stdout, done.stderr

    before = sorted(home.rglob("*"))
    assert answer("read", "") == (0, "plain\n", "")
    assert sorted(home.rglob("*")) == before
    assert answer("read", "", LODE_HOME=str(tmp_path / "nowhere")) == (0, "plain\n", "")
    assert not (tmp_path / "nowhere").exists()
    (home / "lode.db").write_bytes(b"no database" * 500)
    assert answer("read", "") == (0, "", "")
    (home / "config.toml").write_text("x = [", "utf-8")
    assert answer("read", "") == (0, "", "")
    assert answer("transcripts", "sho") == (
        0,
        "plain\nshow\tShow a transcript: its cues with their times, and your notes below them.\n",
        "",
    )
    assert answer(_LODE_COMPLETE="bash") == (0, "", "")  # without what bash says of its line


# In shells


def spawn(shell: str, arguments: list[str], environ: dict[str, str]) -> Any:
    path = f"{Path(LODE).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "TERM": "xterm", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", **environ}
    return pexpect.spawn(shell, arguments, encoding="utf-8", dimensions=(40, 120), timeout=HANGS, env=environment)


def script(lode: Lode, shell: str, tmp_path: Path) -> Path:
    path = tmp_path / f"completion.{shell}"
    path.write_text(lode("completion", shell).out, "utf-8")
    return path


def test_bash_completes(lode: Lode, films: dict[str, str], tmp_path: Path) -> None:
    bash = spawn("bash", ["--norc", "--noprofile", "-i"], {"PS1": "$ ", "HOME": str(tmp_path)})
    bash.sendline("bind 'set enable-bracketed-paste off'; bind 'set bell-style none'; PS1='> '")
    bash.sendline(f"source '{script(lode, 'bash', tmp_path)}'; args() {{ printf '<%s>' \"$@\"; echo .; }}; echo ready")
    bash.expect("\nready")

    def typed(line: str, keys: str = "\t") -> str:
        """What stands in the line once it is completed."""
        bash.send(f"{line}{keys}")
        bash.send("\x01args \x05\n")  # ctrl+a, ctrl+e: what follows are its arguments
        bash.expect(r"\n((?:<[^\r]*>)+)\.\r")
        return str(bash.match[1])

    last = films["Der letzte Zug"]
    assert typed("lode transcrip") == "<lode><transcripts>"
    assert typed("lode transcripts list --sea") == "<lode><transcripts><list><--search>"
    assert typed(f"lode transcripts show {last[:4]}") == f"<lode><transcripts><show><{last[:8]}>"
    assert typed("lode read der ü") == "<lode><read><der><ü>"  # two words, of which no title begins with the second
    assert typed(r"lode read Der\ le") == "<lode><read><Der letzte Zug>"
    assert typed('lode read "der le') == "<lode><read><Der letzte Zug>"
    assert typed("lode explain x --model ollama:qw") == "<lode><explain><x><--model><ollama:qwen3:8b>"
    assert typed("lode explain x --model=ollama:qw") == "<lode><explain><x><--model=ollama:qwen3:8b>"
    assert typed("lode explain x --model oll") == "<lode><explain><x><--model><ollama:>"
    (tmp_path / "a film.srt").write_text("x")
    bash.sendline(f"cd '{tmp_path}'")
    assert typed("lode add a") == "<lode><add><a film.srt>"
    assert typed("lode nothing s") == "<lode><nothing><s>"
    bash.send("lode read \t\t")
    bash.expect(r"\(Der Umzug · de\)")
    bash.expect(r"\(Der letzte Zug · de\)")
    bash.close(force=True)


@pytest.mark.skipif(shutil.which("zsh") is None, reason="zsh is not installed")
def test_zsh_completes(lode: Lode, films: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / ".zshrc").write_text(
        "PS1='> '; unsetopt zle_bracketed_paste prompt_sp beep\n"
        f"autoload -Uz compinit && compinit -u -D\nsource '{script(lode, 'zsh', tmp_path)}'\n"
        "args() { printf '<%s>' \"$@\"; echo .; }; bindkey -e; echo ready\n",
        "utf-8",
    )
    zsh = spawn("zsh", ["-d", "-i"], {"ZDOTDIR": str(tmp_path), "HOME": str(tmp_path)})
    zsh.expect("ready")

    def typed(line: str) -> str:
        zsh.send(f"{line}\t\x01args \x05\n")
        zsh.expect(r"\n((?:<[^\r]*>)+)\.\r")
        return str(zsh.match[1])

    last = films["Der letzte Zug"]
    assert typed("lode transcrip") == "<lode><transcripts>"
    assert typed("lode transcripts list --sea") == "<lode><transcripts><list><--search>"
    assert typed(f"lode transcripts show {last[:4]}") == f"<lode><transcripts><show><{last[:8]}>"
    assert typed(r"lode read der\ le") == "<lode><read><Der letzte Zug>"
    assert typed("lode explain x --model ollama:qw") == "<lode><explain><x><--model><ollama:qwen3:8b>"
    assert typed("lode explain x --model=ollama:qw") == "<lode><explain><x><--model=ollama:qwen3:8b>"
    (tmp_path / "a film.srt").write_text("x")
    zsh.sendline(f"cd '{tmp_path}'")
    assert typed("lode add a") == "<lode><add><a film.srt>"
    zsh.send("lode read \t\t")  # the first only writes what all ids begin with, where these two share a letter
    zsh.expect("-- Der Umzug · de")
    zsh.expect("-- Der letzte Zug · de")
    zsh.close(force=True)


@pytest.mark.skipif(shutil.which("fish") is None, reason="fish is not installed")
def test_fish_completes(lode: Lode, films: dict[str, str], tmp_path: Path) -> None:
    path = f"{Path(LODE).parent}{os.pathsep}{os.environ['PATH']}"
    environ = {**os.environ, "PATH": path, "HOME": str(tmp_path), "LC_ALL": "C.UTF-8"}
    (tmp_path / "a film.srt").write_text("x")

    def offered(line: str) -> list[str]:
        """The lines that fish would show: values, and what they are behind a tab."""
        code = f"source '{script(lode, 'fish', tmp_path)}'; cd '{tmp_path}'; complete --do-complete='{line}'"
        done = subprocess.run(["fish", "-c", code], capture_output=True, text=True, env=environ, timeout=HANGS)
        assert done.stderr == ""
        return done.stdout.splitlines()

    last, moving = films["Der letzte Zug"], films["Der Umzug"]
    assert [line.split("\t")[0] for line in offered("lode tran")] == ["transcribe", "transcripts", "translate"]
    assert [line.split("\t")[0] for line in offered("lode transcripts list --sea")] == ["--search"]
    assert offered("lode read ") == [f"{moving[:8]}\tDer Umzug · de", f"{last[:8]}\tDer letzte Zug · de"]
    assert offered(r"lode read Der\ le") == ["Der letzte Zug\tde"]
    assert offered("lode explain x --model ollama:qw") == ["ollama:qwen3:8b"]
    assert [line.split("\t")[0] for line in offered("lode add a")] == ["a film.srt"]


def test_a_script_is_written_where_its_shell_finds_it(
    lode: Lode, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "BASH_COMPLETION_USER_DIR"):
        monkeypatch.delenv(name, raising=False)
    places = (".local/share/bash-completion/completions/lode", ".zfunc/_lode", ".config/fish/completions/lode.fish")
    for shell, place in zip(SHELLS, places, strict=True):
        done = lode("completion", shell, "--install")
        assert (done.code, done.out) == (0, f"{tmp_path / place}\n")
        assert (tmp_path / place).read_text("utf-8") == lode("completion", shell).out
    (tmp_path / ".zfunc" / "_lode").unlink()
    (tmp_path / ".zfunc").rmdir()
    (tmp_path / ".zfunc").write_text("x")
    lode("completion", "zsh", "--install").check_refused("_lode cannot be written")


def test_what_older_lodes_had_in_a_shells_settings_still_works(process: Process, lode: Lode) -> None:
    done = process(env={**os.environ, "_LODE_COMPLETE": "bash_source"})
    assert (done.returncode, done.stdout) == (0, lode("completion", "bash").out)
    environ = {"_LODE_COMPLETE": "bash_complete", "COMP_WORDS": "lode clips l", "COMP_CWORD": "2"}
    done = process(env={**os.environ, **environ})
    assert (done.returncode, done.stdout) == (0, "plain,list\n")


def test_the_man_page_is_shown_as_it_is(tmp_path: Path) -> None:
    if shutil.which("groff") is None:
        pytest.skip("groff is not installed")
    done = subprocess.run(
        ["groff", "-man", "-Tutf8", "-ww", "-P-c", str(written.MAN_PAGE)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    shown = re.sub(".\x08", "", done.stdout)  # bold is a letter over itself
    assert "lode transcripts list" in shown
    assert "--columns NAME,…" in shown
