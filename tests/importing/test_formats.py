"""Every format on texts made of its own marks, however they are put together."""

from __future__ import annotations

import io
import zipfile

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.importing.format_marks import COMMON, HTML, MARKS, OFFICE
from tests.importing.readers.documents.test_epub import CONTAINER, HEAD, NCX_ITEM, ncx, opf, zipped
from tui.errors import ImportRefused
from tui.importing.formats import DOCUMENTS, ENDINGS, FORMATS, Format, is_taken
from tui.importing.parse import parse
from tui.importing.readers.cue_text import Unreadable
from tui.text.sanitize import without_controls


def texts_of(name: str) -> st.SearchStrategy[str]:
    head, marks = MARKS[name]
    middle = st.lists(st.sampled_from([*marks, *marks, *COMMON]), max_size=60)
    whole = st.tuples(st.sampled_from([head, head, ""]), st.sampled_from(["\n", "\n", " ", ""]), middle)
    return whole.map(lambda drawn: drawn[1].join([drawn[0], *drawn[2]]))


@pytest.mark.exhaustive
@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)
@given(st.data())
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
def test_a_reader_takes_any_text_of_its_marks(form: Format, data: st.DataObject) -> None:
    text = data.draw(texts_of(form.name))
    for said in (form.language_in_text(text), form.title_in_text(text), form.prose(text)):
        assert said is None or isinstance(said, str)
    form.recognises(text)
    try:
        cues = list(form.read(text.split("\n"), None))
    except Unreadable:
        return
    assert len(cues) <= 100 * (len(text) + 1)
    assert sum(len(cue.text) for cue in cues) <= 5000 + 100 * len(text)
    for number, cue in enumerate(cues):
        assert cue.index == number
        assert cue.text.strip() and cue.text == without_controls(cue.text)
        assert all(0 <= each.start < each.end <= len(cue.text) and each.text for each in cue.ruby)
        assert (cue.start_ms is None) == (cue.end_ms is None)
        assert cue.start_ms is None or 0 <= cue.start_ms <= 10**16


def test_every_format_has_its_marks_here() -> None:
    assert set(MARKS) == {form.name for form in FORMATS}


@pytest.mark.parametrize("name", [form.name for form in FORMATS])
@given(st.data())
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
def test_a_file_of_any_marks_is_imported_or_refused_by_name(name: str, data: st.DataObject) -> None:
    form = next(form for form in FORMATS if form.name == name)
    title = f"some file{form.ending}"
    text = data.draw(texts_of(name)).encode("utf-8", "replace")
    try:
        file = parse(title, text)
    except ImportRefused as refusal:
        assert title in refusal.message
        assert refusal.hint
    else:
        assert all(cue.text.strip() for transcript in file.transcripts for cue in transcript.cues)


@given(st.lists(st.sampled_from([*OFFICE, *HTML, *COMMON]), max_size=60), st.data())
@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_a_document_of_any_marks_is_imported_or_refused_by_name(tokens: list[str], data: st.DataObject) -> None:
    inside = "".join(tokens).encode("utf-8", "replace")
    whole = {
        "META-INF/container.xml": CONTAINER.encode(),
        "OEBPS/book.opf": opf(["1.xhtml", "2.xhtml"], manifest=NCX_ITEM).encode(),
        "OEBPS/toc.ncx": ncx(("Eins", "1.xhtml#a"), ("Zwei", "2.xhtml")).encode(),
        "OEBPS/1.xhtml": HEAD.encode() + inside,
        "OEBPS/2.xhtml": inside,
    }
    others = (
        {"word/document.xml": inside},
        {"mimetype": b"application/vnd.oasis.opendocument.text", "content.xml": inside},
    )
    part = data.draw(st.sampled_from([*whole, None]))
    for parts in (whole | ({part: inside} if part else {}), *others):
        _is_imported_or_refused(zipped(dict(parts)))


@given(st.binary(max_size=40), st.integers(0, 2000), st.integers(0, 2000))
@settings(max_examples=80, deadline=None)
def test_a_damaged_document_is_imported_or_refused_by_name(noise: bytes, at: int, cut: int) -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("META-INF/container.xml", CONTAINER)
        archive.writestr("OEBPS/book.opf", opf(["1.xhtml"]))
        archive.writestr("OEBPS/1.xhtml", HEAD + "<p>Ein Satz.")
    data = file.getvalue()
    _is_imported_or_refused(data[:at] + noise + data[at + len(noise) :])
    _is_imported_or_refused(data[: min(cut, len(data))] or b"PK")


def _is_imported_or_refused(data: bytes) -> None:
    try:
        file = parse("a book.epub", data)
    except ImportRefused as refusal:
        assert "a book.epub" in refusal.message
        assert refusal.hint
    else:
        assert all(cue.text.strip() for transcript in file.transcripts for cue in transcript.cues)


def test_directories_give_every_format() -> None:
    assert {form.ending for form in (*FORMATS, *DOCUMENTS)} <= set(ENDINGS)
    assert not {".pdf", ".xml", ".zip"} & set(ENDINGS)
    assert is_taken("talk.de.JSON") and is_taken("book.epub") and is_taken("a.sbv")
    assert not is_taken("talk.info.json") and not is_taken("talk.live_chat.json") and not is_taken("film.mkv")
