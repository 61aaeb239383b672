"""Skips what needs a segmenter that is not installed."""

from __future__ import annotations

import pytest

from tui.language.segmentation import is_installed, row_of


def needs_segmenter(language: str) -> pytest.MarkDecorator:
    row = row_of(language)
    assert row is not None
    return pytest.mark.skipif(not is_installed(row), reason=f"pip install 'lode[{row.extra}]' brings its segmenter")
