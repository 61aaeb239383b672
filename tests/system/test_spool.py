from __future__ import annotations

import pytest

from tui.errors import StoreError
from tui.system import spool
from tui.system.spool import Spool

VALUES = [("a", 1, None), {"Wort": 3}, "日本\ud800", 2**70, ()]


@pytest.mark.parametrize("in_memory", [1, 1_000_000])
def test_what_was_gathered_is_read_from_memory_or_a_file(monkeypatch: pytest.MonkeyPatch, in_memory: int) -> None:
    monkeypatch.setattr(spool, "_IN_MEMORY_BYTES", in_memory)
    kept = Spool()
    for value in VALUES:
        kept.append(value)
    assert (len(kept), list(kept), list(kept)) == (5, VALUES, VALUES)
    assert (kept[-1], kept[1:3]) == ((), VALUES[1:3])
    kept.arrange([4, 2, 0, 1, 3])
    assert list(kept) == [VALUES[number] for number in (4, 2, 0, 1, 3)]
    with pytest.raises(IndexError):
        kept[5]


@pytest.mark.parametrize("buffering", [0, -1], ids=["at once", "only when the last values are written"])
def test_a_full_disk_is_named(monkeypatch: pytest.MonkeyPatch, buffering: int) -> None:
    monkeypatch.setattr("tempfile.SpooledTemporaryFile", lambda **_: open("/dev/full", "w+b", buffering))  # noqa: SIM115 - as the spool does
    with pytest.raises(StoreError, match="No space left on device") as refused:
        kept = Spool()
        kept.append("a")
        kept[0]
    assert "TMPDIR" in refused.value.hint
