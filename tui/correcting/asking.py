"""Asking about a batch until every line of it is answered or known not to be: what does not fit is halved.

Nothing is ever asked for twice in the same way: a model that cut an answer short would cut it again, for ever.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeAlias

from tui.correcting.answers import AnsweredLine, BatchResult
from tui.correcting.batches import Batch, halve
from tui.errors import ProviderError

Ask: TypeAlias = Callable[[Batch], Awaitable[Sequence[AnsweredLine]]]
"""Callback that asks a model about a batch; raises ``ProviderError``."""
Read: TypeAlias = Callable[[Batch, Sequence[AnsweredLine]], BatchResult]
"""``read_corrections``, or ``read_translations`` for a language."""
_DOES_NOT_FIT = frozenset(("answer_cut", "request_too_large", "invalid_structured", "empty_answer"))
"""Codes of errors that a smaller batch may not meet; all others are those of any batch."""


async def work_through(batch: Batch, ask: Ask, read: Read) -> BatchResult:
    """Ask about a batch, and about its halves where it does not fit or the answer leaves out lines.

    Of n lines there are at most 2n - 1 requests. A single line that cannot be answered is ``left``. Raises the
    ``ProviderError`` that any other batch would meet as well, as one of a key that is refused.
    """
    try:
        answered = await ask(batch)
    except ProviderError as error:
        if error.code not in _DOES_NOT_FIT:
            raise
        whole = BatchResult(left=tuple(range(batch.first, batch.first + len(batch.lines))))
    else:
        whole = read(batch, answered)
    if len(batch.lines) == 1 or not whole.left:
        return whole
    found = {change.cue_index: change for change in whole.changes}
    refused, left = whole.refused, set(whole.left)
    for half in halve(batch):
        indexes = range(half.first, half.first + len(half.lines))
        if left.isdisjoint(indexes):
            continue
        # The half is asked about whole: a line that is missing is often in the text of the one before.
        result = await work_through(half, ask, read)
        found |= {change.cue_index: change for change in result.changes}
        refused += result.refused
        left = left.difference(indexes) | set(result.left).difference(found)
    return BatchResult(tuple(found[index] for index in sorted(found)), refused, tuple(sorted(left)))
