"""Markdown as content for a ``Static``."""

from __future__ import annotations

from functools import lru_cache

from textual.content import Content

from tui.text.sanitize import without_controls
from tui.widgets.chrome.themes import MUTED
from tui.widgets.markdown.lines import markdown_lines, parser
from tui.widgets.markdown.styled_lines import Line, Look

MAX_CHARS = 4000
"""Characters shown at most: more than fill the tallest terminal, few enough to lay out while the cursor moves."""
_STYLES = {
    Look.STRONG: "bold",
    Look.EMPHASIS: "italic",
    Look.STRUCK: "strike",
    Look.LINK: "underline",
    Look.CODE: "on $panel",
    Look.MUTED: MUTED,
}


@lru_cache(maxsize=4)
def markdown_content(text: str, width: int) -> Content:
    """Lay out the beginning of a Markdown text for ``width`` cells; every word of it is literal.

    The first one imports the parser: whoever may not wait calls ``parser`` in a thread before.
    """
    blocks = parser().parse(without_controls(text[:MAX_CHARS]))
    return Content("\n").join(_content(line) for line in markdown_lines(blocks, max(1, width)))


def _content(line: Line) -> Content:
    return Content("").join(Content.styled(text, _style(look)) for text, look in line)


def _style(look: Look) -> str:
    return " ".join(style for part, style in _STYLES.items() if part in look)
