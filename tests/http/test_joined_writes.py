"""How answers leave: in one piece, in their order, and whole when the connection ends."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from contextlib import closing

import pytest

from tests.engines.server import Server

_LENGTH = re.compile(rb"content-length: (\d+)", re.IGNORECASE)


@pytest.fixture
def connection(api: Server) -> Iterator[socket.socket]:
    host, _, port = api.url.removeprefix("http://").partition(":")
    with closing(socket.create_connection((host, int(port)), timeout=30)) as connection:
        yield connection


def _request(*headers: str) -> bytes:
    return "\r\n".join(["GET /api/health HTTP/1.1", "Host: byssus", *headers, "", ""]).encode()


def _is_whole(answer: bytes) -> bool:
    head, _, body = answer.partition(b"\r\n\r\n")
    length = _LENGTH.search(head)
    return head.startswith(b"HTTP/1.1 200 ") and length is not None and int(length[1]) == len(body)


def test_a_client_gets_head_and_body_at_once(connection: socket.socket) -> None:
    pieces = []
    for _ in range(50):
        connection.sendall(_request())
        pieces.append(connection.recv(65536))
    assert [piece for piece in pieces if not _is_whole(piece)] == []


def test_an_answer_is_whole_when_the_connection_closes_behind_it(connection: socket.socket) -> None:
    connection.sendall(_request("Connection: close"))
    answer = b""
    while piece := connection.recv(65536):
        answer += piece
    assert _is_whole(answer)


def test_requests_sent_at_once_are_answered_one_after_the_other(connection: socket.socket) -> None:
    connection.sendall(_request() * 3 + _request("Connection: close"))
    answers = b""
    while piece := connection.recv(65536):
        answers += piece
    first, *others = answers.split(b"HTTP/1.1 ")
    assert first == b""
    assert [_is_whole(b"HTTP/1.1 " + answer) for answer in others] == [True] * 4
