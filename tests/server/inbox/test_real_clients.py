"""The clients' own code against a real inbox, where somebody has brought it: it is not ours, and so not here.

``YOMITAN_SOURCE`` and ``ASBPLAYER_SOURCE`` name the directories of their sources; ``node`` must be installed, and
``esbuild`` for asbplayer (npm install --global esbuild).
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.server_process import ServerProcess
from tui.store import Store

pytestmark = pytest.mark.exhaustive
CLIENTS = Path(__file__).with_name("clients")


def brought(variable: str, *programs: str) -> str:
    """The directory of a client's sources; skips where it was not brought."""
    directory = os.environ.get(variable, "")
    if not directory or not all(map(shutil.which, programs)):
        pytest.skip(f"{variable} names no directory of its sources, or there is no {' or '.join(programs)}")
    return directory


def say(*command: str | Path) -> Any:
    done = subprocess.run(list(map(str, command)), check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_yomitan_understands_what_it_is_answered(home: Path, tmp_path: Path) -> None:
    directory = brought("YOMITAN_SOURCE", "node")
    shutil.copytree(Path(directory) / "ext" / "js", tmp_path / "ext" / "js")
    (tmp_path / "package.json").write_text('{"type": "module"}')
    with ServerProcess(home, command="inbox") as inbox:
        said = say("node", CLIENTS / "yomitan.mjs", inbox.url, tmp_path)
    assert (said["connected"], said["version"], said["stored"]) == (True, 6, "yomitan_audio_食べる.mp3")
    assert (said["before"], said["after"]) == ([True, True], [False, True])
    assert said["found"] == [[said["id"]], []] and said["info"] == [[said["id"], ["yomitan"], "Lode"], None]
    assert said["cards"] == said["cardsOfNote"] == said["browsed"] == [said["id"]]
    assert (said["updated"], said["suspended"]) == (None, True)
    with closing(Store.open(home)) as store:
        (clip,) = store.clips.page("default").items
    assert clip.focus is not None
    assert (clip.focus.surface, clip.focus.lemma, clip.focus.reading) == ("食べた", "食べる", "たべる")
    assert (clip.translation, clip.language) == ("Yesterday I ate ramen.", "ja")


def test_asbplayer_understands_what_it_is_answered(home: Path, tmp_path: Path) -> None:
    directory = brought("ASBPLAYER_SOURCE", "node", "esbuild")
    built = tmp_path / "asbplayer.cjs"
    aliases = {"asbplayer": directory, **dict.fromkeys(STUBBED, str(CLIENTS / "stubs.ts"))}
    options = ["--bundle", "--platform=node", "--log-level=error", f"--outfile={built}"]
    options += [f"--alias:{name}={path}" for name, path in aliases.items()]
    subprocess.run(["esbuild", str(CLIENTS / "asbplayer.ts"), *options], check=True)
    with ServerProcess(home, command="inbox") as inbox:
        said = say("node", built, inbox.url)
    assert (said["permission"], said["deck"], said["updated"]) == ("granted", "number", "Bahnhof")
    assert said["found"] == said["containing"] == [said["yomitan"]]
    assert (said["cards"], said["tags"]) == (3, ["yomitan", "asbplayer"])
    assert said["sentence"] == "Wir sind am <b>Bahnhof</b>."
    with closing(Store.open(home)) as store:
        clips = {clip.sentence: clip for clip in store.clips.page("default").items}
    assert len(clips) == 3 and all(clip.audio and clip.picture and clip.source == "Reise" for clip in clips.values())
    assert clips["Wir sind am Bahnhof."].start_ms == 312_300


STUBBED = (
    *("@project/common", "@project/common/settings", "@project/common/util", "@project/common/audio-clip"),
    "sanitize-filename",
)
