from __future__ import annotations

import errno

import pytest

from tui.errors import StoreError
from tui.system import spool
from tui.system.spool import Spool

VALUES = [("a", 1, None), {"Wort": 3}, "日本\ud800", 2**70, ()]


@pytest.mark.parametrize("in_memory", [1, 1_000_000])
def test_what_was_gathered_is_read_again_from_memory_or_from_a_file(
    monkeypatch: pytest.MonkeyPatch, in_memory: int
) -> None:
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


def test_a_full_disk_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    class Full:
        def write(self, data: bytes) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("tempfile.SpooledTemporaryFile", lambda **_: Full())
    with pytest.raises(StoreError, match="No space left on device") as refused:
        Spool().append(1)
    assert "TMPDIR" in refused.value.hint


def test_a_disk_that_is_full_only_when_the_last_values_are_written_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.SpooledTemporaryFile", lambda **_: open("/dev/full", "w+b"))  # noqa: SIM115 - as the spool does
    kept = Spool()
    kept.append("a")
    with pytest.raises(StoreError, match="No space left on device"):
        kept[0]
