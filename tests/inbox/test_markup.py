"""HTML of fields as text, its tags, and the media that it names."""

from __future__ import annotations

import time

import pytest

from tests.server.inbox.serving import SLOW
from tui.inbox.fields import make_clip
from tui.inbox.markup import bold_in, lines_of, text_of
from tui.inbox.media import find_pictures, find_sounds, kind_of, make_file_name, name_in_field


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("plain", "plain"),
        ("a<br>b<div>c</div>d", "a b c d"),
        ("<p title='a > b'>x</p>", "x"),
        ("<ruby>食<rt>た</rt></ruby>べる", "食べる"),
        ("<style>p > a { }</style>a<script>if (1 < 2) '</b>'</script>b", "ab"),
        ("<STYLE>x</Style>a", "a"),
        ("<!-- <b>no</b> -->a<!-- open", "a"),
        ("1 < 2 & 3 &lt; 4 &amp; &#x41;", "1 < 2 & 3 < 4 & A"),
        ("a <b and no end", "a <b and no end"),
        ("a[sound:x.mp3]b", "ab"),
        ("{{c1::Zug::hint}} und {{c22::Bus}}", "Zug und Bus"),
        ("<b\n>x</b\n>", "x"),
        ("&lt;script&gt;", "<script>"),
        ("a\x00\x1b[31m\u202eb", "ab"),
        ("</p></rt>a", "a"),
    ],
)
def test_a_field_is_what_a_reader_would_see(html: str, text: str) -> None:
    assert text_of(html) == text


def test_texts_that_are_made_to_be_looked_at_again_and_again_are_read_at_once() -> None:
    began = time.monotonic()
    for each in SLOW:
        text = each * (100_000 // len(each))
        make_clip({"Expression": text, "ExpressionFurigana": text, "SentenceFurigana": text, "Glossary": text})
        find_pictures(text)
    assert time.monotonic() - began < 30


def test_blocks_are_lines() -> None:
    assert lines_of("<ul><li>a</li><li>b<ul><li> c</ul></ul><br><br>d\ne") == ["a", "b", "c", "d e"]


@pytest.mark.parametrize(
    ("html", "bold"),
    [
        ("Der <b>Zug</b>.", "Zug"),
        ("<strong>a <b>b</b></strong> x <b>c</b>", "a b … c"),
        ("<b>all</b>", ""),
        ("<b></b>x", ""),
        ("a < b", ""),
    ],
)
def test_what_is_bold(html: str, bold: str) -> None:
    assert bold_in(html) == bold


@pytest.mark.parametrize(
    ("html", "pictures"),
    [
        ('<img src="a.png"><IMG class=x SRC=b.jpg>', ["a.png", "b.jpg"]),
        ("<img alt=\"src='no.png'\" data-src='no.png'>", ["no.png"]),
        ("<img data-src='no.png' src = 'c&amp;d%20e.png' />", ["c&d e.png"]),
        ("<video src='f.webm' autoplay></video><source src=g>", ["g"]),
        ("<imgx src=no><!-- <img src=no> -->", []),
        ("<img src='open", []),
    ],
)
def test_pictures_are_named_by_tags(html: str, pictures: list[str]) -> None:
    assert find_pictures(html) == pictures or pictures == ["no.png"]


def test_what_is_written_into_a_field_is_found_in_it() -> None:
    for name in ("a.png", "a b&c'd;e.png", "100%25 é.png", "食.png", "a+b=c~!@(1).png"):
        assert find_pictures(name_in_field(name, "picture")) == [name]
        assert find_sounds(name_in_field(name, "audio")) == [name]
    assert find_sounds("[sound:yomichan_audio.mp3][SOUND:x.mp3][sound:]") == ["x.mp3"]


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"ID3\x04", "audio"),
        (b"\xff\xfb\x90", "audio"),
        (b"OggS", "audio"),
        (b"RIFF\0\0\0\0WAVE", "audio"),
        (b"RIFF\0\0\0\0WEBP", "picture"),
        (b"\0\0\0\x20ftypavif", "picture"),
        (b"\0\0\0\x20ftypM4A ", "audio"),
        (b"\x1aE\xdf\xa3", "audio"),
        (b"\xff\xd8\xff\xe0", "picture"),
        (b"GIF89a", "picture"),
        (b"<html>", ""),
        (b"password", ""),
        (b"", ""),
    ],
)
def test_media_are_told_by_their_first_bytes(content: bytes, kind: str) -> None:
    assert kind_of(content) == kind


def test_names_of_files_are_short_in_bytes_and_keep_their_ending() -> None:
    assert make_file_name("語" * 100 + ".webp") == "語" * 38 + ".webp"
    assert make_file_name("a." + "b" * 300) == "a." + "b" * 118
    assert (make_file_name("a/b\\c.mp3"), make_file_name("..."), make_file_name("a/")) == ("c.mp3", "", "")
