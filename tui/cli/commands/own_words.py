"""``lode words own``: what you write of words yourself; list, set, delete."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from tui.cli.arguments import WrongUsage, read_language
from tui.cli.commands.records import put_all
from tui.cli.context import Context
from tui.cli.lists import Listing, takes_list
from tui.cli.output import console
from tui.cli.output.tables import Column
from tui.cli.root import Group, takes_json
from tui.records.own_words import OwnWord
from tui.service.protocol import Service
from tui.text.display import read_phrase, written_phrases

_COLUMNS: tuple[Column[OwnWord], ...] = (
    Column("word", lambda word: word.lemma),
    Column("language", lambda word: word.language),
    Column("meaning", lambda word: word.meaning, wide=True),
    Column("phrases", lambda word: written_phrases(word.phrases), wide=True),
    Column("note", lambda word: word.note, wide=True),
)
_language = click.option("--language", required=True, metavar="XX", help="The word's language, as a code such as de.")


@click.group(cls=Group)
def own() -> None:
    """Your own words: meanings, notes and phrases, which come before what dictionaries say."""


@own.command("list")
@click.option("--language", metavar="XX", help="Only those of this language.")
@takes_list(_COLUMNS)
def list_own(context: Context, language: str | None, how: Listing) -> None:
    """List the meanings, notes and phrases that you have written."""
    tag = read_language(language)
    found = context.run(lambda service: service.own_words.all(language=tag))
    put_all(_COLUMNS, found, how, none="no words of your own")


@own.command("set")
@click.argument("word")
@_language
@click.option("--meaning", metavar="TEXT", help="What it means.")
@click.option("--note", metavar="TEXT", help="What you want to remember of it.")
@click.option("--phrase", "phrases", multiple=True, metavar="TEXT[=MEANING]", help="A phrase with it; may be repeated.")
@takes_json
def set_own(
    context: Context, /, word: str, language: str, phrases: tuple[str, ...], as_json: bool, **texts: str | None
) -> None:
    """Write of WORD, in its dictionary form; what is not given stays as it was, "" takes it away."""
    given: dict[str, Any] = {name: text for name, text in texts.items() if text is not None}
    if phrases:
        given["phrases"] = tuple(each for each in map(read_phrase, phrases) if each.text)
    if not given:
        raise WrongUsage("there is nothing to set", hint="give --meaning, --note or --phrase")
    tag = read_language(language) or ""

    async def work(service: Service) -> OwnWord | None:
        before = await service.own_words.get(tag, word) or OwnWord(tag, word)
        after = replace(before, **given)
        if not after.says_something and before.says_something:
            await service.own_words.delete(tag, word)
            return None
        return await service.own_words.save(after)

    def put(saved: OwnWord | None) -> None:
        put_all(_COLUMNS, (saved,) if saved else (), Listing(), none="nothing is written of it any more")

    console.put_record(context.run(work), put, as_json=as_json)


@own.command("delete")
@click.argument("words", nargs=-1, required=True, metavar="WORD…")
@_language
@click.pass_obj
def delete_own(context: Context, words: tuple[str, ...], language: str) -> None:
    """Delete what you have written of words; undo brings it back, one by one."""
    tag = read_language(language) or ""

    async def work(service: Service) -> int:
        return sum([(await service.own_words.delete(tag, word)).count for word in words])

    count = context.run(work)
    console.put(f"deleted {count} of {len(words)}")
    console.tell("lode undo brings back what was deleted")
