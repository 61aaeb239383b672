"""The curl lines of the guide about HTTP, each run against a real server in the order in which they stand there."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.commands.test_serve import TOKEN, ask
from tests.cli.conftest import STORY
from tests.dictionaries.making import term_row, yomitan
from tests.media.films import make_film
from tests.server_process import ServerProcess
from tests.waiting import HANGS, wait_until
from tui.guides import read_guide


def commands() -> list[str]:
    """The lines of the guide's blocks, without their comments."""
    lines = "".join(read_guide("http").split("```\n")[1::2]).splitlines()
    assert lines[0].startswith("LODE=http://127.0.0.1:8765")
    return [line for line in lines[1:] if not line.startswith("# ")]


@pytest.fixture
def server(home: Path) -> Iterator[ServerProcess]:
    if shutil.which("curl") is None:
        pytest.skip("curl is not installed")
    with ServerProcess(home) as server:
        yield server


def with_id(server: ServerProcess, command: str) -> str:
    """An ID stands for the newest of the list in whose path it is, ID2 for another one."""
    if "media?of=ID" in command:
        transcripts = ask(f"{server.url}/profiles/transcripts")
        assert isinstance(transcripts, list)
        return command.replace("of=ID", f"of={transcripts[0]['id']}")
    found = re.search(r"(/profiles/\w+)/ID", command) or re.search(r"(/dictionaries)/order", command)
    if found is None and "deck_export" not in command:
        return command
    rows = ask(server.url + ("/profiles/clips" if found is None else found[1]))
    assert isinstance(rows, list)
    command = command.replace("/ID", f"/{rows[0]['id']}").replace('["ID"]', f'["{rows[0]["id"]}"]')
    return command.replace("ID2", rows[-1]["id"])


def run(server: ServerProcess, command: str, folder: Path) -> str:
    """Output of a curl command; fails where curl or the server does."""
    assert command.startswith("curl ")
    line = with_id(server, command).replace("curl ", "curl -sS --fail-with-body --max-time 100 ", 1)
    environ = {**os.environ, "LODE": server.url, "LODE_TOKEN": TOKEN}
    done = subprocess.run(
        ["/bin/sh", "-c", line], cwd=folder, env=environ, capture_output=True, text=True, timeout=HANGS, check=False
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    wait_until(lambda: not ask(f"{server.url}/profiles/jobs_running"))
    return done.stdout


@pytest.mark.exhaustive
def test_every_line_does_what_the_guide_says(server: ServerProcess, tmp_path: Path) -> None:
    (tmp_path / "film.de.srt").write_text(STORY, "utf-8")
    (tmp_path / "film.en.srt").write_text(STORY.replace("Zug", "train"), "utf-8")
    make_film(tmp_path / "film.mkv", 2)
    (tmp_path / "words.txt").write_text("der Hund\n", "utf-8")
    (tmp_path / "notes.jsonl").write_text('{"count": 0, "note_types": []}\n', "utf-8")
    yomitan(tmp_path / "wty-de-en.zip", [term_row("fahren", "to drive")])
    run(server, 'curl --data-binary @film.en.srt "$LODE/profiles/files?name=film.en.srt"', tmp_path)
    said = {command: run(server, command, tmp_path) for command in commands()}
    assert len(said) >= 20

    def out(part: str) -> str:
        (found,) = (answer for command, answer in said.items() if command.endswith(part))
        return found

    assert json.loads(out("/health"))["name"] == "lode"
    assert json.loads(out('files?name=film.de.srt"'))["kind"] == "import"
    assert [job["state"] for job in json.loads(out("/jobs"))] == ["succeeded"] * 2
    assert [cue["text"] for cue in json.loads(out("/ID/cues"))] == ["Der Zug fährt ab.", "Wir fahren mit."]
    assert (tmp_path / "film.vtt").read_text("utf-8").startswith("WEBVTT\n")
    assert json.loads(out("/reread"))["source"].endswith("/film.de.srt")
    breakdown = out("/llm/breakdown")
    assert breakdown.startswith("event: focus\ndata: {")
    assert "\nevent: done\n" in breakdown
    assert json.loads(out("/preview")) == "Explain Der Zug fährt ab."
    assert (tmp_path / "Lode.apkg").stat().st_size > 1000
    assert json.loads(out('"sys_msg": "Be brief."}\' $LODE/profiles/template'))["model"] == "openai:gpt-5-mini"
    assert json.loads(out("/undo"))["summary"]
    assert json.loads(out('anna" $LODE/profiles/clips')) == []
    assert len(json.loads(out('$LODE_TOKEN" $LODE/profiles/clips'))) == 1
    assert (tmp_path / "lode-backup.db").read_bytes().startswith(b"SQLite format 3\0")
