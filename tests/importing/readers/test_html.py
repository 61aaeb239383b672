from __future__ import annotations

import pytest

from tui.importing.readers import documents
from tui.importing.readers import html as pages
from tui.importing.readers.cue_text import Unreadable, unmark_readings
from tui.importing.readers.html_page import read_page

PARAGRAPH = "Der Zug fährt heute später ab, weil auf der Strecke gebaut wird und niemand etwas davon gesagt hat. "
PAGE = f"""<!DOCTYPE html><html lang="de-DE"><head><title>Der Zug – Die Zeitung</title><style>p {{}}</style>
<script>var x = "<p>no</p>";</script></head>
<body class="has-sidebar"><header><a href="/">Die Zeitung</a></header><nav><ul><li><a href=1>Politik</a></ul></nav>
<div id="content"><h1>Der <em>Zug</em></h1>
<p>{PARAGRAPH}<p>Er sagte:<br>„Gut.“<sup><a href="#n">[1]</a></sup> Und   ging
weiter.</p>
<ul><li>Erster Punkt mit <a href=x>einem Verweis</a> darin<li>Zweiter Punkt</ul>
<p>{PARAGRAPH * 2}</p><table><tr><td>Ein Wort.<td>Eine Zelle.</table>
<div class="share"><a href=x>Teilen</a></div>
<pre><code>x = 1</code></pre><noscript>Bitte JavaScript einschalten</noscript></div>
<aside><p>{PARAGRAPH * 3}</p></aside><footer>Impressum</footer></body></html>"""


def texts(html: str, *, is_book: bool = False) -> list[str]:
    return [block.text for block in read_page(html.split("\n"), is_book=is_book).blocks if not block.is_aside]


def test_the_article_of_a_page_is_what_stands_in_its_middle() -> None:
    assert [block.text for block in pages.find_article(read_page(PAGE.split("\n")))] == [
        "Der Zug",
        PARAGRAPH.strip(),
        "Er sagte:\n„Gut.“ Und ging weiter.",
        "Erster Punkt mit einem Verweis darin",
        "Zweiter Punkt",
        (PARAGRAPH * 2).strip(),
        "Ein Wort.",
        "Eine Zelle.",
    ]
    assert pages.is_html(PAGE)
    assert pages.find_html_language(PAGE) == "de-DE"
    assert pages.find_html_title(PAGE) == "Der Zug"


def test_each_sentence_is_a_cue_without_times() -> None:
    cues = {cue.text: cue.start_ms for cue in pages.read_html(PAGE.split("\n"), "de")}
    assert set(cues.values()) == {None}
    assert PARAGRAPH.strip() in cues and "Impressum" not in " ".join(cues)


def test_trafilatura_is_asked_where_it_is_installed_and_leaves_the_readings() -> None:
    pytest.importorskip("trafilatura")
    ruby = (
        "<p>" + "<ruby>漢字<rp>(</rp><rt>かんじ</rt><rp>)</rp></ruby>を読むのは、だれにとってもむずかしいことです。" * 9
    )
    html = PAGE.replace("<h1>", f"{ruby}</p><h1>")
    blocks = pages.find_article_blocks(html.split("\n"))
    plain, readings = unmark_readings(" ".join(block.text for block in blocks))
    assert plain.count("漢字を読む") == 9
    assert len(readings) == 9 and {reading.text for reading in readings} == {"かんじ"}
    assert "Impressum" not in plain and "Teilen" not in plain


def test_without_trafilatura_the_article_is_our_own_and_its_text_has_no_markup(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "_extracted", lambda lines, page: [])
    assert pages.find_article_blocks(PAGE.split("\n")) == pages.find_article(read_page(PAGE.split("\n")))
    assert pages.take_html_prose("<html><nav><a>The menu of this</a></nav><p>" + PARAGRAPH) == PARAGRAPH.strip()


def test_markup_becomes_blocks() -> None:
    rows: list[tuple[str, list[str]]] = [
        ("<p>one<p>two <b>bold</b>, <i>it</i>alic", ["one", "two bold, italic"]),
        ("a<div>b</div>c", ["a", "b", "c"]),
        ("<p>日本語の\n  文章です。", ["日本語の文章です。"]),
        ("<p>deux\n lignes&nbsp;!", ["deux lignes\xa0!"]),
        ("<p>E=mc<sup>2</sup> or <a href=x>2019</a>", ["E=mc2 or 2019"]),
        ('<p>word<a href="#1"><sup>12</sup></a> and[3]<a href=y>[4]</a>.', ["word and[3]."]),
        ("<pre>a poem\n  of lines</pre>", ["a poem\nof lines"]),
        (f"<p>a &lt;b&gt; &amp; &#x41;&#{'1' * 5000};x", ["a <b> & A\ufffdx"]),
        ("<p>a <!-- b --> c <![CDATA[d]]> e", ["a c e"]),
        ("<p hidden>no</p><p>yes", ["yes"]),
        ("<head><title>t</title><p>no body tag", ["no body tag"]),
        ("<p>\x1b[31mred\u202e</p>", ["red"]),
        ("<svg><text>no</text></svg><p>after", ["after"]),
        ("<p>half a tag <a href='x", ["half a tag"]),
        ("<p>never <!-- closed", ["never"]),
        ("</p></div>stray<nav><p>Menu</nav><p>text", ["stray", "text"]),
        ("", []),
    ]
    for html, shown in rows:
        assert texts(html) == shown, html


def test_ruby_becomes_readings() -> None:
    rows: list[tuple[str, str, list[tuple[int, int, str]]]] = [
        ("<ruby>漢字<rp>(</rp><rt>かんじ</rt><rp>)</rp></ruby>です", "漢字です", [(0, 2, "かんじ")]),
        ("<ruby>漢<rt>かん</rt>字<rt>じ</rt></ruby>", "漢字", [(0, 1, "かん"), (1, 2, "じ")]),
        ("<ruby>漢<rt>かん字<rt>じ</ruby>", "漢", [(0, 1, "かん字じ")]),
        ("<ruby><rb>東</rb><rb>京</rb><rt>とう</rt><rt>きょう</rt></ruby>", "東京", [(0, 1, "とう"), (1, 2, "きょう")]),
        ("<ruby><rb>明日</rb><rt>あした</rt></ruby>は", "明日は", [(0, 2, "あした")]),
        ("<ruby>東京<rtc><rt>とう</rt><rt>きょう</rt></rtc></ruby>", "東京", [(0, 2, "とうきょう")]),
        ("<ruby>漢<rt></rt></ruby>", "漢", []),
        ("<ruby>漢<rt>かん", "漢", [(0, 1, "かん")]),
        ("<rt>alone</rt>", "alone", []),
    ]
    for html, plain, readings in rows:
        (block,) = read_page([html]).blocks
        text, ruby = unmark_readings(block.text)
        assert (text, [(each.start, each.end, each.text) for each in ruby]) == (plain, readings), html


def test_the_page_of_a_book_has_no_navigation_but_notes() -> None:
    html = '<header><p class="side">Kapitel 1</p></header><p>Text<a epub:type="noteref" href="#n">1</a>.'
    html += '<aside epub:type="footnote"><p>Eine Fußnote</p></aside><p role="doc-footnote">Noch eine'
    assert texts(html, is_book=True) == ["Kapitel 1", "Text1."]
    assert texts(html.replace(">1<", "><sup>1</sup><"), is_book=True) == ["Kapitel 1", "Text."]


def test_the_language_is_the_one_that_the_page_names() -> None:
    rows: list[tuple[str, str | None]] = [
        ('<html lang="ja">', "ja"),
        ("<html class=x lang=pt-BR>", "pt-BR"),
        ('<html xmlns="http://www.w3.org/1999/xhtml" xml:lang="zh-Hant-TW">', "zh-Hant-TW"),
        ('<html><head><meta property="og:locale" content="es_ES">', "es-ES"),
        ('<html><head><meta http-equiv="content-language" content="ko">', "ko"),
        ("<html data-lang=en>", None),
        ("<html lang=''>", None),
    ]
    for head, language in rows:
        assert pages.find_html_language(head) == language, head


def test_the_title_is_the_heading_or_that_of_the_page() -> None:
    assert (
        pages.find_html_title("<title>Ein &amp; alles | Seite</title><h1>Ein &amp; <b>alles</b></h1>") == "Ein & alles"
    )
    assert pages.find_html_title("<title>Ein  Titel</title><h1>Menu</h1>") == "Ein Titel"
    assert (pages.find_html_title("<h1>Nur das</h1>"), pages.find_html_title("<p>")) == ("Nur das", None)


def test_other_text_is_no_page() -> None:
    assert pages.is_html("<?xml version='1.0'?>\n<!-- x -->\n<html>") and pages.is_html("<HTML>")
    assert not pages.is_html("A text about <html>") and not pages.is_html("<p>Hello") and not pages.is_html("")


def test_a_page_of_too_many_paragraphs_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "_MAX_BLOCKS", 100)
    assert len(read_page(["<p>a"] * 100).blocks) == 100
    with pytest.raises(Unreadable, match="paragraphs"):
        read_page(["<p>a"] * 101)


def test_trafilatura_is_not_asked_about_a_paragraph_of_many_elements(monkeypatch: pytest.MonkeyPatch) -> None:
    trafilatura = pytest.importorskip("trafilatura")
    asked: list[int] = []

    def extract(html: str, **options: object) -> str:
        asked.append(len(html))
        return ""

    monkeypatch.setattr(trafilatura, "extract", extract)
    for body, is_asked in {
        "<span>Wort</span> " * 900: True,
        "<span>Wort</span> " * 1_100: False,
        "<a href='x'>Wort " * 1_100: False,
        "<ruby>漢<rt>かん</rt></ruby>" * 1_100: False,
        "Wort<br>" * 1_100: False,
        f"<b {' '.join(f'a{number}' for number in range(1_100))}>Wort</b>": False,
        f"Wort <b {' '.join(f'a{number}=b' for number in range(60_000))}": False,
        "<p>Ein <b>Satz</b>.</p>" * 1_100: True,
    }.items():
        asked.clear()
        found = pages.find_article_blocks([f"<html><body><article><p>{body}</p></article></body></html>"])
        assert any(word in block.text for block in found for word in ("Wort", "漢", "Satz")), body[:80]
        assert bool(asked) is is_asked, body[:80]
