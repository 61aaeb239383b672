from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui.importing.file_name import read_file_name

NAMES = """
Der letzte Zug.de.srt | de | Der letzte Zug
The.Movie.2019.1080p.en.SRT | en | The Movie 2019 1080p
my_film.pt-BR.vtt | pt-BR | my film
elephants-dream.ja-utf8.srt | ja | elephants-dream
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
film.RU-ES.srt | ru,es | film
film.de-en.srt | de,en | film
film.de+en.srt | de,en | film
film.zh-en-bilingual.srt | zh,en | film
film [ENG-GER].srt | en,de | film
film (English & German).srt | en,de | film
film.en-GB.srt | en-GB | film
film.en-us.srt | en-US | film
film.es-419.srt | es-419 | film
film.en-uk.srt | en-GB | film
film.de-DE.srt | de-DE | film
film.zh-TW.srt | zh-TW | film
film.zh-Hans.srt | zh-Hans | film
film.zh_Hans.srt | zh-Hans | film
film.chs.srt | zh-Hans | film
film.cht.ass | zh-Hant | film
film.jpn.srt | ja | film
film.ger.srt | de | film
film.en.forced.srt | en | film
film.eng.sdh.srt | en | film
film.sdh.eng.srt | en | film
film.en[cc].srt | en | film
film.en.[SDH].srt | en | film
film_de.srt | de | film
film-eng.srt | en | film
film_pt_br.srt | pt-BR | film
film-pt-BR.srt | pt-BR | film
film [German].srt | de | film
film (Deutsch).srt | de | film
film.English.srt | en | film
Film - 01 (jp).ass | ja | Film - 01
[Group] Film - 01 [1080p][ABCD1234].ass | - | [Group] Film - 01 [1080p][ABCD1234]
2_English.srt | en | 2 English
3_Spanish (Latin America).srt | es-419 | 3 Spanish (Latin America)
12_Portuguese (Brazilian).srt | pt-BR | 12 Portuguese (Brazilian)
English.srt | en | English
eng.srt | en | eng
Title [dQw4w9WgXcQ].de.vtt | de | Title [dQw4w9WgXcQ]
Title [dQw4w9WgXcQ].en-en-US.vtt | en-US | Title [dQw4w9WgXcQ]
Title-dQw4w9WgXcQ.de.vtt | de | Title-dQw4w9WgXcQ
It.srt | - | It
it.srt | - | it
Am.srt | - | Am
The Office.srt | - | The Office
To Be.srt | - | To Be
Let.It.srt | - | Let It
Let.it.srt | it | Let
The.Last.Ma.srt | - | The Last Ma
do_it.srt | - | do it
I-am.srt | - | I-am
film_es.srt | es | film
Original.Sin.srt | - | Original Sin
original_sin.srt | - | original sin
Johnny English.srt | - | Johnny English
Johnny.English.srt | en | Johnny
La vie.srt | - | La vie
C'est.la.vie.srt | vi | C'est la
Spider-Man.srt | - | Spider-Man
X-Men.srt | - | X-Men
Catch-22.srt | - | Catch-22
film.part.srt | - | film part
film.cd1.srt | - | film cd1
Show.S01E03.srt | - | Show S01E03
Show.S01E03.ger.srt | de | Show S01E03
Show - S01E03 - The One.en.srt | en | Show - S01E03 - The One
Amelie.2001.FRENCH.srt | fr | Amelie 2001
film.ze.srt | zh,en | film
film.en.1.srt | en | film
film.pob.srt | pt-BR | film
film.br.srt | pt-BR | film
film.se.srt | sv | film
film.gr.srt | el | film
film (IT).srt | it | film
film [no].srt | no | film
film.No.srt | - | film No
film.VOSTFR.srt | fr | film
lecture_12_cs.srt | cs | lecture 12
Mad Max - Fury Road.srt | - | Mad Max - Fury Road
Film.zh-CN&en.ass | zh-CN,en | Film
Film.简体.ass | zh-Hans | Film
Film.[简体].ass | zh-Hans | Film
film.sc.ass | zh-Hans | film
film.EN.srt | en | film
film.Ger.srt | de | film
film.Fr.srt | fr | film
Film.2019.German.DL.1080p.srt | - | Film 2019 German DL 1080p
Pan.srt | - | Pan
The-Cat.srt | - | The-Cat
Blade_Runner_2049_[fra].srt | fr | Blade Runner 2049
Wonder Woman.en.full.forced.srt | en | Wonder Woman
movie.default.en.srt | en | movie
movie.en.default.srt | en | movie
Big_Ben.srt | - | Big Ben
Sub.English (SDH).srt | en | Sub
a.b.c.fr.utf8.srt | fr | a.b.c
film.nb.srt | nb | film
film.fil.srt | fil | film
film.x-none.srt | - | film x-none
The Good German.srt | - | The Good German
Madea-jp.srt | ja | Madea
film.English.forced.srt | en | film
Movie.2019.1080p.BluRay.x264-[YTS.AM].srt | - | Movie 2019 1080p BluRay x264-[YTS AM]
Movie.2019.1080p.BluRay.x264-YTS.LT.srt | - | Movie 2019 1080p BluRay x264-YTS LT
Show.S02E05.720p.WEB-DL.DD5.1.H.264-ECI.srt | - | Show S02E05 720p WEB-DL DD5 1 H 264-ECI
Show.S02E05.HDTV.x264-IT.srt | - | Show S02E05 HDTV x264-IT
Movie.2010.SWEDISH.SUBS.srt | sv | Movie 2010
[SubsPlease] Show - 03 (1080p) [F02B9CEE].ass | - | [SubsPlease] Show - 03 (1080p) [F02B9CEE]
[Erai-raws] Show - 03 [1080p][Multiple Subtitle].ENG.ass | en | [Erai-raws] Show - 03 [1080p][Multiple Subtitle]
Das.Boot.srt | - | Das Boot
lecture 01 - en.vtt | en | lecture 01
intro_en_US.vtt | en-US | intro
4_French (Canada).srt | fr-CA | 4 French (Canada)
Movie.Spanish (Latin America).srt | es-419 | Movie
Subtitles_ENGLISH.srt | en | Subtitles
There.Will.Be.srt | - | There Will Be
Who.am.I.srt | - | Who am I
IT.srt | - | IT
it_chapter_two.srt | - | it chapter two
"""
"""Name | languages | title."""


@pytest.mark.parametrize("row", NAMES.strip().splitlines())
def test_a_name_says_its_languages_and_a_title(row: str) -> None:
    name, languages, title = row.split(" | ")
    told = read_file_name(name)
    assert (",".join(told.languages) or "-", told.title) == (languages, title)


@pytest.mark.parametrize("name", ["film.en.srt", "film_de.srt", "Let.it.srt", "film.fin.srt"])
def test_a_tag_that_is_a_word_says_so(name: str) -> None:
    assert read_file_name(name).is_word


@pytest.mark.parametrize("name", ["film.eng.srt", "film.pt-BR.srt", "film.German.srt", "film [de].srt", "film.ja.srt"])
def test_a_tag_that_is_no_word_does_not(name: str) -> None:
    assert not read_file_name(name).is_word


@pytest.mark.parametrize(("name", "is_mark"), [("a.hi.srt", True), ("a.hi.hi.srt", False), ("a.en.hi.srt", False)])
def test_hi_alone_is_hindi_or_a_mark(name: str, is_mark: bool) -> None:
    assert read_file_name(name).is_mark is is_mark


@pytest.mark.exhaustive
@given(st.text(st.sampled_from("ensprt._- []()\x00é1"), max_size=200))
def test_any_name_has_a_title(name: str) -> None:
    told = read_file_name(f"x{name}")
    assert told.title
    assert len(told.languages) <= 2
