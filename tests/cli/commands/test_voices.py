"""``lode clips speak`` and ``unspeak``."""

from __future__ import annotations

import pytest

from tests.cli.conftest import Lode
from tests.voices.programs import Programs
from tests.voices.programs import programs as programs
from tui.records.clips import FocusWord, NewClip
from tui.store import Store

pytest.importorskip("av", reason="PyAV is not installed: pip install 'lode[media]'")


def test_clips_are_spoken_shown_and_silent_again(lode: Lode, store: Store, programs: Programs) -> None:
    zug = store.clips.add("default", NewClip("Der Zug.", focus=FocusWord("Zug", language="de"), tags=("rail",)))
    cat = store.clips.add("default", NewClip("The cat.", focus=FocusWord("cat", language="tlh")))
    assert "there is nothing to speak" in lode("clips", "speak", "--tag", "none").err
    done = lode("clips", "speak", zug.id[:5])
    assert (done.code, done.out) == (0, "done\tspeech\t1 clip spoken\n")
    assert "sound  spoken by a machine (espeak-ng de)" in lode("clips", "show", zug.id).out
    assert lode("clips", "show", zug.id, "--json").json()["voice"] == "espeak-ng de"
    refused = lode("clips", "speak", cat.id)
    assert refused.code == 1
    assert refused.err.startswith("refused  speech: espeak-ng has no voice for tlh\nhint: there are af, cmn")
    (event,) = lode("clips", "speak", "--again", "--search", "Zug", "--json").events()
    assert (event["state"], event["kind"], event["title"]) == ("done", "speech", "0 clips spoken")
    assert lode("clips", "unspeak", cat.id).out == "0 clips without the machine's voice\n"
    assert lode("clips", "unspeak", "--tag", "rail", "--json").json() == {"count": 1}
    assert store.clips.get("default", zug.id).audio is None
