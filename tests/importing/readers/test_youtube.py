from __future__ import annotations

import json
from typing import Any

import pytest

from tui.importing.readers.cue_text import MAX_CUE_LENGTH, CueTooLong
from tui.importing.readers.youtube import is_json3, is_timed_text, read_json3, read_timed_text
from tui.records.transcripts import Cue


def event(start: int, duration: int, *words: str, **others: Any) -> dict[str, Any]:
    return {"tStartMs": start, "dDurationMs": duration, "segs": [{"utf8": word} for word in words], **others}


RECOGNISED = [
    {"tStartMs": 0, "dDurationMs": 9000, "id": 1, "wpWinPosId": 1, "wsWinStyleId": 1},
    event(80, 4800, "so", " it", " is", wWinId=1),
    event(2229, 2651, "\n", wWinId=1, aAppend=1),
    event(2239, 4000, "said", " twice", wWinId=1),
    event(4870, 1369, "\n", wWinId=1, aAppend=1),
    event(4880, 1000, "[Music]", wWinId=1),
]
SRV3 = """<?xml version="1.0" encoding="utf-8" ?><timedtext format="3">
<head><pen id="1" fc="#FEFEFE"/><pen id="2" rb="1"/><pen id="3" rb="2"/><pen id="4" rb="4"/><ws id="0"/></head>
<body><w t="0" id="1" wp="1" ws="1"/>
<p t="80" d="4800" w="1"><s ac="0">so</s><s t="400" ac="0"> it</s><s t="900"> is</s></p>
<p t="2229" d="2651" w="1" a="1">
</p>
<p t="2239" d="4000" w="1"><s>said</s><s t="9"> twice</s></p>
<p t="4870" d="1369" w="1" a="1">
</p><p t="4880" d="1000" w="1">[Music]</p>
</body></timedtext>"""
SRV2 = """<?xml version="1.0" encoding="utf-8" ?><timedtext><window id="1" t="0" op="define"/>
<text t="80" d="4800" w="1">so</text><text t="480" d="4400" w="1" append="1"> it</text>
<text t="980" d="3900" w="1" append="1"> is</text><text t="2229" d="2651" w="1" append="1">
</text><text t="2239" d="4000" w="1">said</text><text t="2248" d="3991" w="1" append="1"> twice</text>
<text t="4870" d="1369" w="1" append="1">
</text><text t="4880" d="1000" w="1">[Music]</text></timedtext>"""
SPOKEN = [(80, 2239, "so it is"), (2239, 4880, "said twice"), (4880, 5880, "[Music]")]


def spans(cues: list[Cue]) -> list[tuple[int | None, int | None, str]]:
    return [(cue.start_ms, cue.end_ms, cue.text) for cue in cues]


def json3(events: list[dict[str, Any]], **others: Any) -> list[Cue]:
    text = json.dumps({"wireMagic": "pb3", **others, "events": events}, ensure_ascii=False, indent=2)
    assert is_json3(text)
    return list(read_json3(text.split("\n")))


def timed_text(text: str) -> list[Cue]:
    assert is_timed_text(text)
    return list(read_timed_text(text.split("\n")))


@pytest.mark.parametrize("cues", [json3(RECOGNISED), timed_text(SRV3), timed_text(SRV2)], ids=["json3", "srv3", "srv2"])
def test_recognised_speech_is_a_cue_a_line_up_to_where_the_next_begins(cues: list[Cue]) -> None:
    assert spans(cues) == SPOKEN


def test_captions_that_somebody_wrote_keep_their_times_and_overlaps() -> None:
    events = [
        event(1000, 3000, "- one\n- two\u200b"),
        event(2000, 1000, "a sign"),
        event(2000, 1000, "\u200b"),
        {"tStartMs": 2000, "dDurationMs": 1000},
        {"dDurationMs": 1000, "segs": [{"utf8": "no start"}]},
        {"tStartMs": 9000, "segs": [{"utf8": "open"}]},
    ]
    assert spans(json3(events)) == [(1000, 4000, "- one\n- two"), (2000, 3000, "a sign"), (9000, 14000, "open")]


def test_srv1_has_seconds_and_escapes_twice() -> None:
    text = (
        '<?xml version="1.0" encoding="utf-8" ?><transcript><text start="1.5" dur="2">I &amp;amp; you don&amp;#39;t'
        '</text><text start="4">&lt;i&gt;x&lt;/i&gt;</text><text start="x">lost</text></transcript>'
    )
    assert spans(timed_text(text)) == [(1500, 3500, "I & you don't"), (4000, 9000, "<i>x</i>")]


def test_other_xml_with_a_transcript_is_none_of_youtube() -> None:
    assert not is_timed_text("<transcript><p>Hello</p></transcript>")
    assert not is_timed_text("<html><timedtext>")
    assert not is_json3('{"events": [{"text": "a"}]}')


def test_ruby_of_pens_becomes_readings() -> None:
    pens = [{}, {"rbRuby": 1}, {"rbRuby": 2}, {"rbRuby": 4}]
    segments = [("漢字", 1), ("(", 2), ("かんじ", 3), (")", 2), ("です。", 0)]
    events = [{"tStartMs": 0, "dDurationMs": 9, "segs": [{"utf8": text, "pPenId": pen} for text, pen in segments]}]
    inside = "".join(f'<s p="{pen + 1}">{text}</s>' for text, pen in segments)
    xml = SRV3.replace("[Music]", inside)
    for cue in (json3(events, pens=pens)[0], timed_text(xml)[-1]):
        assert cue.text == "漢字です。"
        assert [(each.start, each.end, each.text) for each in cue.ruby] == [(0, 2, "かんじ")]


def test_a_live_transmission_that_only_appends_is_cut_into_lines() -> None:
    cues = json3([event(10 * at, 10, "word ", wWinId=2, aAppend=1) for at in range(900)])
    assert len(cues) > 2
    assert sum(len(cue.text.split()) for cue in cues) == 900


def test_what_was_downloaded_in_part_is_read_so_far() -> None:
    whole = json.dumps({"wireMagic": "pb3", "events": RECOGNISED})
    assert spans(list(read_json3([whole[:-40]])))[:2] == [SPOKEN[0], (2239, 6239, "said twice")]
    assert len(timed_text(SRV3[:-40])) == 2


def test_a_caption_of_more_than_a_megabyte_is_too_long() -> None:
    with pytest.raises(CueTooLong):
        json3([{"tStartMs": 0, "segs": [{"utf8": "a" * (MAX_CUE_LENGTH // 8)}] * 9}])
