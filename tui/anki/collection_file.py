"""A collection of Anki's as a file: a copy of it, or of the one in a package, opened for reading.

The file is copied first, with the log that an open Anki writes beside it, so that neither is waited for or changed.
Note types and decks are JSON in the row of ``col`` up to schema 11, and tables from 15 on.
Sources: Anki's rslib/src/storage/schema11.sql and upgrades/schema15_upgrade.sql, collections of anki 26.9.
"""

from __future__ import annotations

import errno
import io
import shutil
import sqlite3
import sys
import zipfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, nullcontext
from pathlib import Path
from typing import IO, BinaryIO, cast

from tui import bounds
from tui.errors import ImportRefused, refused
from tui.system import regular_file
from tui.system.temporary import TemporaryDirectory
from tui.system.zip_bounds import IS_ENCRYPTED, ZIP_FAULTS, is_packed_otherwise, lists_more_than

SQLITE_SIGNATURE = b"SQLite format 3\0"
BETWEEN = "\x1f"
"""Between the fields of a note, and from schema 15 on between a deck and one within it."""
_OLDEST, _OLD, _NEWEST = 11, 14, 18
"""Schemas that are read, and the last one that keeps note types as JSON."""
_TABLES = ("col", "notes", "cards")
_MAX_VALUE = bounds.ANKI_COLLECTION.entry_bytes
"""Maximum bytes of a value: SQLite holds the one that it reads, twice."""
_MAX_DESCRIPTIONS, _MAX_JSON_VALUES = bounds.ANKI_DESCRIPTIONS.bytes_in, bounds.ANKI_DESCRIPTIONS.entries
"""Maximum bytes of all that describes note types and decks, and quotes and brackets of these where they are JSON, whose
objects take thirty times as many bytes."""
_ROW_BYTES = 100
"""Bytes that a row of a description takes beside its texts."""
_PIECE = 1 << 20
MAX_FIELDS = 500
"""Maximum fields of a note that are read."""
_ATTEMPTS = 5
_ROOM = 1_000_000
"""Bytes that are too few for what SQLite lays beside a file to read it, and for what it sorts."""


class CollectionFile:
    """A collection that is open; raises ``ImportRefused`` for a file that is none, or damaged, or too new.

    ``keeps_json`` tells that note types and decks are JSON. The copy lies in a temporary directory in ``place``.
    """

    def __init__(
        self, path: Path, shown: str, place: Path, *, is_package: bool, progress: Callable[[float], None]
    ) -> None:
        self.shown = shown
        with writing(shown):
            self._directory = TemporaryDirectory(place)
        copy = self._copy = self._directory.path / "collection.anki2"
        with ExitStack() as opened:
            opened.callback(self._directory.remove)
            if is_package:
                unpack_collection(path, copy, shown, progress)
            else:
                _copy(path, copy, shown)
            self.connection = opened.enter_context(closing(_opened(copy, shown)))
            with self.faults():
                self.keeps_json = self._version() <= _OLD
                self._check_descriptions()
            self.close = opened.pop_all().close

    def field_values(self, note: int, longest: int) -> list[str]:
        """The values of the note in this row of ``notes``, in the order of its fields, cut to ``longest`` characters.

        A value of many megabytes, a picture say, is never held.
        """
        row = self.connection.execute(
            "SELECT flds FROM notes WHERE rowid = ? AND length(CAST(flds AS BLOB)) <= ?", (note, _PIECE)
        ).fetchone()
        if row is not None:
            return [value[:longest] for value in str(row[0]).split(BETWEEN, MAX_FIELDS)[:MAX_FIELDS]]
        separator = BETWEEN.encode()
        values = [bytearray()]
        with self.connection.blobopen("notes", "flds", note, readonly=True) as blob:
            while piece := blob.read(_PIECE):
                for at, part in enumerate(piece.split(separator, MAX_FIELDS)):
                    if at:
                        values.append(bytearray())
                    if len(values) > MAX_FIELDS:
                        return [_text(value, longest) for value in values[:MAX_FIELDS]]
                    values[-1] += part[: max(4 * longest - len(values[-1]), 0)]
        return [_text(value, longest) for value in values]

    @contextmanager
    def faults(self) -> Iterator[None]:
        """Tell of a file whose pages cannot be read, or whose descriptions say something else than Anki's."""
        try:
            yield
        except sqlite3.DataError as error:
            reason = f"has a note of more than {_MAX_VALUE / 1e6:g} MB"
            raise refused(self.shown, reason, "look for it in Anki's browser") from error
        except sqlite3.Error as error:
            raise _explain_failure(error, self._copy, self.shown) from error
        except (ValueError, TypeError, AttributeError, KeyError, IndexError, RecursionError) as error:
            raise _damaged(self.shown) from error

    def _check_descriptions(self) -> None:
        """Raise ``ImportRefused`` for note types and decks that nobody has made."""
        if self.keeps_json:
            text = "CAST(models AS TEXT) || CAST(decks AS TEXT)"
            values = f"""replace(replace(replace({text}, '"', ''), '[', ''), '{{', '')"""
            queries = [
                "SELECT length(CAST(models AS BLOB)) + length(CAST(decks AS BLOB)) FROM col",
                f"SELECT (length({text}) - length({values})) * {_MAX_DESCRIPTIONS // _MAX_JSON_VALUES} FROM col",
            ]
        else:
            more = {"notetypes": "length(config)", "templates": "length(config)", "fields": "0", "decks": "0"}
            queries = [
                f"SELECT total({_ROW_BYTES} + length(CAST(name AS BLOB)) + {size}) FROM {table}"
                for table, size in more.items()
            ]
        for query in queries:
            (size,) = self.connection.execute(query).fetchone()
            if size > _MAX_DESCRIPTIONS:
                reason = f"describes its note types and decks in more than {_MAX_DESCRIPTIONS / 1e6:g} MB"
                raise refused(self.shown, reason, "export one deck of it, and add that", "too_large")

    def _version(self) -> int:
        (version,) = self.connection.execute("SELECT ver FROM col").fetchone() or (0,)
        if not isinstance(version, int) or version > _NEWEST:
            raise refused(self.shown, "was written by a newer Anki than this Lode knows", OLDER_FORMAT, "too_new")
        if version < _OLDEST:
            raise refused(self.shown, "was written by an Anki before 2.1", "open it in a newer Anki once")
        return version


def _copy(path: Path, copy: Path, shown: str) -> None:
    """Copy a collection with its write-ahead log, in which an Anki that is open keeps what is new.

    Where Anki wrote meanwhile the two may not belong together, and are copied once more.
    """
    for _ in range(_ATTEMPTS):
        before = _state(path)
        for ending in ("", "-wal"):
            source, target = (each.with_name(each.name + ending) for each in (path, copy))
            if ending and not source.exists():
                target.unlink(missing_ok=True)
                continue
            if source.stat().st_size > MAX_COLLECTION_SIZE:
                raise refused(shown, f"has more than {MAX_COLLECTION_SIZE / 1e9:g} GB")
            with regular_file.open_file(source) as file, writing(shown), target.open("wb") as written:
                for piece in _read_pieces(file, shown):
                    written.write(piece)
        if _state(path) == before:
            return
    raise refused(shown, "changes all the time", "let Anki finish what it does, and try again", "changing")


def _read_pieces(file: BinaryIO, shown: str) -> Iterator[bytes]:
    try:
        while piece := regular_file.piece_of(file, _PIECE):
            yield piece
    except OSError as error:
        raise refused(shown, f"cannot be read: {error.strerror or error}", "name a file that can be") from error


def _state(path: Path) -> list[tuple[int, int]]:
    """Size and time of change of a collection, and of its log where it has one."""
    log = path.with_name(path.name + "-wal")
    return [(file.stat().st_size, file.stat().st_mtime_ns) for file in (path, log) if file.exists()]


def _opened(path: Path, shown: str) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    try:
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MAX_VALUE)
        connection.text_factory = lambda data: data.decode("utf-8", "replace")
        connection.create_collation("unicase", _unicase)
        # What a file says of itself is not to be believed: no functions in its schema, no cells beyond their pages.
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA cell_size_check = ON")
        found = connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name IN (?, ?, ?) AND sql NOT LIKE '%VIRTUAL%'",
            _TABLES,
        ).fetchall()
        if len(found) < len(_TABLES):
            raise refused(shown, "is an SQLite file, but no Anki collection", "name collection.anki2, or an .apkg")
        connection.execute("PRAGMA query_only = ON")
    except (sqlite3.Error, ImportRefused) as error:
        connection.close()
        if isinstance(error, ImportRefused):
            raise
        raise _explain_failure(error, path, shown) from error
    return connection


def _text(data: bytearray, longest: int) -> str:
    return data.decode("utf-8", "replace")[:longest]


def _unicase(left: str, right: str) -> int:
    """Anki's collation of names, which reading does not order by: SQLite only asks that there is one."""
    left, right = left.casefold(), right.casefold()
    return (left > right) - (left < right)


def _explain_failure(error: sqlite3.Error, copy: Path, shown: str) -> ImportRefused:
    """Make the error of SQLite's about the copy: what it lays beside it to read it, and sorts, needs room."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    beside = code in (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN) and shutil.disk_usage(copy.parent).free < _ROOM
    if code == sqlite3.SQLITE_FULL or beside:
        return no_room(shown)
    return _damaged(shown)


def _damaged(shown: str) -> ImportRefused:
    return refused(shown, "is damaged", "check it in Anki (Tools → Check Database), and export it anew")


# Anki packages (.apkg, .colpkg): the collection in them, unpacked into a file, within bounds.
#
# A package is a ZIP file with one collection under the name of its version (Anki's rslib/src/import_export/package/
# meta.rs): ``collection.anki21b`` (schema 18, packed by zstd), ``collection.anki21`` or ``collection.anki2`` (schema
# 11, as they are). The newer two come with a ``collection.anki2`` that holds one note, which tells an older Anki to be
# updated. Media is not looked at.

_COLLECTIONS = ("collection.anki21b", "collection.anki21", "collection.anki2")
"""Names of the collection in a package, the newest format first."""
_META = "meta"
_NEWEST_META = 3
_BOUNDS = bounds.ANKI_PACKAGE
MAX_COLLECTION_SIZE = bounds.ANKI_COLLECTION.bytes_in
_MAX_WINDOW_SIZE = 27
"""Largest window of zstd as a power of two: 128 MB, the largest that its own program unpacks unasked."""
OLDER_FORMAT = "export it once more with 'Support older Anki versions'"


def unpack_collection(path: Path, target: Path, shown: str, progress: Callable[[float], None]) -> None:
    """Write the collection of a package to ``target``; raises ``ImportRefused`` for a file that is none."""
    with regular_file.open_file(path) as raw:
        file = cast(BinaryIO, io.BufferedReader(cast(io.RawIOBase, raw), _PIECE))
        if lists_more_than(file, _BOUNDS.entries):
            raise refused(shown, f"holds more than {_BOUNDS.entries:,} files", "check that it is a package of Anki's")
        try:
            with zipfile.ZipFile(file) as package:
                _unpack(package, target, shown, progress)
        except ZIP_FAULTS as error:
            raise refused(shown, "is damaged, or its end is missing") from error


def _unpack(package: zipfile.ZipFile, target: Path, shown: str, progress: Callable[[float], None]) -> None:
    names = set(package.namelist())
    name = next((name for name in _COLLECTIONS if name in names), None)
    if name is None or (_META in names and _meta_version(package) > _NEWEST_META):
        if _META in names:
            raise refused(shown, "is a package of a newer Anki than this Lode knows", OLDER_FORMAT, "too_new")
        raise refused(shown, "is an archive without an Anki collection in it", "name an .apkg or a .colpkg")
    entry = package.getinfo(name)
    if entry.flag_bits & IS_ENCRYPTED:
        raise refused(shown, "is encrypted", "unpack it with its password, and name the collection in it")
    if is_packed_otherwise(entry):
        raise refused(shown, "is packed in a way that Anki never does", "export it from Anki once more")
    most = _BOUNDS.most_out(entry.compress_size)
    with package.open(entry) as member, writing(shown), target.open("wb") as file:
        written = 0
        for piece in _unpack_pieces(member, shown, is_zstd=name.endswith("b")):
            written += len(piece)
            if written > most:
                raise refused(shown, "unpacks to hundreds of times its size", "check that it is what you meant")
            file.write(piece)
            progress(min(member.tell() / max(entry.file_size, 1), 1.0))


@contextmanager
def writing(shown: str) -> Iterator[None]:
    """Tell of an ``OSError`` of the block that what is unpacked or copied cannot be written: it is not of the file."""
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            raise no_room(shown) from error
        reason = f"cannot be unpacked: {error.strerror or error}"
        raise refused(shown, reason, "check the disk that the library is on, and try again") from error


def no_room(shown: str) -> ImportRefused:
    """Make the error of a file that is whole, but whose copy does not fit on the disk."""
    return refused(shown, "cannot be unpacked: the disk is full", "make room and try again", "disk_full")


def _unpack_pieces(member: IO[bytes], shown: str, *, is_zstd: bool) -> Iterator[bytes]:
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd

    bounds: dict[int, int] = {zstd.DecompressionParameter.window_log_max: _MAX_WINDOW_SIZE}
    try:
        with zstd.ZstdFile(member, options=bounds) if is_zstd else nullcontext(member) as file:
            while piece := file.read(_PIECE):
                yield piece
    except (*ZIP_FAULTS, zstd.ZstdError, EOFError) as error:
        raise refused(shown, "is damaged, or its end is missing") from error


def _meta_version(package: zipfile.ZipFile) -> int:
    """The version that a package says it is of: field 1 of a message of protocol buffers, a number."""
    if is_packed_otherwise(package.getinfo(_META)):
        return _NEWEST_META + 1
    with package.open(_META) as file:
        data = file.read(16)
    return data[1] if len(data) > 1 and data[0] == 0x08 else 0
