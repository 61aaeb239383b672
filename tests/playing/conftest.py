"""What tests of playing share: a PATH with nothing on it."""

from tests.playing.programs import programs

__all__ = ["programs"]
