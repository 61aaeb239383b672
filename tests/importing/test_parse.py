from __future__ import annotations

import pytest

from tests.importing.readers.test_epub import zipped
from tui import samples
from tui.errors import ImportRefused
from tui.importing import parse as parsing
from tui.importing.parse import parse

SRT = b"1\n00:00:03,000 --> 00:00:04,000\nlater\n\n2\n00:00:01,000 --> 00:00:02,000\nearlier\n"
VTT = b"WEBVTT\nLanguage: es\n\n00:01.000 --> 00:02.000\nHola\n"
ASS = b"[Script Info]\n\n[Events]\nFormat: Start, End, Text\nDialogue: 0:00:01.00,0:00:02.00,Hello\n"
MICRODVD = b"{1}{1}25\n{25}{50}{y:i}Hello|you\n"
LRC = b"[ti:A song]\n[00:01.00]Hello\n[00:02.00]\n"


SAMI = b"<SAMI><STYLE>.KRCC {lang: ko-KR;}</STYLE><BODY><SYNC Start=1000><P Class=KRCC>Hi<SYNC Start=2000><P>&nbsp;"
TTML = b'<?xml version="1.0"?><tt xml:lang="ja"><body><div><p begin="1s" end="2s">Hi</p></div></body></tt>'

JSON3 = b'{"wireMagic": "pb3", "events": [{"tStartMs": 1000, "dDurationMs": 9, "segs": [{"utf8": "Hi"}]}]}'
SRV3 = b'<?xml version="1.0"?><timedtext format="3"><body><p t="1000" d="9">Hi</p></body></timedtext>'
SRV1 = b'<transcript><text start="1" dur="2">Hi</text></transcript>'
WHISPER = b'{"text": "Hi", "segments": [{"id": 0, "start": 1.0, "end": 2.0, "text": " Hi"}], "language": "ko"}'
CSV = b"Start,End,Speaker,Text\n1.0,2.0,Ann,Hi\n"
MPL2 = b"[10][20]Hello|you\n"
TMPLAYER = b"00:00:01:Hello|you\n00:00:03:And you\n"


def test_the_content_decides_the_format_before_the_name() -> None:
    rows: list[tuple[str, bytes, str]] = [
        ("a.json3", JSON3, "youtube-json"),
        ("a.xml", SRV3, "youtube-xml"),
        ("a.xml", SRV1, "youtube-xml"),
        ("a.txt", WHISPER, "json"),
        ("a.jsonl", b'{"start": 1, "text": "Hi"}\n{"start": 2, "text": "Ho"}', "json"),
        ("a.txt", CSV, "csv"),
        ("a.tsv", b"start\tend\ttext\n0\t2000\tHi", "csv"),
        ("a.csv", b"0.5,1.5,Hi", "csv"),
        ("a.txt", MPL2, "mpl2"),
        ("a.txt", TMPLAYER, "tmplayer"),
        ("log.txt", b"10:30:01: started\n10:30:02: stopped", "txt"),
        ("a.txt", SAMI, "sami"),
        ("a.smi", SRT, "srt"),
        ("a.xml", TTML, "ttml"),
        ("a.ttml", TTML.decode().encode("utf-16"), "ttml"),
        ("a.sbv", b"0:00:01.000,0:00:02.000\nHi[br]you", "srt"),
        ("a", SRT, "srt"),
        ("a.srt", VTT, "vtt"),
        ("a.srt", b"\n\n" + VTT, "vtt"),
        ("a.srt", ASS, "ass"),
        ("a.ass", SRT, "srt"),
        ("a.vtt", b"00:01.000 --> 00:02.000\n<v Bob>Hi", "vtt"),
        ("a.txt", MICRODVD, "microdvd"),
        ("a.sub", b"[INFORMATION]\n[END INFORMATION]\n00:00:01.00,00:00:02.00\nHi[br]you", "srt"),
        ("a.LRC", b"[00:01]Hello", "lrc"),
        ("a.txt", LRC, "lrc"),
        ("a.lrc", SRT, "srt"),
        ("chat.txt", b"[10:30] Ann: Hello\n[10:31] Bob: Hello", "txt"),
        ("README.md", b"A word. Another.", "markdown"),
        ("page.html", b"<p>A word.", "html"),
        ("page", b"<!DOCTYPE html><html><p>A word.", "html"),
        ("page.txt", b"<?xml version='1.0'?><html><p>A word.", "html"),
        ("a.txt", b"It was at 10:30, and\n11:40.", "txt"),
    ]
    for name, data, form in rows:
        assert parse(name, data).format == form, name


def test_a_page_and_markdown_name_their_title_and_language() -> None:
    page = b"<html lang='cs'><title>Vlak | Noviny</title><h1>Vlak</h1><p>Vlak jede."
    for name, data in (("x.html", page), ("x.md", b"---\ntitle: Vlak\nlang: cs\n---\nVlak jede.")):
        file = parse(name, data)
        assert (file.kind, file.language, file.transcripts[0].title) == ("text", "cs", "Vlak")
        assert file.transcripts[0].cues[-1].text == "Vlak jede."


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


def test_the_language_is_told_named_or_guessed() -> None:
    rows: list[tuple[str, bytes, str | None, str | None]] = [
        ("film.de.srt", SRT, None, "de"),
        ("film.de.srt", SRT, "fr", "fr"),
        ("film.srt", SRT, "GER", "de"),
        ("film.vtt", VTT, None, "es"),
        ("film.smi", SAMI, None, "ko-KR"),
        ("a.json", WHISPER, None, "ko"),
        ("film.ttml", TTML, None, "ja"),
        ("film.ca.vtt", VTT, None, "ca"),
        ("film.srt", SRT, "", None),
        ("Let.It.srt", SRT, None, None),
    ]
    for name, data, language, expected in rows:
        assert parse(name, data, language=language).language == expected, name


def test_what_gives_no_cue_is_refused_by_name_and_reason() -> None:
    rows: list[tuple[str, bytes, str, str]] = [
        ("package.json", b'{"name": "x"}', "package.json has no subtitle cue: no object in it has text and times", ""),
        (
            "prices.csv",
            b"name,price\nTea,2\n",
            "prices.csv has no subtitle cue: its first line does not name columns",
            "",
        ),
        ("a.json3", b"{}", "a.json3 has no subtitle cue: no event in it has a time and text", ""),
        ("a.srt", b"", "a.srt is empty", "downloaded whole"),
        ("a.srt", b" \r\n\t\n", "a.srt holds nothing but white space", "downloaded whole"),
        ("a.srt", b"Tengo un amigo.", "a.srt has no subtitle cue: no line in it has times", "rename it to .txt"),
        ("a.vtt", b"WEBVTT\n\nNOTE nothing\n", "a.vtt has no subtitle cue", "rename it to .txt"),
        (
            "a.srt",
            b"00:01,0 --> 00:02,0\n<i></i>\n",
            "a.srt has no subtitle cue: there are times in it, but no text",
            "",
        ),
        ("a.ass", b"[Events]\nDialogue: x", "a.ass has no subtitle cue: no Dialogue line", ""),
        ("a.srt", b"<!DOCTYPE html><html>404</html>", "it is a web page", "download"),
        ("a.sub", b"Hello", "a.sub has no subtitle cue: no line in it has frames and text", "rename it to .txt"),
        ("a.xlsx", zipped({"xl/workbook.xml": ""}), "a.xlsx is an Excel sheet", "save it as .csv"),
        ("a.zip", zipped({"a.txt": "x"}), "a.zip is a ZIP archive", "unpack"),
        ("a.idx", b"# VobSub index file, v7", "a.idx is a VobSub subtitle, which Lode does not read", "Subtitle Edit"),
        ("a.lrc", b"Unsung words", "a.lrc has no subtitle cue: no line in it has a time and text", "rename it to .txt"),
        ("a.xml", b"<feed/>", "a.xml is an XML file, which Lode does not read", "TTML"),
        ("a.smi", b"<SAMI><BODY></BODY></SAMI>", "a.smi has no subtitle cue: no SYNC", ""),
        ("a.ttml", b"<!DOCTYPE tt><tt/>", "a.ttml has no subtitle cue: no p element", ""),
        ("a.srt", b"\x89PNG\r\n\x1a\n", "a.srt is a PNG image, not a subtitle", ".txt"),
        ("a.txt", b"\x1b[2J\x1b[H", "a.txt has no text", "file you meant"),
        ("a\x1b]0;x\x07b\n.srt", b"", "ab .srt is empty", ""),
    ]
    for name, data, message, hint in rows:
        with pytest.raises(ImportRefused) as caught:
            parse(name, data)
        assert message in caught.value.message, name
        assert hint in caught.value.hint, name


def test_a_language_that_is_none_and_a_file_that_is_too_large_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ImportRefused, match="'german' is no language tag"):
        parse("a.srt", SRT, language="german")
    monkeypatch.setattr(parsing, "MAX_BYTES", 20)
    with pytest.raises(ImportRefused, match="the most"):
        parse("a.srt", SRT)


def test_progress_is_reported_and_can_end_the_work() -> None:
    told: list[float] = []
    parse("a.srt", SRT, report=told.append)
    assert told == sorted(told)
    assert told[-1] == 1.0

    def stop(progress: float) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        parse("a.srt", SRT, report=stop)


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_a_nul_in_web_vtt_is_a_replacement_character(mark: bytes) -> None:
    file = parse("a.vtt", mark + "WEBVTT\n\n00:01.000 --> 00:02.000\nHé\0llo\0\n".encode())
    assert [cue.text for cue in file.transcripts[0].cues] == ["Hé\ufffdllo\ufffd"]
    with pytest.raises(ImportRefused):
        parse("a.srt", b"1\n00:00:01,000 --> 00:00:02,000\nH\0llo\n")


GERMAN = "Ich weiß nicht, was ich jetzt tun soll, aber ich glaube, dass wir nach Hause müssen."
ENGLISH = "I don't know what to do now, but I think that we have to go home before it gets dark."
HINDI = "मुझे नहीं पता कि अब क्या करना है"
SPANISH = "No sé qué hacer ahora, pero yo creo que hay que volver a casa porque está muy lejos y es de noche."
CROATIAN = "Ne znam što da radim ovaj tjedan, ali netko također mora ići kući prije mraka, a tko zna gdje je on."
CHINESE = "我现在不知道该怎么办，不过我想我们应该回家。"
UNCLEAR = "Los! Los! Toni!"


def srt(line: str, times: int = 1) -> bytes:
    return "".join(
        f"{n}\n00:{n // 60:02}:{n % 60:02},000 --> 00:{n // 60:02}:{n % 60:02},900\n{line}\n\n" for n in range(times)
    ).encode()


def language(name: str, line: str, times: int = 1, *, header: str = "") -> str | None:
    data = srt(line, times)
    if header:
        data = f"WEBVTT\nLanguage: {header}\n\n".encode() + data.replace(b",", b".")
    (transcript,) = parse(name, data).transcripts
    return transcript.language


def test_the_name_and_the_text_tell_the_language() -> None:
    rows: list[tuple[str, str, str | None]] = [
        ("film.hi.srt", HINDI, "hi"),
        ("film.hi.srt", "नमस्ते", "hi"),
        ("film.hi.srt", ENGLISH, "en"),
        ("film.en.hi.srt", UNCLEAR, "en"),
        ("film.hi.hi.srt", UNCLEAR, "hi"),
        ("film.ru-es.srt", SPANISH, "es"),
        ("film.ru-es.srt", UNCLEAR, "ru"),
        ("Let.it.srt", ENGLISH, "en"),
        ("Let.it.srt", UNCLEAR, "it"),
        ("film.no.srt", GERMAN, "de"),
        ("film.es-419.srt", SPANISH, "es-419"),
        ("film.sr.srt", CROATIAN, "sr"),
        ("film.yue.srt", CHINESE, "yue"),
        ("film.srt", GERMAN, "de"),
        ("film.haw.srt", ENGLISH, "en"),
    ]
    for name, line, expected in rows:
        assert language(name, line) == expected, name


def test_a_clear_text_wins_over_a_name_once_it_is_long_enough_unless_the_guess_does_not_know_the_name() -> None:
    assert language("film.fra.srt", GERMAN) == "fr"
    (transcript,) = parse("film.fra.srt", samples.read(samples.SAMPLES[0])).transcripts
    assert transcript.language == "de"
    assert language("film.tha.srt", UNCLEAR, 20) == "th"
    assert language("film.yue.srt", CHINESE, 20) == "yue"


def test_what_the_file_says_of_itself_counts_where_the_name_says_nothing_or_the_text_agrees() -> None:
    assert language("film.vtt", UNCLEAR, header="de-AT") == "de-AT"
    assert language("film.en.vtt", GERMAN, header="de-AT") == "de-AT"
    assert language("film.en.vtt", UNCLEAR, header="de-AT") == "en"
