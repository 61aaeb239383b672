"""The pager of a real terminal: it gets what is longer than the screen as it comes, and nothing else."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pexpect
import pytest

from tests.server_process import LODE
from tests.store.many_clips import add_many
from tests.waiting import HANGS, wait_until
from tui.cli.output.pager import find_pager
from tui.records.clips import NewClip
from tui.store import Store

CLIPS = 3000


@pytest.fixture
def many(home: Path) -> Iterator[None]:
    store = Store.open(home)
    add_many(store, "default", [NewClip(f"Satz {number}.") for number in range(CLIPS)])
    store.close()
    yield


def start(*args: str, **environ: str) -> Any:
    """``lode`` on a terminal of 24 lines."""
    environment = {**os.environ, "TERM": "xterm", **environ}
    return pexpect.spawn(LODE, [*args], encoding="utf-8", dimensions=(24, 80), timeout=HANGS, env=environment)


def ended(lode: Any) -> tuple[str, int]:
    """What else was printed, and the exit code."""
    lode.expect(pexpect.EOF)
    lode.close()
    return lode.before, lode.exitstatus


@pytest.mark.skipif(shutil.which("less") is None, reason="less is not installed")
def test_a_long_list_is_paged_and_leaving_it_is_no_error(many: None) -> None:
    lode = start("clips", "list", PAGER="less", LESS="-X")
    lode.expect("Satz 2999")
    lode.send("G")
    lode.expect(r"Satz 0\.")
    os.kill(lode.pid, signal.SIGINT)  # ctrl+c is the pager's
    lode.send("g")
    lode.expect("Satz 2999")
    lode.send("q")
    assert ended(lode)[1] == 0
    lode = start("clips", "list", PAGER="less")
    lode.expect("Satz 2999")
    lode.send("q")  # before it has read everything
    out, code = ended(lode)
    assert code == 0
    assert "more (--limit" not in out


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="only Linux tells of children so")
def test_a_signal_that_ends_lode_ends_its_pager(many: None) -> None:
    lode = start("clips", "list", PAGER="sleep 1000")
    wait_until(lambda: bool(children(lode.pid)))
    (pager,) = children(lode.pid)
    os.kill(lode.pid, signal.SIGTERM)
    assert ended(lode)[1] == 143
    wait_until(lambda: not Path(f"/proc/{pager}").exists())


def test_a_signal_ends_a_pager_that_has_got_all_and_whose_reader_stays(many: None, tmp_path: Path) -> None:
    stays = "trap '' HUP; exec sleep 1000"  # else the terminal, which goes with lode, would end it
    lode = start("clips", "list", PAGER=f"cat > {tmp_path / 'got'}; touch {tmp_path / 'all'}; {stays}")
    wait_until((tmp_path / "all").exists)
    wait_until(lambda: any("sleep" in Path(f"/proc/{each}/cmdline").read_text() for each in children(lode.pid)))
    (pager,) = children(lode.pid)
    os.kill(lode.pid, signal.SIGTERM)
    assert ended(lode)[1] == 143
    wait_until(lambda: not Path(f"/proc/{pager}").exists())


def children(pid: int) -> list[int]:
    """The pagers that a process has started: those whose command line is theirs."""
    path = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(each) for each in path.read_text().split()] if path.exists() else []


def test_what_fits_and_what_is_asked_for_without_it_needs_no_pager(many: None) -> None:
    out, code = ended(start("clips", "list", "--limit", "20", PAGER="exit 3"))
    assert code == 0
    assert len([line for line in out.splitlines() if "Satz" in line]) == 20
    assert "and 2980 more" in out
    for environ, options in (
        ({"PAGER": "cat"}, ()),
        ({"PAGER": ""}, ()),
        ({"PAGER": "no-such-thing"}, ("--no-pager",)),
    ):
        out, code = ended(start("clips", "list", *options, **environ))
        assert (code, out.count("Satz")) == (0, CLIPS)


def test_a_pager_of_ones_own_gets_every_row_and_a_guide_too(many: None, tmp_path: Path) -> None:
    got = tmp_path / "got"
    assert ended(start("clips", "list", PAGER=f"sed -n 'w {got}'"))[1] == 0
    assert got.read_text("utf-8").count("Satz") == CLIPS
    assert ended(start("clips", "list", "--json", PAGER=f"sed -n 'w {got}'"))[1] == 0
    assert got.read_text("utf-8").count('"sentence"') == CLIPS
    assert ended(start("help", "films", PAGER=f"sed -n 'w {got}'"))[1] == 0
    assert "Films and recordings" in got.read_text("utf-8")


def test_the_pager_is_that_of_the_environment_else_one_that_is_there() -> None:
    assert find_pager({"PAGER": "less -S"}) == ("less -S" if shutil.which("less") else find_pager({}))
    assert find_pager({"PAGER": "LESS=-S less"}) == "LESS=-S less"
    assert find_pager({"PAGER": "no-such-thing"}) == find_pager({})
    assert find_pager({"PAGER": "less 'S"}) == find_pager({})
    assert find_pager({}) in ("less", "more", "")
    for none in ({"PAGER": ""}, {"PAGER": " cat "}, {"TERM": "dumb"}, {"PAGER": "less", "TERM": "dumb"}):
        assert find_pager(none) == ""
