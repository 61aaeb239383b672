"""The library of a walk: the sample stories, and texts that terminals draw in cells of their own."""

from __future__ import annotations

import stat
import subprocess
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from tests.conftest import LEMMAS
from tests.hostile import HOSTILE
from tests.server_process import LODE
from tui.records.settings import ProfileSettings
from tui.store import Store

TEXTS = (
    "図書館で本を読む。かわいい犬が走った！",
    "e\u0301te\u0301 a\u030a n\u0303 Z\u0351\u0343\u036a\u0302a\u0346l\u036b\u030ego",
    "❤️ ☺️ 1️⃣ 👩‍👩‍👧‍👦 👍🏽 🇩🇪🇫🇷 🏴‍☠️ ok",
    "هل تنتظر منذ وقت طويل؟ 12 km قطار",
    "האם הרכבת מאחרת? 7:30 כן",
    "नमस्ते दुनिया, हिन्दी",
    "เขาไปโรงเรียนทุกวัน",
    "한국어를 공부합니다.",
    "ｆｕｌｌ ｗｉｄｔｈ ａｎｄ ﾊﾝｶｸ",
)
TERMINALS: Mapping[str, Mapping[str, str]] = {
    "true colours": {},
    "no colours": {"NO_COLOR": "1"},
    "16 colours": {"TERM": "xterm", "COLORTERM": ""},
}
"""What is set in each kind of terminal."""
SCRIBBLED = b"scribbled"
"""What the editor writes on the screen."""
_EDITOR = """#!/bin/sh
printf '\\033[2J\\033[5;5H\\033[41mscribbled\\033[0m'
"""


def fill(home: Path) -> dict[str, str]:
    """Fill a home directory; gives what is set for the app in it: an editor that writes on the screen."""
    if not (lemmas := home / "lemmas").exists():  # unpacking them takes longer than the walk
        LEMMAS.mkdir(exist_ok=True)
        lemmas.symlink_to(LEMMAS)
    films = home / "texts.de.srt"
    lines = [text.splitlines()[0].replace("\0", "") for text in (*TEXTS, *HOSTILE.values())]
    cues = [f"{at}\n00:00:{at:02},000 --> 00:00:{at:02},900\n{line}\n" for at, line in enumerate(lines, 1)]
    films.write_text("\n".join(cues), "utf-8")
    with closing(Store.open(home)) as store:
        store.settings.save("default", ProfileSettings())  # else the start asks for them
    subprocess.run([LODE, "--home", home, "add", "--samples"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([LODE, "--home", home, "add", films], check=True, stdout=subprocess.DEVNULL)
    editor = home / "editor"
    editor.write_text(_EDITOR, "utf-8")
    editor.chmod(editor.stat().st_mode | stat.S_IXUSR)
    return {"EDITOR": str(editor), "HOME": str(home)}
