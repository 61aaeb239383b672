"""An mpv without a film: it speaks the JSON IPC of mpv's manual at a Unix socket, and tests say what it plays.

As a program (``python -m tests.playing.fake_mpv --input-ipc-server=PATH … FILM``) it plays FILM from where ``--start``
says until it is told to quit.
"""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any, Self


class FakeMpv:
    """A server at ``socket``; ``commands`` are all that it was told, ``clients`` how many are connected."""

    def __init__(self, socket: Path, *, path: str | None = "/films/film.mkv", time: float | None = None) -> None:
        self.socket = socket
        self.commands: list[list[Any]] = []
        self.properties: dict[str, Any] = {"time-pos": time, "pause": False, "path": path}
        self.ended = asyncio.Event()
        self._observed: dict[asyncio.StreamWriter, dict[str, int]] = {}
        self._server: asyncio.Server | None = None

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_unix_server(self._serve, self.socket)
        return self

    async def __aexit__(self, *_: object) -> None:
        self.end()

    @property
    def clients(self) -> int:
        return len(self._observed)

    @property
    def is_paused(self) -> bool:
        return bool(self.properties["pause"])

    def end(self) -> None:
        """End as a killed mpv does: without a word."""
        if self._server is not None:
            self._server.close()
        self.socket.unlink(missing_ok=True)
        for client in list(self._observed):
            client.transport.abort()
        self.ended.set()

    def play(self, name: str, value: Any) -> None:
        """Change a property, which those hear who observe it."""
        self.properties[name] = value
        for client in list(self._observed):
            self._tell(client, name)

    def send(self, raw: bytes) -> None:
        """Send bytes to all clients."""
        for client in self._observed:
            client.write(raw)

    def _tell(self, client: asyncio.StreamWriter, name: str) -> None:
        if number := self._observed[client].get(name):
            event = {"event": "property-change", "id": number, "name": name}
            if self.properties[name] is not None:  # what is not available has no data
                event["data"] = self.properties[name]
            client.write(json.dumps(event).encode() + b"\n")

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._observed[writer] = {}
        try:
            while line := await reader.readline():
                self._answer(writer, json.loads(line))
        except OSError:
            pass
        finally:
            del self._observed[writer]
            writer.close()

    def _answer(self, client: asyncio.StreamWriter, said: dict[str, Any]) -> None:
        command = said["command"]
        self.commands.append(command)
        client.write(b'{"event":"audio-reconfig"}\n')  # "Because events can occur at any time"
        error, data = "success", None
        match command:
            case ["get_property", name]:
                data = self.properties[name]
            case ["observe_property", number, name]:
                self._observed[client][name] = number
                self._tell(client, name)
            case ["set_property", name, value]:
                self.play(name, value)
            case ["cycle", "pause"]:
                self.play("pause", not self.is_paused)
            case ["seek", seconds, "absolute+exact"] if self.properties["time-pos"] is not None:
                self.play("time-pos", seconds)
            case ["quit"]:
                self.ended.set()
            case _:
                error = "error running command"
        client.write(json.dumps({"data": data, "request_id": said["request_id"], "error": error}).encode() + b"\n")


async def main() -> None:
    options = dict(argument.split("=", 1) for argument in sys.argv[1:] if argument.startswith("--") and "=" in argument)
    socket = Path(options["--input-ipc-server"])
    async with FakeMpv(socket, path=sys.argv[-1], time=float(options.get("--start", 0))) as mpv:
        await mpv.ended.wait()
        await asyncio.sleep(0)  # the answer goes out


if __name__ == "__main__":
    asyncio.run(main())
