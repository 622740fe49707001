"""The adapter at work on the server that the folder's tests share."""

from __future__ import annotations

from tests.sdk.conftest import live, rig, serve

__all__ = ["live", "rig", "serve"]
