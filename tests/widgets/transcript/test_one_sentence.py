"""One-sentence mode: the focus is on whole sentences, across cues or inside of one, and its words may be in several."""

import pytest
from textual.pilot import Pilot

from tests.settling import press, running, settled
from tests.widgets.transcript.test_cue_reader import ReadingApp, Source, drawn

CUT = ("Ja. Hoffentlich fährt er", "überhaupt noch\neinmal ab. Das ist", "der letzte heute.", "Bestimmt, sagt er.")
SENTENCE = "Hoffentlich fährt er überhaupt noch einmal ab."


async def toggle(app: ReadingApp, pilot: Pilot[None]) -> None:
    app.reader.toggle_one_sentence()
    await settled(pilot)


async def test_the_sentence_of_the_word_is_whole_across_cues_and_has_their_times() -> None:
    app = ReadingApp(Source(CUT), cue=1)
    async with running(app, (60, 12)) as pilot:
        before = drawn(app)[:4]
        assert app.sentence == "überhaupt noch einmal ab. Das ist"
        await toggle(app, pilot)
        assert app.sentence == SENTENCE
        focused = app.reader.focused
        assert focused is not None
        assert (focused.focus, focused.cue_index, focused.start_ms, focused.end_ms) == ("überhaupt", 1, 0, 3500)
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
        await press(pilot, "J")
        assert app.context == "Das ist\nder letzte heute."
        await press(pilot, "0", "j", "K")
        assert app.context == "Ja. Hoffentlich fährt er\nüberhaupt noch einmal ab."
        await toggle(app, pilot)
        assert app.sentence == "überhaupt noch einmal ab. Das ist"
        await press(pilot, "0")
        assert [line[3:] for line in drawn(app)[:4]] == [line[3:] for line in before]


@pytest.mark.exhaustive
async def test_steps_go_over_the_ends_of_cues_and_stay_within_a_sentence_of_a_cue_that_holds_two() -> None:
    app = ReadingApp(Source(CUT))
    async with running(app) as pilot:
        await toggle(app, pilot)
        focused = app.reader.focused
        assert focused is not None and (focused.sentence, focused.start_ms, focused.end_ms) == ("Ja.", 0, 1500)
        second, last = "Das ist der letzte heute.", "Bestimmt, sagt er."
        for keys, cue, focus, sentence in (
            ("l", 0, "Hoffentlich", SENTENCE),
            ("l" * 4, 1, "überhaupt", SENTENCE),
            ("l" * 8, 1, "Das", second),
            ("l" * 4 + "h", 0, "er", SENTENCE),
            *(("j", 0, "Hoffentlich", SENTENCE), ("jj", 1, "Das", second), ("jjj", 3, "Bestimmt", last)),
            *(("jjjj", 3, "Bestimmt", last), ("jjjk", 1, "Das", second), ("jjlk", 1, "Das", second)),
            *(("jjk", 0, "Hoffentlich", SENTENCE), ("jkk", 0, "Ja", "Ja.")),
            ("jlvlll", 1, "fährt er überhaupt noch", SENTENCE),
            *(("jl lllll", 1, "fährt ab", SENTENCE), ("jl lllh", 1, "fährt überhaupt", SENTENCE)),
            ("jv" + "l" * 20, 1, "Hoffentlich fährt er überhaupt noch einmal ab", SENTENCE),
            ("jl llllllll", 2, "der", second),
        ):
            app.on_mount()
            await toggle(app, pilot)
            await press(pilot, *("space" if key == " " else key for key in keys))
            assert (*app.eye, app.sentence) == (cue, focus, sentence), keys


async def test_cues_that_are_not_there_yet_complete_the_sentence_when_they_come() -> None:
    source = Source([f"und so ging es {number}." for number in range(99)] + ["Sie fuhr", "nach Hause."] * 100)
    app = ReadingApp(source, cue=99)
    async with running(app, (60, 8)) as pilot:
        source.gate.clear()
        app.reader.toggle_one_sentence()
        source.gate.set()
        await settled(pilot)
        assert app.sentence == "Sie fuhr nach Hause."


async def test_the_first_cues_tell_whether_sentences_without_stops_go_on() -> None:
    texts = ["这是一个", "很长的句子。"] * 150
    app = ReadingApp(Source(texts), cue=250, language="zh")
    async with running(app, (60, 8)) as pilot:
        await toggle(app, pilot)
        assert app.sentence == "这是一个很长的句子。"
