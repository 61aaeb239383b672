from tui.importing.encoding.detection import *
from tui.importing.encoding.detection import _telling
def is_damaged_utf_8(data: bytes) -> bool:
    """Whether most of what is beyond ASCII is UTF-8: it is that with a few bytes lost, not another encoding."""
    sample = _telling(data).decode("utf-8", "replace")
    beyond = sum(char > "\x7f" for char in sample)
    return beyond > 2 * sample.count("\ufffd")
def certain_encoding(data: bytes, tag: str | None) -> str | None:
    candidates, second = readings(data, tag)
    if len(candidates) != 1 or is_damaged_utf_8(data):
        return None
    (only,) = candidates
    reads = only.plausibility
    if only.is_seconded and reads.fit >= .85: return only.codec
    if reads.fit>=.95 and reads.words >= .4 and _bytes(only) >= 30 and (second is None or second.plausibility.fit < .9): return only.codec
    if only.plausibility.language == "en" and has_contractions(only.sample): return only.codec
    return None
import re
def _bytes(only):
    return len("".join(c for c in only.sample if c > "\x7f").encode(only.codec, "ignore"))
from tui.language.detection import common_words
_C = re.compile(r"\b([A-Za-z]+)’(s|t|d|m|ll|re|ve)\b")
def has_contractions(text):
    beyond = {c for c in text if c > "\x7f"}
    if not beyond <= set("’‘“”…–—"): return False
    w = set(common_words()["en"])
    return any(f"{a}'{b}".lower() in w or (a.lower() in w or a.lower() in ("let","here","where","that","there","don","won","can","couldn","isn","didn","doesn","wasn","ain","shouldn","wouldn","hasn","haven","aren","weren")) for a,b in _C.findall(text))
