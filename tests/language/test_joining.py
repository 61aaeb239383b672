from __future__ import annotations

import pytest

from tui.language.scripts import join_lines, seam


@pytest.mark.parametrize(
    ("lines", "joined"),
    [
        (("美咲は四月に、", "この町へ来た。"), "美咲は四月に、この町へ来た。"),
        (("今天的天气", "真好"), "今天的天气真好"),
        (("他说：“好。”", "“走吧。”"), "他说：“好。”“走吧。”"),
        (("そう……", "「でも」"), "そう……「でも」"),
        (("行こう！", "3人で"), "行こう！3人で"),
        (("私は", "Pythonが好き"), "私はPythonが好き"),
        (("วันนี้", "อากาศดี"), "วันนี้อากาศดี"),
        (("ສະບາຍ", "ດີ"), "ສະບາຍດີ"),
        (("오늘은 날씨가", "좋네요"), "오늘은 날씨가 좋네요"),
        (("大韓民國", "만세"), "大韓民國 만세"),
        (("Das ist der letzte,", "danach nichts."), "Das ist der letzte, danach nichts."),
        (("“Go,”", "“now.”"), "“Go,” “now.”"),
        (("Он сказал —", "да"), "Он сказал — да"),
        (("a well-", "known song"), "a well-known song"),
        (("Wait -", "what?"), "Wait - what?"),
        (("  one\t two ", "", " \u3000", "three"), "one two three"),
        (("そうだ。\u3000でも", "\u3000早く"), "そうだ。 でも早く"),
        (('"', '"'), '" "'),
        ((), ""),
    ],
)
def test_lines_are_joined_as_the_scripts_at_their_seams_are_written(lines: tuple[str, ...], joined: str) -> None:
    assert join_lines(lines) == joined


def test_a_hundred_thousand_lines_of_quotes_are_joined() -> None:
    assert len(join_lines(["“"] * 100_000)) == 199_999


def test_the_seam_is_that_of_the_characters_that_meet() -> None:
    assert seam("Tokyo", "東京") == ""
    assert seam("東京 in", "Tokyo") == " "
