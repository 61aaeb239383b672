"""Process that parses files and counts their words, while what it parsed before is written to the library.

Python runs one thread at a time: in a thread, the parsing of a directory of subtitles would hold up the writes and the
keys of the app.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, replace

from tui.errors import LodeError
from tui.importing.encoding.decode import find_text_codec
from tui.importing.parse import ParsedFile, parse
from tui.language.tags import normalise
from tui.records.files import ProfileFile
from tui.store.tables.cue_rows import CueRows
from tui.store.tables.files import count_words
from tui.system.python_process import PythonProcess, serve_requests


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """Options of an import, as far as they were named."""

    language: str | None = None
    encoding: str | None = None
    force: bool = False
    as_is: bool = False

    @classmethod
    def of(cls, options: Mapping[str, object]) -> ImportOptions:
        language, encoding = options.get("language"), options.get("encoding")
        return cls(
            language if isinstance(language, str) and language.strip() else None,
            encoding if isinstance(encoding, str) else None,
            options.get("force") is True,
            options.get("as_is") is True,
        )

    def was_done(self, known: ProfileFile) -> bool:
        """Whether a file that is there was read just so; what is no name of anything is for the reader to refuse."""
        has_language = self.language is None or normalise(self.language) == (known.language or "")
        return has_language and (self.encoding is None or find_text_codec(self.encoding) == (known.encoding or ""))

    def completed(self, encoding: str | None, language: str | None) -> ImportOptions:
        """Fill in what was named when the file was read before, where nothing is named now."""
        named = replace(self, language=self.language or language)
        return named if self.encoding is not None else replace(named, encoding=encoding, force=True)


@dataclass(frozen=True, slots=True)
class ParseRequest:
    """Contents of a file and how they are to be read, as in ``parse``."""

    name: str
    data: bytes
    options: ImportOptions

    def parse(self, report: Callable[[float], None] | None = None) -> ParsedFile:
        """Parse the file here. Blocks; raises ``LodeError`` for what cannot be imported, and what ``report`` raises."""
        return parse(self.name, self.data, **asdict(self.options), report=report)


@dataclass(frozen=True, slots=True)
class CountedFile:
    """A parsed file, its cues as rows, and for each transcript the counts of its words, as ``count_forms`` has them."""

    parsed: ParsedFile
    forms: tuple[tuple[str, ...], ...]


class ParserProcess:
    """A process, from now until it is ended for good; it parses one file at a time."""

    def __init__(self) -> None:
        self._process: PythonProcess | None = None
        with suppress(OSError):  # there is no room for another process
            self._process = PythonProcess(__name__)

    def parse(self, request: ParseRequest) -> CountedFile | None:
        """Parse a file; None where the process cannot: it is dead, or the file has too much to be handed over. Blocks.

        Raises ``LodeError`` as ``parse`` does.
        """
        if self._process is None:
            return None
        try:
            self._process.send(request)
            answer: CountedFile | LodeError | None = self._process.read()
        except OSError:
            return None
        if isinstance(answer, LodeError):
            raise answer
        return answer

    def end(self) -> None:
        """End the process, whatever it is at. Blocks for a moment."""
        if self._process is not None:
            self._process.end()


def _answer(request: ParseRequest) -> CountedFile | LodeError | None:
    try:
        parsed = request.parse()
        if not all(isinstance(part, tuple) for each in parsed.transcripts for part in (each.cues, each.originals)):
            return None  # they are in a temporary file of this process
        forms = tuple(tuple(each.forms) for each in count_words(parsed.transcripts))
        transcripts = tuple(replace(each, cues=CueRows(each.cues)) for each in parsed.transcripts)
        return CountedFile(replace(parsed, transcripts=transcripts), forms)
    except LodeError as error:
        return error
    except Exception:  # noqa: BLE001 - it is raised again, with its place, where the file is parsed instead
        return None


def serve() -> None:
    """Answer the requests on standard input until its end; the work of the process."""
    for request, answer in serve_requests():
        answer(_answer(request))
