from __future__ import annotations

from tui.language.scripts import join_lines, seam

JOINED = {
    ("美咲は四月に、", "この町へ来た。"): "美咲は四月に、この町へ来た。", ("今天的天气", "真好"): "今天的天气真好",
    ("他说：“好。”", "“走吧。”"): "他说：“好。”“走吧。”", ("そう……", "「でも」"): "そう……「でも」",
    ("行こう！", "3人で"): "行こう！3人で", ("私は", "Pythonが好き"): "私はPythonが好き",
    ("วันนี้", "อากาศดี"): "วันนี้อากาศดี", ("ສະບາຍ", "ດີ"): "ສະບາຍດີ",
    ("오늘은 날씨가", "좋네요"): "오늘은 날씨가 좋네요", ("大韓民國", "만세"): "大韓民國 만세",
    ("Das ist der letzte,", "danach nichts."): "Das ist der letzte, danach nichts.",
    ("“Go,”", "“now.”"): "“Go,” “now.”", ("Он сказал —", "да"): "Он сказал — да",
    ("a well-", "known song"): "a well-known song", ("Wait -", "what?"): "Wait - what?",
    ("  one\t two ", "", " \u3000", "three"): "one two three", ('"', '"'): '" "', (): "",
    ("そうだ。\u3000でも", "\u3000早く"): "そうだ。 でも早く",
}  # fmt: skip


def test_lines_are_joined_as_the_scripts_at_their_seams_are_written() -> None:
    assert {lines: join_lines(lines) for lines in JOINED} == JOINED
    assert len(join_lines(["“"] * 100_000)) == 199_999
    assert (seam("Tokyo", "東京"), seam("東京 in", "Tokyo")) == ("", " ")
