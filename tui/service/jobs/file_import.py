"""Import job of one file: bytes → text → cues → library."""

import asyncio
import errno
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tui import samples
from tui.errors import ImportRefused, NotFound, unreadable
from tui.importing.archive import MemberReader, list_contents
from tui.importing.archive_member import READ_ENDINGS
from tui.importing.file_name import make_displayable
from tui.importing.parse import MAX_BYTES, ParsedFile, too_large
from tui.importing.series import place_in_series
from tui.media.films import FilmsBeside, make_link
from tui.records.files import NewFile
from tui.records.jobs import JobSource
from tui.records.media import NewLink
from tui.service.incoming import Uploads
from tui.service.jobs.parser_process import ImportOptions, ParseRequest, ParserProcess
from tui.service.jobs.running_job import JobParts, RunningJob
from tui.store import Store
from tui.store.tables.files import ALREADY_THERE, count_words
from tui.store.tables.transcripts import CountedTranscript
from tui.system import regular_file

_MANY, _SMALL = 16, 300_000
"""Number of jobs for which it is worth to start a process, and maximum bytes of a file that it parses: so few need no
progress."""


@dataclass(frozen=True, slots=True)
class _ReadFile:
    """A file that is to be kept."""

    file: NewFile
    data: bytes
    counted: tuple[CountedTranscript, ...]
    film: NewLink | None


class FileImport:
    """Work of the jobs of the kind ``import``."""

    def __init__(self, parts: JobParts) -> None:
        self._database = parts.database
        self._word_forms = parts.word_forms
        self._uploads = Uploads(parts.database.directory)
        self._archives = MemberReader()
        self._films = FilmsBeside()
        self._process: ParserProcess | None = None
        self._parsing = asyncio.Lock()

    async def run(self, running: RunningJob) -> None:
        try:
            read = await self._read(running)
        finally:
            if running.cancel_asked.is_set():
                await self._let_go()
            elif not running.jobs_behind:
                async with self._parsing:  # the file before this one may still be at it
                    await self._let_go()
        if read is not None:
            await self._keep(running, read)
        await self._database.run(lambda store: self._uploads.discard(store, running.source))

    async def _read(self, running: RunningJob) -> _ReadFile | None:
        """Read and parse the file; None where the library has it already, just so, and the job has ended."""
        profile, source = running.profile, running.source
        wanted = ImportOptions.of(running.options)
        await running.report(0.0, "reading")
        if source.kind == "kept":
            name, data = await self._database.run(lambda store: kept_bytes(store, profile, source))
        else:
            name, data = await running.run_detached(
                lambda: read_source(source, self._uploads, self._archives), name="file to import"
            )
        digest = hashlib.sha256(data).hexdigest()
        known = await self._database.run(lambda store: store.files.by_sha256(profile, digest))
        if known is not None:
            if known.transcript_id is not None and source.kind != "kept" and wanted.was_done(known):
                await self._database.run(lambda store: store.blobs.mend(data))
                if (film := await self._film(running)) is not None:
                    link = film
                    await self._database.run(lambda store: store.media.link_file(profile, known.id, link))
                await running.succeed(ALREADY_THERE, file_id=known.id, outcome="same")
                return None
            named = await self._database.run(lambda store: store.files.read_named_options(profile, known.id))
            wanted = wanted.completed(*named)
        await running.report(0.05, "parsing", until=0.3)
        place = place_of(source, running.options)
        parsed, counted = await self._parsed(running, ParseRequest(name, data, wanted), place)
        film = await self._film(running) if parsed.duration_ms is not None else None
        # As it is to be named when the file is read again, both of one that was split.
        named_language = ("+".join(parsed.languages) or parsed.language) if wanted.language else None
        about = (name, parsed.kind, parsed.format, parsed.language, len(data), digest, parsed.duration_ms)
        file = NewFile(*about, parsed.encoding, named_language, parsed.languages, parsed.mending_codec)
        return _ReadFile(file, data, counted, film)

    async def _film(self, running: RunningJob) -> NewLink | None:
        """The film that a subtitle was in, or that lies beside it."""
        named, source = running.options.get("film"), running.source
        if isinstance(named, str):
            return await running.run_detached(lambda: make_link(Path(named)), name="film of a subtitle")
        if source.kind != "path":
            return None
        return await running.run_detached(lambda: self._films.of(source.path), name="film of a subtitle")

    async def _keep(self, running: RunningJob, read: _ReadFile) -> None:
        def keep(store: Store) -> None:
            file, _ = store.files.add(running.profile, read.file, read.counted, running.job.id, read.data)
            if read.film is not None:
                store.media.link_file(running.profile, file.id, read.film)

        await running.keep(keep, size=sum(len(each.contents.cues) for each in read.counted))
        for language in {read.file.language, *(each.contents.language for each in read.counted)}:
            if language:
                self._word_forms.prepare_soon(language)

    async def _parsed(
        self, running: RunningJob, request: ParseRequest, place: str
    ) -> tuple[ParsedFile, tuple[CountedTranscript, ...]]:
        """Parse the file and count its words: in a process beside this one where many small files follow each other."""
        async with self._parsing:
            running.checkpoint(0.0)
            if len(request.data) <= _SMALL and (self._process or running.jobs_behind >= _MANY):
                process = self._process = self._process or ParserProcess()
                running.worked.set()  # the next file is read meanwhile, and waits
                found = await running.run_detached(lambda: process.parse(request), name="parser process")
                if found is not None:
                    transcripts = place_in_series(found.parsed.transcripts, place)
                    return found.parsed, tuple(map(CountedTranscript, transcripts, found.forms))
            # Threads that nothing waits for: some steps take seconds and cannot be ended, those of other libraries say.
            parsed = await running.run_detached(lambda: request.parse(running.checkpoint), name="parsing")
            await running.report(0.3, "storing", until=1.0)
            transcripts = place_in_series(parsed.transcripts, place)
            return parsed, await running.run_detached(
                lambda: count_words(transcripts, running.checkpoint), name="counting words"
            )

    async def _let_go(self) -> None:
        """Close what is held open for the files that follow, and forget what the last one was beside."""
        self._archives.close()
        self._films = FilmsBeside()
        process, self._process = self._process, None
        if process is not None:
            await asyncio.to_thread(process.end)


def read_source(source: JobSource, uploads: Uploads, archives: MemberReader) -> tuple[str, bytes]:
    """The name and the bytes of a job's source; raises ``ImportRefused`` when it cannot be read."""
    if source.kind == "sample":
        return _sample(source.name)
    path = uploads.path(source)
    return make_displayable(path.name), _bytes(path, archives)


def kept_bytes(store: Store, profile: str, source: JobSource) -> tuple[str, bytes]:
    """The name and the bytes of a file that is to be read anew."""
    file, data = store.files.content(profile, source.place)
    return file.name, data


def place_of(source: JobSource, options: Mapping[str, object]) -> str:
    """The path of a job's source as its owner knows it, by which a series is told."""
    match source.kind:
        case "upload":
            named = options.get("path")
            name, _, member = source.name.partition("/")
            return "/".join(filter(None, (named if isinstance(named, str) else name, member)))
        case "kept":
            return source.name
        case "path":
            return source.path.as_posix()
    return ""


def _sample(name: str) -> tuple[str, bytes]:
    for sample in samples.SAMPLES:
        if sample.name == name:
            return name, samples.read(sample)
    raise NotFound(f"there is no sample story {name}", hint="load the samples anew: lode add --samples")


def _bytes(path: Path, archives: MemberReader) -> bytes:
    try:
        if path.name.lower().endswith(READ_ENDINGS) and list_contents(path) is not None:
            raise ImportRefused(f"{make_displayable(path.name)} is an archive", hint="add it again: it can be read now")
        try:
            return regular_file.read(path, MAX_BYTES)
        except (FileNotFoundError, NotADirectoryError):
            return archives.read(path, MAX_BYTES)
    except FileNotFoundError as error:
        raise ImportRefused(
            f"there is no file {make_displayable(str(path))} any more", hint="check the path and add it again"
        ) from error
    except OSError as error:
        if error.errno == errno.EFBIG:
            raise too_large(make_displayable(path.name)) from error
        raise unreadable(make_displayable(str(path)), error) from error
