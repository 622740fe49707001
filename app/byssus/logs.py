"""Structured logs: one JSON object per line, or coloured lines for a person at a terminal."""

from __future__ import annotations

import logging
import sys
from typing import Any

import msgspec
import structlog

_LEVELS = {
    "debug": logging.DEBUG,
    "info": logging.INFO,
    "warning": logging.WARNING,
    "error": logging.ERROR,
}


def configure(level: str) -> None:
    """Send everything of at least `level` to standard error: our own events, and those of the libraries."""
    shared: list[structlog.typing.Processor] = [
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True, key="time"),
        structlog.processors.format_exc_info,
    ]
    person = sys.stderr.isatty()
    structlog.configure(
        processors=[*shared, structlog.dev.ConsoleRenderer() if person else _json_line],
        wrapper_class=structlog.make_filtering_bound_logger(_LEVELS[level]),
        logger_factory=structlog.WriteLoggerFactory(sys.stderr)
        if person
        else structlog.BytesLoggerFactory(sys.stderr.buffer),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.dev.ConsoleRenderer() if person else _json_text,
            ],
        )
    )
    logging.basicConfig(level=max(_LEVELS[level], logging.WARNING), handlers=[handler], force=True)


def _json_line(_logger: object, _method: str, event: structlog.typing.EventDict) -> bytes:
    return msgspec.json.encode(event, enc_hook=_describe)


def _json_text(_logger: object, _method: str, event: structlog.typing.EventDict) -> str:
    return msgspec.json.encode(event, enc_hook=_describe).decode()


def _describe(value: Any) -> str:
    return repr(value)
