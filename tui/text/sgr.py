"""Styles as the parameters of SGR, the sequence that sets them on a terminal: what blanks need of them, and changes."""

from __future__ import annotations

from functools import lru_cache

_SHOWN_ON_BLANKS = frozenset(("4", "7", "9", "21", "51", "52", "53"))
"""Attributes that are seen where nothing stands."""
_ENDS = {"1": "22", "2": "22", "3": "23", "4": "24", "5": "25", "7": "27", "9": "29"}
"""Attributes, and what ends each: bold and dim end together."""


@lru_cache(maxsize=8192)
def blank_style(style: str) -> str:
    """The style that a blank in this one needs: the background, where nothing but that is seen of it."""
    background = find_background(style)
    return style if background is None else background


@lru_cache(maxsize=8192)
def find_background(style: str) -> str | None:
    """Find the background; None where more than that is seen of a blank."""
    attributes, _, background = _parts(style)
    return background if _SHOWN_ON_BLANKS.isdisjoint(attributes) else None


@lru_cache(maxsize=8192)
def change_style(before: str, after: str) -> str:
    """The sequence that changes one style into another: what differs, or all of it from the default on."""
    if before == after:
        return ""
    (old, *old_colours), (new, *new_colours) = _parts(before), _parts(after)
    ended = dict.fromkeys(_ENDS.get(each, "") for each in old if each not in new)
    kept = [each for each in old if each in new and _ENDS.get(each) not in ended]
    parts = [*ended, *(each for each in new if each not in kept)]
    parts += [
        wanted or default
        for had, wanted, default in zip(old_colours, new_colours, ("39", "49"), strict=True)
        if had != wanted
    ]
    if not parts:
        return ""
    whole = f"\x1b[0;{after}m" if after else "\x1b[m"
    changes = f"\x1b[{';'.join(parts)}m"
    return whole if "" in ended or len(whole) <= len(changes) else changes


@lru_cache(maxsize=8192)
def _parts(parameters: str) -> tuple[tuple[str, ...], str, str]:
    """The attributes, the colour and the background of a style."""
    attributes, colour, background = list[str](), "", ""
    codes = iter(parameters.split(";") if parameters else ())
    for code in codes:
        number = int(code)
        if number in (38, 48):
            kind = next(codes)
            value = ";".join((code, kind, *(next(codes) for _ in range(3 if kind == "2" else 1))))
        else:
            value = code
        if number in range(30, 40) or number in range(90, 98):
            colour = value
        elif number in range(40, 50) or number in range(100, 108):
            background = value
        else:
            attributes.append(code)
    return tuple(attributes), colour, background
