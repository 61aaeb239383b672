"""The log renders Markdown as it grows, draws seldom, follows its tail and trusts no text."""

from __future__ import annotations

import random

import pytest
from rich.cells import cell_len
from textual.app import App, ComposeResult
from textual.pilot import Pilot

from tests.hostile import FORBIDDEN, HOSTILE
from tui.widgets.markdown.lines import Look, StreamedMarkdown, line_cells, line_text
from tui.widgets.markdown.token_log import TokenLog

MARKDOWN = """\
# The word *fährt*

It **belongs** to `abfahren`; the prefix ~~goes~~ stands [at the end](https://example.org/verbs).
A second line, with a backslash\\
break.

- one
  - nested
    deeper
- two

3. third
4. fourth

> quoted
> - in a list

```py
def f():
\treturn 1
```

| person | present |
|:-|-:|
| ich | fahre |
| er, sie, es | fährt |

---
Setext heading
==
The end."""


class LogApp(App[None]):
    def compose(self) -> ComposeResult:
        yield TokenLog()

    @property
    def token_log(self) -> TokenLog:
        return self.query_one(TokenLog)


async def drawn(pilot: Pilot[None]) -> None:
    """Wait for the timer that draws what is buffered."""
    app = pilot.app
    assert isinstance(app, LogApp)
    while app.token_log._timer is not None:
        await pilot.pause(0.01)
    await pilot.pause()


def lines_of(markdown: str, width: int = 60) -> list[str]:
    stream = StreamedMarkdown(width)
    stream.append(markdown)
    return [line_text(line) for line in stream.lines]


def test_markdown_becomes_lines() -> None:
    assert lines_of(MARKDOWN) == [
        "The word fährt",
        "",
        "It belongs to abfahren; the prefix goes stands at the end",
        "(https://example.org/verbs). A second line, with a backslash",
        "break.",
        "",
        "• one",
        "  • nested deeper",
        "• two",
        "",
        "3. third",
        "4. fourth",
        "",
        "│ quoted",
        "│",
        "│ • in a list",
        "",
        "  def f():",
        "      return 1",
        "",
        "person       present",
        "───────────  ───────",
        "ich            fahre",
        "er, sie, es    fährt",
        "",
        "─" * 60,
        "",
        "Setext heading",
        "",
        "The end.",
    ]


def test_looks_stand_where_the_marks_stood() -> None:
    stream = StreamedMarkdown(60)
    stream.append("a **b** *c* `d` ~~e~~ ***f***")
    assert stream.lines == [
        (
            ("a ", Look.PLAIN),
            ("b", Look.STRONG),
            (" ", Look.PLAIN),
            ("c", Look.EMPHASIS),
            (" ", Look.PLAIN),
            ("d", Look.CODE),
            (" ", Look.PLAIN),
            ("e", Look.STRUCK),
            (" ", Look.PLAIN),
            ("f", Look.STRONG | Look.EMPHASIS),
        )
    ]


@pytest.mark.parametrize("seed", range(8))
def test_a_stream_cut_anywhere_ends_as_the_whole_text_would(seed: int) -> None:
    dice = random.Random(seed)
    whole = StreamedMarkdown(40)
    whole.append(MARKDOWN)
    stream = StreamedMarkdown(40)
    at = 0
    while at < len(MARKDOWN):
        before = list(stream.lines)
        size = dice.randint(1, 6)
        unchanged = stream.append(MARKDOWN[at : at + size])
        assert stream.lines[:unchanged] == before[:unchanged]
        at += size
    assert stream.lines == whole.lines


@pytest.mark.parametrize("tail", ["*", "* *", "-", "--", "1", "1.", "=", "|", "```", "> ", "#"])
def test_half_a_line_finishes_nothing(tail: str) -> None:
    text = f"> a quotation\n{tail}"
    stream = StreamedMarkdown(40)
    stream.append(text)
    stream.append("bold* text\n\nend")
    assert [line_text(line) for line in stream.lines] == lines_of(text + "bold* text\n\nend", 40)


def test_other_widths_are_wrapped_to() -> None:
    stream = StreamedMarkdown(60)
    stream.append(MARKDOWN)
    for width in (20, 12, 120):
        stream.wrap_to(width)
        assert [line_text(line) for line in stream.lines] == lines_of(MARKDOWN, width)
        assert max(line_cells(line) for line in stream.lines) <= width


def test_entities_smuggle_no_control_characters_in() -> None:
    text = "".join(lines_of("&#27;[31m &#x9b;31m &#x202e; &#0; [a](http://x/&#27;) | &#7;"))
    assert not set(text) & set(FORBIDDEN)


def test_a_table_wider_than_the_terminal_wraps_its_cells() -> None:
    table = "| word | meaning |\n|-|-|\n| abfahren | to leave, to depart, to set off on a journey |\n"
    for width in (30, 16, 10):
        assert max(cell_len(line) for line in lines_of(table, width)) <= width
    assert lines_of("| a | b | c | d |\n|-|-|-|-|\n| 1 | 2 | 3 | 4 |\n", 8) == ["a · b ·", "c · d", "1 · 2 ·", "3 · 4"]


async def test_tokens_are_drawn_together() -> None:
    app = LogApp()
    async with app.run_test(size=(60, 12)) as pilot:
        token_log = app.token_log
        token_log.feed("Hello")
        await drawn(pilot)
        times: list[int] = []
        appended = token_log._markdown.append

        def counted(text: str) -> int:
            times.append(1)
            return appended(text)

        token_log._markdown.append = counted  # type: ignore[method-assign]  # of this one instance
        for number in range(100):
            token_log.feed(f" w{number}")
        await drawn(pilot)
        assert len(times) == 1
        assert token_log.text.endswith("w98 w99")
        assert "w98 w99▌" in " ".join(token_log.lines)
        token_log.finish()
        assert "▌" not in "".join(token_log.lines)


async def test_a_token_after_a_long_silence_is_drawn_at_once() -> None:
    app = LogApp()
    async with app.run_test(size=(60, 12)) as pilot:
        await pilot.pause()
        app.token_log._drawn_at -= 3600
        app.token_log.feed("late")
        await drawn(pilot)
        assert app.token_log.lines == ["late▌"]


async def test_the_tail_is_followed_in_steps() -> None:
    app = LogApp()
    async with app.run_test(size=(60, 12)) as pilot:
        tops = []
        for number in range(40):
            app.token_log.feed(f"paragraph {number}\n\n")
            app.token_log._draw()
            tops.append(app.token_log.scroll_offset.y)
            assert len(app.token_log.lines) <= tops[-1] + 12
        await pilot.pause()
        assert len(set(tops)) < len(tops) / 2, "the view jumps seldom"
        app.token_log.finish()
        assert "paragraph 39" in app.token_log.lines[-1]


async def test_a_reader_who_scrolled_up_is_left_alone() -> None:
    app = LogApp()
    async with app.run_test(size=(60, 12)) as pilot:
        app.token_log.focus()
        app.token_log.feed("".join(f"paragraph {number}\n\n" for number in range(20)))
        app.token_log._draw()
        await pilot.press("g")
        app.token_log.feed("".join(f"more {number}\n\n" for number in range(20)))
        app.token_log._draw()
        assert app.token_log.scroll_offset.y == 0
        assert "more below" in app.token_log.render_line(11).text
        await pilot.press("G")
        app.token_log.feed("and more")
        app.token_log._draw()
        assert len(app.token_log.lines) <= app.token_log.scroll_offset.y + 12
        assert "more below" not in app.token_log.render_line(11).text


@pytest.mark.parametrize(
    ("keys", "top"),
    [
        (["j", "down"], 2),
        (["j", "j", "k"], 1),
        (["ctrl+d"], 6),
        (["pagedown"], 12),
        (["pagedown", "ctrl+u"], 6),
        (["pagedown", "pageup"], 0),
        (["end"], 27),
        (["G", "home"], 0),
    ],
)
async def test_keys_scroll(keys: list[str], top: int) -> None:
    app = LogApp()
    async with app.run_test(size=(60, 12)) as pilot:
        app.token_log.focus()
        app.token_log.show("".join(f"paragraph {number}\n\n" for number in range(20)))
        await pilot.pause()
        assert app.token_log.scroll_offset.y == 0
        await pilot.press(*keys)
        assert app.token_log.scroll_offset.y == top


async def test_a_narrower_terminal_wraps_again_and_keeps_the_tail_in_view() -> None:
    app = LogApp()
    async with app.run_test(size=(80, 12)) as pilot:
        app.token_log.feed("word " * 200)
        app.token_log._draw()
        await pilot.resize_terminal(40, 10)
        await pilot.pause()
        assert max(cell_len(line) for line in app.token_log.lines) <= 39
        assert len(app.token_log.lines) <= app.token_log.scroll_offset.y + 10
        app.token_log.feed("end")
        await drawn(pilot)
        assert "end" in app.token_log.lines[-1]


async def test_notes_stand_below_the_text_and_are_no_part_of_it() -> None:
    app = LogApp()
    async with app.run_test(size=(60, 12)) as pilot:
        app.token_log.feed("some text")
        app.token_log.finish()
        app.token_log.note("stopped \x1b[31m")
        app.token_log.note("it broke", error=True)
        await pilot.pause()
        assert app.token_log.lines == ["some text", "", "stopped", "", "it broke"]
        assert app.token_log.text == "some text"
        app.token_log.clear()
        assert app.token_log.lines == []
        assert app.token_log.text == ""


async def test_text_fed_before_the_log_is_mounted_is_not_lost() -> None:
    app = LogApp()
    early = TokenLog(id="early")
    early.feed("early words")
    early.finish()
    async with app.run_test(size=(60, 12)) as pilot:
        await app.mount(early)
        await pilot.pause()
        assert early.lines == ["early words"]


@pytest.mark.exhaustive
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
async def test_hostile_text_in_tokens_is_literal_and_harmless(text: str) -> None:
    app = LogApp()
    async with app.run_test(size=(60, 20)) as pilot:
        for character in text[:200]:
            app.token_log.feed(character)
        app.token_log.feed(text[200:])
        app.token_log.finish()
        await pilot.pause()
        shown = [app.token_log.render_line(y) for y in range(20)]
        assert not {character for strip in shown for character in strip.text} & set(FORBIDDEN)
        assert {strip.cell_length for strip in shown} == {60 - 1}
        assert not any(
            "@click" in (segment.style.meta if segment.style else {}) for strip in shown for segment in strip
        )
        if text in ("[music] la la", "[/", "[b"):
            assert text in shown[0].text
