"""The reader's lines: marks stand in the gutter, and shift nothing."""

from __future__ import annotations

from collections import defaultdict

import pytest
from rich.style import Style

from tests.hostile import WORST
from tui.records.transcripts import Cue
from tui.widgets.transcript.cue_focus import CueFocus
from tui.widgets.transcript.cue_layout import CueView
from tui.widgets.transcript.cue_lines import CueLines

TEXTS = (
    "Warten Sie schon lange hier?",
    "Das ist der letzte heute,\ndanach kommt nichts mehr.",
    "月曜日のカレー",
    "♪♪♪",
)
KEPT = Style(dim=True)
ANCHOR = Style(underline=True)
STYLES = defaultdict(Style, kept=KEPT, anchor=ANCHOR)
WIDTH, HEIGHT = 50, 8


def story(texts: tuple[str, ...] = TEXTS, *, duration_ms: int | None = 8_000) -> CueLines:
    cues = dict(enumerate(Cue(index, index * 2_000, index * 2_000 + 1_500, text) for index, text in enumerate(texts)))
    view = CueView(cues.get)
    view.total = len(cues)
    lines = CueLines(view, duration_ms)
    view.resize(WIDTH - lines.text_column - 1, HEIGHT)
    return lines


def drawn(lines: CueLines, focus: CueFocus) -> list[str]:
    return [lines.strip(number, focus, STYLES, WIDTH).text.rstrip() for number in range(HEIGHT)]


def test_a_cue_with_clips_has_a_quiet_sign_before_its_first_line() -> None:
    lines = story()
    lines.cues_with_clips = frozenset({1, 2})
    assert drawn(lines, CueFocus(0, 0))[:5] == [
        " ▌ 0:00  Warten Sie schon lange hier?",
        "•  0:02  Das ist der letzte heute,",
        "         danach kommt nichts mehr.",
        "•  0:04  月曜日のカレー",
        "   0:06  ♪♪♪",
    ]
    first = next(iter(lines.strip(1, CueFocus(0, 0), STYLES, WIDTH)))
    assert (first.text, first.style) == ("•", KEPT)


def test_the_sign_stands_beside_the_bars_of_focus_and_context() -> None:
    lines = story()
    lines.cues_with_clips = frozenset({1, 2})
    shown = drawn(lines, CueFocus(1, 0, after=1))
    assert [line[:3] for line in shown[1:4]] == ["•▌ ", " ▌ ", "•▏ "]


def test_without_times_the_text_begins_where_it_begins_without_the_sign() -> None:
    lines = story(duration_ms=None)
    bare = drawn(lines, CueFocus(0, 0))
    lines.cues_with_clips = frozenset({2})
    shown = drawn(lines, CueFocus(0, 0))
    assert shown[3] == "•  月曜日のカレー"
    assert [line[1:] for line in shown] == [line[1:] for line in bare]


def test_a_step_changes_only_the_lines_of_the_two_cues() -> None:
    lines = story()
    lines.cues_with_clips = frozenset({0, 1, 2, 3})
    assert lines.changed(CueFocus(0, 0), CueFocus(2, 0)) == [0, 3]
    assert lines.changed(CueFocus(1, 0), CueFocus(1, 6)) == [1, 2]
    assert lines.changed(CueFocus(1, 0), CueFocus(1, 0)) == []


@pytest.mark.parametrize("text", WORST.values(), ids=WORST)
def test_every_line_has_the_whole_width_with_the_sign_too(text: str) -> None:
    lines = story((text, text))
    lines.cues_with_clips = frozenset({0, 1})
    assert {lines.strip(number, CueFocus(0, 0), STYLES, WIDTH).cell_length for number in range(HEIGHT)} == {WIDTH}
