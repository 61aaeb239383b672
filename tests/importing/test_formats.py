"""Every format on texts made of its own marks, however they are put together."""

from __future__ import annotations

import time
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.importing.format_marks import COMMON, HTML, MARKS, OFFICE
from tests.importing.readers.test_epub import CONTAINER, HEAD, NCX_ITEM, book, ncx, opf, zipped
from tui.errors import ImportRefused
from tui.importing.formats import DOCUMENTS, ENDINGS, FORMATS, Format, is_taken
from tui.importing.parse import parse
from tui.importing.readers.cue_text import CueTooLong, Unreadable
from tui.text.sanitize import without_controls


def texts_of(name: str) -> st.SearchStrategy[str]:
    head, marks = MARKS[name]
    middle = st.lists(st.sampled_from([*marks, *marks, *COMMON]), max_size=60)
    whole = st.tuples(st.sampled_from([head, head, ""]), st.sampled_from(["\n", "\n", " ", ""]), middle)
    return whole.map(lambda drawn: drawn[1].join([drawn[0], *drawn[2]]))


FEW = settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)
@given(st.data())
@FEW
def test_any_text_of_its_marks_is_read_or_refused_by_name(form: Format, data: st.DataObject) -> None:
    text = data.draw(texts_of(form.name))
    _is_imported_or_refused(f"some file{form.ending}", text.encode("utf-8", "replace"))
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
        assert cue.end_ms is None or cue.end_ms >= 0  # one before its start is mended with the cues of all formats


def test_every_format_has_its_marks_here() -> None:
    assert set(MARKS) == {form.name for form in FORMATS}


BRACKETS = (
    *"<&{[*|`#>,",
    " ",
    "\\",
    "</",
    "<!--",
    "<![CDATA[",
    "&#",
    "--> ",
    "0:0",
    "\u3000\n",
    "![a](",
    "[a](b",
    "[offset:",
)


@pytest.mark.exhaustive
@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)
def test_whatever_is_repeated_takes_as_long_as_it_is(form: Format) -> None:
    """What goes back for each repetition takes seconds; each takes a few hundredths of a second."""
    head, marks = MARKS[form.name]
    for unit in dict.fromkeys(("a", *filter(None, marks), *BRACKETS)):
        begun = time.process_time()
        for text in (head + unit * (10_000 // len(unit)), f"{head}\n{(unit + chr(10)) * 500}"):
            for look in (form.recognises, form.language_in_text, form.title_in_text):
                look(text)
            with suppress(Unreadable):
                assert all(cue.text.strip() for cue in form.read(text.split("\n"), None))
        assert time.process_time() - begun < 3, unit


LONG_CUES = {
    "srt": "1\n00:00:01,000 --> 00:00:02,000\n",
    "vtt": "WEBVTT\n\n00:01.000 --> 00:02.000\n",
    "microdvd": "{1}{50}",
    "mpl2": "[10][25]",
    "lrc": "[00:01.00]",
    "sami": "<SAMI><SYNC Start=1>",
    "ttml": "<tt><body><div><p begin='0s'>",
    "youtube-xml": "<timedtext><p t='0'>",
    "csv": 'start,end,text\n0,1,"',
}


@pytest.mark.parametrize("name", LONG_CUES)
def test_a_cue_that_never_ends_is_refused(name: str) -> None:
    form = next(form for form in FORMATS if form.name == name)
    with pytest.raises(ImportRefused, match="has a cue of more than 1 MB of text"):
        parse(f"a{form.ending}", (LONG_CUES[name] + 110_000 * "many words\n").encode())


def test_a_line_that_never_ends_is_too_long_a_cue() -> None:
    heads = {"microdvd": "{1}{50}", "lrc": "[00:01.00]", "mpl2": "[10][25]", "tmplayer": "00:00:01:"}
    for form in FORMATS:
        if head := heads.get(form.name):
            with pytest.raises(CueTooLong):
                list(form.read([head + 110_000 * "many words "], None))


@given(st.lists(st.sampled_from([*OFFICE, *HTML, *COMMON]), max_size=60), st.data())
@FEW
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
        _is_imported_or_refused("a book.epub", zipped(dict(parts)))


@given(st.binary(max_size=40), st.integers(0, 2000), st.integers(0, 2000))
@FEW
def test_a_damaged_document_is_imported_or_refused_by_name(noise: bytes, at: int, cut: int) -> None:
    data = book({"1.xhtml": "<p>Ein Satz."})
    _is_imported_or_refused("a book.epub", data[:at] + noise + data[at + len(noise) :])
    _is_imported_or_refused("a book.epub", data[: min(cut, len(data))] or b"PK")


def _is_imported_or_refused(name: str, data: bytes) -> None:
    try:
        file = parse(name, data)
    except ImportRefused as refusal:
        assert name in refusal.message
        assert refusal.hint
    else:
        assert all(cue.text.strip() for transcript in file.transcripts for cue in transcript.cues)


def test_directories_give_every_format() -> None:
    assert {form.ending for form in (*FORMATS, *DOCUMENTS)} <= set(ENDINGS)
    assert not {".pdf", ".xml", ".zip"} & set(ENDINGS)
    assert is_taken("talk.de.JSON") and is_taken("book.epub") and is_taken("a.sbv")
    assert not is_taken("talk.info.json") and not is_taken("talk.live_chat.json") and not is_taken("film.mkv")
