"""The card marks the focus where it stands, says what is known about it, and fits any width."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Self

from rich.cells import cell_len
from textual.app import App, ComposeResult
from textual.geometry import Region
from textual.pilot import Pilot

from tests.deck.clips import ABFAHREN
from tests.hostile import FORBIDDEN, HOSTILE
from tests.settling import STYLES, on_screen
from tui.records.clips import FocusWord
from tui.records.word_summary import WordSummary
from tui.widgets.cards.focus_card import FocusCard, WordPane, sparkline

SENTENCE = "Hoffentlich fährt er überhaupt noch ab."


class CardApp(App[None]):
    CSS_PATH = STYLES / "answer/breakdown.tcss"

    def compose(self) -> ComposeResult:
        yield FocusCard()

    @property
    def card(self) -> FocusCard:
        return self.query_one(FocusCard)


def drawn(card: FocusCard) -> list[str]:
    return [card.render_line(y).text for y in range(card.size.height)]


def underlined(card: FocusCard) -> str:
    segments = [segment for y in range(card.size.height) for segment in card.render_line(y)]
    return "|".join(segment.text for segment in segments if segment.style and segment.style.underline)


@asynccontextmanager
async def card_of(size: tuple[int, int] = (100, 30)) -> AsyncIterator[tuple[FocusCard, Pilot[None]]]:
    app = CardApp()
    async with app.run_test(size=size) as pilot:
        yield app.card, pilot


async def test_the_sentence_comes_first_and_the_word_below_it_and_nothing_moves_when_it_comes() -> None:
    async with card_of() as (card, pilot):
        card.show_question(SENTENCE, "fährt", "Das ist der letzte heute.")
        card.waits = True
        await pilot.pause()
        height = card.size.height
        assert underlined(card) == "fährt"
        assert "…" in drawn(card)[3]
        card.show(ABFAHREN)
        await pilot.pause()
        assert underlined(card) == "fährt|ab"
        assert [line.rstrip() for line in drawn(card)] == [
            "   Das ist der letzte heute.",
            "   Hoffentlich fährt er überhaupt noch ab.",
            "",
            "   fährt … ab   abfahren · separable verb · 3. Person Singular Präsens · A1",
            "                to leave, to depart",
        ]
        assert card.size.height == height


async def test_what_only_a_dictionary_or_the_lexicon_says_is_marked_and_a_whole_sentence_has_no_word() -> None:
    async with card_of() as (card, pilot):
        card.show_question(SENTENCE, "fährt")
        card.show(replace(ABFAHREN, dictionary="Wiktionary · CC BY-SA"))
        await pilot.pause()
        assert drawn(card)[-1].strip() == "to leave, to depart — Wiktionary · CC BY-SA"
        card.show(replace(ABFAHREN, meanings=(), dictionary="Wiktionary · CC BY-SA"))
        await pilot.pause()
        assert "Wiktionary" not in "".join(drawn(card))
        card.show_question("食べる人", "食べる")
        card.show(FocusWord("食べる", lemma="食べる", reading="たべる", frequency=12, origin="lexicon"))
        await pilot.pause()
        assert drawn(card)[2].rstrip() == "   食べる   食べる (たべる) · 12 times in your library · lexicon"
        card.show_question(SENTENCE)
        await pilot.pause()
        assert [line.rstrip() for line in drawn(card)] == [f"   {SENTENCE}"]


async def test_an_endless_sentence_leaves_room_for_the_answer() -> None:
    async with card_of((60, 16)) as (card, pilot):
        card.show_question("word " * 500 + "focus " + "word " * 500, "focus")
        await pilot.pause()
        assert card.size.height <= 8
        assert underlined(card) == "focus"


async def test_hostile_text_is_literal_harmless_and_fits() -> None:
    for width in (20, 60):
        async with card_of((width, 24)) as (card, pilot):
            for name, text in ((name, text[:300]) for name, text in HOSTILE.items()):
                card.show_question(text, text, text)
                card.show(FocusWord(text, text, text, text, text, (text, text), text, text, 3, "llm"))
                await pilot.pause()
                lines = drawn(card)
                assert not set("".join(lines)) & set(FORBIDDEN), name
                assert {cell_len(line) for line in lines} == {width}, name


class CountingPane(WordPane):
    """Remembers what it was asked to repaint."""

    def __init__(self) -> None:
        super().__init__()
        self.repainted: list[list[int]] = []

    def refresh(self, *regions: Region, repaint: bool = True, layout: bool = False, recompose: bool = False) -> Self:
        self.repainted.append([region.y for region in regions])
        return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)


class PaneApp(App[None]):
    def compose(self) -> ComposeResult:
        yield CountingPane()


async def test_the_pane_repaints_the_lines_that_change_and_nothing_where_it_says_the_same() -> None:
    app = PaneApp()
    async with app.run_test(size=(30, 10)) as pilot:
        pane = app.query_one(CountingPane)
        summary = WordSummary(FocusWord("Zug", meanings=("train",)), 2, (1, 1), 0, 0)
        for word, known, state, repainted in (
            ("Zug", None, "", [[0]]),
            ("Zug", summary, "", [[1, 3, 4, 5]]),
            ("Zug", summary, "", []),
            ("Zug", summary, "new", [[0]]),
            ("Zug", replace(summary, occurrences=3), "new", [[3]]),
            ("Bahn", None, "", [[0, 1, 3, 4, 5]]),
        ):
            pane.repainted = []
            pane.show(word, known, state=state)
            assert pane.repainted == repainted
            await pilot.pause()
            said = "\n".join(line.plain for line in pane.render().wrap(30))
            assert "\n".join(line.rstrip() for line in on_screen(app).splitlines()).rstrip() == said


def test_a_sparkline_is_tallest_where_most_is_and_flat_only_where_nothing_is() -> None:
    assert sparkline((), 5) == ""
    assert sparkline((0, 0), 5) == "▁▁"
    assert sparkline((1, 2, 4, 8), 9) == "▂▃▅█"
    assert sparkline((1,) * 10, 5) == "█████"
    assert sparkline((0, 100, 1), 9) == "▁█▂"
