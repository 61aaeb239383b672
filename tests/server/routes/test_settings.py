"""GET and PUT of a profile's settings."""

from __future__ import annotations

import httpx

from tests.server.conftest import assert_refused, of

PATH = "/profiles/settings"
MINE = {"explain_in": "es", "learning": [{"language": "de", "level": "B1"}, {"language": "ja", "level": ""}]}
USUAL = {
    "explain_in": "en",
    "learning": [],
    "known_states": ["known", "ignored"],
    "card_front": "sentence",
    "card_hint": "none",
    "deck_per": "none",
    "note_fields": "",
    "updated_at": None,
    "card_changed_at": None,
}


async def test_they_are_there_before_they_were_saved_and_a_put_replaces_them(client: httpx.AsyncClient) -> None:
    unset = await client.get(PATH)
    assert (unset.status_code, unset.json()) == (200, USUAL)
    saved = await client.put(PATH, json=MINE | {"newer": 1})
    assert saved.status_code == 200
    assert saved.json() == {**USUAL, **MINE, "updated_at": saved.json()["updated_at"]}
    assert (await client.get(PATH)).json() == saved.json()
    assert (await client.get(PATH, headers=of("other"))).json() == unset.json()
    again = await client.put(PATH, json={"explain_in": "fr", "learning": []})
    assert (again.json()["explain_in"], again.json()["learning"]) == ("fr", [])


async def test_a_put_with_a_key_is_done_once(client: httpx.AsyncClient) -> None:
    key = {"Idempotency-Key": "settings-1"}
    first = await client.put(PATH, json=MINE, headers=key)
    await client.put(PATH, json={"explain_in": "fr", "learning": []})
    assert (await client.put(PATH, json=MINE, headers=key)).content == first.content
    assert (await client.get(PATH)).json()["explain_in"] == "fr"
    assert_refused(await client.put(PATH, json=MINE | {"explain_in": "it"}, headers=key), 422, "key_reused")


async def test_what_cannot_be_is_refused_with_its_field(client: httpx.AsyncClient) -> None:
    for body, field in (
        (MINE | {"explain_in": "nowhere"}, "explain_in"),
        (MINE | {"learning": [{"language": "de", "level": "N4"}]}, "learning"),
        (MINE | {"known_states": ["known", "new"]}, "known_states"),
        (MINE | {"card_front": "picture"}, "card_front"),
        (MINE | {"card_hint": ""}, "card_hint"),
    ):
        assert assert_refused(await client.put(PATH, json=body), 422, "invalid_input")["field"] == field
    for missing in ("explain_in", "learning"):
        body = {name: value for name, value in MINE.items() if name != missing}
        assert_refused(await client.put(PATH, json=body), 422, "invalid_input")
    assert_refused(await client.put(PATH, json=MINE | {"learning": [{"level": "B1"}]}), 422, "invalid_input")
    assert_refused(await client.put(PATH, json=MINE | {"explain_in": 1}), 422, "invalid_input")
    assert (await client.get(PATH)).json()["updated_at"] is None


async def test_a_note_type_of_one_s_own_is_compared_with_one_that_there_is_and_no_package_is_made_of_it(
    client: httpx.AsyncClient,
) -> None:
    fields = 'note_type = "Mine"\n[fields]\nWort = "Expression"\nSats = "Sentence"\n'
    assert (await client.put(PATH, json=MINE | {"note_fields": fields})).json()["note_fields"] == fields
    types = {"note_types": [{"name": "Mine", "fields": ["Wort", "Satz"]}]}
    checked = (await client.post("/profiles/note_fields_check", json=types)).json()
    assert checked["unknown"] == [{"name": "Sats", "value": "Sentence", "closest": "Satz"}]
    assert (checked["usable"], checked["empty"]) == (False, ["Satz"])
    refused = await client.get("/profiles/deck_export")
    assert (refused.status_code, refused.json()["error"]["code"]) == (422, "note_type_needed")
    wrong = await client.put(PATH, json=MINE | {"note_fields": "[fields]"})
    assert (wrong.status_code, wrong.json()["error"]["field"]) == (422, "note_fields")
