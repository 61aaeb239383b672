"""``lode transcripts retime``, as it is typed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Lode, add_file
from tests.retiming.made_cues import make_spans, write_cues


def _time(ms: int) -> str:
    return f"00:{ms // 60_000:02}:{ms // 1000 % 60:02},{ms % 1000:03}"


def test_a_transcript_is_retimed_by_a_factor_by_lines_and_by_another_track(lode: Lode, tmp_path: Path) -> None:
    spoken = make_spans(3, 12)
    for name, cues in (("wrong", write_cues(spoken, 1, 0.96, 2350)), ("right", write_cues(spoken, 2))):
        blocks = (f"{at + 1}\n{_time(begin)} --> {_time(end)}\nZeile {at}.\n" for at, (begin, end) in enumerate(cues))
        add_file(lode, tmp_path / f"{name}.srt", "\n".join(blocks))
    retime = ("transcripts", "retime", "wrong")
    before = lode("transcripts", "show", "wrong").out

    told = lode(*retime, "--against", "right", "--dry-run")
    assert "24 for 25" in told.out and told.out.endswith("sure · nothing was changed\n")
    assert lode("transcripts", "show", "wrong").out == before
    plan = lode(*retime, "--against", "right", "--json").json()
    assert (plan["basis"], plan["factor"], plan["is_done"]) == ("track", 0.96, True)
    assert abs(plan["offset_ms"] - 2350) <= 150
    assert lode("undo").code == 0
    assert lode("transcripts", "show", "wrong").out == before

    plan = lode(*retime, "--factor", "25/23.976", "--offset", "-10", "--json").json()
    assert (plan["basis"], plan["offset_ms"]) == ("given", -10)
    assert plan["factor"] == pytest.approx(25 / (24_000 / 1001))
    first = plan["first_after_ms"]
    plan = lode(*retime, "--at", f"1={first // 1000 + 2}", "--json").json()
    assert (plan["basis"], plan["factor"], plan["first_after_ms"]) == ("by hand", 1.0, (first // 1000 + 2) * 1000)
    for _ in range(2):
        lode("undo")
    assert lode("transcripts", "show", "wrong").out == before

    lode(*retime, "--sound").check_refused("wrong has no film or recording")
    lode(*retime, "--at", "1=1", "--at", "1=2").check_refused("two lines are named")
    lode(*retime, "--factor", "1.2").check_refused("times cannot become 1.2 times themselves")
    lode(*retime, "--at", "9999=1").check_refused("there is no cue")
    for wrong in (
        "--sound --offset 5",
        "",
        "--at x",
        "--at 0=1",
        "--at 1=x",
        "--factor 1/0",
        "--at 1=1 --at 2=2 --at 3=3",
    ):
        assert lode(*retime, *wrong.split()).code == 2, wrong
