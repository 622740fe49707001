"""From a path to its row of the table.

Segments are decoded one by one, so that `%2F` stays inside its segment.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar
from urllib.parse import unquote_to_bytes

from byssus.errors import Refused, invalid
from byssus.http.endpoints import Endpoint
from byssus.http.validation import identifier_fault

OPERATION_NAMES = {"signal_name"}
"""Path parameters that name an operation: they have a limit of their own, checked after the namespace."""

Row = TypeVar("Row")


@dataclass(slots=True)
class _Node(Generic[Row]):
    fixed: dict[bytes, _Node[Row]] = field(default_factory=dict)
    parameter: _Node[Row] | None = None
    parameter_name: str = ""
    rows: dict[str, Row] = field(default_factory=dict)


class Routes(Generic[Row]):
    """The rows by path and method. A fixed segment goes before a parameter; there is no way back."""

    def __init__(self, rows: Sequence[tuple[Endpoint, Row]]) -> None:
        self._root: _Node[Row] = _Node()
        for endpoint, row in rows:
            self._add(endpoint, row)

    def find(self, raw_path: bytes) -> tuple[dict[str, Row], dict[str, bytes]]:
        """The rows of a path by method, and its parameters, still encoded.

        Refuses paths that are not in the table.
        """
        node = self._root
        parameters: dict[str, bytes] = {}
        for segment in raw_path.split(b"/"):
            following = node.fixed.get(segment)
            if following is None:
                following = node.parameter
                if following is None or not segment:
                    raise Refused("not_found")
                parameters[node.parameter_name] = segment
            node = following
        if not node.rows:
            raise Refused("not_found")
        return node.rows, parameters

    def _add(self, endpoint: Endpoint, row: Row) -> None:
        node = self._root
        for segment in endpoint.path.split("/"):
            if segment.startswith("{"):
                node.parameter_name = segment[1:-1]
                node.parameter = node.parameter or _Node()
                node = node.parameter
            else:
                node = node.fixed.setdefault(segment.encode(), _Node())
        node.rows[endpoint.method] = row


def decode_parameters(parameters: dict[str, bytes]) -> dict[str, str]:
    """Path parameters as text. Refuses bytes that are not UTF-8, and identifiers that cannot be any."""
    decoded: dict[str, str] = {}
    for name, segment in parameters.items():
        try:
            value = str(unquote_to_bytes(segment) if b"%" in segment else segment, "utf-8")
        except UnicodeDecodeError:
            raise invalid(name, "must be UTF-8") from None
        if name not in OPERATION_NAMES and (fault := identifier_fault(value)) is not None:
            raise invalid(name, fault)
        decoded[name] = value
    return decoded


def check_operation_name(field_name: str, name: str, longest: int) -> None:
    """Refuse a signal name that is too long (bytes; 0 means no limit) or has control characters."""
    if longest and len(name.encode()) > longest:
        raise invalid(field_name, f"must not be longer than {longest} bytes")
    if any(character < " " or character == "\x7f" for character in name):
        raise invalid(field_name, "must not contain control characters")
