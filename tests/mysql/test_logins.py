"""Over the network: with a password, and with TLS where the server offers it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import quote, urlencode

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from byssus import schema
from byssus.schema.revisions import MysqlConnection
from byssus.store import transitions as t
from byssus.store.errors import BackendUnavailable
from byssus.store.mysql import MysqlStore
from tests.engines.databases import Database, Databases
from tests.engines.mysql_databases import MysqlDatabases, connect

pytestmark = pytest.mark.engines("mariadb", "mysql")

PASSWORD = "p\N{LATIN SMALL LETTER A WITH DIAERESIS}ss w\N{EURO SIGN}rd:/?#[]@%"


class Network:
    """A database as it is reached by TCP. `tcp_app` and `tcp_owner` have a password, and the usual rights."""

    def __init__(self, databases: MysqlDatabases, database: Database) -> None:
        self._server = databases.server
        self.name = database.name

    def url(self, login: str, password: str = PASSWORD, **parameters: str) -> str:
        address = f"{login}:{quote(password, safe='')}@127.0.0.1:{self._server.port}"
        query = f"?{urlencode(parameters)}" if parameters else ""
        return f"mysql://{address}/{self.name}{query}"

    @property
    def authorities(self) -> str:
        """The certificate of the authority that a MySQL server makes for itself."""
        return str(self._server.directory / "data" / "ca.pem")


@pytest.fixture
def network(databases: Databases, installed: Database, root: MysqlConnection) -> Iterator[Network]:
    assert isinstance(databases, MysqlDatabases)
    with root.cursor() as cursor:
        for login in ("tcp_app", "tcp_owner"):
            cursor.execute(f"CREATE USER {login}@'127.0.0.1' IDENTIFIED BY %s", [PASSWORD])
        cursor.execute("GRANT byssus_app TO tcp_app@'127.0.0.1'")
        cursor.execute("GRANT ALL ON `test\\_%`.* TO tcp_owner@'127.0.0.1' WITH GRANT OPTION")
        for table in ("db", "procs_priv", "tables_priv"):
            cursor.execute(f"GRANT SELECT ON mysql.{table} TO tcp_owner@'127.0.0.1'")
        yield Network(databases, installed)
        for login in ("tcp_app", "tcp_owner"):
            cursor.execute(f"DROP USER {login}@'127.0.0.1'")


@pytest.fixture
def stranger(tmp_path: Path) -> str:
    """The certificate of an authority that vouches for no server here."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "stranger")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .sign(key, hashes.SHA256())
    )
    path = tmp_path / "stranger.pem"
    path.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    return str(path)


async def _serves(url: str) -> bool:
    store = MysqlStore(url)
    await store.open()
    (answer,) = await store.call(t.READ_SCHEMA_STATE, {})
    await store.close()
    return answer.outcome == "schema_state"


def _cipher(url: str) -> str:
    with closing(connect(url)) as connection, connection.cursor() as cursor:
        cursor.execute("SHOW STATUS LIKE 'Ssl_cipher'")
        row = cursor.fetchone()
        assert row is not None
        return str(row[1])


async def test_a_password_opens_the_store(network: Network) -> None:
    """Twice, since a server may remember a password that it has seen, and then asks in another way."""
    for _ in range(2):
        assert await _serves(network.url("tcp_app"))


def test_a_password_opens_the_installer(network: Network, databases: Databases) -> None:
    with databases.empty() as database:
        url = network.url("tcp_owner").replace(network.name, database.name)
        schema.upgrade(url)
        assert schema.check(url) == []


async def test_a_wrong_password_does_not(network: Network) -> None:
    with pytest.raises(BackendUnavailable):
        await MysqlStore(network.url("tcp_app", "wrong")).open()
    with pytest.raises(schema.SchemaFault, match="Access denied"):
        schema.upgrade(network.url("tcp_owner", "wrong"))


@pytest.mark.engines("mysql")
async def test_an_authority_asks_for_tls_with_a_certificate_that_names_the_host(network: Network) -> None:
    """The one that MySQL made for itself names none."""
    parameters = {"ssl_ca": network.authorities}
    with pytest.raises(BackendUnavailable):
        await MysqlStore(network.url("tcp_app", **parameters)).open()
    with pytest.raises(schema.SchemaFault, match="certificate verify failed"):
        schema.check(network.url("tcp_owner", **parameters))

    parameters["ssl_check_hostname"] = "false"
    assert await _serves(network.url("tcp_app", **parameters))
    assert _cipher(network.url("tcp_owner", **parameters))


@pytest.mark.engines("mysql")
async def test_another_authority_does_not_vouch_for_the_server(network: Network, stranger: str) -> None:
    """Whatever its certificate names."""
    parameters = {"ssl_ca": stranger, "ssl_check_hostname": "false"}
    with pytest.raises(BackendUnavailable):
        await MysqlStore(network.url("tcp_app", **parameters)).open()
    with pytest.raises(schema.SchemaFault, match="certificate verify failed"):
        schema.check(network.url("tcp_owner", **parameters))


@pytest.mark.engines("mariadb")
async def test_an_authority_asks_for_tls_where_the_server_has_none(network: Network, stranger: str) -> None:
    """Rather than send the password and everything else in the clear."""
    with pytest.raises(BackendUnavailable):
        await MysqlStore(network.url("tcp_app", ssl_ca=stranger)).open()
    with pytest.raises(schema.SchemaFault, match="SSL is required"):
        schema.check(network.url("tcp_owner", ssl_ca=stranger))
