"""Texts as the HTML of fields, with their language and direction."""

from __future__ import annotations

import pytest

from tests.deck.clips import bare
from tests.deck.conftest import Anki
from tui.deck.markup import (
    _renderer,
    clean,
    disarm_directives,
    literal,
    mark_bold,
    mark_focus_in_readings,
    mark_language,
    mark_words_of,
    markdown,
)
from tui.language.focus import find_focus_spans
from tui.records.clips import FocusWord


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


def test_explanations_are_rendered_without_anything_that_acts() -> None:
    for text, html in (
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
    ):
        assert markdown(text) == html
    assert markdown("| a | b |\n|---|---|\n| c | d |").startswith("<table>")


def test_the_short_way_for_plain_texts_gives_what_the_renderer_gives() -> None:
    for text in (
        *("Just words.", "Really? (Yes!)", "Über 3 Uhr: um 15.30 – so", "a - b + c = d # e", "食べる。"),
        *("x > y | z", "a {b} c"),
    ):
        assert markdown(text) == _renderer()(text).rstrip("\n")


@pytest.mark.exhaustive
def test_no_text_is_too_long() -> None:
    for unit in ("<", "[", "*a", "`", "> ", "- ", "{{", "![", "a…", "_", "[a](http://b) "):
        text = unit * (5_000 // len(unit))
        assert markdown(text)
        assert focus_in_bold(text, text[:999])
        assert literal(text)


# Language and direction of texts on a card.


def test_a_text_has_the_language_of_its_clip() -> None:
    for language, html, marked in (
        ("zh-Hans", "直接", '<span lang="zh-Hans" dir="ltr">直接</span>'),
        ("ger", "ab", '<span lang="de" dir="ltr">ab</span>'),
        ("he", "שלום!", '<span lang="he" dir="rtl">שלום!</span>'),
        ("he", "Tel Aviv.", '<span lang="he" dir="ltr">Tel Aviv.</span>'),
        ("de", "שלום heißt Friede", '<span lang="de" dir="ltr">שלום heißt Friede</span>'),
        ("sr-Latn", "ab", '<span lang="sr-Latn" dir="ltr">ab</span>'),
        ("dv", "ދ", '<span lang="dv" dir="auto">ދ</span>'),
        (None, "直接", "直接"),
        ('x"><script>', "ab", "ab"),
        ("de", "", ""),
    ):
        assert mark_language(html, language) == marked


def test_words_of_it_are_marked_in_texts_about_it() -> None:
    link = 'see <a href="https://x.org/直">this one: {}</a>'
    for language, html, marked in (
        ("he", "<p>שלום means peace.</p>", '<p><span lang="he" dir="rtl">שלום</span> means peace.</p>'),
        ("he", "it comes from שלום עליכם, it", 'it comes from <span lang="he" dir="rtl">שלום עליכם</span>, it'),
        ("he", "<p>שלום רב לך</p>", "<p>שלום רב לך</p>"),
        ("ja", "takes を", 'takes <span lang="ja" dir="ltr">を</span>'),
        ("ja", "直す 是及物动词", "直す 是及物动词"),
        ("de", "the prefix ab", "the prefix ab"),
        ("zh", link.format("直"), link.format('<span lang="zh" dir="ltr">直</span>')),
        (None, "שלום means peace", "שלום means peace"),
    ):
        assert mark_words_of(html, language) == marked


def test_anki_shows_the_marks_on_every_text_of_the_language(anki: Anki) -> None:
    focus = FocusWord("直接", lemma="直接", reading="zhíjiē", meanings=("directly",), language="zh-Hans")
    anki.take_clips(bare(1, "他直接走。", focus=focus, context="他直接走。", explanation="**直接** is an adverb."))
    ((question, answer),) = anki.sides()
    assert '<span lang="zh-Hans" dir="ltr">他<b>直接</b>走。</span>' in question
    assert '<strong><span lang="zh-Hans" dir="ltr">直接</span></strong> is an adverb.' in answer
    assert answer.count('lang="zh-Hans"') == 5
