"""Kinds of jobs: a row each, and one module of this folder with the class that does the work."""

from dataclasses import dataclass
from importlib import import_module

from tui.errors import InvalidInput, NotFound
from tui.service.jobs.running_job import JobKind, JobParts


@dataclass(frozen=True, slots=True)
class KindRow:
    """A kind of job; ``work`` is the ``module:class`` of its ``JobKind``, imported when it is needed.

    ``title`` is what people start it as, in the palette and by ``lode jobs start``; "" for a kind that other commands
    queue. Jobs of the same ``lane`` run one at a time.
    """

    work: str
    title: str = ""
    lane: str = ""


KINDS: dict[str, KindRow] = {
    "import": KindRow("tui.service.jobs.file_import:FileImport"),
    "clip_media": KindRow("tui.service.jobs.media_jobs:ClipMediaJob"),
    "speech": KindRow("tui.service.jobs.media_jobs:SpeechJob"),
    "dictionary": KindRow("tui.service.jobs.dictionary_import:DictionaryImport"),
    "vocabulary": KindRow("tui.service.jobs.vocabulary_import:VocabularyImport"),
    "correct": KindRow("tui.service.jobs.correction:CorrectionJob", lane="models"),
    "mine": KindRow("tui.service.jobs.mining:MiningJob", lane="models"),
    "translate": KindRow("tui.service.jobs.correction:CorrectionJob", lane="models"),
    "retime": KindRow("tui.service.jobs.retiming:RetimingJob", lane="retime"),
    "transcribe": KindRow("tui.service.jobs.transcription:TranscriptionJob", lane="transcribe"),
}


def startable() -> list[str]:
    """Names of the kinds that people start."""
    return [name for name, row in KINDS.items() if row.title]


def check_startable(kind: str) -> None:
    """Check that this is a kind that people start; else raises ``NotFound``."""
    known = startable()
    if kind not in known:
        raise NotFound(
            f"there is no kind of job {kind[:40]!r} to start",
            hint=f"there are {', '.join(known)}" if known else "files are imported with: lode add PATH",
            code="job_kind_not_found",
        )


def find_lane(kind: str) -> str:
    """The name of the lane in which jobs of a kind run."""
    return KINDS[kind].lane if kind in KINDS else ""


def make_kind(name: str, parts: JobParts) -> JobKind:
    """Make the work of a kind; raises ``InvalidInput`` for what is none: a job of a newer Lode, say."""
    if name not in KINDS:
        raise InvalidInput(f"this Lode knows no jobs of the kind {name[:40]!r}", hint="update Lode")
    module, _, work = KINDS[name].work.partition(":")
    kind: JobKind = getattr(import_module(module), work)(parts)
    return kind
