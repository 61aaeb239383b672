from __future__ import annotations

import io
import zipfile

import pytest

from tests.importing.readers.documents.test_epub import LONG, book, with_contents, zipped
from tui.errors import ImportRefused
from tui.importing.parse import parse

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


def test_a_book_of_one_chapter_is_called_like_the_book() -> None:
    (transcript,) = parse("x.epub", book({"1.xhtml": f"<h1>I</h1><p>{LONG}</p>"})).transcripts
    assert (transcript.title, transcript.series, transcript.episode) == ("Das Buch", "", None)


def test_a_document_is_called_like_its_file_and_known_by_its_content() -> None:
    data = zipped(
        {"word/document.xml": f"<w:document xmlns:w='w'><w:p><w:r><w:t>{LONG}</w:t></w:r></w:p></w:document>"}
    )
    for name in ("Mein Brief.docx", "Mein Brief.zip"):
        file = parse(name, data)
        assert (file.format, file.transcripts[0].title, len(file.transcripts[0].cues)) == ("docx", "Mein Brief", 1)


def test_the_progress_of_a_book_is_told_and_can_end_it() -> None:
    told: list[float] = []
    parse("x.epub", book(TWO), report=told.append)
    assert (told, sorted(set(told))) == (sorted(told), [0.25, 0.5, 1.0])

    def stop(share: float) -> None:
        raise KeyError

    with pytest.raises(KeyError):
        parse("x.epub", book(TWO), report=stop)


def test_the_language_that_is_named_wins() -> None:
    assert parse("x.epub", book(TWO), language="fr").language == "fr"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (book(TWO)[:-40], "x.epub is damaged"),
        (book({"1.xhtml": "<img/>"}), "x.epub has no text"),
        (zipped({"notes/readme.bin": b"\x00"}), "x.epub is a ZIP archive"),
    ],
)
def test_a_document_that_gives_nothing_is_refused_by_name_and_reason(data: bytes, reason: str) -> None:
    with pytest.raises(ImportRefused) as caught:
        parse("x.epub", data)
    assert reason in caught.value.message
    assert caught.value.hint


@pytest.mark.parametrize("packing", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_damaged_document_is_refused_wherever_it_was_cut_or_changed(packing: int) -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", packing) as archive:
        archive.writestr(
            "word/document.xml", f"<w:document xmlns:w='w'><w:p><w:r><w:t>{LONG}</w:t></w:r></w:p></w:document>"
        )
    good = file.getvalue()
    refused = 0
    for at in range(4, len(good)):
        for broken in (good[:at], good[:at] + bytes([good[at] ^ 0xFF]) + good[at + 1 :]):
            try:
                parse("a.docx", broken)
            except ImportRefused as error:
                assert "a.docx" in error.message
                refused += 1
    assert refused > len(good)
