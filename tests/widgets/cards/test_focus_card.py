"""The card marks the focus where it stands, says what is known about it, and fits any width."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rich.cells import cell_len
from textual.app import App, ComposeResult

from tests.deck.clips import ABFAHREN
from tests.hostile import FORBIDDEN, WORST
from tui.records.clips import FocusWord
from tui.widgets.cards.focus_card import FocusCard

SENTENCE = "Hoffentlich fährt er überhaupt noch ab."


class CardApp(App[None]):
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


async def test_the_sentence_comes_first_and_the_word_below_it() -> None:
    app = CardApp()
    async with app.run_test(size=(100, 30)) as pilot:
        app.card.show_question(SENTENCE, "fährt", "Das ist der letzte heute.")
        await pilot.pause()
        assert underlined(app.card) == "fährt"
        app.card.show(ABFAHREN)
        await pilot.pause()
        assert underlined(app.card) == "fährt|ab"
        assert [line.rstrip() for line in drawn(app.card)] == [
            "   Das ist der letzte heute.",
            "   Hoffentlich fährt er überhaupt noch ab.",
            "",
            "   fährt … ab   abfahren · separable verb · 3. Person Singular Präsens · A1",
            "                to leave, to depart",
        ]


async def test_the_dictionary_of_the_meanings_stands_quietly_behind_them() -> None:
    app = CardApp()
    async with app.run_test(size=(100, 30)) as pilot:
        app.card.show_question(SENTENCE, "fährt")
        app.card.show(replace(ABFAHREN, dictionary="Wiktionary · CC BY-SA"))
        await pilot.pause()
        assert drawn(app.card)[-1].strip() == "to leave, to depart — Wiktionary · CC BY-SA"
        app.card.show(replace(ABFAHREN, meanings=(), dictionary="Wiktionary · CC BY-SA"))
        await pilot.pause()
        assert "Wiktionary" not in "".join(drawn(app.card))


async def test_nothing_moves_when_the_answer_comes() -> None:
    app = CardApp()
    async with app.run_test(size=(100, 30)) as pilot:
        app.card.show_question(SENTENCE, "fährt")
        app.card.waits = True
        await pilot.pause()
        height = app.card.size.height
        assert "…" in drawn(app.card)[2]
        app.card.show(ABFAHREN)
        await pilot.pause()
        assert app.card.size.height == height


async def test_what_only_the_lexicon_says_is_marked() -> None:
    app = CardApp()
    async with app.run_test(size=(100, 30)) as pilot:
        app.card.show_question("食べる人", "食べる")
        app.card.show(FocusWord("食べる", lemma="食べる", reading="たべる", frequency=12, origin="lexicon"))
        await pilot.pause()
        assert drawn(app.card)[2].rstrip() == "   食べる   食べる (たべる) · 12 times in your library · lexicon"


async def test_a_whole_sentence_has_no_word_below_it() -> None:
    app = CardApp()
    async with app.run_test(size=(100, 30)) as pilot:
        app.card.show_question(SENTENCE)
        await pilot.pause()
        assert [line.rstrip() for line in drawn(app.card)] == [f"   {SENTENCE}"]


async def test_an_endless_sentence_leaves_room_for_the_answer() -> None:
    app = CardApp()
    async with app.run_test(size=(60, 16)) as pilot:
        app.card.show_question("word " * 500 + "focus " + "word " * 500, "focus")
        await pilot.pause()
        assert app.card.size.height <= 8
        assert underlined(app.card) == "focus"


@pytest.mark.parametrize("width", [20, 60, 120])
@pytest.mark.parametrize("text", WORST.values(), ids=WORST)
async def test_hostile_text_is_literal_harmless_and_fits(text: str, width: int) -> None:
    app = CardApp()
    async with app.run_test(size=(width, 24)) as pilot:
        app.card.show_question(text, text, text)
        app.card.show(FocusWord(text, text, text, text, text, (text, text), text, text, 3, "llm"))
        await pilot.pause()
        lines = drawn(app.card)
        assert not set("".join(lines)) & set(FORBIDDEN)
        assert {cell_len(line) for line in lines} == {width}
