from __future__ import annotations

import zipfile

import pytest

from tests.importing.readers.test_epub import LONG, Parts, zipped
from tui.errors import ImportRefused
from tui.importing.formats import open_document
from tui.importing.parse import parse
from tui.importing.readers import documents
from tui.importing.readers.cue_text import Unreadable, unmark_readings
from tui.importing.readers.documents import Document


def opened(parts: Parts, form: str) -> Document:
    found = open_document(zipped(parts))
    assert found is not None and found[0].name == form
    return found[0].read(found[1])


def docx(body: str, **others: str) -> Document:
    document = f'<w:document xmlns:w="w" xmlns:mc="mc"><w:body>{body}</w:body></w:document>'
    return opened(
        {"word/document.xml": document, **{f"word/{name}.xml": text for name, text in others.items()}}, "docx"
    )


def odt(body: str, styles: str = "") -> Document:
    content = (
        '<office:document-content xmlns:office="o" xmlns:text="t" xmlns:fo="f"><office:body><office:text>'
        f"{body}</office:text></office:body></office:document-content>"
    )
    return opened(
        {
            "mimetype": "application/vnd.oasis.opendocument.text",
            "content.xml": content,
            "styles.xml": f'<s xmlns:style="s" xmlns:fo="f">{styles}</s>',
        },
        "odt",
    )


def texts(document: Document) -> list[str]:
    return [block.text for chapter in document.chapters(lambda _: None) for block in chapter.blocks]


def run(text: str, properties: str = "") -> str:
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def test_the_paragraphs_of_a_word_document_are_read() -> None:
    rows: list[tuple[str, list[str]]] = [
        (f"<w:p>{run('Der Zug ')}{run('fährt.')}</w:p><w:p/><w:p>{run('Ja.')}</w:p>", ["Der Zug fährt.", "Ja."]),
        ("<w:p><w:r><w:t>a</w:t><w:br/><w:t>b</w:t><w:tab/><w:t>c</w:t></w:r></w:p>", ["a\nb c"]),
        (f'<w:p>{run("a")}<w:del>{run("weg")}</w:del><w:ins>{run("neu")}</w:ins></w:p>', ["aneu"]),
        (f"<w:p><w:moveFrom>{run('weg')}</w:moveFrom><w:moveTo>{run('da')}</w:moveTo></w:p>", ["da"]),
        (
            f"<w:tbl><w:tr><w:tc><w:p>{run('der Zug')}</w:p></w:tc><w:tc><w:p>{run('the train')}</w:p></w:tc>"
            "</w:tr></w:tbl>",
            ["der Zug", "the train"],
        ),
        (f"<w:p><w:r><w:instrText>PAGE</w:instrText></w:r><w:hyperlink>{run('Link')}</w:hyperlink></w:p>", ["Link"]),
        (f'<w:p><w:pPr><w:pStyle w:val="TOC1"/></w:pPr>{run("Eins .. 3")}</w:p><w:p>{run("Text")}</w:p>', ["Text"]),
        (
            f"<w:p>{run('a')}<mc:AlternateContent><mc:Choice>{run('neu')}</mc:Choice><mc:Fallback>{run('alt')}</mc:Fallback>"
            "</mc:AlternateContent></w:p>",
            ["aneu"],
        ),
        (f"<w:p>{run('shown')}{run('hidden', '<w:vanish/>')}</w:p>", ["shown"]),
        (f"<w:p>{run('out')}<w:txbxContent><w:p>{run('box')}</w:p></w:txbxContent>{run('er')}</w:p>", ["box", "outer"]),
    ]  # fmt: skip
    for body, shown in rows:
        assert texts(docx(body)) == shown, body


def test_ruby_of_word_becomes_readings() -> None:
    ruby = f"<w:ruby><w:rt>{run('かんじ')}</w:rt><w:rubyBase>{run('漢字')}</w:rubyBase></w:ruby>"
    (text,) = texts(docx(f"<w:p><w:r>{ruby}</w:r>{run('を')}</w:p>"))
    assert unmark_readings(text)[0] == "漢字を"
    assert [each.text for each in unmark_readings(text)[1]] == ["かんじ"]


def test_the_language_is_that_of_the_text_else_that_of_the_styles() -> None:
    styles = '<w:styles xmlns:w="w"><w:docDefaults><w:rPr><w:lang w:val="en-US"/></w:rPr></w:docDefaults></w:styles>'
    german, french = (
        run(text, f'<w:lang w:val="{tag}"/>') for text, tag in (("Ein langer Satz.", "de-DE"), ("mot", "fr"))
    )
    body = f"<w:p>{german}{french}</w:p>"
    assert docx(body, styles=styles).language == "de-DE"
    assert docx(f"<w:p>{run('x')}</w:p>", styles=styles).language == "en-US"
    assert docx(f"<w:p>{run('x')}</w:p>").language is None


def test_the_paragraphs_of_an_open_document_are_read() -> None:
    body = (
        "<text:tracked-changes><text:p>weg</text:p></text:tracked-changes><text:h>Titel</text:h>"
        "<text:p>Ein <text:span>Satz</text:span>.<text:note><text:note-body><text:p>Note</text:p></text:note-body>"
        "</text:note>"
        "<text:line-break/>zwei<text:s text:c='3'/>Wörter</text:p><text:table-of-content><text:p>Titel 1</text:p>"
        "</text:table-of-content><text:list><text:list-item><text:p>Punkt</text:p></text:list-item></text:list>"
        "<text:p><text:ruby><text:ruby-base>漢字</text:ruby-base><text:ruby-text>かんじ</text:ruby-text></text:ruby></text:p>"
    )
    document = odt(body, '<style:text-properties fo:language="de" fo:country="CH"/>')
    assert document.language == "de-CH"
    assert texts(document) == ["Titel", "Ein Satz.\nzwei Wörter", "Punkt", "\ufff9漢字\ufffaかんじ\ufffb"]


LETTER: Parts = {"word/document.xml": f"<w:document xmlns:w='w'><w:p><w:r><w:t>{LONG}</w:t></w:r></w:p></w:document>"}


def test_a_document_is_known_by_its_content_and_refused_wherever_it_was_cut_or_changed() -> None:
    good = zipped(LETTER)
    file = parse("Mein Brief.zip", good)
    assert (file.format, file.transcripts[0].title, len(file.transcripts[0].cues)) == ("docx", "Mein Brief", 1)
    refused, places = 0, range(4, len(good), 3)
    for at in places:
        for broken in (good[:at], good[:at] + bytes([good[at] ^ 0xFF]) + good[at + 1 :]):
            try:
                parse("a.docx", broken)
            except ImportRefused as error:
                assert "a.docx" in error.message
                refused += 1
    assert refused > len(places)
    for kind in (zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
        with pytest.raises(ImportRefused, match=r"a\.docx is packed in a way that no document is"):
            parse("a.docx", zipped(LETTER, kind))


def test_a_document_with_a_doctype_is_not_read_on() -> None:
    found = open_document(zipped({"word/document.xml": '<!DOCTYPE x [<!ENTITY a "b">]><w:document/>'}))
    assert found is not None
    assert texts(found[0].read(found[1])) == []


def test_a_document_of_too_many_paragraphs_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "_MAX_BLOCKS", 100)
    with pytest.raises(Unreadable, match="paragraphs"):
        docx("<w:p><w:r><w:t>a</w:t></w:r></w:p>" * 101)
