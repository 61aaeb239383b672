from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui.importing.readers.cue_text import MAX_CUE_LENGTH, CueTooLong, bracket_readings
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


@pytest.mark.parametrize(
    ("written", "ms"),
    [
        ("01:00:01", 3_601_000),
        ("00:00:01.5", 1500),
        ("00:00:01,250", 1250),
        ("00:01.5", 1500),
        ("00:00:01:12", 1500),
        ("12.5s", 12500),
        ("500ms", 500),
        ("3m", 180_000),
        ("1h", 3_600_000),
        ("36f", 1500),
        ("20000000t", 2000),
        (" 2s ", 2000),
    ],
)
def test_times_are_read_as_the_standard_writes_them(written: str, ms: int) -> None:
    rates = 'ttp:frameRate="24" ttp:tickRate="10000000"'
    ((start, _, _),) = spans(document(f'<p begin="{written}">x</p>', rates))
    assert start == ms


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


@pytest.mark.parametrize(
    "doctype",
    [
        "<!DOCTYPE tt>",
        '<!DOCTYPE tt SYSTEM "file:///etc/passwd">',
        '<!DOCTYPE tt [<!ENTITY e "boo">]>',
        '<!DOCTYPE tt [<!ENTITY e SYSTEM "file:///etc/passwd">]>',
    ],
)
def test_nothing_is_read_behind_a_doctype(doctype: str) -> None:
    assert spans(doctype + document('<p begin="0s">x &e;</p>')) == []


def test_ttml_is_known_by_its_root() -> None:
    assert is_ttml(ORDINARY) and is_ttml("<tt/>")
    assert not is_ttml("<ttx/>") and not is_ttml("<!-- <tt>") and not is_ttml("<html><tt>x</tt></html>")


def test_a_cue_of_more_than_a_megabyte_is_too_long() -> None:
    with pytest.raises(CueTooLong):
        spans(document('<p begin="0s">' + "many words\n" * (MAX_CUE_LENGTH // 10)))


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
        while taken < 64_000:
            taken += 1
            yield "many words " * 90

    assert list(read_ttml(lines())) == []
    assert taken < 3000


PARTS = (
    "<tt>",
    "<p begin='1s'",
    ">",
    "</p>",
    "<br/>",
    "<span>",
    "</span>",
    "&nbsp;",
    "&#1;",
    "<![CDATA[",
    "]]>",
    "\n",
    "a ",
)


@given(st.lists(st.sampled_from(PARTS) | st.text(max_size=5)).map("".join))
def test_any_text_is_read(text: str) -> None:
    for written in (text, f"<tt>{text}", document(f'<p begin="{text}">{text}</p>')):
        is_ttml(written)
        find_root_language(written)
        for start, end, shown in spans(written):
            assert start is not None and end is not None and start <= end and shown.strip()


@pytest.mark.exhaustive
@pytest.mark.parametrize("unit", [*PARTS, "<", "&", "<p begin='1h'>x</p>", "<tt ", "<p ", " ", "<!---->", "<?a?>"])
def test_hostile_repetition_is_read(unit: str) -> None:
    for head in ("", "<tt><p begin='1s'>", "<tt "):
        text = head + unit * (400_000 // len(unit))
        is_ttml(text)
        find_root_language(text)
        spans(text)
