"""``lode dictionaries``: what words mean, by dictionaries that all profiles of the library share."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

import click

from tui.cli.arguments import PathOnDisk, read_language
from tui.cli.commands.records import finish_jobs, put_all
from tui.cli.context import Context
from tui.cli.lists import Listing, takes_list
from tui.cli.output import console
from tui.cli.output.details import ask_deletion
from tui.cli.output.tables import Column, number_column, short
from tui.cli.root import Group, takes_json
from tui.dictionaries.focus_word import credit, describe_frequency
from tui.errors import NotFound
from tui.records.dictionaries import (
    NOTE,
    OTHER,
    Dictionary,
    DictionaryEntry,
    LookUp,
    OfferedDictionary,
    Sense,
    by_dictionary,
)
from tui.service.protocol import Service
from tui.text.display import count_of, pitch_text, size, source_name
from tui.text.sanitize import one_line

_MAX_OFFERED = 3


def _languages(dictionary: Dictionary) -> str:
    return f"{dictionary.source_language or '?'} → {dictionary.target_language or '?'}"


_COLUMNS: tuple[Column[Dictionary], ...] = (
    Column("id", lambda each: short(each.id), lambda each: each.id),
    Column("title", lambda each: each.title, wide=True),
    Column("languages", _languages),
    number_column("entries", lambda each: each.entry_count),
    Column("format", lambda each: each.format),
    Column("size", lambda each: size(each.size_bytes), lambda each: str(each.size_bytes), right=True),
    Column("licence", lambda each: each.license, wide=True),
)


@click.group(cls=Group)
def dictionaries() -> None:
    """Dictionaries: what words mean, with no model and no network.

    All profiles share them; they are asked in their order. They are in no backup, and no undo brings one back: it can
    be added again from its file.
    """


@dictionaries.command("add")
@click.argument("paths", nargs=-1, required=True, metavar="FILE…", type=PathOnDisk())
@takes_json
def add(context: Context, paths: tuple[str, ...], as_json: bool) -> None:
    """Add dictionaries: Yomitan (.zip), kaikki.org (.jsonl), dictd and FreeDict (.index), CC-CEDICT (.u8).

    What else there is, pyglossary converts; the refusal says how. Another revision of a dictionary takes its place.

    Prints a line for each; --json prints an object for each, as it is done.
    """
    finish_jobs(context, lambda service: service.dictionaries.add(paths), as_json=as_json)


@dictionaries.command("list")
@takes_list(_COLUMNS)
def list_dictionaries(context: Context, how: Listing) -> None:
    """List the dictionaries, in the order in which they are asked."""

    async def listed(service: Service) -> tuple[tuple[Dictionary, ...], tuple[OfferedDictionary, ...]]:
        return (
            await service.dictionaries.all(),
            await service.dictionaries.find_offered() if console.is_terminal() else (),
        )

    found, offered = context.run(listed)
    put_all(_COLUMNS, found, how, none="no dictionaries yet: lode dictionaries add FILE")
    if offered:
        more = f", and {len(offered) - _MAX_OFFERED} more" if len(offered) > _MAX_OFFERED else ""
        paths = " ".join(shlex.quote(each.path) for each in offered[:_MAX_OFFERED])
        console.tell(f"this system has {'another' if found else 'some'}{more}: lode dictionaries add {paths}")


@dictionaries.command("show")
@click.argument("word")
@click.option("--language", metavar="XX", help="The language of the word, as de; else those that the profile learns.")
@click.option(
    "--sentence", default="", metavar="TEXT", help="The sentence that it stands in: it may be a phrase there."
)
@takes_json
def show(context: Context, word: str, language: str | None, sentence: str, as_json: bool) -> None:
    """Show what the dictionaries say of a WORD: whole entries, the likeliest first."""

    tag = read_language(language)

    async def look_up(service: Service) -> tuple[LookUp, list[str]]:
        learning = () if tag else (await service.settings.get()).learning
        found = LookUp(word)
        for each in [tag] if tag else [*(each.language for each in learning), None]:
            found = await service.dictionaries.look_up(word, language=each, sentence=sentence)
            if found.entries:
                break
        jobs = () if found.entries else (await service.jobs.page()).items
        return found, [source_name(job.source) for job in jobs if job.kind == "dictionary" and not job.is_over]

    found, adding = context.run(look_up)
    if as_json:
        console.put_json(found)
    elif found.entries or found.frequencies or found.pronunciations:
        put_look_up(found)
    else:
        hint = "name its language: --language de" if language is None else "add another one: lode dictionaries add"
        if adding:
            hint = f"{one_line(', '.join(adding))} is still being added: look again when it is there (lode jobs list)"
        raise NotFound(f"no dictionary has {one_line(word)[:40]!r}", hint=hint, code="word_not_found")


@dictionaries.command("order")
@click.argument("ids", nargs=-1, required=True, metavar="ID…")
@takes_list(_COLUMNS)
def order(context: Context, ids: tuple[str, ...], how: Listing) -> None:
    """Let these be asked first, in this order; the others follow as before."""
    put_all(_COLUMNS, context.run(lambda service: service.dictionaries.reorder(*ids)), how, none="")


@dictionaries.command("delete")
@click.argument("ids", nargs=-1, required=True, metavar="ID…")
@click.option("--yes", is_flag=True, help="Don't ask (in pipes nothing is asked).")
@takes_json
def delete(context: Context, ids: tuple[str, ...], yes: bool, as_json: bool) -> None:
    """Delete dictionaries, for all profiles and for good."""
    if not yes and console.asks():
        ask_deletion("dictionary", len(ids), " for all profiles; no undo brings it back", plural="dictionaries")
    deleted = context.run(lambda service: service.dictionaries.delete(*ids))
    told = f"deleted {count_of(len(deleted), 'dictionary', 'dictionaries')}"
    console.put_answer(deleted, told, as_json=as_json)
    for dictionary in deleted:
        source = dictionary.file_name or dictionary.url or "its file"
        console.tell(f"{one_line(dictionary.title)} comes back when it is added again: {one_line(source)}")


_MAX_FORMS = 12


def put_look_up(found: LookUp) -> None:
    """Put all entries, each dictionary's title and licence below its own, then how frequent and how spoken they are."""
    for entries in by_dictionary(found.entries):
        for each in entries:
            _put_entry(each.entry, OTHER if found.is_other(each) else "")
        console.put(f"  — {credit((entries[0].dictionary,))}")
        console.put()
    for title, term in found.frequencies:
        console.put(one_line(f"{_named(term.term, term.reading)} · {describe_frequency(title, term)}"))
    for title, spoken in found.pronunciations:
        said = ", ".join((*spoken.pronunciations, *map(pitch_text, spoken.pitch)))
        console.put(one_line(f"{_named(spoken.term, spoken.reading)} · {said} — {title}"))


def _put_entry(entry: DictionaryEntry, remark: str) -> None:
    facts = [", ".join(entry.part_of_speech), ", ".join(entry.pronunciations), *map(pitch_text, entry.pitch)]
    facts += [", ".join(entry.tags), remark]
    _put(" · ".join(filter(None, (_named(entry.term, entry.reading), *facts))), "", "    ")
    several, number = len(entry.meanings) > 1, 0
    for sense in entry.senses:
        is_numbered = several and not sense.is_note
        number += is_numbered
        mark = f"{number:3}. " if is_numbered else "     "
        lines = _lines_of(sense)
        _put(next(lines), mark, "     ")
        for line in lines:
            _put(line, "       ", "       ")
    for name, texts in (("forms", entry.forms), ("see", entry.lemmas), ("compare", entry.related)):
        if texts:
            more = ", …" if len(texts) > _MAX_FORMS else ""
            _put(f"{name}: {', '.join(texts[:_MAX_FORMS])}{more}", "     ", "       ")


def _lines_of(sense: Sense) -> Iterator[str]:
    """Its glosses behind its tags, in as many lines as an explanation has, then its examples."""
    named = [tag for tag in sense.tags if tag != NOTE]
    tags = f"({', '.join(named)}) " if named else ""
    glosses = "; ".join(sense.glosses) if all("\n" not in each for each in sense.glosses) else "\n".join(sense.glosses)
    yield from (tags + glosses).split("\n")
    for example in sense.examples:
        yield f"“{example.text}” {example.translation}".rstrip()


def _put(text: str, first: str, rest: str) -> None:
    """A text in lines that fit the terminal, ``first`` before the first of them; whole in a pipe."""
    from tui.text.wrapping import wrap

    text = one_line(text)
    if not console.is_terminal():
        console.put(first + text)
        return
    for at, (start, end) in enumerate(wrap(text, max(10, console.width() - len(rest)))):
        console.put((rest if at else first) + text[start:end])


def _named(term: str, reading: str) -> str:
    return f"{term} 【{reading}】" if reading and reading != term else term
