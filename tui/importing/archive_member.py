"""Members of archives: their paths as they may be shown and used, why one cannot be imported, and what bounds them."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, Protocol

from tui import bounds
from tui.errors import ImportRefused
from tui.importing.formats import PLAIN_TEXT, SUBTITLES, is_taken
from tui.text.sanitize import one_line

MAX_MEMBERS = bounds.ZIP_ARCHIVE.entries
"""Maximum members of an archive: their list is held in memory."""
MAX_WANTED = 10_000
"""Maximum files of an archive that are imported at once, each by a job."""
MAX_PACKED = bounds.TAR_ARCHIVE.bytes_in
"""Maximum bytes of a compressed tar archive, which is unpacked whole to list it."""
MAX_UNPACKED = bounds.ZIP_ARCHIVE.bytes_out
"""Maximum bytes of all that an archive holds to import, unpacked; a thousand seasons of subtitles have a tenth."""
ARCHIVE_ENDINGS = (".zip", ".tar", ".tgz", ".tbz2", ".txz", ".gz", ".bz2", ".xz", ".7z", ".rar")
"""Endings of archives; those that are looked into when a directory is searched are ``READ_ENDINGS``."""
READ_ENDINGS = ARCHIVE_ENDINGS[:-2]
NOTHING_TO_IMPORT = "nothing_to_import"
"""Code of the refusal of an archive without anything to import."""
_MAX_NAME_LENGTH = 255
NO_FILE = "it is a link or a device, not a file"
_DRIVE = re.compile(r"[A-Za-z]:")
_RESOURCE_FORKS = "__MACOSX"
"""Directory in which macOS keeps what belongs to the files of an archive, under their names."""


@dataclass(frozen=True, slots=True)
class Member:
    """A file in an archive.

    ``path`` is relative, with slashes, and leads nowhere else; ``refusal`` says why it cannot be imported ("its path
    leads out of the archive"), "" for one that can. ``entry`` is what the archive finds it by.
    """

    path: str
    size: int
    refusal: str = ""
    entry: Any = None

    @property
    def is_wanted(self) -> bool:
        """Whether it is to be imported, by its name, or named as what cannot be."""
        parts = PurePosixPath(self.path).parts
        if not parts or any(part.startswith(".") or part == _RESOURCE_FORKS for part in parts):
            return False
        return is_taken(parts[-1]) or parts[-1].lower().endswith(ARCHIVE_ENDINGS)


class Archive(Protocol):
    """An archive that is open; ``members`` are its files by their paths. All methods block."""

    @property
    def members(self) -> dict[str, Member]: ...

    def read(self, member: Member) -> bytes:
        """The bytes of one of the ``members``; raises ``ImportRefused``."""

    def close(self) -> None: ...


def make_member(name: str, size: int, refusal: str = "", entry: Any = None) -> Member:
    """Make a member of the name as the archive has it, which may be anything."""
    slashed = name.replace("\\", "/")
    parts = [one_line(part) for part in _DRIVE.sub("", slashed, count=1).split("/")]
    path = "/".join(_shortened(part) for part in parts if part not in ("", ".", ".."))
    if max(map(len, parts)) > _MAX_NAME_LENGTH:
        refusal = "its name is longer than that of any file"
    elif ".." in parts or slashed.startswith("/") or _DRIVE.match(slashed):
        refusal = "its path leads out of the archive"
    elif not refusal and path.lower().endswith(ARCHIVE_ENDINGS):
        refusal = "it is an archive within an archive: unpack it and add it by itself"
    return Member(path, size, refusal, entry)


def _shortened(part: str) -> str:
    """Cut a part of a path to the longest name; its ending stays, as that decides whether the file is imported."""
    if len(part) <= _MAX_NAME_LENGTH:
        return part
    ending = PurePosixPath(part).suffix[:16]
    return part[: _MAX_NAME_LENGTH - len(ending)] + ending


def decode_names(names: Sequence[str | bytes]) -> list[str]:
    """The names of an archive's members, of which bytes are in the encoding of the system that made it.

    macOS and Linux write UTF-8, Windows the code page of the country, which is found out; all names are in the same
    one. Names that fit none are in code page 437, the ZIP format's own.
    """
    unknown = b"\n".join(name for name in names if isinstance(name, bytes) and not name.isascii())
    codec = "utf-8"
    try:
        unknown.decode(codec)
    except UnicodeDecodeError:
        from tui.importing.encoding.detection import detect

        found = detect(unknown, None).near
        codec = found[0].codec if found else "cp437"
    return [name.decode(codec, "replace") if isinstance(name, bytes) else name for name in names]


def index_by_path(members: Iterable[Member]) -> dict[str, Member]:
    """Members by their paths; of several at the same one the last, as unpacking would leave it."""
    return {member.path: member for member in members}


def choose_wanted(members: Iterable[Member], shown: str) -> tuple[Member, ...]:
    """The members to import; raises ``ImportRefused`` where there is none, or more than can be taken at once."""
    members = tuple(members)
    paths = {member.path for member in members}
    # These are the files of a dictionary for Yomitan.
    if "index.json" in paths and not paths.isdisjoint(("term_bank_1.json", "term_meta_bank_1.json")):
        raise ImportRefused(
            f"{shown} is a dictionary, not a text",
            hint="add it with: lode dictionaries add FILE (in the app: ctrl+p, Dictionaries)",
        )
    found = [member for member in members if member.is_wanted]
    if not found:
        raise ImportRefused(
            f"the archive {shown} holds no subtitles ({SUBTITLES}) or texts ({PLAIN_TEXT.ending})",
            hint="unpack it and name its files to import others",
            code=NOTHING_TO_IMPORT,
        )
    if len({member.refusal for member in found}) == 1 and found[0].refusal:
        raise ImportRefused(f"the archive {shown} cannot be imported: {found[0].refusal}", hint="look what is in it")
    if len(found) > MAX_WANTED:
        raise too_many(shown, MAX_WANTED)
    if sum(member.size for member in found if not member.refusal) > MAX_UNPACKED:
        raise too_much(shown)
    return tuple(found)


def too_much(shown: str) -> ImportRefused:
    """Error for an archive that unpacks to more than anyone's subtitles."""
    return ImportRefused(
        f"the archive {shown} unpacks to more than {MAX_UNPACKED / 1e9:g} GB",
        hint="check that it is the one you meant, or unpack it and add a part at a time",
        code="too_large",
    )


def too_many(shown: str, most: int = MAX_MEMBERS) -> ImportRefused:
    """Error for an archive with more members than can be listed or imported."""
    return ImportRefused(f"the archive {shown} holds more than {most} files", hint="unpack it and add a part at a time")


def damaged_archive(shown: str, cause: object) -> ImportRefused:
    """Error for an archive that cannot be read as what it says it is."""
    said = one_line(str(cause))[:200]
    return ImportRefused(
        f"the archive {shown} is damaged" + (f": {said}" if said else ""), hint="check that it was downloaded whole"
    )


def refused_member(path: str, shown: str, reason: str) -> ImportRefused:
    """Error for one member: the archive's others may be imported all the same."""
    return ImportRefused(
        f"{PurePosixPath(path).name} in {shown} cannot be imported: {reason}", hint="unpack the archive to look at it"
    )
