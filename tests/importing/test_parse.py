from __future__ import annotations

import pytest

from tests.importing.readers.documents.test_epub import zipped
from tui.errors import ImportRefused
from tui.importing import parse as parsing
from tui.importing.file_name import read_file_name
from tui.importing.parse import parse

SRT = b"1\n00:00:03,000 --> 00:00:04,000\nlater\n\n2\n00:00:01,000 --> 00:00:02,000\nearlier\n"
VTT = b"WEBVTT\nLanguage: es\n\n00:01.000 --> 00:02.000\nHola\n"
ASS = b"[Script Info]\n\n[Events]\nFormat: Start, End, Text\nDialogue: 0:00:01.00,0:00:02.00,Hello\n"
MICRODVD = b"{1}{1}25\n{25}{50}{y:i}Hello|you\n"
LRC = b"[ti:A song]\n[00:01.00]Hello\n[00:02.00]\n"


SAMI = b"<SAMI><STYLE>.KRCC {lang: ko-KR;}</STYLE><BODY><SYNC Start=1000><P Class=KRCC>Hi<SYNC Start=2000><P>&nbsp;"
TTML = b"""<?xml version="1.0" encoding="UTF-8"?>
<tt xmlns="http://www.w3.org/ns/ttml" xml:lang="ja"><body><div>
<p begin="00:00:01.000" end="00:00:02.000">Hi</p></div></body></tt>"""

JSON3 = (
    b'{"wireMagic": "pb3", "pens": [{}], "events": [{"tStartMs": 1000, "dDurationMs": 9, "segs": [{"utf8": "Hi"}]}]}'
)
SRV3 = b'<?xml version="1.0"?><timedtext format="3"><body><p t="1000" d="9">Hi</p></body></timedtext>'
SRV1 = b'<transcript><text start="1" dur="2">Hi</text></transcript>'
WHISPER = b'{"text": "Hi", "segments": [{"id": 0, "start": 1.0, "end": 2.0, "text": " Hi"}], "language": "ko"}'
CSV = b"Start,End,Speaker,Text\n1.0,2.0,Ann,Hi\n"
MPL2 = b"[10][20]Hello|you\n"
TMPLAYER = b"00:00:01:Hello|you\n00:00:03:And you\n"


@pytest.mark.parametrize(
    ("name", "data", "form"),
    [
        ("a.json3", JSON3, "youtube-json"),
        ("a.json", JSON3, "youtube-json"),
        ("a.srv3", SRV3, "youtube-xml"),
        ("a.xml", SRV3, "youtube-xml"),
        ("a.srv1", SRV1, "youtube-xml"),
        ("a.xml", SRV1, "youtube-xml"),
        ("a.json", WHISPER, "json"),
        ("a.txt", WHISPER, "json"),
        ("a.jsonl", b'{"start": 1, "text": "Hi"}\n{"start": 2, "text": "Ho"}', "json"),
        ("a.csv", CSV, "csv"),
        ("a.txt", CSV, "csv"),
        ("a.tsv", b"start\tend\ttext\n0\t2000\tHi", "csv"),
        ("a.csv", b"0.5,1.5,Hi", "csv"),
        ("a.txt", MPL2, "mpl2"),
        ("a.sub", MPL2, "mpl2"),
        ("a.txt", TMPLAYER, "tmplayer"),
        ("log.txt", b"10:30:01: started\n10:30:02: stopped", "txt"),
        ("a.smi", SAMI, "sami"),
        ("a.sami", SAMI, "sami"),
        ("a.txt", SAMI, "sami"),
        ("a.smi", SRT, "srt"),
        ("a.ttml", TTML, "ttml"),
        ("a.dfxp", TTML, "ttml"),
        ("a.xml", TTML, "ttml"),
        ("a.ttml", TTML.decode().encode("utf-16"), "ttml"),
        ("a.srt", SRT, "srt"),
        ("a.sbv", b"0:00:01.000,0:00:02.000\nHi[br]you", "srt"),
        ("a.txt", SRT, "srt"),
        ("a", SRT, "srt"),
        ("a.vtt", VTT, "vtt"),
        ("a.txt", VTT, "vtt"),
        ("a.srt", VTT, "vtt"),
        ("a.srt", b"\n\n" + VTT, "vtt"),
        ("a.srt", ASS, "ass"),
        ("a.ass", ASS, "ass"),
        ("a.ass", SRT, "srt"),
        ("a.vtt", b"00:01.000 --> 00:02.000\n<v Bob>Hi", "vtt"),
        ("a.sub", MICRODVD, "microdvd"),
        ("a.txt", MICRODVD, "microdvd"),
        ("a.vtt", MICRODVD, "microdvd"),
        ("a.sub", SRT, "srt"),
        ("a.sub", b"[INFORMATION]\n[END INFORMATION]\n00:00:01.00,00:00:02.00\nHi[br]you", "srt"),
        ("a.lrc", LRC, "lrc"),
        ("a.LRC", b"[00:01]Hello", "lrc"),
        ("a.srt", LRC, "lrc"),
        ("a.txt", LRC, "lrc"),
        ("a.lrc", SRT, "srt"),
        ("chat.txt", b"[10:30] Ann: Hello\n[10:31] Bob: Hello", "txt"),
        ("a.txt", b"A word. Another.", "txt"),
        ("README.md", b"A word. Another.", "markdown"),
        ("page.html", b"<p>A word.", "html"),
        ("page", b"<!DOCTYPE html><html><p>A word.", "html"),
        ("page.txt", b"<?xml version='1.0'?><html><p>A word.", "html"),
        ("a.txt", b"It was at 10:30, and\n11:40.", "txt"),
    ],
)
def test_the_content_decides_the_format_before_the_name(name: str, data: bytes, form: str) -> None:
    assert parse(name, data).format == form


def test_json_names_its_language() -> None:
    assert parse("a.json", WHISPER).language == "ko"


def test_a_page_and_markdown_name_their_title_and_language() -> None:
    page = b"<html lang='cs'><title>Vlak | Noviny</title><h1>Vlak</h1><p>Vlak jede."
    for name, data in (("x.html", page), ("x.md", b"---\ntitle: Vlak\nlang: cs\n---\nVlak jede.")):
        file = parse(name, data)
        assert (file.kind, file.language, file.transcripts[0].title) == ("text", "cs", "Vlak")
        assert file.transcripts[0].cues[-1].text == "Vlak jede."


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("package.json", b'{"name": "x", "version": "1"}', "no object in it has text and times under a usual name"),
        ("prices.csv", b"name,price\nTea,2\n", "its first line does not name columns such as start, end and text"),
        ("a.json3", b"{}", "no event in it has a time and text"),
    ],
)
def test_a_table_of_something_else_is_refused_with_the_reason(name: str, data: bytes, reason: str) -> None:
    with pytest.raises(ImportRefused) as caught:
        parse(name, data)
    assert name in caught.value.message
    assert reason in caught.value.message


def test_cues_come_in_the_order_of_their_times() -> None:
    file = parse("a.srt", SRT)
    assert [(cue.index, cue.text) for cue in file.transcripts[0].cues] == [(0, "earlier"), (1, "later")]
    assert (file.kind, file.duration_ms, file.encoding) == ("subtitle", 4000, "utf-8")


def test_frames_and_times_of_lyrics_become_milliseconds() -> None:
    (subtitle,), (lyrics,) = (
        parse("film.de.sub", MICRODVD).transcripts[0].cues,
        parse("song.lrc", LRC).transcripts[0].cues,
    )
    assert (subtitle.start_ms, subtitle.end_ms, subtitle.text) == (1000, 2000, "Hello\nyou")
    assert (lyrics.start_ms, lyrics.end_ms, lyrics.text) == (1000, 2000, "Hello")


@pytest.mark.parametrize(("name", "head"), [("a.sub", b"{1}{50}"), ("a.lrc", b"[00:01.00]")])
def test_a_cue_nobody_can_read_is_refused(name: str, head: bytes) -> None:
    with pytest.raises(ImportRefused, match="more than 1 MB of text"):
        parse(name, head + b"x" * 1_100_000)


def test_a_text_has_no_times() -> None:
    file = parse("a.txt", b"One. Two.")
    assert (file.kind, file.duration_ms, len(file.transcripts[0].cues)) == ("text", None, 2)


GERMAN = b"1\n00:01,0 --> 00:02,0\nIch weiss nicht, was ich jetzt tun soll, aber ich glaube, dass wir nach Hause gehen."


@pytest.mark.parametrize(
    ("name", "data", "language", "expected"),
    [
        ("film.de.srt", SRT, None, "de"),
        ("film.pt-br.srt", SRT, None, "pt-BR"),
        ("film.ger.srt", SRT, None, "de"),
        ("film.en.sdh.srt", SRT, None, "en"),
        ("film.de.srt", SRT, "fr", "fr"),
        ("film.srt", SRT, "GER", "de"),
        ("film.vtt", VTT, None, "es"),
        ("film.smi", SAMI, None, "ko-KR"),
        ("film.ttml", TTML, None, "ja"),
        ("film.ca.vtt", VTT, None, "ca"),
        ("film.srt", SRT, None, None),
        ("film.srt", SRT, "", None),
        ("film.srt", GERMAN, None, "de"),
        ("Let.It.srt", SRT, None, None),
        ("film.part.srt", SRT, None, None),
    ],
)
def test_the_language_is_told_named_or_guessed(
    name: str, data: bytes, language: str | None, expected: str | None
) -> None:
    assert parse(name, data, language=language).language == expected


@pytest.mark.parametrize(
    ("name", "ending", "language", "title"),
    [
        ("Der letzte Zug.de.srt", ".srt", "de", "Der letzte Zug"),
        ("The.Movie.2019.1080p.en.SRT", ".srt", "en", "The Movie 2019 1080p"),
        ("my_film.pt-BR.vtt", ".vtt", "pt-BR", "my film"),
        ("elephants-dream.ja-utf8.srt", ".srt", "ja", "elephants-dream"),
        ("talk.en-orig.vtt", ".vtt", "en", "talk"),
        ("Dr. No.srt", ".srt", None, "Dr. No"),
        ("1.5.txt", ".txt", None, "1.5"),
        ("de.srt", ".srt", None, "de"),
        (".srt", "", None, "srt"),
        ("a\x1b[31m\nb.srt", ".srt", None, "a b"),
        ("日本語.ja.srt", ".srt", "ja", "日本語"),
        ("noending", "", None, "noending"),
    ],
)
def test_a_name_is_taken_apart(name: str, ending: str, language: str | None, title: str) -> None:
    told = read_file_name(name)
    assert (told.ending, told.language, told.title) == (ending, language, title)


@pytest.mark.parametrize(
    ("name", "data", "message", "hint"),
    [
        ("a.srt", b"", "a.srt is empty", "downloaded whole"),
        ("a.srt", b" \r\n\t\n", "a.srt holds nothing but white space", "downloaded whole"),
        ("a.srt", b"Tengo un amigo.", "a.srt has no subtitle cue: no line in it has times", "rename it to .txt"),
        ("a.vtt", b"WEBVTT\n\nNOTE nothing\n", "a.vtt has no subtitle cue", "rename it to .txt"),
        (
            "a.srt",
            b"1\n00:01,0 --> 00:02,0\n<i></i>\n",
            "a.srt has no subtitle cue: there are times in it, but no text",
            "",
        ),
        ("a.ass", b"[Events]\nDialogue: x", "a.ass has no subtitle cue: no Dialogue line", ""),
        ("a.srt", b"<!DOCTYPE html><html>404</html>", "it is a web page", "download"),
        ("a.sub", b"Hello", "a.sub has no subtitle cue: no line in it has frames and text", "rename it to .txt"),
        ("a.sub", b"{0}{25}{y:i}", "a.sub has no subtitle cue: no line in it has frames and text", ""),
        ("a.sub", b"\x00\x00\x01\xba\x44\x02", "a.sub is an MPEG video or the pictures of a VobSub subtitle", ".srt"),
        ("a.sup", b"PG\x00\x00\x00\x00\x00\x00\x00\x00\x16\x00", "a.sup is a Blu-ray subtitle", "Subtitle Edit"),
        ("a.pdf", b"%PDF-1.7", "a.pdf is a PDF document", "pdftotext"),
        ("a.jpg", b"\xff\xd8\xff\xe0", "a.jpg is a JPEG image", "OCR"),
        ("a.mkv", b"\x1a\x45\xdf\xa3", "a.mkv is a Matroska or WebM video", "recordings are not transcribed yet"),
        ("a.mp3", b"ID3\x04", "a.mp3 is an MP3 audio file", "recordings are not transcribed yet"),
        ("a.mobi", b"x" * 60 + b"BOOKMOBI", "a.mobi is a Kindle book", "Calibre"),
        ("a.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "a.doc is an old Office document", "save it as .docx"),
        ("a.rtf", b"{\\rtf1", "a.rtf is an RTF document", "save it as .docx"),
        ("a.xlsx", zipped({"xl/workbook.xml": ""}), "a.xlsx is an Excel sheet", "save it as .csv"),
        ("a.zip", zipped({"a.txt": "x"}), "a.zip is a ZIP archive", "unpack"),
        ("a.idx", b"# VobSub index file, v7", "a.idx is a VobSub subtitle, which Lode does not read", "Subtitle Edit"),
        ("a.lrc", b"Unsung words", "a.lrc has no subtitle cue: no line in it has a time and text", "rename it to .txt"),
        ("a.xml", b"<feed/>", "a.xml is an XML file, which Lode does not read", "TTML"),
        ("a.smi", b"<SAMI><BODY></BODY></SAMI>", "a.smi has no subtitle cue: no SYNC", ""),
        ("a.ttml", b"<!DOCTYPE tt><tt/>", "a.ttml has no subtitle cue: no p element", ""),
        ("a.html", b"<script>1</script>", "a.html has no text", "file you meant"),
        ("a.srt", b"\x89PNG\r\n\x1a\n", "a.srt is a PNG image, not a subtitle", ".txt"),
        ("a.txt", b"\x1b[2J\x1b[H", "a.txt has no text", "file you meant"),
        ("a\x1b]0;x\x07b\n.srt", b"", "ab .srt is empty", ""),
    ],
)
def test_what_gives_no_cue_is_refused_by_name_and_reason(name: str, data: bytes, message: str, hint: str) -> None:
    with pytest.raises(ImportRefused) as caught:
        parse(name, data)
    assert message in caught.value.message
    assert hint in caught.value.hint


def test_a_language_that_is_none_is_refused() -> None:
    with pytest.raises(ImportRefused, match="'german' is no language tag"):
        parse("a.srt", SRT, language="german")


def test_a_file_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parsing, "MAX_BYTES", 20)
    with pytest.raises(ImportRefused, match="the most"):
        parse("a.srt", SRT)


def test_progress_is_reported_and_can_end_the_work() -> None:
    told: list[float] = []
    parse("a.srt", SRT, report=told.append)
    assert told == sorted(told)
    assert told[-1] == 1.0

    class Stopped(Exception):
        pass

    def stop(progress: float) -> None:
        raise Stopped

    with pytest.raises(Stopped):
        parse("a.srt", SRT, report=stop)


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_a_nul_in_web_vtt_is_a_replacement_character(mark: bytes) -> None:
    file = parse("a.vtt", mark + "WEBVTT\n\n00:01.000 --> 00:02.000\nHé\0llo\0\n".encode())
    assert [cue.text for cue in file.transcripts[0].cues] == ["Hé\ufffdllo\ufffd"]
    with pytest.raises(ImportRefused):
        parse("a.srt", b"1\n00:00:01,000 --> 00:00:02,000\nH\0llo\n")
