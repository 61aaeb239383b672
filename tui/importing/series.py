"""Series and episodes, told from the names of files and of the directories that they are in.

Names are as release groups, broadcasters, yt-dlp and people write them. A year, a resolution or a number in a film's
title is no episode: what is not written as one is not taken for one.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from operator import itemgetter
from pathlib import Path, PurePosixPath

from tui.importing.archive_member import ARCHIVE_ENDINGS
from tui.importing.file_name import list_name_words, read_file_name
from tui.language.tags import language_names, normalise
from tui.records.transcripts import NewTranscript
from tui.text.display import episode_number
from tui.text.sanitize import one_line

_SEASON_WORDS = (
    "season|series|staffel|saison|temporada|stagione|seizoen|säsong|sæson|sesong|sezon|sezona|série|evad|kausi|"
    "сезон|시즌|シーズン|mùa"
)
_EPISODE_WORDS = (
    "episode|episodes|episódio|episodio|épisode|episodul|epizoda|epizod|ep|folge|capítulo|capitulo|cap|puntata|"
    "aflevering|avsnitt|afsnit|jakso|odcinek|odc|díl|osa|bölüm|серия|серія|выпуск|эпизод|επεισόδιο|الحلقة|حلقة|"
    "פרק|एपिसोड|ตอนที่|tập|lesson|lektion"
)
_NUMBER = r"(\d{1,4})"
_HAN = "零〇一二三四五六七八九十百"
_BEFORE, _BEHIND = r"(?<![^\W_])", r"(?![^\W_])"
"""Word boundaries: no letter or digit before or behind; underscores may be there."""
_VERSION = r"(?:v\d)?"

_MARKERS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_BEFORE}s(?P<season>\d{{1,4}})[ ._-]*(?:e|ep)[ ._]?(?P<episode>\d{{1,4}}){_VERSION}"
        rf"(?:[ ._-]*e\d{{1,4}}|-\d{{1,3}}(?!\d|p))*{_BEHIND}",
        r"(?<![\dx.])(?P<season>\d{1,2})x(?P<episode>\d{2,3})(?:-\d{2,3})?(?![\dx])",
        rf"{_BEFORE}(?:{_SEASON_WORDS})[ ._]*(?P<season>\d{{1,4}})[ ._,–-]*"
        rf"(?:{_EPISODE_WORDS})[ ._]*(?P<episode>\d{{1,4}}){_BEHIND}",
        rf"{_BEFORE}(?P<season>\d{{1,2}})\.?[ ._]*(?:{_SEASON_WORDS})[ ._,–-]*"
        rf"(?P<episode>\d{{1,4}})\.?[ ._]*(?:{_EPISODE_WORDS}){_BEHIND}",
        rf"第(?P<season>[\d{_HAN}]{{1,4}})[季期部][ ._]*第(?P<episode>[\d{_HAN}]{{1,5}})[話话集回夜章]",
        rf"第(?P<episode>[\d{_HAN}]{{1,5}})[話话集回夜]",
        r"제? ?(?P<episode>\d{1,4})[화회](?![가-힣])",
        r"(?<!\d)(?P<episode>\d{1,4})[話话集](?!\w)",
        rf"{_BEFORE}(?:{_EPISODE_WORDS})[ ._#-]*(?P<episode>\d{{1,4}}){_VERSION}{_BEHIND}",
        rf"{_BEFORE}(?P<episode>\d{{1,4}})\.?[ ._]*(?:серия|серія|выпуск|bölüm|díl|rész|évad|folge|avsnitt){_BEHIND}",
        rf"{_BEFORE}E(?P<episode>\d{{2,4}}){_VERSION}{_BEHIND}",
        rf"(?<!\w)#(?P<episode>\d{{1,4}}){_BEHIND}",
    )
)
"""Patterns of an episode's number, the surest first: the first that matches counts."""
_RELEASED = re.compile(
    rf"^\[[^\]]+\][ ._]*(?P<series>.+?)(?:[ ._]+-)?[ ._]+(?P<episode>\d{{1,4}}){_VERSION}(?=[ ._]*(?:[\[(]|$|- ))"
)
"""``[Group] Title - 03 [1080p]``."""
_BOXED = re.compile(
    rf"^(?:\[[^\]]+\]|【[^】]+】) ?[\[【](?P<series>[^\]】]+)[\]】] ?[\[【](?P<episode>\d{{1,4}}){_VERSION}[\]】]"
)
"""``[Group][Title][03][1080p]``."""
_DASHED = re.compile(rf"^(?P<series>.*\w.*?)[ _]+[-–][ _]+(?P<episode>\d{{2,3}}){_VERSION}(?=[ _]*(?:[\[(]|$|[-–] ))")
"""``Title - 03`` and ``Title - 03 - The Train``."""
_NUMBERED = re.compile(rf"^(?P<episode>\d{{1,3}}){_VERSION}(?:[ ._]*[-–.:][ ._]*|[ _]+|$)")
"""``03``, ``03 - The Train`` and ``3. The Train``, in the directory of a season."""
_BARE = re.compile(r"^(?P<episode>\d{2,3})(?= [a-z]{2,3}$|$)")
"""``03`` and ``03 de``, in a directory that has a name."""
_INDEXED = re.compile(r"^(?P<episode>\d{2,4}) - (?P<title>.+) \[[\w-]{11}\]$")
"""A file of a playlist as yt-dlp names it (https://github.com/yt-dlp/yt-dlp#output-template)."""
_SEASON = re.compile(
    rf"{_BEFORE}(?:(?:{_SEASON_WORDS})[ ._]*(?P<a>\d{{1,4}})"
    rf"|(?P<b>\d{{1,2}})(?:st|nd|rd|th|\.)?[ ._]*(?:{_SEASON_WORDS})|S(?P<c>\d{{1,2}})){_BEHIND}"
    rf"|第(?P<d>[\d{_HAN}]{{1,3}})[季期]",
    re.IGNORECASE,
)
_QUALITY = re.compile(
    r"(?<![^\W_])(?:\d{3,4}[pi]|\d{3,4}x\d{3,4}|[48]k|uhd|hdr\d*|10-?bit|8-?bit"
    r"|web(?:-?dl|-?rip)?|blu-?ray|b[dr]-?rip|hdtv|pdtv|dvd(?:rip)?|remux|nf|amzn|dsnp|hulu|atvp"
    r"|[xh][ .]?26[45]|hevc|avc|xvid|divx|aac\d?|ac3|e?ac-?3|ddp?[ .]?\d|flac|opus|atmos"
    r"|proper|repack|internal|multi|dual-?audio|subbed|dubbed|complete|extended|limited)(?![^\W_])",
    re.IGNORECASE,
)
"""Pattern of words about a release, which are no part of a title."""
_BRACKETED = re.compile(r"\[[^\[\]]*\]|\([^()]*\)|【[^】]*】")
_YEAR = re.compile(r"\((?:19|20)\d\d\)")
_AROUND = " \t._-–—:,;|~·#・"
_MAX_NAME_LENGTH = 300
"""Characters of a name beyond which it is not read: no file system takes so many."""
_YEARS = range(1900, 2100)


@dataclass(frozen=True, slots=True)
class Episode:
    """An episode of a series; ``title`` is its own, "" where the name has none, ``season`` None where none is told."""

    series: str
    season: int | None
    episode: int
    title: str

    @property
    def full_title(self) -> str:
        """Title of its transcript, which says what it is wherever it stands: "Dark · S01E03 · Gestern und heute"."""
        return " · ".join(filter(None, (self.series, episode_number(self.season, self.episode), self.title)))


def read_episode(path: str) -> Episode | None:
    """Read series, season and episode off a file's path, of which the last directories count; None for no episode."""
    parts = [part for part in PurePosixPath(path.replace("\\", "/")).parts if part != "/"]
    if not parts or max(map(len, parts)) > _MAX_NAME_LENGTH:
        return None
    file_name = read_file_name(parts[-1])
    # In NFKC ３ is 3 and ＃ is #, and marks are joined to their letters.
    name = unicodedata.normalize("NFKC", file_name.title)
    folders = [unicodedata.normalize("NFKC", one_line(_without_archive_ending(part))) for part in parts[:-1]][-3:]
    while folders and folders[-1].lower() in list_name_words("beside_videos"):
        folders.pop()
    season_folder = _season_folder(folders[-1]) if folders else None
    match = next((found for marker in _MARKERS if (found := marker.search(name))), None)
    if match is not None:
        series, episode = _series(name[: match.start()]), _number(match["episode"])
        season = _number(match["season"]) if "season" in match.re.groupindex else None
        title = _title(name[match.end() :])
    elif (match := _BOXED.match(name) or _RELEASED.match(name) or _DASHED.match(name)) and int(
        match["episode"]
    ) not in _YEARS:
        series, episode, season = _series(match["series"]), int(match["episode"]), None
        title = _title(name[match.end() :])
    elif (season_folder is not None and (match := _NUMBERED.match(name))) or (
        folders and (match := _INDEXED.match(name) or _BARE.match(name))
    ):
        series, episode, season = "", int(match["episode"]), None
        title = match["title"] if match.re is _INDEXED else _title(name[match.end() :])
    else:
        return None
    if season is None and (told := _SEASON.search(series)):
        season = _season_of(told)
        series = _series(series[: told.start()]) or series
    if season is None and folders:
        season = _season_of(_SEASON.search(folders[-1])) if season_folder is None else season_folder
    series = series or _series_of(folders)
    if not series or episode is None:
        return None
    is_language = title.casefold() in _languages() or normalise(title) in file_name.languages
    return Episode(series, season, episode, "" if is_language else title)


def place_in_series(transcripts: Sequence[NewTranscript], path: str) -> tuple[NewTranscript, ...]:
    """Say of the transcripts of a file which episode they are, where its path tells and the file itself does not.

    A title that the file has of its own becomes the episode's; one that was made of the name gives way to it.
    """
    episode = read_episode(path)
    if episode is None:
        return tuple(transcripts)
    named = read_file_name(PurePosixPath(path.replace("\\", "/")).name).title
    return tuple(
        each
        if each.series
        else _as_episode(each, episode if each.title in ("", named) else replace(episode, title=each.title))
        for each in transcripts
    )


def _as_episode(transcript: NewTranscript, told: Episode) -> NewTranscript:
    return replace(transcript, title=told.full_title, series=told.series, season=told.season, episode=told.episode)


def order_last_first(paths: Sequence[Path]) -> tuple[Path, ...]:
    """Put the episodes of each series together, the last first: lists show the newest first, and so these in order."""
    together: dict[str | Path, list[tuple[int, int, Path]]] = {}
    for path in paths:
        if (episode := read_episode(path.as_posix())) is not None:
            numbered = (episode.season or 0, episode.episode, path)
            together.setdefault(episode.series.casefold(), []).append(numbered)
        else:
            together[path] = [(0, 0, path)]
    ordered = (sorted(each, key=itemgetter(0, 1))[::-1] for each in together.values())
    return tuple(path for each in ordered for _, _, path in each)


@cache
def _languages() -> frozenset[str]:
    return frozenset(name.casefold() for name in language_names().values())


def _without_archive_ending(part: str) -> str:
    while (path := PurePosixPath(part)).suffix.lower() in ARCHIVE_ENDINGS:
        part = path.stem
    return part if " " in part else part.replace(".", " ").replace("_", " ")


def _number(written: str | None) -> int | None:
    """The number in digits, or in Chinese characters up to 999: 十二 is 12, 二十 is 20."""
    if not written or written.isdecimal():
        return int(written) if written else None
    total = digit = 0
    for char in written:
        value = int(unicodedata.numeric(char))
        if value >= 10:  # 十 and 百
            total, digit = total + max(digit, 1) * value, 0
        else:
            digit = digit * 10 + value
    return total + digit or None


def _series(before: str) -> str:
    """The name of a series of what stands before the number of the episode."""
    text = re.sub(r"^(?:\[[^\]]*\]|【[^】]*】)[ ._]*(?=\S)", "", before.strip(_AROUND))
    text = _BRACKETED.sub(lambda found: found.group() if _YEAR.match(found.group()) else " ", text)
    if quality := _QUALITY.search(text):
        text = text[: quality.start()]
    return " ".join(text.strip(_AROUND + "[(【").split())


def _title(behind: str) -> str:
    """The episode's own title of what stands behind its number, up to what is said about the release."""
    text = _BRACKETED.sub(lambda found: " [ " if _is_about_release(found.group()) else found.group(), behind)
    text = text.partition(" [ ")[0] if text.strip(_AROUND) and not text.startswith(" [ ") else ""
    if quality := _QUALITY.search(text):
        text = text[: quality.start()].strip(_AROUND)
        before, _, last = text.rpartition(" ")
        text = before if last.casefold() in _languages() else text
    text = text.strip(_AROUND)
    if text.startswith("「") and text.endswith("」"):
        text = text[1:-1]
    return "" if text.isdecimal() else " ".join(text.split())


def _is_about_release(bracketed: str) -> bool:
    return bracketed.startswith("[") or _QUALITY.search(bracketed) is not None


def _season_of(found: re.Match[str] | None) -> int | None:
    return next((_number(found[group]) for group in "abcd" if found[group]), None) if found else None


def _season_folder(folder: str) -> int | None:
    """The season that a directory is of, None for one that is called after something else."""
    if folder.lower() in list_name_words("specials"):
        return 0
    found = _SEASON.match(folder)
    return _season_of(found) if found and not folder[found.end() :].strip(_AROUND) else None


def _series_of(folders: Sequence[str]) -> str:
    """The series by the directories around its files, the innermost last; "" where they say nothing."""
    for folder in reversed(folders):
        if _season_folder(folder) is not None or folder.lower() in list_name_words("beside_videos"):
            continue
        if folder.lower() in list_name_words("anywhere") or folder.startswith("."):
            return ""
        found = _SEASON.search(folder)
        return _series(folder[: found.start()] if found else folder)
    return ""
