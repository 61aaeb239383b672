"""Record of a deletion; apart from the other records of a library, of which a start needs no more."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Deletion:
    """Records that one deletion took; one undo brings all of them back."""

    count: int
    job_ids: tuple[str, ...] = ()
