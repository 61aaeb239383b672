"""The counter counts what it says."""

from __future__ import annotations

from tests.count_lines import Counts, count_module

_SOURCE = '''"""A module."""

import os
from json import (
    dumps,
)

# A comment.
LIMIT = 3
"""A string that stands alone."""


def passes(
    on: str,
) -> str:
    """Pass on."""
    return dumps(on)


def works(text: str) -> str:
    if text:  # which is a statement with others in it
        return """one
two"""
    return os.sep
'''


def test_lines_of_code_imports_signatures_and_thin_handlers_are_counted() -> None:
    assert count_module(_SOURCE, passes_on=True) == Counts(modules=1, code=14, imports=4, signatures=4, thin=1)
    assert count_module(_SOURCE).thin == 0
    assert Counts(1, 2, 3, 4, 5) + Counts(1, 1, 1, 1, 1) == Counts(2, 3, 4, 5, 6)
