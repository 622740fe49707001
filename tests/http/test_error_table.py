from __future__ import annotations

import re
from pathlib import Path

from byssus.errors import ERRORS
from byssus.http.endpoints import ENDPOINTS

DOCS = Path(__file__).parents[2] / "docs"


def test_the_errors_page_shows_the_table_of_the_code() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (\d+) \| (yes|no) \| (.+) \|$", (DOCS / "errors.md").read_text(), re.M)
    assert rows == [
        (code, str(error.status), "yes" if error.retryable else "no", error.message)
        for code, error in ERRORS.items()
    ]


def test_the_http_page_lists_every_endpoint() -> None:
    rows = re.findall(
        r"^\| (GET|POST|DELETE) \| `(\S+)` \| (\w+) \| (.+) \| (.+) \|$", (DOCS / "http.md").read_text(), re.M
    )
    assert rows == [
        (
            endpoint.method,
            endpoint.path,
            endpoint.plane,
            ", ".join(endpoint.roles) or "-",
            f"`{endpoint.transition.name}`" if endpoint.transition else "-",
        )
        for endpoint in ENDPOINTS
    ]


def test_every_status_of_the_table_is_one_for_errors() -> None:
    assert {error.status for error in ERRORS.values()} <= set(range(400, 600))
