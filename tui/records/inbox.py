"""Notes of the inbox: what other programs have sent as to Anki, and what they are told of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

InboxState = Literal["new", "waiting", "done"]
"""State of a note that arrived: nothing is looked up for it yet, its media are still to come, or all is done."""


@dataclass(frozen=True, slots=True)
class InboxNote:
    """A note as its client knows it: its fields (HTML) just as they were sent, of which a clip was made.

    ``id`` is the moment at which it came, in milliseconds since 1970, and no two are the same. ``addresses`` are those
    of media that are still to be fetched, by the names that the fields have for them. A note that has not ``arrived``
    stands for a clip of the library's own, so that a client can be told of it: its fields are made of the clip.
    """

    id: int
    clip_id: str
    deck: str
    note_type: str
    fields: Mapping[str, str]
    addresses: Mapping[str, str] = field(default_factory=dict)
    state: InboxState = "done"
    arrived: bool = True
