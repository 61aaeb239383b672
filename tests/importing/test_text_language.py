from __future__ import annotations

import pytest

from tui import samples
from tui.importing.parse import parse

GERMAN = "Ich weiß nicht, was ich jetzt tun soll, aber ich glaube, dass wir nach Hause müssen."
ENGLISH = "I don't know what to do now, but I think that we have to go home before it gets dark."
HINDI = "मुझे नहीं पता कि अब क्या करना है"
SPANISH = "No sé qué hacer ahora, pero yo creo que hay que volver a casa porque está muy lejos y es de noche."
CROATIAN = "Ne znam što da radim ovaj tjedan, ali netko također mora ići kući prije mraka, a tko zna gdje je on."
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


@pytest.mark.parametrize(
    ("name", "line", "expected"),
    [
        ("film.hi.srt", HINDI, "hi"),
        ("film.hi.srt", "नमस्ते", "hi"),
        ("film.hi.srt", ENGLISH, "en"),
        ("film.hi.srt", UNCLEAR, None),
        ("film.en.hi.srt", UNCLEAR, "en"),
        ("film.hi.hi.srt", UNCLEAR, "hi"),
        ("film.ru-es.srt", SPANISH, "es"),
        ("film.ru-es.srt", UNCLEAR, "ru"),
        ("Let.it.srt", ENGLISH, "en"),
        ("Let.it.srt", UNCLEAR, "it"),
        ("film.no.srt", GERMAN, "de"),
        ("film.pt-BR.srt", UNCLEAR, "pt-BR"),
        ("film.es-419.srt", SPANISH, "es-419"),
        ("film.sr.srt", CROATIAN, "sr"),
        ("film.yue.srt", "我现在不知道该怎么办，不过我想我们应该回家。", "yue"),
        ("film.haw.srt", ENGLISH, "en"),
    ],
)
def test_the_name_and_the_text_tell_the_language(name: str, line: str, expected: str | None) -> None:
    assert language(name, line) == expected


def test_a_clear_text_wins_over_a_name_once_it_is_long_enough() -> None:
    assert language("film.fra.srt", GERMAN) == "fr"
    (transcript,) = parse("film.fra.srt", samples.read(samples.SAMPLES[0])).transcripts
    assert transcript.language == "de"


def test_a_language_that_the_guess_does_not_know_is_taken_from_the_name() -> None:
    assert language("film.tha.srt", UNCLEAR, 20) == "th"
    assert language("film.yue.srt", "我现在不知道该怎么办，不过我想我们应该回家。", 20) == "yue"


def test_what_the_file_says_of_itself_counts_where_the_name_says_nothing_or_the_text_agrees() -> None:
    assert language("film.vtt", UNCLEAR, header="de-AT") == "de-AT"
    assert language("film.en.vtt", GERMAN, header="de-AT") == "de-AT"
    assert language("film.en.vtt", UNCLEAR, header="de-AT") == "en"
