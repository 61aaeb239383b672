"""Each row of the interface as it was given, and each of the decisions on what it leaves open."""

from __future__ import annotations

import httpx
import pytest

from tests.llm.fakes.fake_server import FakeModelServer, stream
from tests.server.conftest import ASK, FOCUS, SENTENCE, assert_refused, clip, enqueue_breakdown, of, uploaded
from tui import __version__

pytestmark = pytest.mark.exhaustive

FILE_FIELDS = {"id", "name", "kind", "format", "language", "size_bytes", "sha256", "duration_ms", "created_at"}
TRANSCRIPT_FIELDS = {"id", "file_id", "title", "language", "origin", "cue_count", "duration_ms", "created_at"}
CUE_FIELDS = {"index", "start_ms", "end_ms", "text", "speaker", "ruby", "sounds"}
CLIP_FIELDS = {
    *("id", "transcript_id", "file_id", "cue_index", "start_ms", "end_ms", "sentence", "context", "translation"),
    *(
        "focus",
        "explanation",
        "model",
        "tags",
        "note",
        "source",
        "language",
        "sentence_reading",
        "created_at",
        "updated_at",
        "exported",
        "audio",
        "picture",
        "voice",
    ),
}
JOB_FIELDS = {"id", "file_id", "kind", "state", "progress", "message", "error", "created_at", "updated_at"}
TEMPLATE = {"model": "work:m", "prompt": "{{ focus }} in {{ sentence }}", "sys_msg": "teach"}


# Files


async def test_files_are_listed_as_a_bare_array(client: httpx.AsyncClient) -> None:
    empty = await client.get("/profiles/files")
    assert (empty.status_code, empty.headers["content-type"], empty.json()) == (200, "application/json", [])
    file = await uploaded(client)
    (listed,) = (await client.get("/profiles/files")).json()
    assert listed == file
    assert listed.keys() >= FILE_FIELDS
    assert (listed["name"], listed["kind"], listed["format"], listed["language"]) == (
        *("story.de.srt", "subtitle", "srt"),
        "de",
    )


async def test_a_deleted_file_takes_its_jobs_and_names_them_while_transcripts_and_clips_stay(
    client: httpx.AsyncClient,
) -> None:
    file = await uploaded(client)
    (job,) = (await client.get("/profiles/jobs")).json()
    kept = await client.post("/profiles/clips", json={"sentence": SENTENCE, "file_id": file["id"]})
    assert kept.json()["file_id"] == file["id"]
    deleted = await client.delete(f"/profiles/files/{file['id']}")
    assert (deleted.status_code, deleted.json()) == (200, {"deleted_job_ids": [job["id"]]})
    assert (await client.get("/profiles/jobs")).json() == []
    (transcript,) = (await client.get("/profiles/transcripts")).json()
    assert transcript["file_id"] is None
    assert len((await client.get("/profiles/clips")).json()) == 1


# Transcripts


async def test_transcripts_are_listed_and_deleted_without_a_body(client: httpx.AsyncClient) -> None:
    await uploaded(client)
    (transcript,) = (await client.get("/profiles/transcripts")).json()
    assert set(transcript) >= TRANSCRIPT_FIELDS
    assert (transcript["origin"], transcript["cue_count"], transcript["duration_ms"]) == ("import", 2, 4000)
    cues = (await client.get(f"/profiles/transcripts/{transcript['id']}/cues")).json()
    assert [set(cue) for cue in cues] == [CUE_FIELDS, CUE_FIELDS]
    spoken = {"index": 0, "start_ms": 1000, "end_ms": 2500, "text": "Der Zug fährt ab.", "speaker": None}
    assert cues[0] == {**spoken, "ruby": [], "sounds": []}
    deleted = await client.delete(f"/profiles/transcripts/{transcript['id']}")
    assert (deleted.status_code, deleted.content) == (204, b"")
    assert (await client.get("/profiles/transcripts")).json() == []


# Clips


async def test_clips_are_listed_and_deleted_without_a_body(client: httpx.AsyncClient) -> None:
    made = await clip(client)
    assert set(made) == CLIP_FIELDS
    assert (await client.get("/profiles/clips")).json() == [made]
    deleted = await client.delete(f"/profiles/clips/{made['id']}")
    assert (deleted.status_code, deleted.content) == (204, b"")
    assert "content-type" not in deleted.headers
    assert (await client.get("/profiles/clips")).json() == []


async def test_a_clip_is_added_read_and_edited_with_its_focus_word(client: httpx.AsyncClient) -> None:
    contents = {
        "sentence": SENTENCE,
        "focus": {"surface": "fährt", "meanings": ["to leave", "to go"], "origin": "llm", "newer": True},
        "tags": ["travel"],
        "start_ms": 1000,
        "of_a_newer_client": 1,
    }
    made = (await client.post("/profiles/clips", json=contents)).json()
    assert made["focus"]["meanings"] == ["to leave", "to go"]
    assert made["focus"]["lemma"] is None
    assert (await client.get(f"/profiles/clips/{made['id']}")).json() == made
    edited = await client.put(f"/profiles/clips/{made['id']}", json=contents | {"note": "!"})
    assert edited.status_code == 200
    assert edited.json() == made | {"note": "!", "updated_at": edited.json()["updated_at"]}


# Template


async def test_a_template_is_absent_saved_read_replaced_and_deleted(client: httpx.AsyncClient) -> None:
    assert_refused(await client.get("/profiles/template"), 404, "template_not_found")
    saved = await client.post("/profiles/template", json=TEMPLATE)
    assert saved.status_code == 200
    written = TEMPLATE | {"srt_model": "", "srt_sys_msg": ""}
    assert {name: saved.json()[name] for name in written} == written
    assert set(saved.json()) == set(written) | {"created_at", "updated_at"}
    assert (await client.get("/profiles/template")).json() == saved.json()
    again = await client.post("/profiles/template", json=TEMPLATE | {"sys_msg": "x", "srt_model": "work:s"})
    assert again.json()["created_at"] == saved.json()["created_at"]
    assert again.json()["updated_at"] > saved.json()["updated_at"]
    assert (again.json()["sys_msg"], again.json()["srt_model"]) == ("x", "work:s")
    assert_refused(await client.get("/profiles/template", headers=of("other")), 404, "template_not_found")
    deleted = await client.delete("/profiles/template")
    assert (deleted.status_code, deleted.content) == (204, b"")
    assert_refused(await client.get("/profiles/template"), 404, "template_not_found")


@pytest.mark.parametrize("missing", ["model", "prompt", "sys_msg"])
async def test_a_template_without_a_needed_field_is_refused_and_names_it(
    client: httpx.AsyncClient, missing: str
) -> None:
    body = {name: text for name, text in TEMPLATE.items() if name != missing}
    error = assert_refused(await client.post("/profiles/template", json=body), 422, "invalid_input")
    assert missing in error["message"]


@pytest.mark.parametrize("selector", ["lexicon: Explain it.", "lexicon:big", "openai:Explain it", "lexicon:"])
@pytest.mark.parametrize("field", ["model", "srt_model"])
async def test_a_template_for_a_model_that_cannot_be_is_refused(
    client: httpx.AsyncClient, field: str, selector: str
) -> None:
    refused = await client.post("/profiles/template", json=TEMPLATE | {field: selector})
    assert_refused(refused, 422, "invalid_selector")
    assert_refused(await client.get("/profiles/template"), 404, "template_not_found")


async def test_a_template_that_cannot_be_rendered_is_refused_with_its_place_and_changes_nothing(
    client: httpx.AsyncClient,
) -> None:
    saved = (await client.post("/profiles/template", json=TEMPLATE)).json()
    refused = await client.post("/profiles/template", json=TEMPLATE | {"prompt": "one\n{% if %}"})
    error = assert_refused(refused, 422, "template_error")
    assert error["line"] == 2
    assert (await client.get("/profiles/template")).json() == saved


async def test_what_is_optional_may_be_null(client: httpx.AsyncClient) -> None:
    saved = await client.post("/profiles/template", json=TEMPLATE | {"srt_model": None, "srt_sys_msg": None})
    assert (saved.json()["srt_model"], saved.json()["srt_sys_msg"]) == ("", "")
    body = {"sentence": "x", "prompt": "{{ sentence }}", "focus": None, "context": None}
    assert (await client.post("/llm/breakdown/preview", json=body)).json() == "x"


# Providers and models


async def test_providers_tell_whether_they_are_usable_and_what_is_missing(client: httpx.AsyncClient) -> None:
    providers = (await client.get("/llm/providers")).json()
    published = {"provider", "label", "available", "reason", "local"}
    assert all(set(each) == published | {"well_known", "code", "hint"} for each in providers)
    by_name = {each["provider"]: each for each in providers}
    assert by_name["openai"]["available"] is False
    assert by_name["openai"]["code"] == "missing_key"
    assert "OPENAI_API_KEY" in by_name["openai"]["reason"]
    assert by_name["work"]["available"] is True
    assert by_name["lexicon"]["available"] is True


async def test_models_are_a_bare_array_of_ids(client: httpx.AsyncClient) -> None:
    models = await client.get("/llm/models", params={"provider": "work"})
    assert (models.status_code, models.json()) == (200, ["fake-large", "fake-small"])
    assert_refused(await client.get("/llm/models", params={"provider": "nobody"}), 404, "unknown_provider")
    assert_refused(await client.get("/llm/models"), 422, "invalid_input")
    assert_refused(await client.get("/llm/models", params={"provider": "openai"}), 422, "missing_key")
    assert_refused(await client.get("/llm/models", params={"provider": "ollama"}), 502, "unreachable")


# Preview


async def test_a_preview_is_the_rendered_text_and_asks_no_model(
    client: httpx.AsyncClient, model: FakeModelServer
) -> None:
    body = {"sentence": "Der Zug.", "focus": "Zug", "context": "vorher", "prompt": "{{focus}}|{{sentence}}|{{context}}"}
    shown = await client.post("/llm/breakdown/preview", json=body)
    assert (shown.status_code, shown.headers["content-type"]) == (200, "application/json")
    assert shown.json() == "Zug|Der Zug.|vorher"
    bare = await client.post("/llm/breakdown/preview", json={"sentence": "x", "prompt": "[{{focus}}{{context}}]"})
    assert bare.json() == "[]"
    assert model.chats == []


async def test_a_preview_without_a_prompt_takes_the_profiles_template_else_the_built_in_one(
    client: httpx.AsyncClient,
) -> None:
    built_in = (await client.get("/profiles/template/effective")).json()
    given = {"sentence": SENTENCE, "focus": "fährt"}
    by_default = (await client.post("/llm/breakdown/preview", json=given)).json()
    explicit = await client.post("/llm/breakdown/preview", json=given | {"prompt": built_in["prompt"]})
    assert by_default == explicit.json()
    assert SENTENCE in by_default
    await client.post("/profiles/template", json=TEMPLATE)
    assert (await client.post("/llm/breakdown/preview", json=given)).json() == f"fährt in {SENTENCE}"


# Profile


@pytest.mark.parametrize("name", ["", "a b", "../x", "x" * 65, "ä", "a/b", "a.b"])
async def test_a_profile_has_1_to_64_letters_digits_dashes_and_underscores(
    client: httpx.AsyncClient, name: str
) -> None:
    headers = {b"X-Profile-ID": name.encode()}
    for method, path in (("GET", "/profiles/clips"), ("POST", "/profiles/undo"), ("GET", "/llm/providers")):
        assert_refused(await client.request(method, path, headers=headers), 400, "invalid_profile")


async def test_a_profile_comes_into_being_with_the_first_thing_written_to_it(client: httpx.AsyncClient) -> None:
    assert (await client.get("/profiles")).json() == []
    await client.get("/profiles/clips", headers=of("x" * 64))
    assert (await client.get("/profiles")).json() == []
    await clip(client, **of("x" * 64))
    await clip(client)
    assert (await client.get("/profiles")).json() == ["default", "x" * 64]
    assert (await client.get("/profiles/clips", headers=of("default"))).json() == (
        await client.get("/profiles/clips")
    ).json()
    nothing = {"files": 0, "transcripts": 0}
    assert (await client.get("/profiles/summaries")).json() == [
        {"name": "default", **nothing, "clips": 1},
        {"name": "x" * 64, **nothing, "clips": 1},
    ]


# Errors, health, versions


async def test_paths_that_are_none_and_methods_that_are_not_for_them(client: httpx.AsyncClient) -> None:
    assert_refused(await client.get("/nowhere"), 404, "no_such_path")
    assert_refused(await client.get("/profiles/files/"), 404, "no_such_path")
    wrong = await client.put("/profiles/files")
    assert_refused(wrong, 405, "method_not_allowed")
    assert "GET" in wrong.headers["allow"]


async def test_health_says_who_is_there(client: httpx.AsyncClient) -> None:
    assert (await client.get("/health")).json() == {"name": "lode", "version": __version__, "interface": 1}


@pytest.mark.parametrize("path", ["/health", "/profiles/clips", "/nowhere", "/profiles/clips/zzz", "/docs"])
async def test_every_answer_says_which_interface_and_version_gave_it(client: httpx.AsyncClient, path: str) -> None:
    headers = (await client.get(path)).headers
    assert (headers["x-lode-interface"], headers["x-lode-version"]) == ("1", __version__)


async def test_undo_brings_back_what_was_deleted_and_says_so(client: httpx.AsyncClient) -> None:
    made = await clip(client)
    await client.delete(f"/profiles/clips/{made['id']}")
    assert (await client.post("/profiles/undo")).json()["kind"] == "clip"
    assert (await client.get("/profiles/clips")).json() == [made]
    assert (await client.post("/profiles/undo")).json()["kind"] == "added_clip"
    assert (await client.get("/profiles/clips")).json() == []
    assert (await client.post("/profiles/undo")).json() is None


async def test_the_history_has_what_was_answered(client: httpx.AsyncClient, model: FakeModelServer) -> None:
    enqueue_breakdown(model, stream("**fährt** ", "ab"))
    await client.post("/llm/breakdown", json=ASK)
    (kept,) = (await client.get("/profiles/history")).json()
    assert (kept["text"], kept["state"], kept["focus_word"]["lemma"]) == ("**fährt** ab", "complete", FOCUS["lemma"])
    assert (await client.get(f"/profiles/history/{kept['id']}")).json() == kept
    (used,) = (await client.get("/profiles/usage")).json()
    assert (used["model"], used["answers"]) == ("work:m", 1)
    assert (await client.delete(f"/profiles/history/{kept['id']}")).status_code == 204


async def test_the_doctor_looks_where_the_server_is(client: httpx.AsyncClient) -> None:
    findings = (await client.get("/doctor")).json()
    assert {"Settings", "Library", "Models"} <= {each["group"] for each in findings}
