"""The sample library: four short stories with times, one each in German, Spanish, Japanese and French.

They were written for Lode, at levels A2 to B1, and none is a translation of another; anyone may use, change and pass
them on for any purpose, without conditions. Each keeps coming back to one word (fahren, decir, pleuvoir, 食べる) in its
different forms, so that the concordance has something to show.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sample:
    """A sample story; ``name`` is the file's name, ``language`` its BCP 47 tag."""

    name: str
    title: str
    language: str


SAMPLES: tuple[Sample, ...] = (
    Sample("Der letzte Zug.de.srt", "Der letzte Zug", "de"),
    Sample("El loro lo dice todo.es.srt", "El loro lo dice todo", "es"),
    Sample("月曜日のカレー.ja.srt", "月曜日のカレー", "ja"),
    Sample("Le parapluie rouge.fr.srt", "Le parapluie rouge", "fr"),
)


def read(sample: Sample) -> bytes:
    """Read the story as it lies in the package: SubRip in UTF-8 with LF."""
    from importlib.resources import files

    return files(__name__).joinpath(sample.name).read_bytes()
