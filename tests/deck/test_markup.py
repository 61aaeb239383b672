"""Texts as the HTML of fields."""

from __future__ import annotations

import pytest

from tui.deck.markup import clean, disarm_directives, literal, mark_bold, mark_focus_in_readings, markdown
from tui.language.focus import find_focus_spans


def focus_in_bold(sentence: str, surface: str) -> str:
    return mark_bold(sentence, find_focus_spans(sentence, surface))


def test_the_focus_word_is_bold_where_it_stands_and_the_rest_is_untouched() -> None:
    html = focus_in_bold("Er fährt\nheute <ab>.", "fährt … ab")
    assert html == "Er <b>fährt</b><br>heute &lt;<b>ab</b>&gt;."
    assert focus_in_bold("Das Brot ist alt.", "rot") == "Das Brot ist alt."


def test_bold_is_set_by_place_and_not_by_replacing_text() -> None:
    assert focus_in_bold("b & b <b>", "b") == "<b>b</b> &amp; b &lt;b&gt;"
    assert focus_in_bold("amp & amp", "amp") == "<b>amp</b> &amp; amp"


def test_lines_become_breaks_and_signs_become_entities() -> None:
    assert literal('a < b & "c"\nd') == 'a &lt; b &amp; "c"<br>d'


def test_what_anki_would_act_on_becomes_entities() -> None:
    assert disarm_directives("{{c1::x}}") == "&#123;&#123;c1::x&#125;&#125;"
    assert disarm_directives("[sound:x] [music] [$]") == "&#91;sound:x] [music] &#91;$]"


def test_marks_of_mathjax_are_broken_in_texts_and_left_alone_in_addresses() -> None:
    assert literal(r"\(x\) \[y\] \x $5 $$z$$") == (
        r"\<span></span>(x\) \<span></span>[y\] \x $5 $<span></span>$z$<span></span>$"
    )
    assert markdown("[a](https://x.org/$$) $$") == '<p><a href="https://x.org/$$">a</a> $<span></span>$</p>'
    assert focus_in_bold(r"\(x\)", "(x") == r"\<b>(x</b>\)"


def test_the_focus_word_is_bold_with_its_readings() -> None:
    written = "昨日[きのう]、 時計[とけい]を 直[なお]した。"
    assert mark_focus_in_readings(written, "直した") == "昨日[きのう]、 時計[とけい]を<b> 直[なお]した</b>。"
    assert mark_focus_in_readings(written, "計") == "昨日[きのう]、<b> 時計[とけい]</b>を 直[なお]した。"
    assert mark_focus_in_readings(written, "") == written


def test_texts_are_cleaned_to_what_anki_keeps() -> None:
    assert clean(" a\x00b\x1b[31mc\r\nd\ud800 e\u0301 ") == "abc\nd\ufffd é"


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("", ""),
        ("Just words, no signs.", "<p>Just words, no signs.</p>"),
        ("**a** *b* `c`", "<p><strong>a</strong> <em>b</em> <code>c</code></p>"),
        ("one\ntwo", "<p>one<br>\ntwo</p>"),
        ("1. x", "<ol>\n<li>x</li>\n</ol>"),
        ("<b>x</b>", "<p>&lt;b&gt;x&lt;/b&gt;</p>"),
        ("[a](https://x.org/)", '<p><a href="https://x.org/">a</a></p>'),
        ("[a](javascript:alert%281%29)", "<p>[a](javascript:alert%281%29)</p>"),
        ("[a](file:///etc/passwd)", "<p>[a](file:///etc/passwd)</p>"),
        ("[a](data:text/html,x)", "<p>[a](data:text/html,x)</p>"),
        ("![a < b](https://x.org/p.png)", "<p>a &lt; b</p>"),
        ("x {{c1::y}}", "<p>x &#123;&#123;c1::y&#125;&#125;</p>"),
        ("\\[sound:x.mp3]", "<p>&#91;sound:x.mp3]</p>"),
        ("`[sound:x.mp3]`", "<p><code>&#91;sound:x.mp3]</code></p>"),
        ("| a | b |\n|---|---|\n| c | d |", None),
    ],
)
def test_explanations_are_rendered_without_anything_that_acts(text: str, html: str | None) -> None:
    if html is None:
        assert markdown(text).startswith("<table>")
    else:
        assert markdown(text) == html


@pytest.mark.parametrize(
    "text",
    [
        "Just words.",
        "Really? (Yes!)",
        "Über 3 Uhr: um 15.30 – so",
        "a - b + c = d # e",
        "食べる。",
        "x > y | z",
        "a {b} c",
    ],
)
def test_the_short_way_for_plain_texts_gives_what_the_renderer_gives(text: str) -> None:
    from tui.deck.markup import _renderer

    assert markdown(text) == _renderer()(text).rstrip("\n")


@pytest.mark.exhaustive
@pytest.mark.parametrize("unit", ["<", "[", "*a", "`", "> ", "- ", "{{", "![", "a…", "_", "[a](http://b) "])
def test_no_text_is_too_long(unit: str) -> None:
    text = unit * (20_000 // len(unit))
    assert markdown(text)
    assert focus_in_bold(text, text[:999])
    assert literal(text)
