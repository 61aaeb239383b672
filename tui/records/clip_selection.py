"""Selections of clips: which ones are exported, filled, tagged or spoken."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ClipSelection:
    """Selection of clips: those that meet every condition; without any, all clips of the profile.

    ``ids`` are ids or unambiguous beginnings of them, ``q`` is what is typed into the filter of a list. ``tag`` is a
    whole tag, in any case; ``verb`` means ``verb::strong`` too, as in Anki. ``since`` is a date or a moment (ISO 8601),
    without an offset in the local time of this process, from which on clips were kept or changed. ``only_new`` leaves
    out what the deck of that name has as it is now.
    """

    ids: tuple[str, ...] = ()
    q: str = ""
    tag: str = ""
    since: str = ""
    only_new: bool = False

    @property
    def is_all(self) -> bool:
        return self == ClipSelection()


ALL_CLIPS = ClipSelection()
