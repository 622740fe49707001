"""Fetches a genuine MySQL server.

Debian carries it in its unstable release only, whose packages must not be mixed with those of the machine. So
they are downloaded with an apt configuration of their own and unpacked into a folder, with every library they
need. Nothing is installed and no rights are needed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

PACKAGE = "mysql-server-core"

_KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"


def directory() -> Path:
    """Where the server is unpacked to."""
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache) / "byssus" / "mysql"


def fetch(target: Path) -> None:
    """Unpack the newest packages into `target`, which is there whole or not at all."""
    target.parent.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(prefix="mysql-", dir=target.parent))
    try:
        environment = os.environ | {"APT_CONFIG": str(_apt_configuration(work))}
        _run(environment, "apt-get", "-qq", "update")
        _run(environment, "apt-get", "-qq", "-y", "--download-only", "install", PACKAGE)
        root = work / "root"
        for package in sorted((work / "cache" / "archives").glob("*.deb")):
            _run(environment, "dpkg-deb", "-x", str(package), str(root))
        shutil.rmtree(target, ignore_errors=True)
        root.rename(target)
    finally:
        shutil.rmtree(work)


def _apt_configuration(work: Path) -> Path:
    (work / "lists" / "partial").mkdir(parents=True)
    (work / "cache" / "archives" / "partial").mkdir(parents=True)
    (work / "status").touch()
    (work / "sources.list").write_text(f"deb [signed-by={_KEYRING}] {_repository()} sid main\n")
    settings = {
        "Dir::State": work,
        "Dir::State::lists": work / "lists",
        "Dir::State::status": work / "status",
        "Dir::Cache": work / "cache",
        "Dir::Etc::sourcelist": work / "sources.list",
        "Dir::Etc::sourceparts": "/dev/null",
        "Dir::Etc::preferencesparts": "/dev/null",
        "APT::Install-Recommends": "false",
        "APT::Sandbox::User": "root",
        "Acquire::Languages": "none",
    }
    configuration = work / "apt.conf"
    configuration.write_text("".join(f'{name} "{value}";\n' for name, value in settings.items()))
    return configuration


def _repository() -> str:
    """Where this machine has its Debian packages from."""
    listed = subprocess.run(
        ["apt-get", "indextargets", "--format", "$(LABEL) $(REPO_URI)", "Created-By: Packages"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    return next(
        uri for label, _, uri in (line.partition(" ") for line in listed.splitlines()) if label == "Debian"
    )


def _run(environment: dict[str, str], *command: str) -> None:
    subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL)
