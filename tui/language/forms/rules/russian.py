"""Russian: by pymorphy3 where that is installed (the extra ``ru``), else participles that the list does not have.

Those are taken to their verbs: short ones of the passive (отдан, перенесены), and long ones of active and passive
(построивших, переведённого).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pymorphy3 import MorphAnalyzer

    from tui.language.forms.rules.table import Listed

_ENDING = r"(?:ый|ий|ого|его|ому|ему|ым|им|ом|ем|ая|яя|ой|ей|ую|юю|ою|ею|ое|ее|ые|ие|ых|их|ыми|ими)"
_SHORT = re.compile(r"(?P<stem>.{2,}[нт])[аоы]?")
_ACTIVE = re.compile(rf"(?P<stem>.{{2,}})(?P<past>в?ш){_ENDING}(?P<oneself>ся)?")
_PASSIVE = re.compile(rf"(?P<stem>.{{2,}}[нт])н?{_ENDING}")
_VERB = re.compile(r".*(?:ть|ти|чь)(?:ся)?")


def find_lemma(form: str, listed: Listed) -> str | None:
    if (analyser := _analyser()) is not None:
        normal_form: str = analyser.parse(form)[0].normal_form
        return normal_form
    if listed(form):
        return None
    return next((lemma for each in _candidates(form) if (lemma := listed(each)) and lemma != each), None) or next(
        (each for each in _infinitives(form) if listed(each) and _VERB.fullmatch(each)), None
    )


@cache
def _analyser() -> MorphAnalyzer | None:
    """The analyser of pymorphy3, None where it is not installed; loading it takes some tenths of a second."""
    if find_spec("pymorphy3") is None:
        return None
    from pymorphy3 import MorphAnalyzer

    return MorphAnalyzer()


def _candidates(form: str) -> Iterator[str]:
    """Long forms of what may be a participle, of which the list knows the verb; ё is seldom written."""
    if match := _SHORT.fullmatch(form):
        stem = match["stem"]
        yield from (f"{stem}ный", f"{stem}ый")
        if stem.endswith("ен"):
            yield f"{stem[:-2]}ённый"
    if match := _PASSIVE.fullmatch(form):
        stem = match["stem"].removesuffix("н") + "н" if match["stem"].endswith("н") else match["stem"]
        yield from (f"{stem}ный", f"{stem}ый")
        if stem.endswith("ен"):
            yield f"{stem[:-2]}ённый"


def _infinitives(form: str) -> Iterator[str]:
    if match := _ACTIVE.fullmatch(form):
        oneself = match["oneself"] or ""
        yield from (f"{match['stem']}ть{oneself}", f"{match['stem']}ти{oneself}")
    for pattern in (_SHORT, _PASSIVE):
        if match := pattern.fullmatch(form):
            stem = match["stem"].rstrip("нт")
            if stem.endswith(("а", "я")):
                yield f"{stem}ть"
            elif stem.endswith("е"):
                yield f"{stem[:-1]}ить"
