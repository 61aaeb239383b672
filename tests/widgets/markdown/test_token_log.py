"""The log renders Markdown as it grows, draws seldom, follows its tail and trusts no text."""

import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from rich.cells import cell_len
from textual.app import App, ComposeResult
from textual.pilot import Pilot

from tests.hostile import FORBIDDEN, HOSTILE
from tests.settling import STYLES
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
    CSS_PATH = STYLES / "answer/token_log.tcss"

    def compose(self) -> ComposeResult:
        yield TokenLog()

    @property
    def token_log(self) -> TokenLog:
        return self.query_one(TokenLog)


@asynccontextmanager
async def running_log(size: tuple[int, int] = (60, 12)) -> AsyncIterator[tuple[TokenLog, Pilot[None]]]:
    app = LogApp()
    async with app.run_test(size=size) as pilot:
        app.token_log.focus()
        yield app.token_log, pilot


async def drawn(token_log: TokenLog, pilot: Pilot[None]) -> None:
    """Wait for the timer that draws what is buffered."""
    while token_log._timer is not None:
        await pilot.pause(0.01)
    await pilot.pause()


def stream_of(markdown: str, width: int = 60) -> StreamedMarkdown:
    stream = StreamedMarkdown(width)
    stream.append(markdown)
    return stream


def lines_of(markdown: str, width: int = 60) -> list[str]:
    return [line_text(line) for line in stream_of(markdown, width).lines]


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
    [line] = stream_of("a **b** *c* `d` ~~e~~ ***f***").lines
    assert [(text, look) for text, look in line if text != " "] == [
        *(("a ", Look.PLAIN), ("b", Look.STRONG), ("c", Look.EMPHASIS), ("d", Look.CODE), ("e", Look.STRUCK)),
        ("f", Look.STRONG | Look.EMPHASIS),
    ]


def test_a_stream_cut_anywhere_ends_as_the_whole_text_would() -> None:
    whole = stream_of(MARKDOWN, 40)
    for seed in range(4):
        dice = random.Random(seed)
        stream = StreamedMarkdown(40)
        at = 0
        while at < len(MARKDOWN):
            before = list(stream.lines)
            size = dice.randint(1, 6)
            unchanged = stream.append(MARKDOWN[at : at + size])
            assert stream.lines[:unchanged] == before[:unchanged], (seed, at)
            at += size
        assert stream.lines == whole.lines, seed


def test_half_a_line_finishes_nothing() -> None:
    for tail in ("*", "* *", "-", "--", "1", "1.", "=", "|", "```", "> ", "#"):
        text, rest = f"> a quotation\n{tail}", "bold* text\n\nend"
        stream = stream_of(text, 40)
        stream.append(rest)
        assert [line_text(line) for line in stream.lines] == lines_of(text + rest, 40), tail


def test_other_widths_are_wrapped_to() -> None:
    stream = stream_of(MARKDOWN)
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


async def test_tokens_are_drawn_together_and_at_once_after_a_long_silence() -> None:
    async with running_log() as (token_log, pilot):
        token_log.feed("Hello")
        await drawn(token_log, pilot)
        times: list[int] = []
        appended = token_log._markdown.append

        def counted(text: str) -> int:
            times.append(1)
            return appended(text)

        token_log._markdown.append = counted  # type: ignore[method-assign]  # of this one instance
        for number in range(100):
            token_log.feed(f" w{number}")
        await drawn(token_log, pilot)
        assert len(times) == 1
        assert token_log.text.endswith("w98 w99")
        assert "w98 w99▌" in " ".join(token_log.lines)
        token_log._drawn_at -= 3600
        token_log.feed(" late")
        await drawn(token_log, pilot)
        assert token_log.lines[-1].endswith("late▌")
        token_log.finish()
        assert "▌" not in "".join(token_log.lines)


async def test_the_tail_is_followed_in_steps_until_a_reader_scrolls_up() -> None:
    async with running_log() as (token_log, pilot):
        tops = []
        for number in range(40):
            token_log.feed(f"paragraph {number}\n\n")
            token_log._draw()
            tops.append(token_log.scroll_offset.y)
            assert len(token_log.lines) <= tops[-1] + 12
        await pilot.pause()
        assert len(set(tops)) < len(tops) / 2, "the view jumps seldom"
        await pilot.press("g")
        token_log.feed("".join(f"more {number}\n\n" for number in range(20)))
        token_log._draw()
        assert token_log.scroll_offset.y == 0
        assert "more below" in token_log.render_line(11).text
        await pilot.press("G")
        token_log.feed("and more")
        token_log._draw()
        assert len(token_log.lines) <= token_log.scroll_offset.y + 12
        assert "more below" not in token_log.render_line(11).text
        token_log.finish()
        assert "and more" in token_log.lines[-1]


async def test_keys_scroll() -> None:
    async with running_log() as (token_log, pilot):
        token_log.show("".join(f"paragraph {number}\n\n" for number in range(20)))
        await pilot.pause()
        assert token_log.scroll_offset.y == 0
        for keys, top in (
            *(("j down", 2), ("j j k", 1), ("ctrl+d", 6), ("pagedown", 12), ("pagedown ctrl+u", 6)),
            *(("pagedown pageup", 0), ("end", 27), ("G home", 0)),
        ):
            await pilot.press("g", *keys.split())
            assert token_log.scroll_offset.y == top, keys


async def test_a_narrower_terminal_wraps_again_and_keeps_the_tail_in_view() -> None:
    async with running_log((80, 12)) as (token_log, pilot):
        token_log.feed("word " * 200)
        token_log._draw()
        await pilot.resize_terminal(40, 10)
        await pilot.pause()
        assert max(cell_len(line) for line in token_log.lines) <= 39
        assert len(token_log.lines) <= token_log.scroll_offset.y + 10
        token_log.feed("end")
        await drawn(token_log, pilot)
        assert "end" in token_log.lines[-1]


async def test_notes_stand_below_the_text_and_what_was_fed_before_the_log_is_mounted_is_not_lost() -> None:
    async with running_log() as (_, pilot):
        token_log = TokenLog()
        token_log.feed("some text")
        token_log.finish()
        await pilot.app.mount(token_log)
        await pilot.pause()
        assert token_log.lines == ["some text"]
        token_log.note("stopped \x1b[31m")
        token_log.note("it broke", error=True)
        await pilot.pause()
        assert token_log.lines == ["some text", "", "stopped", "", "it broke"]
        assert token_log.text == "some text", "they are no part of it"
        token_log.clear()
        assert (token_log.lines, token_log.text) == ([], "")


@pytest.mark.exhaustive
async def test_hostile_texts_in_tokens_are_literal_and_harmless() -> None:
    async with running_log((60, 20)) as (token_log, pilot):
        for name, text in HOSTILE.items():
            token_log.clear()
            for character in text[:200]:
                token_log.feed(character)
            token_log.feed(text[200:])
            token_log.finish()
            await pilot.pause()
            shown = [token_log.render_line(y) for y in range(20)]
            assert not {character for strip in shown for character in strip.text} & set(FORBIDDEN), name
            assert {strip.cell_length for strip in shown} == {60 - 1}, name
            metas = (segment.style.meta for strip in shown for segment in strip if segment.style)
            assert not any("@click" in meta for meta in metas), name
            if name in ("sound", "closing tag", "open tag"):
                assert text in shown[0].text
