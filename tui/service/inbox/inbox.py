"""Inbox of a profile: what AnkiConnect's clients ask of it, action by action, and the clips that come of it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, TypeAlias

from tui.deck.note_type import NAME
from tui.errors import InvalidInput, NotFound
from tui.inbox.fields import make_clip, read_source, read_word
from tui.inbox.languages import find_language
from tui.inbox.media import make_file_name, name_in_field
from tui.inbox.note_search import SearchedNote, parse_search
from tui.inbox.note_types import DECK
from tui.inbox.notes import SentMedia, SentNote, read_media, read_name, read_note, read_tags
from tui.inbox.wire import VERSION, InboxRequest, make_unsupported, read_list, read_numbers
from tui.records.inbox import InboxNote
from tui.service.clips import check_clip
from tui.service.inbox.duplicates import DUPLICATE, EMPTY
from tui.service.inbox.note_fields import (
    change_clip,
    describe_card,
    describe_note,
    fields_of,
    merge_fields,
    put_in_order,
)
from tui.text.clip_fields import with_tags
from tui.text.sanitize import is_blank

if TYPE_CHECKING:
    from tui.records.clips import NewClip
    from tui.service.clips import LocalClips
    from tui.service.inbox.caller import Caller
    from tui.service.inbox.duplicates import Doubles
    from tui.service.inbox.filling import NoteFilling
    from tui.service.inbox.names import InboxNames
    from tui.service.library import Library
    from tui.store import Store
    from tui.store.tables.inbox import KeptNote

_DAY_BEGINS = timedelta(hours=4)
"""Anki's day begins at four: what is mined at one in the night belongs to the evening before."""
Params: TypeAlias = Mapping[str, Any]


class LocalInbox:
    """The inbox of a profile of this library; ``filling`` does what takes longer than a client waits."""

    def __init__(
        self, library: Library, clips: LocalClips, names: InboxNames, doubles: Doubles, filling: NoteFilling
    ) -> None:
        self._library = library
        self._profile = library.profile
        self._clips = clips
        self._names = names
        self._doubles = doubles
        self.filling = filling
        self.needs_key = False
        """Whether clients are told that they have to send a key."""
        self.actions: Mapping[str, Callable[[Params, Caller], Awaitable[object]]] = {
            "version": self._tell_version,
            "requestPermission": self._permit,
            "deckNames": self._list_decks,
            "modelNames": self._list_note_types,
            "modelFieldNames": self._list_fields,
            "findModelsByName": lambda params, caller: self._names.describe_note_types(params),
            "createDeck": self._create_deck,
            "createModel": lambda params, caller: self._names.make_note_type(params),
            "changeDeck": self._change_deck,
            "storeMediaFile": self._store_media,
            "getMediaDirPath": self._tell_folder,
            "addNote": self._add_note,
            "guiAddCards": self._add_note,
            "addNotes": self._add_notes,
            "canAddNotes": self._can_add_notes,
            "canAddNotesWithErrorDetail": self._can_add_with_detail,
            "findNotes": self._find_notes,
            "findCards": self._find_notes,
            "guiBrowse": self._find_notes,
            "notesInfo": self._describe_notes,
            "cardsInfo": self._describe_cards,
            "updateNoteFields": self._update_fields,
            "addTags": self._add_tags,
            "removeTags": self._remove_tags,
            "deleteNotes": self._delete_notes,
            "guiSelectedNotes": self._give_none,
            "guiEditNote": self._do_nothing,
            "suspend": self._agree,
            "answerCards": self._agree_to_each,
            "sync": self._sync,
        }

    def begin(self) -> None:
        """Begin to do what is still to be done for notes, those of an earlier run too."""
        self.filling.begin()

    async def close(self) -> None:
        """Break off what is being done; it waits for the next run."""
        await self.filling.close()

    async def answer(self, request: InboxRequest, caller: Caller) -> object:
        """Do what an action says; gives its result. Raises ``LodeError``, also for an action that there is not."""
        if (act := self.actions.get(request.action)) is None:
            raise make_unsupported()
        return await act(request.params, caller)

    # What there is

    async def _tell_version(self, params: Params, caller: Caller) -> object:
        return VERSION

    async def _permit(self, params: Params, caller: Caller) -> object:
        return {"permission": "granted", "requireApikey": self.needs_key, "version": VERSION}

    async def _list_decks(self, params: Params, caller: Caller) -> object:
        return await self._names.list_decks()

    async def _list_note_types(self, params: Params, caller: Caller) -> object:
        return list(await self._names.list_note_types())

    async def _list_fields(self, params: Params, caller: Caller) -> object:
        return await self._names.fields_of(read_name(params.get("modelName")))

    async def _create_deck(self, params: Params, caller: Caller) -> object:
        return await self._names.make_deck(read_name(params.get("deck")))

    async def _change_deck(self, params: Params, caller: Caller) -> object:
        deck, ids = read_name(params.get("deck")) or DECK, read_numbers(params, "cards")
        await self._names.make_deck(deck)
        await self._library.run(lambda store: store.inbox.change_deck(ids, deck))
        return None

    # Media

    async def _store_media(self, params: Params, caller: Caller) -> object:
        sent = read_media(params, "audio")
        content = await self._content_of(sent, caller)
        if content is None:
            from tui.service.inbox.fetching import fetch_media

            content = await fetch_media(sent.url)
        return await self._put_media(sent, content)

    async def _put_media(self, sent: SentMedia, content: bytes) -> str:
        name = _name_of(sent)
        return await self._library.run(lambda store: store.inbox.put_media(self._profile, name, content))

    async def _content_of(self, sent: SentMedia, caller: Caller) -> bytes | None:
        """The bytes of a sound or picture, None of one at an address: that is fetched once its note is kept."""
        return await caller.read(sent.path) if sent.content is None and sent.path else sent.content

    async def _tell_folder(self, params: Params, caller: Caller) -> object:
        if caller.is_page:
            raise InvalidInput("a page is told no folder of this machine")
        folder = self.filling.folder
        await asyncio.to_thread(folder.mkdir, parents=True, exist_ok=True)
        return str(folder)

    # Adding

    async def _add_note(self, params: Params, caller: Caller) -> object:
        known, learned = await self._names.list_note_types(), await self._list_learned()

        def read() -> tuple[SentNote, dict[str, str], str | None, NewClip]:
            note = read_note(params.get("note"))
            fields = put_in_order(note.fields, known.get(note.note_type, ()))
            said = make_clip(fields).clip  # its meanings are in another language
            text = f"{said.sentence} {read_word(fields)}"
            language = find_language(note.deck, read_source(fields)[0], text, learned)
            return note, fields, language, make_clip(fields, note.tags, language).clip

        note, fields, language, draft = await asyncio.to_thread(read)  # which may be megabytes
        if is_blank(draft.sentence):
            raise InvalidInput(EMPTY)
        check_clip(draft)
        if await self._doubles.is_duplicate(note, fields, draft, language):
            raise InvalidInput(DUPLICATE)
        contents = [await self._content_of(each, caller) for each in note.media]
        sent = [
            (_name_of(each), content) for each, content in zip(note.media, contents, strict=True) if content is not None
        ]

        def make(names: Sequence[str]) -> tuple[InboxNote, NewClip, str, str]:
            left = iter(names)
            named = [
                _name_of(each) if content is None else next(left)
                for each, content in zip(note.media, contents, strict=True)
            ]
            made, addresses = _with_media(fields, note.media, named, contents)
            found = make_clip(made, note.tags, language)
            kept = InboxNote(0, "", note.deck or DECK, note.note_type or NAME, made, addresses, "new")
            return kept, found.clip, found.audio, found.picture

        def add(store: Store) -> KeptNote:
            kept = store.inbox.add(self._profile, sent, make, language)
            if len(fields) > len(known.get(note.note_type, ())):
                store.inbox.add_name(self._profile, "note_type", kept.note.note_type, tuple(fields))
            if kept.note.deck not in (DECK, *store.inbox.names(self._profile, "deck")):
                store.inbox.add_name(self._profile, "deck", kept.note.deck)
            return kept

        kept = await self._library.run(add)
        self.filling.look()
        return kept.note.id

    async def _list_learned(self) -> list[str]:
        return [each.language for each in (await self._library.settings()).learning]

    async def _add_notes(self, params: Params, caller: Caller) -> object:
        added: list[object] = []
        for note in read_list(params, "notes"):
            try:
                added.append(await self._add_note({"note": note}, caller))
            except InvalidInput:
                added.append(None)
        return added

    async def _find_reasons(self, params: Params) -> list[str]:
        known, learned = await self._names.list_note_types(), await self._list_learned()
        return await self._doubles.find_reasons(read_list(params, "notes"), known, learned)

    async def _can_add_notes(self, params: Params, caller: Caller) -> object:
        return [not reason for reason in await self._find_reasons(params)]

    async def _can_add_with_detail(self, params: Params, caller: Caller) -> object:
        reasons = await self._find_reasons(params)
        return [{"canAdd": False, "error": reason} if reason else {"canAdd": True} for reason in reasons]

    # Finding

    async def _find_notes(self, params: Params, caller: Caller) -> object:
        query = params.get("query")
        return sorted(await self._search(query if isinstance(query, str) else ""))

    async def _search(self, query: str) -> dict[int, KeptNote]:
        search = parse_search(query)
        today = (datetime.now() - _DAY_BEGINS).date()
        ids, words, days = search.ids, search.words, search.days

        def find(store: Store) -> dict[int, KeptNote]:
            if ids is not None:
                return store.inbox.notes(self._profile, list(ids))
            if days is None and words is not None:
                clips = store.inbox.clips_of_words(self._profile, words)
                numbers = store.inbox.number_clips(clips, DECK, NAME)
                return store.inbox.notes(self._profile, list(numbers.values()))
            if days is None:
                return store.inbox.list_arrived(self._profile)
            begin = datetime.combine(today - timedelta(days=max(0, min(days, 100_000) - 1)), datetime.min.time())
            return store.inbox.list_arrived(self._profile, int((begin + _DAY_BEGINS).timestamp() * 1000))

        def is_found(kept: KeptNote) -> bool:
            days = (today - (datetime.fromtimestamp(kept.note.id / 1000) - _DAY_BEGINS).date()).days
            about = (kept.note.id, kept.note.deck, kept.note.note_type, kept.clip.tags, fields_of(kept))
            return search.matches(SearchedNote(*about, days))

        found = await self._library.run(find)
        return await asyncio.to_thread(lambda: {number: kept for number, kept in found.items() if is_found(kept)})

    async def _find(self, ids: Sequence[int]) -> dict[int, KeptNote]:
        return await self._library.run(lambda store: store.inbox.notes(self._profile, ids))

    async def _describe_notes(self, params: Params, caller: Caller) -> object:
        query = params.get("query")
        ids = sorted(await self._search(query)) if isinstance(query, str) else read_numbers(params, "notes")
        kept, known = await self._find(ids), await self._names.list_note_types()
        return [
            describe_note(kept[each], known.get(kept[each].note.note_type, ())) if each in kept else {} for each in ids
        ]

    async def _describe_cards(self, params: Params, caller: Caller) -> object:
        ids = read_numbers(params, "cards")
        kept, known = await self._find(ids), await self._names.list_note_types()
        return [
            describe_card(kept[each], known.get(kept[each].note.note_type, ())) if each in kept else {} for each in ids
        ]

    # Changing

    async def _update_fields(self, params: Params, caller: Caller) -> object:
        sent = params.get("note")
        note = read_note(sent)
        ids = read_numbers({"ids": [sent["id"]]}, "ids") if isinstance(sent, Mapping) and "id" in sent else []
        if not await self._find(ids):
            raise NotFound(f"note was not found: {ids[0] if ids else ''}")
        contents = [await self._content_of(each, caller) for each in note.media]
        named = [
            _name_of(each) if content is None else await self._put_media(each, content)
            for each, content in zip(note.media, contents, strict=True)
        ]

        def change(kept: KeptNote) -> tuple[InboxNote, NewClip, str, str]:
            old = fields_of(kept)
            changed, more = _with_media(merge_fields(old, note.fields), note.media, named, contents)
            before, after = make_clip(old, (), kept.clip.language), make_clip(changed, (), kept.clip.language)
            clip = change_clip(kept.clip.contents(), before.clip, after.clip)
            check_clip(clip)
            now = replace(kept.note, fields=changed, addresses={**kept.note.addresses, **more}, state="new")
            audio = after.audio if after.audio != before.audio else ""
            return now, clip, audio, after.picture if after.picture != before.picture else ""

        await self._library.run(lambda store: store.inbox.update(self._profile, ids, change))
        self.filling.look()
        return None

    async def _add_tags(self, params: Params, caller: Caller) -> object:
        await self._tag(params, add=read_tags(params.get("tags")))
        return None

    async def _remove_tags(self, params: Params, caller: Caller) -> object:
        await self._tag(params, remove=read_tags(params.get("tags")))
        return None

    async def _tag(self, params: Params, *, add: Sequence[str] = (), remove: Sequence[str] = ()) -> None:
        def change(kept: KeptNote) -> tuple[InboxNote, NewClip, str, str]:
            clip = kept.clip.contents()
            clip = replace(clip, tags=with_tags(clip.tags, add, remove))
            check_clip(clip)
            return kept.note, clip, "", ""

        ids = read_numbers(params, "notes")
        await self._library.run(lambda store: store.inbox.update(self._profile, ids, change))

    async def _delete_notes(self, params: Params, caller: Caller) -> object:
        ids = {kept.clip.id for kept in (await self._find(read_numbers(params, "notes"))).values()}
        if ids:
            await self._clips.delete(*ids)
        return None

    # What Lode has nothing of: windows, reviews, a server to synchronise with

    async def _give_none(self, params: Params, caller: Caller) -> object:
        return []

    async def _do_nothing(self, params: Params, caller: Caller) -> object:
        return None

    async def _agree(self, params: Params, caller: Caller) -> object:
        return True

    async def _agree_to_each(self, params: Params, caller: Caller) -> object:
        return [True] * len(read_list(params, "answers"))

    async def _sync(self, params: Params, caller: Caller) -> object:
        self.filling.forward_soon()
        return None


def _name_of(sent: SentMedia) -> str:
    """The name of a sound or picture: its own, else what its path or address ends in."""
    return sent.name or make_file_name(sent.path) or make_file_name(sent.url.partition("?")[0]) or "media"


def _with_media(
    fields: Mapping[str, str], media: Sequence[SentMedia], names: Sequence[str], contents: Sequence[bytes | None]
) -> tuple[dict[str, str], dict[str, str]]:
    """The fields with the media that came beside them, and the addresses of those that are still to be fetched."""
    made, addresses = dict(fields), dict[str, str]()
    for each, name, content in zip(media, names, contents, strict=True):
        for field in each.fields:
            place = next((known for known in made if known.casefold() == field.casefold()), None)
            if place is not None:
                made[place] += name_in_field(name, each.kind)
        if content is None:
            addresses[name] = each.url
    return made, addresses
