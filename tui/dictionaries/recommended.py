"""Dictionaries to get for a language: their names, and where they are, for whoever has none.

Sources: Debian's packages dict-freedict-* (apt-cache search), and the list that Yomitan recommends
(yomidevs/yomitan, ext/data/recommended-dictionaries.json): Jitendex and CC-CEDICT for their languages, wty, which is
made out of Wiktionary, for nearly all others.
"""

from __future__ import annotations

from functools import cache

from tui.language.tags import base_language, normalise

_OWN = {
    "ja": "Jitendex for Yomitan (https://jitendex.org)",
    "zh": "CC-CEDICT (https://www.mdbg.net/chinese/dictionary?page=cc-cedict)",
}
_WTY = "https://github.com/yomidevs/wiktionary-to-yomitan"
_FREEDICT = """
afr deu eng
ara eng
bre fra
ces eng
ckb kmr
cym eng
dan eng
deu bul ell eng fin fra ind ita kur nld pol por rus spa swe tur
ell bul eng fin fra ind ita jpn lat lit nld nor pol por rus spa swe
eng afr ara bul ces cym dan deu ell fin fra gle hin hrv hun ind ita jpn lat lit
eng nld nor pol por rom rus spa srp swe swh tur
epo eng
fin bul deu ell eng fra ind ita jpn lat lit nld nor pol por swe
fra bre bul deu ell eng fin ita jpn lat lit nld pol por rus spa swe tur
gla deu
gle eng pol
hrv eng
hun eng
isl eng
ita bul deu ell eng fin ind jpn lit nor pol por rus spa swe tur
jpn deu eng fra rus
kha deu eng
kur deu eng tur
lat deu eng
lit eng
mkd bul
nld bul deu ell eng fin fra ind ita lat lit pol por rus spa swe
nno nob
oci cat
pol bul deu ell eng fin fra gle ind ita jpn nld nor por rus spa swe tur
por deu eng fra spa
san deu
slk eng
slv eng
spa ast deu eng por
srp eng
swe bul deu ell eng fin fra ita jpn lat nld nor pol por rus spa tur
swh eng pol
tur deu eng
wol fra
"""
"""FreeDict's dictionaries in Debian: a language and those that it is explained in, in ISO 639-3."""


def list_recommended(language: str, explain_in: str = "en") -> tuple[str, ...]:
    """Names of dictionaries of a language, those in which explanations are to be given before those in English."""
    base, target = base_language(language), base_language(explain_in)
    packages = _packages()
    found = [packages[pair] for pair in dict.fromkeys(((base, target), (base, "en"))) if pair in packages]
    own = _OWN.get(base) if target == "en" or not found else None
    return (*found, own or f"wty-{base}-en.zip ({_WTY})")


@cache
def _packages() -> dict[tuple[str, str], str]:
    """Debian's packages by their languages."""
    packages = {}
    for line in _FREEDICT.split("\n"):
        source, _, targets = line.partition(" ")
        for target in targets.split():
            pair = base_language(normalise(source)), base_language(normalise(target))
            packages[pair] = f"dict-freedict-{source}-{target} (Debian, Ubuntu)"
    return packages
