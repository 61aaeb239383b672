"""A real ``sshd`` on loopback, for this user alone."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.server_process import free_port
from tests.waiting import HANGS, wait_until

_TERMINAL = {"COLORTERM": "truecolor", "LANG": "C.UTF-8"}
"""What ssh does not pass on by itself."""


def remote_command(command: Sequence[str], environ: Mapping[str, str]) -> str:
    """What the shell at the other end is told, so that it runs a command as it would run here."""
    settings = [f"{name}={value}" for name, value in {**_TERMINAL, **environ}.items()]
    return f"cd {shlex.quote(str(Path.cwd()))} && exec env {shlex.join(settings)} {shlex.join(command)}"


@contextmanager
def ssh_server(place: Path) -> Iterator[Sequence[str]]:
    """A server of this user's own on loopback; gives the command that gets a terminal there."""
    server = shutil.which("sshd", path=f"{os.environ.get('PATH')}:/usr/sbin")
    if server is None or shutil.which("ssh") is None:
        pytest.skip("sshd is not installed")
    if os.getuid() == 0:
        Path("/run/sshd").mkdir(exist_ok=True)  # where sshd locks itself in; the system makes it with its own server
    for name in ("host", "user"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", place / name], check=True)
    port = free_port()
    settings = (
        *(f"Port {port}", "ListenAddress 127.0.0.1", f"HostKey {place / 'host'}", f"PidFile {place / 'pid'}"),
        *(f"AuthorizedKeysFile {place / 'user.pub'}", "StrictModes no", "UsePAM no", "PasswordAuthentication no"),
        *("KbdInteractiveAuthentication no", "PermitRootLogin prohibit-password"),
    )
    (place / "config").write_text("\n".join(settings) + "\n", "utf-8")
    log = place / "log"
    process = subprocess.Popen([server, "-D", "-f", place / "config", "-E", log])
    try:
        wait_until(
            lambda: log.exists() and "listening" in log.read_text().lower(), lambda: log.exists() and log.read_text()
        )
        options = (
            "StrictHostKeyChecking=no",
            f"UserKnownHostsFile={place / 'known'}",
            "LogLevel=ERROR",
            "BatchMode=yes",
        )
        given = (part for option in options for part in ("-o", option))
        yield ("/usr/bin/ssh", "-tt", "-F", "none", "-p", str(port), "-i", str(place / "user"), *given, "127.0.0.1")
    finally:
        process.terminate()
        process.wait(HANGS)
