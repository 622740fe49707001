"""Database URLs.

`sqlite:///relative.db`, `sqlite:////absolute.db`, `postgresql://user:password@host/name`,
`mysql://user:password@host/name` (for MariaDB too).
"""

from __future__ import annotations

import re
import ssl
from pathlib import Path
from typing import Any, Literal
from urllib.parse import parse_qs, unquote, urlsplit

Engine = Literal["sqlite", "postgresql", "mysql"]

MYSQL_PORT = 3306

_PASSWORD = re.compile(r"(?<=://)([^/@?#:]*):[^@/?#]*@")
_PASSWORD_PARAMETER = re.compile(r"([?&]password=)[^&#]*")


def engine_of(url: str) -> Engine:
    """The engine that a URL names. Raises ValueError for any other scheme."""
    scheme, separator, _ = url.partition("://")
    if separator and scheme == "sqlite":
        return "sqlite"
    if separator and scheme in ("postgresql", "postgres"):
        return "postgresql"
    if separator and scheme in ("mysql", "mariadb"):
        return "mysql"
    raise ValueError(
        f"{masked(url)!r} is not a database URL: it must begin with sqlite:///, postgresql:// or mysql://"
    )


def sqlite_path(url: str) -> Path:
    """The file of an SQLite URL. Raises ValueError when it names none (memory cannot be shared)."""
    path = url.removeprefix("sqlite:///")
    if path == url or not path or path == ":memory:":
        raise ValueError(f"{url!r} names no file: write sqlite:///relative.db or sqlite:////absolute/path.db")
    return Path(path)


def mysql_options(url: str) -> dict[str, Any]:
    """What a MySQL driver is told to connect: user, password, host, port, database, unix_socket, ssl.

    Parameters of the URL: `unix_socket=/path` instead of the host; `ssl_ca=/path` of the certificates that
    vouch for the server: without TLS there is then no connection. The server's certificate has to name the
    host, unless `ssl_check_hostname=false` is given too: the certificates that MySQL makes for itself name
    none. Raises ValueError for other parameters, and when no database is named.
    """
    parts = urlsplit(url)
    parameters = {
        name: values[-1] for name, values in parse_qs(parts.query, strict_parsing=bool(parts.query)).items()
    }
    database = unquote(parts.path.removeprefix("/"))
    if not database:
        raise ValueError(f"{masked(url)!r} names no database: write mysql://user:password@host/name")
    if unknown := parameters.keys() - {"unix_socket", "ssl_ca", "ssl_check_hostname"}:
        raise ValueError(f"{masked(url)!r} has the unknown parameter {min(unknown)}")
    options: dict[str, Any] = {
        "user": unquote(parts.username or ""),
        # The drivers would encode text as Latin-1.
        "password": unquote(parts.password or "").encode(),
        "host": parts.hostname or "localhost",
        "port": parts.port or MYSQL_PORT,
        "database": database,
    }
    if "unix_socket" in parameters:
        options["unix_socket"] = parameters["unix_socket"]
    if "ssl_ca" in parameters:
        options["ssl"] = _ssl_context(parameters["ssl_ca"], parameters.get("ssl_check_hostname") != "false")
    return options


def _ssl_context(authorities: str, check_hostname: bool) -> ssl.SSLContext:
    context = ssl.create_default_context(cafile=authorities)
    context.check_hostname = check_hostname
    if not check_hostname:
        # What newer versions of Python also ask for is missing in MySQL's own certificates.
        context.verify_flags &= ~ssl.VERIFY_X509_STRICT
    return context


def masked(url: str) -> str:
    """The URL, fit for people to see: its password replaced by ***."""
    return _PASSWORD_PARAMETER.sub(r"\1***", _PASSWORD.sub(r"\1:***@", url))
