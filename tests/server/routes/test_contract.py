"""Each row of the interface as it was given, and each of the decisions on what it leaves open."""

from __future__ import annotations

import httpx
import pytest

from tests.llm.fakes.fake_server import FakeModelServer
from tests.server.conftest import SENTENCE, assert_refused, clip, of, uploaded
from tui import __version__

FILE_FIELDS = {"id", "name", "kind", "format", "language", "size_bytes", "sha256", "duration_ms", "created_at"}
TRANSCRIPT_FIELDS = {"id", "file_id", "title", "language", "origin", "cue_count", "duration_ms", "created_at"}
SPOKEN = {"index": 0, "start_ms": 1000, "end_ms": 2500, "text": "Der Zug fährt ab.", "speaker": None}
CLIP_FIELDS = {
    *("id", "transcript_id", "file_id", "cue_index", "start_ms", "end_ms", "sentence", "context", "translation"),
    *("focus", "explanation", "model", "tags", "note", "source", "language", "sentence_reading", "created_at"),
    *("updated_at", "exported", "audio", "picture", "voice"),
}
TEMPLATE = {"model": "work:m", "prompt": "{{ focus }} in {{ sentence }}", "sys_msg": "teach"}


async def test_files_and_transcripts_are_bare_arrays_and_a_file_takes_its_jobs_along(client: httpx.AsyncClient) -> None:
    empty = await client.get("/profiles/files")
    assert (empty.status_code, empty.headers["content-type"], empty.json()) == (200, "application/json", [])
    file = await uploaded(client)
    (listed,) = (await client.get("/profiles/files")).json()
    assert listed == file
    assert listed.keys() >= FILE_FIELDS
    facts = {"name": "story.de.srt", "kind": "subtitle", "format": "srt", "language": "de"}
    assert listed.items() >= facts.items()
    (job,) = (await client.get("/profiles/jobs")).json()
    kept = await client.post("/profiles/clips", json={"sentence": SENTENCE, "file_id": file["id"]})
    assert kept.json()["file_id"] == file["id"]
    deleted = await client.delete(f"/profiles/files/{file['id']}")
    assert (deleted.status_code, deleted.json()) == (200, {"deleted_job_ids": [job["id"]]})
    assert (await client.get("/profiles/jobs")).json() == []
    assert len((await client.get("/profiles/clips")).json()) == 1

    (transcript,) = (await client.get("/profiles/transcripts")).json()
    assert set(transcript) >= TRANSCRIPT_FIELDS
    assert transcript.items() >= {"origin": "import", "cue_count": 2, "duration_ms": 4000, "file_id": None}.items()
    cues = (await client.get(f"/profiles/transcripts/{transcript['id']}/cues")).json()
    assert cues[0] == SPOKEN | {"ruby": [], "sounds": [], "words": [], "doubt": None}
    assert cues[1].keys() == cues[0].keys()
    deleted = await client.delete(f"/profiles/transcripts/{transcript['id']}")
    assert (deleted.status_code, deleted.content) == (204, b"")
    assert (await client.get("/profiles/transcripts")).json() == []


async def test_a_clip_is_added_edited_and_deleted_and_undo_says_what_comes_back(client: httpx.AsyncClient) -> None:
    focus = {"surface": "fährt", "meanings": ["to leave", "to go"], "origin": "llm", "newer": True}
    contents = {"sentence": SENTENCE, "focus": focus, "tags": ["travel"], "start_ms": 1000, "of_a_newer_client": 1}
    answer = await client.post("/profiles/clips", json=contents)
    made = answer.json()
    assert (answer.status_code, set(made)) == (201, CLIP_FIELDS)
    assert (made["focus"]["meanings"], made["focus"]["lemma"]) == (["to leave", "to go"], None)
    assert (await client.get(f"/profiles/clips/{made['id']}")).json() == made
    edited = await client.put(f"/profiles/clips/{made['id']}", json=contents | {"note": "!"})
    assert edited.status_code == 200
    assert edited.json() == made | {"note": "!", "updated_at": edited.json()["updated_at"]}
    deleted = await client.delete(f"/profiles/clips/{made['id']}")
    assert (deleted.status_code, deleted.content) == (204, b"")
    assert "content-type" not in deleted.headers
    for kind, notes in (("clip", ["!"]), ("edited_clip", [""]), ("added_clip", [])):
        assert (await client.post("/profiles/undo")).json()["kind"] == kind
        assert [each["note"] for each in (await client.get("/profiles/clips")).json()] == notes
    assert (await client.post("/profiles/undo")).json() is None
    for kind in ("added_clip", "edited_clip", "clip"):
        assert (await client.post("/profiles/redo")).json()["kind"] == kind
    assert (await client.post("/profiles/redo")).json() is None
    steps = (await client.get("/profiles/undo", params={"limit": 2})).json()
    assert [(each["kind"], each["count"], each["subject"]) for each in steps] == [
        ("clip", 1, SENTENCE),
        ("edited_clip", 1, "fährt"),
    ]
    assert_refused(await client.post(f"/profiles/undo/{steps[1]['id']}"), 409, "undo_blocked")
    assert_refused(await client.post("/profiles/undo/999"), 404, "step_not_found")
    assert (await client.post(f"/profiles/undo/{steps[0]['id']}")).json()["summary"] == SENTENCE


async def test_where_one_reads_is_kept_and_bookmarks_are_set_named_found_and_deleted(client: httpx.AsyncClient) -> None:
    transcript = f"/profiles/transcripts/{(await uploaded(client))['transcript_id']}"
    assert (await client.get("/profiles/transcripts/last_read")).json() == []
    for told, read in (({"cue_index": 1, "read_cues": 2}, 2), ({"cue_index": 0}, 2)):
        assert (await client.put(f"{transcript}/place", json=told)).status_code == 200
        assert (await client.get(transcript)).json()["read_cues"] == read
    (last,) = (await client.get("/profiles/transcripts/last_read", params={"limit": 5})).json()
    assert (last["place"]["cue_index"], last["start_ms"], last["transcript"]["read_cues"]) == (0, 1000, 2)
    made = (await client.put(f"{transcript}/cues/0/bookmark", json={})).json()
    assert (made["cue_index"], made["text"], made["name"]) == (0, "Der Zug fährt ab.", "")
    named = (await client.put(f"{transcript}/cues/0/bookmark", json={"name": " the  begin "})).json()
    assert named == made | {"name": "the begin"}
    assert (await client.get("/profiles/bookmarks", params={"q": "begin"})).json() == [named]
    assert (await client.get(f"{transcript}/bookmarks")).json() == [named]
    assert_refused(await client.put(f"{transcript}/cues/2/bookmark", json={}), 422, "invalid_input")
    assert_refused(await client.put(f"{transcript}/cues/1/bookmark", json={"name": "x" * 201}), 422, "invalid_input")
    assert (await client.delete(f"/profiles/bookmarks/{made['id']}")).status_code == 204
    assert (await client.post("/profiles/undo")).json()["kind"] == "bookmark"
    assert (await client.get(f"/profiles/bookmarks/{made['id']}")).json() == named


async def test_a_template_is_absent_saved_read_replaced_and_deleted(client: httpx.AsyncClient) -> None:
    path = "/profiles/template"
    assert_refused(await client.get(path), 404, "template_not_found")
    saved = await client.post(path, json=TEMPLATE | {"srt_model": None, "srt_sys_msg": None})
    assert saved.status_code == 200
    written = TEMPLATE | {"srt_model": "", "srt_sys_msg": ""}
    assert saved.json().items() >= written.items()
    assert set(saved.json()) == set(written) | {"created_at", "updated_at"}
    assert (await client.get(path)).json() == saved.json()
    again = await client.post(path, json=TEMPLATE | {"sys_msg": "x", "srt_model": "work:s"})
    assert again.json()["created_at"] == saved.json()["created_at"]
    assert again.json()["updated_at"] > saved.json()["updated_at"]
    assert (again.json()["sys_msg"], again.json()["srt_model"]) == ("x", "work:s")
    assert_refused(await client.get(path, headers=of("other")), 404, "template_not_found")

    for missing in TEMPLATE:
        body = {name: text for name, text in TEMPLATE.items() if name != missing}
        assert missing in assert_refused(await client.post(path, json=body), 422, "invalid_input")["message"]
    for change in ({"model": "lexicon:big"}, {"srt_model": "openai:Explain it"}):
        assert_refused(await client.post(path, json=TEMPLATE | change), 422, "invalid_selector")
    error = assert_refused(await client.post(path, json=TEMPLATE | {"prompt": "one\n{% if %}"}), 422, "template_error")
    assert error["line"] == 2
    assert (await client.get(path)).json() == again.json()

    deleted = await client.delete(path)
    assert (deleted.status_code, deleted.content) == (204, b"")
    assert_refused(await client.get(path), 404, "template_not_found")


async def test_settings_are_there_before_they_were_saved_and_a_put_replaces_them(client: httpx.AsyncClient) -> None:
    path, mine = "/profiles/settings", {"explain_in": "es", "learning": [{"language": "de", "level": "B1"}]}
    unset = await client.get(path)
    assert (unset.status_code, unset.json()["explain_in"], unset.json()["updated_at"]) == (200, "en", None)
    wrong = {"explain_in": "nowhere", "learning": [{"language": "de", "level": "N4"}], "card_front": "picture"}
    for field, value in wrong.items():
        error = assert_refused(await client.put(path, json=mine | {field: value}), 422, "invalid_input")
        assert error["field"] == field
    for body in ({"explain_in": "es"}, mine | {"learning": [{"level": "B1"}]}, mine | {"explain_in": 1}):
        assert_refused(await client.put(path, json=body), 422, "invalid_input")
    assert (await client.get(path)).json() == unset.json()
    fields = 'note_type = "Mine"\n[fields]\nWort = "Expression"\n'
    saved = (await client.put(path, json=mine | {"newer": 1, "note_fields": fields})).json()
    assert saved == unset.json() | mine | {"note_fields": fields, "updated_at": saved["updated_at"]}
    assert (await client.get(path)).json() == saved
    assert_refused(await client.get("/profiles/deck_export"), 422, "note_type_needed")
    again = (await client.put(path, json={"explain_in": "fr", "learning": []})).json()
    assert (again["explain_in"], again["learning"], again["note_fields"]) == ("fr", [], "")
    assert (await client.get(path, headers=of("other"))).json() == unset.json()


async def test_a_patch_changes_what_is_given_and_a_file_is_read_anew_as_a_job(client: httpx.AsyncClient) -> None:
    file = await uploaded(client)
    path = f"/profiles/transcripts/{file['transcript_id']}"
    before = (await client.get(path)).json()
    edited = await client.patch(path, json={"title": "Die Fahrt", "newer": 1})
    assert (edited.status_code, edited.json()) == (200, before | {"title": "Die Fahrt"})
    assert (await client.patch(path, json={"language": "nl", "title": None})).json()["title"] == "Die Fahrt"
    assert (await client.patch(path, json={"language": ""})).json()["language"] is None
    assert (await client.patch(path, json={})).json()["language"] is None
    for _ in range(3):
        assert (await client.post("/profiles/undo")).json()["kind"] == "edit"
    assert (await client.get(path)).json() == before
    assert_refused(await client.patch(path, json={"title": 1}), 422, "invalid_input")

    queued = await client.post(f"/profiles/files/{file['id']}/reread", json={"language": "nl", "newer": 1})
    assert (queued.status_code, queued.json()["file_id"]) == (202, file["id"])
    await client.get("/profiles/job_events", params={"id": queued.json()["id"]})
    assert (await client.get(f"/profiles/jobs/{queued.json()['id']}")).json()["outcome"] == "reread"
    assert (await client.get(f"/profiles/files/{file['id']}")).json()["language"] == "nl"
    many = await client.post("/profiles/files/reread", json={"ids": [file["id"]], "as_is": True})
    assert (many.status_code, len(many.json())) == (202, 1)
    assert_refused(await client.post("/profiles/files/reread", json={"ids": ["nothere"]}), 404, "file_not_found")


@pytest.mark.exhaustive
async def test_providers_and_models_tell_whether_they_are_usable_and_what_is_missing(client: httpx.AsyncClient) -> None:
    providers = (await client.get("/llm/providers")).json()
    published = {"provider", "label", "available", "reason", "local"}
    assert all(set(each) == published | {"well_known", "code", "hint"} for each in providers)
    by_name = {each["provider"]: each for each in providers}
    assert (by_name["openai"]["available"], by_name["openai"]["code"]) == (False, "missing_key")
    assert "OPENAI_API_KEY" in by_name["openai"]["reason"]
    assert by_name["work"]["available"] is by_name["lexicon"]["available"] is True
    models = await client.get("/llm/models", params={"provider": "work"})
    assert (models.status_code, models.json()) == (200, ["fake-large", "fake-small"])
    assert_refused(await client.get("/llm/models"), 422, "invalid_input")
    for name, status, code in (
        *(("nobody", 404, "unknown_provider"), ("openai", 422, "missing_key")),
        ("ollama", 502, "unreachable"),
    ):
        assert_refused(await client.get("/llm/models", params={"provider": name}), status, code)


@pytest.mark.exhaustive
async def test_a_preview_is_the_text_of_a_prompt(client: httpx.AsyncClient, model: FakeModelServer) -> None:
    path, given = "/llm/breakdown/preview", {"sentence": SENTENCE, "focus": "fährt"}
    prompt = {"prompt": "{{focus}}|{{sentence}}|{{context}}"}
    shown = await client.post(path, json=given | prompt | {"context": "vorher"})
    assert (shown.status_code, shown.headers["content-type"]) == (200, "application/json")
    assert shown.json() == f"fährt|{SENTENCE}|vorher"
    assert (await client.post(path, json=prompt | {"sentence": "x", "focus": None, "context": None})).json() == "|x|"
    await client.post("/profiles/template", json=TEMPLATE)
    assert (await client.post(path, json=given)).json() == f"fährt in {SENTENCE}"
    assert model.chats == []


@pytest.mark.exhaustive
async def test_a_profile_has_1_to_64_characters_and_begins_with_its_first_record(client: httpx.AsyncClient) -> None:
    for name in ("", "a b", "../x", "x" * 65, "ä"):
        headers = {b"X-Profile-ID": name.encode()}
        for method, path in (("GET", "/profiles/clips"), ("POST", "/profiles/undo"), ("GET", "/llm/providers")):
            assert_refused(await client.request(method, path, headers=headers), 400, "invalid_profile")
    long = "x" * 64
    await client.get("/profiles/clips", headers=of(long))
    assert (await client.get("/profiles")).json() == []
    await clip(client, **of(long))
    made = await clip(client)
    assert (await client.get("/profiles")).json() == ["default", long]
    assert (await client.get("/profiles/clips", headers=of("default"))).json() == [made]
    assert (await client.get("/profiles/summaries")).json() == [
        {"name": name, "files": 0, "transcripts": 0, "clips": 1} for name in ("default", long)
    ]


@pytest.mark.exhaustive
async def test_every_answer_says_which_interface_and_version_gave_it(client: httpx.AsyncClient) -> None:
    health = await client.get("/health")
    assert (health.status_code, health.json()) == (200, {"name": "lode", "version": __version__, "interface": 1})
    for path in ("/health", "/profiles/clips", "/nowhere", "/profiles/clips/zzz", "/docs"):
        headers = (await client.get(path)).headers
        assert (headers["x-lode-interface"], headers["x-lode-version"]) == ("1", __version__)
    assert_refused(await client.get("/nowhere"), 404, "no_such_path")
    assert_refused(await client.get("/profiles/files/"), 404, "no_such_path")
    wrong = await client.put("/profiles/files")
    assert_refused(wrong, 405, "method_not_allowed")
    assert "GET" in wrong.headers["allow"]
    findings = (await client.get("/doctor")).json()
    assert {"Settings", "Library", "Models"} <= {each["group"] for each in findings}
