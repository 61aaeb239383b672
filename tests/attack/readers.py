"""Readers of what comes from outside, out of the tables of formats, and what their files are made of.

A format is attacked by being in its table. What stands here of it is only what its files look like: without that it
gets the shapes that any file can have.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from tests.attack.anki_collection import NOTE_TYPES, collection_of, looping_collection
from tui.bounds import ZIPPED_DICTD
from tui.dictionaries import formats as dictionaries
from tui.importing import formats as importing
from tui.vocabulary import formats as vocabulary


@dataclass(frozen=True, slots=True)
class Material:
    """What a file of a format is made of: ``begin``, ``unit`` any number of times, ``end``; № in a unit is its number.

    ``nest`` opens and closes something that may stand within itself, which then takes the place of the units.
    ``made`` makes the file of that text, where it is no text. ``part`` is the member of a ZIP file that is all this,
    ``others`` are the members beside it, ``beside`` is the ending and the text of a file beside the file.
    ``looping`` are files that lead to themselves, or to one place over and over; ``replaced`` is text of a unit of XML.
    """

    unit: str = ""
    begin: str = ""
    end: str = ""
    nest: tuple[str, str] | None = None
    part: str = ""
    others: tuple[tuple[str, str], ...] = ()
    made: Callable[[str], bytes] = str.encode
    beside: tuple[str, str] | None = None
    looping: Material | None = None
    replaced: str = ""

    def loop(self) -> Material | None:
        """Files that lead to themselves; with a text that is ``replaced``, an entity of XML that is made of others."""
        if not self.replaced:
            return self.looping
        declared = f'<!DOCTYPE a [<!ENTITY e0 "a">{_ENTITIES}]>{self.begin}'
        return replace(self, begin=declared, unit=self.unit.replace(self.replaced, "&e12;"), replaced="")


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
_OVER_AND_OVER = _PACKAGE.replace('<itemref idref="a"/>', 20_000 * '<itemref idref="a"/>')
_ENTITIES = "".join(f'<!ENTITY e{at + 1} "{10 * f"&e{at};"}">' for at in range(12))
"""Each of ten of the one before: the last one would have more bytes than any disk."""
_LISTED = '{"title":"t","revision":"1","format":3}'
_TERM = '["a","","","",0,["b"],0,""]'

_DEFINITION = "word /w/ <n>\n" + 20_000 * " a gloss,\n"
_OFTEN = "word№\tA\twAA\nword№\tA\twAB\n"
"""Lines of an index that lead to all of the definition, and to all but a byte."""
_INDEX = Material("word№\tA\tN\n", beside=(".dict", _DEFINITION))
_ZIPPED_INDEX = Material("word№\tA\tN\n", part="d.index", others=(("d.dict", _DEFINITION),))
_NOTE = '{"id":№,"guid":"lode№","note_type":1,"changed_at":1,"fields":["Wort","word"],"tags":["a"],"cards":[0]}\n'
_NOTES = Material(_NOTE, '{"count":200000,"note_types":[]}\n', nest=('{"id":[', "]}"))
_COLLECTION = Material(
    "Wort№\x1fword\n",
    NOTE_TYPES,
    made=collection_of,
    looping=Material(f"Wort\x1f{900_000 * 'x'}\n", NOTE_TYPES, made=looping_collection),
)


_EPUB = Material(
    "<p>Ein Satz №.</p>",
    "<html><body>",
    "</body></html>",
    ("<div>", "</div>"),
    "a.xhtml",
    (("mimetype", "application/epub+zip"), ("META-INF/container.xml", _CONTAINER), ("p.opf", _PACKAGE)),
)

MATERIAL = {
    "srt": Material("1\n00:00:01,000 --> 00:00:02,000\nText.\n\n"),
    "vtt": Material("00:01.000 --> 00:02.000\nText.\n\n", "WEBVTT\n\n"),
    "ass": _DIALOGUE,
    "ssa": _DIALOGUE,
    "ttml": Material(
        '<p begin="1s" end="2s">Text</p>', "<tt><body><div>", "</div></body></tt>", ("<div>", "</div>"), replaced="Text"
    ),
    "sami": Material("<SYNC Start=1000><P>Text\n", "<SAMI><BODY>", "</BODY></SAMI>", ("<b>", "</b>")),
    "youtube-xml": Material(
        '<p t="1000" d="1000">Text</p>', "<timedtext><body>", "</body></timedtext>", ("<s>", "</s>"), replaced="Text"
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
        "<w:p><w:r><w:t>Ein Satz №.</w:t></w:r></w:p>",
        '<w:document xmlns:w="w"><w:body>',
        "</w:body></w:document>",
        ("<w:tbl>", "</w:tbl>"),
        "word/document.xml",
        (("[Content_Types].xml", "<Types/>"),),
        replaced="Ein",
    ),
    "odt": Material(
        "<text:p>Ein Satz №.</text:p>",
        "<office:document-content><office:body><office:text>",
        "</office:text></office:body></office:document-content>",
        ("<text:section>", "</text:section>"),
        "content.xml",
        (("mimetype", "application/vnd.oasis.opendocument.text"),),
        replaced="Ein",
    ),
    "epub": replace(_EPUB, looping=replace(_EPUB, others=(*_EPUB.others[:2], ("p.opf", _OVER_AND_OVER)))),
    "yomitan": Material(f"{_TERM},", "[", f"{_TERM}]", ("[", "]"), "term_bank_1.json", (("index.json", _LISTED),)),
    "kaikki": Material('{"word":"a","lang_code":"de","senses":[{"glosses":["b"]}]}\n', nest=('{"senses":[', "]}")),
    "cedict": Material("你好 你好 [ni3 hao3] /hello/\n"),
    "zipped dictd": replace(_ZIPPED_INDEX, looping=replace(_ZIPPED_INDEX, unit=_OFTEN)),
    "dictd": replace(_INDEX, looping=replace(_INDEX, unit=_OFTEN)),
    "list": Material("№ein-langes-Wort-wie-dieses\n"),
    "collection": _COLLECTION,
    "package": replace(_COLLECTION, part="collection.anki2", others=(("media", "{}"),)),
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
        Reader(f"dictionary {name}", "dictionary", ".index" if name == "dictd" else ".bin", MATERIAL.get(name))
        for each in dictionaries.FORMATS
        for name in ("zipped dictd" if each.bounds is ZIPPED_DICTD else each.name,)
    ),
    *(Reader(f"words {each.name}", "words", ".bin", MATERIAL.get(each.name)) for each in vocabulary.FORMATS),
    Reader("Anki's notes", "notes", ".anki2", _COLLECTION),
    Reader("Anki's notes in a package", "notes", ".apkg", MATERIAL["package"]),
    Reader("notes sent", "note_lines", ".jsonl", _NOTES),
)
