"""Digests of what Lode wrote of a clip: by them a value in Anki is known as one of Lode's, or as the learner's edit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b

from tui.records.notes import Note

_BYTES = 8
_NOTHING = bytes(_BYTES)


@dataclass(frozen=True, slots=True)
class SentVersion:
    """One version of a note: digests of its fields, in the order of the note type, and of its tags, 8 bytes each.

    ``arrived`` tells that this version was seen in Anki, and not only written into a file.
    """

    fields: bytes
    tags: bytes
    arrived: bool = False


class Sent:
    """The versions of a note that Lode ever wrote, the latest last."""

    def __init__(self, versions: Sequence[SentVersion] = ()) -> None:
        self._versions = versions

    def __bool__(self) -> bool:
        return bool(self._versions)

    def wrote(self, field: int, value: str) -> bool:
        """Whether any version had this value in the field."""
        wanted = digest(value)
        return any(_field(version, field) == wanted for version in self._versions)

    def ever_filled(self, field: int) -> bool:
        """Whether any version had something in the field."""
        return any(_field(version, field) != _NOTHING for version in self._versions)

    def changed(self, field: int, value: str) -> bool:
        """Whether the value is another than one that Anki may have got last."""
        wanted = digest(value)
        return any(_field(version, field) != wanted for version in self._candidates)

    def wrote_tag(self, tag: str) -> bool:
        """Whether any version had the tag, in small letters."""
        return any(digest(tag) in _pieces(version.tags) for version in self._versions)

    def tag_arrived(self, tag: str) -> bool:
        """Whether Anki must have got the tag: it is in every version that can be the one that it got last."""
        candidates = self._candidates
        return bool(candidates) and all(digest(tag) in _pieces(version.tags) for version in candidates)

    @property
    def _candidates(self) -> Sequence[SentVersion]:
        """The versions that Anki may have got last: the one that was seen there last, and those written since."""
        at = max((at for at, version in enumerate(self._versions) if version.arrived), default=0)
        return self._versions[at:]


def digest(value: str) -> bytes:
    """Digest of one value, 8 bytes; those of an empty one are zero."""
    return blake2b(value.encode("utf-8", "surrogatepass"), digest_size=_BYTES).digest() if value else _NOTHING


def digests(values: Iterable[str]) -> bytes:
    """Digests of values, one after the other."""
    return b"".join(map(digest, values))


def whole_digest(note: Note) -> bytes:
    """Digest of all fields and tags of a note, by which one that was sent before is known at once."""
    return digest("\x1f".join((*note.fields, *note.tags)))


def sent_version(note: Note) -> SentVersion:
    """The version of a note that is being sent."""
    return SentVersion(digests(note.fields), digests(sorted(tag.casefold() for tag in note.tags)))


def _field(version: SentVersion, field: int) -> bytes:
    """The digest of a field; of one that an older Lode did not have, that of an empty one."""
    return version.fields[field * _BYTES : (field + 1) * _BYTES] or _NOTHING


def _pieces(data: bytes) -> set[bytes]:
    return {data[at : at + _BYTES] for at in range(0, len(data), _BYTES)}
