"""One-sentence mode: the focus is on whole sentences, across cues or inside of one, and its words may be in several."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot

from tests.settling import press, running, settled
from tests.widgets.transcript.test_cue_reader import ReadingApp, Source, drawn

CUT = ("Ja. Hoffentlich fährt er", "überhaupt noch\neinmal ab. Das ist", "der letzte heute.", "Bestimmt, sagt er.")
SENTENCE = "Hoffentlich fährt er überhaupt noch einmal ab."


async def toggle(app: ReadingApp, pilot: Pilot[None]) -> None:
    app.reader.toggle_one_sentence()
    await settled(pilot)


def whole(app: ReadingApp) -> str:
    return app.sentence


async def test_the_sentence_of_the_word_is_whole_across_cues_and_has_their_times() -> None:
    app = ReadingApp(Source(CUT), cue=1)
    async with running(app) as pilot:
        assert whole(app) == "überhaupt noch einmal ab. Das ist"
        await toggle(app, pilot)
        assert whole(app) == SENTENCE
        focused = app.reader.focused
        assert focused is not None
        assert (focused.focus, focused.cue_index, focused.start_ms, focused.end_ms) == ("überhaupt", 1, 0, 3500)
        await toggle(app, pilot)
        assert whole(app) == "überhaupt noch einmal ab. Das ist"


async def test_where_a_cue_holds_two_sentences_it_is_the_one_of_the_word_with_the_times_of_its_cue() -> None:
    app = ReadingApp(Source(CUT))
    async with running(app) as pilot:
        await toggle(app, pilot)
        focused = app.reader.focused
        assert focused is not None
        assert (focused.sentence, focused.start_ms, focused.end_ms) == ("Ja.", 0, 1500)
        await press(pilot, "l")
        assert (whole(app), app.reader.cue_index, app.reader.focus_text) == (SENTENCE, 0, "Hoffentlich")


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("keys", "cue", "focus", "sentence"),
    [
        ("l" * 4, 1, "überhaupt", SENTENCE),
        ("l" * 8, 1, "Das", "Das ist der letzte heute."),
        ("l" * 4 + "h", 0, "er", SENTENCE),
        ("j", 0, "Hoffentlich", SENTENCE),
        ("jj", 1, "Das", "Das ist der letzte heute."),
        ("jjj", 3, "Bestimmt", "Bestimmt, sagt er."),
        ("jjjj", 3, "Bestimmt", "Bestimmt, sagt er."),
        ("jjjk", 1, "Das", "Das ist der letzte heute."),
        ("jjlk", 1, "Das", "Das ist der letzte heute."),
        ("jjk", 0, "Hoffentlich", SENTENCE),
        ("jkk", 0, "Ja", "Ja."),
        ("jlvlll", 1, "fährt er überhaupt noch", SENTENCE),
        ("jl lllll", 1, "fährt ab", SENTENCE),
        ("jl lllh", 1, "fährt überhaupt", SENTENCE),
        ("jv" + "l" * 20, 1, "Hoffentlich fährt er überhaupt noch einmal ab", SENTENCE),
        ("jl llllllll", 2, "der", "Das ist der letzte heute."),
    ],
)
async def test_steps_go_over_the_ends_of_cues(keys: str, cue: int, focus: str, sentence: str) -> None:
    app = ReadingApp(Source(CUT))
    async with running(app) as pilot:
        await toggle(app, pilot)
        await press(pilot, *("space" if key == " " else key for key in keys))
        assert (app.reader.cue_index, app.reader.focus_text, whole(app)) == (cue, focus, sentence)


async def test_words_of_two_cues_are_kept_as_one_focus() -> None:
    app = ReadingApp(Source(CUT), word=2)
    async with running(app) as pilot:
        await toggle(app, pilot)
        await press(pilot, "v", "l", "l", "space", "l")
        assert app.reader.focus_text == "fährt er überhaupt noch"
        await press(pilot, "h", "v", "h", "h", "space")
        assert app.reader.focus_text == "fährt", "what was marked is let go again"


async def test_scripts_without_spaces_are_joined_without_one() -> None:
    app = ReadingApp(Source(("美咲は四月に、", "この町へ来た。")), language="ja")
    async with running(app) as pilot:
        await toggle(app, pilot)
        assert whole(app) == "美咲は四月に、この町へ来た。"
        await press(pilot, "v", *"llllllll")
        assert app.reader.focus_text == "美咲は四月に、この町へ来た"


async def test_the_cues_of_the_sentence_are_marked_and_nothing_moves() -> None:
    app = ReadingApp(Source(CUT), cue=1)
    async with running(app, (60, 12)) as pilot:
        before = drawn(app)[:4]
        await toggle(app, pilot)
        assert drawn(app)[:4] == [
            " ▎ 0:00  Ja. Hoffentlich fährt er",
            " ▌ 0:02  überhaupt noch",
            " ▌       einmal ab. Das ist",
            "   0:04  der letzte heute.",
        ]
        bold = [
            "".join(part.text for part in app.reader.render_line(y) if part.style and part.style.bold) for y in (0, 2)
        ]
        assert bold == ["Hoffentlich fährt er", "einmal ab."]
        await toggle(app, pilot)
        assert drawn(app)[:4] == before


async def test_the_context_is_what_stands_around_the_sentence() -> None:
    app = ReadingApp(Source(CUT), cue=1)
    async with running(app) as pilot:
        await toggle(app, pilot)
        await press(pilot, "J")
        assert app.context == "Das ist\nder letzte heute."
        await press(pilot, "0", "j", "K")
        assert app.context == "Ja. Hoffentlich fährt er\nüberhaupt noch einmal ab."


async def test_cues_that_are_not_there_yet_complete_the_sentence_when_they_come() -> None:
    source = Source([f"und so ging es {number}." for number in range(99)] + ["Sie fuhr", "nach Hause."] * 100)
    app = ReadingApp(source, cue=99)
    async with running(app, (60, 8)) as pilot:
        source.gate.clear()
        app.reader.toggle_one_sentence()
        source.gate.set()
        await settled(pilot)
        assert whole(app) == "Sie fuhr nach Hause."


async def test_the_first_cues_tell_whether_sentences_without_stops_go_on() -> None:
    texts = ["这是一个", "很长的句子。"] * 150
    app = ReadingApp(Source(texts), cue=250, language="zh")
    async with running(app, (60, 8)) as pilot:
        await toggle(app, pilot)
        assert whole(app) == "这是一个很长的句子。"
