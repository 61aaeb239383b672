"""Series and episodes of names as they are found: releases, broadcasters, playlists, and films that are neither."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from tui.importing.series import Episode, order_last_first, read_episode

EPISODES: dict[str, tuple[str, int | None, int, str]] = {
    # western television, as it is released
    "Dark.S01E03.Gestern.und.heute.German.1080p.WEB.x264-TVS.de.srt": ("Dark", 1, 3, "Gestern und heute"),
    "The.Office.US.S03E07.720p.BluRay.x264-DEMAND.en.srt": ("The Office US", 3, 7, ""),
    "Doctor Who (2005) - S01E01 - Rose.srt": ("Doctor Who (2005)", 1, 1, "Rose"),
    "The.Office.2005.S01E01.Pilot.srt": ("The Office 2005", 1, 1, "Pilot"),
    "Thrones.S08E03.The.Long.Night.1080p.AMZN.WEB-DL.DDP5.1.H.264-GoT.srt": ("Thrones", 8, 3, "The Long Night"),
    "Friends - 1x03 - The One with the Thumb.srt": ("Friends", 1, 3, "The One with the Thumb"),
    "Lost 2x01-02.srt": ("Lost", 2, 1, ""),
    "La casa de papel S02E01E02.es.srt": ("La casa de papel", 2, 1, ""),
    "Star Trek TNG - S01E01-E02 - Encounter at Farpoint.srt": ("Star Trek TNG", 1, 1, "Encounter at Farpoint"),
    "Show S01 E03.srt": ("Show", 1, 3, ""),
    "Show S2019E12.srt": ("Show", 2019, 12, ""),
    "Tatort - Season 1 Episode 3.srt": ("Tatort", 1, 3, ""),
    "1923.S01E02.War.and.the.Turquoise.Tide.srt": ("1923", 1, 2, "War and the Turquoise Tide"),
    "Babylon.Berlin.S01E03.1920x1080.srt": ("Babylon Berlin", 1, 3, ""),
    # in the words of other languages
    "Die Sendung mit der Maus - Folge 012 - Der Bagger.de.vtt": ("Die Sendung mit der Maus", None, 12, "Der Bagger"),
    "Tatortreiniger Staffel 2 Folge 4.srt": ("Tatortreiniger", 2, 4, ""),
    "Dix pour cent - Saison 1 Épisode 2.srt": ("Dix pour cent", 1, 2, ""),
    "Extr@ en español - Episodio 4.srt": ("Extr@ en español", None, 4, ""),
    "Bron - Avsnitt 3.sv.srt": ("Bron", None, 3, ""),
    "Диверсант 3 серия.srt": ("Диверсант", None, 3, ""),
    "Кухня 2 сезон 5 серия.srt": ("Кухня", 2, 5, ""),
    "Kara Sevda 12. Bölüm.srt": ("Kara Sevda", None, 12, ""),
    "บุพเพสันนิวาส ตอนที่ 3.srt": ("บุพเพสันนิวาส", None, 3, ""),
    "孤独のグルメ 第十二話「東京都豊島区」.srt": ("孤独のグルメ", None, 12, "東京都豊島区"),
    "深夜食堂 第二期 第5話.srt": ("深夜食堂", 2, 5, ""),
    "ドラマ　第０３回.srt": ("ドラマ", None, 3, ""),
    "庆余年 第1季 第03集.srt": ("庆余年", 1, 3, ""),
    "시그널.E03.160129.HDTV.H264.720p-NEXT.srt": ("시그널", None, 3, ""),
    "응답하라 1988 12화.srt": ("응답하라 1988", None, 12, ""),
    # anime, as its groups release it
    "[HorribleSubs] Shingeki no Kyojin - 03 [1080p].ass": ("Shingeki no Kyojin", None, 3, ""),
    "[SubsPlease] Sousou no Frieren - 03v2 (1080p) [ABCD1234].mkv.srt": ("Sousou no Frieren", None, 3, ""),
    "[Erai-raws] Kimetsu no Yaiba S2 - 03 [1080p][Multiple Subtitle].ass": ("Kimetsu no Yaiba", 2, 3, ""),
    "[Judas] Boku no Hero Academia 2nd Season - 05.ass": ("Boku no Hero Academia", 2, 5, ""),
    "[Nekomoe kissaten][Bocchi the Rock!][03][1080p].ass": ("Bocchi the Rock!", None, 3, ""),
    "Cowboy Bebop - 05 - Ballad of Fallen Angels.srt": ("Cowboy Bebop", None, 5, "Ballad of Fallen Angels"),
    "K-On!! EP03.ass": ("K-On!!", None, 3, ""),
    "Terrace House Ep. 12.srt": ("Terrace House", None, 12, ""),
    # playlists and podcasts
    "Easy German #123 - Im Supermarkt.de.vtt": ("Easy German", None, 123, "Im Supermarkt"),
    "Easy Spanish/012 - En el mercado [dQw4w9WgXcQ].es.vtt": ("Easy Spanish", None, 12, "En el mercado"),
    "Coffee Break French/Lesson 3.srt": ("Coffee Break French", None, 3, ""),
    # told by the directories
    "Dark/Season 1/03.srt": ("Dark", 1, 3, ""),
    "Dark/Season 1/3_English.srt": ("Dark", 1, 3, ""),
    "Dark/Season 1/03 - Gestern und heute.srt": ("Dark", 1, 3, "Gestern und heute"),
    "Dark/03.de.srt": ("Dark", None, 3, ""),
    "[Group] Bocchi the Rock!.zip/12.ass": ("Bocchi the Rock!", None, 12, ""),
    "Dark/Staffel 2/Folge 3.srt": ("Dark", 2, 3, ""),
    "Dark/S02/E03.srt": ("Dark", 2, 3, ""),
    "Dark/Subs/S01E03.srt": ("Dark", 1, 3, ""),
    "孤独のグルメ/シーズン2/第3話.srt": ("孤独のグルメ", 2, 3, ""),
    "dl/Dark.S01.German.1080p.zip/S01E03.srt": ("Dark", 1, 3, ""),
    "Dark - Season 2/Dark - 03.srt": ("Dark", 2, 3, ""),
    "Sherlock/Specials/01 - The Abominable Bride.srt": ("Sherlock", 0, 1, "The Abominable Bride"),
    r"Shows\Dark\Season 1\03.srt": ("Dark", 1, 3, ""),
}
NO_EPISODES = (
    *("Blade Runner - 2049.srt", "2001 A Space Odyssey (1968).srt", "1917.2019.1080p.BluRay.x264.srt"),
    *("Das Leben der Anderen (2006) 720p.de.srt", "Ocean's 11.srt", "Dune Part 2.srt", "Film 16x9.srt"),
    *("Film.1920x1080.H.264.AAC5.1.srt", "talk [dQw4w9WgXcQ].en.vtt", "03.srt", "films/03 - Heat.srt", "films/03.srt"),
    *("Dark/3.srt", "Dark/2019.srt", "Dark/300 spartans.srt", "Downloads/S01E03.srt", "Wall-E 2008.srt"),
    *("/home/anna/Downloads/Episode 3.srt", "Interview 12.03.2019.txt", "美咲の一日.txt", "2019年3月.srt", "", "/"),
    *("....srt", "S.srt"),
)


def test_an_episode_is_told_from_its_name_and_directories_and_a_film_is_none() -> None:
    assert {path: read_episode(path) for path in EPISODES} == {path: Episode(*told) for path, told in EPISODES.items()}
    assert {path: read_episode(path) for path in NO_EPISODES} == dict.fromkeys(NO_EPISODES)


def test_a_title_says_series_number_and_what_the_episode_is_called() -> None:
    assert Episode("Dark", 1, 3, "Gestern und heute").full_title == "Dark · S01E03 · Gestern und heute"
    assert Episode("One Piece", None, 1050, "").full_title == "One Piece · E1050"


def test_the_episodes_of_a_drop_come_together_and_the_last_first_with_all_else_in_its_place() -> None:
    given = ["a.srt", "Dark S01E10.srt", "Dark S01E2.srt", "b.srt", "Dark S01E1.de.srt", "Dark S01E1.en.srt", "z.srt"]
    ordered = [path.name for path in order_last_first([Path(name) for name in given])]
    assert ordered == [
        "a.srt",
        *("Dark S01E10.srt", "Dark S01E2.srt", "Dark S01E1.en.srt", "Dark S01E1.de.srt"),
        *("b.srt", "z.srt"),
    ]


@settings(max_examples=40, deadline=None)
@given(st.text())
def test_any_name_is_read(name: str) -> None:
    found = read_episode(name)
    assert found is None or (found.series and found.episode >= 0 and "\n" not in found.full_title)


def test_hostile_names_are_read_quickly() -> None:
    for name in ("[" * 5000, "1" * 5000, "S01E" * 2000, "- 0" * 3000, " _" * 4000 + "x", "第" * 4000, "Season " * 2000):
        read_episode(f"{name}/{name}.srt")
