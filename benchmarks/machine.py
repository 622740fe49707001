"""Facts about the machine that figures depend on."""

from __future__ import annotations

import os
import platform
import sqlite3
import subprocess
import sys
import time
from importlib.metadata import version
from pathlib import Path

from benchmarks.bare_server import bare_server
from benchmarks.http_load import Load, generate

Facts = dict[str, str]

_BARE_CALLS = 32_000
_SHOWN = ("server_version", "fsync", "synchronous_commit", "wal_sync_method", "shared_buffers")
_SHOWN_MYSQL = (
    "version",
    "innodb_flush_log_at_trx_commit",
    "innodb_doublewrite",
    "innodb_flush_method",
    "innodb_buffer_pool_size",
    "log_bin",
    "sync_binlog",
    "performance_schema",
)
_PACKAGES = ("psycopg", "psycopg-pool", "asyncmy", "uvicorn", "uvloop", "httptools", "msgspec")
_FLUSHING_SECONDS = 1


def machine() -> Facts:
    """The machine and what runs on it."""
    return {
        "CPUs": f"{os.cpu_count()} ({_cpu_model()})",
        "system": f"{platform.system()} {platform.release()}",
        "load average before": f"{os.getloadavg()[0]:.1f}",
        "Python": sys.version.split()[0],
        "SQLite": sqlite3.sqlite_version,
        **{package: version(package) for package in _PACKAGES},
    }


def postgresql(binaries: Path, directory: Path, settings: dict[str, str]) -> Facts:
    """The server's settings, and how often the file system under it can flush in a second."""
    facts = {f"PostgreSQL {name}": settings[name] for name in _SHOWN}
    method = settings["wal_sync_method"]
    facts[f"flushes per second ({method}, 8 kB)"] = f"{flush_rate(binaries, directory, method):,.0f}"
    return facts


def flush_rate(binaries: Path, directory: Path, method: str) -> float:
    """What pg_test_fsync says about one 8 kB write with a method, per second."""
    probe = directory / "flush-probe"
    output = subprocess.run(
        [str(binaries / "pg_test_fsync"), "--secs-per-test=1", f"--filename={probe}"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    for line in output.partition("using one 8kB write")[2].splitlines():
        words = line.split()
        if words[:1] == [method]:
            return float(words[1])
    raise RuntimeError(f"pg_test_fsync said nothing of {method}:\n{output}")


def mysql(name: str, directory: Path, settings: dict[str, str]) -> Facts:
    """The server's settings, and how often the file system under it can flush in a second."""
    facts = {f"{name} {setting}": settings[setting] for setting in _SHOWN_MYSQL}
    facts["flushes per second (fdatasync, 16 kB)"] = f"{fdatasync_rate(directory):,.0f}"
    return facts


def fdatasync_rate(directory: Path) -> float:
    """How many pages of InnoDB's size can be written and flushed one by one in a second."""
    page, flushed = bytes(16_384), 0
    with (directory / "flush-probe").open("wb", buffering=0) as probe:
        end = time.monotonic() + _FLUSHING_SECONDS
        while time.monotonic() < end:
            os.pwrite(probe.fileno(), page, 0)
            os.fdatasync(probe.fileno())
            flushed += 1
    return flushed / _FLUSHING_SECONDS


def generator_alone(clients: int) -> float:
    """How many requests a second the load generator makes when the server does nothing."""
    with bare_server() as port:
        result = generate(Load("127.0.0.1", port, "token", 1, _BARE_CALLS, clients))
    return _BARE_CALLS / result.seconds


def _cpu_model() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(": ")[2]
    return platform.machine()
