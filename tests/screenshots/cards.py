"""Pictures of cards as a browser shows what Anki renders: ``python -m tests.screenshots.cards`` needs Chromium.

They depend on the fonts of the machine and are therefore no test; look at them after every change of the design.
"""

import hashlib
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path

from tests.deck.clips import bare, clip
from tests.deck.conftest import Anki
from tests.media.films import av
from tests.screenshots.__main__ import DIRECTORY
from tui.records.clips import Clip, FocusWord
from tui.records.media import Span
from tui.records.settings import CardOptions, SavedSettings

PHONE, DESK = 390, 720
"""Widths of a side in pixels."""
_FILM_SECONDS = 3

_TABLE = (
    "The prefix **ab** goes to the *very* end.\n\n| person | present | past | perfect | conditional |\n"
    "|---|---|---|---|---|\n| ich | fahre ab | fuhr ab | bin abgefahren | würde abfahren |\n"
    "| er, sie, es | fährt ab | fuhr ab | ist abgefahren | würde abfahren |\n\n"
    "As in *Donaudampfschifffahrtsgesellschaftskapitän* and `https://example.org/a/very/long/address/without/any/end`."
)
GERMAN = clip(1, explanation=_TABLE)
JAPANESE = bare(
    2,
    "昨日、骨董屋で直した時計を買いました。",
    sentence_reading="昨日[きのう]、 骨董屋[こっとうや]で 直[なお]した 時計[とけい]を 買[か]いました。",
    translation="Yesterday I bought a repaired clock at an antique shop.",
    explanation="**直す** is transitive; what is repaired takes を. Its intransitive twin is **直る**.",
    focus=FocusWord(
        "直した", lemma="直す", reading="なおした", part_of_speech="godan verb", grammar="past",
        meanings=("to repair", "to correct"), level="N4", language="ja", commonness="812 in JPDB",
    ),
    source="時計屋",
    start_ms=75_000,
)  # fmt: skip
CHINESE = bare(
    3,
    "他直接把骨头给了那只小狗。",
    translation="He gave the bone straight to that little dog.",
    explanation="**直接** comes before 把. In 今天直接回家 it means *right away*.",
    focus=FocusWord(
        "直接", lemma="直接", reading="zhíjiē", part_of_speech="adverb", meanings=("directly", "straight"),
        level="HSK3", language="zh-Hans",
    ),
    source="小狗",
)  # fmt: skip
HEBREW = bare(
    4,
    "הרכבת האחרונה יוצאת בשעה 23:45, נכון?",
    translation="The last train leaves at 23:45, right?",
    explanation="יוצאת (from יצא) agrees with הרכבת, which is feminine: יוצא, יוצאת!"
    "\n\n- הרכבת האחרונה: both have the article.",
    context="אני כבר עייף.\nהרכבת האחרונה יוצאת בשעה 23:45, נכון?",
    focus=FocusWord(
        "יוצאת", lemma="יצא", reading="yotset", part_of_speech="verb", grammar="feminine singular",
        meanings=("leaves", "goes out"), language="he",
    ),
    source="הרכבת",
    start_ms=12_000,
)  # fmt: skip
FILM = bare(
    5,
    "Er wartet seit einer Stunde am Bahnhof.",
    translation="He has been waiting at the station for an hour.",
    focus=FocusWord(
        "wartet", lemma="warten", part_of_speech="verb", grammar="3. Person Singular Präsens",
        meanings=("to wait",), level="A1", language="de",
    ),
    source="Der letzte Zug",
    start_ms=75_000,
)  # fmt: skip

_USUAL = CardOptions()
_PLAY = """<style>.replay-button svg {width: 40px; height: 40px; fill: #414141} .replay-button {margin: 3px}
.replay-button circle {fill: #fff; stroke: #414141}</style>
<a class="replay-button soundLink" href="#"><svg viewBox="0 0 64 64"><circle cx="32" cy="32" r="29"/>
<path d="M56.502,32.301l-37.502,20.101l0.329,-40.804l37.173,20.703Z"/></svg></a>"""
"""What Anki's window makes of a sound (aqt/sound.py, ts/reviewer/reviewer.scss): the library alone leaves a mark."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of both sides of a card, side by side."""

    name: str
    clip: Clip
    width: int = PHONE
    height: int = 480
    is_night: bool = False
    options: CardOptions = _USUAL
    has_media: bool = False
    """Whether the card has a sound and a picture."""


PICTURES = (
    Picture("card-film", FILM, height=720, has_media=True),
    Picture("card-film-listening", FILM, DESK, 760, is_night=True, options=CardOptions("listening"), has_media=True),
    Picture("card-german", GERMAN, height=780),
    Picture("card-german-night", GERMAN, DESK, 650, is_night=True),
    Picture("card-japanese", JAPANESE),
    Picture("card-japanese-word", JAPANESE, is_night=True, options=CardOptions("word", "reading")),
    Picture("card-chinese", CHINESE, DESK, 380),
    Picture("card-chinese-night", CHINESE, is_night=True, height=420),
    Picture("card-hebrew", HEBREW, height=540),
    Picture("card-hebrew-night", HEBREW, DESK, is_night=True),
)


def take(picture: Picture, browser: str, directory: Path) -> None:
    """Import the clip into a new collection, and take the picture of its card into the screenshots."""
    from anki.lang import set_lang

    from tui.deck.apkg import write_deck
    from tui.deck.note import make_note

    set_lang("en_US")
    shown, media = with_media(picture.clip, directory) if picture.has_media else (picture.clip, {})
    settings = SavedSettings(card_front=picture.options.front, card_hint=picture.options.hint)
    write_deck(directory / "deck.apkg", "Lode", [make_note(shown)], settings=settings, media=media.get)
    anki = Anki(directory / "collection.anki2")
    anki.take(directory / "deck.apkg")
    (card,) = anki.col.find_cards("")
    sides = [anki.col.get_card(card).question(), anki.col.get_card(card).answer()]
    sides = [re.sub(r"\[anki:play:[qa]:\d+\]", _PLAY, side) for side in sides]
    both = Path(anki.col.media.dir()) / "page.html"  # beside what it shows
    anki.col.close()
    night = ("night-mode", "nightMode night_mode") if picture.is_night else ("", "")
    frames = ""
    for html in sides:
        page = f'<!doctype html><html class="{night[0]}"><body class="card card1 {night[1]}">{html}</body></html>'
        frames += f'<iframe width={picture.width} height={picture.height} srcdoc="{escape(page)}"></iframe>'
    both.write_text(
        "<!doctype html><meta charset=utf-8><style>body{margin:0;display:flex;gap:2px;background:#888}"
        f"iframe{{border:0;flex:none}}</style>{frames}"
    )
    subprocess.run(
        [
            *(browser, "--headless", "--no-sandbox", "--hide-scrollbars", "--disable-gpu"),
            f"--user-data-dir={directory / 'browser'}",
            f"--window-size={2 * picture.width + 2},{picture.height}",
            f"--screenshot={DIRECTORY / f'{picture.name}.png'}",
            both.as_uri(),
        ],
        check=True,
        capture_output=True,
    )


def with_media(clip: Clip, directory: Path) -> tuple[Clip, dict[str, bytes]]:
    """A clip with the sound and the picture of a film, and both by their names in Anki."""
    from tui.deck.note import make_media_name
    from tui.media.cutting import cut

    (cutting,) = cut(make_film(directory / "film.mkv"), [Span(500, 2_500)])
    named = [hashlib.sha256(each).hexdigest() for each in (cutting.sound, cutting.picture)]
    media = {make_media_name(named[0], "mp3"): cutting.sound, make_media_name(named[1], "jpg"): cutting.picture}
    return replace(clip, audio=named[0], picture=named[1]), media


def make_film(path: Path) -> Path:
    """Write a film of three seconds: colours that flow into each other, and a tone."""
    with (
        av.open(str(path), "w") as film,
        av.open(
            "gradients=size=1280x720:rate=10:c0=0x24455c:c1=0xe0a96d:nb_colors=2:x0=0:y0=0:x1=1280:y1=720",
            "r",
            format="lavfi",
        ) as colours,
        av.open("sine=frequency=330:sample_rate=44100", "r", format="lavfi") as tone,
    ):
        streams = [film.add_stream("mpeg4", rate=10), film.add_stream("aac", rate=44_100)]
        streams[0].width, streams[0].height, streams[0].pix_fmt = 1280, 720, "yuv420p"
        for source, stream in zip((colours, tone), streams, strict=True):
            for frame in source.decode(source.streams[0]):
                if frame.time is not None and frame.time >= _FILM_SECONDS:
                    break
                film.mux(stream.encode(frame))
            film.mux(stream.encode(None))
    return path


def main() -> None:
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if browser is None:
        raise SystemExit("no browser: install chromium")
    for picture in PICTURES:
        with tempfile.TemporaryDirectory() as directory:
            take(picture, browser, Path(directory))


if __name__ == "__main__":
    main()
