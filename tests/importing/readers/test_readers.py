from __future__ import annotations

from tui.importing.readers import ass, block_formats
from tui.importing.readers.ass import is_ass, is_ssa
from tui.importing.readers.block_formats import find_header_language, is_vtt
from tui.importing.readers.cue_text import bracket_readings
from tui.records.transcripts import Cue


def read_srt(text: str) -> list[Cue]:
    return list(block_formats.read_srt(text.split("\n")))


def read_vtt(text: str) -> list[Cue]:
    return list(block_formats.read_vtt(text.split("\n")))


def read_ass(text: str) -> list[Cue]:
    return list(ass.read_ass(text.split("\n")))


def texts(cues: list[Cue]) -> list[str]:
    return [cue.text for cue in cues]


def test_srt_times_are_read_as_people_write_them() -> None:
    rows: list[tuple[str, int, int]] = [
        ("00:00:01,000 --> 00:00:02,500", 1000, 2500),
        ("0:0:1,5 --> 0:0:2,50", 1500, 2500),
        ("00:00:01 --> 00:00:02", 1000, 2000),
        ("00:01,234 --> 01:02,345", 1234, 62345),
        ("100:00:00,000 --> 100:00:01,000", 360_000_000, 360_001_000),
        ("00:00:013,567 --> 00:00:14,901", 13567, 14901),
        ("00:00:01:500 --> 00:00:02:500", 1500, 2500),
        ("00:00:01,123456-->00:00:02.9 align:start position:0%", 1123, 2900),
        ("00:00:05,000 --> 00:00:02,000", 5000, 2000),
        ("\t00:00:01,000 --> 00:00:02,000  X1:40 X2:600 Y1:20 Y2:50", 1000, 2000),
        ("00:00:01,000 --&gt; 00:00:02,000", 1000, 2000),
        ("0:00:01.000,0:00:02.000", 1000, 2000),
    ]
    for line, start_ms, end_ms in rows:
        (cue,) = read_srt(f"1\n{line}\nHello")
        assert (cue.start_ms, cue.end_ms, cue.text) == (start_ms, end_ms, "Hello"), line


def test_srt_is_read_as_people_write_it() -> None:
    rows: list[tuple[str, list[str]]] = [
        (
            "00:01,0 --> 00:02,0\n1\n00:03,0 --> 00:04,0\ntwo\n\n7\n00:05,0 --> 00:06,0\n3\n8\n00:07,0 --> 00:08,0\n4",
            ["1", "two", "3", "4"],
        ),
        (
            "1\n00:01,0 --> 00:02,0\nfirst\n\nsecond\n\n1984\n\n2\n00:03,0 --> 00:04,0\nthird\n",
            ["first\nsecond\n1984", "third"],
        ),
        (
            "1\n00:01,0 --> 00:02,0\n1999\n\n00:03,0 --> 00:04,0\n7\n8\n\n2\n00:05,0 --> 00:06,0\n3\n\n",
            ["1999", "7\n8", "3"],
        ),
        (
            "1\n00:01,0 --> 00:02,0\none\n\n2\ntwo\n\n3\n  --> 00:05,0\nthree\n\n4\n00:07,0 --> 00:08,0\nfour",
            ["one\ntwo\nthree", "four"],
        ),
        (
            "1\n\n00:01,0 --> 00:02,0\n\none\n\nmore\n\n\n\n2\n\n00:03,0 --> 00:04,0\n\ntwo\n\n",
            ["one\nmore", "two"],
        ),
        ("1\n00:01,0 --> 00:02,0 Hello there\nyou", ["Hello there\nyou"]),
        ("1\n00:01,0 --> 00:02,0\n\n\n2\n00:03,0 --> 00:04,0\n<i></i>\n\n3\n00:05,0 --> 00:06,0\nx", ["x"]),
        ("0:00:01.000,0:00:02.000\none[br]two\n\n0:00:03.000,0:00:04.000\nthree", ["one\ntwo", "three"]),
    ]  # fmt: skip
    for text, shown in rows:
        cues = read_srt(text)
        assert texts(cues) == shown, text
        assert [cue.index for cue in cues] == list(range(len(shown))), text


def test_srt_text_loses_known_tags_only() -> None:
    rows: list[tuple[str, str]] = [
        ("<i>one</i> <B>two</B> <u>3</u> <s>4</s>", "one two 3 4"),
        ('<font color="#fff" size=3>red</font>', "red"),
        ("a < b > c, 1<2>0 <3", "a < b > c, 1<2>0 <3"),
        ("<i>never closed", "never closed"),
        ("<i never closed", "<i never closed"),
        ("<image> <big> [b] [/]", "<image> <big> [b] [/]"),
        (r"{\an8}up {\i1}x{\i0} { \an2} {note}", r"up x { \an2} {note}"),
        (r"{b}bold{/b} {y:i}it {\an8 never closed", r"bold it {\an8 never closed"),
        ("R&amp;D &lt;i&gt;", "R&amp;D &lt;i&gt;"),
        ("one|two", "one|two"),
        ("\x1b[31mred\x1b[0m \u202eabc", "red abc"),
        ("  trimmed  \n\t\n  lines ", "trimmed\nlines"),
    ]
    for raw, shown in rows:
        assert texts(read_srt(f"1\n00:01,0 --> 00:02,0\n{raw}\n")) == [shown], raw


def test_vtt_takes_the_blocks_that_the_standard_takes() -> None:
    text = """WEBVTT - a title
Kind: captions
Language: pt-BR

NOTE a comment
over two lines

STYLE
::cue { color: red }

REGION
id:x

identifier
00:01.000 --> 00:02.000 align:start
one

1:00:03,5 --> 1:00:04,000
two
00:05.000 --> 00:06.000
three

00:07.000 -> 00:08.000
lost

NOTE at the end"""
    assert is_vtt(text)
    assert find_header_language(text) == "pt-BR"
    cues = read_vtt(text)
    assert texts(cues) == ["one", "two", "three"]
    assert (cues[1].start_ms, cues[1].end_ms) == (3_603_500, 3_604_000)


def test_vtt_markup_becomes_text_and_speaker() -> None:
    rows: list[tuple[str, str, str | None]] = [
        ("<v Bob>Hi", "Hi", "Bob"),
        ("<v.loud Mary &amp; Ann>Hi</v>", "Hi", "Mary & Ann"),
        ("<v Bob>Hi\n<v Ann>Ho\n<v Bob>Ha", "Hi\nHo\nHa", "Bob, Ann"),
        ("<c.yellow.bg_blue>so <00:00:01.500><c>it</c> is</c>", "so it is", None),
        ("<lang en-GB>colour</lang> <b>b</b><i>i</i><u>u</u>", "colour biu", None),
        ("<ruby>漢字<rt>かな</rt></ruby>です", "漢字[かな]です", None),
        ("<ruby>漢<rt>かん</rt>字<rt>じ</rt></ruby>", "漢[かん]字[じ]", None),
        ("<ruby>漢<rt>かん", "漢[かん]", None),
        ("<ruby>漢<rt></rt></ruby>", "漢", None),
        ("a < b > c &lt;i&gt; &amp; &nbsp;x", "a < b > c <i> & \xa0x", None),
        ("&#27;[31mred &#x202e;", "[31mred", None),
        (" \nsecond", "second", None),
    ]
    for raw, shown, speaker in rows:
        (cue,) = read_vtt(f"WEBVTT\n\n00:01.000 --> 00:02.000\n{raw}\n")
        assert (bracket_readings(cue), cue.speaker) == (shown, speaker), raw


def test_a_character_reference_may_have_any_number_of_digits() -> None:
    references = (f"&#{'1' * 4301};", f"&#{'0' * 4301}65;", f"&#x{'f' * 4301};", "&#65;&#0066;&amp;#67;", "&#1114112;")
    text = "WEBVTT\n" + "".join(f"\n00:01.000 --> 00:02.000\n-{reference}\n" for reference in references)
    assert texts(read_vtt(text)) == ["-\ufffd", "-A", "-\ufffd", "-AB&#67;", "-\ufffd"]


ASS = """[Script Info]
ScriptType: v4.00+

[V4+ Styles]
Format: Name, Fontname
Style: Default,Arial

[Events]
Format: Layer, Start, End, Style, Actor, Text
Comment: 0,0:00:00.00,0:00:01.00,Default,,never
Dialogue: 0,0:00:05.00,0:00:06.5,Default,Ann,{\\b1}late{\\b0}, with a comma{a note}\\Nand\\hmore
Dialogue: 0,0:00:01.00,0:00:00.50,Default,,early
Dialogue: 0,0:00:02.00,0:00:03.00,Default,,{\\p1}m 0 0 l 9 9{\\p0}shown {\\pos(1,2)\\p2}m 1 1
Dialogue: 0,0:00:02.00,0:00:03.00,Default,,{\\p1}m 0 0 l 9 9
Dialogue: 0,nonsense,0:00:03.00,Default,,lost
Dialogue: 0,0:00:02.00
Dialogue: 0,0:00:08.00,0:00:09.00,Default,,brace {never closed

[Fonts]
Dialogue: 0,0:00:02.00,0:00:03.00,Default,,not an event
"""


def test_ass_events_are_read_by_their_columns_and_without_markup() -> None:
    assert is_ass(ASS)
    assert not is_ssa(ASS)
    assert [(cue.start_ms, cue.end_ms, cue.text, cue.speaker) for cue in read_ass(ASS)] == [
        (5000, 6500, "late, with a comma\nand more", "Ann"),
        (1000, 500, "early", None),
        (2000, 3000, "shown", None),
        (8000, 9000, "brace {never closed", None),
    ]


def test_ass_without_a_format_line_has_the_usual_columns_and_ssa_is_told_apart() -> None:
    (cue,) = read_ass("[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,Default,Bob,0,0,0,,Hello, you")
    assert (cue.text, cue.speaker) == ("Hello, you", "Bob")
    assert is_ssa("[Script Info]\nScriptType: v4.00\n\n[V4 Styles]\n")
    assert not is_ass("A story about\n[Events]\nin the life of x")


def test_karaoke_stands_as_the_line_that_its_effects_were_made_of() -> None:
    script = """[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
Comment: 0,0:00:00.00,0:00:00.00,Default,,0,0,0,template syl,!retime("line")!{\\bord2}
Comment: 0,0:00:01.00,0:00:03.00,Default,,0,0,0,karaoke,{\\k20}sa{\\k30}ku{\\k50}ra
Dialogue: 0,0:00:01.00,0:00:01.20,Default,,0,0,0,fx,{\\pos(1,2)}sa
Dialogue: 0,0:00:01.20,0:00:01.50,Default,,0,0,0,fx,{\\pos(3,2)}ku
Dialogue: 0,0:00:04.00,0:00:05.00,Default,,0,0,0,,{\\k10}桜|さくら{\\k10}が{\\kf10}風|<かぜ
Dialogue: 0,0:00:06.00,0:00:07.00,Default,,0,0,0,,a|b
"""
    assert [bracket_readings(cue) for cue in read_ass(script)] == ["sakura", "桜[さくら]が風[かぜ]", "a|b"]
