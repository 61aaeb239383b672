"""Lode, a terminal workbench for language learners."""

__version__ = "0.1.0"
