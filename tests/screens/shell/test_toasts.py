"""What is told in passing: few lines, the same news in one that counts, never over a dialog, and no error is lost."""

import pytest

from tests.screens.driving import lines, opened, press_until, shows, toasts, until, until_shown, until_told
from tui.screens.dialogs.questions import Confirm
from tui.screens.messages import News
from tui.screens.shell.toasts import Toast, Toasts, news_text
from tui.service.local import LocalService


class Screenful:
    """What would be seen, and a clock that stands still until it is set."""

    def __init__(self) -> None:
        self.now = 0.0
        self.seen: list[str] = []
        self.toasts = Toasts(self.show, self.seen.clear, lambda draw: draw(), lambda: self.now)

    def show(self, toast: Toast, seconds: float) -> None:
        self.seen.append(f"{toast.title}: {toast.message}" if toast.title else toast.message)


def saved(name: str) -> News:
    return News("clip saved", {"saved": 1}, noun="clip", name=name)


def test_quick_clips_are_one_line_that_counts_and_later_ones_a_new_line() -> None:
    screenful = Screenful()
    screenful.toasts.add_news(saved("Zug"))
    assert screenful.seen == ["clip saved: Zug"]
    for number in range(10):
        screenful.now += 0.5
        screenful.toasts.add_news(saved(f"word {number}"))
    assert screenful.seen == ["11 clips saved"]
    screenful.now += 60
    screenful.toasts.add_news(saved("Bahn"))
    assert screenful.seen[-1] == "clip saved: Bahn"


def test_imports_add_up_and_say_where_the_refused_ones_are() -> None:
    screenful = Screenful()
    screenful.toasts.add_news(News("import", {"imported": 3}))
    screenful.toasts.add_news(News("import", {"imported": 2, "refused": 9}, hint="6 shows why", severity="warning"))
    assert screenful.seen == ["5 imported, 9 refused · 6 shows why"]
    screenful.toasts.add_news(News("import", {"imported": 1}))
    assert screenful.seen == ["6 imported, 9 refused · 6 shows why"]


def test_there_are_three_lines_at_most_and_errors_outlive_the_rest() -> None:
    screenful = Screenful()
    screenful.toasts.add("the disk is full", severity="error")
    for number in range(5):
        screenful.toasts.add(f"note {number}")
    assert screenful.seen == ["the disk is full", "note 3", "note 4"]
    screenful.toasts.add("note 4")
    assert screenful.seen == ["the disk is full", "note 3", "note 4"], "the same words stand there once"
    for number in range(4):
        screenful.toasts.add(f"error {number}", severity="error")
    assert screenful.seen == ["2 more errors before: error 1", "error 2", "error 3"]


@pytest.mark.parametrize(
    ("news", "text"),
    [
        (saved("fährt\x1b[31m"), "clip saved: fährt"),
        (News("clip saved", {"saved": 1234}, noun="clip"), "1\u00a0234 clips saved"),
        (News("import", {"imported": 0, "refused": 1}), "1 refused"),
    ],
)
def test_news_are_put_in_words(news: News, text: str) -> None:
    assert news_text(news) == text


async def test_toasts_leave_the_list_in_sight_and_a_dialog_uncovered(service: LocalService) -> None:
    async with opened(service, files=("zug.srt",), rows=1) as pilot:
        for number in range(11):
            pilot.app.post_message(saved(f"word {number}"))
        await until_shown(pilot, "11 clips saved")
        assert len(toasts(pilot)) == 1
        assert [at for at, line in enumerate(lines(pilot)) if "saved" in line] == [22], "above the line of the keys"
        assert shows(pilot, "? keys")
        await press_until(pilot, "d", holds=lambda: isinstance(pilot.app.screen, Confirm))
        pilot.app.notify("the disk is full\nmake room", severity="error")
        await until_told(pilot, "the disk is full")
        await until(pilot, lambda: "the disk is full" in lines(pilot)[-1])
        await pilot.resize_terminal(60, 16)
        await until(pilot, lambda: "the disk is full" in lines(pilot)[-1] and shows(pilot, "Delete this file"))
        await press_until(pilot, "escape", shown="make room")
