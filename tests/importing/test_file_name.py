from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tui.importing.file_name import read_file_name

NAMES = """
Der letzte Zug.de.srt | de | Der letzte Zug
The.Movie.2019.1080p.en.SRT | en | The Movie 2019 1080p
talk.en-orig.vtt | en | talk
Dr. No.srt | - | Dr. No
1.5.txt | - | 1.5
de.srt | - | de
日本語.ja.srt | ja | 日本語
noending | - | noending
film.hi.vtt | hi | film
film.en.hi.srt | en | film
film.hi.hi.srt | hi | film
film.ru-es.srt | ru,es | film
film.de+en.srt | de,en | film
film.zh-en-bilingual.srt | zh,en | film
film [ENG-GER].srt | en,de | film
film (English & German).srt | en,de | film
film.en-us.srt | en-US | film
film.es-419.srt | es-419 | film
film.en-uk.srt | en-GB | film
film.de-DE.srt | de-DE | film
film.zh_Hans.srt | zh-Hans | film
film.chs.srt | zh-Hans | film
film.ger.srt | de | film
film.sdh.eng.srt | en | film
film.en.[SDH].srt | en | film
film_de.srt | de | film
film-pt-BR.srt | pt-BR | film
film (Deutsch).srt | de | film
film.English.srt | en | film
Film - 01 (jp).ass | ja | Film - 01
12_Portuguese (Brazilian).srt | pt-BR | 12 Portuguese (Brazilian)
English.srt | en | English
Title [dQw4w9WgXcQ].en-en-US.vtt | en-US | Title [dQw4w9WgXcQ]
Title-dQw4w9WgXcQ.de.vtt | de | Title-dQw4w9WgXcQ
it.srt | - | it
The Office.srt | - | The Office
Let.It.srt | - | Let It
Let.it.srt | it | Let
do_it.srt | - | do it
Original.Sin.srt | - | Original Sin
C'est.la.vie.srt | vi | C'est la
film.part.srt | - | film part
Show - S01E03 - The One.en.srt | en | Show - S01E03 - The One
Amelie.2001.FRENCH.srt | fr | Amelie 2001
film.ze.srt | zh,en | film
film.en.1.srt | en | film
film.br.srt | pt-BR | film
film (IT).srt | it | film
film.No.srt | - | film No
Film.zh-CN&en.ass | zh-CN,en | Film
Film.[简体].ass | zh-Hans | Film
film.Fr.srt | fr | film
Film.2019.German.DL.1080p.srt | - | Film 2019 German DL 1080p
Pan.srt | - | Pan
Blade_Runner_2049_[fra].srt | fr | Blade Runner 2049
Wonder Woman.en.full.forced.srt | en | Wonder Woman
movie.default.en.srt | en | movie
Big_Ben.srt | - | Big Ben
Sub.English (SDH).srt | en | Sub
a.b.c.fr.utf8.srt | fr | a.b.c
film.x-none.srt | - | film x-none
Madea-jp.srt | ja | Madea
Movie.2019.1080p.BluRay.x264-YTS.LT.srt | - | Movie 2019 1080p BluRay x264-YTS LT
Show.S02E05.HDTV.x264-IT.srt | - | Show S02E05 HDTV x264-IT
[Erai-raws] Show - 03 [1080p][Multiple Subtitle].ENG.ass | en | [Erai-raws] Show - 03 [1080p][Multiple Subtitle]
Movie.Spanish (Latin America).srt | es-419 | Movie
"""
"""Name | languages | title."""


def test_a_name_says_its_languages_and_a_title() -> None:
    for row in NAMES.strip().splitlines():
        name, languages, title = row.split(" | ")
        told = read_file_name(name)
        assert (",".join(told.languages) or "-", told.title) == (languages, title), name


def test_an_ending_is_in_lower_case_and_a_title_on_one_line() -> None:
    rows: list[tuple[str, str, str]] = [
        (".srt", "", "srt"),
        ("a\x1b[31m\nb.SRT", ".srt", "a b"),
        ("1.5.txt", ".txt", "1.5"),
    ]
    for name, ending, title in rows:
        told = read_file_name(name)
        assert (told.ending, told.title) == (ending, title), name


def test_a_tag_that_is_a_word_says_so_and_hi_alone_is_hindi_or_a_mark() -> None:
    names = (
        "film.en.srt",
        "film_de.srt",
        "film.fin.srt",
        "film.eng.srt",
        "film.pt-BR.srt",
        "film.German.srt",
        "film.ja.srt",
    )
    assert [read_file_name(name).is_word for name in names] == [*[True] * 3, *[False] * 4]
    assert [read_file_name(name).is_mark for name in ("a.hi.srt", "a.hi.hi.srt", "a.en.hi.srt")] == [True, False, False]


@settings(max_examples=40, deadline=None)
@given(st.text(st.sampled_from("ensprt._- []()\x00é1"), max_size=200))
def test_any_name_has_a_title(name: str) -> None:
    told = read_file_name(f"x{name}")
    assert told.title
    assert len(told.languages) <= 2
