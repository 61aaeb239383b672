"""What a deletion took: in a file of its own, since a start needs nothing else of ``library``."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Deletion:
    """Records that one deletion took; one undo brings all of them back."""

    count: int
    job_ids: tuple[str, ...] = ()
