"""``lode inbox``: a real one, what it says, how it ends, and what keeps it from starting."""

from __future__ import annotations

import signal
import subprocess
from pathlib import Path

import pytest

from tests.cli.commands.test_serve import send
from tests.cli.conftest import Lode
from tests.server_process import ServerProcess
from tests.waiting import HANGS
from tui.anki.connect import AnkiConnect
from tui.errors import ProviderError

NOTE = {
    "deckName": "Lode::German",
    "modelName": "Lode",
    "fields": {"Sentence": "Der Zug <b>fährt</b> ab.", "Expression": "fahren"},
}


def test_it_says_what_to_write_where_takes_cards_and_stops_with_ctrl_c(home: Path, lode: Lode) -> None:
    with ServerProcess(home, command="inbox", port=0) as inbox:
        assert inbox.said[0].startswith("Lode ")
        assert inbox.said[0].endswith(f" takes cards for the profile default at {inbox.url}")
        assert not inbox.url.endswith((":0", ":8767"))
        programs = {line.split("  ")[1]: line for line in inbox.said[1:-2]}
        assert list(programs) == [
            "Yomitan", "asbplayer", "mpvacious", "GameSentenceMiner", "vocabsieve, JL", "KOReader",
        ]  # fmt: skip
        for program in ("Yomitan", "asbplayer", "GameSentenceMiner", "vocabsieve, JL"):
            assert programs[program].endswith(inbox.url)
        assert programs["mpvacious"].endswith(f"ankiconnect_url={inbox.url.removeprefix('http://')}")  # takes no scheme
        assert inbox.said[-2:] == ["lode push puts what came into Anki", "ctrl+c stops it"]
        added = send(inbox.url, {"action": "addNote", "version": 6, "params": {"note": NOTE}})
        assert added["error"] is None
        (clip,) = lode("clips", "list", "--json").json()
        assert (clip["sentence"], clip["focus"]["surface"]) == ("Der Zug fährt ab.", "fährt")
        assert inbox.stop(signal.SIGINT) == 0
    assert inbox.said[-1] == "stopped"


@pytest.mark.exhaustive
def test_it_ends_with_its_input_where_it_is_to_and_not_else(home: Path) -> None:
    with ServerProcess(home, "--with-input", command="inbox") as inbox:
        inbox.end_input()
        assert inbox.process.wait(HANGS) == 0
    assert inbox.said[-1] == "stopped"
    with ServerProcess(home, "--with-input", command="inbox") as inbox:
        assert inbox.stop() == 0  # a signal ends it although its input is open
    with ServerProcess(home, command="inbox") as inbox:
        inbox.end_input()
        with pytest.raises(subprocess.TimeoutExpired):
            inbox.process.wait(0.5)
        assert inbox.stop() == 0


def test_of_a_server_s_library_it_says_where_the_inbox_runs(
    home: Path, lode: Lode, monkeypatch: pytest.MonkeyPatch
) -> None:
    hint = "lode serve --inbox there, and here: ssh -L 8767:127.0.0.1:8767 HOST"
    lode("inbox", "--url", "http://127.0.0.1:1").check_refused("the inbox is where the library is", hint, code=2)
    with monkeypatch.context() as patch:
        patch.setenv("LODE_URL", "http://127.0.0.1:1")
        lode("inbox").check_refused(hint, code=2)
        # Its own library all the same: the next thing that is wrong is named.
        lode("--url", "local", "inbox", "--host", "0.0.0.0").check_refused("there is no key")
    (home / "config.toml").write_text('url = "http://127.0.0.1:1"\n', "utf-8")
    lode("inbox").check_refused(hint, code=2)


def test_where_others_reach_it_it_wants_a_key(lode: Lode, tmp_path: Path) -> None:
    lode("inbox", "--host", "0.0.0.0").check_refused("others can reach 0.0.0.0, and there is no key", "--key-file")
    (tmp_path / "key").write_text("two words\n")
    lode("inbox", "--host", "0.0.0.0", "--key-file", str(tmp_path / "key")).check_refused("key")


def test_a_port_of_the_settings_is_its_own(home: Path, lode: Lode) -> None:
    (home / "config.toml").write_text("inbox_port = 70000\n", "utf-8")
    lode("inbox").check_refused("inbox_port must be a port, 0 to 65535, not 70000")
    (home / "config.toml").unlink()
    with ServerProcess(home, command="inbox") as other:
        (home / "config.toml").write_text(f"inbox_port = {other.port}\n", "utf-8")
        lode("inbox").check_refused(f"an inbox of Lode listens at 127.0.0.1:{other.port} already", "--port 8770")
        lode("inbox", "--with-input").check_refused("hint: end that one, or", "lode config set inbox_port 8770")


async def test_cards_are_never_pushed_into_an_inbox_as_if_it_were_anki(home: Path, lode: Lode) -> None:
    with ServerProcess(home, command="inbox") as inbox:
        with pytest.raises(ProviderError) as error:
            await AnkiConnect(inbox.url).collection()
        assert error.value.code == "own_inbox"


def test_push_to_an_inbox_says_what_answers_there(home: Path, lode: Lode) -> None:
    with ServerProcess(home, command="inbox") as inbox:
        send(inbox.url, {"action": "addNote", "version": 6, "params": {"note": NOTE}})
        lode("push", "--anki", inbox.url).check_refused(
            f"what answers at {inbox.url} is the inbox of Lode itself, and not Anki", "webBindPort"
        )
