"""Texts that break programs which trust what they show: markup, terminal control, directions, widths, lengths."""

from __future__ import annotations

from collections.abc import Iterator

HOSTILE: dict[str, str] = {
    "closing tag": "[/",
    "open tag": "[b",
    "sound": "[music] la la",
    "action": "[@click=app.quit]press me[/]",
    "escape": "red \x1b[31malarm\x1b[0m bell\x07",
    "osc 52": "copy \x1b]52;c;c3RvbGVu\x07 me",
    "osc title cut": "title \x1b]0;never closed",
    "c1": "c1 \x9b31m \x9d0;x\x9c end",
    "bidi": "abc \u202edef\u202c ghi \u2066jkl",
    "long": "a" * 3000,
    "long japanese": "食べ物" * 400,
    "japanese": "彼はもう駅に着いたかな。",
    "thai": "เขาไปโรงเรียนทุกวัน",
    "arabic": "هل تنتظر منذ وقت طويل؟",
    "emoji": "👩‍👩‍👧‍👦 🇩🇪 👍🏽 e\u0301 ok",
    "newlines": "one\r\ntwo\rthree\u2028four\x0bfive",
    "nul": "a\x00b",
    "template": "{{ 7*7 }} {% for x in y %}",
    "html": "<script>alert(1)</script> & {{c1::x}} [sound:x]",
    "markdown": "# not a heading\n* **bold** `code` [a](javascript:x) <b>",
}
"""Name to text. A surface takes all of them, in one test that loops over them. A new row has a new cause, and is kept
and shown as any is: half characters and what is beyond every bound nothing keeps, and its refusal is tested elsewhere.
"""

FORBIDDEN = "\x00\x07\x1b\x7f\x9b\x9d\x90\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
"""None of these may reach a terminal from a text."""

WORST = {name: HOSTILE[name] for name in ("action", "osc 52")}
"""One of each sort, for tests that open the whole app once per text; ``test_hostile.py`` sends them all."""


def deal(count: int) -> Iterator[list[str]]:
    """All texts, so many at a time, for a surface with as many places: each text stands in one of them."""
    texts = list(HOSTILE.values())
    return ([texts[place % len(texts)] for place in range(at, at + count)] for at in range(0, len(texts), count))
