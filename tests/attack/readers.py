"""Readers of what comes from outside, out of the tables of formats, and what their files are made of.

A format is attacked by being in its table. What stands here of it is only what its files look like: without that it
gets the shapes that any file can have.
"""

from __future__ import annotations

from dataclasses import dataclass

from tui.dictionaries import formats as dictionaries
from tui.importing import formats as importing
from tui.vocabulary import formats as vocabulary


@dataclass(frozen=True, slots=True)
class Material:
    """What a file of a format is made of: ``begin``, ``unit`` any number of times, ``end``.

    ``nest`` opens and closes something that may stand within itself, which then takes the place of the units.
    ``part`` is the member of a ZIP file that is all this, ``others`` are the members beside it.
    """

    unit: str = ""
    begin: str = ""
    end: str = ""
    nest: tuple[str, str] | None = None
    part: str = ""
    others: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Reader:
    """A reader: ``way`` is the entry of ``reading.py`` that reads its files, which end in ``ending``."""

    name: str
    way: str
    ending: str
    material: Material | None = None


_DIALOGUE = Material(
    "Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,Text\n",
    "[Script Info]\nScriptType: v4.00+\n\n[Events]\n"
    "Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n",
)
_OBJECT = '{"start":1.5,"end":2.5,"text":"Hello"}'
_CONTAINER = '<container><rootfiles><rootfile full-path="p.opf"/></rootfiles></container>'
_PACKAGE = (
    '<package><metadata/><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest>'
    '<spine><itemref idref="a"/></spine></package>'
)
_LISTED = '{"title":"t","revision":"1","format":3}'
_TERM = '["a","","","",0,["b"],0,""]'

MATERIAL = {
    "srt": Material("1\n00:00:01,000 --> 00:00:02,000\nText.\n\n"),
    "vtt": Material("00:01.000 --> 00:02.000\nText.\n\n", "WEBVTT\n\n"),
    "ass": _DIALOGUE,
    "ssa": _DIALOGUE,
    "ttml": Material(
        '<p begin="1s" end="2s">Text</p>',
        '<tt xmlns="http://www.w3.org/ns/ttml"><body><div>',
        "</div></body></tt>",
        ("<div>", "</div>"),
    ),
    "sami": Material("<SYNC Start=1000><P>Text\n", "<SAMI><BODY>", "</BODY></SAMI>", ("<b>", "</b>")),
    "youtube-xml": Material(
        '<p t="1000" d="1000">Text</p>', '<timedtext format="3"><body>', "</body></timedtext>", ("<s>", "</s>")
    ),
    "youtube-json": Material(
        '{"tStartMs":1000,"dDurationMs":1000,"segs":[{"utf8":"Text"}]},', '{"events":[', "{}]}", ("[", "]")
    ),
    "lrc": Material("[00:12.00]Hello\n"),
    "microdvd": Material("{100}{150}Hello\n"),
    "mpl2": Material("[10][25]Hello\n"),
    "tmplayer": Material("00:00:01:Hello\n"),
    "csv": Material("1,2,Text\n", "start,end,text\n"),
    "json": Material(f"{_OBJECT},", "[", f"{_OBJECT}]", ("[", "]")),
    "html": Material("<p>Ein Satz.</p>", "<!doctype html><html><body>", "</body></html>", ("<div>", "</div>")),
    "markdown": Material("Ein Satz.\n\n", "# Titel\n\n", nest=("> ", "")),
    "aozora": Material("｜漢字《かんじ》です。\n"),
    "txt": Material("Ein Satz.\n"),
    "docx": Material(
        "<w:p><w:r><w:t>Ein Satz.</w:t></w:r></w:p>",
        '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>',
        "</w:body></w:document>",
        ("<w:tbl>", "</w:tbl>"),
        "word/document.xml",
        (("[Content_Types].xml", "<Types/>"),),
    ),
    "odt": Material(
        "<text:p>Ein Satz.</text:p>",
        "<office:document-content><office:body><office:text>",
        "</office:text></office:body></office:document-content>",
        ("<text:section>", "</text:section>"),
        "content.xml",
        (("mimetype", "application/vnd.oasis.opendocument.text"),),
    ),
    "epub": Material(
        "<p>Ein Satz.</p>",
        "<html><body>",
        "</body></html>",
        ("<div>", "</div>"),
        "a.xhtml",
        (("mimetype", "application/epub+zip"), ("META-INF/container.xml", _CONTAINER), ("p.opf", _PACKAGE)),
    ),
    "yomitan": Material(f"{_TERM},", "[", f"{_TERM}]", ("[", "]"), "term_bank_1.json", (("index.json", _LISTED),)),
    "kaikki": Material('{"word":"a","lang_code":"de","senses":[{"glosses":["b"]}]}\n', nest=('{"senses":[', "]}")),
    "cedict": Material("你好 你好 [ni3 hao3] /hello/\n"),
    "list": Material("Wort\n"),
}
"""Format → what its files are made of."""

READERS = (
    *(Reader(each.name, "text", each.ending, MATERIAL.get(each.name)) for each in importing.FORMATS),
    *(Reader(each.name, "text", each.ending, MATERIAL.get(each.name)) for each in importing.DOCUMENTS),
    *(
        Reader(f"archive {ending}", "archive", ending)
        for ending in (".zip", ".tar", ".tar.gz", ".tar.bz2", ".tar.xz", ".gz", ".bz2", ".xz")
    ),
    *(
        Reader(f"dictionary {each.name}", "dictionary", ".bin", MATERIAL.get(each.name))
        for each in dictionaries.FORMATS
    ),
    *(Reader(f"words {each.name}", "words", ".bin", MATERIAL.get(each.name)) for each in vocabulary.FORMATS),
    Reader("Anki's notes", "notes", ".anki2"),
    Reader("notes sent", "note_lines", ".jsonl"),
)
