from __future__ import annotations

from collections.abc import Iterator

import pytest

from tui.importing.readers.cue_text import bracket_readings
from tui.importing.readers.ttml import find_root_language, is_ttml, read_ttml

ORDINARY = """<?xml version="1.0" encoding="UTF-16"?>
<!-- made by hand -->
<tt:tt xmlns:tt="http://www.w3.org/ns/ttml" xmlns:ttm="http://www.w3.org/ns/ttml#metadata" xml:lang="de">
  <tt:head><tt:metadata><ttm:title>A film</ttm:title></tt:metadata></tt:head>
  <tt:body>
    <tt:div begin="10s">
      <tt:p xml:id="a" begin="00:00:01.5" end="00:00:02.000">
        Erste <tt:span tts:color="red">rote</tt:span><tt:br/>
        Zeile &amp; <ttm:desc>unsichtbar</ttm:desc>mehr
      </tt:p>
      <tt:p begin="3s" dur="500ms">zwei</tt:p>
      <tt:p begin="5s">offen</tt:p>
    </tt:div>
  </tt:body>
</tt:tt>"""


def spans(text: str) -> list[tuple[int | None, int | None, str]]:
    return [(cue.start_ms, cue.end_ms, bracket_readings(cue)) for cue in read_ttml(text.split("\n"))]


def document(inside: str, attributes: str = "") -> str:
    return f'<tt xmlns="http://www.w3.org/2006/10/ttaf1" {attributes}><body><div>{inside}</div></body></tt>'


def test_paragraphs_are_cues_whose_times_add_up() -> None:
    assert spans(ORDINARY) == [
        (11500, 12000, "Erste rote\nZeile & mehr"),
        (13000, 13500, "zwei"),
        (15000, 20000, "offen"),
    ]
    assert find_root_language(ORDINARY) == "de"
    assert find_root_language("<tt xml:lang=''><body xml:lang='ja'/></tt>") == "ja"


def test_times_are_read_as_the_standard_writes_them() -> None:
    written = ("01:00:01", "00:00:01.5", "00:01,250", "00:00:01:12", "12.5s", "500ms", "1h", "36f", "20000000t", " 2s ")
    paragraphs = "".join(f'<p begin="{each}">x</p>' for each in written)
    starts = [start for start, _, _ in spans(document(paragraphs, 'ttp:frameRate="24" ttp:tickRate="10000000"'))]
    assert starts == [3_601_000, 1500, 1250, 1500, 12500, 500, 3_600_000, 1500, 2000, 2000]


def test_frames_count_by_the_rate_with_its_multiplier() -> None:
    rates = 'ttp:frameRate="30" ttp:frameRateMultiplier="1000 1001"'
    assert spans(document('<p begin="30f" end="00:00:02:00">x</p>', rates)) == [(1001, 2000, "x")]
    assert spans(document('<p begin="30f" end="2s">x</p>', 'ttp:frameRate="0"')) == [(1000, 2000, "x")]


def test_a_paragraph_without_times_has_those_around_it_or_is_no_cue() -> None:
    assert spans(document("<p>x</p>")) == []
    assert spans('<tt><body begin="1s" end="3s"><div><p>x</p><p begin="1s" end="9s">y</p></div></body></tt>') == [
        (1000, 3000, "x"),
        (2000, 3000, "y"),
    ]


def test_white_space_counts_only_where_it_is_to_be_preserved() -> None:
    assert spans(document('<p begin="0s">a\n  b</p>')) == [(0, 5000, "a b")]
    assert spans(document('<p begin="0s">a\n  b</p>', 'xml:space="preserve"')) == [(0, 5000, "a\nb")]


def test_ruby_stands_in_brackets() -> None:
    ruby = '<span tts:ruby="container"><span tts:ruby="base">漢字</span><span tts:ruby="text">かんじ</span></span>'
    assert spans(document(f'<p begin="0s">{ruby}だ</p>')) == [(0, 5000, "漢字[かんじ]だ")]


def test_entities_of_html_and_bare_ampersands_are_read() -> None:
    assert spans(document('<p begin="0s">R&D&nbsp;&eacute; &amp;lt; &#x41;\x1b[31m</p>')) == [
        (0, 5000, "R&D\xa0é &lt; A")
    ]


def test_the_cues_before_a_break_are_kept() -> None:
    assert spans(document('<p begin="0s">one</p><p begin="9s">two')[:-10]) == [(0, 5000, "one")]
    assert spans("<tt><p begin='1s'>a</p></body>") == [(1000, 6000, "a")]


@pytest.mark.parametrize("declared", ["", ' SYSTEM "file:///etc/passwd"', ' [<!ENTITY e SYSTEM "file:///etc/passwd">]'])
def test_nothing_is_read_behind_a_doctype(declared: str) -> None:
    assert spans(f"<!DOCTYPE tt{declared}>" + document('<p begin="0s">x &e;</p>')) == []


def test_ttml_is_known_by_its_root() -> None:
    assert is_ttml(ORDINARY) and is_ttml("<tt/>")
    assert not is_ttml("<ttx/>") and not is_ttml("<!-- <tt>") and not is_ttml("<html><tt>x</tt></html>")


@pytest.mark.parametrize("unit", ["<a>", "<a{}/>", '<a b{}=""/>'])
def test_a_document_of_too_many_levels_or_names_is_left(unit: str) -> None:
    many = "".join(unit.replace("{}", str(number)) for number in range(5000))
    assert spans(document(f'<p begin="0s">one</p>{many}<p begin="1s">two</p>')) == [(0, 5000, "one")]


@pytest.mark.parametrize("head", ["<!-- ", '<tt a="', "<tt><body b='", "<?pi "])
def test_a_tag_without_an_end_is_not_looked_for_for_ever(head: str) -> None:
    taken = 0

    def lines() -> Iterator[str]:
        nonlocal taken
        yield head
        while taken < 10_000:
            taken += 1
            yield "many words " * 90

    assert list(read_ttml(lines())) == []
    assert taken < 3000
