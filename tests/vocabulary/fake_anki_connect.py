"""AnkiConnect over a real collection: the actions that Lode asks for, as the add-on answers them.

One thread has the collection and answers one request after the other, as Anki does. ``answer`` makes it answer
otherwise; ``asked`` are the actions so far, with how many ids each was given, ``browsed`` the searches of the browser.
What is in ``not_done`` it says it has done, and does not.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

from tests.vocabulary.anki_collections import Collection

Json = Any


class FakeAnkiConnect:
    """The server; ``key`` is what it wants to be given, ``answer`` replaces its answer where it is set."""

    def __init__(self, path: Path) -> None:
        self.asked: list[tuple[str, int]] = []
        self.browsed: list[str] = []
        self.key = ""
        self.permission = "granted"
        self.not_done: set[str] = set()
        self.answer: tuple[int, bytes] | None = None
        self._work: list[Callable[[Collection], object]] = []
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._serve, args=(path,), daemon=True)
        self._thread.start()
        self._ready.wait()

    def _serve(self, path: Path) -> None:
        collection = Collection(path)
        fake = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                assert "Origin" not in self.headers
                request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                status, body = fake.answer or (200, json.dumps(fake.reply(collection, request)).encode())
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: object) -> None:
                pass

        class Server(HTTPServer):
            def service_actions(self) -> None:
                while fake._work:
                    fake._work.pop(0)(collection)

        self._server = Server(("127.0.0.1", 0), Handler)
        self._ready.set()
        self._server.serve_forever(poll_interval=0.01)
        collection.col.close()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def do(self, work: Callable[[Collection], object]) -> None:
        """Change the collection, as its learner does."""
        done: Future[object] = Future()

        def run(collection: Collection) -> None:
            try:
                done.set_result(work(collection))
            except BaseException as error:  # noqa: BLE001 - the test is to see it
                done.set_exception(error)

        self._work.append(run)
        done.result(30)

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def reply(self, collection: Collection, request: Json) -> Json:
        action, params = request["action"], request.get("params", {})
        assert request["version"] == 6
        sizes = [len(value) for value in params.values() if isinstance(value, list)]
        self.asked.append((action, sum(sizes)))
        if action == "guiBrowse":
            self.browsed.append(params["query"])
        if self.key and request.get("key") != self.key and action != "requestPermission":
            return {"result": None, "error": "valid api key must be provided"}
        if action in self.not_done:
            return {"result": True, "error": None}
        try:
            return {"result": self._result(collection.col, action, params), "error": None}
        except Exception as error:  # noqa: BLE001 - as the add-on does
            return {"result": None, "error": str(error)}

    def _result(self, col: Any, action: str, params: Json) -> Json:
        match action:
            case "deckNames":
                return [each.name for each in col.decks.all_names_and_ids()]
            case "modelNames":
                return [each.name for each in col.models.all_names_and_ids()]
            case "modelFieldNames":
                return [field["name"] for field in col.models.by_name(params["modelName"])["flds"]]
            case "findNotes":
                return list(col.find_notes(params["query"]))
            case "findCards" | "guiBrowse":
                return list(col.find_cards(params["query"]))
            case "cardsToNotes":
                return list({col.get_card(card).nid for card in params["cards"]})
            case "cardsModTime":
                return [{"cardId": card, "mod": col.get_card(card).mod} for card in params["cards"]]
            case "requestPermission":
                return {"permission": self.permission, "requireApikey": bool(self.key), "version": 6}
            case "getMediaDirPath":
                return col.media.dir()
            case "importPackage":
                return _import(col, params["path"])
            case "deleteNotes":
                col.remove_notes(params["notes"])
                return None
            case "canAddNotes":
                return [_can_add(col, note) for note in params["notes"]]
            case "notesInfo":
                return [_note_info(col, note) for note in params["notes"]]
        raise ValueError("unsupported action")


def _import(col: Any, path: str) -> bool:
    """As the add-on imports: note types are merged, and schedules and options of decks come along."""
    from anki.collection import ImportAnkiPackageOptions, ImportAnkiPackageRequest

    options = ImportAnkiPackageOptions(merge_notetypes=True, with_scheduling=True, with_deck_configs=True)
    col.import_anki_package(ImportAnkiPackageRequest(package_path=path, options=options))
    return True


def _can_add(col: Any, note: Json) -> bool:
    """Whether no note, of whatever type, has this first field: as the add-on asks with ``checkAllModels``."""
    from anki.utils import field_checksum, strip_html

    assert note["options"]["duplicateScopeOptions"] == {"checkAllModels": True}
    names = [field["name"] for field in col.models.by_name(note["modelName"])["flds"]]
    first = note["fields"][names[0]]
    same = col.db.list("select flds from notes where csum = ?", field_checksum(first))
    return bool(first) and strip_html(first) not in (strip_html(fields.split("\x1f")[0]) for fields in same)


def _note_info(col: Any, number: int) -> Json:
    note = col.get_note(number)
    names = [field["name"] for field in note.note_type()["flds"]]
    return {
        "noteId": number,
        "modelName": note.note_type()["name"],
        "tags": note.tags,
        "mod": note.mod,
        "fields": {name: {"value": note[name], "order": order} for order, name in enumerate(names)},
        "cards": col.db.list("select id from cards where nid = ? order by ord", number),
    }


@contextmanager
def running_anki(path: Path) -> Iterator[FakeAnkiConnect]:
    fake = FakeAnkiConnect(path)
    try:
        yield fake
    finally:
        fake.close()
