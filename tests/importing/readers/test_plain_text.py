"""Plain texts, a sentence a cue, and those of Aozora Bunko: readings beside the text, without notes and colophon."""

from __future__ import annotations

from tui.importing.parse import parse
from tui.importing.readers.cue_text import bracket_readings
from tui.importing.readers.plain_text import is_aozora, read_aozora, read_plain_text
from tui.records.transcripts import Cue

AOZORA = """猫の町
山田花子

-------------------------------------------------------
【テキスト中に現れる記号について】

《》：ルビ
（例）下駄《げた》
-------------------------------------------------------

　猫《ねこ》がいた。犬もいた。

底本：「花子全集」
入力：だれか
"""


def test_plain_text_has_a_cue_per_sentence_and_no_times() -> None:
    assert list(read_plain_text(["One. Two!", "", "Three\x1b[1m"], "en")) == [
        Cue(index, None, None, text) for index, text in enumerate(("One.", "Two!", "Three"))
    ]


def test_head_and_colophon_are_no_text() -> None:
    file = parse("neko.txt", AOZORA.encode("cp932"))
    assert (file.kind, file.format, file.language, file.encoding) == ("text", "aozora", "ja", "cp932")
    shown = [bracket_readings(cue) for cue in file.transcripts[0].cues]
    assert shown == ["猫の町", "山田花子", "猫[ねこ]がいた。", "犬もいた。"]


def test_marks_become_readings_or_go() -> None:
    rows: list[tuple[str, str]] = [
        ("この下人《げにん》は", "この下人[げにん]は"),
        ("霧の｜ロンドン警視庁《スコットランドヤード》", "霧のロンドン警視庁[スコットランドヤード]"),
        ("人々《ひとびと》", "人々[ひとびと]"),
        ("春［＃「春」に傍点］が来た", "春が来た"),
        ("※［＃「目＋匡」、第3水準1-88-81］《まぶた》が", "眶[まぶた]が"),
        ("※［＃「てへん＋丑」、第4水準2-12-93］《ね》じ", "扭[ね]じ"),
        ("※［＃「魚＋師のつくり」、U+9BF4、1-2-3］", "鯴"),
        ("※［＃「だれも知らない字」、ページ数-行数］", "〓"),
        ("※［＃「悪い」、U+D800］", "〓"),
        ("Sentimentalisme《サンチマンタリスム》", "Sentimentalisme[サンチマンタリスム]"),
        ("《そのまま》", "《そのまま》"),
        ("《《強い》》調子", "強い調子"),
        ("猫《 》", "猫"),
    ]
    for line, read in rows:
        assert [bracket_readings(cue) for cue in read_aozora([line], None)] == [read], line


def test_a_chinese_book_title_makes_no_aozora_text() -> None:
    assert not is_aozora("我读过《红楼梦》和《水浒传》。")
    assert is_aozora("猫《ねこ》がいた。［＃改ページ］")
    assert parse("a.zh.txt", "我读过《红楼梦》。".encode()).transcripts[0].cues[0].text == "我读过《红楼梦》。"
