"""Each client's own habits, in the order in which it asks, and the clips that come of it."""

from __future__ import annotations

import time
from pathlib import Path

from tests.server.inbox.serving import FORM, MP3, PLAIN, PNG, YOMITAN, InboxClient, Json, base64_of, make_note

SENTENCE = "彼は毎日パンを食べる。"
GLOSSARY = (
    '<div style="text-align: left;" class="yomitan-glossary"><style>.x { color: red; } /* <b> */</style>'
    "<ol><li><i>(JMdict)</i><ul><li>to eat</li><li>to live on</li></ul></li></ol></div>"
)
YOMITAN_FIELDS = {
    "Expression": "食べる",
    "ExpressionFurigana": "食[た]べる",
    "ExpressionReading": "たべる",
    "Audio": "[sound:yomitan_audio_たべる.mp3]",
    "MainDefinition": GLOSSARY,
    "Sentence": "彼は毎日パンを<b>食べる</b>。",
    "DocumentTitle": "Folge 3 - Film",
    "URL": "https://example.com/watch?v=1&t=2",
    "Odd <Field>": "a &amp; b\n\t<br>",
}
FILM_SENTENCE = "Der Zug fährt <b>gleich</b> ab."


def is_note_id(number: Json) -> bool:
    """Whether it is a moment of the last minutes in milliseconds, as mpvacious wants it."""
    return type(number) is int and len(str(number)) == 13 and abs(number / 1000 - time.time()) < 120


async def ask_as_yomitan(inbox: InboxClient, action: str, **params: Json) -> Json:
    """Version 2, JSON, from the extension: the result stands bare."""
    return await inbox.call(action, 2, origin=YOMITAN, **params)


async def mine_with_yomitan(inbox: InboxClient) -> int:
    """Add a card with the sound of its word; gives its number."""
    name = await ask_as_yomitan(inbox, "storeMediaFile", filename="yomitan_audio_たべる.mp3", data=base64_of(MP3))
    assert name == "yomitan_audio_たべる.mp3"
    options = {"allowDuplicate": True, "duplicateScope": "collection"}
    note = make_note("Mein Typ", "Mining::Japanese", **YOMITAN_FIELDS, tags=["yomitan", "film"], options=options)
    number = await ask_as_yomitan(inbox, "addNote", note=note)
    assert is_note_id(number)
    return int(number)


async def test_yomitan_adds_what_it_then_finds_as_a_double(inbox: InboxClient) -> None:
    assert await ask_as_yomitan(inbox, "version") == 6
    first = make_note("Mein Typ", "Mining::Japanese", Expression="食べる", options={"allowDuplicate": False})
    assert await ask_as_yomitan(inbox, "canAddNotesWithErrorDetail", notes=[first, first]) == [{"canAdd": True}] * 2
    number = await mine_with_yomitan(inbox)

    detail = await ask_as_yomitan(inbox, "canAddNotesWithErrorDetail", notes=[first, make_note(Expression="飲む")])
    assert detail == [{"canAdd": False, "error": "cannot create note because it is a duplicate"}, {"canAdd": True}]
    actions = [
        {"action": "findNotes", "params": {"query": query}} for query in ('"expression:食べる"', '"expression:無"')
    ]
    assert await ask_as_yomitan(inbox, "multi", actions=actions) == [[number], []]
    about = [
        {"action": "notesInfo", "params": {"notes": [number, 5]}},
        {"action": "cardsInfo", "params": {"cards": [number]}},
        {"action": "apiReflect", "params": {}},
    ]
    (known, unknown), (card,), error = await ask_as_yomitan(inbox, "multi", actions=about)
    assert (unknown, error) == ({}, {"result": None, "error": "unsupported action"})
    assert (known["noteId"], known["modelName"], known["cards"], known["tags"]) == (
        number,
        "Mein Typ",
        [number],
        ["yomitan", "film"],
    )
    assert {name: field["value"] for name, field in known["fields"].items()} == YOMITAN_FIELDS
    assert [field["order"] for field in known["fields"].values()] == list(range(len(YOMITAN_FIELDS)))
    assert (card["cardId"], card["note"], card["flags"], card["queue"]) == (number, number, 0, 0)

    assert await ask_as_yomitan(inbox, "findCards", query=f"nid:{number}") == [number]
    assert await ask_as_yomitan(inbox, "suspend", cards=[number]) is True
    assert await ask_as_yomitan(inbox, "sync") is None
    assert await ask_as_yomitan(inbox, "guiBrowse", query=f"nid:{number}") == [number]
    assert await ask_as_yomitan(inbox, "guiEditNote", note=number) is None
    for action in ("deckNames", "modelNames"):
        names = await ask_as_yomitan(inbox, action)
        assert {"deckNames": "Mining::Japanese", "modelNames": "Mein Typ"}[action] in names
    assert await ask_as_yomitan(inbox, "modelFieldNames", modelName="Mein Typ") == list(YOMITAN_FIELDS)

    clip = await inbox.clip()
    assert (clip.sentence, clip.source, clip.tags) == (SENTENCE, "Folge 3 - Film", ("yomitan", "film"))
    assert clip.audio is None, "the sound of a word is none of its sentence"
    assert clip.focus is not None
    assert (clip.focus.surface, clip.focus.lemma, clip.focus.reading) == ("食べる", "食べる", "たべる")
    assert (clip.focus.meanings, clip.focus.language) == (("to eat", "to live on"), "ja")


async def test_asbplayer_puts_sound_and_picture_on_the_card_that_yomitan_has_made(inbox: InboxClient) -> None:
    number = await mine_with_yomitan(inbox)
    found = await inbox.result("findNotes", content_type=PLAIN, query="added:1")
    assert found == [number]
    last = sorted(found, key=str)[-1]
    names = [
        await inbox.result("storeMediaFile", content_type=PLAIN, filename=name, data=base64_of(content))
        for name, content in (("Film_1.mp3", MP3), ("Film_1.png", PNG))
    ]
    (info,) = await inbox.result("notesInfo", content_type=PLAIN, notes=[last])
    assert "Sentence" in info["fields"]
    fields = {
        "Sentence": "彼は毎日パンを<b>食べる</b>。",
        "Picture": f'<div><img src="{names[1]}"></div>',
        "SentenceAudio": f"<div>[sound:{names[0]}]</div>{info['fields']['Audio']['value']}",
    }
    note = {"id": last, "fields": fields, "tags": ["asbplayer", "yomitan"]}
    assert await inbox.result("updateNoteFields", content_type=PLAIN, note=note) is None
    assert await inbox.result("addTags", content_type=PLAIN, notes=[last], tags="asbplayer  YOMITAN") is None

    clip = await inbox.clip()
    assert await inbox.service.media.audio(clip.id) == MP3
    assert await inbox.service.media.picture(clip.id) == PNG
    assert clip.focus is not None
    assert (clip.sentence, clip.focus.meanings) == (SENTENCE, ("to eat", "to live on"))
    assert (clip.source, clip.tags) == ("Folge 3 - Film", ("yomitan", "film", "asbplayer"))
    (now,) = await inbox.result("notesInfo", notes=[last])
    values = {name: field["value"] for name, field in now["fields"].items()}
    assert values == {**YOMITAN_FIELDS, **fields}
    assert await inbox.result("removeTags", notes=[last], tags="asbplayer film") is None
    assert (await inbox.clip()).tags == ("yomitan",)


async def test_asbplayer_adds_a_card_with_one_sound_and_one_picture(inbox: InboxClient) -> None:
    names = ["Sentence", "Word", "Definition", "Image", "Audio", "Source", "URL"]
    made = await inbox.result("createModel", content_type=PLAIN, modelName="Sentence Card", inOrderFields=names)
    assert [field["name"] for field in made["flds"]] == names
    assert type(await inbox.result("createDeck", content_type=PLAIN, deck="Sentences")) is int
    assert await inbox.result("modelFieldNames", modelName="Sentence Card") == names
    note = make_note(
        "Sentence Card",
        "Sentences",
        Sentence="Der Zug fährt ab.<br>Wirklich?",
        Word="Zug",
        Definition="train<br>draught",
        Source="Film.srt (1m5s250ms)",
        tags=["asbplayer"],
        options={"allowDuplicate": True},
        audio={"filename": "Film_65250.mp3", "data": base64_of(MP3), "fields": ["Audio"]},
        picture={"filename": "Film_65250.png", "data": base64_of(PNG), "fields": ["Image"]},
    )
    number = await inbox.result("addNote", content_type=PLAIN, note=note)
    (info,) = await inbox.result("notesInfo", notes=[number])
    assert list(info["fields"]) == names
    assert info["fields"]["Audio"]["value"] == "[sound:Film_65250.mp3]"
    assert info["fields"]["Image"]["value"] == '<img src="Film_65250.png">'
    assert info["fields"]["URL"] == {"value": "", "order": 6}
    clip = await inbox.clip()
    assert clip.focus is not None
    assert (clip.sentence, clip.focus.surface) == ("Der Zug fährt ab. Wirklich?", "Zug")
    assert clip.focus.meanings == ("train", "draught")
    assert (clip.source, clip.start_ms, clip.tags) == ("Film", 65_250, ("asbplayer",))
    assert (await inbox.service.media.audio(clip.id), await inbox.service.media.picture(clip.id)) == (MP3, PNG)
    await inbox.result("addNote", note=make_note("Sentence Card", "Film::German", Sentence="Ja."))
    (wordless,) = [each for each in (await inbox.service.clips.page()).items if each.sentence == "Ja."]
    assert (wordless.focus, wordless.language) == (None, "de"), "the deck says it"
    told = (
        "The meaning of this word is a train, and it is what you would say when you are at the station in the morning."
    )
    await inbox.result("addNote", note=make_note("Lode", "Mining", Sentence="昨日は電車で行きました。", Glossary=told))
    assert [each.language for each in (await inbox.service.clips.page(q="昨日")).items] == ["ja"], (
        "its sentence says it"
    )
    escaped = r"Der Zug fährt ab.<br>Wirklich?".replace(":", r"\:")
    assert await inbox.result("findNotes", query=f'"Sentence:{escaped}"') == [number]


async def test_mpvacious_names_files_that_its_encoder_writes_afterwards(inbox: InboxClient) -> None:
    folder = Path(await inbox.result("getMediaDirPath", content_type=FORM))
    assert folder.is_dir()
    assert await inbox.call("changeDeck", content_type=FORM, cards=[], deck="Bank::subs2srs") == {
        "result": None,
        "error": None,
    }
    body = {"action": "findModelsByName", "version": 6, "params": {"modelNames": ["Lode"]}}
    (found,) = (await inbox.post(body, content_type=FORM)).json()["result"]
    assert [field["ord"] for field in found["flds"]] == list(range(len(found["flds"])))
    note = make_note(
        "Japanese sentences",
        "Bank::subs2srs",
        SentKanji="Der Zug fährt ab.",
        SentEng="The train leaves.",
        SentAudio="[sound:Film_0001.ogg]",
        Image='<img alt="snapshot" src="Film_0001.webp">',
        Notes="Film EP01 (0h12m03s456ms)",
        options={"allowDuplicate": True, "duplicateScope": "deck"},
    )
    note["tags"] = {}
    number = await inbox.result("addNote", content_type=FORM, note=note)
    assert is_note_id(number)
    assert await inbox.result("guiBrowse", content_type=FORM, query=f"nid:{number}") == [number]
    empty: tuple[Json, ...] = ([], {})
    for params in empty:  # as Lua writes an empty table
        answer = await inbox.post({"action": "guiSelectedNotes", "version": 6, "params": params}, content_type=FORM)
        assert answer.json() == {"result": [], "error": None}
    assert (await inbox.clip()).audio is None

    (folder / "Film_0001.ogg").write_bytes(b"OggS" + bytes(60))
    (folder / "Film_0001.webp").write_bytes(b"RIFF\0\0\0\0WEBP" + bytes(60))
    clip = await inbox.clip_that(lambda clip: clip.audio and clip.picture)
    assert (clip.sentence, clip.translation) == ("Der Zug fährt ab.", "The train leaves.")
    assert (clip.source, clip.start_ms) == ("Film EP01", 723_456)
    assert await inbox.service.media.audio(clip.id) == b"OggS" + bytes(60)


async def test_game_sentence_miner_looks_for_new_cards_and_completes_them(inbox: InboxClient) -> None:
    assert await inbox.result("findNotes", query="added:1") == []
    number = await mine_with_yomitan(inbox)
    assert (await inbox.result("findNotes", query="added:1"))[-1] == number
    (info,) = await inbox.result("notesInfo", notes=[number])
    assert info["fields"]["Sentence"]["value"] == YOMITAN_FIELDS["Sentence"]
    names = [
        await inbox.result("storeMediaFile", filename=path, data=base64_of(content))
        for path, content in ((r"C:\Users\me\AppData\Local\Temp\Spiel_1.png", PNG), ("/tmp/gsm/Spiel_1.opus", MP3))
    ]
    assert names == ["Spiel_1.png", "Spiel_1.opus"]
    assert await inbox.result("guiSelectedNotes") == []
    fields = {"SentenceAudio": f"[sound:{names[1]}]", "Picture": f'<img src="{names[0]}">', "MiscInfo": "Spiel"}
    assert await inbox.result("updateNoteFields", note={"id": number, "fields": fields}) is None
    assert await inbox.result("addTags", notes=[number], tags="GSM Spiel") is None
    clip = await inbox.clip()
    assert (await inbox.service.media.audio(clip.id), await inbox.service.media.picture(clip.id)) == (MP3, PNG)
    assert clip.tags == ("yomitan", "film", "GSM", "Spiel")
    assert clip.focus is not None and clip.focus.meanings == ("to eat", "to live on")
    again = await inbox.result("storeMediaFile", filename="/tmp/gsm/Spiel_1.png", data=base64_of(PNG + b"other"))
    assert again != "Spiel_1.png" and again.startswith("Spiel_1-") and again.endswith(".png")


async def test_vocabsieve_sends_forms_and_whole_paths(inbox: InboxClient, tmp_path: Path) -> None:
    sound = tmp_path / "Zug (1).mp3"
    sound.write_bytes(MP3)
    answer = await inbox.call("version", content_type=FORM)
    assert answer == {"result": 6, "error": None}
    note = make_note(
        "vocabsieve-notes",
        "Default",
        Sentence="Der __Zug__ fährt ab.".replace("__Zug__", "<strong>Zug</strong>"),
        Word="Zug",
        Definition="train",
        tags=["vocabsieve", "1 b"],
        audio={"path": str(sound), "filename": sound.name, "fields": ["Pronunciation"]},
    )
    note["fields"]["Pronunciation"] = ""
    number = await inbox.result("addNote", content_type=FORM, note=note)
    (info,) = await inbox.result("notesInfo", notes=[number])
    assert info["fields"]["Pronunciation"]["value"] == "[sound:Zug (1).mp3]"
    clip = await inbox.clip()
    assert (clip.sentence, clip.tags) == ("Der Zug fährt ab.", ("vocabsieve", "1", "b"))
    assert clip.focus is not None and (clip.focus.surface, clip.focus.meanings) == ("Zug", ("train",))
    assert await inbox.result("findNotes", content_type=FORM, query="added:1 tag:vocabsieve") == [number]


async def test_jl_refuses_doubles_by_itself(inbox: InboxClient) -> None:
    note = make_note(
        "JL",
        "Mining",
        Word="食べる",
        Sentence=SENTENCE,
        tags=["JL"],
        options={"allowDuplicate": False},
        audio=[{"data": base64_of(MP3), "filename": "JL_audio.mp3", "skipHash": "7e2c2f95", "fields": ["Audio"]}],
    )
    note["fields"]["Audio"] = ""
    assert await inbox.result("canAddNotes", notes=[note, note]) == [True, True]
    assert is_note_id(await inbox.result("addNote", note=note))
    assert await inbox.result("canAddNotes", notes=[note, make_note(Word="飲む")]) == [False, True]
    elsewhere = {**note, "fields": {**note["fields"], "Sentence": "もう食べる。"}}
    answer = await inbox.call("addNote", note=elsewhere)
    assert answer == {"result": None, "error": "cannot create note because it is a duplicate"}
    assert await inbox.service.media.audio((await inbox.clip()).id) == MP3


async def test_lute_asks_for_several_without_versions(inbox: InboxClient) -> None:
    outer = {"action": "multi", "params": {"actions": []}}
    outer["params"] = {
        "actions": [
            {"action": "storeMediaFile", "params": {"filename": "Zug.png", "data": base64_of(PNG)}},
            {
                "action": "addNote",
                "params": {"note": make_note("Lute", Word="Zug", Sentence="Ein Zug.", Picture='<img src="Zug.png">')},
            },
        ]
    }
    name, number = (await inbox.post(outer)).json()
    assert name == "Zug.png" and is_note_id(number)
    with_version = {**outer, "version": 6, "params": {"actions": [{"action": "deckNames"}, {"action": "version"}]}}
    answer = (await inbox.post(with_version)).json()
    assert (answer["error"], answer["result"][1]) == (None, 6) and "Lode" in answer["result"][0]
    assert await inbox.service.media.picture((await inbox.clip()).id) == PNG


async def test_a_double_joins_its_clip_and_its_client_gets_a_new_number(inbox: InboxClient) -> None:
    first = await inbox.result("addNote", note=make_note(Expression="Zug", Sentence="Der <b>Zug</b> fährt ab."))
    note = make_note(Expression="Zug", Sentence="der zug fährt ab!", Translation="The train leaves.", tags=["b"])
    second = await inbox.result("addNote", note=note)
    third = await inbox.result("addNote", note=make_note(Expression="abfahren", Sentence="Der Zug fährt ab."))
    assert first < second < third and all(map(is_note_id, (first, second, third)))
    clip, other = await inbox.clips()
    assert (clip.sentence, clip.translation, clip.tags) == ("Der Zug fährt ab.", "The train leaves.", ("b",))
    assert other.focus is not None and other.focus.lemma == "abfahren"
    values = [info["fields"]["Sentence"]["value"] for info in await inbox.result("notesInfo", notes=[first, second])]
    assert values == ["Der <b>Zug</b> fährt ab.", "der zug fährt ab!"]
    assert await inbox.result("findNotes", query=f"nid:{first},{second} OR nid:{third}") == [first, second, third]


async def test_koreader_asks_over_the_network_with_a_key(inbox: InboxClient) -> None:
    permission = await inbox.result("requestPermission")
    assert permission == {"permission": "granted", "requireApikey": False, "version": 6}
    mistaken = await inbox.call("addNote", note="1700000000000")  # its way to delete
    assert mistaken["result"] is None and mistaken["error"]
