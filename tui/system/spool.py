"""Values that are gathered one by one and read again: in memory while they are few, then in a temporary file.

The file has no name, so that nothing is left of it however the process ends.
"""

import marshal
import tempfile
from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, overload

from tui.errors import StoreError

_IN_MEMORY_BYTES = 4_000_000


class Spool(Sequence[Any]):
    """A list of plain values (texts, numbers, None, and tuples and dictionaries of them) that memory need not hold.

    What is read is ``made_of`` its index and the value. All are appended before the first is read.
    Raises ``StoreError`` where the temporary file cannot be written.
    """

    def __init__(self, made_of: Callable[[int, Any], Any] = lambda index, value: value) -> None:
        self._file = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY_BYTES)  # noqa: SIM115 - as long as this
        self._ends = array("q", [0])
        self._order: Sequence[int] | None = None
        self._made_of = made_of

    def append(self, value: Any) -> None:
        data = marshal.dumps(value)
        with _room():
            self._file.write(data)
        self._ends.append(self._ends[-1] + len(data))

    def arrange(self, order: Sequence[int]) -> None:
        """Give the values an order: the number of each among those that were appended. Nothing may be appended then."""
        self._order = order

    def __len__(self) -> int:
        return len(self._ends) - 1

    @overload
    def __getitem__(self, index: int) -> Any: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Any]: ...
    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return [self[each] for each in range(*index.indices(len(self)))]
        if not -len(self) <= index < len(self):
            raise IndexError(index)
        number = index % len(self) if self._order is None else self._order[index]
        start, end = self._ends[number], self._ends[number + 1]
        with _room():  # the last values are written only when the first are read
            self._file.seek(start)
            data = self._file.read(end - start)
        return self._made_of(index % len(self), marshal.loads(data))


@contextmanager
def _room() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StoreError(
            f"a temporary file cannot be written: {error.strerror or error}",
            hint=f"make room in {tempfile.gettempdir()}, or name another place in TMPDIR",
        ) from error
