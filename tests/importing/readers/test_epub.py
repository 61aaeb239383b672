from __future__ import annotations

import io
import zipfile

import pytest

from tui.errors import ImportRefused
from tui.importing.formats import open_document
from tui.importing.parse import parse
from tui.importing.readers import epub, trees
from tui.importing.readers.cue_text import Unreadable
from tui.importing.readers.documents import Document

CONTAINER = '<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>'
HEAD = '<?xml version="1.0" encoding="utf-8"?><!DOCTYPE html><html xmlns:epub="x"><head><title>no</title></head><body>'
Parts = dict[str, str | bytes]


def zipped(parts: Parts, kind: int = zipfile.ZIP_DEFLATED) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", kind) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return file.getvalue()


def opf(items: list[str], *, manifest: str = "", guide: str = "", toc: str = "ncx") -> str:
    listed = "".join(
        f'<item id="i{n}" href="{name}" media-type="application/xhtml+xml"/>' for n, name in enumerate(items)
    )
    spine = "".join(f'<itemref idref="i{n}"/>' for n in range(len(items)))
    return (
        '<package xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>Das  Buch</dc:title>'
        f'<dc:language>de-AT</dc:language></metadata><manifest>{listed}{manifest}</manifest><spine toc="{toc}">{spine}'
        f"</spine><guide>{guide}</guide></package>"
    )


def book(chapters: dict[str, str], *, manifest: str = "", guide: str = "", **others: str | bytes) -> bytes:
    parts: Parts = {"mimetype": "application/epub+zip", "META-INF/container.xml": CONTAINER}
    parts["OEBPS/book.opf"] = opf(list(chapters), manifest=manifest, guide=guide)
    parts |= {f"OEBPS/{name}": HEAD + text for name, text in chapters.items()}
    return zipped(parts | {name.replace("__", "/"): content for name, content in others.items()})


def opened(data: bytes) -> Document:
    found = open_document(data)
    assert found is not None
    form, parts = found
    assert form.name == "epub"
    return form.read(parts)


def chapters(data: bytes) -> list[tuple[str, list[str]]]:
    return [
        (chapter.title, [block.text for block in chapter.blocks]) for chapter in opened(data).chapters(lambda _: None)
    ]


LONG = "Der Zug fährt heute später ab, weil auf der Strecke gebaut wird und niemand etwas davon gesagt hat."
NCX_ITEM = '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>'


def ncx(*points: tuple[str, str]) -> str:
    inside = "".join(
        f'<navPoint><navLabel><text>{label}</text></navLabel><content src="{src}"/></navPoint>' for label, src in points
    )
    return (
        '<?xml version="1.0"?><!DOCTYPE ncx PUBLIC "-//NISO//DTD ncx 2005-1//EN" "http://x/ncx.dtd"><ncx>'
        f"<docTitle><text>Titel</text></docTitle><navMap>{inside}</navMap></ncx>"
    )


def with_contents(chapters_: dict[str, str], *points: tuple[str, str], guide: str = "") -> bytes:
    return book(chapters_, manifest=NCX_ITEM, guide=guide, **{"OEBPS__toc.ncx": ncx(*points)})


TWO = {"1.xhtml": f"<h1>Eins</h1><p>{LONG}</p>", "2.xhtml": f"<p>{LONG} Und das war alles.</p>"}


def test_the_chapters_of_a_book_are_transcripts_of_its_series() -> None:
    file = parse("buch.epub", with_contents(TWO, ("Der Anfang", "1.xhtml"), ("", "2.xhtml")))
    assert (file.kind, file.format, file.language, file.duration_ms) == ("text", "epub", "de-AT", None)
    assert [(each.title, each.series, each.season, each.episode) for each in file.transcripts] == [
        ("Das Buch · Der Anfang", "Das Buch", None, 1),
        ("Das Buch · 2", "Das Buch", None, 2),
    ]
    assert [[cue.text for cue in each.cues] for each in file.transcripts] == [
        ["Eins", LONG],
        [LONG, "Und das war alles."],
    ]
    assert parse("x.epub", book(TWO), language="fr").language == "fr", "the one that is named wins"


def test_a_book_of_one_chapter_is_called_like_the_book() -> None:
    (transcript,) = parse("x.epub", book({"1.xhtml": f"<h1>I</h1><p>{LONG}</p>"})).transcripts
    assert (transcript.title, transcript.series, transcript.episode) == ("Das Buch", "", None)


def test_chapters_come_in_the_order_of_the_spine_under_their_headings() -> None:
    data = book({"b.xhtml": f"<h1>I</h1><p>{LONG}</p>", "a.xhtml": f"<p>{LONG} Zwei.</p>"})
    assert [title for title, _ in chapters(data)] == ["I", ""]


def test_a_chapter_over_several_files_is_one_and_a_file_of_several_is_parted() -> None:
    data = with_contents(
        {
            "1a.xhtml": f"<h1>Eins</h1><p>{LONG}</p>",
            "1b.xhtml": f"<p>{LONG}</p>",
            "2.xhtml": f"<h2 id='zwei'>Zwei</h2><p>{LONG}</p><h2 id='drei'>Drei</h2><p>{LONG}</p>",
        },
        ("Erstes Kapitel", "1a.xhtml"),
        ("Zweites", "2.xhtml#zwei"),
        ("Drittes", "2.xhtml#drei"),
    )
    assert chapters(data) == [
        ("Erstes Kapitel", ["Eins", LONG, LONG]),
        ("Zweites", ["Zwei", LONG]),
        ("Drittes", ["Drei", LONG]),
    ]


def test_the_contents_of_epub_3_are_read_down_to_the_second_level() -> None:
    nav = (
        "<nav epub:type='toc' id='toc'><ol><li><a href='1.xhtml'>Teil 1</a><ol>"
        "<li><a href='2.xhtml'>Kapitel <i>1</i></a><ol><li><a href='2.xhtml#x'>Abschnitt</a></li></ol></li></ol></li>"
        "</ol></nav><nav epub:type='landmarks'><ol><li><a href='2.xhtml'>Start</a></li></ol></nav></body></html>"
    )
    data = book(
        {"1.xhtml": "<h1>Teil 1</h1>", "2.xhtml": f"<p>{LONG}</p><p id='x'>{LONG}</p>"},
        manifest='<item id="nav" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/>',
        **{"OEBPS__nav.xhtml": HEAD + nav},
    )
    assert chapters(data) == [("Kapitel 1", ["Teil 1", LONG, LONG])]


def test_cover_contents_and_notes_are_left_out() -> None:
    links = "".join(f'<p><a href="{n}.xhtml">Kapitel {n}</a></p>' for n in range(9))
    data = with_contents(
        {
            "cover.xhtml": "<p>Umschlag</p>",
            "img.xhtml": '<p><img src="x.jpg" alt="Bild"/></p>',
            "toc.xhtml": f"<h1>Inhalt</h1>{links}",
            "1.xhtml": f'<p>{LONG}<a epub:type="noteref" href="notes.xhtml#1"><sup>1</sup></a></p>',
            "notes.xhtml": "<section epub:type='endnotes'><p>1. Eine Anmerkung</p></section>",
        },
        ("Inhalt", "toc.xhtml"),
        ("Eins", "1.xhtml"),
        ("Noten", "notes.xhtml"),
        guide='<reference type="cover" href="cover.xhtml"/>',
    )
    assert chapters(data) == [("Eins", [LONG])]


def test_ruby_of_a_book_becomes_readings_and_entities_are_known() -> None:
    data = book({"1.xhtml": f"<p><ruby>漢字<rp>(</rp><rt>かんじ</rt><rp>)</rp></ruby>&nbsp;&eacute; {LONG}</p>"})
    (chapter,) = opened(data).chapters(lambda _: None)
    assert chapter.blocks[0].text == f"\ufff9漢字\ufffaかんじ\ufffb\xa0é {LONG}"


@pytest.mark.parametrize("encoding", ["utf-16", "windows-1251", "utf-8-sig", "nonsense"])
def test_a_page_is_decoded_as_it_says(encoding: str) -> None:
    text = f'<?xml version="1.0" encoding="{encoding}"?><html><body><p>Поезд уходит.</p></body></html>'
    page = text.encode("utf-8" if encoding == "nonsense" else encoding)
    parts: Parts = {"META-INF/container.xml": CONTAINER, "OEBPS/book.opf": opf(["1.xhtml"]), "OEBPS/1.xhtml": page}
    assert chapters(zipped(parts)) == [("", ["Поезд уходит."])]


def encryption(uri: str, algorithm: str) -> str:
    return (
        f'<encryption><EncryptedData><EncryptionMethod Algorithm="{algorithm}"/><KeyInfo/><CipherData>'
        f'<CipherReference URI="{uri}"/></CipherData></EncryptedData></encryption>'
    )


def test_a_book_that_its_seller_locked_is_refused_and_one_with_locked_fonts_is_read() -> None:
    pages = {"1.xhtml": f"<p>{LONG}</p>"}
    locked = encryption("OEBPS/1.xhtml", "http://www.w3.org/2001/04/xmlenc#aes256-cbc")
    fonts = encryption("OEBPS/font.otf", "http://www.idpf.org/2008/embedding")
    with pytest.raises(Unreadable, match="DRM"):
        opened(book(pages, **{"META-INF__encryption.xml": locked}))
    assert len(chapters(book(pages, **{"META-INF__encryption.xml": fonts}))) == 1


def test_a_damaged_book_is_refused() -> None:
    data = book({"1.xhtml": f"<p>{LONG * 50}</p>"})
    with pytest.raises(Unreadable, match="is damaged"):
        open_document(data[:-60])
    with pytest.raises(Unreadable, match="is damaged"):
        opened(zipped({"mimetype": "application/epub+zip", "META-INF/container.xml": "<x/>"}))
    at = data.index(b"1.xhtml") + 40
    broken = data[:at] + bytes(byte ^ 0x55 for byte in data[at : at + 30]) + data[at + 30 :]
    with pytest.raises(Unreadable, match="is damaged"):
        list(opened(broken).chapters(lambda _: None))


def test_no_entity_is_expanded_and_none_is_fetched() -> None:
    laughs = '<!DOCTYPE package [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
    assert chapters(book(TWO, **{"OEBPS__book.opf": laughs + opf(["1.xhtml"])})) == []
    page = '<!DOCTYPE html [<!ENTITY x SYSTEM "file:///etc/passwd">]><html><body><p>&x; Text.</p></body></html>'
    assert "root" not in str(chapters(book(TWO, **{"OEBPS__1.xhtml": page})))


@pytest.mark.exhaustive
def test_bombs_are_refused() -> None:
    with pytest.raises(Unreadable, match="holds more"):
        list(opened(book({"1.xhtml": "<p>" + "a" * 32_000_000})).chapters(lambda _: None))
    many = {f"{n}.xhtml": "<p>" + " " * 4_000_000 for n in range(9)}
    with pytest.raises(Unreadable, match="holds more"):
        list(opened(book(many)).chapters(lambda _: None))
    with pytest.raises(Unreadable, match="parts"):
        open_document(zipped({str(n): b"" for n in range(20_001)}))


def test_a_page_is_read_once_however_often_and_by_whatever_name_the_spine_has_it() -> None:
    hrefs = ["1.xhtml", "./1.xhtml", "x/../1.xhtml", *(f"1.xhtml#{number}" for number in range(97))]
    listed = "".join(
        f'<item id="a{number}" href="{href}" media-type="application/xhtml+xml"/>' for number, href in enumerate(hrefs)
    )
    spine = "".join(f'<itemref idref="a{number}"/>' for number in range(len(hrefs))) * 20
    data = book({"1.xhtml": f"<p>{LONG}</p>"}, **{"OEBPS__book.opf": _package(listed, spine)})
    assert chapters(data) == [("", [LONG])]


def test_a_book_of_many_parts_is_read_whole_and_one_that_names_more_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(epub, "_MAX_PARTS", 60)
    monkeypatch.setattr(trees, "_MAX_GATHERED", 61)
    pages = {f"{number}.xhtml": f"<p>{LONG}</p>" for number in range(60)}
    assert sum(len(texts) for _, texts in chapters(book(pages))) == 60
    item = '<item id="a" href="1.xhtml" media-type="application/xhtml+xml"/>'
    for package in (_package(item, '<itemref idref="a"/>' * 61), _package(item * 61, '<itemref idref="a"/>')):
        with pytest.raises(Unreadable, match="names more than 60 parts"):
            opened(book({"1.xhtml": LONG}, **{"OEBPS__book.opf": package}))


def _package(listed: str, spine: str) -> str:
    return f"<package><metadata/><manifest>{listed}</manifest><spine>{spine}</spine></package>"


def test_names_that_lead_out_of_the_book_lead_nowhere() -> None:
    data = book({"../../../etc/passwd": "x", "1.xhtml": f"<p>{LONG}</p>"})
    assert chapters(data) == [("", [LONG])]


def test_what_is_no_document_is_none() -> None:
    assert open_document(b"PK") is None
    assert open_document(zipped({"a.srt": "x"})) is None
    assert open_document(b"1\n00:01") is None


def test_progress_is_told_within_a_page_and_ends_the_reading() -> None:
    data = book({"1.xhtml": f"<p>{LONG}</p>" * 5_000})
    told: list[float] = []
    parse("buch.epub", data, report=told.append)
    assert told == sorted(told)
    assert told[-1] == 1.0
    assert max(after - before for before, after in zip([0.0, *told], told, strict=False)) < 0.2

    def end(progress: float) -> None:
        if progress > 0.1:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        parse("buch.epub", data, report=end)


def test_a_document_that_gives_nothing_is_refused_by_name_and_reason() -> None:
    rows: list[tuple[bytes, str]] = [
        (book(TWO)[:-40], "x.epub is damaged"),
        (book({"1.xhtml": "<img/>"}), "x.epub has no text"),
        (zipped({"notes/readme.bin": b"\x00"}), "x.epub is a ZIP archive"),
    ]
    for data, reason in rows:
        with pytest.raises(ImportRefused) as caught:
            parse("x.epub", data)
        assert reason in caught.value.message, data
        assert caught.value.hint, data
